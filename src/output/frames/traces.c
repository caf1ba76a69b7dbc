// SPDX-License-Identifier: MIT
// Records what contact does to each node between two frames: the mean force, and whether the node stuck or slid. The force on a
// node between two frames is the impulse it received divided by the time. The impulse is part of the state; the contact state
// (stick or slip) is determined from the reported impulses. A report may belong to a step that is discarded later, so traces
// store the first step with a contact instead of a flag: it counts only if that step is not beyond the state.
#include "output/frames/traces.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/state.h"

carom_status carom_traces_create(const carom_model *model, carom_traces *traces, carom_error *error) {
    *traces = (carom_traces){.count = model->node_count};
    traces->items = carom_allocate(model->node_count, sizeof *traces->items);
    if (!traces->items)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the contact of nodes");
    for (int k = 0; k < traces->count; k++)
        traces->items[k].touched = traces->items[k].slid = INT64_MAX;
    return CAROM_OK;
}

void carom_traces_release(carom_traces *traces) {
    free(traces->items);
    *traces = (carom_traces){0};
}

void carom_traces_begin(carom_traces *traces, const carom_state *state) {
    // the first kick belongs to the interval that follows, see the header
    if (state->step == 0)
        return;
    traces->time = state->time;
    for (int k = 0; k < traces->count; k++) {
        carom_copy(state->impulse[k], traces->items[k].impulse);
        traces->items[k].touched = traces->items[k].slid = INT64_MAX;
    }
}

void carom_traces_record(carom_traces *traces, const carom_model *model, const carom_hit *hit, int64_t step) {
    const carom_contact *contact = &hit->contact;
    // without friction every contact slides
    bool slides = hit->slips || carom_contact_law_of(&model->laws, contact->body).friction == 0;
    for (int k = 0; k < contact->count; k++) {
        carom_trace *trace = &traces->items[contact->node[k]];
        // a contact at a corner of a face has no impulse on the other nodes
        if (contact->weight[k] == 0)
            continue;
        trace->touched = step < trace->touched ? step : trace->touched;
        if (slides)
            trace->slid = step < trace->slid ? step : trace->slid;
    }
}

void carom_traces_force(const carom_traces *traces, const carom_state *state, int node, double force[3]) {
    double passed = state->time - traces->time;
    for (int i = 0; i < 3; i++)
        force[i] = passed > 0 ? (state->impulse[node][i] - traces->items[node].impulse[i]) / passed : 0;
}

carom_touch carom_traces_touch(const carom_traces *traces, const carom_state *state, int node) {
    const carom_trace *trace = &traces->items[node];
    if (trace->touched > state->step)
        return CAROM_TOUCH_NONE;
    return trace->slid > state->step ? CAROM_TOUCH_STICK : CAROM_TOUCH_SLIP;
}
