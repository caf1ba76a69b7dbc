// SPDX-License-Identifier: MIT
// Sections become bodies: one for each section of each instance, with the mesh of its elements, the element that fits, and its
// material. Sections of a part whose elements share nodes are one body of several materials: as separate bodies they would not
// be connected.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mesh/mesh.h"
#include "scene/import/deck.h"

bool carom_deck_has_several(const carom_deck *deck) {
    return (deck->instance_count ? deck->instance_count : deck->part_count) > 1;
}

// A name that a body may have, and that no other body has.
static void name_body(const carom_deck *deck, const char *wish, char name[CAROM_NAME_MAX]) {
    char plain[CAROM_NAME_MAX - 8];
    size_t size = 0;
    if (!((*wish >= 'a' && *wish <= 'z') || (*wish >= 'A' && *wish <= 'Z') || *wish == '_'))
        plain[size++] = '_';
    for (; *wish && size < sizeof plain - 1; wish++) {
        bool good = (*wish >= 'a' && *wish <= 'z') || (*wish >= 'A' && *wish <= 'Z') || (*wish >= '0' && *wish <= '9') ||
                    *wish == '-' || *wish == '_';
        plain[size++] = good ? *wish : '_';
    }
    plain[size] = 0;
    snprintf(name, CAROM_NAME_MAX, "%s", plain);
    bool taken = true;
    for (int number = 2; taken; number++) {
        taken = false;
        for (int64_t b = 0; b < deck->body_count; b++)
            taken = taken || strcmp(deck->bodies[b].name, name) == 0;
        if (taken)
            snprintf(name, CAROM_NAME_MAX, "%s_%d", plain, number);
    }
}

// The name of a set as the mesh spells it; false if it has none.
static bool set_spelling(const carom_mesh *mesh, char *name) {
    const carom_cell_set *cells = carom_deck_find_set(mesh->cell_sets, mesh->cell_set_count, sizeof *mesh->cell_sets, name);
    // Elements of a lower dimension than others in the deck name nodes there.
    const carom_node_set *nodes = carom_deck_find_set(mesh->sets, mesh->set_count, sizeof *mesh->sets, name);
    const char *found = cells ? cells->name : nodes ? nodes->name : NULL;
    if (found)
        snprintf(name, CAROM_DECK_NAME, "%s", found);
    return found;
}

// True if a part has elements of a type whose name begins with `prefix`.
static bool has_type(const carom_deck *deck, const char *part, const char *prefix) {
    for (int64_t t = 0; t < deck->type_count; t++)
        if (strcasecmp(deck->types[t].part, part) == 0 && strncmp(deck->types[t].name, prefix, strlen(prefix)) == 0)
            return true;
    return false;
}

static bool choose_plane(carom_deck *deck, const carom_deck_section *section, carom_deck_body *body, carom_cell_type type) {
    double size = section->size > 0 ? section->size : 1;
    bool stress = has_type(deck, section->part, "CPS"), strain = has_type(deck, section->part, "CPE");
    if (stress || strain) {
        snprintf(body->element, sizeof body->element, "{%s: {plane: %s, thickness: %.15g}}", carom_cell_name(type),
                 stress ? "stress" : "strain", size);
        return true;
    }
    if (has_type(deck, section->part, "CAX"))
        return carom_deck_fail(deck, section->place, "'%s' is axisymmetric, for which carom has no element", section->elset);
    if (type == CAROM_CELL_QUAD4)
        return carom_deck_fail(deck, section->place,
                               "'%s' is a shell of quadrilaterals (S4); carom has shells of triangles (S3): mesh it again",
                               section->elset);
    if (!(section->size > 0))
        return carom_deck_fail(deck, section->place, "expected the thickness of shell '%s' below *SHELL SECTION",
                               section->elset);
    snprintf(body->element, sizeof body->element, "{loop-shell: {thickness: %.15g}}", size);
    return true;
}

// The element of carom for the cells of a body.
static bool choose_element(carom_deck *deck, const carom_deck_section *section, carom_deck_body *body) {
    const carom_mesh *mesh = &body->mesh;
    if (mesh->block_count != 1)
        return carom_deck_fail(deck, section->place, "'%s' has cells of %d types (%s, %s); a body has one: divide the set",
                               section->elset, mesh->block_count, carom_cell_name(mesh->blocks[0].type),
                               carom_cell_name(mesh->blocks[1].type));
    carom_cell_type type = mesh->blocks[0].type;
    switch (type) {
    case CAROM_CELL_TET4: snprintf(body->element, sizeof body->element, "tet4"); return true;
    case CAROM_CELL_WEDGE6: snprintf(body->element, sizeof body->element, "wedge6"); return true;
    case CAROM_CELL_HEX8:
        snprintf(body->element, sizeof body->element, "%s",
                 has_type(deck, section->part, "C3D8R") ? "{hex8: {integration: one-point}}" : "hex8");
        return true;
    case CAROM_CELL_TRI3:
    case CAROM_CELL_QUAD4: return choose_plane(deck, section, body, type);
    case CAROM_CELL_LINE2:
        if (has_type(deck, section->part, "B"))
            break;
        snprintf(body->element, sizeof body->element, "{bar: {area: %.15g, strain: green}}",
                 section->size > 0 ? section->size : 1);
        return true;
    default: break;
    }
    return carom_deck_fail(deck, section->place, "'%s' has elements (%s) that carom cannot take from a deck", section->elset,
                           type == CAROM_CELL_LINE2 ? "beams" : carom_cell_name(type));
}

static bool find_material(carom_deck *deck, const carom_deck_section *section, const carom_deck_material **material) {
    carom_deck_material *found = NULL;
    for (int64_t m = 0; m < deck->material_count; m++)
        if (strcasecmp(deck->materials[m].name, section->material) == 0)
            found = &deck->materials[m];
    if (!found)
        return carom_deck_fail(deck, section->place, "there is no *MATERIAL '%s', which the section of '%s' names",
                               section->material, section->elset);
    if (!(found->young > 0))
        return carom_deck_fail(deck, found->place, "expected *ELASTIC in material '%s', found none", found->name);
    if (!(found->density > 0) && deck->is_dynamic)
        return carom_deck_fail(deck, found->place, "expected *DENSITY in material '%s', found none: a motion needs masses",
                               found->name);
    if (!(found->density > 0)) {
        carom_deck_note(deck, found->place, "material '%s' has no *DENSITY; 1 is written, which equilibrium does not depend on",
                        found->name);
        found->density = 1;
    }
    *material = found;
    return true;
}

// `instance` is NULL in a deck without parts.
static bool add_body(carom_deck *deck, const char *path, const carom_mesh *whole, int section,
                     const carom_deck_instance *instance, bool alone) {
    const carom_deck_section *s = &deck->sections[section];
    char wish[2 * CAROM_DECK_NAME + 8], group[2 * CAROM_DECK_NAME + 8];
    bool several = instance && carom_deck_has_several(deck);
    snprintf(group, sizeof group, "%s%s%s", several ? instance->name : "", several ? "." : "", s->elset);
    snprintf(wish, sizeof wish, "%s%s%s", instance ? instance->name : "", instance && !alone ? "_" : "",
             instance && alone ? "" : s->elset);
    carom_deck_body body = {.section = section};
    name_body(deck, wish, body.name);
    snprintf(body.group, sizeof body.group, "%.*s", CAROM_DECK_NAME - 1, group);
    if (!set_spelling(whole, body.group))
        return carom_deck_fail(deck, s->place, "there is no set of elements '%s', which this section names", s->elset);
    carom_mesh_read_def def = {.format = CAROM_MESH_INP, .group = body.group};
    deck->status = carom_mesh_read(path, &def, &body.mesh, deck->error);
    if (!deck->status)
        deck->status = carom_mesh_drop_unused(&body.mesh, deck->error);
    if (!carom_deck_add(deck, (void **)&deck->bodies, &deck->body_count, &deck->body_capacity, &body, sizeof body)) {
        carom_mesh_release(&body.mesh);
        return false;
    }
    carom_deck_body *kept = &deck->bodies[deck->body_count - 1];
    return !deck->status && choose_element(deck, s, kept) && find_material(deck, s, &kept->material);
}

static bool is_of(const carom_deck *deck, int64_t section, const char *part) {
    return strcasecmp(deck->sections[section].part, part) == 0;
}

static int sections_of(const carom_deck *deck, const char *part) {
    int count = 0;
    for (int64_t s = 0; s < deck->section_count; s++)
        count += is_of(deck, s, part);
    return count;
}

// Finds the section of each cell of a mesh of one block, and spells the names of the sets as the mesh does. False if a cell has
// no section or several, or if a section has no cells.
static bool distribute_cells(const carom_mesh *mesh, carom_deck_share *shares, int count, int *of_cell) {
    int cells = mesh->blocks[0].count;
    for (int c = 0; c < cells; c++)
        of_cell[c] = -1;
    for (int i = 0; i < count; i++) {
        const carom_cell_set *set = set_spelling(mesh, shares[i].set) ? carom_mesh_cell_set(mesh, shares[i].set) : NULL;
        for (int c = 0; set && c < set->count; c++) {
            if (of_cell[set->cells[c]] >= 0)
                return false;
            of_cell[set->cells[c]] = i;
        }
        if (!set || set->count == 0)
            return false;
    }
    for (int c = 0; c < cells; c++)
        if (of_cell[c] < 0)
            return false;
    return true;
}

// True if the elements of all sections are connected by their nodes. `first` holds the first section of each node, `root` the
// sets of connected sections.
static bool are_connected(const carom_mesh *mesh, const int *of_cell, int count, int *first, int *root) {
    const carom_cell_block *block = &mesh->blocks[0];
    int size = carom_cell_size(block->type), pieces = count;
    for (int k = 0; k < mesh->node_count; k++)
        first[k] = -1;
    for (int i = 0; i < count; i++)
        root[i] = i;
    for (int64_t i = 0; i < (int64_t)block->count * size; i++) {
        int mine = of_cell[i / size], *node = &first[block->nodes[i]];
        *node = *node < 0 ? mine : *node;
        int from = root[mine], to = root[*node];
        pieces -= from != to;
        for (int s = 0; from != to && s < count; s++)
            root[s] = root[s] == from ? to : root[s];
    }
    return pieces == 1;
}

// True if the sections of a body can be one: they have one element type and no nodes at the same places.
static bool fit(carom_deck *deck, carom_deck_body *body, const char *part) {
    const carom_mesh *mesh = &body->mesh;
    if (mesh->block_count != 1)
        return false;
    int *of_cell = malloc(sizeof *of_cell * (size_t)mesh->blocks[0].count);
    int *first = malloc(sizeof *first * (size_t)mesh->node_count), *root = malloc(sizeof *root * (size_t)body->share_count);
    carom_mesh_faults faults;
    carom_error reason;
    bool memory = of_cell && first && root;
    carom_status checked = memory ? carom_mesh_check(mesh, &faults, &reason) : CAROM_OK;
    bool good = memory && !checked && !carom_mesh_is_faulty(&faults) &&
                distribute_cells(mesh, body->shares, body->share_count, of_cell) &&
                are_connected(mesh, of_cell, body->share_count, first, root);
    free(of_cell);
    free(first);
    free(root);
    if (!memory || checked == CAROM_NO_MEMORY)
        return carom_deck_no_memory(deck);
    const carom_deck_section *one = &deck->sections[body->section];
    if (checked)
        return carom_deck_fail(deck, one->place, "%s", reason.message);
    for (int64_t s = 0; good && s < deck->section_count; s++)
        good = !is_of(deck, s, part) || deck->sections[s].size == one->size;
    return good;
}

// Tries to make one body of all sections of a part. `merged` stays false if they remain separate bodies.
static bool merge(carom_deck *deck, const char *path, const carom_mesh *whole, const char *part,
                  const carom_deck_instance *instance, bool *merged) {
    int count = sections_of(deck, part);
    *merged = false;
    if (count < 2)
        return true;
    carom_deck_body body = {.section = -1, .share_count = count, .shares = calloc((size_t)count, sizeof *body.shares)};
    if (!body.shares)
        return carom_deck_no_memory(deck);
    bool several = instance && carom_deck_has_several(deck);
    snprintf(body.group, sizeof body.group, "%s", instance ? instance->name : "");
    for (int64_t s = 0, i = 0; s < deck->section_count; s++) {
        if (!is_of(deck, s, part))
            continue;
        body.section = body.section < 0 ? (int)s : body.section;
        char set[2 * CAROM_DECK_NAME + 8];
        snprintf(set, sizeof set, "%s%s%s", several ? instance->name : "", several ? "." : "", deck->sections[s].elset);
        snprintf(body.shares[i++].set, CAROM_DECK_NAME, "%.*s", CAROM_DECK_NAME - 1, set);
    }
    carom_error reason;
    carom_mesh_read_def def = {.format = CAROM_MESH_INP, .group = body.group};
    bool read = (!instance || set_spelling(whole, body.group)) &&
                carom_mesh_read(path, &def, &body.mesh, &reason) == CAROM_OK &&
                carom_mesh_drop_unused(&body.mesh, &reason) == CAROM_OK;
    if (read && fit(deck, &body, part)) {
        name_body(deck, instance ? instance->name : "part", body.name);
        *merged = carom_deck_add(deck, (void **)&deck->bodies, &deck->body_count, &deck->body_capacity, &body, sizeof body);
    }
    if (!*merged) {
        free(body.shares);
        carom_mesh_release(&body.mesh);
        return !deck->status;
    }
    carom_deck_body *kept = &deck->bodies[deck->body_count - 1];
    bool good = choose_element(deck, &deck->sections[kept->section], kept);
    for (int64_t s = 0, i = 0; good && s < deck->section_count; s++)
        if (is_of(deck, s, part))
            good = find_material(deck, &deck->sections[s], &kept->shares[i++].material);
    kept->material = kept->shares[0].material;
    return good;
}

// Makes the bodies of one instance of a part.
static bool place_part(carom_deck *deck, const char *path, const carom_mesh *whole, const char *part,
                       const carom_deck_instance *instance) {
    bool merged, good = merge(deck, path, whole, part, instance, &merged), alone = sections_of(deck, part) == 1;
    for (int s = 0; good && !merged && s < deck->section_count; s++)
        if (is_of(deck, s, part))
            good = add_body(deck, path, whole, s, instance, alone);
    return good;
}

bool carom_deck_make_bodies(carom_deck *deck, const char *path, const carom_mesh *whole) {
    if (deck->section_count == 0)
        return carom_deck_fail(deck, (carom_deck_place){0, 1},
                               "expected *SOLID SECTION or *SHELL SECTION, which say what elements are made of, found none");
    for (int s = 0; s < deck->section_count; s++) {
        const char *part = deck->sections[s].part;
        bool placed = !*part, known = false;
        for (int before = 0; before < s; before++)
            known = known || is_of(deck, before, part);
        // A part with several sections is placed with the first of them.
        if (known)
            continue;
        if (!*part && !place_part(deck, path, whole, part, NULL))
            return false;
        for (int64_t i = 0; *part && i < deck->instance_count; i++) {
            if (strcasecmp(deck->instances[i].part, part) != 0)
                continue;
            placed = true;
            carom_deck_instance instance = deck->instances[i];
            if (!place_part(deck, path, whole, part, &instance))
                return false;
        }
        // Parts of a deck without instances are used directly.
        carom_deck_instance itself = {0};
        memcpy(itself.name, part, sizeof itself.name);
        if (*part && !deck->instance_count && !place_part(deck, path, whole, part, &itself))
            return false;
        if (!placed && deck->instance_count)
            carom_deck_note(deck, deck->sections[s].place, "part '%s' is placed by no *INSTANCE", part);
    }
    return deck->body_count > 0 || carom_deck_fail(deck, (carom_deck_place){0, 1}, "no part is placed by an *INSTANCE");
}
