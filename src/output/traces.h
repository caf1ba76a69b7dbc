// SPDX-License-Identifier: MIT
// What contact did to each node between two frames: the mean force, and whether it slid.
#ifndef CAROM_OUTPUT_TRACES_H
#define CAROM_OUTPUT_TRACES_H

#include "carom/state.h"
#include "contact/response.h"

// State of contact of a node over an interval; also the numbers in the field files.
typedef enum carom_touch {
    CAROM_TOUCH_NONE,  // no impulse
    CAROM_TOUCH_STICK, // impulses, and friction held all of them
    CAROM_TOUCH_SLIP,  // at least one impulse slid, or there is no friction
} carom_touch;

// One node since the last frame; plain numbers, to be put into a checkpoint as they are.
typedef struct carom_trace {
    double impulse[3]; // of contact at the last frame, as in carom_state_impulses
    int64_t touched,
        slid; // the first step since then with an impulse, with one that slid; INT64_MAX: none. First ones stay true when steps
              // are taken back
} carom_trace;

// Start from {0}.
typedef struct carom_traces {
    int count; // nodes
    carom_trace *items;
    double time; // of the last frame
} carom_traces;

// Starts at time 0 with the impulses of a state that has had none.
carom_status carom_traces_create(const carom_model *model, carom_traces *traces, carom_error *error);
void carom_traces_release(carom_traces *traces);
// Starts anew from a frame at the present state. A state of time 0 is left alone: what its first kick gave counts for the time that follows.
void carom_traces_begin(carom_traces *traces, const carom_state *state);
// Hears of an impulse that belongs to a step.
void carom_traces_hear(carom_traces *traces, const carom_model *model, const carom_hit *hit, int64_t step);

// Force on a node, averaged since the last frame; 0 at that frame itself.
void carom_traces_force(const carom_traces *traces, const carom_state *state, int node, double force[3]);
carom_touch carom_traces_touch(const carom_traces *traces, const carom_state *state, int node);

#endif
