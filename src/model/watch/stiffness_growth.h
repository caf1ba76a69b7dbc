// SPDX-License-Identifier: MIT
// Detects from a subset of elements whether stiffening since the reference may require a shorter step of a body.
#ifndef CAROM_MODEL_WATCH_STIFFNESS_GROWTH_H
#define CAROM_MODEL_WATCH_STIFFNESS_GROWTH_H

#include "math/vec3.h"
#include "model/model.h"
#include "model/node_elements.h"

// Start from {0}.
typedef struct carom_growth {
    const carom_model *model;
    int64_t *begin; // per block: offset of its stiffness shares
    double *scale;  // per block: a power of two by which its shares are scaled
    float *rest;    // shares of all elements at the reference, one per element node, in batches; 0 if out of range
    double *limit;  // per body: omega^2 of the step that it must allow
    double *factor; // per body: factor by which all its shares may grow before that
    int *nodes;     // nodes of checked elements with a share that has grown more
    int *bodies;    // bodies of these elements
    int node_count;
    bool *grown;         // scratch, one for each batch of a vicinity: it has such a share
    bool *has;           // per node: it is in `nodes`
    carom_vectors flags; // per node, where several processes share a model: send buffer of one number; else NULL
} carom_growth;

carom_growth carom_growth_create(carom_arena *arena, const carom_model *model, bool *enough);

// Stores the shares in `slots`, evaluated at the reference. Bodies are not tracked as long as they allow `step`.
void carom_growth_start(carom_growth *growth, const double *slots, double step);

// Finds the nodes with a share that has grown too much among the elements of a vicinity, whose shares were evaluated by all
// processes, and adds all elements of these nodes to the vicinity.
void carom_growth_find(carom_growth *growth, carom_vicinity *near, const double *slots);

// True if the shares at these nodes, all of which have been evaluated now, still allow the step, for nodes that this process
// owns. Clears the list of nodes.
bool carom_growth_is_allowed(carom_growth *growth, const double *slots);

#endif
