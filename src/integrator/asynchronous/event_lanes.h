// SPDX-License-Identifier: MIT
// The event loop of many bodies: between two ticks the kicks of a body touch no node of another.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_EVENT_LANES_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_EVENT_LANES_H

#include "integrator/asynchronous/event_loop.h"

// Some bodies each, with a calendar of their own.
typedef struct carom_event_lanes carom_event_lanes;

// Sets loop->lanes. It stays NULL if kicks are booked in their order or depend on each other in another way, if large groups
// of elements occupy threads by themselves, or if most of the work is that of a few bodies.
carom_status carom_event_lanes_create(carom_event_loop *loop, double longest, carom_error *error);
void carom_event_lanes_release(carom_event_lanes *lanes); // NULL: nothing

// All events as by carom_event_loop_run, with the same bits.
carom_status carom_event_lanes_run(carom_event_lanes *lanes, double end, carom_error *error);

#endif
