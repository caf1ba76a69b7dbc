// SPDX-License-Identifier: MIT
// Ticks are the common times at which nodes that may touch something soon are kicked, by all elements that have such a node
// (docs/theory/asynchronous.md). Between two ticks these nodes have constant velocities, so contact is that of newmark-dcr
// (contact_step.h). Elements without such a node keep their own steps.
//
// At the beginning of a span the nodes are chosen: those whose surfaces may come near each other while no node leaves its
// straight path by more than an allowance. If a node does, the span must be repeated with a larger allowance. A span ends with
// a tick.
//
// A kick of length h at t covers the time from t - h/2 to t + h/2. Elements with ticks have covered the time up to half a step
// after the last tick, plus a lead. An element joins at the beginning of a span and leaves at a kick of its own step
// (carom_ticks_leave), both with a kick that covers the time in between.
//
// The members of ticks are numbered: elements, then one member for all live loads, then one for all rigid bodies, which always
// have ticks. In a model without exact contact and rigid bodies there are no ticks: functions marked (*) then accept NULL.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_TICKS_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_TICKS_H

#include "contact/impact/energy_accounts.h"
#include "integrator/asynchronous/element_step_division.h"
#include "integrator/asynchronous/load_kicks.h"
#include "math/exact.h"

typedef struct carom_ticks carom_ticks;

// Deviations of nodes from their straight paths.
typedef struct carom_ticks_noted {
    double used;   // largest square of a deviation
    bool exceeded; // a deviation was larger than the allowance
} carom_ticks_noted;

// `touches`, per node: it can touch something. `beta`: steps over critical steps. Registers what must survive a restart.
carom_status carom_ticks_create(carom_flight *flight, carom_load_kicks *loads, carom_levels *levels, const bool *touches,
                                double beta, carom_ticks **ticks, carom_error *error);
void carom_ticks_release(carom_ticks *ticks); // (*)

// Length of the next span if the time `left` remains of a step of the run.
double carom_ticks_span(const carom_ticks *ticks, double left);
// The same after carom_ticks_start has returned a fraction of the present span.
double carom_ticks_shorter_span(const carom_ticks *ticks, double left, double fraction);
// Divides `left` into about equal parts not longer than `longest`, in whole steps h if possible; returns the length of one.
double carom_ticks_cut(double left, double longest, double h);

// Sets the allowance of a span: at first, and after a node has exceeded it.
void carom_ticks_allow(carom_ticks *ticks);
void carom_ticks_allow_more(carom_ticks *ticks);

// At the beginning of a span as long as the flight's step: finds the contacts that are possible in it. The state is not
// changed.
carom_status carom_ticks_choose(carom_ticks *ticks, carom_error *error);

// True if two bodies may touch that have no record as a pair yet.
bool carom_ticks_meet_new(const carom_ticks *ticks);

// Gives ticks to the elements of the chosen nodes, removes leads, and flies to the first tick. `driven`: prescribed velocities
// have just changed from those of `undriven`, one per restraint (NULL if none ever changes). *fraction becomes 1, or less if
// the span should be shortened to that part: then nothing has been done.
carom_status carom_ticks_start(carom_ticks *ticks, bool driven, const double (*undriven)[3], double *fraction,
                               carom_error *error);

// The time of the next tick in the span, HUGE_VAL if there is none. (*)
double carom_ticks_next(const carom_ticks *ticks);

// The tick at time t: elements and loads kick, contact forces are solved for, and nodes fly through impacts to the next tick.
carom_status carom_ticks_tick(carom_ticks *ticks, double t, carom_error *error);

// True if the span must be repeated: a node left its straight path by more than the allowance, or the span must be shorter. (*)
bool carom_ticks_must_repeat(const carom_ticks *ticks);
// The part of the span, in whole ticks, after which an element requires shorter ticks; 1 if none does.
double carom_ticks_tight_part(const carom_ticks *ticks);

// Per member: 1 if it has ticks, 0 if not. NULL if there are no ticks. (*)
const double *carom_ticks_on_tick(const carom_ticks *ticks);
// True if element i has ticks; true if any element of a group of equal steps has. (*)
bool carom_ticks_has(const carom_ticks *ticks, int i);
bool carom_ticks_has_any(const carom_ticks *ticks, int group);

// Called when an element with ticks would kick with its own step h at time t: the length of that kick if it leaves the ticks
// now, 0 if it stays.
double carom_ticks_leave(carom_ticks *ticks, int i, double h, double t);

// Notes the deviations of nodes that were kicked outside of a tick: all of which can touch something, or any nodes. (*)
void carom_ticks_note_paths(const carom_ticks *ticks, const int *nodes, int count, carom_ticks_noted *noted);
void carom_ticks_note_touching_paths(const carom_ticks *ticks, const int *nodes, int count, carom_ticks_noted *noted);
// The deviations by which the span is judged; NULL without ticks. (*)
carom_ticks_noted *carom_ticks_notes(carom_ticks *ticks);

// Records the impacts of a span that is accepted. `last`: it is the last of the step of the run, and the hits of its last tick
// are left for carom_ticks_book_last, since half of that tick acts on the time after the step.
void carom_ticks_book(carom_ticks *ticks, bool last);
void carom_ticks_book_last(carom_ticks *ticks);

// At the end of a span: the time after it that element i, which has ticks, has covered.
double carom_ticks_ahead(const carom_ticks *ticks, int i);

// The interval of the last ticks.
double carom_ticks_step(const carom_ticks *ticks);

// The accounts of bouncing pairs; NULL without restitution. (*)
const carom_debts *carom_ticks_debts(const carom_ticks *ticks);

// Subtracts half of the contact impulses of the last tick from the velocities v at the end of the span.
void carom_ticks_subtract_half_contact(const carom_ticks *ticks, double (*v)[3]);

// Sets the velocities of rigid bodies at the end of the span; the loads of that half kick are added to `sum`. (*)
void carom_ticks_rigid_velocities(const carom_ticks *ticks, carom_state *state, carom_accounts *sum);
// Adds the kicks of springs in a tick: velocity changes, for nodes of rigid bodies impulses. (*)
void carom_ticks_springs_impulses(const carom_ticks *ticks, const carom_state *state, carom_vectors change);
// Adds the energy of rigid bodies at the end of the span, less the energy that kicks conserve. `impulse`, per node of a rigid
// body: impulse of elements and springs in a tick.
void carom_ticks_rigid_oscillation(const carom_ticks *ticks, const carom_state *state, const double (*impulse)[3],
                                   carom_exact *sum);

#endif
