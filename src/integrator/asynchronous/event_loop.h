// SPDX-License-Identifier: MIT
// The event loop of `asynchronous`: kicks (velocity changes by the forces) of elements and live loads, polls for overlap, and
// ticks (common kicks of all nodes near exact contact), in the order of time.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_EVENT_LOOP_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_EVENT_LOOP_H

#include "base/profile.h"
#include "integrator/asynchronous/calendar.h"
#include "integrator/asynchronous/overlap_polls.h"
#include "integrator/asynchronous/ticks.h"

// Groups of bodies with their own calendars, which run in parallel between ticks (event_lanes.c).
typedef struct carom_event_lanes carom_event_lanes;

// Start from {0}. The caller makes flight, loads, and ticks or polls.
typedef struct carom_event_loop {
    carom_flight flight;
    carom_load_kicks loads;
    carom_ticks *ticks;        // of exact contact; NULL if nothing can touch, or contact is polled
    bool is_polled;            // contact is found by polls,
    carom_overlap_polls polls; // these

    carom_levels levels; // adaptive steps of elements
    double kicks_before; // kicks of elements before the present step of the run
    double window;       // length of that step

    // numbers of events: first groups of elements, then live loads, polls, and elements with divided steps
    int load_event; // -1 if there are no live loads
    int first_part; // events from this number on are kicks of elements with divided steps
    int first_poll;
    carom_calendar calendar;
    carom_event_lanes *lanes; // NULL: one loop for all bodies
    carom_ticks_noted *noted; // kicks outside of ticks are noted here; NULL without ticks
    double *factor;           // per member of a group: scratch, length of its kick over that of the group
    double *part;             // per node: scratch, the sum of these over its elements
    carom_profile *profile;
} carom_event_loop;

// Numbers the events and creates a calendar for spans not longer than `longest`. Scratch memory comes from the arena.
carom_status carom_event_loop_create(carom_event_loop *loop, double longest, carom_arena *arena, carom_error *error);
void carom_event_loop_release(carom_event_loop *loop);

// All events from the beginning of the flight to the time `end` of the run. Stops early if a node has left its path by more
// than the allowance of the ticks.
carom_status carom_event_loop_run(carom_event_loop *loop, double end, carom_error *error);

// Adds an event to the calendar if it is due before `end`. False if memory is short.
bool carom_event_loop_add(carom_event_loop *loop, int event, double end);

// Executes the next event of the calendar, which must have one, and adds it again at its next time.
carom_status carom_event_loop_next(carom_event_loop *loop, double end, carom_error *error);

// Sets loop->lanes. It stays NULL if kicks are recorded in their order or depend on each other otherwise, if large groups of
// elements occupy the threads by themselves, or if a few bodies have most of the work.
carom_status carom_event_lanes_create(carom_event_loop *loop, double longest, carom_error *error);
void carom_event_lanes_release(carom_event_lanes *lanes); // NULL: nothing
// As carom_event_loop_run, with the same bits.
carom_status carom_event_lanes_run(carom_event_lanes *lanes, double end, carom_error *error);

#endif
