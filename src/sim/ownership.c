// SPDX-License-Identifier: MIT
// Lists of the nodes, elements, batches and history rows of each process, and their exchange with rank 0.
#include "sim/ownership.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "element/element.h"
#include "model/collective.h"
#include "model/state/history.h"

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for the state of all processes");
}

static int batches_of(const carom_block *block) {
    return (block->count + CAROM_LANES - 1) / CAROM_LANES;
}

// Indices in the whole model of the entries on this process, and which of these entries it owns.
typedef struct listing {
    int *numbers;
    bool *owned;
} listing;

static bool reserve(int count, listing *list) {
    list->numbers = carom_allocate(count, sizeof *list->numbers);
    list->owned = carom_allocate(count, sizeof *list->owned);
    return list->numbers && list->owned;
}

static bool list_nodes(const carom_model *part, carom_distributed *distributed, listing *list) {
    distributed->count = part->node_count;
    distributed->whole = part->part.whole_nodes;
    if (!reserve(distributed->count, list))
        return false;
    for (int k = 0; k < distributed->count; k++) {
        list->numbers[k] = part->part.global[k];
        list->owned[k] = k < part->part.owned_count;
    }
    return true;
}

static bool list_elements(const carom_model *part, carom_distributed *distributed, listing *list) {
    distributed->count = part->element_count;
    distributed->whole = part->part.whole_elements;
    if (!reserve(distributed->count, list))
        return false;
    for (int b = 0, i = 0; b < part->block_count; b++) {
        const carom_block *block = &part->blocks[b];
        for (int e = 0; e < block->count; e++, i++) {
            list->numbers[i] = part->part.element_global[i];
            list->owned[i] = carom_model_counts(part, &block->nodes[(ptrdiff_t)e * block->node_count]);
        }
    }
    return true;
}

// Batches of the whole model are numbered block by block, as its elements are.
static bool list_batches(const carom_model *part, carom_distributed *distributed, listing *list) {
    for (int b = 0; b < part->block_count; b++)
        distributed->count += batches_of(&part->blocks[b]);
    if (!reserve(distributed->count, list))
        return false;
    const int *first = part->part.block_first;
    for (int b = 0, i = 0, element = 0; b < part->block_count; element += part->blocks[b++].count) {
        for (int e = 0; e < part->blocks[b].count; e += CAROM_LANES, i++) {
            list->numbers[i] = distributed->whole + (part->part.element_global[element + e] - first[b]) / CAROM_LANES;
            list->owned[i] = part->part.home[i];
        }
        int count = (b + 1 < part->block_count ? first[b + 1] : part->part.whole_elements) - first[b];
        distributed->whole += (count + CAROM_LANES - 1) / CAROM_LANES;
    }
    return true;
}

// Rows of the history of materials, CAROM_LANES numbers each, belong to their batches.
static bool list_rows(const carom_model *part, carom_distributed *distributed, listing *list) {
    int64_t rows = carom_history_begin(part, part->block_count) / CAROM_LANES, whole = carom_history_whole_rows(part);
    if (whole > INT32_MAX)
        return false;
    distributed->count = (int)rows;
    distributed->whole = (int)whole;
    if (!reserve(distributed->count, list))
        return false;
    for (int b = 0, i = 0, batch = 0, element = 0; b < part->block_count; element += part->blocks[b++].count)
        for (int e = 0; e < part->blocks[b].count; e += CAROM_LANES, batch++)
            for (int k = 0; k < part->blocks[b].history_size; k++, i++) {
                list->numbers[i] = (int)carom_history_first_row(part, b, element + e) + k;
                list->owned[i] = part->part.home[batch];
            }
    return true;
}

// Lists the entries that this process owns.
static bool choose_own(carom_distributed *distributed, const listing *list) {
    distributed->own = carom_allocate(distributed->count, sizeof *distributed->own);
    if (!distributed->own)
        return false;
    for (int i = 0; i < distributed->count; i++)
        if (list->owned[i])
            distributed->own[distributed->own_count++] = i;
    return true;
}

// Gathers the indices of all processes on rank 0.
static carom_status gather_numbers(carom_distributed *distributed, listing *list, carom_error *error) {
    carom_status status = carom_shares_create(distributed->own_count, &distributed->own_of, error);
    if (!status)
        status = carom_shares_create(distributed->count, &distributed->here_of, error);
    if (status)
        return status;
    int size = carom_parallel_size();
    if (carom_parallel_rank() == 0) {
        distributed->own_in_whole = carom_allocate(distributed->own_of.begin[size], sizeof *distributed->own_in_whole);
        distributed->here_in_whole = carom_allocate(distributed->here_of.begin[size], sizeof *distributed->here_in_whole);
        if (!distributed->own_in_whole || !distributed->here_in_whole)
            status = no_memory(error);
    }
    status = CAROM_PARALLEL_AGREE(status, error);
    if (status)
        return status;
    carom_parallel_gather(&distributed->here_of, list->numbers, sizeof *list->numbers, distributed->here_in_whole);
    for (int i = 0; i < distributed->own_count; i++)
        list->numbers[i] = list->numbers[distributed->own[i]];
    carom_parallel_gather(&distributed->own_of, list->numbers, sizeof *list->numbers, distributed->own_in_whole);
    return CAROM_OK;
}

typedef bool lister(const carom_model *part, carom_distributed *distributed, listing *list);
static lister *const lists[CAROM_DISTRIBUTIONS] = {[CAROM_DISTRIBUTE_NODES] = list_nodes,
                                                   [CAROM_DISTRIBUTE_ELEMENTS] = list_elements,
                                                   [CAROM_DISTRIBUTE_BATCHES] = list_batches,
                                                   [CAROM_DISTRIBUTE_ROWS] = list_rows};

static carom_status distribute(const carom_model *part, carom_distributed *distributed, lister *list, carom_error *error) {
    listing found = {0};
    carom_status status = list(part, distributed, &found) && choose_own(distributed, &found) ? CAROM_OK : no_memory(error);
    status = CAROM_PARALLEL_AGREE(status, error);
    if (!status)
        status = gather_numbers(distributed, &found, error);
    free(found.numbers);
    free(found.owned);
    return status;
}

carom_status carom_distribution_create(const carom_model *part, int components, carom_distribution *made, carom_error *error) {
    *made = (carom_distribution){0};
    carom_status status = CAROM_OK;
    for (int i = 0; i < CAROM_DISTRIBUTIONS && !status; i++)
        status = distribute(part, &made->of[i], lists[i], error);
    if (status)
        return status;
    int64_t here = 0, all = 0;
    int size = carom_parallel_size();
    for (int i = 0; i < CAROM_DISTRIBUTIONS; i++) {
        const carom_distributed *distributed = &made->of[i];
        // Batches have one number each.
        int64_t width = i == CAROM_DISTRIBUTE_BATCHES ? 1 : components;
        here = width * distributed->count > here ? width * distributed->count : here;
        all = width * distributed->here_of.begin[size] > all ? width * distributed->here_of.begin[size] : all;
    }
    made->sent = carom_allocate(here, sizeof *made->sent);
    if (carom_parallel_rank() == 0)
        made->received = carom_allocate(all, sizeof *made->received);
    if (!made->sent || (carom_parallel_rank() == 0 && !made->received))
        status = no_memory(error);
    return CAROM_PARALLEL_AGREE(status, error);
}

void carom_distribution_release(carom_distribution *distribution) {
    for (int i = 0; i < CAROM_DISTRIBUTIONS; i++) {
        carom_distributed *distributed = &distribution->of[i];
        free(distributed->own);
        free(distributed->own_in_whole);
        free(distributed->here_in_whole);
        carom_shares_release(&distributed->own_of);
        carom_shares_release(&distributed->here_of);
    }
    free(distribution->sent);
    free(distribution->received);
    *distribution = (carom_distribution){0};
}

const carom_distributed *carom_distribution_of(const carom_distribution *distribution, const carom_state_array *array) {
    if (array->components == 0)
        return NULL;
    if (array->per_row)
        return &distribution->of[CAROM_DISTRIBUTE_ROWS];
    return &distribution->of[array->per_batch     ? CAROM_DISTRIBUTE_BATCHES
                             : array->per_element ? CAROM_DISTRIBUTE_ELEMENTS
                                                  : CAROM_DISTRIBUTE_NODES];
}

void carom_distribution_collect(const carom_distribution *distribution, const carom_distributed *distributed, int components,
                                const double *here, double *whole) {
    size_t width = (size_t)components * sizeof *here;
    for (int i = 0; i < distributed->own_count; i++)
        memcpy(distribution->sent + (ptrdiff_t)components * i, here + (ptrdiff_t)components * distributed->own[i], width);
    carom_parallel_gather(&distributed->own_of, distribution->sent, width, distribution->received);
    int64_t count = distributed->own_of.begin[carom_parallel_size()];
    for (int64_t i = 0; whole && i < count; i++)
        memcpy(whole + (ptrdiff_t)components * distributed->own_in_whole[i], distribution->received + components * i, width);
}

void carom_distribution_spread(const carom_distribution *distribution, const carom_distributed *distributed, int components,
                               const double *whole, double *here) {
    size_t width = (size_t)components * sizeof *here;
    int64_t count = distributed->here_of.begin[carom_parallel_size()];
    for (int64_t i = 0; whole && i < count; i++)
        memcpy(distribution->received + components * i, whole + (ptrdiff_t)components * distributed->here_in_whole[i], width);
    carom_parallel_scatter(&distributed->here_of, distribution->received, width, here);
}
