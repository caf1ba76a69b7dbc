// SPDX-License-Identifier: MIT
// Divides bodies of several materials into pieces. Elements keep the order of their cells within a piece, and store the numbers
// of their cells, so that output and messages number them as in a body of one material.
#include "model/build/material_regions.h"

#include <math.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"

static int cell_count_of(const carom_mesh *mesh) {
    int count = 0;
    for (int b = 0; b < mesh->block_count; b++)
        count += mesh->blocks[b].count;
    return count;
}

// The number of a cell in the mesh file.
static long long id_of(const carom_mesh *mesh, int cell) {
    int block = 0, before = 0;
    while (cell - before >= mesh->blocks[block].count)
        before += mesh->blocks[block++].count;
    return mesh->blocks[block].ids ? (long long)mesh->blocks[block].ids[cell - before] : cell;
}

// Prints "the sets of elements are 'a', 'b'", as far as it fits.
static void list_sets(const carom_mesh *mesh, char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size, mesh->cell_set_count ? "; the sets of elements are" : "; the mesh has no sets");
    for (int s = 0; s < mesh->cell_set_count && used < size; s++)
        used += (size_t)snprintf(text + used, size - used, "%s '%s'", s ? "," : "", mesh->cell_sets[s].name);
    if (!mesh->cell_set_count)
        snprintf(text, size, "; the mesh has no sets of elements");
}

static void name_entry(const carom_material_def *entry, int number, char *text, size_t size) {
    if (entry->set[0])
        snprintf(text, size, "materials[%d], set '%s'", number, entry->set);
    else
        snprintf(text, size, "materials[%d], a box", number);
}

// Assigns a cell to an entry, unless another entry has it.
static carom_status take(const carom_body_def *def, const carom_mesh *mesh, int number, int cell, int *of_cell,
                         carom_error *error) {
    if (of_cell[cell] >= 0) {
        char mine[2 * CAROM_NAME_MAX], other[2 * CAROM_NAME_MAX];
        const carom_material_def *first = &def->materials[of_cell[cell]], *second = &def->materials[number];
        if (first->set[0] && strcmp(first->set, second->set) == 0)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "body '%s': element %lld is in materials[%d] and materials[%d], both set '%s': remove one",
                              def->name, id_of(mesh, cell), of_cell[cell], number, first->set);
        name_entry(second, number, mine, sizeof mine);
        name_entry(first, of_cell[cell], other, sizeof other);
        return carom_fail(error, CAROM_BAD_INPUT, "body '%s': element %lld is in %s, and in %s: %s", def->name,
                          id_of(mesh, cell), other, mine,
                          first->set[0] && second->set[0]   ? "the sets must not overlap"
                          : first->set[0] || second->set[0] ? "shrink the box"
                                                            : "shrink one of the boxes");
    }
    of_cell[cell] = number;
    return CAROM_OK;
}

static carom_status take_set(const carom_body_def *def, const carom_mesh *mesh, int number, int *of_cell, carom_error *error) {
    const carom_material_def *entry = &def->materials[number];
    const carom_cell_set *set = carom_mesh_cell_set(mesh, entry->set);
    if (!set) {
        char sets[400];
        list_sets(mesh, sets, sizeof sets);
        return carom_fail(
            error, CAROM_BAD_INPUT, "body '%s' has no set of elements '%s'%s%s", def->name, entry->set,
            carom_mesh_set(mesh, entry->set) || carom_mesh_face_set(mesh, entry->set) ? ", only one of nodes or faces" : "",
            sets);
    }
    if (set->count == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "body '%s': set '%s' has no elements", def->name, entry->set);
    int cells = cell_count_of(mesh);
    carom_status status = CAROM_OK;
    for (int i = 0; i < set->count && !status; i++) {
        if (set->cells[i] < 0 || set->cells[i] >= cells)
            return carom_fail(error, CAROM_BAD_INPUT, "body '%s': set '%s' names element %d of %d", def->name, entry->set,
                              set->cells[i], cells);
        status = take(def, mesh, number, set->cells[i], of_cell, error);
    }
    return status;
}

// Assigns the cells whose mean of nodes lies in the box.
static carom_status take_box(const carom_body_def *def, const carom_mesh *mesh, int number, int *of_cell, carom_error *error) {
    const carom_material_def *entry = &def->materials[number];
    carom_status status = CAROM_OK;
    int cell = 0, taken = 0;
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int b = 0; b < mesh->block_count; b++) {
        const carom_cell_block *block = &mesh->blocks[b];
        int size = carom_cell_size(block->type);
        for (int c = 0; c < block->count && !status; c++, cell++) {
            double middle[3] = {0, 0, 0};
            for (int a = 0; a < size; a++)
                carom_add_scaled(1.0 / size, mesh->nodes[block->nodes[(int64_t)c * size + a]], middle);
            bool inside = true;
            for (int i = 0; i < 3; i++) {
                inside = inside && middle[i] >= entry->in_box.low[i] && middle[i] <= entry->in_box.high[i];
                low[i] = fmin(low[i], middle[i]);
                high[i] = fmax(high[i], middle[i]);
            }
            taken += inside;
            if (inside)
                status = take(def, mesh, number, cell, of_cell, error);
        }
    }
    if (!status && !taken)
        status = carom_fail(error, CAROM_BAD_INPUT,
                            "body '%s': no element has its centre in the box of materials[%d]: "
                            "these centres are between (%g, %g, %g) and (%g, %g, %g)",
                            def->name, number, low[0], low[1], low[2], high[0], high[1], high[2]);
    return status;
}

carom_status carom_mixture_find(const carom_body_def *def, const carom_mesh *mesh, bool sets_only, int *of_cell, int *entry,
                                carom_error *error) {
    int cells = cell_count_of(mesh);
    for (int c = 0; c < cells; c++)
        of_cell[c] = -1;
    for (int m = 0; m < def->material_count; m++) {
        *entry = m;
        const carom_material_def *item = &def->materials[m];
        carom_status status = CAROM_OK;
        if (item->set[0])
            status = take_set(def, mesh, m, of_cell, error);
        else if (!item->in_box.given)
            status = carom_fail(error, CAROM_BAD_INPUT, "body '%s': materials[%d] has neither a set nor a box", def->name, m);
        else if (!sets_only)
            status = take_box(def, mesh, m, of_cell, error);
        if (status)
            return status;
    }
    *entry = -1;
    for (int c = 0; c < cells && !def->material.kind && !sets_only; c++)
        if (of_cell[c] < 0)
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "body '%s': element %lld is in no entry of `materials`, and the body has no `material` for it: add one",
                def->name, id_of(mesh, c));
    return CAROM_OK;
}

// Returns a block of cells as a group of elements, like those of an arrangement.
static carom_group group_of(const carom_element *element, const carom_cell_block *cells) {
    return (carom_group){
        .count = cells->count,
        .node_count = element->node_count,
        .data_size = element->data_size,
        .nodes = cells->nodes,
    };
}

// Selects the elements of a group with material `m`; `first` is the cell of its first element if it has no list of cells.
static carom_status divide_group(const carom_group *group, int first, const int *of_cell, int m, carom_arena *arena,
                                 carom_group *part, carom_error *error) {
    *part = *group;
    part->count = 0;
    for (int e = 0; e < group->count; e++)
        part->count += of_cell[group->cells ? group->cells[e] : first + e] == m;
    if (part->count == 0)
        return CAROM_OK;
    int n = group->node_count, size = group->data_size;
    part->nodes = carom_arena_allocate(arena, (int64_t)part->count * n, sizeof *part->nodes);
    part->cells = carom_arena_allocate(arena, part->count, sizeof *part->cells);
    part->data = carom_arena_allocate(arena, carom_lanes_size(part->count, size), sizeof *part->data);
    if (!part->nodes || !part->cells || !part->data)
        return carom_no_memory(error, "the model");
    for (int e = 0, place = 0; e < group->count; e++) {
        int cell = group->cells ? group->cells[e] : first + e;
        if (of_cell[cell] != m)
            continue;
        memcpy(part->nodes + (int64_t)place * n, group->nodes + (int64_t)e * n, (size_t)n * sizeof *part->nodes);
        for (int k = 0; group->data && k < size; k++)
            part->data[carom_lane(place, k, size)] = group->data[carom_lane(e, k, size)];
        part->cells[place++] = cell;
    }
    return CAROM_OK;
}

// Nodes with frames require one material, and so does a patch of `nodal`, which spans several cells.
static carom_status check_element(const carom_body_def *def, const carom_arrangement *arrangement, carom_error *error) {
    const carom_element *element = carom_element_acting((const carom_element *)def->element.kind, def->element.params);
    if (!element->needs_material && !element->may_have_material)
        return carom_fail(error, CAROM_BAD_INPUT, "body '%s': element '%s' accepts no material", def->name, element->kind.name);
    bool alone = element->framed;
    for (int g = 0; element->arrange && g < arrangement->group_count; g++)
        alone = alone || !arrangement->groups[g].cells;
    return alone ? carom_fail(error, CAROM_BAD_INPUT,
                              "body '%s': element '%s' accepts one material for the whole body, not `materials`%s", def->name,
                              element->kind.name, element->framed ? "" : ": it averages over all elements around a node")
                 : CAROM_OK;
}

carom_status carom_mixture_divide(const carom_body_def *def, const carom_arrangement *arrangement, carom_arena *arena,
                                  carom_piece **pieces, int *count, carom_error *error) {
    const carom_element *element = carom_element_acting((const carom_element *)def->element.kind, def->element.params);
    const carom_mesh *mesh = def->mesh;
    int groups = element->arrange ? arrangement->group_count : mesh->block_count, entry;
    int *of_cell = carom_arena_allocate(arena, cell_count_of(mesh), sizeof *of_cell);
    *count = 0;
    *pieces = carom_arena_allocate(arena, (int64_t)groups * (def->material_count + 1), sizeof **pieces);
    if (!of_cell || !*pieces)
        return carom_no_memory(error, "the model");
    carom_status status = check_element(def, arrangement, error);
    if (!status)
        status = carom_mixture_find(def, mesh, false, of_cell, &entry, error);
    for (int g = 0, first = 0; g < groups && !status; g++) {
        carom_group group = element->arrange ? arrangement->groups[g] : group_of(element, &mesh->blocks[g]);
        for (int m = -1; m < def->material_count && !status; m++) {
            carom_piece *piece = &(*pieces)[*count];
            piece->material = m < 0 ? &def->material : &def->materials[m].material;
            status = divide_group(&group, first, of_cell, m, arena, &piece->group, error);
            *count += piece->group.count > 0;
        }
        first += group.count;
    }
    return status;
}
