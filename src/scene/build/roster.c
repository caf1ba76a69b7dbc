// SPDX-License-Identifier: MIT
// The bodies of a scene that lies beside its results, read without building it.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "scene/read/yaml.h"
#include "scene/scene.h"

static const double pi = 3.14159265358979323846;

// How many bodies an entry stands for.
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

// That of a round section of the same area.
static double radius_of(const carom_tree *entry) {
    const carom_tree *area = carom_tree_get(carom_tree_get(carom_tree_get(entry, "element"), "bar"), "area");
    double value = area && area->kind == CAROM_TREE_SCALAR ? strtod(area->text, NULL) : 0;
    return value > 0 ? sqrt(value / pi) : (double)NAN;
}

static carom_page_body *list_bodies(const carom_tree *list, int *count) {
    int64_t total = 0, next = 0;
    for (int i = 0; i < list->count; i++)
        total += copies_of(list->branches[i].value);
    carom_page_body *bodies = total <= CAROM_SCENE_BODIES_MAX ? carom_allocate(total, sizeof *bodies) : NULL;
    for (int i = 0; bodies && i < list->count; i++) {
        const carom_tree *entry = list->branches[i].value, *name = carom_tree_get(entry, "name");
        int64_t copies = copies_of(entry);
        const char *text = name && name->kind == CAROM_TREE_SCALAR ? name->text : "?";
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

carom_page_body *carom_scene_roster(const char *text, size_t size, int *count) {
    *count = 0;
    carom_page_body *bodies = NULL;
    carom_report report = {.file = "scene.yaml"};
    carom_arena *arena = carom_arena_create();
    const carom_tree *root = arena ? carom_yaml_parse(text, size, CAROM_YAML, NULL, arena, &report) : NULL;
    const carom_tree *list = carom_tree_get(root, "bodies");
    if (list && list->kind == CAROM_TREE_LIST)
        bodies = list_bodies(list, count);
    carom_findings_release(&report.findings);
    carom_arena_release(arena);
    return bodies;
}
