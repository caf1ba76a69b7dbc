// SPDX-License-Identifier: MIT
// Checks the materials of a body, of which it may have several. The model makes the same checks; here a fault is reported with
// its place in the file.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "material/flow/hardening.h"
#include "material/flow/j2_rows.h"
#include "material/viscous/viscoelastic.h"
#include "mesh/mesh.h"
#include "model/build/definition.h"
#include "model/build/material_regions.h"
#include "scene/scene.h"

// The row of a parameter; NULL: there is none of that name.
static const carom_param *find_row(const carom_kind *kind, const char *name) {
    for (int i = 0; i < kind->param_count; i++)
        if (strcmp(kind->params[i].name, name) == 0)
            return &kind->params[i];
    return NULL;
}

// True if a parameter has its default value. It is not reported if it is unused, since a dump of a scene contains all defaults.
static bool is_default(const carom_param *row, const carom_tree *value) {
    if (value->kind == CAROM_TREE_LIST)
        return value->count == 0;
    if (value->kind != CAROM_TREE_SCALAR || !row->initial)
        return false;
    char *end;
    double number = strtod(value->text, &end);
    return strcmp(value->text, row->initial) == 0 || (end != value->text && number == strtod(row->initial, NULL));
}

// Reports parameter b of the scene, which is read only if `choice` is one of `words`.
static void report_unused(const carom_kind *kind, const carom_tree *params, int b, const char *path, const char *choice,
                          const char *words, const char *word, carom_report *report) {
    const carom_param *row = find_row(kind, params->branches[b].key);
    if (!row || is_default(row, params->branches[b].value))
        return;
    char full[300];
    snprintf(full, sizeof full, "%s.%s.%s", path, kind->name, row->name);
    carom_report_add(report, params->branches[b].place, full,
                     "has a meaning only with `%s` %s, and `%s` is %s%s: remove `%s`, or change `%s`", choice, words, choice,
                     word, strcmp(word, find_row(kind, choice)->initial) == 0 ? " (the default)" : "", row->name, choice);
}

static const char *chosen_word(const carom_kind *kind, const carom_tree *params, const char *choice) {
    const carom_tree *chosen = carom_tree_get(params, choice);
    return chosen && chosen->kind == CAROM_TREE_SCALAR ? chosen->text : find_row(kind, choice)->initial;
}

// Reports unused parameters of j2. The law itself checks `yield` and `curve` (check_law).
static void check_hardening(const carom_kind *kind, const carom_tree *params, const char *path, carom_report *report) {
    const char *word = chosen_word(kind, params, "hardening");
    int hardening = 0;
    while (carom_hardening_words[hardening] && strcmp(carom_hardening_words[hardening], word) != 0)
        hardening++;
    for (int b = 0; carom_hardening_words[hardening] && b < params->count; b++) {
        const char *name = params->branches[b].key;
        carom_hardening_text words;
        if (strcmp(name, "yield") != 0 && strcmp(name, "curve") != 0 && !carom_hardening_reads(hardening, name) &&
            carom_hardening_readers(name, " or ", words))
            report_unused(kind, params, b, path, "hardening", words, word, report);
    }
}

static void check_base(const carom_kind *kind, const carom_tree *params, const char *path, carom_report *report) {
    const char *word = chosen_word(kind, params, "law");
    carom_law_words words;
    for (int b = 0; b < params->count; b++) {
        const char *name = params->branches[b].key;
        if (!carom_viscoelastic_reads(word, name) && carom_viscoelastic_readers(name, words))
            report_unused(kind, params, b, path, "law", words, word, report);
    }
}

// Reports parameters that have no effect because they are read only for another value of `hardening` or `law`, which was
// probably forgotten.
static void check_dependents(const carom_kind *kind, const carom_tree *params, const char *path, carom_report *report) {
    if (strcmp(kind->name, "j2") == 0)
        check_hardening(kind, params, path, report);
    else if (strcmp(kind->name, "viscoelastic") == 0)
        check_base(kind, params, path, report);
}

// Reports a parameter of a law that contradicts others; `tree` is the value of the key `material`, `path` its path.
static void check_law(const carom_pick *material, const carom_tree *tree, const char *path, carom_report *report) {
    const carom_material *law = (const carom_material *)material->kind;
    const carom_tree *given = law ? carom_tree_get(tree, law->kind.name) : NULL;
    int before = report->findings.count;
    if (given && given->kind == CAROM_TREE_MAP)
        check_dependents(&law->kind, given, path, report);
    // further faults may be consequences of the wrong choice
    if (report->findings.count > before)
        return;
    carom_error reason;
    const char *key = law && law->fault ? law->fault(material->params, &reason) : NULL;
    if (!key)
        return;
    const carom_tree *params = carom_tree_get(tree, law->kind.name);
    char full[300];
    snprintf(full, sizeof full, "%s.%s.%s", path, law->kind.name, key);
    carom_report_add(report, params ? carom_scene_place(params, key) : tree->place, full, "%s", reason.message);
}

// The law of a material, the key of a map of the file at `path`, must be valid, and the element must support it.
static void check_material(const carom_scene_body *body, const carom_pick *material, const carom_tree *map, const char *path,
                           carom_report *report) {
    const carom_element *element = (const carom_element *)body->def.element.kind;
    carom_error reason;
    char whole[128];
    snprintf(whole, sizeof whole, "%s.material", path);
    check_law(material, carom_tree_get(map, "material"), whole, report);
    if (carom_element_accepts(element, body->def.element.params, material, &reason))
        carom_report_key(report, map, path, "material", "element '%s': %s", element->kind.name, reason.message);
}

void carom_scene_check_materials(const carom_scene_body *body, int index, const carom_tree *tree, const carom_mesh *mesh,
                                 carom_report *report) {
    const carom_tree *list = carom_tree_get(tree, "materials");
    const carom_element *element = (const carom_element *)body->def.element.kind;
    char path[128];
    snprintf(path, sizeof path, "bodies[%d]", index);
    check_material(body, &body->def.material, tree, path, report);
    // an element that takes no material at all has been reported
    if (!list || body->materials.count == 0 || !element || !(element->needs_material || element->may_have_material))
        return;
    int64_t cells = carom_mesh_cell_count(mesh);
    const carom_material_def *materials = body->materials.items;
    for (int m = 0; m < body->materials.count; m++) {
        snprintf(path, sizeof path, "bodies[%d].materials[%d]", index, m);
        check_material(body, &materials[m].material, carom_tree_at(list, m), path, report);
        // the reader has reported an entry without set and box; then overlaps are not checked
        cells = materials[m].set[0] || materials[m].in_box.given ? cells : 0;
    }
    if (cells == 0)
        return;
    int *of_cell = carom_allocate(cells, sizeof *of_cell), entry;
    carom_body_def def = body->def;
    def.material_count = body->materials.count;
    def.materials = materials;
    carom_error error;
    report->failed |= !of_cell;
    if (of_cell && carom_mixture_find(&def, mesh, true, of_cell, &entry, &error)) {
        snprintf(path, sizeof path, "bodies[%d].materials[%d]", index, entry);
        carom_report_key(report, carom_tree_at(list, entry), path, "set", "%s", error.message);
    }
    free(of_cell);
}
