// SPDX-License-Identifier: MIT
// Computes the fields of cells: elements are evaluated block after block, in parallel over chunks, and their values moved to
// the order of the cells. Each element writes to its own place, so the result does not depend on the number of threads.
#include <string.h>

#include "math/vec3.h"
#include "model/model.h"
#include "model/state.h"
#include "output/frames/grid.h"

// Elements that a thread evaluates at a time, and the largest number of values of all fields of one element: eight tensors.
enum { CHUNK = 256, NUMBERS_MAX = 6 * CAROM_ELEMENT_FIELDS_MAX };

// Minimum number of elements for a parallel evaluation, which takes at least 0.1 us for each.
enum { PARALLEL_MIN = 4 * CHUNK };

// The index of a field of the grid in the table of fields of an element; -1: the element does not have it.
static int index_in_element(const carom_grid *grid, const carom_element *element, int field) {
    for (int f = 0; f < CAROM_ELEMENT_FIELDS_MAX && element->fields[f].name; f++)
        if (carom_grid_find_field(grid, &element->fields[f]) == field)
            return f;
    return -1;
}

// Evaluates one field for all elements of a block without frames.
static void evaluate_block(const carom_block *block, const carom_state *state, int field, double *values) {
    const double(*x)[3] = (carom_const_vectors)state->x, (*X)[3] = (carom_const_vectors)state->model->X;
#pragma omp parallel for schedule(static) if (block->count > PARALLEL_MIN)
    for (int begin = 0; begin < block->count; begin += CHUNK) {
        int end = begin + CHUNK < block->count ? begin + CHUNK : block->count;
        block->element->field(block, begin, end, x, X, field, values);
    }
}

// Values of patches belong to the central node, which is the first node of the patch; carom_grid_spread_patches takes means
// over the nodes of a cell.
static void evaluate_patches(carom_grid *grid, const carom_block *block, const carom_state *state, int field, int components) {
    evaluate_block(block, state, field, grid->patch_values);
    for (int e = 0; e < block->count; e++)
        memcpy(&grid->around_nodes[(ptrdiff_t)components * block->nodes[(ptrdiff_t)e * block->node_count]],
               &grid->patch_values[(ptrdiff_t)components * e], (size_t)components * sizeof *grid->values);
}

void carom_grid_spread_patches(const carom_grid *grid, int components, double *values) {
#pragma omp parallel for schedule(static) if (grid->element_count > CAROM_GRID_SHARED)
    for (int cell = 0; cell < grid->element_count; cell++) {
        bool parts = carom_grid_has_parts(grid, grid->cell_body[cell]);
        if (!parts && !carom_grid_has_patches(grid, grid->cell_body[cell]))
            continue;
        double *value = &values[(ptrdiff_t)components * cell];
        int64_t begin = grid->offsets[cell], end = grid->offsets[cell + 1];
        for (int c = 0; c < components; c++) {
            value[c] = parts ? value[c] : 0;
            for (int64_t i = begin; i < end; i++)
                value[c] += grid->around_nodes[components * grid->connectivity[i] + c] / (double)(end - begin);
        }
    }
}

// One field of a block, whose first element has the number `first`. An element without the field gets zeros.
static void evaluate_field(carom_grid *grid, const carom_block *block, int first, const carom_state *state, int field,
                           double *values) {
    const carom_element *element = block->element;
    int own = index_in_element(grid, element, field), components = grid->fields[field].components;
    int cells = carom_grid_cells_in(block);
    if (own >= 0 && element->framed)
        element->framed->field(block, 0, block->count, (carom_const_vectors)state->x, (const double(*)[3][3])state->R, own,
                               grid->sorted);
    else if (own >= 0 && !cells)
        evaluate_patches(grid, block, state, own, components);
    else if (own >= 0)
        evaluate_block(block, state, own, grid->sorted);
    else
        memset(grid->sorted, 0, (size_t)cells * (size_t)components * sizeof *grid->sorted);
#pragma omp parallel for schedule(static) if (cells > CAROM_GRID_SHARED)
    for (int e = 0; e < cells; e++)
        memcpy(&values[(size_t)grid->cell_of[first + e] * (size_t)components], &grid->sorted[(size_t)e * (size_t)components],
               (size_t)components * sizeof *values);
}

// The evaluation of all requested fields of a block, chunk by chunk.
typedef struct chunk_task {
    carom_grid *grid;
    const carom_block *block;
    const carom_state *state;
    int first;                                // number of the first element of the block
    double *const *values;                    // the array of each field of the grid; NULL: not requested
    int numbers[CAROM_GRID_FIELDS_MAX];       // index of each field of the grid in the table of the element
    bool requested[CAROM_ELEMENT_FIELDS_MAX]; // which fields of the element are requested
} chunk_task;

// All fields of a chunk of elements, through an array on the stack.
static void evaluate_chunk(const chunk_task *t, int begin, int end) {
    const carom_grid *grid = t->grid;
    const carom_element_field *fields = t->block->element->fields;
    double buffer[CHUNK * NUMBERS_MAX], *next = buffer, *own[CAROM_ELEMENT_FIELDS_MAX] = {NULL};
    for (int f = 0; f < CAROM_ELEMENT_FIELDS_MAX; f++)
        if (t->requested[f]) {
            own[f] = next;
            next += (end - begin) * fields[f].components;
        }
    t->block->element->show(t->block, begin, end, (carom_const_vectors)t->state->x, (carom_const_vectors)t->state->model->X,
                            own);
    for (int f = 0; f < grid->field_count; f++) {
        if (!t->values[f])
            continue;
        size_t components = (size_t)grid->fields[f].components, bytes = components * sizeof(double);
        for (int e = begin; e < end; e++) {
            double *value = &t->values[f][components * (size_t)grid->cell_of[t->first + e]];
            if (t->numbers[f] < 0)
                memset(value, 0, bytes);
            else
                memcpy(value, &own[t->numbers[f]][components * (size_t)(e - begin)], bytes);
        }
    }
}

static void evaluate_all_fields(carom_grid *grid, const carom_block *block, int first, const carom_state *state,
                                double *const values[]) {
    chunk_task t = {.grid = grid, .block = block, .state = state, .first = first, .values = values};
    for (int f = 0; f < grid->field_count; f++) {
        t.numbers[f] = index_in_element(grid, block->element, f);
        if (values[f] && t.numbers[f] >= 0)
            t.requested[t.numbers[f]] = true;
    }
#pragma omp parallel for schedule(static) if (block->count > PARALLEL_MIN)
    for (int begin = 0; begin < block->count; begin += CHUNK)
        evaluate_chunk(&t, begin, begin + CHUNK < block->count ? begin + CHUNK : block->count);
}

// True if the fields fit in the stack array of a chunk.
static bool fits(const carom_element *element) {
    int numbers = 0;
    for (int f = 0; f < CAROM_ELEMENT_FIELDS_MAX && element->fields[f].name; f++)
        numbers += element->fields[f].components;
    return numbers <= NUMBERS_MAX;
}

void carom_grid_fields(carom_grid *grid, const carom_state *state, double *const values[]) {
    int first = 0;
    for (int f = 0; grid->around_nodes && f < grid->field_count; f++)
        if (values[f])
            memset(grid->around_nodes, 0,
                   (size_t)grid->fields[f].components * (size_t)grid->node_count * sizeof *grid->around_nodes);
    for (int b = 0; b < grid->model->block_count; b++) {
        const carom_block *block = &grid->model->blocks[b];
        if (carom_block_has_cells(block) && block->element->show && fits(block->element))
            evaluate_all_fields(grid, block, first, state, values);
        else
            for (int f = 0; f < grid->field_count; f++)
                if (values[f])
                    evaluate_field(grid, block, first, state, f, values[f]);
        first += carom_grid_cells_in(block);
    }
    for (int f = 0; grid->around_nodes && f < grid->field_count; f++)
        if (values[f])
            carom_grid_spread_patches(grid, grid->fields[f].components, values[f]);
    carom_envelopes_show(grid, state, values);
    carom_inner_fields_show(grid, state, values);
    for (int f = 0; f < grid->field_count; f++) {
        if (!values[f])
            continue;
        size_t components = (size_t)grid->fields[f].components;
        // cells of beam surfaces take the value of their element
        for (int i = grid->element_count; i < grid->cell_count; i++)
            memcpy(&values[f][(size_t)i * components], &values[f][(size_t)grid->owner[i - grid->element_count] * components],
                   components * sizeof **values);
    }
}

void carom_grid_field(carom_grid *grid, const carom_state *state, int field) {
    double *values[CAROM_GRID_FIELDS_MAX] = {NULL};
    values[field] = grid->values;
    carom_grid_fields(grid, state, values);
}
