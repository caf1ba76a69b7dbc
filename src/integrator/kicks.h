// SPDX-License-Identifier: MIT
// The elements of a model one by one, each with a step of its own: what an asynchronous integrator kicks nodes with.
#ifndef CAROM_INTEGRATOR_KICKS_H
#define CAROM_INTEGRATOR_KICKS_H

#include "model/model.h"
#include "model/state.h"

// How the nodes of a block are reached.
typedef struct carom_kick_block {
    const carom_block *block;
    const carom_single *single; // NULL: by a range of one
    int node_count;             // per element
    int begin;                  // number of its first element among all
    double *data;               // of all its elements, one after another
    double *slots;              // for a range of one
} carom_kick_block;

// An element of the whole model.
typedef struct carom_kicker {
    double step; // of its own
    int block;
    int memory; // where its last forces are kept, -1 if they are not
} carom_kicker;

// An element of a node: its number, and which of its nodes it is.
typedef struct carom_kick_end {
    int kicker, corner;
} carom_kick_end;

// Start from {0}.
typedef struct carom_kicks {
    const carom_model *model;
    int block_count;
    carom_kick_block *blocks;
    int count; // elements
    carom_kicker *items;
    double *number;   // per element: kicks so far; part of the state
    double *memory;   // forces of last kicks, three numbers per node of the elements that keep them; part of the state
    double *shortest; // per node: the shortest step of its elements
    double *share;    // per node: one over the number of its elements, each of which carries that part of the dead load
    int *begin;       // per node: its elements are ends[begin[k]] ... ends[begin[k + 1] - 1]
    carom_kick_end *ends;
    double shortest_step, longest_step, rate; // of all; and kicks per time
    double (*q)[3], (*f)[3];                  // scratch: the nodes of one element
    double (*place)[3];                       // scratch for ranges of one: positions of all nodes
} carom_kicks;

// Elements with steps `beta` times their critical ones, none longer than `longest`. Those that touch a node of `keeps` (NULL: none) keep
// their last forces. Registers what must survive a restart with the state.
carom_status carom_kicks_create(const carom_model *model, double beta, double longest, const bool *keeps, carom_state *state,
                                carom_kicks *kicks, carom_error *error);
void carom_kicks_release(carom_kicks *kicks);

// The largest critical step of an element of the model; HUGE_VAL if nothing is elastic, NaN if memory is short.
double carom_kicks_largest_critical_step(const carom_model *model);

static inline const int *carom_kick_nodes(const carom_kicks *kicks, int i, int *count) {
    const carom_kick_block *b = &kicks->blocks[kicks->items[i].block];
    *count = b->node_count;
    return &b->block->nodes[(int64_t)(i - b->begin) * b->node_count];
}

// When element i kicks next, from the start of the run.
static inline double carom_kick_time(const carom_kicks *kicks, int i) {
    return kicks->number[i] * kicks->items[i].step;
}

// The forces f of element i on its nodes, which are at x + t w; kicks->q holds where that is.
void carom_kick_force(carom_kicks *kicks, int i, const double (*x)[3], const double (*w)[3], double t);

// Brings data of element i closer to the processor.
static inline void carom_kick_fetch(const carom_kicks *kicks, int i) {
    const carom_kick_block *b = &kicks->blocks[kicks->items[i].block];
    int64_t e = i - b->begin;
    __builtin_prefetch(&b->block->nodes[e * b->node_count]);
    if (b->single)
        for (int d = 0; d < b->single->data_size; d += 8)
            __builtin_prefetch(&b->data[e * b->single->data_size + d]);
}

// How much earlier or later the velocity w of a node is than `time`: adds the change of velocity by forces of last kicks that leads there, without
// regard to restraints. The node is one that keeps forces.
void carom_kicks_centre(const carom_kicks *kicks, int node, double time, double change[3]);

// The change of velocity that the last kick of each of its elements gave to a node, together.
void carom_kicks_last(const carom_kicks *kicks, int node, double change[3]);

#endif
