// SPDX-License-Identifier: MIT
// When the elements of a body that is followed are examined: each batch at its own times.
#ifndef CAROM_INTEGRATOR_EXAMINATION_TIMES_H
#define CAROM_INTEGRATOR_EXAMINATION_TIMES_H

#include "model/node_elements.h"
#include "model/state.h"

// Start from {0}.
typedef struct carom_examination_times {
    const carom_model *model;
    const carom_state *state;
    double step;      // of all drifts while looks are rare
    const int *first; // per block: number of its first batch; the number of all batches last
    const carom_vicinity *near;
    double *kicks;      // both part of the state: kicks so far; 0: nothing has been examined
    double *due;        // per batch: the kick at which it is examined
    double *called;     // per batch: the kick at which a node has last made it due sooner
    double *until;      // per node: no batch of it is due later; saves time and changes nothing
    int *changes;       // nodes whose `until` has changed since a device was told of it, some perhaps twice;
    int change_count;   // -1: all
    double next;        // no batch is due before this kick
    int64_t generation; // of the state that `until` was derived from
    int *found;         // scratch, as many numbers as there are batches or nodes
} carom_examination_times;

// Registers what must survive a restart. `near` knows the batches of the model.
carom_examination_times carom_examination_times_create(const carom_model *model, carom_state *state, double step,
                                                       const carom_vicinity *near, carom_arena *arena, bool *enough);

// Nodes that a device keeps (device_motion.h): which nodes are here, and those of the others that were pushed too hard for
// their elements to wait, with the squares of |w - v|.
typedef struct carom_check_remote {
    const int *here;
    int here_count;
    const int *pushed;
    const double *squares;
    int count;
} carom_check_remote;

// What is derived from the state, if that has been replaced by another. Then counts a kick.
void carom_examination_times_derive(carom_examination_times *times);
void carom_examination_times_start(carom_examination_times *times);
// A node was pushed too hard if |w - v|^2 m^2 is not at most this, with m = (until - now + 1) (until - now + 2) where
// until > now = kicks.
double carom_examination_times_most(const carom_examination_times *times);
// Then adds the batches that are due to `near`; w are the velocities of the drift before the kick. `elsewhere` is NULL if all
// nodes are here.
void carom_examination_times_count(carom_examination_times *times, const double (*w)[3], const carom_check_remote *elsewhere,
                                   carom_vicinity *near);

// Notes that a batch is examined at this kick, and that its elements are compressed or extended at `rate` at
// most: chooses when it is due again. Threads may note different batches at once. A device must be told that their nodes have
// changed.
void carom_examination_times_note(carom_examination_times *times, carom_batch batch, double rate, const double (*w)[3]);

// A batch that never needs to be examined.
void carom_examination_times_dismiss(carom_examination_times *times, carom_batch batch);

// `until` of these nodes may have changed.
void carom_examination_times_note_changes(carom_examination_times *times, const int *nodes, int count);

// Before all batches are noted.
void carom_examination_times_renew(carom_examination_times *times);

#endif
