// SPDX-License-Identifier: MIT
// Element fields of solids and shells at the nodes: the mean over the elements around a node, weighted by
// their reference volumes V,
//   f_k = (sum over e around k of V_e f_e) / (sum over e around k of V_e).
// This smooths the jumps between elements for display; the element values are written as well.
#include <stdio.h>
#include <string.h>

#include "base/allocate.h"
#include "carom/threads.h"
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

// Adds to sum[k], of points from `first` to `last`, volume times value of the cells around point k, in the order of the cells.
// values NULL: the volumes alone.
static void add_range(const carom_grid *grid, int first, int last, const double *values, int components, double *sum) {
    for (int e = 0; e < grid->element_count; e++)
        for (int64_t i = grid->offsets[e]; i < grid->offsets[e + 1]; i++) {
            int64_t k = grid->connectivity[i];
            if (k < first || k >= last)
                continue;
            for (int c = 0; c < components; c++)
                sum[components * k + c] += values ? grid->volume[e] * values[(int64_t)components * e + c] : grid->volume[e];
        }
}

// Each thread has a range of points, reads all cells and keeps what belongs to its points: sums have the order of the cells,
// whatever the number of threads.
static void add_all(const carom_grid *grid, const double *values, int components, double *sum) {
    memset(sum, 0, sizeof *sum * (size_t)components * (size_t)grid->point_count);
    int64_t points = grid->point_count;
    int parts = grid->element_count > CAROM_GRID_SHARED ? carom_threads() : 1;
#pragma omp parallel for schedule(static, 1) if (parts > 1)
    for (int p = 0; p < parts; p++)
        add_range(grid, (int)(points * p / parts), (int)(points * (p + 1) / parts), values, components, sum);
}

void carom_nodal_weigh(carom_grid *grid) {
    if (grid->nodal_count)
        add_all(grid, NULL, 1, grid->node_volume);
}

void carom_nodal_average(const carom_grid *grid, int nodal, double *average) {
    int components = grid->fields[grid->nodal[nodal]].components;
    add_all(grid, grid->values, components, average);
#pragma omp parallel for schedule(static) if (grid->point_count > CAROM_GRID_SHARED)
    for (int k = 0; k < grid->point_count; k++) {
        double around = grid->node_volume[k], *value = &average[(int64_t)components * k];
        for (int c = 0; c < components; c++)
            value[c] = around > 0 ? value[c] / around : 0;
        // loop shells have nodal values already
        if (k < grid->node_count && grid->around_nodes && carom_grid_has_patches(grid, grid->point_body[k]))
            memcpy(value, &grid->around_nodes[(int64_t)components * k], (size_t)components * sizeof *value);
    }
}

void carom_grid_nodal_field(carom_grid *grid, const carom_state *state, int nodal) {
    carom_grid_field(grid, state, grid->nodal[nodal]);
    carom_nodal_average(grid, nodal, grid->nodal_values);
}
