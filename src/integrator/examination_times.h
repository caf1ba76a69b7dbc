// SPDX-License-Identifier: MIT
// When the elements of a body with an adaptive step are examined for a shorter step: each batch (elements that are evaluated
// together) at its own times.
#ifndef CAROM_INTEGRATOR_EXAMINATION_TIMES_H
#define CAROM_INTEGRATOR_EXAMINATION_TIMES_H

#include "model/node_elements.h"
#include "model/state.h"

// Start from {0}.
typedef struct carom_examination_times {
    const carom_model *model;
    const carom_state *state;
    double step;      // of all drifts while steps are whole
    const int *first; // per block: number of its first batch; the number of all batches last
    const carom_vicinity *near;
    double *kicks;       // part of the state: kicks so far; 0: nothing has been examined
    double *due;         // part of the state, per batch: the kick at which it is examined
    double *advanced_at; // per batch: the kick at which a node has last made it due sooner
    double *until;       // per node: no batch of it is due later; saves time, results do not depend on it
    int *changes;        // nodes whose `until` has changed since it was sent to a device, possibly with repetitions
    int change_count;    // their number; -1: all nodes
    double next;         // no batch is due before this kick
    int64_t generation;  // of the state from which `until` was derived
    int *found;          // scratch, as many numbers as there are batches or nodes
} carom_examination_times;

// Registers what must survive a restart. `near` provides the numbering of the batches.
carom_examination_times carom_examination_times_create(const carom_model *model, carom_state *state, double step,
                                                       const carom_vicinity *near, carom_arena *arena, bool *enough);

// For motion that stays on a device (device_motion.h): the nodes of the processor (`here`), and those nodes of the device that
// the last kick has changed too much for their elements to wait (`pushed`), with their squares of |w - v|.
typedef struct carom_check_remote {
    const int *here;
    int here_count;
    const int *pushed;
    const double *squares;
    int count;
} carom_check_remote;

// Derives `until` from the state if that has been replaced; `start` does so and counts a kick.
void carom_examination_times_derive(carom_examination_times *times);
void carom_examination_times_start(carom_examination_times *times);
// The threshold for nodes with until > now = kicks: the velocity change is too large unless |w - v|^2 m^2 is at most this, with
// m = (until - now + 1) (until - now + 2).
double carom_examination_times_most(const carom_examination_times *times);
// After `start`: adds the batches that are due to `near`; w are the velocities of the drift before the kick. `remote` is NULL
// if no motion stays on a device.
void carom_examination_times_count(carom_examination_times *times, const double (*w)[3], const carom_check_remote *remote,
                                   carom_vicinity *near);

// Notes that a batch is examined at this kick, and that its elements are compressed or extended at `rate` at most: chooses when
// it is due again. Threads may note different batches at once. The changed `until` of its nodes must be sent to a device
// (carom_examination_times_note_changes).
void carom_examination_times_note(carom_examination_times *times, carom_batch batch, double rate, const double (*w)[3]);

// Marks a batch that never needs to be examined.
void carom_examination_times_dismiss(carom_examination_times *times, carom_batch batch);

// Notes that `until` of these nodes may have changed.
void carom_examination_times_note_changes(carom_examination_times *times, const int *nodes, int count);

// Call before all batches are noted.
void carom_examination_times_renew(carom_examination_times *times);

#endif
