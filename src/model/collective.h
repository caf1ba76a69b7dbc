// SPDX-License-Identifier: MIT
// Sums and votes (maxima, and whether something holds anywhere) over a model that several processes share. They are collective:
// every process calls them, for its subdomain, at the same point of the program. For a whole model they do nothing, even in a
// program of several processes: the first process then checks the whole model alone.
#ifndef CAROM_MODEL_COLLECTIVE_H
#define CAROM_MODEL_COLLECTIVE_H

#include <stdio.h>

#include "math/exact.h"
#include "model/model.h"

// Sums over all processes.
static inline void carom_model_sum(const carom_model *model, carom_exact *sums, int count) {
    if (carom_model_is_subdomain(model))
        carom_parallel_sum_exact(sums, count);
}

// Combines the votes of all processes.
static inline void carom_model_vote(const carom_model *model, carom_vote *vote) {
    if (carom_model_is_subdomain(model))
        carom_parallel_vote(vote);
}

// The same status and message on all processes: those of the first one that failed.
#define CAROM_MODEL_AGREE(model, status, error) \
    (carom_model_is_subdomain(model) ? CAROM_PARALLEL_AGREE(status, error) : (status))

// Adds the terms of the nodes that each process owns (carom_exact_add_range), and sums over all processes: sums over all nodes
// of the whole model.
static inline void carom_model_sum_nodes(const carom_model *model, carom_exact *sums, int count, carom_exact_fill *fill,
                                         const void *context) {
    carom_exact_add_range(sums, count, model->part.owned_count, fill, context);
    carom_model_sum(model, sums, count);
}

// The largest value of all processes; NaN wins.
static inline double carom_model_most(const carom_model *model, double value) {
    if (!carom_model_is_subdomain(model))
        return value;
    carom_vote vote = {.most = {value}};
    carom_parallel_vote(&vote);
    return vote.most[0];
}

// True if `here` is true in any process.
static inline bool carom_model_any(const carom_model *model, bool here) {
    if (!carom_model_is_subdomain(model))
        return here;
    carom_vote vote = {.bits = {here}};
    carom_parallel_vote(&vote);
    return vote.bits[0] != 0;
}

// Element-wise maximum over all processes; carom_model_total sums a count over them.
static inline void carom_model_most_of(const carom_model *model, double *values, int count) {
    if (carom_model_is_subdomain(model))
        carom_parallel_most(values, count);
}

static inline int64_t carom_model_total(const carom_model *model, int64_t count) {
    uint64_t word = (uint64_t)count;
    if (carom_model_is_subdomain(model))
        carom_parallel_sum_words(&word, 1);
    return (int64_t)word;
}

// Copies a text that one process has to all of them: that of the first process whose text is not empty.
static inline void carom_model_share_text(const carom_model *model, char *text, size_t size) {
    carom_error first = {0};
    if (!carom_model_is_subdomain(model))
        return;
    bool known = text[0] != 0;
    if (CAROM_PARALLEL_AGREE(known ? carom_fail(&first, CAROM_NUMERICAL, "%s", text) : CAROM_OK, &first))
        snprintf(text, size, "%s", first.message);
}

// Sends three numbers of each ghost from its owner to this process.
static inline void carom_model_halo(const carom_model *model, double (*values)[3]) {
    if (!model->part.halo)
        return;
    carom_halo_begin(model->part.halo, values[0]);
    carom_halo_end(model->part.halo, values[0]);
}

// The number of a node, or of an element, in the whole model.
static inline int carom_model_global_node(const carom_model *model, int node) {
    return carom_model_is_subdomain(model) ? model->part.global[node] : node;
}

static inline int carom_model_global_element(const carom_model *model, int element) {
    return carom_model_is_subdomain(model) && element >= 0 ? model->part.element_global[element] : element;
}

// The number in this subdomain of a node, or of an element, of the whole model; -1 if this process does not have it.
int carom_model_local_node(const carom_model *model, int global);
int carom_model_local_element(const carom_model *model, int global);

// True if the energy of an element with these nodes is counted in this process: the owner of its first node counts it.
static inline bool carom_model_counts(const carom_model *model, const int *nodes) {
    return nodes[0] < model->part.owned_count;
}

#endif
