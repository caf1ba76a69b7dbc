// SPDX-License-Identifier: MIT
// Contact at a kick (velocity update by forces): repayment of the energy errors of impacts in the drift before it, ties, and
// the impulses that keep touching bodies from closing.
#include <string.h>

#include "base/interrupt.h"
#include "integrator/kick_drift.h"
#include "integrator/stepper.h"
#include "model/motion/restraints.h"
#include "parallel/insist.h"

carom_contact_interval carom_kick_drift_interval(carom_kick_drift *nodes, const carom_state *state, double time, double step) {
    const carom_newmark_kick *kick = &nodes->kick;
    const int *here;
    int count = carom_newmark_kick_nodes(kick, state, &here);
    carom_contact_interval interval =
        carom_contact_step_interval(&nodes->contact_step, &nodes->search, nodes->space.mobility, time, step, *kick->speed);
    interval.nodes = here;
    if (here)
        interval.node_count = count;
    interval.whole_count = kick->model->part.whole_nodes;
    interval.sweeper = carom_resident_sweeper(&nodes->resident, state);
    interval.together = nodes->space.shares ? &nodes->space.together : NULL;
    return interval;
}

// Sends the velocities after the kick of nodes of contact to all processes that share the model. The velocity changes that the
// next drift needs are kept for the other nodes as well.
static void report_kick(carom_kick_drift *nodes, const carom_state *state, carom_contact_interval *interval) {
    carom_contact_space *space = &nodes->space;
    const carom_newmark_kick *kick = &nodes->kick;
    carom_vectors kept = nodes->contact_step.kept;
    if (carom_contact_space_renew(space, state, (carom_const_vectors)kick->w_before) && kept)
        carom_contact_space_gather(space, (carom_const_vectors)kept, carom_contact_step_forces(&nodes->contact_step));
    memcpy(space->w_before, space->w, (size_t)space->model->node_count * sizeof *space->w);
    carom_contact_space_gather(space, (carom_const_vectors)kick->w, space->w);
    if (space->other)
        carom_contact_space_gather(space, (carom_const_vectors)nodes->other, space->other);
    if (kept) {
        carom_contact_interval own = *interval;
        own.mobility = kick->mobility;
        own.node_count = kick->model->part.owned_count;
        own.other = (carom_const_vectors)nodes->other;
        carom_repay_keep(&own, (carom_const_vectors)kick->w_before, (carom_const_vectors)kick->w, kept);
    }
}

carom_status carom_kick_drift_answer(carom_kick_drift *nodes, carom_state *state, double time, double h, double last,
                                     carom_error *error) {
    double next = nodes->kick.step;
    carom_contact_space *space = &nodes->space;
    if (space->part)
        carom_model_drive_over(space->model, time, next, NULL, space->restraints.items);
    carom_rigid_kick_slow(&nodes->kick.rigid, carom_search_neighbours(&nodes->search).layer.slow);
    carom_contact_interval interval = carom_kick_drift_interval(nodes, state, time, next);
    interval.kick_part = h / next;
    interval.last_step = last;
    interval.last_part = h / last;
    if (last != next)
        interval.kick_after = next / (last + next);
    const int *here;
    int count = carom_newmark_kick_nodes(&nodes->kick, state, &here);
    for (int i = 0; nodes->other && i < count; i++)
        carom_kick_drift_other(&nodes->kick, here ? here[i] : i, true, nodes->other[here ? here[i] : i]);
    if (nodes->other)
        carom_rigid_kick_gather(&nodes->kick.rigid, nodes->other);
    carom_tie_repay_run(&nodes->ties, &interval, (carom_const_vectors)space->x, &nodes->kick, &nodes->contact_step.impacts.hits,
                        h, nodes->other);
    carom_phase before = carom_profile_enter(&nodes->stepper->profile, CAROM_PHASE_REST);
    if (space->part) {
        report_kick(nodes, state, &interval);
        carom_interrupt_hold();
    }
    interval.other = (carom_const_vectors)space->other;
    carom_status status = carom_contact_step_answer(&nodes->contact_step, &interval, (carom_const_vectors)space->x,
                                                    (carom_const_vectors)space->w_before, space->w, error);
    if (space->part) {
        carom_interrupt_release();
        status = CAROM_PARALLEL_AGREE(carom_parallel_insist(status, error), error);
        carom_contact_space_take(space, (carom_const_vectors)space->w, nodes->kick.w);
    }
    carom_profile_enter(&nodes->stepper->profile, before);
    return status;
}
