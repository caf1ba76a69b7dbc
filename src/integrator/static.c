// SPDX-License-Identifier: MIT
// Static analysis: equilibrium at one load factor after another (docs/theory/static.md). "Time" is the load factor, from 0 to 1.
//
// The books compare the stored energy with the work of loads and prescribed motion, by the trapezoidal rule over each increment:
//
//     external = -sum 1/2 (t_n + t_{n+1}) . (x_{n+1} - x_n),   t = f_ext + reactions
//
// It is exact for a linear model; otherwise the residual of the ledger is the error of that rule, which falls with the square of the increment.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "integrator/equilibrium.h"
#include "integrator/stepper.h"
#include "math/sum.h"
#include "math/vec3.h"
#include "model/forces.h"
#include "model/ledger.h"
#include "model/mobility.h"
#include "model/state.h"

typedef double (*vectors)[3];
typedef const double (*const_vectors)[3];

static const carom_param params_table[] = {
    {.name = "steps",
     .type = CAROM_PARAM_INT,
     .offset = offsetof(carom_static_params, steps),
     .unit = "",
     .initial = "1",
     .min = 1,
     .max = 1000000,
     .doc =
         "Equal steps in which the load factor goes from 0 to 1; each is a row of the history. A step that does not converge is divided."},
    {.name = "linear",
     .type = CAROM_PARAM_BOOL,
     .offset = offsetof(carom_static_params, linear),
     .unit = "",
     .initial = "false",
     .doc = "Small displacements: the linear system of the reference configuration, whatever the material."},
    {.name = "tolerance",
     .type = CAROM_PARAM_REAL,
     .offset = offsetof(carom_static_params, tolerance),
     .unit = "",
     .initial = "1e-9",
     .min = 0,
     .max = 0.1,
     .flags = CAROM_PARAM_OPEN_MIN,
     .doc = "The unbalanced force, relative to all forces, at which a load step has converged."},
    {.name = "iterations",
     .type = CAROM_PARAM_INT,
     .offset = offsetof(carom_static_params, iterations),
     .unit = "",
     .initial = "25",
     .min = 1,
     .max = 10000,
     .doc = "Newton iterations after which a load step has not converged."},
    {.name = "halvings",
     .type = CAROM_PARAM_INT,
     .offset = offsetof(carom_static_params, halvings),
     .unit = "",
     .initial = "8",
     .min = 0,
     .max = 40,
     .doc = "How often a load step that does not converge is halved before the analysis ends."},
};

typedef struct workspace {
    carom_equilibrium equilibrium;
    double *energy;   // stored, of the linear model; part of the state
    vectors x, total; // positions and loads with reactions before an increment
} workspace;

// A moment without motion.
static void measure(void *context, const carom_state *state, carom_ledger_row *row) {
    const carom_stepper *stepper = context;
    const workspace *s = stepper->workspace;
    const carom_static_params *p = stepper->params;
    row->internal =
        p->linear ? *s->energy : carom_model_energy(state->model, (const_vectors)state->x, NULL, state->element_energy);
}

// Loads and reactions: the loads along free axes, minus the internal forces along restrained ones.
static void find_total(const carom_equilibrium *eq, vectors total) {
    const carom_model *model = eq->model;
    memcpy(total, eq->load, (size_t)model->node_count * sizeof *total);
    for (int r = 0; r < model->restraints.count; r++) {
        const carom_restraint *held = &model->restraints.items[r];
        for (int d = 0; d < held->count; d++)
            carom_add_scaled(-carom_dot(eq->residual[held->node], held->direction[d]), held->direction[d], total[held->node]);
    }
}

// Books the work of an increment that ends at the state as it is.
static void book(carom_state *state, workspace *s) {
    const carom_equilibrium *eq = &s->equilibrium;
    vectors after = s->equilibrium.trial;
    find_total(eq, after);
    carom_sum work = {0};
    for (int k = 0; k < eq->model->node_count; k++)
        for (int i = 0; i < 3; i++)
            carom_sum_add(&work, 0.5 * (s->total[k][i] + after[k][i]) * (state->x[k][i] - s->x[k][i]));
    state->books.booked.drive_work += carom_sum_value(&work);
}

// One increment of the load factor; on failure the state is as it was.
static carom_status increment(carom_stepper *stepper, carom_state *state, double factor, carom_error *error) {
    workspace *s = stepper->workspace;
    const carom_static_params *p = stepper->params;
    carom_equilibrium *eq = &s->equilibrium;
    size_t size = (size_t)eq->model->node_count * sizeof *s->x;
    memcpy(s->x, state->x, size);
    if (p->linear) {
        for (int k = 0; k < eq->model->node_count; k++)
            carom_difference(state->x[k], eq->model->X[k], eq->step[k]);
        // loads and reactions of the state before, from its displacements
        carom_status status = carom_stiffness_assemble(eq->model, &eq->unknowns, (const_vectors)eq->model->X,
                                                       (const_vectors)eq->step, eq->product, eq->matrix, error);
        if (status)
            return status;
        carom_equilibrium_evaluate(eq, state->time, (const_vectors)eq->model->X);
        for (int k = 0; k < eq->model->node_count; k++)
            carom_difference(eq->load[k], eq->product[k], eq->residual[k]);
        find_total(eq, s->total);
        status = carom_equilibrium_solve_linear(eq, factor, state->x, s->energy, error);
        if (!status)
            book(state, s);
        return status;
    }
    carom_equilibrium_evaluate(eq, state->time, (const_vectors)state->x);
    find_total(eq, s->total);
    carom_status status = carom_equilibrium_solve(eq, factor, state->x, error);
    if (!status) {
        carom_equilibrium_evaluate(eq, factor, (const_vectors)state->x);
        book(state, s);
    }
    return status;
}

// One load step, in as many increments as it takes.
static carom_status step(carom_stepper *stepper, carom_state *state, carom_error *error) {
    workspace *s = stepper->workspace;
    const carom_static_params *p = stepper->params;
    int64_t evaluations = s->equilibrium.evaluations;
    double end = (double)(state->step + 1) * stepper->step, least = stepper->step * ldexp(1, -p->halvings);
    double part = end - state->time;
    carom_status status = CAROM_OK;
    while (state->time < end && !status) {
        bool last = state->time + part >= end - 0.5 * least;
        double factor = last ? end : state->time + part;
        carom_error reason;
        status = increment(stepper, state, factor, &reason);
        if (!status) {
            state->time = factor;
            part *= 2;
        } else if (status == CAROM_NUMERICAL && part > 1.5 * least) {
            part = 0.5 * fmin(part, end - state->time);
            status = CAROM_OK;
        } else if (status == CAROM_NUMERICAL) {
            int negative = carom_linear_information(s->equilibrium.solver).negative_pivots;
            stepper->settled = true;
            status = carom_fail(error, status, "no equilibrium beyond the load factor %.6g: %s%s", state->time, reason.message,
                                negative ? "; the stiffness is not positive: the structure buckles or snaps through" : "");
        } else {
            status = carom_fail(error, status, "%s", reason.message);
        }
    }
    state->books.element_updates += (s->equilibrium.evaluations - evaluations) * state->model->element_count;
    if (!status)
        state->step++;
    return status;
}

static carom_status setup(carom_stepper *stepper, carom_state *state, carom_error *error) {
    const carom_model *model = stepper->model;
    const carom_static_params *p = stepper->params;
    workspace *s = carom_allocate(1, sizeof *s);
    stepper->workspace = s;
    if (!s)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the static solution");
    s->energy = carom_state_add_array(state, "stored energy", 1);
    s->x = carom_allocate(model->node_count, sizeof *s->x);
    s->total = carom_allocate(model->node_count, sizeof *s->total);
    if (!s->energy || !s->x || !s->total)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the static solution");
    // prescribed velocities are displacements here
    memset(state->v, 0, (size_t)model->node_count * sizeof *state->v);
    state->measure = (carom_measure){measure, stepper, true};
    carom_ledger_open(state);
    return carom_equilibrium_create(model, p->tolerance, p->iterations, &s->equilibrium, error);
}

static void release(carom_stepper *stepper) {
    workspace *s = stepper->workspace;
    carom_equilibrium_release(&s->equilibrium);
    free(s->x);
    free(s->total);
    free(s);
    stepper->workspace = NULL;
}

static carom_status accepts(const carom_model *model, const void *params, carom_error *error) {
    (void)params;
    carom_status status = carom_model_has_stiffness(model, error);
    if (status)
        return status;
    if (model->contact.enabled && (model->body_count > 1 || model->contact.plane_count))
        return carom_fail(error, CAROM_BAD_INPUT, "a static analysis has no contact between bodies: give `contact: false`");
    for (int k = 0; k < model->node_count; k++)
        if (carom_norm(model->v0[k]) > 0)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "a static analysis has no velocities: leave out those of bodies and meshes");
    return carom_model_check_mobility(model, error);
}

const carom_integrator carom_analysis_static = {
    .kind = {.name = "static",
             .summary = "Equilibrium under growing loads, by Newton's method.",
             .reference = "",
             .params = params_table,
             .param_count = sizeof params_table / sizeof *params_table,
             .params_size = sizeof(carom_static_params)},
    .implicit = true,
    .accepts = accepts,
    .setup = setup,
    .step = step,
    .release = release,
};
