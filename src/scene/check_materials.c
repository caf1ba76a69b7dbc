// SPDX-License-Identifier: MIT
// Checks of a body of several materials. The model asks the same; here faults get their place in the file.
#include <stdlib.h>

#include "base/allocate.h"
#include "model/definition.h"
#include "model/mixture.h"
#include "scene/scene.h"

void carom_scene_check_law(const carom_pick *material, const carom_tree *tree, const char *path, carom_report *report) {
    const carom_material *law = (const carom_material *)material->kind;
    carom_error reason;
    const char *key = law && law->fault ? law->fault(material->params, &reason) : NULL;
    if (!key)
        return;
    const carom_tree *params = carom_tree_get(tree, law->kind.name);
    char full[300];
    snprintf(full, sizeof full, "%s.%s.%s", path, law->kind.name, key);
    carom_report_add(report, params ? carom_scene_place(params, key) : tree->place, full, "%s", reason.message);
}

// The element must have a law for each material.
static void check_laws(const carom_scene_body *body, int index, const carom_tree *list, carom_report *report) {
    const carom_element *element = (const carom_element *)body->def.element.kind;
    const carom_material_def *materials = body->materials.items;
    for (int m = 0; m < body->materials.count; m++) {
        carom_error reason;
        char path[128];
        snprintf(path, sizeof path, "bodies[%d].materials[%d].material", index, m);
        carom_scene_check_law(&materials[m].material, carom_tree_get(carom_tree_at(list, m), "material"), path, report);
        if (!carom_element_accepts(element, body->def.element.params, &materials[m].material, &reason))
            continue;
        carom_report_add(report, carom_scene_place(carom_tree_at(list, m), "material"), path, "element '%s': %s",
                         element->kind.name, reason.message);
    }
}

void carom_scene_check_materials(const carom_scene_body *body, int index, const carom_tree *tree, const carom_mesh *mesh,
                                 carom_report *report) {
    const carom_tree *list = carom_tree_get(tree, "materials");
    const carom_element *element = (const carom_element *)body->def.element.kind;
    // an element that takes no material at all has been reported
    if (!list || body->materials.count == 0 || !element || !(element->needs_material || element->may_have_material))
        return;
    check_laws(body, index, list, report);
    int64_t cells = 0;
    for (int b = 0; b < mesh->block_count; b++)
        cells += mesh->blocks[b].count;
    // an entry without set and box was reported by the reader
    const carom_material_def *materials = body->materials.items;
    for (int m = 0; m < body->materials.count; m++)
        cells = materials[m].set[0] || materials[m].in_box.given ? cells : 0;
    if (cells == 0)
        return;
    int *of_cell = carom_allocate(cells, sizeof *of_cell), entry;
    carom_body_def def = body->def;
    def.material_count = body->materials.count;
    def.materials = materials;
    carom_error error;
    report->failed |= !of_cell;
    if (of_cell && carom_mixture_find(&def, mesh, true, of_cell, &entry, &error)) {
        char path[128];
        snprintf(path, sizeof path, "bodies[%d].materials[%d].set", index, entry);
        carom_report_add(report, carom_scene_place(carom_tree_at(list, entry), "set"), path, "%s", error.message);
    }
    free(of_cell);
}
