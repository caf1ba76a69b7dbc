// SPDX-License-Identifier: MIT
// Checks of elements, stability, passage through bodies, and the energy ledger. The intervals are in steps, so that results do
// not depend on output.
#include "sim/watch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device/device.h"
#include "math/vec3.h"
#include "model/collective.h"
#include "model/interior_nodes.h"
#include "model/model.h"
#include "model/state/guard.h"
#include "model/watch/deformation.h"
#include "model/watch/frequency_bound.h"
#include "model/watch/lanczos_step.h"
#include "sim/advice.h"
#include "sim/collect.h"
#include "sim/kept_states.h"
#include "sim/passage.h"

// Steps between two checks of elements. An inverted element may recover within the period of its own vibration, which is not
// much shorter than four steps of half the stable one.
enum { CHECK_EVERY = 8 };

// Steps between two checks of the stability of deformed bodies, each of which may cost as much as 30 steps, and between two
// audits of the ledger, each of which evaluates all energies. Methods without a stable step solve equations in each step, which
// costs far more than its audit, and take few steps, so that they are audited in each.
enum { JUDGE_EVERY = 64, AUDIT_EVERY = 64 };

// Number of unbalanced audits in succession that ends a run. Within an impact the residual may contain its loss for one step.
enum { STRIKES = 2 };

// Largest residual at the end of a run, relative to the energy scale. During the run an impact may exceed it for some steps.
static const double max_unexplained_at_end = 0.02;

// The same for energy that contact has added: impacts deep in the contact layer separate faster than they approach, which is
// recorded.
static const double max_added_at_end = 0.1;

// The same for energy that contact has taken without friction and restitution: of bodies that have no space left.
static const double max_taken_at_end = 0.1;

// Buffer size of the advice in a message.
enum { ADVICE = 256 };

// Depth behind a plane, in units of the smallest distance of neighbouring nodes, beyond which an interior node has passed it.
// Those of a crushed body that folds at the plane may be less deep for a while; the summary contains their penetration.
static const double least_depth = 0.5;

static bool stops(const carom_sim *sim) {
    return sim->time.on_event == CAROM_ON_EVENT_STOP;
}

// Checks whether an interior node is behind a plane, deeper than the surface of its body. Then the body is inverted even if its
// elements are not; contact acts on its surface only.
static carom_status check_core(const carom_sim *sim, carom_error *error) {
    const carom_model *model = sim->model;
    carom_interior_behind core = carom_model_interior_behind(model, (carom_const_vectors)sim->state->x);
    if (!(core.depth > least_depth * model->contact_length && core.depth > core.surface))
        return CAROM_OK;
    const carom_body *body = &model->bodies[core.body];
    int here = carom_model_local_node(model, core.node);
    double number = here >= 0 && here < model->part.owned_count ? (double)carom_body_node_id(body, here) : -1;
    number = carom_model_most(model, number);
    return carom_fail(
        error, CAROM_NUMERICAL,
        "node %lld inside body '%s' is %.3g behind plane '%s' at time %g (step %lld): it has passed the surface of "
        "its own body: the impact is faster than the waves in the body; check the units",
        (long long)number, body->name, core.depth, model->contact.planes[core.plane].name, sim->state->time,
        (long long)sim->state->step);
}

// Velocities after the last kick, if the method is a leapfrog whose velocities are those in the middle of a kick; else NULL.
static carom_const_vectors velocities_after_kick(const carom_sim *sim) {
    return sim->stepper.method->synchronize ? NULL : (carom_const_vectors)sim->state->method.w;
}

void carom_watch_start(carom_sim *sim) {
    carom_guard_start(sim->state, velocities_after_kick(sim), sim->stepper.step);
    memset(sim->shapes.margin, 0, (size_t)sim->model->block_count * sizeof *sim->shapes.margin);
    carom_sim_keep_positions(sim);
}

void carom_watch_resume(carom_sim *sim) {
    carom_sim_keep(sim, sim->balanced, CAROM_COPY_BALANCED);
    memset(sim->shapes.margin, 0, (size_t)sim->model->block_count * sizeof *sim->shapes.margin);
    carom_sim_keep_positions(sim);
}

carom_status carom_watch_stability(carom_sim *sim, const double (*x)[3], bool reports, carom_error *error) {
    int64_t *unstable = &sim->state->books.events[CAROM_EVENT_UNSTABLE_STEP];
    double usable = carom_integrator_stability(sim->stepper.method, sim->params);
    // a divided step is as long as the bodies allow
    if (*unstable || sim->stepper.follows || !isfinite(usable))
        return CAROM_OK;
    // a tolerance for rounding if the step is exactly the stable one
    double step = sim->stepper.step / (usable * (1 + 1e-9));
    bool there = x == (carom_const_vectors)sim->state->x && carom_state_on_device(sim->state, CAROM_ARRAYS_POSITIONS);
    if (there && carom_device_proves_step(sim->stepper.device, step))
        return CAROM_OK;
    carom_state_read(sim->state, CAROM_ARRAYS_POSITIONS);
    carom_outgrown found = {.body = -1};
    carom_status status = CAROM_OK;
    bool doubtful = true;
    if (carom_model_is_subdomain(sim->model))
        status = carom_model_is_outgrown(sim->model, x, step, &doubtful, error);
    // rare: the first process checks all bodies
    if (!status && doubtful) {
        carom_const_vectors all = carom_sim_collect_vectors(sim, x);
        if (all)
            status = carom_model_find_outgrown(carom_sim_model(sim), all, step, &sim->outgrown, &found, error);
        status = CAROM_SIM_AGREE(sim, status, error);
        carom_sim_report(sim, &found, sizeof found);
    }
    if (status || found.body < 0)
        return status;
    ++*unstable;
    if (!stops(sim) || !reports)
        return CAROM_OK;
    return carom_fail(error, CAROM_NUMERICAL,
                      "the step is unstable: %.3g times the stable one of body '%s', deformed as it is at time %g (step %lld)",
                      sim->stepper.step / (usable * found.stable), sim->model->bodies[found.body].name, sim->state->time,
                      (long long)sim->state->step);
}

// Counts an inverted body; true if it ends the run, or is the cause of its end.
static bool count_inverted(const carom_sim *sim, bool ends) {
    sim->state->books.events[CAROM_EVENT_INVERTED]++;
    return stops(sim) || ends;
}

// Names the element whose law has no answer for its shape, if there is one: the cause of numbers that are not finite.
static carom_status name_undefined(const carom_sim *sim, carom_error *error) {
    const carom_state *state = sim->state;
    bool finite = !(carom_model_most(sim->model, (double)carom_state_events(state, CAROM_EVENT_NOT_FINITE)) > 0);
    int element = -1;
    carom_state_read(state, CAROM_ARRAYS_POSITIONS | CAROM_ARRAYS_HISTORY);
    if (!finite)
        element = carom_model_find_undefined(sim->model, (carom_const_vectors)state->x, (const double(*)[3][3])state->R);
    if (element < 0)
        return CAROM_OK;
    char name[2 * CAROM_NAME_MAX];
    carom_model_name_element(sim->model, element, name, sizeof name);
    return carom_fail(error, CAROM_NUMERICAL,
                      "velocities are not finite at time %g (step %lld): %s is deformed beyond what its law admits",
                      state->time, (long long)state->step, name);
}

carom_status carom_watch_elements(carom_sim *sim, bool ends, carom_error *error) {
    carom_state *state = sim->state;
    bool followed = sim->stepper.follows && !ends;
    // a large rotation is reported once
    bool turns = state->guard[CAROM_GUARD_ROTATED] == 0;
    // if a device has the positions it does a quick check first
    if (!ends && carom_state_on_device(state, CAROM_ARRAYS_POSITIONS) &&
        carom_device_finds_no_violation(sim->stepper.device, followed, turns, least_depth * sim->model->contact_length))
        return CAROM_OK;
    carom_state_read(state, CAROM_ARRAYS_POSITIONS);
    carom_shapes seen =
        carom_model_check_shapes(sim->model, (carom_const_vectors)state->x, followed, turns, ends ? NULL : &sim->shapes);
    if (seen.rotated >= 0) {
        state->books.events[CAROM_EVENT_LARGE_ROTATION]++;
        state->guard[CAROM_GUARD_ROTATED] = 1 + seen.rotated;
        state->guard[CAROM_GUARD_ROTATED_AT] = state->time;
    }
    carom_status core = check_core(sim, error);
    if (seen.inverted < 0 && !core)
        return ends ? name_undefined(sim, error) : CAROM_OK;
    if (!count_inverted(sim, ends))
        return CAROM_OK;
    // the plane explains more than the name of one of the inverted elements
    if (core)
        return core;
    char name[2 * CAROM_NAME_MAX];
    carom_model_name_element(sim->model, seen.inverted, name, sizeof name);
    return carom_fail(error, CAROM_NUMERICAL, "%s is inside out at time %g (step %lld)", name, state->time,
                      (long long)state->step);
}

// Between two checks of elements: an interior node may pass a plane and return.
static carom_status watch_core(const carom_sim *sim, carom_error *error) {
    if (sim->model->contact.plane_count == 0)
        return CAROM_OK;
    if (carom_state_on_device(sim->state, CAROM_ARRAYS_POSITIONS)) {
        if (carom_device_finds_no_node_behind(sim->stepper.device, least_depth * sim->model->contact_length))
            return CAROM_OK;
        carom_state_read(sim->state, CAROM_ARRAYS_POSITIONS);
    }
    carom_status core = check_core(sim, error);
    return core && count_inverted(sim, false) ? core : CAROM_OK;
}

bool carom_watch_balances(const carom_sim *sim) {
    carom_ledger_row row = carom_sim_ledger(sim);
    double touched;
    carom_unexplained found = carom_guard_find(sim->state, &row, velocities_after_kick(sim), false, &touched);
    return carom_guard_balances(&found);
}

// The words behind "unexplained": which body, if it has been judged by itself.
static void name_group(const carom_sim *sim, const carom_unexplained *found, char *text, size_t size) {
    text[0] = 0;
    if (found->body >= 0)
        snprintf(text, size, " of body '%s'", sim->model->bodies[found->body].name);
}

bool carom_watch_may_save(carom_sim *sim, bool keeps) {
    if (sim->unwatched || sim->stepper.method->equilibrium)
        return true;
    bool balances = carom_watch_balances(sim);
    if (balances && keeps)
        carom_sim_keep(sim, sim->balanced, CAROM_COPY_BALANCED);
    return balances || !stops(sim);
}

// True if any contact has a restitution above zero.
static bool bounces(const carom_model *model) {
    bool any = model->laws.general.restitution > 0;
    for (int i = 0; i < model->laws.count; i++)
        any = any || model->laws.exceptions[i].law.restitution > 0;
    return any;
}

// Writes the advice for the end of a message.
static void advise(const carom_sim *sim, char *text, size_t size) {
    char now[64] = "";
    const carom_integrator *method = sim->stepper.method;
    double stable = carom_sim_stable_step(sim);
    if (isfinite(stable))
        snprintf(now, sizeof now, " (now %.2g of the stable one)", sim->stepper.step / stable);
    const char *remedy = method->remedy ? method->remedy : bounces(sim->model) ? ", or a smaller restitution" : "";
    snprintf(text, size, "use %sa smaller time.step%s%s", carom_advise_division(sim), now, remedy);
}

// The energy lost by contact so far; 0 if surfaces may overlap, because contact may then store energy and return it.
static double cost_of_contact(const carom_sim *sim, const carom_ledger_row *row) {
    const carom_integrator *method = sim->stepper.method;
    bool counts = sim->state->method.loss_corrections || !(method->overlaps && method->overlaps(sim->model, sim->params));
    return counts ? row->friction + row->restitution + row->projection : 0;
}

// The energy lost by contact other than by friction and restitution, relative to the energy scale, if impacts happen inside the
// drift; other methods count their inelastic impacts so.
static double taken_by_contact(const carom_sim *sim, const carom_ledger_row *row) {
    const carom_integrator *method = sim->stepper.method;
    bool counts = method->divides && !method->at_ends && !(method->overlaps && method->overlaps(sim->model, sim->params));
    carom_unexplained lost = carom_guard_whole(sim->state, row->projection, row->projection);
    return counts && row->projection > 0 ? carom_unexplained_share(&lost) : 0;
}

// Audits the ledger. If it balances the state is saved to return to; after STRIKES unbalanced audits the run ends.
static carom_status audit(carom_sim *sim, carom_error *error) {
    carom_state *state = sim->state;
    carom_status status = carom_sim_synchronize(sim, error);
    if (status)
        return status;
    carom_phase before = carom_profile_enter(&sim->stepper.profile, CAROM_PHASE_ROWS);
    carom_ledger_row row = carom_sim_ledger(sim);
    carom_guard_take_scale(state, &row);
    double touched;
    carom_unexplained found = carom_guard_find(state, &row, velocities_after_kick(sim), true, &touched);
    carom_profile_enter(&sim->stepper.profile, before);
    bool added;
    double cost = cost_of_contact(sim, &row);
    double part = carom_guard_audit(state, &found, cost, touched, sim->time.energy_error, &added);
    if (state->guard[CAROM_GUARD_BALANCED] == state->time)
        carom_sim_keep(sim, sim->balanced, CAROM_COPY_BALANCED);
    if (state->guard[CAROM_GUARD_STRIKES] < STRIKES)
        return CAROM_OK;
    state->books.events[CAROM_EVENT_UNBALANCED]++;
    if (!stops(sim))
        return CAROM_OK;
    sim->unbalanced = true;
    char advice[ADVICE], of[2 * CAROM_NAME_MAX];
    advise(sim, advice, sizeof advice);
    name_group(sim, &found, of, sizeof of);
    return carom_fail(error, CAROM_NUMERICAL,
                      "the ledger does not balance: %.2g %% of the energy%s %s at time %g (step %lld); it did until "
                      "time %g; %s",
                      100 * part, added ? "" : of, added ? "was added by contact" : "is unexplained", state->time,
                      (long long)state->step, state->guard[CAROM_GUARD_BALANCED], advice);
}

carom_status carom_watch_end(carom_sim *sim, carom_error *error) {
    if (sim->unwatched || sim->stepper.method->equilibrium)
        return CAROM_OK;
    carom_ledger_row row = carom_sim_ledger(sim);
    double touched;
    // including deferred impact errors, which cannot be corrected any more
    carom_unexplained found = carom_guard_find(sim->state, &row, velocities_after_kick(sim), false, &touched);
    double part = carom_unexplained_share(&found);
    double given = carom_guard_given(sim->state, cost_of_contact(sim, &row), touched);
    double limit = fmin(max_unexplained_at_end, sim->time.energy_error);
    double taken = taken_by_contact(sim, &row);
    bool balances = part <= limit && given <= max_added_at_end;
    // written such that NaN fails
    if (balances && taken <= max_taken_at_end)
        return CAROM_OK;
    sim->state->books.events[CAROM_EVENT_UNBALANCED]++;
    if (!stops(sim))
        return CAROM_OK;
    if (balances)
        return carom_fail(error, CAROM_NUMERICAL,
                          "the run is complete, but contact has lost %.2g %% of the energy other than by friction and "
                          "restitution, more than %g %%: bodies have too little space between others; leave them more, or use "
                          "a smaller time.step or contact.layer",
                          100 * taken, 100 * max_taken_at_end);
    char advice[ADVICE], of[2 * CAROM_NAME_MAX];
    advise(sim, advice, sizeof advice);
    name_group(sim, &found, of, sizeof of);
    return carom_fail(error, CAROM_NUMERICAL,
                      "the run is complete, but its ledger does not balance: %.2g %% of the energy%s %s, more than %g %%; %s",
                      100 * (part > limit ? part : given), part > limit ? of : "",
                      part > limit ? "is unexplained at the end" : "was added by contact",
                      100 * (part > limit ? limit : max_added_at_end), advice);
}

// Checks all elements, and saves the positions to find the cause if a later step fails.
static carom_status check_elements(carom_sim *sim, carom_error *error) {
    carom_status status = carom_watch_elements(sim, false, error);
    // adaptive steps are never unstable
    if (!status && !sim->stepper.follows)
        carom_sim_keep_positions(sim);
    return status;
}

bool carom_watch_audits(const carom_sim *sim, int64_t step) {
    const carom_integrator *method = sim->stepper.method;
    bool solves = !method->substeps && !isfinite(carom_integrator_stability(method, sim->params));
    // the last two steps of a run are always checked
    bool ends = step == sim->step_count - 1 || step == sim->step_count;
    return !sim->unwatched && !method->equilibrium && (solves || ends || step % AUDIT_EVERY == 0);
}

carom_status carom_watch_step(carom_sim *sim, carom_error *error) {
    carom_state *state = sim->state;
    if (sim->unwatched)
        return CAROM_OK;
    // an equilibrium has no motion, and its solver reports its failures
    if (sim->stepper.method->equilibrium)
        return state->step % CHECK_EVERY ? CAROM_OK : carom_watch_elements(sim, false, error);
    // velocities are synchronized only if those of the drift, which differ by up to a kick, do not suffice for the check
    carom_const_vectors w = (carom_const_vectors)state->method.w;
    carom_status status = CAROM_OK;
    if (!sim->stepper.stale || !w || !carom_guard_holds_ahead(state, w, sim->stepper.step))
        status = carom_sim_synchronize(sim, error);
    if (!status && !sim->stepper.stale)
        status = carom_guard_kinetic(state, (carom_const_vectors)state->v, sim->stepper.step, stops(sim), error);
    // the cause may be an inverted element
    if (status)
        carom_watch_elements(sim, true, error);
    // the last two steps of a run are always checked
    bool ends = state->step == sim->step_count - 1 || state->step == sim->step_count;
    if (!status)
        status = ends || state->step % CHECK_EVERY == 0 ? check_elements(sim, error) : watch_core(sim, error);
    // a check of surfaces costs as much as a step of a method that divides steps, and little compared with steps of other
    // methods
    const carom_integrator *method = sim->stepper.method;
    bool surfaces = ends || method->at_ends || !method->divides || method->substeps || state->step % CHECK_EVERY == 0;
    // a node with prescribed motion may stay behind a plane
    if (!status && (surfaces || sim->model->part.whole_restraints > 0))
        status = carom_watch_passage(sim, surfaces, error);
    if (!status && state->step % JUDGE_EVERY == 0)
        status = carom_watch_stability(sim, (carom_const_vectors)state->x, true, error);
    if (!status && carom_watch_audits(sim, state->step))
        status = audit(sim, error);
    return status;
}
