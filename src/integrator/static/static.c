// SPDX-License-Identifier: MIT
// Static analysis: equilibrium at one load factor after another (docs/theory/static.md). "Time" is the load factor, from 0 to
// 1.
//
// The ledger compares the stored energy with the work of loads and prescribed motion, by the trapezoidal rule over each
// increment:
//
//     external = -sum 1/2 (t_n + t_{n+1}) . (x_{n+1} - x_n),   t = f_ext + reactions
//
// It is exact for a linear model; otherwise the residual of the ledger is the error of that rule, which falls with the square
// of the increment.
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/interrupt.h"
#include "base/param.h"
#include "element/point_law.h"
#include "integrator/static/equilibrium.h"
#include "integrator/stepper.h"
#include "material/material.h"
#include "math/exact.h"
#include "math/vec3.h"
#include "model/build/rigid_modes.h"
#include "model/forces/forces.h"
#include "model/limits.h"
#include "model/state.h"
#include "model/state/history.h"
#include "model/state/ledger.h"

static const char *const on_events[] = {"stop", "warn", NULL};
static const carom_system_method methods[] = {CAROM_SYSTEM_DIRECT, CAROM_SYSTEM_DIRECT, CAROM_SYSTEM_CG, CAROM_SYSTEM_PETSC};
static const char *const solvers[] = {"auto", "direct", "cg", "petsc", NULL};

static const carom_param params_table[] = {
    CAROM_ROW(carom_static_params, steps, CAROM_PARAM_INT, "", .initial = "1", .min = 1, .max = 1000000,
              .doc = "Equal steps in which the load factor goes from 0 to 1; each is a row of the history. A step that "
                     "does not converge is divided."),
    CAROM_ROW(carom_static_params, linear, CAROM_PARAM_BOOL, "", .initial = "false",
              .doc = "Small displacements: the linear system of the reference configuration, whatever the material."),
    CAROM_ROW(carom_static_params, tolerance, CAROM_PARAM_REAL, "", .initial = "1e-9", .min = 0, .max = 0.1,
              .flags = CAROM_PARAM_OPEN_MIN,
              .doc = "The unbalanced force on a body, relative to all forces on it, at which a load step has converged. "
                     "The displacement that this force would cause, relative to that of the body, must be below the square "
                     "root of the tolerance."),
    CAROM_ROW(carom_static_params, iterations, CAROM_PARAM_INT, "", .initial = "25", .min = 1, .max = 10000,
              .doc = "Newton iterations after which a load step has not converged."),
    CAROM_ROW(carom_static_params, halvings, CAROM_PARAM_INT, "", .initial = "8", .min = 0, .max = 40,
              .doc = "How often a load step that does not converge is halved before the analysis ends."),
    CAROM_ROW(carom_static_params, on_event, CAROM_PARAM_CHOICE, "", .initial = "stop", .choices = on_events,
              .doc = "What a numerical event does, such as the loss of stability by buckling or snapping through: `stop` "
                     "ends the analysis with the last stable equilibrium, `warn` counts it and continues."),
    CAROM_ROW(carom_static_params, solver, CAROM_PARAM_CHOICE, "", .initial = "auto", .choices = solvers,
              .doc =
                  "Solver of linear systems. `direct`: elimination, with one thread; any system, but time and memory grow fast "
                  "with the mesh. `cg`: conjugate gradients with all threads and little memory, good for compact bodies, "
                  "slow for slender and thin ones; systems that are not positive definite, or on which it does not "
                  "converge, are solved directly, as are all with pressure on deforming faces. `petsc`: conjugate "
                  "gradients with multigrid by PETSc, or the options of the environment variable PETSC_OPTIONS with the "
                  "prefix `carom_`; in `carom-mpi` only, and the last bits may differ from run to run. `auto`: `direct`."),
};

// Numbers of the state: present number of negative eigenvalues of the stiffness; the load factor up to which all equilibria
// were stable, 0 while they are.
enum { NEGATIVE, LOST_AT, STABILITY_COUNT };

// Vectors of the state: loads and their moment about the origin, reactions and theirs.
enum { LOADS, LOAD_MOMENT, REACTIONS, REACTION_MOMENT, FORCES_COUNT };

// Numbers of the array "solver counts" of the state, which is not part of the hash, since it is not a property of the
// equilibrium.
enum { ITERATIONS, FACTORISATIONS, LINEAR_ITERATIONS, FALLBACKS, COUNTS };
static const char *const counters[] = {"iterations", "factorisations", "linear_iterations", "fallbacks", NULL};

// Names of arrays of the state that are read by other modules.
static const char reaction_array[] = "reaction";
static const char forces_array[] = "forces";
static const char stability_array[] = "stability";
static const char counts_array[] = "solver counts";

static const carom_method_result results[] = {
    {.name = "reaction", .kind = CAROM_RESULT_NODAL, .array = reaction_array, .doc = "Force of the restraints on each node."},
    {.name = "forces",
     .kind = CAROM_RESULT_RESULTANTS,
     .array = forces_array,
     .doc = "Resultants and moments of loads and of reactions."},
    {.name = "stability_lost_at",
     .kind = CAROM_RESULT_STABLE_TO,
     .array = stability_array,
     .begin = LOST_AT,
     .doc = "Load factor up to which all equilibria were stable."},
    {.name = "solver",
     .kind = CAROM_RESULT_COUNTS,
     .array = counts_array,
     .labels = counters,
     .doc = "Matrices of Newton's method, factorisations, iterations of the iterative solver, systems that were eliminated "
            "instead."},
    {.name = NULL},
};

typedef struct workspace {
    carom_equilibrium equilibrium;
    // part of the state
    double *energy;         // stored energy of the linear model
    double *stability;      // NEGATIVE, LOST_AT
    carom_vectors forces;   // LOADS, LOAD_MOMENT, REACTIONS, REACTION_MOMENT
    carom_vectors reaction; // per node
    double *counts;         // of the solver

    carom_vectors x, total;   // before an increment: positions, and loads with reactions
    double *history;          // histories of materials then; NULL: there are none
    double lost_at;           // load factor of the last increment of this step that was rejected as unstable; 0: none
    bool jumps;               // it was rejected as a jump
    bool accept_unstable;     // such an increment is accepted now
    carom_system_counts work; // work that `counts` contains already
    int64_t solves;           // matrices that it contains already
} workspace;

// Stored energy; there is no motion.
static void measure(const carom_stepper *stepper, const carom_state *state, carom_ledger_row *row) {
    const workspace *s = stepper->workspace;
    const carom_static_params *p = stepper->params;
    row->internal =
        p->linear ? *s->energy : carom_model_energy(state->model, (carom_const_vectors)state->x, NULL, state->element_energy);
}

// Adds reactions, at an equilibrium: the residual is zero along free directions, and minus the reaction along restrained ones.
static void add_reactions(const carom_equilibrium *eq, carom_vectors total) {
    const carom_model *model = eq->model;
    for (int r = 0; r < model->restraints.count; r++) {
        const carom_restraint *held = &model->restraints.items[r];
        for (int d = 0; d < held->count; d++)
            carom_add_scaled(-carom_dot(eq->residual[held->node], held->direction[d]), held->direction[d], total[held->node]);
    }
}

static void find_total(const carom_equilibrium *eq, carom_vectors total) {
    // reactions do the work of prescribed displacements
    memcpy(total, eq->load, (size_t)eq->model->node_count * sizeof *total);
    add_reactions(eq, total);
}

typedef struct forces_at {
    const double (*x)[3], (*force)[3];
} forces_at;

static void add_forces(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]) {
    const forces_at *at = context;
    for (int k = begin; k < end; k++) {
        double turn[3];
        carom_cross(at->x[k], at->force[k], turn);
        for (int i = 0; i < 3; i++) {
            terms[i][k - begin] = at->force[k][i];
            terms[3 + i][k - begin] = turn[i];
        }
    }
}

// Sums a force and its moment about the origin over all nodes.
static void sum_up(int count, const double (*x)[3], const double (*force)[3], double sum[3], double moment[3]) {
    carom_exact sums[6] = {0};
    carom_exact_add_range(sums, 6, count, add_forces, &(forces_at){x, force});
    for (int i = 0; i < 3; i++) {
        sum[i] = carom_exact_value(&sums[i]);
        moment[i] = carom_exact_value(&sums[3 + i]);
    }
}

// Stores reactions and resultants of the present equilibrium. Loads of the linear model act at the reference positions.
static void note_forces(const carom_state *state, const workspace *s, bool linear) {
    const carom_equilibrium *eq = &s->equilibrium;
    int n = eq->model->node_count;
    carom_const_vectors x = linear ? (carom_const_vectors)eq->model->X : (carom_const_vectors)state->x;
    memset(s->reaction, 0, (size_t)n * sizeof *s->reaction);
    add_reactions(eq, s->reaction);
    sum_up(n, x, (carom_const_vectors)eq->load, s->forces[LOADS], s->forces[LOAD_MOMENT]);
    sum_up(n, x, (carom_const_vectors)s->reaction, s->forces[REACTIONS], s->forces[REACTION_MOMENT]);
}

// Records the work of an increment that ends at the present state.
static void book(carom_state *state, workspace *s) {
    const carom_equilibrium *eq = &s->equilibrium;
    carom_vectors after = s->equilibrium.trial;
    find_total(eq, after);
    carom_exact work = {0};
    for (int k = 0; k < eq->model->node_count; k++)
        for (int i = 0; i < 3; i++)
            carom_exact_add(&work, 0.5 * (s->total[k][i] + after[k][i]) * (state->x[k][i] - s->x[k][i]));
    carom_exact_merge(&state->books.booked.of[CAROM_ACCOUNT_DRIVE_WORK], &work);
}

static void note_loss(carom_state *state, const workspace *s) {
    if (state->books.events[CAROM_EVENT_LOST_STABILITY]++ == 0)
        s->stability[LOST_AT] = state->time;
}

// Commits the histories of materials; true if there was plastic dissipation in the increment.
static bool commit(carom_state *state, workspace *s) {
    if (!s->history)
        return false;
    double before = carom_history_losses(state, -1).plasticity;
    carom_history_save(state, s->history);
    carom_equilibrium_commit(&s->equilibrium, (carom_const_vectors)state->x);
    return carom_history_losses(state, -1).plasticity > before;
}

// Rejects an increment that loses stability, so that smaller ones locate the loss, unless it must be accepted.
static carom_status judge(carom_state *state, workspace *s, double factor, carom_error *error) {
    carom_equilibrium *eq = &s->equilibrium;
    // with fewer negative eigenvalues than before the structure regains stability, which is not an event
    int negative, before = (int)s->stability[NEGATIVE];
    bool jumps;
    carom_status status =
        carom_equilibrium_examine(eq, (carom_const_vectors)s->x, (carom_const_vectors)state->x, &negative, &jumps, error);
    if (status)
        return status;
    // towards a stable equilibrium nearby Newton's method passes no unstable state
    jumps = jumps || s->equilibrium.most_negative > (negative > before ? negative : before);
    // at the onset of yield the path has a kink, which the stiffness before it does not predict: not a jump
    jumps = !commit(state, s) && jumps;
    bool lost = negative > before || jumps || s->accept_unstable;
    if (lost && !s->accept_unstable) {
        s->lost_at = factor;
        s->jumps = negative <= before;
        if (s->history)
            carom_history_restore(state, s->history);
        return CAROM_NUMERICAL;
    }
    s->stability[NEGATIVE] = negative;
    if (lost)
        note_loss(state, s);
    return CAROM_OK;
}

// One increment of the load factor; on failure the state is unchanged.
static carom_status increment(carom_stepper *stepper, carom_state *state, double factor, carom_error *error) {
    workspace *s = stepper->workspace;
    const carom_static_params *p = stepper->params;
    carom_equilibrium *eq = &s->equilibrium;
    size_t size = (size_t)eq->model->node_count * sizeof *s->x;
    memcpy(s->x, state->x, size);
    if (p->linear) {
        for (int k = 0; k < eq->model->node_count; k++)
            carom_difference(state->x[k], eq->model->X[k], eq->step[k]);
        // loads and reactions before the increment, from the displacements
        carom_status status =
            carom_equilibrium_assemble(eq, (carom_const_vectors)eq->model->X, (carom_const_vectors)eq->step, error);
        if (status)
            return status;
        carom_equilibrium_evaluate(eq, state->time, (carom_const_vectors)eq->model->X);
        for (int k = 0; k < eq->model->node_count; k++)
            carom_difference(eq->load[k], eq->product[k], eq->residual[k]);
        carom_unknowns_fold(&eq->unknowns, eq->residual);
        find_total(eq, s->total);
        status = carom_equilibrium_solve_linear(eq, factor, state->x, s->energy, error);
        if (!status) {
            book(state, s);
            note_forces(state, s, true);
        }
        return status;
    }
    eq->flow.use = CAROM_USE_READ;
    carom_equilibrium_evaluate(eq, state->time, (carom_const_vectors)state->x);
    find_total(eq, s->total);
    // without time: the limit of slow loading
    eq->flow.use = CAROM_USE_TRIAL;
    carom_status status = carom_equilibrium_solve(eq, factor, state->x, error);
    if (!status) {
        carom_equilibrium_evaluate(eq, factor, (carom_const_vectors)state->x);
        status = judge(state, s, factor, error);
        if (!status) {
            book(state, s);
            note_forces(state, s, false);
        } else {
            memcpy(state->x, s->x, size);
        }
    }
    return status;
}

// Reports why the analysis cannot continue.
static carom_status report_failure(carom_state *state, workspace *s, const carom_error *reason, carom_error *error) {
    if (s->lost_at > state->time) {
        note_loss(state, s);
        return carom_fail(error, CAROM_NUMERICAL,
                          "no stable equilibrium beyond the load factor %.6g: that at %.6g %s; the structure buckles or snaps "
                          "through (`on_event: warn` goes on)",
                          state->time, s->lost_at,
                          s->jumps ? "is reached by a jump" : "is unstable, its stiffness is not positive");
    }
    return carom_fail(error, CAROM_NUMERICAL, "no equilibrium beyond the load factor %.6g: %s%s", state->time, reason->message,
                      s->equilibrium.was_negative ? "; the stiffness is not positive: the structure buckles or snaps through"
                                                  : "");
}

// Adds the work since the last call.
static void note_work(workspace *s) {
    carom_equilibrium *eq = &s->equilibrium;
    carom_system_counts work = carom_system_work(eq->system);
    s->counts[ITERATIONS] += (double)(eq->solves - s->solves);
    s->counts[FACTORISATIONS] += (double)(work.factorisations - s->work.factorisations);
    s->counts[LINEAR_ITERATIONS] += (double)(work.iterations - s->work.iterations);
    s->counts[FALLBACKS] += (double)(work.fallbacks - s->work.fallbacks);
    s->work = work;
    s->solves = eq->solves;
}

// One load step, in one or more increments.
static carom_status step_here(carom_stepper *stepper, carom_state *state, carom_error *error) {
    workspace *s = stepper->workspace;
    const carom_static_params *p = stepper->params;
    int64_t evaluations = s->equilibrium.evaluations;
    // the end of a step is computed from its number: rounding does not accumulate
    double end = (double)(state->step + 1) * stepper->step, least = stepper->step * ldexp(1, -p->halvings);
    double part = end - state->time;
    carom_status status = CAROM_OK;
    s->lost_at = 0;
    s->accept_unstable = false;
    while (state->time < end && !status) {
        // a remainder below half of the smallest increment is added to the last one
        bool last = state->time + part >= end - 0.5 * least;
        double factor = s->accept_unstable ? s->lost_at : last ? end : state->time + part;
        carom_error reason;
        status = increment(stepper, state, factor, &reason);
        if (!status) {
            // the increment is doubled after each success, up to the rest of the load step
            state->time = factor;
            part *= 2;
            s->accept_unstable = false;
        } else if (status == CAROM_NUMERICAL && !s->accept_unstable && part > 1.5 * least) {
            // halves the increment, down to the smallest one
            part = 0.5 * fmin(part, end - state->time);
            status = CAROM_OK;
        } else if (status == CAROM_NUMERICAL && !s->accept_unstable && s->lost_at > state->time &&
                   p->on_event == CAROM_ON_EVENT_WARN) {
            // the smallest increment still loses stability: with `warn` it is accepted
            s->accept_unstable = true;
            status = CAROM_OK;
        } else if (status == CAROM_NUMERICAL && s->accept_unstable && s->lost_at < end) {
            // after a jump an equilibrium may exist only at a distant load factor
            s->lost_at = fmin(end, 2 * s->lost_at - state->time);
            status = CAROM_OK;
        } else if (status == CAROM_NUMERICAL) {
            stepper->kept_state = true;
            status = report_failure(state, s, &reason, error);
        } else {
            status = carom_fail(error, status, "%s", reason.message);
        }
    }
    state->books.element_updates += (s->equilibrium.evaluations - evaluations) * state->model->element_count;
    note_work(s);
    if (!status)
        state->step++;
    return status;
}

static carom_status step(carom_stepper *stepper, carom_state *state, carom_error *error) {
    const workspace *s = stepper->workspace;
    if (s->equilibrium.rows.shared)
        carom_interrupt_hold();
    carom_status status = step_here(stepper, state, error);
    if (s->equilibrium.rows.shared)
        carom_interrupt_release();
    return status;
}

static carom_limits limits_of(const void *unused, const carom_state *state, int64_t i) {
    (void)unused, (void)state;
    return i == NEGATIVE ? (carom_limits){0, INT_MAX, true} : CAROM_LIMITS_NONE;
}

static carom_status setup(carom_stepper *stepper, carom_state *state, carom_error *error) {
    const carom_model *model = stepper->model;
    const carom_static_params *p = stepper->params;
    workspace *s = carom_allocate(1, sizeof *s);
    stepper->workspace = s;
    if (!s)
        return carom_no_memory(error, "the static solution");
    s->energy = carom_state_add_array(state, "stored energy", 1);
    s->stability = carom_state_add_array(state, stability_array, STABILITY_COUNT);
    carom_state_limit(state, s->stability, limits_of, NULL);
    s->forces = (carom_vectors)carom_state_add_array(state, forces_array, 3 * FORCES_COUNT);
    s->reaction = (carom_vectors)carom_state_add_nodal(state, reaction_array, 3);
    s->counts = carom_state_add_silent(state, counts_array, COUNTS);
    s->x = carom_allocate(model->node_count, sizeof *s->x);
    s->total = carom_allocate(model->node_count, sizeof *s->total);
    int64_t history_size = carom_history_buffer(state);
    s->history = history_size ? carom_allocate(history_size, sizeof *s->history) : NULL;
    bool ready =
        (s->history || !history_size) && s->energy && s->stability && s->forces && s->reaction && s->counts && s->x && s->total;
    carom_status status = ready ? CAROM_OK : carom_no_memory(error, "the static solution");
    if (model->part.replicated)
        status = CAROM_PARALLEL_AGREE(status, error);
    if (status)
        return status;
    // prescribed velocities are displacements in a static analysis
    memset(state->v, 0, (size_t)model->node_count * sizeof *state->v);
    carom_stepper_restart_ledger(stepper, state);
    bool shared = model->part.replicated && carom_parallel_size() > 1;
    if (shared)
        carom_interrupt_hold();
    status = carom_equilibrium_create(model, p->tolerance, p->iterations, methods[p->solver], &s->equilibrium, error);
    if (shared)
        carom_interrupt_release();
    s->equilibrium.profile = &stepper->profile;
    if (!status)
        note_work(s);
    return status;
}

static void release(carom_stepper *stepper) {
    workspace *s = stepper->workspace;
    carom_equilibrium_release(&s->equilibrium);
    free(s->x);
    free(s->total);
    free(s->history);
    free(s);
    stepper->workspace = NULL;
}

static bool varies(const void *params) {
    const carom_static_params *p = params;
    return p->solver == CAROM_SOLVER_PETSC;
}

static carom_status available(const void *params, carom_error *error) {
    const carom_static_params *p = params;
    return carom_system_check(methods[p->solver], error);
}

// Contact, velocities and free rigid-body motion have no meaning without inertia: each is refused with a remedy.
static carom_status accepts(const carom_model *model, const void *params, carom_error *error) {
    carom_status status = carom_model_has_stiffness(model, error);
    if (status)
        return status;
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        if (block->history_size && (!carom_block_flows(block) || block->material->inelastic->relaxation))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "a static analysis does not support viscosity ('%s' of body '%s'): use its "
                              "long-time elastic law as the material (for `hencky` st-venant-kirchhoff, at small strains)",
                              block->material->kind.name, model->bodies[block->body].name);
        if (block->history_size && ((const carom_static_params *)params)->linear)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "a linear analysis does not support plastic flow of '%s' of body '%s': set `linear: false`",
                              block->material->kind.name, model->bodies[block->body].name);
    }
    if (model->contact.enabled && (model->body_count > 1 || model->contact.plane_count))
        return carom_fail(error, CAROM_BAD_INPUT, "a static analysis has no contact between bodies: set `contact: false`");
    for (int k = 0; k < model->node_count; k++)
        if (carom_norm(model->v0[k]) > 0)
            return carom_fail(error, CAROM_BAD_INPUT, "a static analysis has no velocities: remove those of bodies and meshes");
    return carom_model_check_rigid_modes(model, error);
}

static const carom_lack lacks[] = {
    {CAROM_NEED_FRAMES},  {CAROM_NEED_RIGID},    {CAROM_NEED_OBSTACLES},   {CAROM_NEED_WINDOWS},  {CAROM_NEED_BRANCHES},
    {CAROM_NEED_CONTACT}, {CAROM_NEED_SURFACES}, {CAROM_NEED_RESTITUTION}, {CAROM_NEED_FRICTION}, {CAROM_NEED_NONE},
};

const carom_integrator carom_analysis_static = {
    .kind = {.name = "static",
             .summary = "Equilibrium under growing loads, by Newton's method.",
             .reference = "",
             .params = params_table,
             .param_count = sizeof params_table / sizeof *params_table,
             .params_size = sizeof(carom_static_params)},
    .implicit = true,
    .equilibrium = true,
    .sharing = CAROM_SHARES_SOLVER,
    .results = results,
    .varies = varies,
    .available = available,
    .lacks = lacks,
    .accepts = accepts,
    .setup = setup,
    .step = step,
    .measure = measure,
    .release = release,
};
