// SPDX-License-Identifier: MIT
// The key `obstacle` of a body: keys that contradict it, the files of its shapes, and its definition for the model.
#include "scene/build/obstacles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "mesh/mesh.h"
#include "scene/finding.h"

// The motion may be defined by one key only. `path` is that of the map of the obstacle.
static void check_motion(const carom_tree *tree, const char *path, carom_report *report) {
    static const char *const motion_keys[] = {"velocity", "velocities", "path"};
    const char *first = NULL;
    for (int i = 0; i < 3; i++) {
        bool given = carom_tree_branch(tree, motion_keys[i]);
        char why[64];
        snprintf(why, sizeof why, "cannot be combined with '%s'", first ? first : "");
        if (given && first)
            carom_report_forbid(report, tree, path, motion_keys[i], why);
        first = given && !first ? motion_keys[i] : first;
    }
    for (int i = 0; i < 2 && !carom_tree_get(tree, "velocity"); i++)
        carom_report_forbid(report, tree, path, i ? "history" : "ramp", "has a meaning only together with 'velocity'");
}

static bool starts_at_rest(const carom_list *path) {
    const double *row = path->items;
    return !path->count || (row[0] == 0 && row[1] == 0 && row[2] == 0 && row[3] == 0);
}

// The path of a file relative to the scene, in full, so that a dump of the scene can be read from any folder.
static bool name_in_full(const char *scene, char path[CAROM_TEXT_MAX]) {
    char *relative = carom_scene_file(scene, path), *full = relative ? carom_platform_real_path(relative) : NULL;
    const char *name = full ? full : relative;
    bool fits = name && strlen(name) < CAROM_TEXT_MAX;
    if (fits)
        strcpy(path, name);
    free(full);
    free(relative);
    return fits;
}

// True if both have the same cells.
static bool is_alike(const carom_mesh *a, const carom_mesh *b) {
    if (a->node_count != b->node_count || a->block_count != b->block_count)
        return false;
    for (int i = 0; i < a->block_count; i++) {
        const carom_cell_block *p = &a->blocks[i], *q = &b->blocks[i];
        if (p->type != q->type || p->count != q->count ||
            memcmp(p->nodes, q->nodes, (size_t)p->count * (size_t)carom_cell_size(p->type) * sizeof *p->nodes) != 0)
            return false;
    }
    return true;
}

// Reads a shape; its nodes are kept in the arena.
static carom_status read_shape(carom_arena *arena, const char *scene, carom_scene_shape *shape, const carom_mesh *mesh,
                               const double **nodes, carom_error *error) {
    carom_mesh read = {0};
    char given[CAROM_TEXT_MAX];
    strcpy(given, shape->path);
    if (!name_in_full(scene, shape->path))
        return carom_fail(error, CAROM_BAD_INPUT, "the full path of the file has more than %d bytes", CAROM_TEXT_MAX - 1);
    carom_status status = carom_mesh_read(shape->path, &(carom_mesh_read_def){0}, &read, error);
    if (!status)
        status = carom_mesh_drop_unused(&read, error);
    if (!status && !is_alike(&read, mesh))
        status = carom_fail(error, CAROM_BAD_INPUT,
                            "%.200s: a shape must have the nodes and cells of the mesh, in the same order: it has %d nodes, "
                            "the mesh has %d",
                            given, read.node_count, mesh->node_count);
    if (!status) {
        *nodes = carom_arena_copy(arena, read.nodes, (size_t)read.node_count * sizeof *read.nodes);
        status = *nodes ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for the shapes");
    }
    carom_mesh_release(&read);
    return status;
}

static void read_shapes(carom_arena *arena, carom_scene_body *body, const carom_tree *list, int index, const carom_mesh *mesh,
                        carom_report *report) {
    carom_scene_shape *shapes = body->obstacle.shapes.items;
    int count = body->obstacle.shapes.count;
    const double **nodes = carom_arena_allocate(arena, count, sizeof *nodes);
    report->failed |= !nodes;
    char path[128];
    for (int s = 0; s < count && nodes; s++) {
        carom_error error;
        snprintf(path, sizeof path, "bodies[%d].obstacle.shapes[%d]", index, s);
        const carom_tree *entry = carom_tree_at(list, s);
        if (s && !(shapes[s].time > shapes[s - 1].time))
            carom_report_add(report, entry->place, path, "times must ascend: %g follows %g", shapes[s].time,
                             shapes[s - 1].time);
        if (!shapes[s].path[0])
            continue;
        carom_status status = read_shape(arena, report->file, &shapes[s], mesh, &nodes[s], &error);
        if (status == CAROM_NO_MEMORY)
            report->failed = true;
        else if (status)
            carom_report_add(report, entry->place, path, "%s", error.message);
    }
    body->obstacle.shape_nodes = nodes;
}

void carom_scene_check_obstacle(carom_arena *arena, carom_scene_body *body, int index, const carom_tree *tree,
                                const carom_mesh *mesh, carom_report *report) {
    if (!body->obstacle.given)
        return;
    const carom_tree *own = carom_tree_get(tree, "obstacle");
    static const char *const foreign[][2] = {
        {"material", "an obstacle has neither material nor damping: remove this key"},
        {"materials", "an obstacle has neither material nor damping: remove this key"},
        {"damping", "an obstacle has neither material nor damping: remove this key"},
        {"velocity", "give the velocity of an obstacle by `obstacle: {velocity: ...}`"},
        {"spin", "give the rotation of an obstacle by `obstacle: {turn: ...}`"},
    };
    char path[64], own_path[80];
    snprintf(path, sizeof path, "bodies[%d]", index);
    snprintf(own_path, sizeof own_path, "bodies[%d].obstacle", index);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        carom_report_forbid(report, tree, path, foreign[i][0], foreign[i][1]);
    check_motion(own, own_path, report);
    if (!starts_at_rest(&body->obstacle.path))
        carom_report_forbid(report, own, own_path, "path",
                            "the first row must be [0, 0, 0, 0]: the obstacle starts where its mesh is");
    if (!body->obstacle.shapes.count)
        return;
    static const char *const changing[] = {"fix", "renumber"};
    for (int i = 0; i < 2; i++)
        carom_report_forbid(report, tree, path, changing[i], "cannot be combined with shapes, whose nodes keep their order");
    if (mesh->node_count)
        read_shapes(arena, body, carom_tree_get(own, "shapes"), index, mesh, report);
}

// The shapes of a copy, placed as its mesh is.
static carom_status place_shapes(carom_scene *scene, const carom_scene_body *entry, const carom_scene_path *path, int copy,
                                 const carom_mesh *unplaced, const carom_mesh *placed, carom_obstacle_def *def,
                                 carom_error *error) {
    const carom_scene_shape *shapes = entry->obstacle.shapes.items;
    int count = entry->obstacle.shapes.count + 1;
    size_t size = (size_t)unplaced->node_count * sizeof *unplaced->nodes;
    double *times = carom_arena_allocate(scene->arena, count, sizeof *times);
    const double **nodes = carom_arena_allocate(scene->arena, count, sizeof *nodes);
    if (path->step_count)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "body '%s': an obstacle with shapes is placed by scale, angle and translate only", entry->def.name);
    carom_mesh mesh = {0};
    carom_status status = times && nodes ? carom_mesh_copy(unplaced, &mesh, error)
                                         : carom_fail(error, CAROM_NO_MEMORY, "no memory for the shapes");
    for (int s = 0; s < count && !status; s++) {
        times[s] = s ? shapes[s - 1].time : 0;
        if (s)
            memcpy(mesh.nodes, entry->obstacle.shape_nodes[s - 1], size);
        if (s)
            carom_mesh_place_steps(&mesh, &path->placement, NULL, 0, copy);
        nodes[s] = carom_arena_copy(scene->arena, s ? mesh.nodes : placed->nodes, size);
        if (!nodes[s])
            status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the shapes");
    }
    carom_mesh_release(&mesh);
    def->shape_count = count;
    def->shape_times = times;
    def->shapes = nodes;
    return status;
}

carom_status carom_scene_obstacle_def(carom_scene *scene, const carom_scene_body *entry, const carom_scene_path *path, int copy,
                                      const carom_mesh *unplaced, carom_body_def *body, carom_error *error) {
    const carom_scene_obstacle *from = &entry->obstacle;
    carom_obstacle_def *def = carom_arena_allocate(scene->arena, 1, sizeof *def);
    if (!def)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the scene");
    *def = carom_default_obstacle_def();
    memcpy(def->velocity, from->velocity, sizeof def->velocity);
    def->schedule = (carom_schedule){from->ramp, from->history.count, from->history.items};
    def->motion_count = from->velocities.count;
    def->motion = from->velocities.items;
    def->path_count = from->path.count;
    def->path = from->path.items;
    if (from->turns) {
        def->rate = from->rate;
        def->turning = (carom_schedule){from->turn_ramp, from->turn_history.count, from->turn_history.items};
        memcpy(def->axis, from->axis, sizeof def->axis);
        memcpy(def->point, from->point, sizeof def->point);
    }
    memcpy(def->cell, from->cell, sizeof def->cell);
    body->obstacle = def;
    return from->shapes.count ? place_shapes(scene, entry, path, copy, unplaced, body->mesh, def, error) : CAROM_OK;
}
