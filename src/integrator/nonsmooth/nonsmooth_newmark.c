// SPDX-License-Identifier: MIT
// Theory: docs/theory/nonsmooth_newmark.md
// Newmark's method with fully implicit contact, for surfaces without unique normals or gaps, after
//     C. Kane, E. A. Repetto, M. Ortiz, J. E. Marsden: Finite element analysis of nonsmooth contact.
//     Comput. Methods Appl. Mech. Engrg. 180 (1999) 1-26;
//     A. Pandolfi, C. Kane, J. E. Marsden, M. Ortiz: Time-discretized variational formulation of non-smooth frictional contact.
//     Int. J. Numer. Meth. Engng 53 (2002) 1801-1829.
//
// One step from (x0, v0), with the accelerations a of elements and loads, and ac of contact in this step:
//
//     predict   pre = x0 + h v0 + (1/2 - beta) h^2 a0
//     solve     x1 = pre + beta h^2 a1 + (h^2/2) ac          where nothing overlaps (sqp.h)
//     then      v1 = v0 + h ((1 - gamma) a0 + gamma a1) + h ac
//
// Linear momentum is exact. With the gradients in the middle of the step, beta = 0 and gamma = 1/2, so is angular momentum:
// contact forces have no moment about the middle positions. Contact does work along x1 - x0; the part that is not friction is
// recorded as `projection`. In the plane it is -lambda g(x0) of each pair: contact removes energy from pairs that were
// separated at the start of the step, most from those that met near its middle. There is no coefficient of restitution.
//
// Steps of explicit elements are divided where bodies become stiffer (nonsmooth_division.c). A step in which contact does not
// converge is divided into halves, recursively; the step grows again after some successes.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/arena.h"
#include "integrator/accepts.h"
#include "integrator/nonsmooth/workspace.h"
#include "model/forces/stiffness.h"
#include "model/motion/loads.h"
#include "model/motion/restraints.h"
#include "model/state/history.h"
#include "model/state/ledger.h"

// Larger overlap, in units of the size of a face, is more than rounding.
static const double overlap_tolerance = 1e-10;

// The numbers of the array "solver counts" of the state.
enum { PASSES, MOST_PASSES, ITERATIONS, HALVED, COUNTS };
static const char *const counters[] = {"passes", "most_passes", "iterations", "halved", NULL};

static const char counts_array[] = "solver counts";

static const carom_method_result results[] = {
    {.name = "solver",
     .kind = CAROM_RESULT_COUNTS,
     .array = counts_array,
     .labels = counters,
     .doc = "Quadratic programmes of all steps and of the worst step, iterations of their solver, halved steps."},
    {.name = NULL},
};

// Settings of contact without effect. A restitution of 0 or 1 is accepted, with the same result.
static const char *const ignored[] = {"restitution", "resolve",     "layer",   "return_work",
                                      "moves",       "return_spin", "on_hold", NULL};

// Predicts the positions at the end of the step without contact and without forces at its end; those along restrained
// directions are prescribed.
static void predict(carom_stepper *stepper, const carom_state *state, double time, double h) {
    carom_nonsmooth_workspace *s = stepper->workspace;
    const carom_model *model = stepper->model;
    double beta = carom_nonsmooth_params_of(stepper)->beta;
    carom_restraint *items = s->sqp.restraints.items;
    // Prescribed velocities are those of the middle of the step, which gives displacements to second order.
    carom_model_drive_over(model, time, h, (carom_const_vectors)state->x, items);
    for (int k = 0; k < model->node_count; k++) {
        double mean[3];
        carom_nonsmooth_accelerate(stepper, state, k, s->a[k]);
        carom_copy(state->v[k], mean);
        carom_add_scaled((0.5 - beta) * h, s->a[k], mean);
        // The predictor is final along restrained directions: contact moves nodes along free ones only.
        carom_restraints_impose(&s->sqp.restraints, k, mean);
        carom_copy(state->x[k], s->pre[k]);
        carom_add_scaled(h, mean, s->pre[k]);
    }
}

// Velocities at the end of the step. Drag acts at both ends; its matrix is diagonal.
static void find_velocities(carom_stepper *stepper, const carom_state *state, double end, double h) {
    carom_nonsmooth_workspace *s = stepper->workspace;
    const carom_model *model = stepper->model;
    double gamma = carom_nonsmooth_params_of(stepper)->gamma;
    for (int k = 0; k < model->node_count; k++) {
        double m = model->mass[k];
        for (int i = 0; i < 3; i++)
            // The implicit drag -a m v1, weighted by gamma, is solved for by the division: no iteration is needed.
            s->v[k][i] =
                (state->v[k][i] + h * ((1 - gamma) * s->a[k][i] + (gamma * s->sqp.force[k][i] + s->sqp.contact[k][i]) / m)) /
                (1 + gamma * h * carom_model_mass_damping(model, k));
    }
    carom_restraint *items = s->sqp.restraints.items;
    carom_model_drive(model, end, items);
    for (int r = 0; r < s->sqp.restraints.count; r++)
        carom_restraint_impose(&items[r], s->v[items[r].node]);
}

// Reports the overlap of two sides as an error.
static carom_status report_overlap(const carom_model *model, const carom_violation_worst *worst, carom_error *error) {
    const char *first = carom_model_side_name(model, worst->body[0]);
    if (worst->body[0] == worst->body[1])
        return carom_fail(error, CAROM_NUMERICAL, "'%s' overlaps itself by %g", first, worst->depth);
    return carom_fail(error, CAROM_NUMERICAL, "'%s' and '%s' overlap by %g", first,
                      carom_model_side_name(model, worst->body[1]), worst->depth);
}

// Measures the remaining overlap of all surfaces, independently of the pairs that were found. Overlap that the passes have not
// found fails, so that the step is halved; in the smallest step it is reported instead, and the first one of a step is counted.
static carom_status audit(carom_stepper *stepper, carom_state *state, double h, bool smallest, carom_error *error) {
    carom_nonsmooth_workspace *s = stepper->workspace;
    carom_violation_worst worst = {0};
    bool soft = carom_nonsmooth_params_of(stepper)->contact == CAROM_NONSMOOTH_PENALTY;
    // if nothing is near, only what overlapped before can overlap
    if (s->sqp.set.count || carom_violations_any_near(&s->sqp.overlaps) || state->books.overlap > 0) {
        carom_status status = carom_violations_worst(&s->sqp.overlaps, (carom_const_vectors)s->sqp.x, &worst, error);
        if (status)
            return status;
    }
    s->overlap = worst.depth;
    // with a penalty surfaces overlap by design
    if (soft || worst.relative <= overlap_tolerance)
        return CAROM_OK;
    carom_error reason = {0};
    carom_status status = report_overlap(stepper->model, &worst, &reason);
    if (!smallest)
        return carom_fail(error, status, "%s", reason.message);
    if (!stepper->missed.message[0]) {
        state->books.events[CAROM_EVENT_CONTACT_MISSED]++;
        carom_fail(&stepper->missed, status, "%s, even in a step of %g", reason.message, h);
    }
    return CAROM_OK;
}

// Advances the state by h from `time`. On CAROM_NUMERICAL it is unchanged. In the smallest step overlap is not an error.
static carom_status advance(carom_stepper *stepper, carom_state *state, double time, double h, bool smallest,
                            carom_error *error) {
    carom_nonsmooth_workspace *s = stepper->workspace;
    const carom_model *model = stepper->model;
    size_t size = (size_t)model->node_count * sizeof *state->x;
    carom_sqp_counts *counts = &s->sqp.counts, before = *counts;
    // The largest number of passes of this step alone, for the counts of the state; the overall one is restored below.
    counts->most_passes = 0;

    // the motion
    carom_model_live_load(model, time, (carom_const_vectors)state->x, s->live);
    predict(stepper, state, time, h);
    s->sqp.v = (carom_const_vectors)state->v;
    carom_status status =
        carom_sqp_solve(&s->sqp, h, time + h, (carom_const_vectors)state->x, (carom_const_vectors)s->pre, error);
    s->counts[PASSES] += (double)(counts->passes - before.passes);
    s->counts[ITERATIONS] += (double)(counts->iterations - before.iterations);
    s->counts[MOST_PASSES] = fmax(s->counts[MOST_PASSES], (double)counts->most_passes);
    counts->most_passes = counts->most_passes > before.most_passes ? counts->most_passes : before.most_passes;
    if (!status)
        status = audit(stepper, state, h, smallest, error);
    if (!status) {
        // the positions are accepted: materials commit there
        carom_flow flow = carom_history_commit(state, time + h, h);
        s->sqp.flow = &flow;
        carom_sqp_forces(&s->sqp, time + h, (carom_const_vectors)s->sqp.x);
        s->sqp.flow = NULL;
        find_velocities(stepper, state, time + h, h);
    }
    state->books.element_updates += (counts->forces - before.forces) * model->element_count;
    if (status)
        return status;

    // the ledger
    carom_nonsmooth_book_outside(stepper, state, h);
    status = carom_nonsmooth_book_contact(stepper, state, h, time + h, error);
    if (status)
        return status;
    memcpy(state->x, s->sqp.x, size);
    memcpy(state->v, s->v, size);
    // Forces at the end of this step start the next one: one evaluation of the elements per step with beta = 0.
    memcpy(s->force, s->sqp.force, size);
    state->books.overlap = s->overlap;
    return CAROM_OK;
}

static carom_status step(carom_stepper *stepper, carom_state *state, carom_error *error) {
    carom_nonsmooth_workspace *s = stepper->workspace;
    carom_halving *halving = &s->halving;
    state->books.contacts = 0;
    stepper->missed.message[0] = 0;
    carom_error reason = {0};
    carom_status status = carom_halving_run(halving, stepper, state, &reason);
    if (status && !(halving->length > 0))
        return carom_fail(error, status, "%s", reason.message);
    if (status)
        return carom_fail(error, status, "%s at time %g (step %lld), even in a step of %g", reason.message, halving->time,
                          (long long)state->step + 1, halving->length);
    s->counts[HALVED] += (double)halving->halved;
    return CAROM_OK;
}

static void release(carom_stepper *stepper) {
    carom_nonsmooth_workspace *s = stepper->workspace;
    if (!s)
        return;
    carom_sqp_release(&s->sqp);
    carom_state_release(s->halving.start);
    carom_hits_release(&s->hits);
    carom_arena_release(s->memory);
    free(s);
    stepper->workspace = NULL;
}

// The stiffness k = 40 m/h^2 with the smallest nodal mass m: ten times the 4 m/h^2 at which an explicit step is unstable.
static double penalty_of(const carom_stepper *stepper) {
    const carom_nonsmooth_newmark_params *p = carom_nonsmooth_params_of(stepper);
    if (!isnan(p->penalty))
        return p->penalty;
    double least = HUGE_VAL;
    for (int k = 0; k < stepper->model->node_count; k++)
        if (stepper->model->mass[k] > CAROM_MASSLESS)
            least = fmin(least, stepper->model->mass[k]);
    return 40 * least / (stepper->step * stepper->step);
}

// Registers the arrays of the method, in the state and in the copy from which a failed step is restored.
static bool add_arrays(carom_state *state) {
    return carom_state_add_array(state, counts_array, COUNTS) && carom_state_add_nodal(state, "forces", 3);
}

static bool reserve(const carom_model *model, carom_state *state, carom_nonsmooth_workspace *s) {
    int n = model->node_count;
    s->memory = carom_arena_create();
    bool enough = s->memory;
    s->a = carom_arena_reserve(s->memory, n, sizeof *s->a, &enough);
    s->pre = carom_arena_reserve(s->memory, n, sizeof *s->pre, &enough);
    s->v = carom_arena_reserve(s->memory, n, sizeof *s->v, &enough);
    s->live = carom_arena_reserve(s->memory, n, sizeof *s->live, &enough);
    if (!enough || !carom_halving_register(&s->halving, state) || !add_arrays(state) || !add_arrays(s->halving.start))
        return false;
    s->counts = carom_state_find_array(state, counts_array);
    s->force = (carom_vectors)carom_state_find_array(state, "forces");
    return true;
}

static carom_status setup(carom_stepper *stepper, carom_state *state, carom_error *error) {
    const carom_model *model = stepper->model;
    const carom_nonsmooth_newmark_params *p = carom_nonsmooth_params_of(stepper);
    carom_nonsmooth_workspace *s = carom_allocate(1, sizeof *s);
    stepper->workspace = s;
    if (!s)
        return carom_no_memory(error, "the integrator");
    s->halving.advance = advance;
    s->halving.halvings = carom_nonsmooth_params_of(stepper)->halvings;
    carom_sqp_def def = {.beta = p->beta,
                         .at_end = p->gradients == CAROM_NONSMOOTH_END,
                         .gap = p->measure == CAROM_NONSMOOTH_GAP,
                         .by_increment = p->slip == CAROM_NONSMOOTH_INCREMENT,
                         .rule = p->pairing == CAROM_NONSMOOTH_CLOSEST ? CAROM_VIOLATION_CLOSEST : CAROM_VIOLATION_CROSSED,
                         .softness = p->contact == CAROM_NONSMOOTH_PENALTY ? 1 / penalty_of(stepper) : 0,
                         .tolerance = p->tolerance,
                         .passes = p->passes};
    carom_status status = carom_sqp_create(model, &def, &s->sqp, error);
    s->sqp.profile = &stepper->profile;
    if (!status)
        status = carom_state_create(model, &s->halving.start, error);
    if (status)
        return status;
    if (!reserve(model, state, s))
        return carom_no_memory(error, "the integrator");
    state->method.damps = p->gamma > 0.5;
    // implicit elements are stable at any step
    stepper->follows = stepper->follows && p->beta == 0;
    if (stepper->follows && !carom_nonsmooth_division_create(stepper, state))
        return carom_no_memory(error, "the integrator");
    carom_sqp_forces(&s->sqp, state->time, (carom_const_vectors)state->x);
    memcpy(s->force, s->sqp.force, (size_t)model->node_count * sizeof *s->force);
    return CAROM_OK;
}

// The method has no restitution; 0 and 1 are accepted, so that scenes can be compared unchanged.
static bool is_unsupported_restitution(double restitution) {
    return restitution != 0 && restitution != 1;
}

static bool is_implicit(const carom_model *model, const void *params) {
    (void)model;
    const carom_nonsmooth_newmark_params *p = params;
    return p && p->beta > 0;
}

static const carom_lack lacks[] = {
    {CAROM_NEED_FRAMES},
    {CAROM_NEED_RIGID},
    {CAROM_NEED_STIFFNESS_DAMPING},
    {CAROM_NEED_TIES},
    {CAROM_NEED_WINDOWS},
    {CAROM_NEED_HISTORY, "beta > 0", is_implicit, "or set beta: 0"},
    {CAROM_NEED_BRANCHES, "beta > 0", is_implicit, "or set beta: 0"},
    {CAROM_NEED_DAMPING, "beta > 0", is_implicit, "beta: 0"},
    {CAROM_NEED_RESTITUTION},
    {CAROM_NEED_NONE},
};

static carom_status accepts(const carom_model *model, const void *params_, carom_error *error) {
    const carom_nonsmooth_newmark_params *p = params_;
    if (is_implicit(model, p)) {
        carom_status status = carom_model_has_stiffness(model, error);
        if (status)
            return carom_fail(error, status, "nonsmooth-newmark with beta > 0: %s; beta: 0 needs none",
                              error ? error->message : "");
    }
    for (int b = 0; p && p->contact == CAROM_NONSMOOTH_PENALTY && b < model->surface.body_count && model->surface.face_count;
         b++)
        if (model->surface.open[b] && !model->surface.thin[b])
            return carom_fail(error, CAROM_BAD_INPUT,
                              "the surface of '%s' is open, so that a penalty cannot distinguish its inside from its outside: "
                              "set integrator.nonsmooth-newmark.contact: constraint",
                              model->bodies[b].name);
    if (carom_touches_with_restitution(model, is_unsupported_restitution))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "nonsmooth-newmark has no coefficient of restitution, the rebound depends on the step: contact "
                          "requires restitution: 0 or 1, which are the same here");
    return CAROM_OK;
}

// The stability limit of Newmark's method, omega h <= 1/sqrt(gamma/2 - beta), over the limit omega h <= 2 of central
// differences; infinite for beta >= gamma/2.
static double stability(const void *params_) {
    const carom_nonsmooth_newmark_params *p = params_;
    double rest = 0.5 * p->gamma - p->beta;
    return rest > 0 ? 0.5 / sqrt(rest) : HUGE_VAL;
}

// With an implicit bulk, steps up to about ten times the explicit limit still resolve waves.
static double advised_step(const carom_model *model, const void *params_) {
    return fmin(stability(params_), 10) * carom_model_stable_step(model);
}

// Surfaces may overlap with a penalty, and where the closest face is not the one that was crossed.
static bool overlaps(const carom_model *model, const void *params_) {
    const carom_nonsmooth_newmark_params *p = params_;
    (void)model;
    return p->contact == CAROM_NONSMOOTH_PENALTY || p->pairing == CAROM_NONSMOOTH_CLOSEST;
}

// In the plane surfaces in contact touch, and the nodes of bars alone take part in contact.
static bool touches(const carom_model *model, const void *params) {
    (void)params;
    return model->surface.corners == 2 || model->surface.full_count < model->surface.face_count;
}

const carom_integrator carom_integrator_nonsmooth_newmark = {
    .kind = {.name = "nonsmooth-newmark",
             .summary = "Newmark with implicit contact as constrained minimisation, for corners and edges without normals.",
             .reference =
                 "C. Kane, E. A. Repetto, M. Ortiz, J. E. Marsden: Finite element analysis of nonsmooth contact. Comput. "
                 "Methods Appl. Mech. Engrg. 180 (1999) 1-26; A. Pandolfi, C. Kane, J. E. Marsden, M. Ortiz: Time-discretized "
                 "variational formulation of non-smooth frictional contact. Int. J. Numer. Meth. Engng 53 (2002) 1801-1829.",
             .params = carom_nonsmooth_rows,
             .param_count = CAROM_NONSMOOTH_ROWS,
             .params_size = sizeof(carom_nonsmooth_newmark_params)},
    .divides = true,
    .at_ends = true,
    .claims = {.linear_momentum = true,
               .angular_momentum = true,
               .energy = CAROM_ENERGY_BOUNDED,
               .contact_energy = true,
               .symplectic = true,
               .reversible = true,
               .order = 2},
    .results = results,
    .ignored = ignored,
    .conditions =
        "With the default parameters. Angular momentum needs beta: 0, gamma: 0.5 and gradients: midpoint. A step of contact "
        "adds no energy in the plane, to rounding; in space, or where nodes meet nodes, it may add up to some 1e-7 of it. "
        "Steps are divided with beta: 0 only.",
    .stability = stability,
    // restitution is 0 or 1, with the same result
    .remedy = "",
    .lacks = lacks,
    .accepts = accepts,
    .overlaps = overlaps,
    .touches = touches,
    .advised_step = advised_step,
    .setup = setup,
    .step = step,
    .release = release,
};
