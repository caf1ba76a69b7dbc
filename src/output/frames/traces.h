// SPDX-License-Identifier: MIT
// The effect of contact on each node between two frames: the mean force, and whether the node stuck or
// slid.
#ifndef CAROM_OUTPUT_FRAMES_TRACES_H
#define CAROM_OUTPUT_FRAMES_TRACES_H

#include "carom/state.h"
#include "contact/response.h"

// Contact state of a node over an interval; the same numbers appear in the field files.
typedef enum carom_touch {
    CAROM_TOUCH_NONE,  // no impulse
    CAROM_TOUCH_STICK, // impulses, all within the friction cone
    CAROM_TOUCH_SLIP,  // at least one impulse slid, or there is no friction
} carom_touch;

// One node since the last frame. Plain numbers, stored in a checkpoint as they are.
typedef struct carom_trace {
    double impulse[3]; // of contact at the last frame, as in carom_state_impulses
    // The first step since then with an impulse, and with one that slid; INT64_MAX: none. The first step remains valid if
    // later steps are discarded.
    int64_t touched, slid;
} carom_trace;

// Start from {0}.
typedef struct carom_traces {
    int count; // nodes
    carom_trace *items;
    double time; // of the last frame
} carom_traces;

// Creates traces for time 0, when no node has received an impulse.
carom_status carom_traces_create(const carom_model *model, carom_traces *traces, carom_error *error);
void carom_traces_release(carom_traces *traces);
// Begins a new interval at a frame of the present state. A state at step 0 does not change the traces: the
// impulse of the first kick counts for the interval that follows.
void carom_traces_begin(carom_traces *traces, const carom_state *state);
// Records an impulse and the step that it belongs to.
void carom_traces_record(carom_traces *traces, const carom_model *model, const carom_hit *hit, int64_t step);

// Force on a node, averaged since the last frame; 0 at that frame itself.
void carom_traces_force(const carom_traces *traces, const carom_state *state, int node, double force[3]);
carom_touch carom_traces_touch(const carom_traces *traces, const carom_state *state, int node);

#endif
