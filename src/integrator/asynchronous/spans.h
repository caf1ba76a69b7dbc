// SPDX-License-Identifier: MIT
// A step of the run with exact contact, as one or several spans of time. A span is repeated with a larger allowance until no
// node leaves its straight path by more than the allowance for which the list of contacts was made.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_SPANS_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_SPANS_H

#include "integrator/asynchronous/event_loop.h"
#include "integrator/stepper.h"

typedef struct carom_spans {
    carom_event_loop *loop;
    carom_stepper *stepper;        // whose velocities for output may be stale
    carom_const_vectors undriven;  // per restraint: velocity of its node before it was driven; NULL if none is
    carom_exact_accounts *contact; // pending accounts of contact at the beginning of a step
    double *saved;                 // the state at the beginning of a span; owned
} carom_spans;

// Called after all arrays of the state have been registered: spans keep a copy of them.
carom_status carom_spans_create(carom_spans *spans, carom_error *error);
void carom_spans_release(carom_spans *spans);

// Runs from the beginning of the flight to the time `end`. *finite is false if a position is not.
carom_status carom_spans_run(carom_spans *spans, double end, bool *finite, carom_error *error);

// Moves all nodes to the end of the flight; false if a position is not finite.
bool carom_spans_move_nodes(carom_flight *flight);

#endif
