// SPDX-License-Identifier: MIT
// Kicks and drifts, the two parts of a splitting method, for all nodes at once. With w the velocity between two kicks,
//
//     drift   x <- x + h w            contact happens here
//     kick    w <- w + h M^-1 f(x)    and here, where forces press touching bodies together
//
// Restrained components of w have their prescribed values at all times.
#include "integrator/kick_drift.h"

#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "device/device.h"
#include "integrator/stepper.h"
#include "math/exact.h"
#include "model/collective.h"
#include "model/forces/forces.h"
#include "model/motion/loads.h"
#include "model/motion/obstacle_motion.h"
#include "model/motion/restraints.h"
#include "model/node_terms.h"
#include "model/state/history.h"
#include "model/state/ledger.h"
#include "parallel/insist.h"

// The iteration for the kick after a drift contracts at least like this at steps up to the stable one; a ratio beyond it is the
// work of another set of impacts, and is not extrapolated.
static const double largest_contraction = 0.5;

// Nodes above which threads share the loops over them.
enum { SHARED_NODES = 4096 };

void carom_kick_drift_force(carom_kick_drift *nodes, carom_state *state, double time, const double (*x)[3],
                            double (*force)[3]) {
    carom_newmark_kick *kick = &nodes->kick;
    const carom_model *model = kick->model;
    carom_flow flow = carom_history_flow(state, CAROM_USE_TRIAL, time, kick->step);
    carom_model_force_beside(model, x, kick->slots, force, &(carom_beside){.flow = &flow});
    carom_model_live_load(model, time, x, kick->live);
    for (int i = 0; i < model->live.node_count; i++)
        carom_add_scaled(1, kick->live[model->live.nodes[i]], force[model->live.nodes[i]]);
    state->books.element_updates += model->part.whole_elements;
}

void carom_kick_drift_impose(carom_kick_drift *nodes, double time, double (*v)[3]) {
    carom_restraints *restraints = &nodes->kick.restraints;
    carom_model_drive(nodes->kick.model, time, restraints->items);
    for (int r = 0; r < restraints->count; r++)
        carom_restraint_impose(&restraints->items[r], v[restraints->items[r].node]);
}

// A drift of length `step` that begins at `time`, and the kick at one end of it, as contact sees them.
static carom_contact_moment moment_of(const carom_kick_drift *nodes, const carom_state *state, double time, double step) {
    const carom_newmark_kick *kick = &nodes->kick;
    const int *here;
    int count = carom_newmark_kick_nodes(kick, state, &here);
    return (carom_contact_moment){
        .nodes = here,
        .neighbours = carom_search_neighbours(&nodes->search),
        .mobility = nodes->space.mobility,
        .node_count = here ? count : nodes->space.model->node_count,
        .whole_count = kick->model->part.whole_nodes,
        .length = kick->model->contact_length,
        .reach = carom_search_reach(&nodes->search),
        .sweeper = carom_resident_has(&nodes->resident, state) ? carom_device_sweeper(nodes->resident.device) : NULL,
        .together = nodes->space.shares ? (carom_together *)&nodes->space.together : NULL,
        .time = time,
        .step = step,
        .carry = carom_model_carry(nodes->space.model, time, step),
        .kick_time = time,
        .kick_part = 1,
        .kick_after = 0.5,
        .last_step = step,
        .last_part = 1,
        .kick_speed = *kick->speed,
    };
}

// The time that the drifts of the present step have covered.
static double drifted(const carom_kick_drift *nodes, const carom_state *state) {
    bool valid = nodes->drifted_attempt == nodes->stepper->attempt && nodes->drifted_step == state->step;
    return valid ? nodes->drifted : 0;
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

// Contact answers a kick: the energy error of impacts in the drift before it is repaid, and touching bodies are kept from
// closing.
static carom_status answer(carom_kick_drift *nodes, carom_state *state, double time, double h, double last,
                           carom_error *error) {
    double next = nodes->kick.step;
    carom_contact_space *space = &nodes->space;
    carom_rigid_kick_slow(&nodes->kick.rigid, carom_search_neighbours(&nodes->search).layer.slow);
    carom_contact_moment moment = moment_of(nodes, state, time, next);
    moment.kick_part = h / next;
    moment.last_step = last;
    moment.last_part = h / last;
    if (last != next)
        moment.kick_after = next / (last + next);
    const int *here;
    int count = carom_newmark_kick_nodes(&nodes->kick, state, &here);
    for (int i = 0; nodes->other && i < count; i++)
        carom_kick_drift_other(&nodes->kick, here ? here[i] : i, true, nodes->other[here ? here[i] : i]);
    if (nodes->other && nodes->kick.rigid.state)
        carom_rigid_kick_gather(&nodes->kick.rigid, nodes->other);
    carom_tie_repay_run(&nodes->tie_repay, &moment, (carom_const_vectors)space->x, &nodes->kick,
                        &nodes->contact_step.impacts.hits);
    carom_tie_kick_add_force(&nodes->tie, h, nodes->other);
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

// Books the hits from number `begin` on. Bodies that meet for the first time are asked for their velocities.
static void book_hits(carom_kick_drift *nodes, carom_state *state, int begin, double after, int64_t step) {
    const carom_hits *hits = &nodes->contact_step.impacts.hits;
    if (carom_state_elsewhere(state) && carom_ledger_meets_anew(state, hits->items + begin, hits->count - begin))
        carom_resident_bring_velocities(&nodes->resident, state);
    carom_ledger_book_hits(state, &nodes->stepper->observer, hits->items + begin, hits->count - begin, after, step);
}

// The kick of length h by the forces that were found, after a drift of length `last`, with its contacts and its books. Hits are
// reported at the end of `step`.
static carom_status push(carom_kick_drift *nodes, carom_state *state, double time, double h, double after, double last,
                         int64_t step, carom_error *error) {
    carom_hits *hits = &nodes->contact_step.impacts.hits;
    int begin = hits->count;
    carom_phase before = carom_profile_enter(&nodes->stepper->profile, CAROM_PHASE_NODES);
    carom_newmark_kick_push(&nodes->kick, state, time, h, after);
    carom_tie_kick_push(&nodes->tie, (carom_const_vectors)state->x, &nodes->kick);
    if (nodes->space.part)
        carom_model_drive_over(nodes->space.model, time, nodes->kick.step, NULL, nodes->space.restraints.items);
    // the scale of the drift to come
    if (last != nodes->kick.step)
        *nodes->kick.speed *= nodes->kick.step / h;
    carom_status status = nodes->contact ? answer(nodes, state, time, h, last, error) : CAROM_OK;
    if (!status) {
        carom_newmark_kick_settle(&nodes->kick);
        carom_newmark_kick_book(&nodes->kick, state, h, after);
        double taken = carom_tie_repay_charge(&nodes->tie_repay, carom_tie_kick_taken(&nodes->tie, &nodes->kick), &nodes->kick,
                                              hits, begin);
        carom_tie_kick_book(&nodes->tie, taken, state, after);
        for (int i = 0; i < nodes->tie_repay.hits.count; i++)
            carom_hits_add(hits, &nodes->tie_repay.hits.items[i]);
        if (hits->count > begin)
            book_hits(nodes, state, begin, after, step);
    }
    carom_profile_enter(&nodes->stepper->profile, before);
    return status;
}

static void find_forces(carom_kick_drift *nodes, carom_state *state, double time) {
    carom_phase before = carom_profile_enter(&nodes->stepper->profile, CAROM_PHASE_ELEMENTS);
    // a row is due at the end of the step, or an audit
    nodes->kick.row = nodes->stepper->row_step == state->step || nodes->stepper->audit_step == state->step;
    // positions stay as they are until the end of the step, which has been counted
    nodes->kick.peaks = nodes->stepper->peaks_step == state->step;
    carom_newmark_kick_find_forces(&nodes->kick, state, time, CAROM_USE_COMMIT);
    carom_profile_enter(&nodes->stepper->profile, before);
    nodes->forces_time = time;
    nodes->energies_time = nodes->kick.row ? time : NAN;
    nodes->kick.row = nodes->kick.peaks = false;
    state->books.element_updates += nodes->kick.model->part.whole_elements;
}

carom_status carom_kick_drift_kick(carom_kick_drift *nodes, carom_state *state, double h, double after, carom_error *error) {
    double since = drifted(nodes, state), time = state->time + since;
    // the repayment formula (repay.c) holds for a whole drift followed by a whole kick, and debts are repaid once
    if (!nodes->owed || h != nodes->kick.step)
        nodes->contact_step.impacts.hits.count = 0;
    nodes->owed = false;
    nodes->leaps = h == nodes->kick.step && after == 0.5;
    find_forces(nodes, state, time);
    // a kick between the drifts of a step belongs to the end of that step
    int64_t step = since > 0 ? state->step + 1 : state->step;
    carom_status status = push(nodes, state, time, h, after, nodes->kick.step, step, error);
    // the half kick that starts a run
    if (!status && after == 1)
        nodes->oscillation[CAROM_OSCILLATION_START] = carom_kick_drift_leap_oscillation(nodes, state);
    return status;
}

void carom_kick_drift_find_forces(carom_kick_drift *nodes, carom_state *state) {
    find_forces(nodes, state, state->time);
}

carom_status carom_kick_drift_kick_between(carom_kick_drift *nodes, carom_state *state, double last, double next, int64_t step,
                                           carom_error *error) {
    nodes->kick.step = nodes->search.step = next;
    nodes->leaps = true;
    return push(nodes, state, state->time, 0.5 * (last + next), next / (last + next), last, step, error);
}

// The prescribed velocities of a drift of length h, also where contact looks.
static void drive_over(carom_kick_drift *nodes, double time, double h) {
    carom_model_drive_over(nodes->kick.model, time, h, nodes->kick.x, nodes->kick.restraints.items);
    if (nodes->space.part)
        carom_model_drive_over(nodes->space.model, time, h, NULL, nodes->space.restraints.items);
}

// Sets w of restrained nodes to the prescribed velocities and books the reaction.
static void drive(carom_kick_drift *nodes, carom_state *state) {
    carom_newmark_kick *kick = &nodes->kick;
    for (int r = 0; r < kick->restraints.count; r++) {
        int k = kick->restraints.items[r].node;
        double before[3], impulse[3], work = 0;
        carom_copy(kick->w[k], before);
        carom_restraint_impose(&kick->restraints.items[r], kick->w[k]);
        for (int i = 0; i < 3; i++) {
            impulse[i] = kick->model->mass[k] * (kick->w[k][i] - before[i]);
            work += 0.5 * impulse[i] * (kick->w[k][i] + before[i]);
        }
        if (kick->model->mass[k] > CAROM_MASSLESS)
            carom_ledger_book_outside(state, state->x[k], impulse, (const double[3]){0}, work);
    }
}

void carom_kick_drift_begin(carom_kick_drift *nodes, carom_state *state, double h) {
    carom_hits *hits = &nodes->contact_step.impacts.hits;
    double since = drifted(nodes, state);
    if (nodes->untold && state->step == 0)
        carom_ledger_report_hits(state, &nodes->stepper->observer, hits->items, hits->count);
    nodes->untold = false;
    nodes->energies_time = NAN;
    if (since == 0)
        state->books.contacts = 0;
    hits->count = 0;
    nodes->owed = h == nodes->kick.step;
    drive_over(nodes, state->time + since, h);
    // the last kick has imposed the velocities for the middle of a whole step that begins with it
    if (!nodes->owed || since > 0)
        drive(nodes, state);
}

void carom_kick_drift_begin_part(carom_kick_drift *nodes, carom_state *state, double h) {
    nodes->contact_step.impacts.hits.count = 0;
    nodes->energies_time = NAN;
    drive_over(nodes, state->time, h);
}

// One pass of a drift. The list of neighbours is complete for nodes that stay within an allowance of their straight paths; in
// the rare case that impacts lead one farther, nothing has happened, and the drift is run again with a list made for twice as
// much. The result does not depend on the allowance. `listed` is that of the list at hand, negative if there is none.
static carom_status fly_once(carom_kick_drift *nodes, carom_state *state, double h, const double (*end_kick)[3], double *listed,
                             carom_error *error) {
    carom_contact_space *space = &nodes->space;
    carom_const_vectors x = (carom_const_vectors)space->x, w = (carom_const_vectors)space->w;
    carom_rigid_kick *rigid = nodes->kick.rigid.state ? &nodes->kick.rigid : NULL;
    bool outran = true;
    if (rigid)
        carom_rigid_kick_slow(rigid, carom_search_neighbours(&nodes->search).layer.slow);
    carom_status status = rigid ? carom_rigid_kick_begin(rigid, h, space->w, error) : CAROM_OK;
    if (status)
        return status;
    for (double allowance = fmax(*listed, carom_search_allowance(&nodes->search, w)); outran; allowance *= 2) {
        carom_phase before = carom_profile_enter(&nodes->stepper->profile, CAROM_PHASE_SEARCH);
        if (allowance > *listed)
            status = carom_search_list(&nodes->search, x, w, allowance, error);
        carom_profile_enter(&nodes->stepper->profile, before);
        if (status)
            return status;
        *listed = allowance;
        carom_contact_moment moment = moment_of(nodes, state, state->time + drifted(nodes, state), h);
        moment.allowance = allowance;
        moment.end_kick = end_kick;
        status = carom_contact_step_drift(&nodes->contact_step, &moment, (carom_const_vectors)space->v, space->x, space->w,
                                          &state->books, &outran, error);
        if (rigid)
            status = carom_rigid_kick_blame(rigid, status, error);
        if (!status && rigid && outran)
            status = carom_rigid_kick_begin(rigid, h, space->w, error);
        if (status)
            return status;
    }
    return rigid ? carom_rigid_kick_finish(rigid, h, state->x, space->w, error) : CAROM_OK;
}

// The same where several processes share the model: nodes of contact fly in its space, the others by themselves, and ghosts
// follow their owners.
static carom_status fly_shared(carom_kick_drift *nodes, carom_state *state, double h, double *listed, bool again,
                               carom_error *error) {
    carom_contact_space *space = &nodes->space;
    const carom_model *model = nodes->kick.model;
    carom_interrupt_hold();
    carom_status status = fly_once(nodes, state, h, again ? (carom_const_vectors)space->end_kick : NULL, listed, error);
    carom_interrupt_let_go();
    // others may wait for this process in the midst of what all do together
    status = carom_parallel_agree(carom_parallel_insist(status, error), error);
    if (status)
        return status;
    carom_contact_space_take(space, (carom_const_vectors)space->x, state->x);
    carom_contact_space_take(space, (carom_const_vectors)space->w, nodes->kick.w);
    carom_contact_space_drift_others(space, h, (carom_const_vectors)nodes->kick.w, state->x);
    carom_model_halo(model, state->x);
    if (nodes->tells_velocities)
        carom_model_halo(model, nodes->kick.w);
    return CAROM_OK;
}

// No node flies farther than bodies can be apart. Those that a device keeps have told their speed.
static carom_status judge_ways(carom_kick_drift *nodes, carom_state *state, carom_error *error) {
    carom_const_vectors w = (carom_const_vectors)nodes->kick.w;
    const int *here;
    int count = carom_newmark_kick_nodes(&nodes->kick, state, &here);
    if (here && carom_search_is_slow(&nodes->search, w, here, count, nodes->resident.fastest))
        return CAROM_OK;
    carom_resident_bring_velocities(&nodes->resident, state);
    return carom_search_judge_ways(&nodes->search, nodes->kick.model, w, state->time, error);
}

// One pass; `again`: with the kicks at the end of the drift that were found.
static carom_status fly_pass(carom_kick_drift *nodes, carom_state *state, double h, double *listed, bool again,
                             carom_error *error) {
    carom_status status = judge_ways(nodes, state, error);
    if (status)
        return status;
    if (nodes->space.part)
        return fly_shared(nodes, state, h, listed, again, error);
    return fly_once(nodes, state, h, again ? (carom_const_vectors)nodes->end_kick : NULL, listed, error);
}

// True if the impacts of the drift from number `begin` on have reflected a contact.
static bool any_bounced(const carom_kick_drift *nodes, int begin) {
    carom_neighbours neighbours = carom_search_neighbours(&nodes->search);
    return carom_contact_step_bounced(&nodes->contact_step, &neighbours, begin);
}

// The limit of a sequence of which a, b and c are successive elements with errors in geometric progression (Aitken).
static double limit_of(double a, double b, double c) {
    double ratio = (c - b) / (b - a);
    return fabs(ratio) <= largest_contraction ? c + ratio / (1 - ratio) * (c - b) : c;
}

// The velocity changes that the forces with a potential at the end of a drift of length h give in a kick of that length. They
// depend on the impulses of the drift, which depend on them. For linear forces and one impact the iteration is affine, with a
// contraction of at most (h/h_stable)^2/2 at the tip of a bar, and its limit follows from three elements: the kick before the
// drift and the results of two passes.
static void find_end_kick(carom_kick_drift *nodes, carom_state *state, double h, bool extrapolates) {
    carom_newmark_kick *kick = &nodes->kick;
    const carom_model *model = kick->model;
    const carom_contact_step *contact = &nodes->contact_step;
    carom_vectors kicks = contact->kept ? contact->kept : contact->impacts.forces;
    carom_phase before = carom_profile_enter(&nodes->stepper->profile, CAROM_PHASE_ELEMENTS);
    carom_newmark_kick_find_forces(kick, state, state->time + h, CAROM_USE_TRIAL);
    carom_profile_enter(&nodes->stepper->profile, before);
    nodes->forces_time = NAN;
    state->books.element_updates += model->part.whole_elements;
    const int *here;
    int count = carom_newmark_kick_nodes(kick, state, &here);
#pragma omp parallel for schedule(static) if (count > SHARED_NODES)
    for (int j = 0; j < count; j++) {
        int k = here ? here[j] : j;
        const carom_restraint *restraint = carom_restraint_of(&kick->restraints, k);
        double found[3], *last = nodes->end_kick[k];
        carom_kick_drift_conservative(kick, k, false, found);
        // of a node that a rigid body carries the body takes the force
        for (int i = 0; i < 3; i++)
            found[i] *= model->mass[k] > 0 ? h / model->mass[k] : 0;
        if (restraint)
            carom_restraint_project(restraint, found);
        for (int i = 0; i < 3; i++)
            last[i] = extrapolates ? limit_of(kicks[k][i], last[i], found[i]) : found[i];
    }
    if (kick->rigid.state)
        carom_rigid_kick_end(&kick->rigid, h, nodes->end_kick);
    if (nodes->space.part)
        carom_contact_space_gather(&nodes->space, (carom_const_vectors)nodes->end_kick, nodes->space.end_kick);
}

// Copies positions, of all nodes that the arrays have.
static void copy_places(const carom_kick_drift *nodes, const carom_state *state, const double (*from)[3], double (*to)[3]) {
    const int *here;
    int count = carom_newmark_kick_nodes(&nodes->kick, state, &here);
    if (!here)
        memcpy(to, from, (size_t)nodes->kick.model->node_count * sizeof *to);
    for (int i = 0; here && i < count; i++)
        carom_copy(from[here[i]], to[here[i]]);
}

// Puts everything back to the start of a drift.
static void start_again(carom_kick_drift *nodes, carom_state *state, int begin) {
    carom_contact_space *space = &nodes->space;
    carom_impacts_undo(&nodes->contact_step.impacts, begin, space->x, space->w);
    if (nodes->kick.rigid.state)
        carom_rigid_kick_go_back(&nodes->kick.rigid, space->w);
    // nodes that a device keeps fly as before
    copy_places(nodes, state, (carom_const_vectors)nodes->start, state->x);
    if (!space->part)
        return;
    memcpy(space->x, space->start, (size_t)space->model->node_count * sizeof *space->start);
    carom_contact_space_take(space, (carom_const_vectors)space->w, nodes->kick.w);
}

void carom_kick_drift_enter_space(carom_kick_drift *nodes, const carom_state *state) {
    carom_contact_space *space = &nodes->space;
    carom_vectors kept = nodes->contact_step.kept;
    if (carom_contact_space_renew(space, state, (carom_const_vectors)nodes->kick.w) && kept)
        carom_contact_space_gather(space, (carom_const_vectors)kept, carom_contact_step_forces(&nodes->contact_step));
    memcpy(space->start, space->x, (size_t)space->model->node_count * sizeof *space->start);
}

// A reflection inside the drift keeps the energy that leapfrog conserves if it knows the forces at both ends of the drift
// (docs/theory/repay.md). Those at the end depend on the reflection, so the drift is run several times: each pass finds them
// more exactly, and everything is put back before the next.
carom_status carom_kick_drift_fly(carom_kick_drift *nodes, carom_state *state, double h, carom_error *error) {
    carom_impacts *impacts = &nodes->contact_step.impacts;
    int begin = impacts->hits.count;
    double listed = -1;
    int64_t events[CAROM_EVENT_COUNT];
    memcpy(events, state->books.events, sizeof events);
    carom_phase before = carom_profile_enter(&nodes->stepper->profile, CAROM_PHASE_HITS);
    if (nodes->space.part)
        carom_kick_drift_enter_space(nodes, state);
    if (nodes->start)
        copy_places(nodes, state, (carom_const_vectors)state->x, nodes->start);
    carom_status status = fly_pass(nodes, state, h, &listed, false, error);
    if (!status && carom_resident_has(&nodes->resident, state)) {
        carom_device_drift(nodes->resident.device, h);
        state->elsewhere->x_away = true;
    }
    for (int pass = 1; !status && pass < nodes->passes && any_bounced(nodes, begin); pass++) {
        find_end_kick(nodes, state, h, pass > 1);
        start_again(nodes, state, begin);
        memcpy(state->books.events, events, sizeof events);
        status = fly_pass(nodes, state, h, &listed, true, error);
    }
    if (!status && nodes->kick.rigid.state)
        carom_rigid_kick_store(&nodes->kick.rigid);
    carom_profile_enter(&nodes->stepper->profile, before);
    return status;
}

// A drift in which nothing touches.
static carom_status fly_freely(carom_kick_drift *nodes, carom_state *state, double h, carom_error *error) {
    carom_newmark_kick *kick = &nodes->kick;
    carom_rigid_kick *rigid = kick->rigid.state ? &kick->rigid : NULL;
    carom_status status = rigid ? carom_rigid_kick_begin(rigid, h, kick->w, error) : CAROM_OK;
    if (status)
        return status;
    for (int k = 0; k < kick->model->node_count; k++)
        carom_add_scaled(h, kick->w[k], state->x[k]);
    if (rigid)
        status = carom_rigid_kick_finish(rigid, h, state->x, kick->w, error);
    if (rigid && !status)
        carom_rigid_kick_store(rigid);
    return status;
}

void carom_kick_drift_book(carom_kick_drift *nodes, carom_state *state) {
    book_hits(nodes, state, 0, 0, state->step + 1);
}

carom_status carom_kick_drift_drift(carom_kick_drift *nodes, carom_state *state, double h, carom_error *error) {
    carom_kick_drift_begin(nodes, state, h);
    carom_status status = nodes->contact ? carom_kick_drift_fly(nodes, state, h, error) : fly_freely(nodes, state, h, error);
    if (status)
        return status;
    if (nodes->contact)
        carom_kick_drift_book(nodes, state);
    nodes->drifted = drifted(nodes, state) + h;
    nodes->drifted_attempt = nodes->stepper->attempt;
    nodes->drifted_step = state->step;
    return CAROM_OK;
}

carom_status carom_kick_drift_finish(carom_kick_drift *nodes, carom_state *state, carom_error *error) {
    bool finite = carom_kick_drift_find_velocities(nodes, state, 0.5);
    if (finite)
        carom_kick_drift_audit(nodes, state);
    return carom_stepper_finish_step(nodes->stepper, state, finite, error);
}

bool carom_kick_drift_find_velocities(carom_kick_drift *nodes, carom_state *state, double after) {
    bool finite = carom_newmark_kick_velocities(&nodes->kick, state, after);
    carom_contact_space *space = &nodes->space;
    if (!space->part)
        return finite;
    for (int k = 0; k < space->model->node_count; k++)
        carom_terms_velocity(space->w_before[k], space->w[k], after, space->v[k]);
    if (nodes->tells_velocities)
        carom_model_halo(nodes->kick.model, state->v);
    return finite;
}

double (*carom_kick_drift_velocities(carom_kick_drift *nodes))[3] {
    return nodes->kick.w;
}
