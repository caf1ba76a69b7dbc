// SPDX-License-Identifier: MIT
// Adaptive steps of elements: the step of an element that has become stiffer, or is compressed fast, is divided by 2^level.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_ELEMENT_STEP_DIVISION_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_ELEMENT_STEP_DIVISION_H

#include "integrator/asynchronous/flight.h"

// Start from {0}: no step is divided.
typedef struct carom_levels {
    carom_flight *flight;       // NULL: steps are not adaptive
    double beta;                // steps of elements over their critical steps
    bool stops;                 // an inverted element ends the run
    double *kicks_to_check;     // [group]: kicks until its elements are checked; [group_count]: ticks until those with ticks
                                // are; [group_count + 1]: 1 if the last span had impacts, else 0. Part of the state
    double *record;             // CAROM_RECORD_* (step_limit.h); part of the state
    double *shortest;           // shortest step of any element so far; part of the state
    bool *stiffens;             // per block: its elements can stiffen
    int *first_node;            // per block: offset of its first element node in `mass`
    double *mass;               // per node of each element: the element's part of the nodal mass
    double *small_strain_bound; // per node of each element: stiffness bound up to which strains count as small
    double *reference;          // per element: stable step of the reference configuration, by its bound
    double *neighbour_step;     // per element: longest step of a neighbour
    double *length;             // per element: length of its present kick, in units of its step
    int *divided_count;         // per group: members with divided steps
    int limiting_count;         // number of elements that limit the steps of their neighbours
    int finest_level;           // finest level of an element since the span began
    double undivided_rate;      // kicks of all elements per time with undivided steps
    double *stiffness_bound, *measures; // scratch: results of the bounds of the elements
    carom_vectors zero_velocities;      // all zero: the bounds need no other velocities
} carom_levels;

// `beta`: steps over critical steps. `mass`: per node of each element, block after block, as carom_kick_steps divides it;
// copied. Registers what must survive a restart; memory comes from the arena.
carom_status carom_levels_create(carom_levels *levels, carom_flight *flight, double beta, const double *mass,
                                 carom_arena *arena, carom_error *error);

// At the beginning of a span, or after a state was restored: counts divided and limiting elements again.
void carom_levels_begin(carom_levels *levels);

// The kick of a group at time t of the flight: chooses the next steps and the present kick lengths of its members, except for
// those with ticks. `on_tick`, per element: 1 if it has ticks; NULL: none has. *divided: some lengths differ from that of the
// group.
carom_status carom_levels_kick_group(carom_levels *levels, int group, const double *on_tick, double t, bool *divided,
                                     carom_error *error);
// The kick of an element between two kicks of its group; levels->length holds its length.
carom_status carom_levels_kick_part(carom_levels *levels, int i, double t, carom_error *error);
// When element i kicks next by itself, from the start of the run; HUGE_VAL: with its group.
double carom_levels_due(const carom_levels *levels, int i);

// Chooses the levels of elements that have ticks, or are `wanted` there, at the beginning of a span.
carom_status carom_levels_choose(carom_levels *levels, const bool *wanted, const double *on_tick, carom_error *error);
// At a tick: true if the interval `step` of ticks is too long for one of the elements of `block`, which are elements `members`
// of block `b` of the model, at the positions kicks.place. *rate is raised to the largest compression rate.
bool carom_levels_are_tight(carom_levels *levels, int b, const carom_block *block, const int *members, double step,
                            double *rate);

// Counts down the ticks until the elements with ticks are checked; true if they are to be checked now, or after a `hit`.
bool carom_levels_tick_is_due(carom_levels *levels, bool hit);
void carom_levels_note_tick(carom_levels *levels, double rate, double h);
// At the end of a span, with impacts or without, and after an impact that a poll has found: impacts send waves through the
// elements, which are then checked more often.
void carom_levels_note_hits(carom_levels *levels, bool hit);

// CAROM_NUMERICAL if elements have kicked far more often than with undivided steps since the count `before` of kicks.
carom_status carom_levels_check_kicks(const carom_levels *levels, double before, double window, carom_error *error);

#endif
