// SPDX-License-Identifier: MIT
// Kicks and drifts, the two substeps of a splitting method, for all nodes at once. With w the velocity between two kicks,
//
//     drift   x <- x + h w            impacts are resolved here
//     kick    w <- w + h M^-1 f(x)    and here touching bodies are kept from closing
//
// Restrained components of w have their prescribed values at all times.
#include "integrator/kick_drift.h"

#include <math.h>

#include "integrator/stepper.h"
#include "model/collective.h"
#include "model/state/ledger.h"

// Records the hits from number `begin` on in the ledger.
static void book_hits(carom_kick_drift *nodes, carom_state *state, int begin, double after, int64_t step) {
    const carom_hits *hits = &nodes->contact_step.impacts.hits;
    carom_ledger_record_hits(state, &nodes->stepper->observer, hits->items + begin, hits->count - begin, after, step);
}

// The kick of length h by the forces found before, after a drift of length `last`, with its contacts and its entries in the
// ledger. Hits are reported at the end of `step`.
static carom_status push(carom_kick_drift *nodes, carom_state *state, double time, double h, double after, double last,
                         int64_t step, carom_error *error) {
    carom_hits *hits = &nodes->contact_step.impacts.hits;
    int begin = hits->count;
    carom_phase before = carom_profile_enter(&nodes->stepper->profile, CAROM_PHASE_NODES);
    carom_newmark_kick_push(&nodes->kick, state, time, h, after);
    // rescaled to the length of the next drift
    if (last != nodes->kick.step)
        *nodes->kick.speed *= nodes->kick.step / h;
    carom_status status = nodes->contact ? carom_kick_drift_answer(nodes, state, time, h, last, error) : CAROM_OK;
    if (!status) {
        carom_newmark_kick_settle(&nodes->kick);
        carom_newmark_kick_book(&nodes->kick, state, h, after);
        if (hits->count > begin)
            book_hits(nodes, state, begin, after, step);
    }
    carom_profile_enter(&nodes->stepper->profile, before);
    return status;
}

double carom_kick_drift_drifted(const carom_kick_drift *nodes, const carom_state *state) {
    bool valid = nodes->drifted_attempt == nodes->stepper->attempt && nodes->drifted_step == state->step;
    return valid ? nodes->drifted : 0;
}

static void find_forces(carom_kick_drift *nodes, carom_state *state, double time) {
    carom_phase before = carom_profile_enter(&nodes->stepper->profile, CAROM_PHASE_ELEMENTS);
    // energies are needed for a row or an audit at the end of the step
    nodes->kick.row = nodes->stepper->row_step == state->step || nodes->stepper->audit_step == state->step;
    // positions do not change until the end of the step, which has been counted
    nodes->kick.peaks = nodes->stepper->peaks_step == state->step;
    carom_newmark_kick_commit_forces(&nodes->kick, state, time);
    carom_profile_enter(&nodes->stepper->profile, before);
    nodes->forces_time = time;
    nodes->energies_time = nodes->kick.row ? time : NAN;
    nodes->kick.row = nodes->kick.peaks = false;
}

carom_status carom_kick_drift_kick(carom_kick_drift *nodes, carom_state *state, double h, double after, carom_error *error) {
    double since = carom_kick_drift_drifted(nodes, state), time = state->time + since;
    // the repayment formula (repay.c) holds for a whole drift followed by a whole kick, and debts are repaid once
    if (!nodes->kick_pending || h != nodes->kick.step)
        nodes->contact_step.impacts.hits.count = 0;
    nodes->kick_pending = false;
    nodes->last_kick_was_full = h == nodes->kick.step && after == 0.5;
    find_forces(nodes, state, time);
    // a kick between the drifts of a step belongs to the end of that step
    int64_t step = since > 0 ? state->step + 1 : state->step;
    carom_status status = push(nodes, state, time, h, after, nodes->kick.step, step, error);
    // the half kick at the start of a run
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
    nodes->last_kick_was_full = true;
    return push(nodes, state, state->time, 0.5 * (last + next), next / (last + next), last, step, error);
}

void carom_kick_drift_book(carom_kick_drift *nodes, carom_state *state) {
    book_hits(nodes, state, 0, 0, state->step + 1);
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
    carom_contact_space_settle(space, after);
    if (nodes->exchange_velocities)
        carom_model_halo(nodes->kick.model, state->v);
    return finite;
}

double (*carom_kick_drift_velocities(carom_kick_drift *nodes))[3] {
    return nodes->kick.w;
}

void carom_kick_drift_force(carom_kick_drift *nodes, carom_state *state, double time, const double (*x)[3],
                            double (*force)[3]) {
    carom_newmark_kick_force_at(&nodes->kick, state, time, x, force);
    state->books.element_updates += nodes->kick.model->part.whole_elements;
}

void carom_kick_drift_impose(carom_kick_drift *nodes, double time, double (*v)[3]) {
    carom_newmark_kick_impose(&nodes->kick, time, v);
}
