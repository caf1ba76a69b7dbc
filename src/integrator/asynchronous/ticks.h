// SPDX-License-Identifier: MIT
// The contact clock: nodes that may touch something soon are kicked at common times, the ticks of one clock, by all elements that have such a node
// (docs/theory/asynchronous.md). Between two ticks they fly straight together, so that contact is that of newmark-dcr (contact_step.h). Elements without
// such a node keep their own steps.
//
// A span of time begins with the choice of the nodes: those whose surfaces may come near each other while no node leaves its straight way by more than an allowance. Should
// one leave it farther, the span has to be run again with more. The span ends with a tick.
//
// Kicks cover time. Elements on the clock have covered the time up to half a step after the last tick, and some have a lead. An element comes at the
// beginning of a span and goes with a kick of its own step (carom_ticks_let_go), each time with a kick that covers what lies between.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_TICKS_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_TICKS_H

#include "integrator/asynchronous/flight.h"
#include "integrator/contact_step.h"
#include "integrator/search.h"

// Elements of one block that are on the clock.
typedef struct carom_ticks_batch {
    carom_block block;
    int count;
    int *members; // ascending
    int *nodes;   // of the block
    double *data; // likewise
    double *slots;
    int64_t capacity;
} carom_ticks_batch;

// Live loads, which are one more element to the clock.
typedef struct carom_ticks_loads {
    const int *nodes;
    int count;
    double step;    // their own
    double covered; // the time up to which they have kicked, from the start of the run
} carom_ticks_loads;

// Start from {0}.
typedef struct carom_ticks {
    carom_flight *flight;
    carom_search search;
    carom_contact_step contact;
    double *
        numbers; // step of the last ticks, largest speed given by the last, allowance used per time, length that the next span may have; part of the state, as are the next three
    double *away;        // per element, and live loads after all of them: 1 if on the clock
    double *lead;        // likewise: time covered beyond that of the clock
    double (*middle)[3]; // per node: velocity in the middle of the last tick
    double step;         // of the ticks; 0 if there are none
    int tick, tick_count;
    double least_step; // the clock need not tick faster
    double allowance;
    double used;   // of it, squared
    double way;    // allowance, and half of the way of the fastest node
    bool outran;   // a node left its straight way farther than allowed
    bool *touches; // per node: it can touch something
    bool *on;      // per node: it is on the clock
    int *carried;  // all nodes of elements on the clock, and of surfaces around nodes that are
    int carried_count;
    bool *is_carried;
    bool *fresh;           // per node: one of its elements has just come
    bool *wanted;          // per element and loads: it has a node on the clock
    int *gone;             // per group of equal steps: how many of its elements are on the clock
    double *mass;          // scratch
    bool whole_known;      // `whole` is not simply what the tick gave
    carom_pair_list pairs; // those that may touch in this span
    carom_candidates fixed;
    carom_neighbours neighbours;
    carom_ticks_batch *batches;        // per block
    double (*x_line)[3], (*w_line)[3]; // per node: its straight way, x_line + t w_line
    double (*w_before)[3];             // per node: before the tick
    double (*whole)[3];                // per node: what forces give in a whole kick
    double (*answer)[3];               // per node: what contact added to the last tick
    carom_hits hits;                   // of the span, not booked yet
    int last_kick;                     // those from here on belong to the last tick
} carom_ticks;

// `least_step` is one with which all elements are stable together.
carom_status carom_ticks_create(carom_ticks *clock, carom_flight *flight, const bool *touches, double least_step,
                                carom_error *error);
void carom_ticks_release(carom_ticks *clock);

// How long the next span should be where so much of a step of the run is left. In general: a part of what is left, about equal to others, not longer than
// `longest`, of whole steps h.
double carom_ticks_span(const carom_ticks *clock, double left);
double carom_ticks_cut(double left, double longest, double h);

// An allowance to begin with.
double carom_ticks_allowance(const carom_ticks *clock);

// A span begins, of the length of the flight's step: what may touch in it, by the allowance set before. Changes nothing of what is known of the last one.
carom_status carom_ticks_choose(carom_ticks *clock, carom_error *error);

// True if bodies may touch that have no record yet.
bool carom_ticks_meets_new(const carom_ticks *clock);

// Who is on the clock. `late`: some are new or must kick at once; `fit`: the span had better be this part of it, and nothing has begun; 1 if it is fine.
carom_status carom_ticks_start(carom_ticks *clock, const carom_ticks_loads *loads, bool *late, double *fit, carom_error *error);

// The time of the next tick in the span, HUGE_VAL if there is none.
double carom_ticks_next(const carom_ticks *clock);

// A tick: elements kick; the caller kicks with other things on the clock; contact answers; nodes fly on through their impacts to the next tick. The `first`
// is at the beginning of a span, for those that are late, and is no tick proper. `undriven`, per restraint: velocities of nodes before they were driven; NULL if they
// were not. Returns how many elements kicked.
int carom_ticks_kick(carom_ticks *clock, double t, bool first, const double (*undriven)[3]);
carom_status carom_ticks_answer(carom_ticks *clock, double t, bool first, carom_error *error);
carom_status carom_ticks_fly(carom_ticks *clock, carom_error *error);

// For how long element i kicks at the present tick.
double carom_ticks_weight(carom_ticks *clock, int i, bool first);

// True if element i is on the clock.
static inline bool carom_ticks_has(const carom_ticks *clock, int i) {
    return clock->away && clock->away[i] > 0;
}

// An element on the clock that would kick with its own step h at time t: the weight of that kick if it goes, 0 if it stays.
double carom_ticks_let_go(carom_ticks *clock, int i, double h, double t);

// At the end of a span: how far ahead of it element i on the clock has kicked.
static inline double carom_ticks_ahead(const carom_ticks *clock, int i) {
    return 0.5 * clock->step + clock->lead[i];
}

// Nodes that are not on the clock were kicked.
void carom_ticks_watch(carom_ticks *clock, const int *nodes, int count);

// The span holds: books what happened in it. With `last` the step is over as well, and the last tick is left: it acts half on the time to come.
void carom_ticks_book(carom_ticks *clock, bool last);
void carom_ticks_book_last(carom_ticks *clock);

// Velocities v at the end of the span have half of the answer to its last tick.
void carom_ticks_halve(const carom_ticks *clock, double (*v)[3]);

#endif
