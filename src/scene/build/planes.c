// SPDX-License-Identifier: MIT
// The planes and the units of a scene that lies beside its results, read without building it.

#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "scene/read/yaml.h"
#include "scene/scene.h"

// Three numbers of a list; what is missing stays.
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
        const carom_tree *entry = list->branches[i].value, *name = carom_tree_get(entry, "name");
        carom_plane_def *plane = &planes[(*count)++];
        *plane = carom_default_plane_def();
        if (name && name->kind == CAROM_TREE_SCALAR)
            snprintf(plane->name, sizeof plane->name, "%s", name->text);
        read_vector(carom_tree_get(entry, "point"), plane->point);
        read_vector(carom_tree_get(entry, "normal"), plane->normal);
    }
    return planes;
}

carom_plane_def *carom_scene_planes(const char *text, size_t size, int *count) {
    *count = 0;
    carom_plane_def *planes = NULL;
    carom_report report = {.file = "scene.yaml"};
    carom_arena *arena = carom_arena_create();
    const carom_tree *root = arena ? carom_yaml_parse(text, size, CAROM_YAML, NULL, arena, &report) : NULL;
    const carom_tree *list = carom_tree_get(carom_tree_get(root, "contact"), "planes");
    if (list && list->kind == CAROM_TREE_LIST)
        planes = list_planes(list, count);
    carom_findings_release(&report.findings);
    carom_arena_release(arena);
    return planes;
}

carom_units carom_scene_text_units(const char *text, size_t size) {
    carom_units units = {0};
    carom_report report = {.file = "scene.yaml"};
    carom_arena *arena = carom_arena_create();
    const carom_tree *root = arena ? carom_yaml_parse(text, size, CAROM_YAML, NULL, arena, &report) : NULL;
    const carom_tree *map = carom_tree_get(root, "units");
    static const char *const keys[3] = {"length", "mass", "time"};
    char *const names[3] = {units.length, units.mass, units.time};
    for (int i = 0; map && i < 3; i++) {
        const carom_tree *name = carom_tree_get(map, keys[i]);
        if (!name || name->kind != CAROM_TREE_SCALAR)
            continue;
        snprintf(names[i], CAROM_NAME_MAX, "%s", name->text);
        units.given = true;
    }
    carom_findings_release(&report.findings);
    carom_arena_release(arena);
    return units;
}
