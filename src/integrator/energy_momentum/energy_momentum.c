// SPDX-License-Identifier: MIT
// Theory: docs/theory/energy_momentum.md
// Conserving implicit integration with frictional contact and a velocity update, after
//     G. R. Love, T. A. Laursen: Improved implicit integrators for transient impact problems: dynamic frictional dissipation
//     within an admissible conserving framework. Comput. Methods Appl. Mech. Engrg. 192 (2003) 2223-2248.
//
// One step from (x0, v0), with u = x1 - x0, elements balanced between x0 and x1 (balance.h) and contact forces f_l of the
// quadrature points l by their operators at the middle (quadrature/tractions.h):
//
//     solve    (2/h) m (u/h - v0) = f(x0, x1) + load + sum f_l
//     then     v- = 2 u/h - v0
//     energy   c_l = h area D_l + f_l.u <= 0                          lost in contact, without friction
//     update   k_l (A k + b)_l + c_l = 0,  v1 = v- + sum k_l F_l/m    F_l: the same tractions by the operators at x1
//
// (quadrature/velocity_update.h).
//
// Linear and angular momentum are exact: f_l and f have no moment about the middle positions, F_l has none about x1. Energy
// changes by -h sum area D_l, the power of friction, to the tolerance of the solver.
//
// A step that does not converge, or in which surfaces pass each other by more than the reach of contact, is divided into
// halves, recursively; steps grow again after some have converged.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/arena.h"
#include "base/interrupt.h"
#include "element/point_law.h"
#include "integrator/accepts.h"
#include "integrator/energy_momentum/workspace.h"
#include "integrator/engines.h"
#include "model/motion/damping.h"
#include "model/motion/restraints.h"
#include "model/state/history.h"
#include "model/state/ledger.h"

// The numbers of the array "solver counts" of the state, which is not part of the hash, since it is not a property of the
// motion.
enum { ITERATIONS, FACTORISATIONS, LINEAR_ITERATIONS, FALLBACKS, HALVED, COUNTS };
static const char *const counters[] = {"iterations", "factorisations", "linear_iterations", "fallbacks", "halved", NULL};

static const char counts_array[] = "solver counts";

static const carom_method_result results[] = {
    {.name = "solver",
     .kind = CAROM_RESULT_COUNTS,
     .array = counts_array,
     .labels = counters,
     .doc = "Iterations of Newton's method, factorisations, iterations of the iterative solver, systems on which it did not "
            "converge and that were eliminated, halved steps."},
    {.name = NULL},
};

// Velocities at the end of the step without the update; those of restrained directions are prescribed. They are computed from
// the forces, not as 2 u/h - v0, which differs by the residual: the error of momentum is then only rounding, which is not
// divided by h.
static void find_velocities(carom_stepper *stepper, double h, double end) {
    carom_energy_momentum_workspace *s = stepper->workspace;
    const carom_energy_momentum_params *p = carom_energy_momentum_params_of(stepper);
    const carom_balance *b = &s->balance;
    carom_restraint *items = b->restraints.items;
#pragma omp parallel for schedule(static) if (stepper->model->node_count > CAROM_BALANCE_PIECE)
    for (int k = 0; k < stepper->model->node_count; k++) {
        double m = stepper->model->mass[k], a = carom_model_mass_damping(stepper->model, k);
        for (int i = 0; i < 3; i++) {
            double u = b->u[k][i], v0 = b->v0[k][i];
            if (p->scheme != CAROM_EM_NEWMARK) {
                // m (v1 - v0) = h f - a m u, with the forces of ties
                double f = b->tie_force ? b->force[k][i] + b->tie_force[k][i] : b->force[k][i];
                s->v[k][i] = v0 + h * f / m - a * u;
                continue;
            }
            // Newmark: the acceleration at the end follows from the displacement.
            double a0 = s->before[k][i], a1 = (u - h * v0 - h * h * (0.5 - p->beta) * a0) / (p->beta * h * h);
            s->v[k][i] = v0 + h * ((1 - p->gamma) * a0 + p->gamma * a1);
        }
    }
    carom_model_drive(stepper->model, end, items);
    for (int r = 0; r < b->restraints.count; r++)
        carom_restraint_impose(&items[r], s->v[items[r].node]);
}

// Fails if surfaces have passed each other by more than the reach of contact, so that the step is halved. In the smallest step
// this is counted and recorded as overlap instead.
static carom_status find_passing(carom_stepper *stepper, carom_state *state, bool smallest, double *depth, carom_error *error) {
    carom_energy_momentum_workspace *s = stepper->workspace;
    const carom_model *model = stepper->model;
    int bodies[2];
    carom_status status =
        carom_implicit_contact_tunnelling(&s->contact, s->balance.x0, (carom_const_vectors)s->balance.x1, depth, bodies, error);
    if (status || *depth == 0)
        return status;
    // in the smallest step the event is counted, and the run continues with this overlap
    if (smallest) {
        state->books.events[CAROM_EVENT_CONTACT_MISSED]++;
        return CAROM_OK;
    }
    return carom_fail(error, CAROM_NUMERICAL, "'%s' and '%s' approach by more than the reach of contact",
                      model->bodies[bodies[0]].name, model->bodies[bodies[1]].name);
}

// Fails if points can no longer distinguish the sides of a face of an obstacle: from the next step on they would be on the
// wrong side of it, or held by it.
static carom_status find_sides(carom_stepper *stepper, carom_error *error) {
    carom_energy_momentum_workspace *s = stepper->workspace;
    carom_balance *b = &s->balance;
    int bodies[2];
    carom_sheet_fault fault = carom_implicit_contact_sides(&s->contact, b->x0, (carom_const_vectors)b->x1, bodies);
    if (fault == CAROM_SHEET_HOLDS)
        return CAROM_OK;
    const char *body = stepper->model->bodies[bodies[0]].name, *obstacle = stepper->model->bodies[bodies[1]].name;
    snprintf(b->stalled, sizeof b->stalled,
             fault == CAROM_SHEET_PASSED ? "'%s' goes into a face of '%s' by more than half of `reach`: use a larger penalty, "
                                           "multipliers (augmented) or shorter steps"
                                         : "'%s' is squeezed at a face of '%s' until it is thinner than half of `reach`: use a "
                                           "smaller reach",
             body, obstacle);
    return carom_fail(error, CAROM_NUMERICAL, "%s", b->stalled);
}

// True if the update of this step obeys Coulomb's law: if a point under pressure has friction. Newmark's method has no update,
// and the smallest root belongs to the equations of the paper.
static bool is_coulomb(const carom_stepper *stepper) {
    const carom_energy_momentum_workspace *s = stepper->workspace;
    const carom_energy_momentum_params *p = carom_energy_momentum_params_of(stepper);
    if (p->update != CAROM_EM_FRICTION_COULOMB || p->velocity_update != CAROM_EM_UPDATE_ON || p->scheme == CAROM_EM_NEWMARK)
        return false;
    for (int i = 0; i < s->contact.count; i++)
        if (s->contact.tractions[i].normal > 0 && s->contact.tractions[i].size > 0)
            return true;
    return false;
}

// Finds the impulses of the update at the first `count` points. *lost becomes the energy that contact removed and the impulses
// do not restore. Fails if there is no solution, so that the step is halved, except in the smallest step.
static carom_status find_update(carom_stepper *stepper, int count, double h, bool smallest, double *lost, carom_error *error) {
    carom_energy_momentum_workspace *s = stepper->workspace;
    const carom_energy_momentum_params *p = carom_energy_momentum_params_of(stepper);
    carom_mobility mobility = {stepper->model->mass, &s->balance.restraints};
    *lost = 0;
    // Newmark's method has no energy balance per point, and is used in its classical form
    if (p->velocity_update == CAROM_EM_UPDATE_OFF || p->scheme == CAROM_EM_NEWMARK) {
        for (int l = 0; l < count; l++)
            *lost -= s->points[l].energy;
        return CAROM_OK;
    }
    if (count == 0)
        return CAROM_OK;
    if (s->coulomb) {
        carom_status status = carom_coulomb_update(s->points, s->slips, count, mobility, (carom_const_vectors)s->v,
                                                   stepper->model->node_count, h, lost, error);
        return status == CAROM_NUMERICAL && smallest ? CAROM_OK : status;
    }
    carom_root root = p->velocity_update == CAROM_EM_UPDATE_SMALLEST ? CAROM_ROOT_SMALLEST : CAROM_ROOT_POSITIVE;
    return carom_velocity_update(s->points, count, mobility, (carom_const_vectors)s->v, root, lost, error);
}

// Applies an impulse to a node. Its component along restrained directions acts on the ground and is recorded in hit_of
// (energy_momentum_books.c).
static void push_node(carom_stepper *stepper, int node, double factor, const double force[3]) {
    carom_energy_momentum_workspace *s = stepper->workspace;
    double f[3];
    carom_copy(force, f);
    carom_restraints_project(&s->balance.restraints, node, f);
    carom_add_scaled(factor / stepper->model->mass[node], f, s->v[node]);
}

// Applies the impulses of the update.
static void push(carom_stepper *stepper, int count) {
    carom_energy_momentum_workspace *s = stepper->workspace;
    for (int l = 0; l < count; l++) {
        const carom_update_point *p = &s->points[l];
        const carom_update_slip *slip = s->coulomb ? &s->slips[l] : NULL;
        for (int a = 0; p->factor != 0 && a < p->count; a++)
            push_node(stepper, p->node[a], p->factor, p->force[a]);
        for (int a = 0; slip && slip->factor != 0 && a < p->count; a++)
            push_node(stepper, p->node[a], -slip->factor, slip->force[a]);
    }
}

// The impulses of the update may violate ties: projects the velocities onto the ties. Returns the kinetic energy lost.
static double rejoin(carom_stepper *stepper, carom_state *state) {
    carom_energy_momentum_workspace *s = stepper->workspace;
    const carom_model *model = stepper->model;
    if (!s->tie_impulse)
        return 0;
    carom_exact lost = {0};
    memset(s->tie_impulse, 0, (size_t)model->node_count * sizeof *s->tie_impulse);
    for (int k = 0; k < model->node_count; k++)
        carom_exact_add(&lost, 0.5 * model->mass[k] * carom_dot(s->v[k], s->v[k]));
    carom_projector_run(&s->projector, NULL, s->v, s->tie_impulse);
    for (int k = 0; k < model->node_count; k++)
        carom_exact_add(&lost, -0.5 * model->mass[k] * carom_dot(s->v[k], s->v[k]));
    // reactions of restraints to the impulses of ties
    for (int r = 0; r < model->restraints.count; r++) {
        int k = model->restraints.items[r].node;
        double impulse[3];
        for (int d = 0; d < 3; d++)
            impulse[d] = s->projector.held[k][d] ? -s->tie_impulse[k][d] : 0;
        carom_ledger_record_external(state, s->balance.x1[k], impulse, (const double[3]){0}, 0);
    }
    return carom_exact_value(&lost);
}

// Advances the state by h from `time`. On CAROM_NUMERICAL it is unchanged. In the smallest step overlap and missing updates are
// accepted.
static carom_status advance_here(carom_stepper *stepper, carom_state *state, double time, double h, bool smallest,
                                 carom_error *error) {
    carom_energy_momentum_workspace *s = stepper->workspace;
    const carom_model *model = stepper->model;
    const carom_energy_momentum_params *p = carom_energy_momentum_params_of(stepper);
    carom_balance *b = &s->balance;
    bool newmark = p->scheme == CAROM_EM_NEWMARK;

    // the balance of momentum
    int64_t iterations = b->counts.iterations;
    carom_status status = carom_balance_solve(b, time, h, (carom_const_vectors)state->x, (carom_const_vectors)state->v,
                                              newmark ? (carom_const_vectors)s->acceleration : NULL, p->augmented, error);
    state->books.element_updates += (b->counts.iterations - iterations) * model->element_count;
    double passed = 0;
    if (!status)
        status = find_passing(stepper, state, smallest, &passed, error);
    if (!status)
        status = find_sides(stepper, error);
    if (status)
        return status;
    // without restrained components, which are prescribed, not caused by forces
    for (int k = 0; newmark && k < model->node_count; k++) {
        carom_copy(s->acceleration[k], s->before[k]);
        carom_restraints_project(&b->restraints, k, s->before[k]);
    }
    find_velocities(stepper, h, time + h);

    // energy that contact removed beyond friction: restored, or lost
    double gained, lost;
    s->coulomb = is_coulomb(stepper);
    int count = carom_energy_momentum_list_points(s, h, &gained);
    status = find_update(stepper, count, h, smallest, &lost, error);
    if (status)
        return status;
    // before the update: its impulses are recorded separately
    carom_energy_momentum_book_outside(stepper, state, h);
    push(stepper, count);
    lost += count ? rejoin(stepper, state) : 0;
    // the energy of newmark is not balanced by the work of forces at the end of a step: its error stays in the residual
    status = carom_energy_momentum_book_contact(stepper, state, count, h, time + h, newmark ? 0 : lost - gained, error);
    if (status)
        return status;

    // the end of the step, where materials commit their histories
    carom_history_commit(state, time + h, 0);
    carom_balance_commit(b);
#pragma omp parallel for schedule(static) if (model->node_count > CAROM_BALANCE_PIECE)
    for (int k = 0; k < model->node_count; k++) {
        // from forces rather than positions, which would divide the error of the iteration by h^2
        for (int i = 0; newmark && i < 3; i++)
            s->acceleration[k][i] = b->force[k][i] / model->mass[k];
        carom_copy(b->x1[k], state->x[k]);
        carom_copy(s->v[k], state->v[k]);
    }
    state->books.overlap = fmax(carom_implicit_contact_overlap(&s->contact), passed);
    return CAROM_OK;
}

// Processes with the same model agree on the status: one may have no memory where others have.
static carom_status advance(carom_stepper *stepper, carom_state *state, double time, double h, bool smallest,
                            carom_error *error) {
    carom_energy_momentum_workspace *s = stepper->workspace;
    return CAROM_ROWS_AGREE(&s->balance.rows, advance_here(stepper, state, time, h, smallest, error), error);
}

static carom_status step(carom_stepper *stepper, carom_state *state, carom_error *error) {
    carom_energy_momentum_workspace *s = stepper->workspace;
    carom_halving *halving = &s->halving;
    state->books.contacts = 0;
    carom_balance_counts before = s->balance.counts, *after = &s->balance.counts;
    if (s->balance.rows.shared)
        carom_interrupt_hold();
    carom_status status = carom_halving_run(halving, stepper, state, error);
    if (s->balance.rows.shared)
        carom_interrupt_release();
    // substeps that failed are included
    s->counts[ITERATIONS] += (double)(after->iterations - before.iterations);
    s->counts[FACTORISATIONS] += (double)(after->linear.factorisations - before.linear.factorisations);
    s->counts[LINEAR_ITERATIONS] += (double)(after->linear.iterations - before.linear.iterations);
    s->counts[FALLBACKS] += (double)(after->linear.fallbacks - before.linear.fallbacks);
    s->counts[HALVED] += (double)halving->halved;
    if (status == CAROM_NUMERICAL)
        return carom_fail(error, status,
                          "the balance of momentum has no solution at time %g (step %lld), not even in steps of %g: %s",
                          halving->time, (long long)state->step + 1, halving->length, s->balance.stalled);
    return status;
}

static void release(carom_stepper *stepper) {
    carom_energy_momentum_workspace *s = stepper->workspace;
    if (!s)
        return;
    carom_balance_release(&s->balance);
    carom_implicit_contact_release(&s->contact);
    carom_state_release(s->halving.start);
    carom_hits_release(&s->hits);
    carom_arena_release(s->memory);
    carom_projector_release(&s->projector);
    free(s);
    stepper->workspace = NULL;
}

// Registers the arrays of the method, in the state and in the copy from which a failed step is restored.
static bool add_arrays(carom_state *state, bool newmark) {
    return carom_state_add_nodal(state, "accelerations", newmark ? 3 : 0) &&
           carom_state_add_silent(state, counts_array, COUNTS);
}

static carom_status tie(carom_energy_momentum_workspace *s, const carom_model *model, carom_error *error) {
    if (!carom_ties_any(&model->ties))
        return CAROM_OK;
    bool(*held)[3] = carom_model_held_components(model);
    bool enough = held;
    s->tie_impulse = carom_arena_reserve(s->memory, model->node_count, sizeof *s->tie_impulse, &enough);
    carom_status status = enough ? carom_projector_create(&model->ties.rows, model->node_count, model->mass,
                                                          (const bool(*)[3])held, &s->projector, error)
                                 : carom_no_memory(error, "the integrator");
    free(held);
    return status;
}

static carom_status setup(carom_stepper *stepper, carom_state *state, carom_error *error) {
    const carom_model *model = stepper->model;
    const carom_energy_momentum_params *p = carom_energy_momentum_params_of(stepper);
    carom_energy_momentum_workspace *s = carom_allocate(1, sizeof *s);
    stepper->workspace = s;
    if (!s)
        return carom_no_memory(error, "the integrator");
    s->halving.advance = advance;
    s->halving.halvings = carom_energy_momentum_params_of(stepper)->halvings;
    bool newmark = p->scheme == CAROM_EM_NEWMARK;
    carom_implicit_contact_def contact = {.slave = (carom_slave)p->slave,
                                          .quadrature = (carom_quadrature)p->quadrature,
                                          .penalty = p->penalty,
                                          .tangential = p->tangential,
                                          .reach = p->reach,
                                          .plain = newmark};
    carom_balance_def balance = {.scheme = (carom_energy_momentum_scheme)p->scheme,
                                 .beta = p->beta,
                                 .gamma = p->gamma,
                                 .tolerance = p->tolerance,
                                 .iterations = p->iterations,
                                 .solver = (carom_solver)p->solver};
    carom_status status = carom_implicit_contact_create(model, &contact, stepper->step, &s->contact, error);
    if (model->part.replicated)
        status = CAROM_PARALLEL_AGREE(status, error);
    if (!status)
        status = carom_balance_create(model, &balance, &s->contact, &s->balance, error);
    s->balance.profile = &stepper->profile;
    if (!status)
        status = carom_state_create(model, &s->halving.start, error);
    if (status)
        return status;
    s->memory = carom_arena_create();
    bool enough = s->memory;
    s->v = carom_arena_reserve(s->memory, model->node_count, sizeof *s->v, &enough);
    s->before = carom_arena_reserve(s->memory, newmark ? model->node_count : 0, sizeof *s->before, &enough);
    s->points = carom_arena_reserve(s->memory, s->contact.site_count, sizeof *s->points, &enough);
    s->slips = carom_arena_reserve(s->memory, s->contact.site_count, sizeof *s->slips, &enough);
    s->index = carom_arena_reserve(s->memory, s->contact.site_count, sizeof *s->index, &enough);
    if (!enough || !carom_halving_register(&s->halving, state) || !add_arrays(state, newmark) ||
        !add_arrays(s->halving.start, newmark))
        return carom_no_memory(error, "the integrator");
    status = tie(s, model, error);
    if (status)
        return status;
    s->acceleration = (carom_vectors)carom_state_find_array(state, "accelerations");
    s->counts = carom_state_find_array(state, counts_array);
    if (newmark) {
        // initial accelerations by the initial forces
        carom_balance_forces_at(&s->balance, state->time, (carom_const_vectors)state->x, s->acceleration);
        for (int k = 0; k < model->node_count; k++)
            for (int i = 0; i < 3; i++)
                s->acceleration[k][i] /= model->mass[k];
    }
    return CAROM_OK;
}

static bool loses_energy(double restitution) {
    return restitution != 1;
}

static bool varies(const void *params_) {
    const carom_energy_momentum_params *p = params_;
    return p->solver == CAROM_SOLVER_PETSC;
}

static carom_status available(const void *params_, carom_error *error) {
    return carom_system_check(varies(params_) ? CAROM_SYSTEM_PETSC : CAROM_SYSTEM_DIRECT, error);
}

static carom_status accepts_blocks(const carom_model *model, carom_error *error) {
    for (int s = 0; s < model->block_count; s++) {
        const carom_block *block = &model->blocks[s];
        const char *body = model->bodies[block->body].name;
        if (block->element->balanced)
            continue;
        carom_advice advice = {.method = &carom_integrator_energy_momentum, .model = model};
        const char *with = carom_block_flows(block) ? block->material->kind.name : "";
        if (*with)
            advice.remedy = "take bar, hex8 (mean-dilatation, one-point), tet4 (volume: nodal), quad4 or tri3";
        return carom_refuse_model(&advice, error, "energy-momentum does not support element '%s'%s%s%s (body '%s')",
                                  block->element->kind.name, *with ? " with '" : "", with, *with ? "'" : "", body);
    }
    return CAROM_OK;
}

static bool is_newmark(const carom_model *model, const void *params) {
    (void)model;
    return ((const carom_energy_momentum_params *)params)->scheme == CAROM_EM_NEWMARK;
}

// True for schemes that are provided for comparison only.
static bool is_compared(const carom_model *model, const void *params) {
    (void)model;
    return ((const carom_energy_momentum_params *)params)->scheme != CAROM_EM_CONSERVING;
}

static const carom_lack lacks[] = {
    {CAROM_NEED_FRAMES},
    {CAROM_NEED_RIGID},
    {CAROM_NEED_STIFFNESS_DAMPING},
    {CAROM_NEED_BRANCHES},
    {CAROM_NEED_HISTORY, "another scheme than conserving", is_compared, "scheme: conserving"},
    {CAROM_NEED_WINDOWS},
    {CAROM_NEED_TIES, "scheme: newmark", is_newmark, "scheme: conserving"},
    {CAROM_NEED_RESTITUTION},
    {CAROM_NEED_NONE},
};

static carom_status accepts(const carom_model *model, const void *params, carom_error *error) {
    (void)params;
    carom_status status = accepts_blocks(model, error);
    if (!status)
        status = carom_refuse_nodes_near_sheets(&carom_integrator_energy_momentum, model, error);
    if (!status && carom_touches_with_restitution(model, loses_energy))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "energy-momentum does not support restitution below 1: set contact.restitution: 1 (and that of its "
                          "pairs), or use newmark-dcr");
    return status;
}

// Ten times the explicit step: the highest frequencies of the mesh are not resolved, those of a body are.
static double advised_step(const carom_model *model, const void *params_) {
    (void)params_;
    return 10 * carom_model_stable_step(model);
}

// Surfaces overlap, since contact acts at points by a penalty.
static bool overlaps(const carom_model *model, const void *params) {
    (void)model;
    (void)params;
    return true;
}

static const char *const ignored[] = {"resolve", "layer", "return_work", "moves", "return_spin", "on_hold", NULL};

const carom_integrator carom_integrator_energy_momentum = {
    .kind = {.name = "energy-momentum",
             .summary = "Implicit and conserving, with penalty contact, friction and a velocity update; large steps.",
             .reference =
                 "G. R. Love, T. A. Laursen: Improved implicit integrators for transient impact problems: dynamic frictional "
                 "dissipation within an admissible conserving framework. Comput. Methods Appl. Mech. Engrg. 192 (2003) "
                 "2223-2248.",
             .params = carom_energy_momentum_rows,
             .param_count = CAROM_ENERGY_MOMENTUM_ROWS,
             .params_size = sizeof(carom_energy_momentum_params)},
    .claims = {.linear_momentum = true,
               .angular_momentum = true,
               .energy = CAROM_ENERGY_EXACT,
               .contact_energy = true,
               .symplectic = false,
               .reversible = true,
               .order = 2},
    .implicit = true,
    .sharing = CAROM_SHARES_SOLVER,
    .results = results,
    .ignored = ignored,
    .varies = varies,
    .available = available,
    // restitution must be 1
    .remedy = "",
    .lacks = lacks,
    .accepts = accepts,
    .overlaps = overlaps,
    .advised_step = advised_step,
    .setup = setup,
    .step = step,
    .release = release,
};
