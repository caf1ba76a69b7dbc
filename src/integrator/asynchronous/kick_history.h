// SPDX-License-Identifier: MIT
// Materials with history under kicks of single elements. Theory: docs/theory/inelastic.md
//
// Every kick of an element commits its history (makes the values of that kick final), with the time since its last commit. The
// committed history is a separate array of the state, like the drift velocities. The history for output is a copy in which
// every element has been advanced from its last commit to the common time.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_KICK_HISTORY_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_KICK_HISTORY_H

#include "integrator/asynchronous/kicks.h"

// Time and purpose of an evaluation of forces.
typedef struct carom_kick_instant {
    double time;          // of the run
    carom_use use;        // CAROM_USE_COMMIT or CAROM_USE_TRIAL
    double next;          // the next step; 0: that of each element
    const double *length; // per member: length of its kick; 0: it does not commit. NULL: all kick
} carom_kick_instant;

// Registers the committed history and binds the blocks of the kicks to it; does nothing without history. False if memory is
// short.
bool carom_kick_history_register(carom_kicks *kicks, carom_state *state);

// Copies the history of the state at the start of a run. Points outside the yield surface are returned to it at once. `slots`
// is scratch for the forces of all elements.
void carom_kick_history_start(carom_kicks *kicks, carom_state *state, double *slots);

// Copies the histories, without losses, of members [begin, end) to their block: for checks of adaptive steps.
void carom_kick_history_load(const carom_kicks *kicks, const carom_block *block, const int *members, int begin, int end);

// The forces of members [begin, end) of a block made of them (carom_kick_block_fill), at the positions kicks->place. `begin` is
// the first of a batch. Different ranges may be computed in parallel.
void carom_kick_members_force(const carom_kicks *kicks, const carom_block *block, const int *members, int begin, int end,
                              const carom_kick_instant *now, double *slots);

// The forces of element i alone, which is number e of its block.
void carom_kick_one_force(const carom_kicks *kicks, const carom_kick_block *own, int i, const carom_kick_instant *now);

// Copies the committed histories and losses to those for output.
void carom_kick_history_show(const carom_kicks *kicks, carom_state *state);
// Advances the output history of elements [begin, end) of block b to `time` at the positions x, and computes their forces.
void carom_kick_history_lead(const carom_kicks *kicks, int b, int begin, int end, double time, const double (*x)[3],
                             double *slots);

#endif
