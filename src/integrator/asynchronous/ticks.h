// SPDX-License-Identifier: MIT
// Ticks: nodes that may touch something soon are kicked at common times by all elements that have such a node
// (docs/theory/asynchronous.md). Between two ticks they fly straight together, so contact is that of newmark-dcr
// (contact_step.h). Elements without such a node keep their own steps.
//
// A span of time begins with the choice of the nodes: those whose surfaces may come near each other while no node leaves its
// straight path by more than an allowance. If one does, the span has outrun its allowance and must be run again with more. A
// span ends with a tick.
//
// Kicks cover time. Elements with ticks have covered the time up to half a step after the last tick, plus a lead. An element
// joins at the beginning of a span and leaves with a kick of its own step (carom_ticks_let_go), each time with a kick that
// covers the time in between.
//
// Elements are counted through; the number after the last one stands for all live loads, and the next one for all rigid
// bodies, which always have ticks. In a model without exact contact and rigid bodies there are no ticks: functions marked (*)
// then accept NULL.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_TICKS_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_TICKS_H

#include "contact/impact/energy_accounts.h"
#include "integrator/asynchronous/element_step_division.h"
#include "integrator/asynchronous/load_kicks.h"
#include "math/exact.h"

typedef struct carom_ticks carom_ticks;

// How far nodes have left their straight paths.
typedef struct carom_ticks_noted {
    double used; // largest square of a deviation
    bool outran; // a deviation was larger than the allowance
} carom_ticks_noted;

// `touches`, per node: it can touch something. `beta`: steps over critical ones. Registers what must survive a restart.
carom_status carom_ticks_create(carom_flight *flight, carom_load_kicks *loads, carom_levels *levels, const bool *touches,
                                double beta, carom_ticks **ticks, carom_error *error);
void carom_ticks_release(carom_ticks *ticks); // (*)

// Length of the next span if so much of a step of the run is left.
double carom_ticks_span(const carom_ticks *ticks, double left);
// The same after carom_ticks_start has asked for a fraction of the present span.
double carom_ticks_shorter_span(const carom_ticks *ticks, double left, double fraction);
// In general: a part of `left`, about equal to the others, not longer than `longest`, of whole steps h.
double carom_ticks_cut(double left, double longest, double h);

// Sets the allowance of a span: to begin with, and after the span has outrun it.
void carom_ticks_allow(carom_ticks *ticks);
void carom_ticks_allow_more(carom_ticks *ticks);

// A span begins, of the length of the flight's step: finds the contacts that are possible in it. Leaves the state alone.
carom_status carom_ticks_choose(carom_ticks *ticks, carom_error *error);

// True if bodies may touch that have no record yet.
bool carom_ticks_meet_new(const carom_ticks *ticks);

// Takes in the elements of the chosen nodes, levels their leads, and flies to the first tick. `driven`: prescribed velocities
// have just changed from those of `undriven`, one per restraint (NULL if none ever changes). *fraction is 1, or less if the
// span should be only that part of it: then nothing has begun.
carom_status carom_ticks_start(carom_ticks *ticks, bool driven, const double (*undriven)[3], double *fraction,
                               carom_error *error);

// The time of the next tick in the span, HUGE_VAL if there is none. (*)
double carom_ticks_next(const carom_ticks *ticks);

// The tick at time t: elements and loads kick, contact answers, nodes fly on through their impacts to the next tick.
carom_status carom_ticks_tick(carom_ticks *ticks, double t, carom_error *error);

// True if a node left its straight path by more than the allowance, or the span is to be cut: it must be run again. (*)
bool carom_ticks_outran(const carom_ticks *ticks);
// The part of the span, in whole ticks, after which an element wants shorter ones; 1 if none does.
double carom_ticks_tight_part(const carom_ticks *ticks);

// Per element: 1 if it has ticks, 0 if not. NULL if nobody ever has. (*)
const double *carom_ticks_on_tick(const carom_ticks *ticks);
// True if element i has ticks; true if any element of a group of equal steps has. (*)
bool carom_ticks_has(const carom_ticks *ticks, int i);
bool carom_ticks_has_any(const carom_ticks *ticks, int group);

// An element with ticks that would kick with its own step h at time t: the length of that kick if it leaves, 0 if it stays.
double carom_ticks_let_go(carom_ticks *ticks, int i, double h, double t);

// Notes that nodes, all of which can touch something, were kicked outside of a tick; the same for any nodes. (*)
void carom_ticks_note_paths(const carom_ticks *ticks, const int *nodes, int count, carom_ticks_noted *noted);
void carom_ticks_note_touching_paths(const carom_ticks *ticks, const int *nodes, int count, carom_ticks_noted *noted);
// The notes by which the span is judged; NULL without ticks. (*)
carom_ticks_noted *carom_ticks_notes(carom_ticks *ticks);

// The span holds: books its impacts. With `last` the step of the run is over too, and the last tick is left for
// carom_ticks_book_last: half of it acts on the time to come.
void carom_ticks_book(carom_ticks *ticks, bool last);
void carom_ticks_book_last(carom_ticks *ticks);

// At the end of a span: how far ahead of it element i, which has ticks, has kicked.
double carom_ticks_ahead(const carom_ticks *ticks, int i);

// The interval of the last ticks.
double carom_ticks_step(const carom_ticks *ticks);

// The accounts of bouncing pairs; NULL if nothing bounces. (*)
const carom_debts *carom_ticks_debts(const carom_ticks *ticks);

// Takes from the velocities v at the end of the span half of the answer to its last tick.
void carom_ticks_halve(const carom_ticks *ticks, double (*v)[3]);

// The velocities of rigid bodies at the end of the span; loads that lead there are added to `sum`. (*)
void carom_ticks_rigid_velocities(const carom_ticks *ticks, carom_state *state, carom_accounts *sum);
// Adds the kicks of springs in a tick: changes of velocities, of nodes that rigid bodies carry impulses. (*)
void carom_ticks_springs_impulses(const carom_ticks *ticks, const carom_state *state, carom_vectors change);
// Adds the energy of rigid bodies at the end of the span, less that which kicks keep. `impulse`, per node that one carries:
// what elements and springs give in a tick.
void carom_ticks_rigid_oscillation(const carom_ticks *ticks, const carom_state *state, const double (*impulse)[3],
                                   carom_exact *sum);

#endif
