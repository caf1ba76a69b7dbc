// SPDX-License-Identifier: MIT
// The elements of a model one by one, each with its own step, as an asynchronous integrator needs them to kick nodes.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_KICKS_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_KICKS_H

#include "base/bisect.h"
#include "element/slots.h"
#include "integrator/step_division.h"
#include "model/model.h"
#include "model/state.h"

// Threads share the forces of a block above this many elements: below it, starting them costs more than the work ...
#define CAROM_KICK_SHARED 4096
// ... and take this many at a time, whose nodes and data fit into the cache of a core.
#define CAROM_KICK_CHUNK 512

// Record of an element. Its nodes follow, then its own numbers (carom_single). Records begin with a cache line.
typedef struct carom_kicker {
    double step;
    int block;
    int memory; // where its last forces are kept, -1 if they are not
    int group;
} carom_kicker;

// Elements of one block with equal steps kick at equal times, so they kick together: all forces first, then each node with the
// sum of its forces. A large group has a block of its own and uses the kernels of its element.
typedef struct carom_kick_batch {
    carom_block block; // of the members alone
    double *slots;
    // forces of node i of the group are in the slots gather[gather_begin[i]] ... gather[gather_begin[i + 1] - 1]
    int *gather_begin;
    int *gather;
} carom_kick_batch;

// Fills one line of the cache.
typedef struct carom_kick_group {
    double step;
    double *number;          // kicks so far; part of the state
    carom_kick_batch *batch; // NULL: members are looked at one by one
    int *members;            // elements, ascending
    int *nodes;              // of all of them
    int *touch;              // those that can touch something
    int first;               // the first member
    int count, node_count, touch_count;
} carom_kick_group;

// The elements of one block.
typedef struct carom_kick_block {
    const carom_block *block;
    const carom_single *single; // NULL: by a range of one
    int node_count;             // per element
    int begin;                  // number of its first element among all
    int stride;                 // bytes per record
    int data;                   // where numbers begin in it
    char *records;
    double *slots; // for a range of one
    bool flows;    // its law has history and flows; else it relaxes, if it has any
    bool ages;     // the law depends on the time between two kicks
} carom_kick_block;

// An element of a node: the number of the element, and which of its nodes this is.
typedef struct carom_kick_end {
    int kicker, corner;
} carom_kick_end;

// What an element whose step follows it remembers: its step is divided by 2^level; looks in succession that asked for a longer
// one; where in the step of its group it kicked last, in units of that step/2^CAROM_PACE_FINEST; and the stable step that
// limits those of its neighbours, 0 if it does not. All zero for one that was never divided.
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
    double *levels;   // CAROM_LEVEL_*, per element; part of the state. NULL: steps do not follow (element_step_division.h)
    double *memory;   // forces of last kicks, three numbers per node of the elements that keep them; part of the state
    double *shortest; // per node: the shortest step of its elements
    double *share;    // per node: one over the number of its elements, each of which carries that part of the dead load
    int *begin;       // per node: its elements are ends[begin[k]] ... ends[begin[k + 1] - 1]
    carom_kick_end *ends;
    double shortest_step, rate; // of all; and kicks per time
    double (*q)[3], (*f)[3];    // scratch: the nodes of one element
    double (*place)[3];         // scratch for ranges of one: positions of all nodes
    // laws with history (kick_history.h); NULL: there is none
    double *history, *losses, *clocks; // as kicks have left them, and the clock of each element; part of the state
    carom_block *bound;                // the blocks of the model with these
} carom_kicks;

// How the steps of elements are made.
typedef struct carom_kick_rule {
    double beta;         // fraction of the critical step
    double longest;      // none is longer than this, the step of the run
    int classes;         // > 0: rounded down to longest 2^(-j/classes)
    const bool *touches; // per node: it can touch something
    bool keeps;          // elements with such a node keep their last forces
    double *mass;        // receives what carom_kick_steps says of masses; NULL: not wanted
    bool aligned;        // their steps are whole parts of `longest`
} carom_kick_rule;

// Makes the elements. Registers what must survive a restart with the state.
carom_status carom_kicks_create(const carom_model *model, const carom_kick_rule *rule, carom_state *state, carom_kicks *kicks,
                                carom_error *error);
void carom_kicks_release(carom_kicks *kicks);

// The longest steps with which the elements may kick, each one by itself (kick_steps.c), one per element, block after block:
// the fraction `beta` of its stable step at the reference, or less beside elements with far shorter ones; HUGE_VAL for elements
// without elasticity. With beta = 1 the shortest is stable for all elements together. To be freed; NULL if memory is short.
// `mass`, if not NULL, receives for each node of each element the part of the nodal mass with which the element was taken to
// vibrate; 0 for elements that reach beyond their cells.
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

// Kicks of an element so far.
static inline double carom_kicker_number(const carom_kicks *kicks, const carom_kicker *kicker) {
    return *kicks->groups[kicker->group].number;
}

// How finely the step of element i is divided, and the step that this leaves.
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

// False for a cell of a rigid body, which has a number and is no element.
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

struct carom_kick_instant; // when elements are asked for their forces (kick_history.h)

// Room for a block made of single elements: nodes, data, and where they have history that and their losses.
typedef struct carom_kick_buffer {
    int *nodes;
    double *data, *history, *losses;
} carom_kick_buffer;

// Makes `block` a block of `count` elements of one block of the model, ascending, in the given room. `mass` is scratch, one
// number per node.
carom_status carom_kick_block_fill(const carom_kicks *kicks, const int *members, int count, const carom_kick_buffer *room,
                                   double *mass, carom_block *block, carom_error *error);

// When a group kicks next, from the start of the run.
static inline double carom_kick_time(const carom_kick_group *group) {
    return *group->number * group->step;
}

// Keeps the forces of members [begin, end) of a batch for those elements that keep theirs.
void carom_kick_batch_keep(const carom_kicks *kicks, const carom_kick_group *group, int begin, int end);

// Sums up the forces of a batch on node i of its group, in the order of the members.
static inline void carom_kick_gather(const carom_kick_batch *batch, int i, double f[3]) {
    f[0] = f[1] = f[2] = 0;
    carom_slots_gather(batch->slots, batch->gather, batch->gather_begin[i], batch->gather_begin[i + 1], f);
}

// The forces f of element i on its nodes, which are at x + t w; kicks->q holds where that is.
void carom_kick_force(carom_kicks *kicks, int i, const carom_kicker *kicker, const double (*x)[3], const double (*w)[3],
                      double t, const struct carom_kick_instant *now);

// A function that only fetches has no effect that compilers know of, and calls of it are left out unless it is inlined early.
#define CAROM_FETCH static inline __attribute__((always_inline))

// Brings what a group of one element has closer to the processor; the group should be there.
CAROM_FETCH void carom_kick_fetch(const carom_kicks *kicks, const carom_kick_group *group) {
    if (group->count > 1)
        return;
    const carom_kick_block *b = carom_kick_block_of(kicks, group->first);
    const char *record = b->records + (int64_t)(group->first - b->begin) * b->stride;
    __builtin_prefetch(group->number);
    for (int line = 0; line < b->stride; line += 64)
        __builtin_prefetch(record + line);
}

// The same for its nodes; the record should be there.
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

// Adds the velocity change that leads the velocity w of a node to `time`, by the forces of the last kicks of its elements and
// without restraints. The elements of the node must keep their forces.
void carom_kicks_centre(const carom_kicks *kicks, int node, double time, double change[3]);

#endif
