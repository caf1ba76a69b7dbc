// SPDX-License-Identifier: MIT
// Steps of elements that follow the body: an element that has become stiffer, or is compressed fast, kicks more often.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_ELEMENT_STEP_DIVISION_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_ELEMENT_STEP_DIVISION_H

#include "integrator/asynchronous/flight.h"

// Start from {0}: no step follows anything.
typedef struct carom_levels {
    carom_flight *flight;     // NULL: steps do not follow
    bool stops;               // an element that is inside out ends the run
    double *looks;            // per group, then for the ticks: kicks until the next look; then 1 if bodies have just hit each
                              // other; part of the state
    double *record;           // CAROM_RECORD_* (step_control.h); part of the state
    double *shortest;         // step of any element so far; part of the state
    bool *follows;            // per block: its elements can stiffen
    int *ends;                // per block: where the nodes of its elements begin among those of all
    double *mass;             // per node of each element: what of the mass there is the element's
    double *calm;             // per node of each element: share of the bound up to which strains are small
    double *reference;        // per element: stable step at the reference, by its bound
    double *near;             // per element: the longest step of a neighbour
    double *length;           // per element: its kick at present, in units of its step
    int *divided;             // per group: members with shorter steps
    int stiff;                // elements that limit the steps of their neighbours
    int finest;               // level of any element since the span began
    double nominal;           // kicks of all elements per time, undivided
    double *share, *measures; // scratch: of the bounds
    carom_vectors rest;       // zero
} carom_levels;

// `mass`: per node of each element, block after block, as carom_kick_steps divides it; copied. Registers what must survive a
// restart; memory comes from the arena.
carom_status carom_levels_create(carom_levels *levels, carom_flight *flight, const double *mass, carom_arena *arena,
                                 carom_error *error);

// A span begins, or a state was put back: counts anew.
void carom_levels_begin(carom_levels *levels);

// The kick of a group at time t of the flight: chooses the steps to come of its members, except for those with ticks, and their
// lengths. `away`, per element: 1 if it has ticks; NULL: none has. *divided: some differ from that of the group.
carom_status carom_levels_kick_group(carom_levels *levels, int group, const double *away, double t, bool *divided,
                                     carom_error *error);
// The kick of an element between two kicks of its group; levels->length holds its length.
carom_status carom_levels_kick_part(carom_levels *levels, int i, double t, carom_error *error);
// When that is due next, from the start of the run; HUGE_VAL: with its group.
double carom_levels_due(const carom_levels *levels, int i);

// The steps that elements which have ticks, or are `wanted` there, may take at the beginning of a span.
carom_status carom_levels_choose(carom_levels *levels, const bool *wanted, const double *away, carom_error *error);
// At a tick: true if ticks at intervals `step` are too long for some of the elements of a block, which are those of block `b`
// of the model with the numbers `members`, at the positions kicks.place. *rate becomes the fastest compression if it is larger.
bool carom_levels_are_tight(carom_levels *levels, int b, const carom_block *block, const int *members, double step,
                            double *rate);

// Looks again at the elements with ticks after so many of those, or at once if there were hits.
bool carom_levels_tick_is_due(carom_levels *levels, bool hit);
void carom_levels_note_tick(carom_levels *levels, double rate, double h);
// A span is over in which bodies hit each other, or not: after hits waves run through the elements, and looks are closer.
void carom_levels_note_hits(carom_levels *levels, bool hit);

// CAROM_NUMERICAL if elements have kicked so often since the count `before` of kicks that the step of the run will not end.
carom_status carom_levels_judge(const carom_levels *levels, double before, double window, carom_error *error);

#endif
