// SPDX-License-Identifier: MIT
// Theory: docs/theory/asynchronous.md
//
// Asynchronous variational integration with collisions as events, after
//     S. Wolff, C. Bucher: Asynchronous collision integrators: explicit treatment of unilateral contact with friction and nodal
//     restraints. International Journal for Numerical Methods in Engineering 95 (2013) 562-586.
//
// Every element i has its own step h_i, a fraction of its critical step, and kicks its nodes at the times 0, h_i, 2 h_i, ...:
//
//     kick    w_k -= (h_i/m_k) P_k dV_i/dx_k     with h_i/2 at the first time; P_k projects on the free directions of node k
//     drift   x_k(t) = x_k + t w_k               between kicks; positions are evaluated only when needed (flight.h)
//
// Constant dead loads are shared by the elements of a node and kick with them; other loads kick by themselves (load_kicks.h).
// Events happen in the order of time, kind and number (event_loop.h); a calendar queue holds them (calendar.h). Elements with
// equal steps kick at equal times, and together (kicks.h). Contact is resolved by one of two methods:
//
//     exact   nodes that may touch something soon are kicked at common times, the ticks, and move with constant velocity
//             between them: impacts happen at their exact times, and kicks that press bodies together are answered within
//             the kick, as in newmark-dcr (ticks.h)
//     others  each node polls for overlap at its own times and receives velocities that separate it, as in the paper
//             (overlap_polls.h)
//
// A step of the run is a window of time. All events in it happen, in one or several spans if contact is exact (spans.h). Then
// all nodes move to its end. Velocities at that time are computed only on request (output_velocities.h).
//
// The map is a composition of kicks and drifts: symplectic, with exact linear and angular momentum. If all elements have equal
// steps it is the map of newmark-dcr. It is reversible only if the times of the kicks are.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/param.h"
#include "integrator/asynchronous/event_loop.h"
#include "integrator/asynchronous/kick_history.h"
#include "integrator/asynchronous/output_velocities.h"
#include "integrator/asynchronous/prescribed.h"
#include "integrator/asynchronous/spans.h"
#include "integrator/contact_step.h"
#include "integrator/stepper.h"
#include "math/vec3.h"
#include "model/forces/forces.h"
#include "model/motion/springs.h"
#include "model/state/accounts.h"

static const char *const contacts[] = {"exact", "sequential-synchronous", "constant", "adaptive", NULL};

static const carom_param params[] = {
    CAROM_ROW(carom_asynchronous_params, beta, CAROM_PARAM_REAL, "", .initial = "0.25", .min = 0, .max = 1,
              .flags = CAROM_PARAM_OPEN_MIN,
              .doc = "Step of each element as a fraction of its critical step; shorter next to far smaller elements, and "
                     "never longer than `time.step`."),
    CAROM_ROW(carom_asynchronous_params, classes, CAROM_PARAM_INT, "", .initial = "8", .min = 0, .max = 64,
              .doc = "Steps of elements between one length and its double: they are rounded down to one of so many, and "
                     "elements with equal steps kick together, which is many times faster. 0: every element with exactly "
                     "its own."),
    CAROM_ROW(carom_asynchronous_params, contact, CAROM_PARAM_CHOICE, "", .initial = "exact", .choices = contacts,
              .doc = "When contact acts. `exact`: at times of impact, nothing overlaps. The others are those of the paper, "
                     "where nodes of surfaces poll for overlap: all at one time (`sequential-synchronous`), each with the "
                     "shortest step of the elements around it (`constant`), or more often if it is fast (`adaptive`). They "
                     "do not detect self-contact."),
    CAROM_ROW(carom_asynchronous_params, alpha, CAROM_PARAM_REAL, "", .initial = "0.5", .min = 0.01, .max = HUGE_VAL,
              .doc = "With `adaptive`: displacement of a node between two polls, in units of its size."),
    CAROM_ROW(carom_asynchronous_params, centred, CAROM_PARAM_BOOL, "", .initial = "true",
              .doc = "Contact acts on the velocities at its time, not on those in the middle between two kicks. `false`: "
                     "as printed in the paper; the energy error is then of first order."),
};

typedef struct workspace {
    carom_event_loop loop;
    carom_spans spans;  // with exact contact
    carom_arena *arena; // of scratch memory
    carom_prescribed prescribed;
    double *slots;                // scratch: element forces
    carom_exact_accounts contact; // pending accounts of contact at the end of the last step

    // the energy that kicks conserve is compared with the ledger
    double *oscillation; // at the start of the run; part of the state
    carom_vectors kick;  // per node: scratch
    bool *ticks;         // per node: scratch
} workspace;

// Steps between two audits of the energy accounts of bouncing pairs. Counted from the start of the run, so that output and
// restarts change nothing.
enum { AUDIT_STEPS = 64 };

static const char *const counters[CAROM_COUNTS + 1] = {"element", "load", "contact"};

static const char counts_array[] = "kick counts";

static const carom_method_result results[] = {
    {.name = "kicks",
     .kind = CAROM_RESULT_COUNTS,
     .array = counts_array,
     .labels = counters,
     .doc = "Kicks of elements, of loads and of contact."},
    {.name = NULL},
};

static carom_status synchronize(carom_stepper *stepper, carom_state *state, carom_error *error) {
    (void)error;
    workspace *s = stepper->workspace;
    carom_output_velocities(&s->loop, &s->contact, s->slots, state);
    return CAROM_OK;
}

// Runs all events up to the time `end`, and moves all nodes there. *finite is false if a position is not finite.
static carom_status pass(carom_stepper *stepper, double end, bool *finite, carom_error *error) {
    workspace *s = stepper->workspace;
    carom_event_loop *loop = &s->loop;
    carom_status status = CAROM_OK;
    if (loop->ticks)
        return carom_spans_run(&s->spans, end, finite, error);
    if (loop->is_polled)
        status = carom_overlap_polls_begin(&loop->polls, error);
    loop->polls.struck = false;
    stepper->stale = false;
    if (!status)
        status = carom_event_loop_run(loop, end, error);
    if (status)
        return status;
    if (loop->is_polled)
        carom_levels_note_hits(&loop->levels, loop->polls.struck);
    *finite = carom_spans_move_nodes(&loop->flight);
    return *finite && loop->is_polled ? carom_overlap_polls_measure(&loop->polls, &loop->flight.state->books.overlap, error)
                                      : CAROM_OK;
}

// The difference of the energy from the one that kicks conserve.
static double oscillation(const carom_stepper *stepper, const carom_state *state) {
    workspace *s = stepper->workspace;
    return carom_output_oscillation(&s->loop, s->slots, s->kick, s->ticks, state) - *s->oscillation;
}

// Energies of the row; with restitution also the oscillation, on which its audits rest, and the open accounts.
static void measure(const carom_stepper *stepper, const carom_state *state, carom_ledger_row *row) {
    workspace *s = stepper->workspace;
    const carom_debts *debts = carom_ticks_debts(s->loop.ticks);
    carom_ledger_measure(state, NULL, row);
    if (!debts)
        return;
    row->oscillation = oscillation(stepper, state);
    row->account = carom_debts_open(debts);
    row->largest_account = carom_debts_largest(debts);
}

// Elements that join or leave the ticks, and unequal steps, change the energy without an impact. That error is added to the
// accounts of the pairs that have bounced, whose next bounces correct it.
static carom_status audit(carom_stepper *stepper, carom_state *state, carom_error *error) {
    workspace *s = stepper->workspace;
    const carom_debts *debts = carom_ticks_debts(s->loop.ticks);
    if (!debts || state->step % AUDIT_STEPS)
        return CAROM_OK;
    carom_status status = carom_stepper_synchronize(stepper, state, error);
    if (!status)
        carom_debts_audit(debts, carom_stepper_ledger(stepper, state).residual);
    return status;
}

static carom_status step(carom_stepper *stepper, carom_state *state, carom_error *error) {
    workspace *s = stepper->workspace;
    carom_flight *flight = &s->loop.flight;
    double end = (double)(state->step + 1) * stepper->step;
    state->books.contacts = 0;
    flight->begin = (double)state->step * stepper->step;
    flight->step = end - flight->begin;
    flight->state = state;
    carom_prescribed_begin(&s->prescribed, state->step > 0 ? (double)(state->step - 1) * stepper->step : flight->begin);

    double kicks = s->loop.kicks_before = flight->counts[CAROM_COUNT_ELEMENT];
    s->loop.window = flight->step;
    bool finite = true;
    carom_phase before = carom_profile_enter(&stepper->profile, CAROM_PHASE_HITS);
    carom_status status = pass(stepper, end, &finite, error);
    carom_profile_enter(&stepper->profile, before);
    if (status)
        return status;
    state->books.element_updates += (int64_t)(flight->counts[CAROM_COUNT_ELEMENT] - kicks);
    state->step++;
    state->time = end;
    if (!finite) {
        state->books.events[CAROM_EVENT_NOT_FINITE]++;
        return carom_fail(error, CAROM_NUMERICAL, "positions are not finite at time %g (step %lld)", state->time,
                          (long long)state->step);
    }

    // velocities are computed on request, unless polls, driven nodes or separating bodies need them now; stresses after every
    // step need the histories at its end
    carom_accounts_clear(&state->books.pending);
    if (s->loop.ticks) {
        carom_ticks_book_last(s->loop.ticks);
        flight->counts[CAROM_COUNT_CONTACT] += state->books.contacts;
    }
    carom_accounts_copy(&s->contact, &state->books.pending);
    stepper->stale = true;
    if (s->loop.is_polled || stepper->model->drives.of_restraint || flight->kicks.history || carom_ledger_has_partings(state))
        carom_stepper_synchronize(stepper, state, NULL);
    carom_ledger_note_partings(state);
    return audit(stepper, state, error);
}

static void release(carom_stepper *stepper) {
    workspace *s = stepper->workspace;
    if (!s)
        return;
    carom_spans_release(&s->spans);
    carom_event_loop_release(&s->loop);
    carom_kicks_release(&s->loop.flight.kicks);
    carom_arena_release(s->arena);
    free(s);
    stepper->workspace = NULL;
}

// Marks the nodes that can touch something; NULL if memory is short.
static bool *contact_nodes(const carom_model *model) {
    bool *touch = carom_allocate(model->node_count, sizeof *touch);
    for (int k = 0; touch && k < model->node_count; k++)
        touch[k] = carom_model_can_touch(model, k);
    return touch;
}

// Creates the flight of nodes and live loads; registers what must survive a restart.
static carom_status create_flight(workspace *s, const carom_model *model, carom_state *state, double step, carom_error *error) {
    carom_flight *flight = &s->loop.flight;
    int restraints = model->restraints.count;
    *flight = (carom_flight){.model = model, .state = state, .step = step, .x = state->x, .restraints = model->restraints};
    flight->w = state->method.w = (carom_vectors)carom_state_add_field(state, "drift velocities");
    flight->counts = carom_state_add_array(state, counts_array, CAROM_COUNTS);
    bool enough = s->arena && flight->w && flight->counts;
    s->slots = carom_arena_reserve(s->arena, carom_model_slot_count(model), sizeof *s->slots, &enough);
    flight->restraints.items = carom_arena_reserve(s->arena, restraints, sizeof *flight->restraints.items, &enough);
    if (model->drives.of_restraint)
        flight->driven = carom_arena_reserve(s->arena, restraints, sizeof *flight->driven, &enough);
    if (!enough)
        return carom_no_memory(error, "the integrator");
    if (restraints)
        memcpy(flight->restraints.items, model->restraints.items, (size_t)restraints * sizeof *flight->restraints.items);
    if (!carom_prescribed_create(&s->prescribed, &s->loop, s->arena))
        return carom_no_memory(error, "the integrator");
    flight->mobility = (carom_mobility){model->mass, &flight->restraints, NULL};
    memcpy(flight->w, state->v, (size_t)model->node_count * sizeof *flight->w);
    return carom_load_kicks_create(&s->loop.loads, flight, s->arena, error);
}

// Creates elements, contact and events, in this order. `touch`, per node: it can touch something.
static carom_status create_events(carom_stepper *stepper, workspace *s, const bool *touch, carom_error *error) {
    const carom_model *model = stepper->model;
    const carom_asynchronous_params *p = stepper->params;
    carom_event_loop *loop = &s->loop;
    carom_flight *flight = &loop->flight;
    bool touches = false;
    for (int k = 0; k < model->node_count; k++)
        touches = touches || touch[k];
    loop->is_polled = p->contact != CAROM_ASYNCHRONOUS_EXACT;
    double beta = ldexp(p->beta, -stepper->halvings);
    carom_kick_rule rule = {.beta = beta,
                            .longest = stepper->step,
                            .classes = p->classes,
                            .touches = touch,
                            .keeps = loop->is_polled,
                            .aligned = !loop->is_polled && carom_contact_step_bounces(model, true)};
    double *mass = stepper->follows ? carom_allocate(model->element_node_count, sizeof *mass) : NULL;
    if (stepper->follows && !mass)
        return carom_no_memory(error, "the integrator");
    rule.mass = mass;
    carom_status status = carom_kicks_create(model, &rule, flight->state, &flight->kicks, error);
    if (!status && mass)
        status = carom_levels_create(&loop->levels, flight, beta, mass, s->arena, error);
    loop->levels.stops = stepper->stops;
    free(mass);
    if (status)
        return status;
    if (loop->is_polled)
        status = carom_overlap_polls_create(&loop->polls, flight, p, touch, s->arena, error);
    else if (touches || model->rigid.count)
        status = carom_ticks_create(flight, &loop->loads, &loop->levels, touch, beta, &loop->ticks, error);
    return status ? status : carom_event_loop_create(loop, stepper->step, s->arena, error);
}

// Allocates memory for the oscillation, and finds it at the start.
static carom_status prepare_oscillation(workspace *s, carom_state *state, carom_error *error) {
    bool enough = true;
    int n = s->loop.flight.model->node_count;
    s->kick = carom_arena_reserve(s->arena, n, sizeof *s->kick, &enough);
    s->ticks = carom_arena_reserve(s->arena, n, sizeof *s->ticks, &enough);
    s->oscillation = enough ? carom_state_add_silent(state, "start of oscillation", 1) : NULL;
    if (!s->oscillation)
        return carom_no_memory(error, "the integrator");
    *s->oscillation = carom_output_oscillation(&s->loop, s->slots, s->kick, s->ticks, state);
    return CAROM_OK;
}

static carom_status setup(carom_stepper *stepper, carom_state *state, carom_error *error) {
    const carom_model *model = stepper->model;
    workspace *s = carom_allocate(1, sizeof *s);
    stepper->workspace = s;
    if (!s)
        return carom_no_memory(error, "the integrator");
    s->arena = carom_arena_create();
    carom_status status = create_flight(s, model, state, stepper->step, error);
    if (status)
        return status;
    s->loop.flight.observer = &stepper->observer;
    s->loop.profile = &stepper->profile;
    s->spans = (carom_spans){.loop = &s->loop, .stepper = stepper, .contact = &s->contact};
    if (model->drives.of_restraint)
        s->spans.undriven = (carom_const_vectors)s->prescribed.undriven;
    bool *touch = contact_nodes(model);
    status = touch ? create_events(stepper, s, touch, error) : carom_no_memory(error, "the integrator");
    free(touch);
    if (!status)
        carom_kick_history_start(&s->loop.flight.kicks, state, s->slots);
    if (!status)
        status = prepare_oscillation(s, state, error);
    if (!status && s->loop.ticks)
        status = carom_spans_create(&s->spans, error);
    return status;
}

// Polled contact leaves overlap between two polls.
static bool overlaps(const carom_model *model, const void *params_) {
    (void)model;
    return ((const carom_asynchronous_params *)params_)->contact != CAROM_ASYNCHRONOUS_EXACT;
}

static const carom_lack lacks[] = {
    {CAROM_NEED_FRAMES},
    {CAROM_NEED_DAMPING},
    {CAROM_NEED_STIFFNESS_DAMPING},
    {CAROM_NEED_RIGID, "another `contact` than exact", overlaps, "integrator.asynchronous.contact: exact"},
    // tied nodes would have to be kicked at one time
    {CAROM_NEED_TIES},
    {CAROM_NEED_BRANCHES},
    {CAROM_NEED_NONE},
};

static carom_status accepts(const carom_model *model, const void *params_, carom_error *error) {
    if (model->contact.resolve == CAROM_RESOLVE_PROJECTION)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "asynchronous does not support contact.resolve: projection: set contact.resolve: exact");
    return overlaps(model, params_) ? carom_overlap_polls_accept(model, error) : CAROM_OK;
}

// `time.step: auto` is a fraction of the longest step of an element; smaller elements take many steps in it.
static double advised_step(const carom_model *model, const void *params_) {
    (void)params_;
    double square = carom_model_spring_square(model), longest = carom_kicks_longest_window(model);
    double spring = square > 0 ? 2 / sqrt(square) : HUGE_VAL;
    // NaN (no memory) is passed on
    return spring < longest ? spring : longest;
}

const carom_integrator carom_integrator_asynchronous = {
    .kind = {.name = "asynchronous",
             .summary = "Every element with its own step; contact at the exact time of impact, or by polling.",
             .reference =
                 "S. Wolff, C. Bucher: Asynchronous collision integrators: explicit treatment of unilateral contact with "
                 "friction and nodal restraints. Int. J. Numer. Meth. Engng 95 (2013) 562-586.",
             .params = params,
             .param_count = sizeof params / sizeof *params,
             .params_size = sizeof(carom_asynchronous_params)},
    .claims = {.linear_momentum = true,
               .angular_momentum = true,
               .energy = CAROM_ENERGY_BOUNDED,
               .contact_energy = true,
               .symplectic = true,
               .reversible = false,
               .order = 2},
    .remedy = ", or a smaller beta",
    .conditions =
        "Over many bounces with restitution above 0 the energy less its oscillation is kept within the open accounts where the "
        "elements that touch have equal steps, and within a few percent where they differ, for beta up to 0.25. With a larger "
        "beta elements of different size resonate: the audit of the ledger stops such a run. Contact by polling adds energy "
        "that no account returns.",
    .substeps = true,
    .divides = true,
    .results = results,
    .lacks = lacks,
    .accepts = accepts,
    .overlaps = overlaps,
    .advised_step = advised_step,
    .setup = setup,
    .step = step,
    .synchronize = synchronize,
    .measure = measure,
    .oscillation = oscillation,
    .release = release,
};
