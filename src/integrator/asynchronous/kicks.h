// SPDX-License-Identifier: MIT
// The elements of a model, each of which kicks (changes the velocities of) its nodes with its own step, and their grouping by
// equal steps.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_KICKS_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_KICKS_H

#include "base/bisect.h"
#include "element/slots.h"
#include "integrator/step_division.h"
#include "model/model.h"
#include "model/state.h"

// Threads share the elements of a block with more elements than this: with fewer, starting them costs more than the work ...
#define CAROM_KICK_SHARED 4096
// ... and process so many elements at a time, whose nodes and data fit into the cache of a core.
#define CAROM_KICK_CHUNK 512

// Record of an element, followed by its nodes and its own numbers (carom_single). Records are aligned to cache lines.
typedef struct carom_kicker {
    double step;
    int block;
    int memory; // index of its last forces in carom_kicks.memory; -1: they are not kept
    int group;
} carom_kicker;

// Elements of one block with equal steps kick together: all forces first, then each node with the sum of its forces. A large
// group has its own block, for the vectorized kernels of its element.
typedef struct carom_kick_batch {
    carom_block block; // of the members alone
    double *slots;
    // forces of node i of the group are in the slots gather[gather_begin[i]] ... gather[gather_begin[i + 1] - 1]
    int *gather_begin;
    int *gather;
} carom_kick_batch;

// A group of elements with equal steps. Fills one cache line.
typedef struct carom_kick_group {
    double step;
    double *number;          // kicks so far; part of the state
    carom_kick_batch *batch; // NULL: members are computed one by one
    int *members;            // elements, ascending
    int *nodes;              // of all of them
    int *touch;              // nodes that can touch something
    int first;               // the first member
    int count, node_count, touch_count;
} carom_kick_group;

// The elements of one block.
typedef struct carom_kick_block {
    const carom_block *block;
    const carom_single *single; // NULL: elements are computed as ranges of one
    int node_count;             // per element
    int begin;                  // number of its first element among all
    int stride;                 // bytes per record
    int data;                   // offset of its numbers
    char *records;
    double *slots; // of ranges of one
    bool flows;    // the material has history and is plastic; else viscous, if it has history
    bool ages;     // the stress depends on the time between two kicks
} carom_kick_block;

// An element of a node: the number of the element, and which of its nodes this is.
typedef struct carom_kick_end {
    int kicker, corner;
} carom_kick_end;

// State of an element with adaptive steps: its step is divided by 2^level; number of successive checks that allowed a longer
// step; time of its last kick within the step of its group, in units of that step/2^CAROM_PACE_FINEST; and its stable step if
// that limits its neighbours, else 0. All zero if the step was never divided.
enum { CAROM_LEVEL, CAROM_LEVEL_HELD, CAROM_LEVEL_PLACE, CAROM_LEVEL_STABLE, CAROM_LEVEL_NUMBERS };

// Start from {0}.
typedef struct carom_kicks {
    const carom_model *model;
    carom_arena *arena; // of the blocks
    int block_count;
    carom_kick_block *blocks;
    int run_count; // of blocks: run r is blocks[runs[r]] ... blocks[runs[r + 1] - 1], and no two runs share a node
    int *runs;
    int count; // elements
    int group_count;
    carom_kick_group *groups; // in the order of their first elements
    double *levels;   // CAROM_LEVEL_*, per element; part of the state. NULL: steps are not adaptive (element_step_division.h)
    double *memory;   // forces of last kicks, three numbers per node of each element that keeps them; part of the state
    double *shortest; // per node: the shortest step of its elements
    double *share;    // per node: 1 over the number of its elements, each of which kicks with that part of the dead load
    int *begin;       // per node: its elements are ends[begin[k]] ... ends[begin[k + 1] - 1]
    carom_kick_end *ends;
    double shortest_step, rate; // of all elements; and kicks per time
    double (*q)[3], (*f)[3];    // scratch: the nodes of one element
    double (*place)[3];         // scratch for ranges of one: positions of all nodes
    // laws with history (kick_history.h); NULL: there is none
    double *history, *losses, *clocks; // after the last kicks, and the clock of each element; part of the state
    carom_block *bound;                // the blocks of the model with these
} carom_kicks;

// Rules for the steps of elements.
typedef struct carom_kick_rule {
    double beta;         // fraction of the critical step
    double longest;      // upper bound of all steps: the step of the run
    int classes;         // > 0: steps are rounded down to longest 2^(-j/classes)
    const bool *touches; // per node: it can touch something
    bool keeps;          // elements with such a node keep their last forces
    double *mass;        // receives the masses of carom_kick_steps; NULL: not needed
    bool aligned;        // their steps are `longest` over a whole number
} carom_kick_rule;

// Creates the elements and groups. Registers what must survive a restart with the state.
carom_status carom_kicks_create(const carom_model *model, const carom_kick_rule *rule, carom_state *state, carom_kicks *kicks,
                                carom_error *error);
void carom_kicks_release(carom_kicks *kicks);

// The longest steps of the elements (kick_steps.c), one per element, block after block: the fraction `beta` of its stable step
// at the reference, or less next to elements with far shorter stable steps; HUGE_VAL for elements without elasticity. With
// beta = 1 the shortest is stable for all elements together. The caller frees the result; NULL if memory is short. `mass`, if
// not NULL, receives for each node of each element the part of the nodal mass that is assigned to the element; 0 for elements
// that reach beyond their cells.
double *carom_kick_steps(const carom_model *model, double beta, double *mass);

// The largest critical step of an element of the model, but not more than 16 times the harmonic mean of all. Prescribed
// velocities are updated once in a step of the run, so it is not more than the critical step of an element with a driven node
// either. HUGE_VAL if nothing is elastic, NaN if memory is short.
double carom_kicks_longest_window(const carom_model *model);

static inline const carom_kick_block *carom_kick_block_of(const carom_kicks *kicks, int i) {
    return &kicks->blocks[carom_last_at(&kicks->blocks->begin, sizeof *kicks->blocks, kicks->block_count, i)];
}

// The record of element i, which is in block b.
static inline carom_kicker *carom_kicker_in(const carom_kick_block *b, int i) {
    return (carom_kicker *)(b->records + (int64_t)(i - b->begin) * b->stride);
}

static inline carom_kicker *carom_kicker_of(const carom_kicks *kicks, int i) {
    return carom_kicker_in(carom_kick_block_of(kicks, i), i);
}

static inline const int *carom_kicker_nodes(const carom_kicker *kicker) {
    return (const int *)(kicker + 1);
}

// Number of kicks of an element so far.
static inline double carom_kicker_number(const carom_kicks *kicks, const carom_kicker *kicker) {
    return *kicks->groups[kicker->group].number;
}

// The level of element i, and its step h/2^level.
static inline int carom_kick_level(const carom_kicks *kicks, int i) {
    return kicks->levels ? (int)kicks->levels[(int64_t)CAROM_LEVEL_NUMBERS * i + CAROM_LEVEL] : 0;
}

static inline double carom_kick_step(const carom_kicks *kicks, int i) {
    double step = carom_kicker_of(kicks, i)->step;
    int level = carom_kick_level(kicks, i);
    return level ? __builtin_ldexp(step, -level) : step;
}

// The time up to which element i has kicked, from the start of the run.
static inline double carom_kick_covered(const carom_kicks *kicks, int i) {
    const carom_kicker *kicker = carom_kicker_of(kicks, i);
    double number = carom_kicker_number(kicks, kicker);
    double place = kicks->levels ? kicks->levels[(int64_t)CAROM_LEVEL_NUMBERS * i + CAROM_LEVEL_PLACE] : 0;
    if (number > 0 && (place > 0 || carom_kick_level(kicks, i) > 0))
        return (number - 1 + __builtin_ldexp(place, -CAROM_PACE_FINEST)) * kicker->step + 0.5 * carom_kick_step(kicks, i);
    return number > 0 ? (number - 0.5) * kicker->step : 0;
}

// False for a cell of a rigid body, which has a number but no forces.
static inline bool carom_kick_exists(const carom_kicks *kicks, int i) {
    const carom_kick_block *b = carom_kick_block_of(kicks, i);
    return i - b->begin < b->block->count;
}

// The nodes of element i; none if it does not exist.
static inline const int *carom_kick_nodes(const carom_kicks *kicks, int i, int *count) {
    bool exists = carom_kick_exists(kicks, i);
    *count = exists ? carom_kick_block_of(kicks, i)->node_count : 0;
    return exists ? carom_kicker_nodes(carom_kicker_of(kicks, i)) : NULL;
}

struct carom_kick_instant; // time and purpose of an evaluation of forces (kick_history.h)

// Memory of a block made of single elements: nodes, data, and, for materials with history, history and losses.
typedef struct carom_kick_buffer {
    int *nodes;
    double *data, *history, *losses;
} carom_kick_buffer;

// Makes `block` a block of `count` elements of one block of the model, ascending, in the given memory. `mass` is scratch, one
// number per node.
carom_status carom_kick_block_fill(const carom_kicks *kicks, const int *members, int count, const carom_kick_buffer *buffer,
                                   double *mass, carom_block *block, carom_error *error);

// The time of the next kick of a group, from the start of the run.
static inline double carom_kick_time(const carom_kick_group *group) {
    return *group->number * group->step;
}

// Stores the forces of those members [begin, end) of a batch that keep them.
void carom_kick_batch_keep(const carom_kicks *kicks, const carom_kick_group *group, int begin, int end);

// Sums up the forces of a batch on node i of its group, in the order of the members.
static inline void carom_kick_gather(const carom_kick_batch *batch, int i, double f[3]) {
    f[0] = f[1] = f[2] = 0;
    carom_slots_gather(batch->slots, batch->gather, batch->gather_begin[i], batch->gather_begin[i + 1], f);
}

// Computes the forces kicks->f of element i on its nodes, which are at kicks->q = x + t w.
void carom_kick_force(carom_kicks *kicks, int i, const carom_kicker *kicker, const double (*x)[3], const double (*w)[3],
                      double t, const struct carom_kick_instant *now);

// Compilers remove calls of a function that only prefetches, which has no other effect, unless it is inlined early.
#define CAROM_FETCH static inline __attribute__((always_inline))

// Prefetches the record of a group of one element; the group itself should be in the cache.
CAROM_FETCH void carom_kick_fetch(const carom_kicks *kicks, const carom_kick_group *group) {
    if (group->count > 1)
        return;
    const carom_kick_block *b = carom_kick_block_of(kicks, group->first);
    const char *record = b->records + (int64_t)(group->first - b->begin) * b->stride;
    __builtin_prefetch(group->number);
    for (int line = 0; line < b->stride; line += 64)
        __builtin_prefetch(record + line);
}

// Prefetches its nodes; the record should be in the cache.
CAROM_FETCH void carom_kick_fetch_nodes(const carom_kicks *kicks, const carom_kick_group *group, const double (*x)[3],
                                        const double (*w)[3]) {
    if (group->count > 1)
        return;
    const carom_kick_block *b = carom_kick_block_of(kicks, group->first);
    const int *nodes = carom_kicker_nodes((const carom_kicker *)(b->records + (int64_t)(group->first - b->begin) * b->stride));
    for (int a = 0; a < b->node_count; a++) {
        __builtin_prefetch(x[nodes[a]]);
        __builtin_prefetch(w[nodes[a]]);
        __builtin_prefetch(&kicks->model->mass[nodes[a]]);
    }
}

// Adds the velocity change of a node from w to the velocity at `time`, by the forces of the last kicks of its elements and
// without restraints. The elements of the node must keep their forces.
void carom_kicks_centre(const carom_kicks *kicks, int node, double time, double change[3]);

#endif
