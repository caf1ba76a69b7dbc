// SPDX-License-Identifier: MIT
// Adds fields of cells that are not values of the current time: the largest von Mises and principal stress of each element over
// all steps so far, which the state keeps (model/forces/peaks.h). Elements without stresses show zeros, as in all other fields.
#include <string.h>

#include "carom/peak.h"
#include "model/forces/peak_scores.h"
#include "model/model.h"
#include "output/frames/grid.h"

// Lists these fields under the names of the peaks if an element has them, unless an element has a field of that name.
void carom_envelopes_list(carom_grid *grid) {
    const carom_model *model = grid->model;
    for (int kind = 0; kind < CAROM_ENVELOPES; kind++) {
        bool any = false;
        for (int b = 0; b < model->block_count && !any; b++) {
            carom_peak_source source = carom_peak_source_of(model->blocks[b].element);
            any = carom_block_is_scored(model, &model->blocks[b]) && carom_peak_source_has(&source, (carom_peak_kind)kind);
        }
        grid->envelopes[kind] = any ? carom_grid_add_field(grid, carom_peak_name((carom_peak_kind)kind)) : -1;
    }
}

// Values of elements that are cells.
static void show_cells(const carom_grid *grid, const double *envelopes, double *values) {
    int element = 0, cell = 0;
    for (int b = 0; b < grid->model->block_count; b++) {
        const carom_block *block = &grid->model->blocks[b];
        for (int e = 0; e < carom_grid_cells_in(block); e++)
            values[grid->cell_of[cell++]] = envelopes[(ptrdiff_t)CAROM_ENVELOPES * (element + e)];
        element += block->count;
    }
}

// Values of patches belong to nodes: a cell shows the largest value of its nodes, so that the largest value of all cells is
// that of the body.
static void show_patches(const carom_grid *grid, const double *envelopes, double *values) {
    double *at = grid->around_nodes;
    int element = 0;
    memset(at, 0, (size_t)grid->node_count * sizeof *at);
    for (int b = 0; b < grid->model->block_count; element += grid->model->blocks[b++].count) {
        const carom_block *block = &grid->model->blocks[b];
        for (int e = 0; !carom_block_has_cells(block) && e < block->count; e++)
            at[block->nodes[(ptrdiff_t)e * block->node_count]] = envelopes[(ptrdiff_t)CAROM_ENVELOPES * (element + e)];
    }
    for (int cell = 0; cell < grid->element_count; cell++) {
        if (!carom_grid_has_patches(grid, grid->cell_body[cell]))
            continue;
        int64_t begin = grid->offsets[cell];
        values[cell] = at[grid->connectivity[begin]];
        for (int64_t i = begin + 1; i < grid->offsets[cell + 1]; i++)
            if (at[grid->connectivity[i]] > values[cell])
                values[cell] = at[grid->connectivity[i]];
    }
}

void carom_envelopes_show(const carom_grid *grid, const carom_state *state, double *const values[]) {
    const double *envelopes = carom_peaks_envelopes(state);
    for (int kind = 0; envelopes && kind < CAROM_ENVELOPES; kind++) {
        int field = grid->envelopes[kind];
        if (field < 0 || !values[field])
            continue;
        show_cells(grid, envelopes + kind, values[field]);
        if (grid->around_nodes)
            show_patches(grid, envelopes + kind, values[field]);
    }
}
