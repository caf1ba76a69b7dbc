// SPDX-License-Identifier: MIT
// Laws with history under kicks of single elements. Theory: docs/theory/inelastic.md
//
// Every kick of an element commits, with the time since its last one. The history that kicks have reached belongs to them, one
// array of the state beside the one that is shown, as the velocities of the drift stand beside those that are shown: the rows,
// fields and peaks of a common time read a copy in which every element has gone on to that time.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_KICK_HISTORY_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_KICK_HISTORY_H

#include "integrator/asynchronous/kicks.h"

// When elements are asked for their forces, and what for.
typedef struct carom_kick_instant {
    double time;          // of the run
    carom_use use;        // CAROM_USE_COMMIT or CAROM_USE_TRIAL
    double next;          // the step that follows; 0: that of each element
    const double *length; // per member: of its kick; with 0 it does not commit. NULL: all kick
} carom_kick_instant;

// Registers the history of kicks and binds the blocks of the kicks to it; nothing happens without history. False if memory is
// short.
bool carom_kick_history_register(carom_kicks *kicks, carom_state *state);

// Begins with the history of the state. Points that are beyond yield at its positions flow at once. `slots` is scratch for the
// forces of all elements.
void carom_kick_history_start(carom_kicks *kicks, carom_state *state, double *slots);

// Brings the histories of members [begin, end) to those of their block, without what they have lost: for looks.
void carom_kick_history_load(const carom_kicks *kicks, const carom_block *block, const int *members, int begin, int end);

// The forces of members [begin, end) of a block made of them (carom_kick_block_fill), at the positions kicks->place. `begin` is
// the first of a batch. Members of different ranges may be asked at the same time.
void carom_kick_members_force(const carom_kicks *kicks, const carom_block *block, const int *members, int begin, int end,
                              const carom_kick_instant *now, double *slots);

// The forces of element i alone, which is number e of its block.
void carom_kick_one_force(const carom_kicks *kicks, const carom_kick_block *own, int i, const carom_kick_instant *now);

// All histories and losses as kicks have left them are shown.
void carom_kick_history_show(const carom_kicks *kicks, carom_state *state);
// Elements [begin, end) of block b of the model, as it is shown, go on to `time` at the positions x; their forces.
void carom_kick_history_lead(const carom_kicks *kicks, int b, int begin, int end, double time, const double (*x)[3],
                             double *slots);

#endif
