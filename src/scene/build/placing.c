// SPDX-License-Identifier: MIT
// The key `place` of a body: a map, whose parts have one order, or a list of steps. Both become the placement of a mesh, with
// contact planes in place of their names.
#include "scene/build/placing.h"

#include <math.h>
#include <string.h>

#include "scene/read/value.h"

static const carom_plane_def *find_plane(const carom_scene_def *def, const char *name) {
    for (int p = 0; p < def->planes.count; p++)
        if (strcmp(carom_scene_plane_at(def, p)->name, name) == 0)
            return carom_scene_plane_at(def, p);
    return NULL;
}

static bool is_given(const double vector[3]) {
    return !isnan(vector[0]);
}

// Reports an unknown plane; lists the planes of the scene, and suggests the one with the most similar name.
static void unknown_plane(const carom_scene_def *def, const char *name, const carom_tree *tree, const char *path,
                          carom_report *report) {
    enum { NAMES_MAX = 32 };
    const char *names[NAMES_MAX] = {0};
    char shown[CAROM_SHOWN_MAX], hint[CAROM_SHOWN_MAX] = "", list[256] = "";
    int count = 0;
    for (; count < def->planes.count && count < NAMES_MAX; count++)
        names[count] = carom_scene_plane_at(def, count)->name;
    carom_value_nearest(name, names, count, hint);
    for (int i = 0; i < count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s'%s'", i ? ", " : "", names[i]);
    if (count)
        carom_report_key(report, tree, path, "on", "there is no contact plane %s%s; the planes are %s",
                         carom_show_text(name, shown), hint, list);
    else
        carom_report_key(report, tree, path, "on", "there is no contact plane %s: contact.planes is empty",
                         carom_show_text(name, shown));
}

static const char no_angle[] = "nothing is turned without an `angle`: add one, or remove this key";

// Checks for a map and for a step.
static void check_step(const carom_scene_def *def, const carom_scene_step *step, const carom_tree *tree, const char *path,
                       carom_report *report) {
    if (is_given(step->through) && step->about == CAROM_ABOUT_CENTER)
        carom_report_forbid(report, tree, path, "through", "`about: center` already defines the axis");
    if (!carom_tree_get(tree, "on"))
        carom_report_forbid(report, tree, path, "gap", "a gap needs a plane: add `on: NAME`, or remove `gap`");
    if (!carom_tree_get(tree, "angle")) {
        carom_report_forbid(report, tree, path, "about", no_angle);
        carom_report_forbid(report, tree, path, "through", no_angle);
    }
    if (step->on[0] && !find_plane(def, step->on))
        unknown_plane(def, step->on, tree, path, report);
}

static void check_list(const carom_scene_def *def, const carom_list *steps, const carom_tree *tree, const char *path,
                       carom_report *report) {
    const carom_scene_step *items = steps->items;
    for (int s = 0; s < steps->count; s++) {
        const carom_tree *item = carom_tree_at(tree, s);
        char step_path[128];
        snprintf(step_path, sizeof step_path, "%s[%d]", path, s);
        check_step(def, &items[s], item, step_path, report);
        if (!carom_tree_get(item, "angle"))
            carom_report_forbid(report, item, step_path, "axis", no_angle);
        // a later step would move the body off the plane, or into it
        if (items[s].on[0] && s < steps->count - 1)
            carom_report_key(report, item, step_path, "on",
                             "`on` must be the last step, and only one step can have it: remove or move it");
    }
}

void carom_scene_check_places(const carom_scene_def *def, const carom_tree *root, carom_report *report) {
    const carom_scene_body *bodies = def->bodies.items;
    for (int i = 0; i < def->bodies.count; i++) {
        const carom_tree *tree = carom_tree_get(carom_tree_at(carom_tree_get(root, "bodies"), i), "place");
        char path[64];
        snprintf(path, sizeof path, "bodies[%d].place", i);
        if (tree && tree->kind == CAROM_TREE_LIST) {
            check_list(def, &bodies[i].steps, tree, path, report);
        } else if (tree && tree->kind == CAROM_TREE_MAP) {
            const double *offset = bodies[i].placement.translate;
            check_step(def, &bodies[i].place, tree, path, report);
            if (is_given(bodies[i].place.center) && (offset[0] != 0 || offset[1] != 0 || offset[2] != 0))
                carom_report_forbid(report, tree, path, "translate", "`center` already defines the position");
        }
    }
}

static carom_place_step turn_step(const carom_scene_step *from, const double axis[3], double angle) {
    carom_place_step step = {.action = from->about == CAROM_ABOUT_CENTER ? CAROM_PLACE_TURN_ABOUT_CENTER : CAROM_PLACE_TURN,
                             .angle = angle};
    memcpy(step.vector, axis, sizeof step.vector);
    // without `through` the point stays zero: the origin
    if (is_given(from->through))
        memcpy(step.point, from->through, sizeof step.point);
    return step;
}

static carom_place_step vector_step(carom_place_action action, const double vector[3]) {
    carom_place_step step = {.action = action};
    memcpy(step.vector, vector, sizeof step.vector);
    return step;
}

static carom_place_step plane_step(const carom_scene_def *def, const carom_scene_step *from) {
    const carom_plane_def *plane = find_plane(def, from->on);
    carom_place_step step = vector_step(CAROM_PLACE_ON_PLANE, plane->normal);
    memcpy(step.point, plane->point, sizeof step.point);
    step.gap = from->gap;
    return step;
}

static carom_place_step one_step(const carom_scene_def *def, const carom_scene_step *from) {
    if (is_given(from->scale))
        return vector_step(CAROM_PLACE_SCALE, from->scale);
    if (!isnan(from->angle))
        return turn_step(from, from->axis, from->angle);
    if (is_given(from->translate))
        return vector_step(CAROM_PLACE_MOVE, from->translate);
    return is_given(from->center) ? vector_step(CAROM_PLACE_CENTER, from->center) : plane_step(def, from);
}

// Converts the keys of a map other than scale, turn about the origin and translation to steps; returns their number. A turn
// about another point precedes the translation, which is then a step of its own.
static int map_steps(const carom_scene_def *def, const carom_scene_body *body, carom_placement *placement,
                     carom_place_step steps[4]) {
    int count = 0;
    if (placement->angle != 0 && (body->place.about == CAROM_ABOUT_CENTER || is_given(body->place.through))) {
        steps[count++] = turn_step(&body->place, placement->axis, placement->angle);
        steps[count++] = vector_step(CAROM_PLACE_MOVE, placement->translate);
        placement->angle = 0;
        memset(placement->translate, 0, sizeof placement->translate);
    }
    if (is_given(body->place.center))
        steps[count++] = vector_step(CAROM_PLACE_CENTER, body->place.center);
    if (body->place.on[0])
        steps[count++] = plane_step(def, &body->place);
    return count;
}

bool carom_scene_find_path(const carom_scene_def *def, const carom_scene_body *body, carom_arena *arena,
                           carom_scene_path *path) {
    enum { MAP_STEPS = 4 };
    const carom_scene_step *items = body->steps.items;
    *path = (carom_scene_path){.placement = body->placement, .step_count = body->steps.count};
    carom_place_step *steps = carom_arena_allocate(arena, path->step_count + MAP_STEPS, sizeof *steps);
    if (!steps)
        return false;
    for (int s = 0; s < path->step_count; s++)
        steps[s] = one_step(def, &items[s]);
    if (path->step_count == 0)
        path->step_count = map_steps(def, body, &path->placement, steps);
    path->steps = steps;
    return true;
}

void carom_scene_ground(const carom_scene_body *body, char name[CAROM_NAME_MAX]) {
    const carom_scene_step *steps = body->steps.items;
    // the last step, or the map
    const carom_scene_step *last = body->steps.count > 0 ? &steps[body->steps.count - 1] : &body->place;
    snprintf(name, CAROM_NAME_MAX, "%s", last->on);
}
