// SPDX-License-Identifier: MIT
// Reads the planes, units and bodies of a scene in a result folder without building the model.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "scene/read/yaml.h"
#include "scene/scene.h"

// The tree of a scene, NULL if it cannot be read. Its arena and its findings are released by close_scene.
typedef struct opened {
    carom_arena *arena;
    carom_report report;
    const carom_tree *root;
} opened;

static opened open_scene(const char *text, size_t size) {
    opened o = {.arena = carom_arena_create(), .report = {.file = "scene.yaml"}};
    o.root = o.arena ? carom_yaml_parse(text, size, CAROM_YAML, NULL, o.arena, &o.report) : NULL;
    return o;
}

static void close_scene(opened *o) {
    carom_findings_release(&o->report.findings);
    carom_arena_release(o->arena);
}

// The text of a scalar of a map; NULL if there is none.
static const char *text_of(const carom_tree *map, const char *key) {
    const carom_tree *value = carom_tree_get(map, key);
    return value && value->kind == CAROM_TREE_SCALAR ? value->text : NULL;
}

// Reads up to three numbers of a list; missing ones are not changed.
static void read_vector(const carom_tree *list, double vector[3]) {
    for (int i = 0; list && list->kind == CAROM_TREE_LIST && i < 3; i++) {
        const carom_tree *item = carom_tree_at(list, i);
        if (item && item->kind == CAROM_TREE_SCALAR)
            vector[i] = strtod(item->text, NULL);
    }
}

static carom_plane_def *list_planes(const carom_tree *list, int *count) {
    carom_plane_def *planes = carom_allocate(list->count, sizeof *planes);
    for (int i = 0; planes && i < list->count; i++) {
        const carom_tree *entry = list->branches[i].value;
        const char *name = text_of(entry, "name");
        carom_plane_def *plane = &planes[(*count)++];
        *plane = carom_default_plane_def();
        if (name)
            snprintf(plane->name, sizeof plane->name, "%s", name);
        read_vector(carom_tree_get(entry, "point"), plane->point);
        read_vector(carom_tree_get(entry, "normal"), plane->normal);
    }
    return planes;
}

carom_plane_def *carom_scene_planes(const char *text, size_t size, int *count) {
    *count = 0;
    opened scene = open_scene(text, size);
    const carom_tree *list = carom_tree_get(carom_tree_get(scene.root, "contact"), "planes");
    carom_plane_def *planes = list && list->kind == CAROM_TREE_LIST ? list_planes(list, count) : NULL;
    close_scene(&scene);
    return planes;
}

carom_units carom_scene_text_units(const char *text, size_t size) {
    carom_units units = {0};
    opened scene = open_scene(text, size);
    const carom_tree *map = carom_tree_get(scene.root, "units");
    static const char *const keys[3] = {"length", "mass", "time"};
    char *const names[3] = {units.length, units.mass, units.time};
    for (int i = 0; map && i < 3; i++) {
        const char *name = text_of(map, keys[i]);
        if (!name)
            continue;
        snprintf(names[i], CAROM_NAME_MAX, "%s", name);
        units.given = true;
    }
    close_scene(&scene);
    return units;
}

static const double pi = 3.14159265358979323846;

// The number of bodies of an entry.
static int64_t copies_of(const carom_tree *entry) {
    const carom_tree *copies = carom_tree_get(carom_tree_get(entry, "array"), "copies");
    int64_t product = 1;
    for (int i = 0; i < 3; i++) {
        const carom_tree *item = copies ? carom_tree_at(copies, i) : NULL;
        long factor = item && item->kind == CAROM_TREE_SCALAR ? strtol(item->text, NULL, 10) : 1;
        product *= factor > 0 && factor <= CAROM_SCENE_BODIES_MAX ? factor : 1;
        if (product > CAROM_SCENE_BODIES_MAX)
            return 0;
    }
    return product;
}

// The radius of a round section of the same area.
static double radius_of(const carom_tree *entry) {
    const char *area = text_of(carom_tree_get(carom_tree_get(entry, "element"), "bar"), "area");
    double value = area ? strtod(area, NULL) : 0;
    return value > 0 ? sqrt(value / pi) : (double)NAN;
}

static carom_page_body *list_bodies(const carom_tree *list, int *count) {
    int64_t total = 0, next = 0;
    for (int i = 0; i < list->count; i++)
        total += copies_of(list->branches[i].value);
    carom_page_body *bodies = total <= CAROM_SCENE_BODIES_MAX ? carom_allocate(total, sizeof *bodies) : NULL;
    for (int i = 0; bodies && i < list->count; i++) {
        const carom_tree *entry = list->branches[i].value;
        int64_t copies = copies_of(entry);
        const char *text = text_of(entry, "name") ? text_of(entry, "name") : "?";
        for (int64_t copy = 0; copy < copies; copy++) {
            carom_page_body *body = &bodies[next++];
            body->radius = radius_of(entry);
            if (copies > 1)
                snprintf(body->name, sizeof body->name, "%.*s_%lld", CAROM_NAME_MAX - 1, text, (long long)copy);
            else
                snprintf(body->name, sizeof body->name, "%s", text);
        }
    }
    *count = bodies ? (int)total : 0;
    return bodies;
}

carom_page_body *carom_scene_body_list(const char *text, size_t size, int *count) {
    *count = 0;
    opened scene = open_scene(text, size);
    const carom_tree *list = carom_tree_get(scene.root, "bodies");
    carom_page_body *bodies = list && list->kind == CAROM_TREE_LIST ? list_bodies(list, count) : NULL;
    close_scene(&scene);
    return bodies;
}
