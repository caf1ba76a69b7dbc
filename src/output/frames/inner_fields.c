// SPDX-License-Identifier: MIT
// Computes the fields of cells of materials with history: the inner variables as means over the points of an element, the work
// of plastic flow per reference volume, and the pressure, which elastic bodies show in their stress. Elements whose material
// has no history show zeros. A cell of `nodal` shows the mean of its nodes.
#include <math.h>
#include <string.h>

#include "element/point_law.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/state.h"
#include "model/state/history.h"
#include "output/frames/grid.h"

static const char *const names[CAROM_INNER_FIELDS] = {"plastic_strain", "plastic_work", "temperature", "pressure"};

// True if the law of a block has that variable.
static bool has_inner(const carom_block *block, carom_inner what) {
    double history[CAROM_HISTORY_MAX];
    if (!block->point_count)
        return false;
    block->material->inelastic->start(block->material_params, block->form, history);
    return !isnan(block->material->inelastic->show(block->material_params, block->form, history, what));
}

static int stress_of(const carom_element *element) {
    for (int f = 0; f < CAROM_ELEMENT_FIELDS_MAX && element->fields[f].name; f++)
        if (strcmp(element->fields[f].name, "stress") == 0 && element->fields[f].components == 6)
            return f;
    return -1;
}

static bool has_field(const carom_block *block, int field) {
    switch (field) {
    case CAROM_FIELD_PLASTIC_STRAIN: return has_inner(block, CAROM_INNER_PLASTIC_STRAIN);
    case CAROM_FIELD_PLASTIC_WORK: return has_inner(block, CAROM_INNER_PLASTIC_STRAIN) && block->element->volume;
    case CAROM_FIELD_TEMPERATURE: return has_inner(block, CAROM_INNER_TEMPERATURE);
    // patches that show parts have the pressure of their cells, which have the history
    default:
        return (block->point_count || (block->element->parted && block->material->inelastic)) && stress_of(block->element) >= 0;
    }
}

void carom_inner_fields_list(carom_grid *grid) {
    for (int i = 0; i < CAROM_INNER_FIELDS; i++) {
        bool any = false;
        for (int b = 0; b < grid->model->block_count; b++)
            any = any || has_field(&grid->model->blocks[b], i);
        grid->inner[i] = any ? carom_grid_add_field(grid, names[i]) : -1;
    }
}

// One field of all elements of a block. `scratch` holds six numbers for each element.
static void show_block(const carom_block *block, int field, const carom_state *state, double *scratch, double *values) {
    const double(*x)[3] = (carom_const_vectors)state->x, (*X)[3] = (carom_const_vectors)state->model->X;
    if (!has_field(block, field)) {
        memset(values, 0, (size_t)block->count * sizeof *values);
        return;
    }
    if (field == CAROM_FIELD_PLASTIC_WORK)
        block->element->volume(block, 0, block->count, X, scratch);
    if (field == CAROM_FIELD_PRESSURE)
        block->element->field(block, 0, block->count, x, X, stress_of(block->element), scratch);
    for (int e = 0; e < block->count; e++)
        switch (field) {
        case CAROM_FIELD_PLASTIC_STRAIN: values[e] = carom_point_show(block, e, CAROM_INNER_PLASTIC_STRAIN); break;
        case CAROM_FIELD_TEMPERATURE: values[e] = carom_point_show(block, e, CAROM_INNER_TEMPERATURE); break;
        case CAROM_FIELD_PLASTIC_WORK:
            values[e] = block->losses[(ptrdiff_t)CAROM_BLOCK_LOSSES * e + CAROM_BLOCK_PLASTICITY] / scratch[e];
            break;
        default: values[e] = -(scratch[6 * e] + scratch[6 * e + 1] + scratch[6 * e + 2]) / 3; break;
        }
}

void carom_inner_fields_show(carom_grid *grid, const carom_state *state, double *const values[]) {
    for (int i = 0; i < CAROM_INNER_FIELDS; i++) {
        int field = grid->inner[i], first = 0;
        if (field < 0 || !values[field])
            continue;
        for (int b = 0; b < state->model->block_count; b++) {
            const carom_block *block = &state->model->blocks[b];
            // the buffer has the values of the field first, then the numbers from which they are computed
            double *own = grid->inner_margin, *scratch = own + block->count;
            show_block(block, i, state, scratch, own);
            int cells = carom_grid_cells_in(block);
            for (int e = 0; e < cells; e++)
                values[field][grid->cell_of[first + e]] = own[e];
            for (int e = 0; !cells && e < block->count; e++)
                grid->around_nodes[block->nodes[(ptrdiff_t)e * block->node_count]] = own[e];
            first += cells;
        }
        if (grid->around_nodes)
            carom_grid_spread_patches(grid, 1, values[field]);
    }
}
