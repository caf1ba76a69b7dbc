// SPDX-License-Identifier: MIT
// Whether elements have become so much stiffer than at the reference that a body may need a shorter step, from some of its
// elements alone.
#ifndef CAROM_MODEL_WATCH_STIFFNESS_GROWTH_H
#define CAROM_MODEL_WATCH_STIFFNESS_GROWTH_H

#include "math/vec3.h"
#include "model/model.h"
#include "model/node_elements.h"

// Start from {0}.
typedef struct carom_growth {
    const carom_model *model;
    int64_t *begin; // per block: where its shares begin
    double *scale;  // per block: a power of two, in which its shares are kept
    float *rest;    // shares of all elements at the reference, one for each node, in batches; 0 if it cannot be kept
    double *limit;  // per body: omega^2 of the step that it must allow
    double *factor; // per body: how much all its shares may grow until then
    int *nodes;     // with a share that has grown more, of elements that were examined
    int *bodies;    // of these elements
    int node_count;
    bool *grown;         // scratch, one for each batch of a vicinity: it has such a share
    bool *has;           // per node: it is one of them
    carom_vectors flags; // per node, where several processes share a model: room for a number that travels; else NULL
} carom_growth;

carom_growth carom_growth_create(carom_arena *arena, const carom_model *model, bool *enough);

// Keeps the shares in `slots`, those of a look at the reference. Bodies need no attention as long as they allow `step`.
void carom_growth_start(carom_growth *growth, const double *slots, double step);

// Finds the nodes with a share that has grown too much among the elements of a vicinity that was examined, by all processes,
// and adds all elements of these nodes to it.
void carom_growth_find(carom_growth *growth, carom_vicinity *near, const double *slots);

// True if the shares at these nodes, all of which have been examined now, still allow the step, as far as this process owns
// them. Forgets the nodes.
bool carom_growth_is_allowed(carom_growth *growth, const double *slots);

#endif
