// SPDX-License-Identifier: MIT
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

// The numbers in the whole model of what this process has, and which of them it answers for.
typedef struct listing {
    int *numbers;
    bool *answers;
} listing;

static bool reserve(int count, listing *list) {
    list->numbers = carom_allocate(count, sizeof *list->numbers);
    list->answers = carom_allocate(count, sizeof *list->answers);
    return list->numbers && list->answers;
}

static bool list_nodes(const carom_model *part, carom_distributed *dealt, listing *list) {
    dealt->count = part->node_count;
    dealt->whole = part->part.whole_nodes;
    if (!reserve(dealt->count, list))
        return false;
    for (int k = 0; k < dealt->count; k++) {
        list->numbers[k] = part->part.global[k];
        list->answers[k] = k < part->part.owned_count;
    }
    return true;
}

static bool list_elements(const carom_model *part, carom_distributed *dealt, listing *list) {
    dealt->count = part->element_count;
    dealt->whole = part->part.whole_elements;
    if (!reserve(dealt->count, list))
        return false;
    for (int b = 0, i = 0; b < part->block_count; b++) {
        const carom_block *block = &part->blocks[b];
        for (int e = 0; e < block->count; e++, i++) {
            list->numbers[i] = part->part.element_global[i];
            list->answers[i] = carom_model_counts(part, &block->nodes[(ptrdiff_t)e * block->node_count]);
        }
    }
    return true;
}

// Batches of the whole model are numbered block after block, as its elements are.
static bool list_batches(const carom_model *part, carom_distributed *dealt, listing *list) {
    for (int b = 0; b < part->block_count; b++)
        dealt->count += batches_of(&part->blocks[b]);
    if (!reserve(dealt->count, list))
        return false;
    const int *first = part->part.block_first;
    for (int b = 0, i = 0, element = 0; b < part->block_count; element += part->blocks[b++].count) {
        for (int e = 0; e < part->blocks[b].count; e += CAROM_LANES, i++) {
            list->numbers[i] = dealt->whole + (part->part.element_global[element + e] - first[b]) / CAROM_LANES;
            list->answers[i] = part->part.home[i];
        }
        int count = (b + 1 < part->block_count ? first[b + 1] : part->part.whole_elements) - first[b];
        dealt->whole += (count + CAROM_LANES - 1) / CAROM_LANES;
    }
    return true;
}

// Rows of lanes of the history of materials go with their batches.
static bool list_rows(const carom_model *part, carom_distributed *dealt, listing *list) {
    int64_t rows = carom_history_begin(part, part->block_count) / CAROM_LANES, whole = carom_history_whole_rows(part);
    if (whole > INT32_MAX)
        return false;
    dealt->count = (int)rows;
    dealt->whole = (int)whole;
    if (!reserve(dealt->count, list))
        return false;
    for (int b = 0, i = 0, batch = 0, element = 0; b < part->block_count; element += part->blocks[b++].count)
        for (int e = 0; e < part->blocks[b].count; e += CAROM_LANES, batch++)
            for (int k = 0; k < part->blocks[b].history_size; k++, i++) {
                list->numbers[i] = (int)carom_history_first_row(part, b, element + e) + k;
                list->answers[i] = part->part.home[batch];
            }
    return true;
}

// Notes which numbers are its own, and puts these first.
static bool choose_own(carom_distributed *dealt, const listing *list) {
    dealt->own = carom_allocate(dealt->count, sizeof *dealt->own);
    if (!dealt->own)
        return false;
    for (int i = 0; i < dealt->count; i++)
        if (list->answers[i])
            dealt->own[dealt->own_count++] = i;
    return true;
}

// Tells rank 0 the numbers of all processes.
static carom_status tell(carom_distributed *dealt, listing *list, carom_error *error) {
    carom_status status = carom_shares_create(dealt->own_count, &dealt->own_of, error);
    if (!status)
        status = carom_shares_create(dealt->count, &dealt->here_of, error);
    if (status)
        return status;
    int size = carom_parallel_size();
    if (carom_parallel_rank() == 0) {
        dealt->own_in_whole = carom_allocate(dealt->own_of.begin[size], sizeof *dealt->own_in_whole);
        dealt->here_in_whole = carom_allocate(dealt->here_of.begin[size], sizeof *dealt->here_in_whole);
        if (!dealt->own_in_whole || !dealt->here_in_whole)
            status = no_memory(error);
    }
    status = carom_parallel_agree(status, error);
    if (status)
        return status;
    carom_parallel_gather(&dealt->here_of, list->numbers, sizeof *list->numbers, dealt->here_in_whole);
    for (int i = 0; i < dealt->own_count; i++)
        list->numbers[i] = list->numbers[dealt->own[i]];
    carom_parallel_gather(&dealt->own_of, list->numbers, sizeof *list->numbers, dealt->own_in_whole);
    return CAROM_OK;
}

typedef bool lister(const carom_model *part, carom_distributed *dealt, listing *list);
static lister *const lists[CAROM_DISTRIBUTIONS] = {[CAROM_DISTRIBUTE_NODES] = list_nodes,
                                                   [CAROM_DISTRIBUTE_ELEMENTS] = list_elements,
                                                   [CAROM_DISTRIBUTE_BATCHES] = list_batches,
                                                   [CAROM_DISTRIBUTE_ROWS] = list_rows};

static carom_status deal(const carom_model *part, carom_distributed *dealt, lister *list, carom_error *error) {
    listing found = {0};
    carom_status status = list(part, dealt, &found) && choose_own(dealt, &found) ? CAROM_OK : no_memory(error);
    status = carom_parallel_agree(status, error);
    if (!status)
        status = tell(dealt, &found, error);
    free(found.numbers);
    free(found.answers);
    return status;
}

carom_status carom_distribution_create(const carom_model *part, int components, carom_distribution *made, carom_error *error) {
    *made = (carom_distribution){0};
    carom_status status = CAROM_OK;
    for (int i = 0; i < CAROM_DISTRIBUTIONS && !status; i++)
        status = deal(part, &made->of[i], lists[i], error);
    if (status)
        return status;
    int64_t here = 0, all = 0;
    int size = carom_parallel_size();
    for (int i = 0; i < CAROM_DISTRIBUTIONS; i++) {
        const carom_distributed *dealt = &made->of[i];
        // Batches have one number each.
        int64_t width = i == CAROM_DISTRIBUTE_BATCHES ? 1 : components;
        here = width * dealt->count > here ? width * dealt->count : here;
        all = width * dealt->here_of.begin[size] > all ? width * dealt->here_of.begin[size] : all;
    }
    made->sent = carom_allocate(here, sizeof *made->sent);
    if (carom_parallel_rank() == 0)
        made->received = carom_allocate(all, sizeof *made->received);
    if (!made->sent || (carom_parallel_rank() == 0 && !made->received))
        status = no_memory(error);
    return carom_parallel_agree(status, error);
}

void carom_distribution_release(carom_distribution *deal) {
    for (int i = 0; i < CAROM_DISTRIBUTIONS; i++) {
        carom_distributed *dealt = &deal->of[i];
        free(dealt->own);
        free(dealt->own_in_whole);
        free(dealt->here_in_whole);
        carom_shares_release(&dealt->own_of);
        carom_shares_release(&dealt->here_of);
    }
    free(deal->sent);
    free(deal->received);
    *deal = (carom_distribution){0};
}

const carom_distributed *carom_distribution_of(const carom_distribution *deal, const carom_state_array *array) {
    if (array->components == 0)
        return NULL;
    if (array->per_row)
        return &deal->of[CAROM_DISTRIBUTE_ROWS];
    return &deal->of[array->per_batch     ? CAROM_DISTRIBUTE_BATCHES
                     : array->per_element ? CAROM_DISTRIBUTE_ELEMENTS
                                          : CAROM_DISTRIBUTE_NODES];
}

void carom_distribution_collect(const carom_distribution *deal, const carom_distributed *dealt, int components,
                                const double *here, double *whole) {
    size_t width = (size_t)components * sizeof *here;
    for (int i = 0; i < dealt->own_count; i++)
        memcpy(deal->sent + (ptrdiff_t)components * i, here + (ptrdiff_t)components * dealt->own[i], width);
    carom_parallel_gather(&dealt->own_of, deal->sent, width, deal->received);
    int64_t count = dealt->own_of.begin[carom_parallel_size()];
    for (int64_t i = 0; whole && i < count; i++)
        memcpy(whole + (ptrdiff_t)components * dealt->own_in_whole[i], deal->received + components * i, width);
}

void carom_distribution_spread(const carom_distribution *deal, const carom_distributed *dealt, int components,
                               const double *whole, double *here) {
    size_t width = (size_t)components * sizeof *here;
    int64_t count = dealt->here_of.begin[carom_parallel_size()];
    for (int64_t i = 0; whole && i < count; i++)
        memcpy(deal->received + components * i, whole + (ptrdiff_t)components * dealt->here_in_whole[i], width);
    carom_parallel_scatter(&dealt->here_of, deal->received, width, here);
}
