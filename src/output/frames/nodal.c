// SPDX-License-Identifier: MIT
// Averages element fields of solids and shells to the nodes: the mean over the elements around a node, weighted by their
// reference volumes V,
//   f_k = (sum over e around k of V_e f_e) / (sum over e around k of V_e).
// This smooths the jumps between elements for display; the element values are written as well.
#include <stdio.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"
#include "model/model.h"
#include "output/frames/grid.h"

// Lists a field for averaging, once even if several blocks have it.
static void add_name(carom_grid *grid, const carom_element_field *field) {
    int f = carom_grid_find_field(grid, field);
    for (int i = 0; i < grid->nodal_count; i++)
        if (grid->nodal[i] == f)
            return;
    if (f < 0)
        return;
    grid->nodal[grid->nodal_count] = f;
    snprintf(grid->nodal_names[grid->nodal_count++], sizeof *grid->nodal_names, "%s_nodes", field->name);
}

void carom_nodal_list(carom_grid *grid) {
    const carom_model *model = grid->model;
    for (int b = 0; b < model->block_count; b++)
        for (int f = 0; model->blocks[b].element->volume && f < CAROM_ELEMENT_FIELDS_MAX; f++)
            if (model->blocks[b].element->fields[f].name)
                add_name(grid, &model->blocks[b].element->fields[f]);
}

bool carom_nodal_create(carom_grid *grid) {
    const carom_model *model = grid->model;
    int most = 0;
    for (int i = 0; i < grid->nodal_count; i++)
        most = grid->fields[grid->nodal[i]].components > most ? grid->fields[grid->nodal[i]].components : most;
    if (grid->nodal_count == 0)
        return true;
    grid->volume = carom_allocate(grid->element_count, sizeof *grid->volume);
    grid->nodal_values = carom_allocate((int64_t)most * grid->point_count, sizeof *grid->nodal_values);
    grid->node_volume = carom_allocate(grid->point_count, sizeof *grid->node_volume);
    if (!grid->volume || !grid->nodal_values || !grid->node_volume)
        return false;
    // volumes in the order of elements, then moved to the order of cells; 0 for elements without a volume,
    // which thereby have no weight
    double *volume = grid->sorted;
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        if (!carom_block_has_cells(block))
            continue;
        memset(volume, 0, (size_t)block->count * sizeof *volume);
        enum { CHUNK = 256 };
#pragma omp parallel for schedule(static) if (block->count > CAROM_GRID_SHARED)
        for (int begin = 0; begin < (block->element->volume ? block->count : 0); begin += CHUNK)
            block->element->volume(block, begin, begin + CHUNK < block->count ? begin + CHUNK : block->count,
                                   (carom_const_vectors)model->X, volume);
        volume += block->count;
    }
    for (int e = 0; e < grid->element_count; e++)
        grid->volume[grid->cell_of[e]] = grid->sorted[e];
    return true;
}

// Lists the cells with a volume around each point, in the order of the cells. False if memory is short.
static bool list_cells_around(carom_grid *grid) {
    grid->around_begin = carom_allocate((int64_t)grid->point_count + 1, sizeof *grid->around_begin);
    if (!grid->around_begin)
        return false;
    // Counting sort: begin[k + 1] is the next free place of point k while the lists are filled, and the end of its list
    // thereafter.
    int64_t *next = grid->around_begin + 1;
    for (int e = 0; e < grid->element_count; e++)
        for (int64_t i = grid->offsets[e]; grid->volume[e] > 0 && i < grid->offsets[e + 1]; i++)
            next[grid->connectivity[i]]++;
    int64_t count = 0;
    for (int k = 0; k < grid->point_count; k++) {
        int64_t own = next[k];
        next[k] = count;
        count += own;
    }
    grid->around = carom_allocate(count, sizeof *grid->around);
    if (!grid->around)
        return false;
    for (int e = 0; e < grid->element_count; e++)
        for (int64_t i = grid->offsets[e]; grid->volume[e] > 0 && i < grid->offsets[e + 1]; i++)
            grid->around[next[grid->connectivity[i]]++] = e;
    return true;
}

bool carom_nodal_weigh(carom_grid *grid) {
    if (grid->nodal_count == 0)
        return true;
    if (!list_cells_around(grid))
        return false;
    for (int k = 0; k < grid->point_count; k++) {
        grid->node_volume[k] = 0;
        for (int64_t i = grid->around_begin[k]; i < grid->around_begin[k + 1]; i++)
            grid->node_volume[k] += grid->volume[grid->around[i]];
    }
    return true;
}

// The mean of one field at point k. Cells are added in their order, whatever the number of threads. Callers pass
// the number of components as a constant, so that the inner loop is unrolled.
static inline __attribute__((always_inline)) void mean_at(const carom_grid *grid, int k, const double *values, int components,
                                                          double *average) {
    double around = grid->node_volume[k], *value = &average[(int64_t)components * k];
    memset(value, 0, (size_t)components * sizeof *value);
    for (int64_t i = grid->around_begin[k]; i < grid->around_begin[k + 1]; i++) {
        int64_t e = grid->around[i];
        for (int c = 0; c < components; c++)
            value[c] += grid->volume[e] * values[components * e + c];
    }
    for (int c = 0; c < components; c++)
        value[c] = around > 0 ? value[c] / around : 0;
}

static void average_at(const carom_grid *grid, int k, const double *values, int components, double *average) {
    // loop shells have nodal values already
    if (k < grid->node_count && grid->around_nodes && carom_grid_has_patches(grid, grid->point_body[k])) {
        memcpy(&average[(int64_t)components * k], &grid->around_nodes[(int64_t)components * k],
               (size_t)components * sizeof *average);
        return;
    }
    switch (components) {
    case 1: mean_at(grid, k, values, 1, average); break;
    case 3: mean_at(grid, k, values, 3, average); break;
    case 6: mean_at(grid, k, values, 6, average); break;
    default: mean_at(grid, k, values, components, average); break;
    }
}

void carom_nodal_averages(const carom_grid *grid, double *const values[], double *const averages[]) {
#pragma omp parallel for schedule(static) if (grid->point_count > CAROM_GRID_SHARED)
    for (int k = 0; k < grid->point_count; k++)
        for (int n = 0; n < grid->nodal_count; n++)
            if (averages[n])
                average_at(grid, k, values[grid->nodal[n]], grid->fields[grid->nodal[n]].components, averages[n]);
}

void carom_nodal_average(const carom_grid *grid, int nodal, double *average) {
    double *values[CAROM_GRID_FIELDS_MAX] = {NULL}, *averages[CAROM_GRID_FIELDS_MAX] = {NULL};
    values[grid->nodal[nodal]] = grid->values;
    averages[nodal] = average;
    carom_nodal_averages(grid, values, averages);
}

void carom_grid_nodal_field(carom_grid *grid, const carom_state *state, int nodal) {
    carom_grid_field(grid, state, grid->nodal[nodal]);
    carom_nodal_average(grid, nodal, grid->nodal_values);
}
