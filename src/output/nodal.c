// SPDX-License-Identifier: MIT
// Element fields of solids and shells at the nodes: the mean over the elements around a node, weighted by
// their reference volumes V,
//   f_k = (sum over e around k of V_e f_e) / (sum over e around k of V_e).
// This smooths the jumps between elements for display; the element values are written as well.
#include <stdio.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"
#include "model/model.h"
#include "output/grid.h"

// Lists a field for averaging, once even if several blocks offer it.
static void add_name(carom_grid *grid, const carom_element_field *field) {
    for (int f = 0; f < grid->field_count; f++) {
        if (strcmp(grid->fields[f].name, field->name) != 0 || grid->fields[f].components != field->components)
            continue;
        for (int i = 0; i < grid->nodal_count; i++)
            if (grid->nodal[i] == f)
                return;
        grid->nodal[grid->nodal_count] = f;
        snprintf(grid->nodal_names[grid->nodal_count++], sizeof *grid->nodal_names, "%s_nodes", field->name);
    }
}

bool carom_nodal_create(carom_grid *grid) {
    const carom_model *model = grid->model;
    int most = 0;
    for (int b = 0; b < model->block_count; b++)
        for (int f = 0; model->blocks[b].element->volume && f < CAROM_ELEMENT_FIELDS_MAX; f++) {
            const carom_element_field *field = &model->blocks[b].element->fields[f];
            if (!field->name)
                break;
            add_name(grid, field);
            most = field->components > most ? field->components : most;
        }
    if (grid->nodal_count == 0)
        return true;
    grid->volume = carom_allocate(grid->element_count, sizeof *grid->volume);
    grid->nodal_values = carom_allocate((int64_t)most * grid->point_count, sizeof *grid->nodal_values);
    if (!grid->volume || !grid->nodal_values)
        return false;
    // volumes in the order of elements, then moved to the order of cells; 0 for elements without a volume,
    // which thereby have no weight
    double *volume = grid->sorted;
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        if (!carom_block_has_cells(block))
            continue;
        memset(volume, 0, (size_t)block->count * sizeof *volume);
        if (block->element->volume)
            block->element->volume(block, 0, block->count, (carom_const_vectors)model->X, volume);
        volume += block->count;
    }
    for (int e = 0; e < grid->element_count; e++)
        grid->volume[grid->cell_of[e]] = grid->sorted[e];
    return true;
}

void carom_grid_nodal_field(carom_grid *grid, const carom_state *state, int nodal) {
    int field = grid->nodal[nodal], components = grid->fields[field].components;
    double *sum = grid->nodal_values;
    memset(sum, 0, sizeof *sum * (size_t)components * (size_t)grid->point_count);
    carom_grid_field(grid, state, field);
    for (int e = 0; e < grid->element_count; e++)
        for (int64_t i = grid->offsets[e]; i < grid->offsets[e + 1]; i++)
            for (int c = 0; c < components; c++)
                sum[components * grid->connectivity[i] + c] += grid->volume[e] * grid->values[(int64_t)components * e + c];

    // the same sum with f = 1: the volume around each node
    double *around = grid->values;
    memset(around, 0, sizeof *around * (size_t)grid->point_count);
    for (int e = 0; e < grid->element_count; e++)
        for (int64_t i = grid->offsets[e]; i < grid->offsets[e + 1]; i++)
            around[grid->connectivity[i]] += grid->volume[e];
    for (int k = 0; k < grid->point_count; k++)
        for (int c = 0; c < components; c++)
            sum[(int64_t)components * k + c] = around[k] > 0 ? sum[(int64_t)components * k + c] / around[k] : 0;
    // loop shells have nodal values already
    for (int k = 0; k < grid->node_count && grid->around_nodes; k++)
        for (int c = 0; carom_grid_has_patches(grid, grid->point_body[k]) && c < components; c++)
            sum[(int64_t)components * k + c] = grid->around_nodes[(int64_t)components * k + c];
}
