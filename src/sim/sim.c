// SPDX-License-Identifier: MIT
// A simulation: settings of time, creation, steps with their checks, and the return to the last admissible state.
#include "sim/sim.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/catalogue.h"
#include "base/processor.h"
#include "device/device.h"
#include "integrator/step_control.h"
#include "math/vec3.h"
#include "model/collective.h"
#include "model/forces/peaks.h"
#include "model/limits.h"
#include "model/model.h"
#include "model/state/guard.h"
#include "model/state/pair_forces.h"
#include "model/watch/frequency_bound.h"
#include "sim/collect.h"
#include "sim/kept_states.h"
#include "sim/parts.h"
#include "sim/watch.h"

// Steps after which the state is saved to return to, if output has not done so before.
enum { ACCEPT_EVERY = 64 };

// Windows of contact forces in a run: as many as rows of a history by default, so that the peak is the largest value there.
enum { WINDOWS = 1000 };

// The minimum length of a window in stable steps, in which waves cross about two elements: shorter ones would resolve the
// impulses of single nodes instead of the force between bodies.
static const double least_window = 4;

// Residual, relative to the energy scale, above which a row tests whether the oscillation explains it.
static const double test_oscillation_above = 0.01;

static const char *const on_events[] = {"stop", "warn", NULL};
static const char *const follows[] = {"auto", "true", "false", NULL};

const carom_param *carom_time_params(int *count) {
    static const carom_param params[] = {
        {.name = "end",
         .type = CAROM_PARAM_REAL,
         .offset = offsetof(carom_time_def, end),
         .unit = "time",
         CAROM_RANGE_POSITIVE,
         .doc = "End of the simulation, which starts at 0. The run ends with the first whole step at or after it."},
        {.name = "step",
         .type = CAROM_PARAM_REAL,
         .offset = offsetof(carom_time_def, step),
         .unit = "time",
         .initial = "auto",
         .min = 0,
         .max = HUGE_VAL,
         .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO,
         .doc = "Time step. `auto`: `safety` times the step that the integrator advises, for `newmark-dcr` the largest stable "
                "one."},
        {.name = "safety",
         .type = CAROM_PARAM_REAL,
         .offset = offsetof(carom_time_def, safety),
         .unit = "",
         .initial = "0.5",
         .min = 0,
         .max = 1,
         .flags = CAROM_PARAM_OPEN_MIN,
         .doc = "Fraction of the stable step that `step: auto` takes."},
        {.name = "follow",
         .type = CAROM_PARAM_CHOICE,
         .offset = offsetof(carom_time_def, follow),
         .unit = "",
         .initial = "auto",
         .choices = follows,
         .doc = "Whether a step is divided, by powers of two, while deformation makes a body stiffer or compresses it too fast "
                "for a whole step. `auto`: where the step is automatic, as those of elements in `asynchronous` always are. "
                "`true`: also where it is given. `false`: never. `newmark-dcr` with `contact.resolve: exact` and "
                "`nonsmooth-newmark` with `beta: 0` divide the steps of all elements, `asynchronous` those of each."},
        {.name = "on_event",
         .type = CAROM_PARAM_CHOICE,
         .offset = offsetof(carom_time_def, on_event),
         .unit = "",
         .initial = "stop",
         .choices = on_events,
         .doc =
             "What a numerical event does, such as a step larger than the stable one or an element that is inside out: `stop` "
             "refuses or ends the run, `warn` counts it and goes on. A value that is not finite always ends the run."},
        {.name = "energy_error",
         .type = CAROM_PARAM_REAL,
         .offset = offsetof(carom_time_def, energy_error),
         .unit = "",
         .initial = "0.1",
         .min = 0,
         .max = 0.1,
         .flags = CAROM_PARAM_OPEN_MIN,
         .doc =
             "Largest unexplained energy, relative to the energy scale: a numerical event if it is exceeded at two successive "
             "audits (every 64 steps; in every implicit step), or at the end of the run, where the limit is at most 0.02."},
        {.name = "retries",
         .type = CAROM_PARAM_INT,
         .offset = offsetof(carom_time_def, retries),
         .unit = "",
         .initial = "2",
         .min = 0,
         .max = 16,
         .doc = "How often a run starts again with half the step if a numerical event has ended it that a shorter step may "
                "prevent. Only for an automatic step whose division is not switched off."},
    };
    *count = sizeof params / sizeof *params;
    return params;
}

carom_time_def carom_default_time_def(void) {
    carom_time_def def = {0};
    int count;
    const carom_param *params = carom_time_params(&count);
    carom_param_defaults(params, count, &def);
    return def;
}

// Load factors from 0 to 1 take the place of time, so the loop, the output and the checkpoints serve a static analysis too.
carom_time_def carom_static_time(const carom_static_params *params) {
    carom_time_def def = carom_default_time_def();
    carom_static_params standard;
    if (!params) {
        carom_pick_of(carom_analyses(), "static", &standard, NULL);
        params = &standard;
    }
    def.end = 1;
    def.step = 1.0 / params->steps;
    def.on_event = params->on_event;
    return def;
}

// The windows of contact forces begin before the set-up of the method, which may record the first half kick.
static void start_force_windows(carom_sim *sim, double stable) {
    int64_t steps = (sim->step_count + WINDOWS - 1) / WINDOWS;
    double least = isfinite(stable) ? ceil(least_window * stable / sim->stepper.step) : 1;
    if (least > (double)steps)
        steps = (int64_t)fmin(least, (double)sim->step_count);
    carom_pair_forces_start(sim->state, steps, sim->stepper.step);
}

// Fixes the step and the number of steps.
static carom_status choose_step(carom_sim *sim, carom_error *error) {
    carom_time_plan plan;
    carom_status status = carom_time_choose(&sim->time, sim->model, sim->stepper.method, sim->params, &plan, error);
    if (status)
        return status;
    if (plan.unstable)
        sim->state->books.events[CAROM_EVENT_UNSTABLE_STEP]++;
    sim->step_count = plan.steps;
    sim->stepper.step = plan.step;
    start_force_windows(sim, carom_model_step_of_elements(sim->model));
    return CAROM_OK;
}

// Steps are divided if this was requested, the method can divide them, contact is resolved exactly and a body can become
// stiffer. Where elements have substeps, a given step of the run does not give theirs: these are automatic.
bool carom_time_divides(const carom_time_def *time, const carom_model *model, const carom_kind *integrator) {
    const carom_integrator *method = (const carom_integrator *)integrator;
    bool automatic = isnan(time->step) || method->substeps;
    bool wanted = time->follow == CAROM_FOLLOW_ON || (time->follow == CAROM_FOLLOW_AUTO && automatic);
    return wanted && method->divides && carom_model_can_stiffen(model) && model->contact.resolve == CAROM_RESOLVE_EXACT;
}

carom_status carom_state_add_like(carom_state *state, const carom_state_array *array, int64_t count, carom_error *error) {
    if (!carom_state_add_array(state, array->name, count))
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the state");
    carom_state_array *own = &state->arrays[state->array_count - 1];
    double *values = own->values;
    *own = *array;
    own->values = values;
    own->count = count;
    return CAROM_OK;
}

carom_status carom_state_create_like(const carom_state *state, carom_state **copy, carom_error *error) {
    carom_status status = carom_state_create(state->model, copy, error);
    for (int a = status ? 0 : (*copy)->array_count; !status && a < state->array_count; a++)
        status = carom_state_add_like(*copy, &state->arrays[a], state->arrays[a].count, error);
    const carom_method_arrays *method = &state->method;
    if (!status)
        (*copy)->method = (carom_method_arrays){.w = (carom_vectors)carom_state_twin(state, method->w, *copy),
                                                .loss_corrections = carom_state_twin(state, method->loss_corrections, *copy),
                                                .division = carom_state_twin(state, method->division, *copy),
                                                .shortest = carom_state_twin(state, method->shortest, *copy)};
    return CAROM_MODEL_AGREE(state->model, status, error);
}

// What a method counts (carom_method_result) is printed as whole numbers.
static carom_limits count_limits(const void *owner, const carom_state *state, int64_t i) {
    const carom_method_result *result = owner;
    int64_t end = result->begin;
    (void)state;
    for (int l = 0; result->labels[l]; l++)
        end++;
    return i >= result->begin && i < end ? CAROM_LIMITS_COUNT : CAROM_LIMITS_NONE;
}

static void limit_counts(carom_state *state, const carom_method_result *results) {
    for (const carom_method_result *result = results; result && result->name; result++)
        if (result->kind == CAROM_RESULT_COUNTS)
            carom_state_limit(state, carom_state_find_array(state, result->array), count_limits, result);
}

carom_status carom_sim_prepare(carom_sim *sim, carom_pick integrator, const carom_time_def *time,
                               const carom_collection *before, carom_error *error) {
    const carom_integrator *method = (const carom_integrator *)integrator.kind;
    // a pick need not come from the catalogue
    carom_status status = carom_integrator_check(method, error);
    if (!status)
        status = carom_pick_copy(&integrator, &sim->params, error);
    status = CAROM_MODEL_AGREE(sim->model, status, error);
    if (status)
        return status;
    sim->time = *time;
    sim->stepper = (carom_stepper){
        .method = method, .model = sim->model, .params = sim->params, .row_step = -1, .audit_step = -1, .peaks_step = -1};

    // The order matters: a method may refuse the model before memory is spent, and set-up needs the step.
    status = method->available ? method->available(sim->params, error) : CAROM_OK;
    if (!status)
        status = carom_integrator_accepts(method, sim->model, sim->params, error);
    if (!status)
        status = carom_state_create(sim->model, &sim->state, error);
    // bound to the state where materials have history
    if (!status)
        sim->stepper.model = sim->model = sim->state->model;
    if (!status)
        status = choose_step(sim, error);
    // all processes enter the set-up, or none
    status = CAROM_MODEL_AGREE(sim->model, status, error);
    sim->stepper.follows = !status && carom_time_divides(&sim->time, sim->model, &method->kind);
    sim->stepper.stops = sim->time.on_event == CAROM_ON_EVENT_STOP;
    sim->stepper.halvings = sim->time.halvings;
    if (!status)
        status = method->setup(&sim->stepper, sim->state, error);
    if (status)
        return status;
    limit_counts(sim->state, method->results);

    sim->checked_x = carom_allocate(sim->model->node_count, sizeof *sim->checked_x);
    sim->shapes.x = carom_allocate(sim->model->node_count, sizeof *sim->shapes.x);
    sim->shapes.margin = carom_allocate(sim->model->block_count, sizeof *sim->shapes.margin);
    if (!sim->checked_x || !sim->shapes.x || !sim->shapes.margin)
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the state");
    // several processes have no obstacles
    if (!status && !method->equilibrium && !carom_model_is_subdomain(sim->model))
        status = carom_closing_create(sim->model, &sim->closing, error);
    status = CAROM_MODEL_AGREE(sim->model, status, error);
    if (!status && carom_model_is_subdomain(sim->model))
        status = carom_collection_create(sim, before, error);
    if (status)
        return status;
    carom_watch_start(sim);
    carom_peaks_start(sim->state);
    status = carom_state_create_like(sim->state, &sim->last_good, error);
    if (!status)
        status = carom_state_create_like(sim->state, &sim->balanced, error);
    if (!status)
        status = carom_sim_accept(sim, error);
    if (status)
        return status;
    carom_sim_keep(sim, sim->balanced, CAROM_COPY_BALANCED);
    return sim->time.on_event == CAROM_ON_EVENT_STOP ? carom_watch_elements(sim, true, error) : CAROM_OK;
}

// Refuses a value of CAROM_KERNELS that the processor does not support.
static carom_status check_kernels(carom_error *error) {
    if (carom_kernels_can_be_chosen())
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "CAROM_KERNELS=%s: this processor has baseline%s", getenv("CAROM_KERNELS"),
                      carom_kernels_best() == CAROM_KERNELS_V4   ? ", v3 and v4"
                      : carom_kernels_best() == CAROM_KERNELS_V3 ? " and v3"
                                                                 : " only");
}

carom_status carom_sim_create(const carom_model *model, carom_pick integrator, const carom_time_def *time, carom_sim **sim,
                              carom_error *error) {
    *sim = NULL;
    if (!integrator.kind)
        return carom_fail(error, CAROM_BAD_INPUT, "no integrator was chosen");
    return carom_sim_create_for(model, NULL, integrator, time, sim, error);
}

carom_status carom_sim_create_for(const carom_model *model, const carom_model *whole, carom_pick integrator,
                                  const carom_time_def *time, carom_sim **sim, carom_error *error) {
    *sim = NULL;
    carom_sim *s = carom_allocate(1, sizeof *s);
    carom_status status = s ? check_kernels(error) : carom_fail(error, CAROM_NO_MEMORY, "no memory for the simulation");
    status = CAROM_MODEL_AGREE(model, status, error);
    if (status) {
        free(s);
        return status;
    }
    s->model = model;
    s->whole = whole;
    status = carom_sim_prepare(s, integrator, time, NULL, error);
    if (status)
        carom_sim_release(s);
    else
        *sim = s;
    return status;
}

// The method is released first: its workspace may refer to the state.
void carom_sim_clear(carom_sim *sim) {
    carom_device_release(sim->stepper.device);
    sim->stepper.device = NULL;
    if (sim->stepper.workspace)
        sim->stepper.method->release(&sim->stepper);
    carom_collection_release(sim);
    carom_state_release(sim->state);
    carom_state_release(sim->last_good);
    carom_state_release(sim->balanced);
    free(sim->checked_x);
    carom_audit_release(&sim->audit);
    free(sim->edges);
    carom_closing_release(sim->closing);
    free(sim->shapes.x);
    free(sim->shapes.margin);
    carom_outgrown_space_release(&sim->outgrown);
    carom_sim_forget_impacts(sim);
    free(sim->params);
    carom_subdomains_release(sim->own);
    carom_model_release(sim->own_space);
    free(sim->view);
}

void carom_sim_release(carom_sim *sim) {
    if (!sim)
        return;
    carom_sim_clear(sim);
    free(sim);
}

const carom_model *carom_sim_model(const carom_sim *sim) {
    // bound to the state that is shown
    return sim->whole && sim->collection ? carom_sim_whole(sim)->model : sim->whole ? sim->whole : sim->model;
}

// If several processes share the simulation, the first one returns what was collected last.
const carom_state *carom_sim_state(const carom_sim *sim) {
    carom_state_read(sim->state, CAROM_ARRAYS_MOTION | CAROM_ARRAYS_HISTORY);
    return sim->whole ? carom_sim_whole(sim) : sim->state;
}

const carom_kind *carom_sim_integrator(const carom_sim *sim) {
    return &sim->stepper.method->kind;
}

double carom_sim_step_size(const carom_sim *sim) {
    return sim->stepper.step;
}

carom_division carom_sim_division(const carom_sim *sim) {
    carom_division division = {
        .possible = sim->stepper.follows, .nominal = sim->stepper.step, .smallest = sim->stepper.step, .time = NAN};
    const double *record = division.possible ? sim->state->method.division : NULL;
    if (!record || record[CAROM_RECORD_LEVEL] == 0)
        return division;
    division.parts = (int64_t)record[CAROM_RECORD_PARTS];
    const double *shortest = sim->state->method.shortest;
    division.smallest = shortest ? *shortest : ldexp(division.smallest, -(int)record[CAROM_RECORD_LEVEL]);
    division.time = record[CAROM_RECORD_TIME];
    if (record[CAROM_RECORD_ELEMENT] > 0 && carom_sim_first(sim))
        carom_model_name_element(carom_sim_model(sim), (int)record[CAROM_RECORD_ELEMENT] - 1, division.element,
                                 sizeof division.element);
    return division;
}

int64_t carom_sim_step_count(const carom_sim *sim) {
    return sim->step_count;
}

double carom_sim_force_window(const carom_sim *sim) {
    return sim->state->books.window.length;
}

void carom_sim_set_force_window(carom_sim *sim, double length) {
    if (sim->state->step > 0 || !(length > 0))
        return;
    // from one step to the whole run
    double steps = fmin(fmax(round(length / sim->stepper.step), 1), (double)sim->step_count);
    carom_state *const states[] = {sim->state, sim->last_good, sim->balanced};
    for (int i = 0; i < 3; i++) {
        carom_force_window *window = &states[i]->books.window;
        window->steps = (int64_t)steps;
        window->length = steps * sim->stepper.step;
    }
}

bool carom_sim_done(const carom_sim *sim) {
    return sim->state->step >= sim->step_count;
}

carom_status carom_sim_synchronize(carom_sim *sim, carom_error *error) {
    return carom_sim_insist(sim, carom_stepper_synchronize(&sim->stepper, sim->state, error), error);
}

// In vibration the modified energy that leapfrog conserves varies less than the energy, in steady rotation the energy does. The
// difference matters only near the stable step; there a row contains the oscillation if that reduces its residual, as in
// audits.
carom_ledger_row carom_sim_ledger(const carom_sim *sim) {
    const carom_stepper *stepper = &sim->stepper;
    carom_ledger_row row = carom_stepper_ledger(stepper, sim->state);
    if (!(fabs(row.residual) > test_oscillation_above * sim->state->guard[CAROM_GUARD_SCALE]))
        return row;
    double shown = row.oscillation, residual = row.residual + shown;
    if (shown == 0 && stepper->method->oscillation)
        shown = stepper->method->oscillation(stepper, sim->state);
    row.oscillation = fabs(residual - shown) < fabs(residual) ? shown : 0;
    row.residual = residual - row.oscillation;
    return row;
}

// The copy was taken after synchronization, so velocities and ledger are those of its time.
void carom_sim_return(carom_sim *sim) {
    carom_state_copy(sim->state, sim->last_good);
    sim->stepper.stale = false;
}

// Returns to the last admissible state. Events since then stay counted, and a too large step is counted here.
static void fall_back(carom_sim *sim) {
    carom_error unsaid;
    if (sim->unbalanced)
        carom_state_copy(sim->last_good, sim->balanced);
    else if (!carom_watch_stability(sim, carom_sim_checked(sim), false, &unsaid))
        carom_watch_stability(sim, (carom_const_vectors)sim->state->x, false, &unsaid);
    carom_books books = sim->state->books;
    double guard[CAROM_GUARD_NUMBERS];
    memcpy(guard, sim->state->guard, sizeof guard);
    carom_sim_return(sim);
    // a state that was saved during a growing instability is finite, but its ledger may not balance
    if (!sim->unbalanced && !sim->stepper.method->equilibrium && sim->last_good->step != sim->balanced->step &&
        !carom_watch_balances(sim)) {
        sim->unbalanced = true;
        carom_state_copy(sim->last_good, sim->balanced);
        carom_sim_return(sim);
    }
    memcpy(sim->state->books.events, books.events, sizeof books.events);
    // the summary contains the largest values
    sim->state->guard[CAROM_GUARD_KINETIC] = guard[CAROM_GUARD_KINETIC];
    sim->state->guard[CAROM_GUARD_RESIDUAL] = guard[CAROM_GUARD_RESIDUAL];
}

// Checks that the state is finite, and saves it as the one to return to. A state that is not finite is never written: the
// simulation returns to the previous one.
static carom_status accept(carom_sim *sim, carom_error *error) {
    if (carom_state_is_finite(sim->state)) {
        carom_sim_keep(sim, sim->last_good, CAROM_COPY_GOOD);
        return CAROM_OK;
    }
    // Before falling back, which changes it.
    double time = sim->state->time;
    sim->state->books.events[CAROM_EVENT_NOT_FINITE]++;
    fall_back(sim);
    return carom_fail(error, CAROM_NUMERICAL, "positions or velocities are not finite at time %g", time);
}

carom_status carom_sim_accept(carom_sim *sim, carom_error *error) {
    carom_status status = carom_sim_synchronize(sim, error);
    return status ? status : accept(sim, error);
}

// A held cascade of impacts ends the run if contact.on_hold is `stop`.
static carom_status check_hold(const carom_sim *sim, int64_t held_before, carom_error *error) {
    const carom_state *state = sim->state;
    if (sim->model->contact.on_hold == CAROM_ON_HOLD_WARN || state->books.events[CAROM_EVENT_CONTACT_HELD] == held_before)
        return CAROM_OK;
    return carom_fail(error, CAROM_NUMERICAL,
                      "an endless cascade of impacts had to be held at time %g (step %lld; contact.on_hold: stop)", state->time,
                      (long long)state->step);
}

// Missed contact ends the run if events do.
static carom_status check_missed(const carom_sim *sim, int64_t missed_before, carom_error *error) {
    const carom_state *state = sim->state;
    if (sim->time.on_event != CAROM_ON_EVENT_STOP || state->books.events[CAROM_EVENT_CONTACT_MISSED] == missed_before)
        return CAROM_OK;
    if (sim->stepper.missed.message[0])
        return carom_fail(error, CAROM_NUMERICAL, "contact was not seen at time %g (step %lld): %s", state->time,
                          (long long)state->step, sim->stepper.missed.message);
    return carom_fail(
        error, CAROM_NUMERICAL,
        "surfaces pass each other unseen at time %g (step %lld): they approach by more than the reach of contact in a "
        "step; a smaller time.step than %g helps",
        state->time, (long long)state->step, sim->stepper.step);
}

static void check_peaks(carom_sim *sim, bool row) {
    carom_phase before = carom_profile_enter(&sim->stepper.profile, CAROM_PHASE_PEAKS);
    if (!sim->unpeaked)
        carom_peaks_check(sim->state, row);
    sim->stepper.peaks_step = -1;
    carom_profile_enter(&sim->stepper.profile, before);
}

carom_status carom_sim_advance(carom_sim *sim, carom_error *error) {
    // events are counted over the run: those of this step are the differences
    int64_t held = sim->state->books.events[CAROM_EVENT_CONTACT_HELD];
    int64_t missed = sim->state->books.events[CAROM_EVENT_CONTACT_MISSED];
    int64_t inverted = sim->state->books.events[CAROM_EVENT_INVERTED];
    carom_status status = CAROM_OK;
    // Steps of implicit methods are few and expensive: each is worth a copy.
    if (sim->state->step - sim->last_good->step >= (sim->stepper.method->implicit ? 1 : ACCEPT_EVERY)) {
        status = carom_sim_synchronize(sim, error);
        if (!status)
            status = accept(sim, error);
    }
    if (status)
        return status;
    carom_closing_begin(sim->closing, (carom_const_vectors)sim->state->x);
    sim->stepper.kept_state = false;
    sim->stepper.attempt++;
    sim->stepper.peaks_step = sim->unpeaked ? -1 : sim->state->step + 1;
    // a device computes energies together with forces; on the processor they are computed when they are needed
    bool audited = carom_state_moved_by(sim->state) && carom_watch_audits(sim, sim->state->step + 1);
    sim->stepper.audit_step = audited ? sim->state->step + 1 : -1;
    status = carom_sim_insist(sim, sim->stepper.method->step(&sim->stepper, sim->state, error), error);
    carom_status device = carom_sim_judge_device(sim, error);
    status = device ? device : status;
    // The method has stopped at an admissible state inside the step, which is more recent than the copy.
    if (status == CAROM_NUMERICAL && sim->stepper.kept_state) {
        check_peaks(sim, true);
        carom_sim_accept(sim, NULL);
        return status;
    }
    // the cause may be an inverted element
    if (status == CAROM_NUMERICAL && sim->state->books.events[CAROM_EVENT_INVERTED] == inverted)
        carom_watch_elements(sim, true, error);
    else if (!status) {
        // before a guard copies the state, so that the copy contains the peaks up to its time
        check_peaks(sim, sim->stepper.row_step == sim->state->step);
        carom_pair_forces_step(sim->state);
        carom_phase before = carom_profile_enter(&sim->stepper.profile, CAROM_PHASE_GUARDS);
        status = carom_sim_insist(sim, carom_watch_step(sim, error), error);
        carom_profile_enter(&sim->stepper.profile, before);
    }
    if (!status)
        status = check_hold(sim, held, error);
    if (!status)
        status = check_missed(sim, missed, error);
    if (status == CAROM_NUMERICAL)
        fall_back(sim);
    // an incomplete step is undone
    if (status == CAROM_INTERRUPTED)
        carom_sim_return(sim);
    // Only a step that succeeded reports its hits.
    if (!status)
        return carom_sim_report_impacts(sim, error);
    carom_sim_drop_impacts(sim);
    return status;
}

carom_status carom_sim_step(carom_sim *sim, carom_error *error) {
    carom_status status = carom_sim_advance(sim, error);
    // a program may read the arrays of the state between steps
    carom_state_read(sim->state, CAROM_ARRAYS_ALL);
    return status ? status : carom_sim_synchronize(sim, error);
}
