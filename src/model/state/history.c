// SPDX-License-Identifier: MIT
// Storage of the history variables of materials (such as plastic strain) in a state: registration, requests to commit trial
// values, and losses as exact sums.
#include "model/state/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "element/point_law.h"
#include "math/exact.h"
#include "model/collective.h"
#include "model/model.h"
#include "model/remote.h"

int64_t carom_history_begin(const carom_model *model, int block) {
    int64_t sum = 0;
    for (int b = 0; b < block; b++)
        sum += carom_lanes_size(model->blocks[b].count, model->blocks[b].history_size);
    return sum;
}

bool carom_model_has_history(const carom_model *model) {
    bool any = false;
    for (int b = 0; b < model->block_count; b++)
        any = any || model->blocks[b].history_size;
    return any;
}

// Number of batches that a block of a subdomain has in the whole model.
static int64_t whole_batches(const carom_model *part, int b) {
    const int *first = part->part.block_first;
    int end = b + 1 < part->block_count ? first[b + 1] : part->part.whole_elements;
    return ((int64_t)end - first[b] + CAROM_LANES - 1) / CAROM_LANES;
}

// Number of rows before a block.
static int64_t rows_before(const carom_model *part, int block) {
    int64_t sum = 0;
    for (int b = 0; b < block; b++)
        sum += part->blocks[b].history_size * whole_batches(part, b);
    return sum;
}

int64_t carom_history_first_row(const carom_model *part, int block, int element) {
    int batch = (part->part.element_global[element] - part->part.block_first[block]) / CAROM_LANES;
    return rows_before(part, block) + (int64_t)part->blocks[block].history_size * batch;
}

int64_t carom_history_whole_rows(const carom_model *part) {
    return rows_before(part, part->block_count);
}

static const char *const forms[] = {"solids in three dimensions", "bars", "sheets"};

carom_status carom_block_find_history(carom_block *block, carom_error *error) {
    const carom_material *material = block->material;
    block->point_count = block->history_size = 0;
    // patches with the volumetric part of the stress (carom_element.parted) need no history
    if (!material || !material->inelastic || (block->element->parted && !carom_block_has_cells(block)))
        return CAROM_OK;
    carom_point_form form = CAROM_POINT_SOLID;
    int points = block->element->points ? block->element->points(block, &form) : 0;
    int size = material->inelastic->size(block->material_params, form);
    if (size == 0)
        return CAROM_OK;
    if (points == 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "element '%s' does not support plasticity or viscosity, which '%s' has: give an elastic material",
                          block->element->kind.name, material->kind.name);
    if (size < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "material '%s' has no law for %s", material->kind.name, forms[form]);
    if (size > CAROM_HISTORY_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "material '%s' has %d numbers of history per point, %d is the limit",
                          material->kind.name, size, CAROM_HISTORY_MAX);
    block->point_count = points;
    block->form = form;
    block->history_size = points * size;
    return CAROM_OK;
}

void carom_block_start_history(const carom_block *block, double *history) {
    double start[CAROM_HISTORY_MAX];
    int size = block->point_count ? block->history_size / block->point_count : 0;
    if (size)
        block->material->inelastic->start(block->material_params, block->form, start);
    for (int e = 0; size && e < carom_lanes_size(block->count, 1); e++)
        for (int k = 0; k < block->history_size; k++)
            history[carom_lane(e, k, block->history_size)] = start[k % size];
}

bool carom_history_register(carom_state *state) {
    const carom_model *model = state->model;
    int64_t count = carom_history_begin(model, model->block_count);
    // a process without such elements takes part in sums over all of them
    if (!carom_model_has_history(model))
        return true;
    double *history = carom_state_add_rows(state, CAROM_STATE_HISTORY, count / CAROM_LANES);
    double *losses = carom_state_add_elemental(state, CAROM_STATE_MATERIAL_LOSSES, CAROM_BLOCK_LOSSES);
    double *time = carom_state_add_array(state, CAROM_STATE_FLOW_TIME, 1);
    state->bound = carom_allocate(1, sizeof *state->bound);
    if (state->bound) {
        *state->bound = *model;
        state->bound->blocks = carom_allocate(model->block_count, sizeof *model->blocks);
    }
    if (!history || !losses || !time || !state->bound || !state->bound->blocks)
        return false;
    carom_state_assign(state, history, CAROM_ARRAYS_HISTORY);
    carom_state_assign(state, losses, CAROM_ARRAYS_HISTORY);
    if (model->part.space == model)
        state->bound->part.space = state->bound;
    for (int b = 0, first = 0; b < model->block_count; first += model->blocks[b++].count) {
        carom_block *block = &state->bound->blocks[b];
        *block = model->blocks[b];
        block->history = block->history_size ? history + carom_history_begin(model, b) : NULL;
        block->losses = block->history_size ? losses + (ptrdiff_t)CAROM_BLOCK_LOSSES * first : NULL;
        carom_block_start_history(block, block->history);
    }
    state->model = state->bound;
    return true;
}

void carom_history_release(carom_state *state) {
    if (state->bound)
        free(state->bound->blocks);
    free(state->bound);
}

carom_flow carom_history_flow(const carom_state *state, carom_use use, double time, double after) {
    const double *last = carom_state_find_array(state, CAROM_STATE_FLOW_TIME);
    return (carom_flow){.use = use, .before = last ? time - *last : 0, .after = after};
}

carom_flow carom_history_commit(carom_state *state, double time, double after) {
    carom_flow flow = carom_history_flow(state, CAROM_USE_COMMIT, time, after);
    double *last = carom_state_find_array(state, CAROM_STATE_FLOW_TIME);
    if (last)
        *last = time;
    return flow;
}

// An internal variable of a point; NaN if the law has none of that name.
static double show(const carom_block *block, int e, int q, carom_inner what) {
    double history[CAROM_HISTORY_MAX];
    int size = block->history_size / block->point_count;
    for (int k = 0; k < size; k++)
        history[k] = block->history[carom_block_history(block, e, q, k)];
    return block->material->inelastic->show(block->material_params, block->form, history, what);
}

double carom_history_most(const carom_state *state, carom_inner what) {
    const carom_model *model = state->model;
    double most = -HUGE_VAL;
    carom_state_read(state, CAROM_ARRAYS_HISTORY);
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        for (int i = 0; block->history && i < block->count * block->point_count; i++) {
            double value = show(block, i / block->point_count, i % block->point_count, what);
            most = value > most ? value : most;
        }
    }
    most = carom_model_most(model, most);
    return most > -HUGE_VAL ? most : NAN;
}

int carom_history_molten(const carom_state *state) {
    const carom_model *model = state->model;
    // the smallest number of all processes, as the largest of negative ones
    double found = -HUGE_VAL;
    carom_state_read(state, CAROM_ARRAYS_HISTORY);
    for (int b = 0, first = 0; b < model->block_count; first += model->blocks[b++].count) {
        const carom_block *block = &model->blocks[b];
        if (!block->history || !block->count || isnan(show(block, 0, 0, CAROM_INNER_STRENGTH)))
            continue;
        for (int e = 0; e < block->count; e++)
            for (int q = 0; q < block->point_count; q++)
                if (show(block, e, q, CAROM_INNER_STRENGTH) <= 0)
                    found = fmax(found, -carom_model_global_element(model, first + e));
    }
    found = carom_model_most(model, found);
    return found > -HUGE_VAL ? (int)-found : -1;
}

static const char *const names[] = {CAROM_STATE_HISTORY, CAROM_STATE_MATERIAL_LOSSES, CAROM_STATE_FLOW_TIME};

// Copies each of the three arrays to `save` or from `restore`, which may be NULL; returns their total length.
static int64_t walk(const carom_state *state, double *save, const double *restore) {
    int64_t count = 0;
    for (int a = 0; state->bound && a < state->own_count; a++)
        for (int i = 0; i < 3; i++) {
            const carom_state_array *array = &state->arrays[a];
            size_t size = (size_t)array->count * sizeof *array->values;
            if (strcmp(array->name, names[i]) != 0)
                continue;
            if (restore)
                memcpy(array->values, restore + count, size);
            else if (save)
                memcpy(save + count, array->values, size);
            count += array->count;
        }
    return count;
}

int64_t carom_history_buffer(const carom_state *state) {
    return walk(state, NULL, NULL);
}

void carom_history_save(const carom_state *state, double *numbers) {
    carom_state_read(state, CAROM_ARRAYS_HISTORY);
    walk(state, numbers, NULL);
}

void carom_history_restore(carom_state *state, const double *numbers) {
    carom_state_replace(state, CAROM_ARRAYS_HISTORY);
    walk(state, NULL, numbers);
}

// The elements of a block that are counted in this process.
typedef struct counted {
    const carom_model *model;
    const carom_block *block;
} counted;

static void add_losses(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const carom_model *model = ((const counted *)context)->model;
    const carom_block *block = ((const counted *)context)->block;
    for (int e = begin; e < end; e++) {
        bool counts = carom_model_counts(model, &block->nodes[(ptrdiff_t)e * block->node_count]);
        for (int i = 0; i < CAROM_BLOCK_LOSSES; i++)
            terms[i][e - begin] = counts ? block->losses[(ptrdiff_t)CAROM_BLOCK_LOSSES * e + i] : 0;
    }
}

// Exact sums do not depend on order: the bits are the same for any number of threads and processes.
carom_material_losses carom_history_losses(const carom_state *state, int body) {
    const carom_model *model = state->model;
    carom_exact sums[CAROM_BLOCK_LOSSES] = {0};
    if (body >= 0)
        carom_state_read(state, CAROM_ARRAYS_HISTORY);
    const carom_remote *remote = carom_state_on_device(state, CAROM_ARRAYS_HISTORY);
    if (!state->bound)
        return (carom_material_losses){0};
    for (int i = 0; remote && i < CAROM_BLOCK_LOSSES; i++)
        carom_exact_copy(&sums[i], &remote->losses[i]);
    for (int b = 0; b < model->block_count && !remote; b++)
        if (model->blocks[b].history && (body < 0 || model->blocks[b].body == body))
            carom_exact_add_range(sums, CAROM_BLOCK_LOSSES, model->blocks[b].count, add_losses,
                                  &(counted){model, &model->blocks[b]});
    carom_model_sum(model, sums, CAROM_BLOCK_LOSSES);
    carom_exact_merge(&sums[CAROM_BLOCK_PLASTICITY], &sums[CAROM_BLOCK_PLASTICITY_REST]);
    carom_exact_merge(&sums[CAROM_BLOCK_VISCOSITY], &sums[CAROM_BLOCK_VISCOSITY_REST]);
    carom_exact_subtract(&sums[CAROM_BLOCK_VISCOSITY], &sums[CAROM_BLOCK_PENDING]);
    return (carom_material_losses){carom_exact_value(&sums[CAROM_BLOCK_PLASTICITY]),
                                   carom_exact_value(&sums[CAROM_BLOCK_VISCOSITY]),
                                   carom_exact_value(&sums[CAROM_BLOCK_PENDING])};
}
