// SPDX-License-Identifier: MIT
// Contact at a kick.
#include <string.h>

#include "base/interrupt.h"
#include "integrator/kick_drift.h"
#include "integrator/stepper.h"
#include "model/motion/restraints.h"
#include "parallel/insist.h"

carom_contact_moment carom_kick_drift_moment(const carom_kick_drift *nodes, const carom_state *state, double time,
                                             double step) {
    const carom_newmark_kick *kick = &nodes->kick;
    const int *here;
    int count = carom_newmark_kick_nodes(kick, state, &here);
    carom_contact_moment moment =
        carom_contact_step_moment(&nodes->contact_step, &nodes->search, nodes->space.mobility, time, step, *kick->speed);
    moment.nodes = here;
    if (here)
        moment.node_count = count;
    moment.whole_count = kick->model->part.whole_nodes;
    moment.sweeper = carom_resident_sweeper(&nodes->resident, state);
    moment.together = nodes->space.shares ? (carom_together *)&nodes->space.together : NULL;
    return moment;
}

// Brings what the kick has done to nodes of contact to all processes that share the model. What is kept of it for the next
// drift is kept of other nodes as well.
static void tell_kick(carom_kick_drift *nodes, const carom_state *state, carom_contact_moment *moment) {
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
        carom_contact_moment own = *moment;
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
    carom_contact_moment moment = carom_kick_drift_moment(nodes, state, time, next);
    moment.kick_part = h / next;
    moment.last_step = last;
    moment.last_part = h / last;
    if (last != next)
        moment.kick_after = next / (last + next);
    const int *here;
    int count = carom_newmark_kick_nodes(&nodes->kick, state, &here);
    for (int i = 0; nodes->other && i < count; i++)
        carom_kick_drift_other(&nodes->kick, here ? here[i] : i, true, nodes->other[here ? here[i] : i]);
    if (nodes->other)
        carom_rigid_kick_gather(&nodes->kick.rigid, nodes->other);
    carom_tie_repay_run(&nodes->ties, &moment, (carom_const_vectors)space->x, &nodes->kick, &nodes->contact_step.impacts.hits,
                        h, nodes->other);
    carom_phase before = carom_profile_enter(&nodes->stepper->profile, CAROM_PHASE_REST);
    if (space->part) {
        tell_kick(nodes, state, &moment);
        carom_interrupt_hold();
    }
    moment.other = (carom_const_vectors)space->other;
    carom_status status = carom_contact_step_answer(&nodes->contact_step, &moment, (carom_const_vectors)space->x,
                                                    (carom_const_vectors)space->w_before, space->w, error);
    if (space->part) {
        carom_interrupt_let_go();
        status = carom_parallel_agree(carom_parallel_insist(status, error), error);
        carom_contact_space_take(space, (carom_const_vectors)space->w, nodes->kick.w);
    }
    carom_profile_enter(&nodes->stepper->profile, before);
    return status;
}
