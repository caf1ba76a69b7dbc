// SPDX-License-Identifier: MIT
// Sums and votes over a model that several processes share. Every process calls them for its part, at the same place of the
// program. For a whole model they do nothing, also in a program of several processes: the first process looks at the whole
// model by itself.
#ifndef CAROM_MODEL_SHARED_H
#define CAROM_MODEL_SHARED_H

#include "math/exact.h"
#include "model/model.h"

// The sums over all processes.
static inline void carom_model_sum(const carom_model *model, carom_exact *sums, int count) {
    if (carom_model_is_part(model))
        carom_parallel_sum_exact(sums, count);
}

// The vote of all processes.
static inline void carom_model_vote(const carom_model *model, carom_vote *vote) {
    if (carom_model_is_part(model))
        carom_parallel_vote(vote);
}

// The same status and message on all processes: those of the first one that failed.
static inline carom_status carom_model_agree(const carom_model *model, carom_status status, carom_error *error) {
    return carom_model_is_part(model) ? carom_parallel_agree(status, error) : status;
}

// Adds the terms of the nodes that each process owns, as carom_exact_add_range: sums over all nodes of the whole model.
static inline void carom_model_sum_nodes(const carom_model *model, carom_exact *sums, int count, carom_exact_fill *fill,
                                         const void *context) {
    carom_exact_add_range(sums, count, model->part.owned_count, fill, context);
    carom_model_sum(model, sums, count);
}

// The largest value of all processes; one that is not a number wins.
static inline double carom_model_most(const carom_model *model, double value) {
    if (!carom_model_is_part(model))
        return value;
    carom_vote vote = {.most = {value}};
    carom_parallel_vote(&vote);
    return vote.most[0];
}

// True if it is so in any process.
static inline bool carom_model_any(const carom_model *model, bool here) {
    if (!carom_model_is_part(model))
        return here;
    carom_vote vote = {.bits = {here}};
    carom_parallel_vote(&vote);
    return vote.bits[0] != 0;
}

// Brings three numbers of each ghost from its owner.
static inline void carom_model_halo(const carom_model *model, double (*values)[3]) {
    if (!model->part.halo)
        return;
    carom_halo_begin(model->part.halo, values[0]);
    carom_halo_end(model->part.halo, values[0]);
}

// True if the energy of an element, by its nodes, is counted here: each is counted by the owner of its first node.
static inline bool carom_model_counts(const carom_model *model, const int *nodes) {
    return nodes[0] < model->part.owned_count;
}

#endif
