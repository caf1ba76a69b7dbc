// SPDX-License-Identifier: MIT
// Finds the static equilibrium x of a model at a load factor s by Newton's method (docs/theory/static.md):
//
//     r(x, s) = f_int(x) + f_ext(x, s) = 0 along free axes,  x = X + U(s) along restrained ones
//
// with internal and external forces f and reference positions X. One iteration for free (subscript f) and restrained (subscript
// r) axes, with the gap g between prescribed and present displacements of restrained nodes, and K = -dr/dx:
//
//     K_ff u = r_f - K_fr g,   x += a (u + g),  0 < a <= 1
//
// Full steps (a = 1, less only if an element would become inverted) are tried first, since in bending r grows before it falls.
// If they fail, the iteration is repeated with a line search in which the merit must decrease.
#include "integrator/static/equilibrium.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/arena.h"
#include "math/vec3.h"
#include "model/build/rigid_modes.h"
#include "model/forces/forces.h"
#include "model/motion/loads.h"
#include "model/motion/restraints.h"
#include "model/watch/deformation.h"

// Largest number of halvings of a step; ratio of the unbalanced force to the forces of the first evaluations that counts as
// divergence.
enum { HALVINGS = 12 };
static const double divergence = 1e12;

// Relative residuals of iterative linear solutions: small in a step, since the linear model has only one; large where only the
// size of the remaining displacement is needed.
static const double step_accuracy = 1e-12;
static const double settling_accuracy = 1e-2;
// Most iterations of one linear solution.
enum { LINEAR_ITERATIONS = 2000 };

// A part that moves more than this many times the predicted displacement has jumped. Up to a limit point s = s_c - k (x_c -
// x)^2 no increment of s moves x by more than twice the displacement predicted by the slope before it.
static const double jump_ratio = 3;

static double norm(int count, const double (*v)[3]) {
    carom_exact sum = {0};
    for (int k = 0; k < count; k++)
        carom_exact_add(&sum, carom_dot(v[k], v[k]));
    return sqrt(carom_exact_value(&sum));
}

// Describes an unknown, such as "node 17 of body 'arm' along x".
static void describe(const carom_equilibrium *eq, int unknown, char *text, size_t size) {
    int axis, node = carom_sparse_node(eq->matrix, unknown, &axis);
    const carom_body *body = &eq->model->bodies[carom_model_node_body(eq->model, node)];
    double d[3] = {axis == 0, axis == 1, axis == 2};
    carom_unknowns_turn_back(&eq->unknowns, node, d);
    char direction[64];
    if (eq->unknowns.turned[node] < 0)
        snprintf(direction, sizeof direction, "%c", "xyz"[axis]);
    else
        snprintf(direction, sizeof direction, "(%.3g, %.3g, %.3g)", d[0], d[1], d[2]);
    snprintf(text, size, "node %lld of body '%s' along %s", (long long)carom_body_node_id(body, node), body->name, direction);
}

void carom_equilibrium_evaluate(carom_equilibrium *eq, double factor, const double (*x)[3]) {
    const carom_model *model = eq->model;
    carom_model_force_outputs(model, x, eq->slots, eq->force, &(carom_force_outputs){.flow = &eq->flow});
    // carom_model_force adds constant loads at full size: they are subtracted, and added with the load factor
    for (int k = 0; k < model->node_count; k++)
        for (int i = 0; i < 3; i++) {
            eq->force[k][i] -= model->load[k][i];
            eq->load[k][i] = factor * model->load[k][i];
            eq->gap[k][i] = 0;
        }
    for (int l = 0; l < model->live.count; l++) {
        const carom_live_load *load = &model->live.items[l];
        // a load with a schedule has its value at the load factor as the time; all others are proportional to the factor
        bool own = !carom_schedule_is_constant(&load->schedule);
        eq->factors[l] = own ? carom_schedule_factor(&load->schedule, factor) : factor;
        carom_live_load_add(load, eq->factors[l], factor, x, eq->load);
    }
    for (int k = 0; k < model->node_count; k++)
        for (int i = 0; i < 3; i++)
            eq->residual[k][i] = eq->force[k][i] + eq->load[k][i];
    carom_model_path(model, factor, eq->path);
    for (int r = 0; r < model->restraints.count; r++) {
        const carom_restraint *held = &model->restraints.items[r];
        int k = held->node;
        // the gap along each restrained direction: prescribed less present displacement
        for (int d = 0; d < held->count; d++) {
            double moved[3];
            carom_difference(x[k], model->X[k], moved);
            carom_add_scaled(carom_dot(eq->path[r], held->direction[d]) - carom_dot(moved, held->direction[d]),
                             held->direction[d], eq->gap[k]);
        }
    }
    carom_unknowns_fold(&eq->unknowns, eq->residual);
    // tied slave nodes get the gaps of their restrained masters
    carom_unknowns_apply_ties(&eq->unknowns, eq->gap);
    eq->evaluations++;
}

// The unbalanced force along free axes.
static double unbalanced(carom_equilibrium *eq) {
    carom_unknowns_gather(&eq->unknowns, (carom_const_vectors)eq->residual, eq->vector);
    carom_exact sum = {0};
    for (int i = 0; i < eq->unknowns.count; i++)
        carom_exact_add(&sum, eq->vector[i] * eq->vector[i]);
    return sqrt(carom_exact_value(&sum));
}

// The largest unbalanced force of a part, relative to the forces on that part, or to those by rounding of positions if these
// are larger.
static double imbalance(carom_equilibrium *eq) {
    // each connected part has its own scale: the forces on a heavy part must not hide the unbalanced force of a light one
    for (int p = 0; p < eq->part_count; p++)
        eq->parts[p].left = eq->parts[p].force = eq->parts[p].load = eq->parts[p].stiff = (carom_exact){0};
    for (int k = 0; k < eq->model->node_count; k++) {
        carom_equilibrium_part *part = &eq->parts[eq->part[k]];
        carom_exact_add(&part->force, carom_dot(eq->force[k], eq->force[k]));
        carom_exact_add(&part->load, carom_dot(eq->load[k], eq->load[k]));
    }
    carom_unknowns_gather(&eq->unknowns, (carom_const_vectors)eq->residual, eq->vector);
    for (int i = 0; i < eq->unknowns.count; i++) {
        carom_equilibrium_part *part = &eq->parts[eq->unknown_part[i]];
        carom_exact_add(&part->left, eq->vector[i] * eq->vector[i]);
        carom_exact_add(&part->stiff, eq->diagonal[i] * eq->diagonal[i]);
    }
    double worst = 0;
    for (int p = 0; p < eq->part_count; p++) {
        const carom_equilibrium_part *part = &eq->parts[p];
        double left = sqrt(carom_exact_value(&part->left));
        // rounding eps |X| of positions causes a force of about K eps |X|, which no iteration can remove: divided by the
        // tolerance, a residual of that size passes
        double rounding = 4 * DBL_EPSILON * part->size * sqrt(carom_exact_value(&part->stiff));
        double forces = sqrt(carom_exact_value(&part->force)) + sqrt(carom_exact_value(&part->load));
        double share = left > 0 ? left / fmax(forces, rounding / eq->tolerance) : left;
        // NaN is kept
        worst = share <= worst || isnan(worst) ? worst : share;
    }
    return worst;
}

static bool is_closed(const carom_equilibrium *eq) {
    double largest = 0;
    for (int r = 0; r < eq->model->restraints.count; r++)
        largest = fmax(largest, carom_norm(eq->gap[eq->model->restraints.items[r].node]));
    // restrained positions are rounded sums of X and U; 1e-13 is several hundred units of rounding
    return largest <= 1e-13 * eq->size;
}

// The root of the sum of squares of a vector, each divided by its diagonal stiffness: the root of an energy.
static double merit(const carom_equilibrium *eq, const double *vector) {
    carom_exact sum = {0};
    for (int i = 0; i < eq->unknowns.count; i++)
        carom_exact_add(&sum, vector[i] * vector[i] / fmax(fabs(eq->diagonal[i]), DBL_MIN));
    return sqrt(carom_exact_value(&sum));
}

carom_status carom_equilibrium_assemble(carom_equilibrium *eq, const double (*x)[3], const double (*motion)[3],
                                        carom_error *error) {
    carom_status status =
        carom_stiffness_assemble(eq->model, &eq->unknowns, x, &eq->flow, motion, eq->product, eq->matrix, error);
    status = CAROM_ROWS_AGREE(&eq->rows, status, error);
    if (!status && motion) {
        carom_rows_complete_nodes(&eq->rows, eq->product);
        carom_unknowns_fold(&eq->unknowns, eq->product);
    }
    return status;
}

// Computes the stiffness times the gap, and prepares solutions with the stiffness at x.
static carom_status factorise(carom_equilibrium *eq, const double (*x)[3], carom_error *error) {
    size_t size = (size_t)eq->model->node_count * sizeof *x;
    // a factorisation is kept while positions have the same bits; never with loads on faces, since these change the matrix with
    // the load factor
    bool moves = !is_closed(eq), known = eq->is_factorised && !eq->has_face_loads && memcmp(x, eq->known, size) == 0;
    carom_status status = CAROM_OK;
    if (moves || !known)
        status = carom_equilibrium_assemble(eq, x, moves ? (carom_const_vectors)eq->gap : NULL, error);
    if (!status && !moves)
        memset(eq->product, 0, size);
    if (status || known)
        return status;
    if (eq->has_face_loads)
        carom_stiffness_subtract_loads(eq->model, &eq->unknowns, x, eq->factors, eq->matrix);
    carom_sparse_diagonal(eq->matrix, eq->diagonal);
    carom_rows_complete(&eq->rows, eq->diagonal);
    carom_phase before = carom_profile_enter(eq->profile, CAROM_PHASE_SOLVING);
    status = carom_system_prepare(eq->system, eq->matrix, error);
    carom_profile_enter(eq->profile, before);
    eq->solves++;
    eq->is_factorised = !status;
    memcpy(eq->known, x, size);
    return status;
}

// Reports a mechanism: a node or a whole assembly that can move without resistance.
static carom_status report_mechanism(const carom_equilibrium *eq, carom_error *error) {
    carom_linear_info info = carom_system_information(eq->system);
    char where[CAROM_NAME_MAX + 128] = "";
    if (info.null_count && info.null_pivots)
        describe(eq, info.null_pivots[0], where, sizeof where);
    return carom_fail(error, CAROM_BAD_INPUT, "the model can move without resistance%s%s: restrain it there, or stiffen it",
                      where[0] ? ", for example " : "", where);
}

static carom_status reserve(carom_equilibrium *eq, bool petsc, carom_error *error) {
    const carom_model *model = eq->model;
    int64_t n = model->node_count;
    eq->memory = carom_arena_create();
    bool enough = eq->memory;
    eq->force = carom_arena_reserve(eq->memory, n, sizeof *eq->force, &enough);
    eq->load = carom_arena_reserve(eq->memory, n, sizeof *eq->load, &enough);
    eq->residual = carom_arena_reserve(eq->memory, n, sizeof *eq->residual, &enough);
    eq->gap = carom_arena_reserve(eq->memory, n, sizeof *eq->gap, &enough);
    eq->product = carom_arena_reserve(eq->memory, n, sizeof *eq->product, &enough);
    eq->step = carom_arena_reserve(eq->memory, n, sizeof *eq->step, &enough);
    eq->trial = carom_arena_reserve(eq->memory, n, sizeof *eq->trial, &enough);
    eq->known = carom_arena_reserve(eq->memory, n, sizeof *eq->known, &enough);
    eq->part = carom_arena_reserve(eq->memory, n, sizeof *eq->part, &enough);
    eq->unknown_part = carom_arena_reserve(eq->memory, eq->unknowns.count, sizeof *eq->unknown_part, &enough);
    eq->slots = carom_arena_reserve(eq->memory, carom_model_slot_count(model), sizeof *eq->slots, &enough);
    eq->path = carom_arena_reserve(eq->memory, model->restraints.count, sizeof *eq->path, &enough);
    eq->factors = carom_arena_reserve(eq->memory, model->live.count, sizeof *eq->factors, &enough);
    eq->vector = carom_arena_reserve(eq->memory, eq->unknowns.count, sizeof *eq->vector, &enough);
    eq->diagonal = carom_arena_reserve(eq->memory, eq->unknowns.count, sizeof *eq->diagonal, &enough);
    if (petsc)
        eq->modes =
            carom_arena_reserve(eq->memory, CAROM_UNKNOWNS_RIGID * (int64_t)eq->unknowns.count, sizeof *eq->modes, &enough);
    if (petsc && enough)
        carom_unknowns_rigid(&eq->unknowns, model, eq->modes);
    eq->part_count = enough ? carom_model_number_components(model, eq->part) : -1;
    enough = enough && eq->part_count >= 0;
    eq->parts = carom_arena_reserve(eq->memory, eq->part_count, sizeof *eq->parts, &enough);
    return enough ? CAROM_OK : carom_no_memory(error, "the static solution");
}

static void set_part_sizes(carom_equilibrium *eq) {
    for (int k = 0; k < eq->model->node_count; k++) {
        double *size = &eq->parts[eq->part[k]].size;
        *size = fmax(*size, carom_norm(eq->model->X[k]));
    }
    for (int i = 0; i < eq->unknowns.count; i++) {
        int axis;
        eq->unknown_part[i] = eq->part[carom_sparse_node(eq->matrix, i, &axis)];
    }
}

carom_status carom_equilibrium_create(const carom_model *model, double tolerance, int iterations, carom_system_method solver,
                                      carom_equilibrium *eq, carom_error *error) {
    *eq = (carom_equilibrium){.model = model, .tolerance = tolerance, .iterations = iterations};
    // the tangent of loads on deforming faces is not symmetric: this determines the solver
    for (int l = 0; l < model->live.count; l++)
        eq->has_face_loads = eq->has_face_loads || model->live.items[l].face_count;
    for (int k = 0; k < model->node_count; k++)
        eq->size = fmax(eq->size, carom_norm(model->X[k]));
    carom_status status = carom_unknowns_create(model, &eq->unknowns, error);
    if (!status)
        status = reserve(eq, solver == CAROM_SYSTEM_PETSC, error);
    if (!status)
        status = carom_stiffness_create(model, &eq->unknowns, &eq->matrix, error);
    // processes that have the whole model share its rows
    if (model->part.replicated)
        status = CAROM_PARALLEL_AGREE(status, error);
    if (!status)
        status =
            carom_rows_create(model->node_count, (const int(*)[3])eq->unknowns.index, model->part.replicated, &eq->rows, error);
    if (!status)
        carom_sparse_keep(eq->matrix, eq->rows.node_begin, eq->rows.node_end);
    carom_system_def system = {.kind = eq->has_face_loads ? CAROM_LINEAR_UNSYMMETRIC : CAROM_LINEAR_SYMMETRIC,
                               .method = solver,
                               .inertia = true,
                               .iterations = LINEAR_ITERATIONS,
                               .rows = &eq->rows,
                               .modes = eq->modes,
                               .mode_count = eq->modes ? CAROM_UNKNOWNS_RIGID : 0};
    if (!status)
        status = carom_system_create(&system, eq->unknowns.count, &eq->system, error);
    if (status)
        return status;
    set_part_sizes(eq);
    // factorised now, so that a mechanism, which is an error of the input, is reported before any load is applied
    status = factorise(eq, (carom_const_vectors)model->X, error);
    return status == CAROM_NUMERICAL ? report_mechanism(eq, error) : status;
}

void carom_equilibrium_release(carom_equilibrium *eq) {
    carom_system_release(eq->system);
    carom_rows_release(&eq->rows);
    carom_sparse_release(eq->matrix);
    carom_unknowns_release(&eq->unknowns);
    carom_arena_release(eq->memory);
    *eq = (carom_equilibrium){0};
}

// Finds the step from x: unknowns by the factorised matrix, restrained directions by their gaps. On entry eq->vector is the
// right-hand side.
static carom_status find_step(carom_equilibrium *eq, carom_error *error) {
    carom_phase before = carom_profile_enter(eq->profile, CAROM_PHASE_SOLVING);
    carom_status status = carom_system_solve(eq->system, step_accuracy, eq->vector, error);
    carom_profile_enter(eq->profile, before);
    carom_unknowns_spread(&eq->unknowns, eq->vector, eq->step);
    for (int r = 0; r < eq->model->restraints.count; r++) {
        int k = eq->model->restraints.items[r].node;
        carom_add_scaled(1, eq->gap[k], eq->step[k]);
    }
    carom_unknowns_apply_ties(&eq->unknowns, eq->step);
    return status;
}

// r - K g along free axes.
static void find_right_hand_side(carom_equilibrium *eq) {
    for (int k = 0; k < eq->model->node_count; k++)
        carom_difference(eq->residual[k], eq->product[k], eq->step[k]);
    carom_unknowns_gather(&eq->unknowns, (carom_const_vectors)eq->step, eq->vector);
}

// Stores the largest displacement of each part in the first step.
static void note_prediction(carom_equilibrium *eq) {
    for (int p = 0; p < eq->part_count; p++)
        eq->parts[p].predicted = 0;
    for (int k = 0; k < eq->model->node_count; k++) {
        double *predicted = &eq->parts[eq->part[k]].predicted;
        *predicted = fmax(*predicted, carom_norm(eq->step[k]));
    }
}

// True if the unbalanced forces would move no part by more than a fraction of its displacement: relative forces alone are a
// poor measure for a soft region next to a stiff one. Forces by rounding of positions do not count.
static bool is_settled(carom_equilibrium *eq, const double (*x)[3]) {
    static const double rounding = 64 * DBL_EPSILON;
    carom_unknowns_gather(&eq->unknowns, (carom_const_vectors)eq->residual, eq->vector);
    for (int i = 0; i < eq->unknowns.count; i++)
        // forces at the level of rounding would give spurious displacements along soft directions
        if (fabs(eq->vector[i]) <= rounding * eq->parts[eq->unknown_part[i]].size * fabs(eq->diagonal[i]))
            eq->vector[i] = 0;
    if (carom_system_solve(eq->system, settling_accuracy, eq->vector, NULL))
        return false;
    carom_unknowns_spread(&eq->unknowns, eq->vector, eq->step);
    for (int p = 0; p < eq->part_count; p++)
        eq->parts[p].remaining = eq->parts[p].moved = 0;
    for (int k = 0; k < eq->model->node_count; k++) {
        carom_equilibrium_part *part = &eq->parts[eq->part[k]];
        double moved[3];
        carom_difference(x[k], eq->model->X[k], moved);
        part->remaining = fmax(part->remaining, carom_norm(eq->step[k]));
        part->moved = fmax(part->moved, carom_norm(moved));
    }
    for (int p = 0; p < eq->part_count; p++)
        // the error of positions must be below the root of the tolerance: convergence is quadratic, and one more iteration
        // would square it
        if (eq->parts[p].remaining > sqrt(eq->tolerance) * eq->parts[p].moved + rounding * eq->parts[p].size)
            return false;
    return true;
}

// Sets `failure` to a reason and the place of the largest unbalanced force.
static void note_stall(carom_equilibrium *eq, const char *how) {
    int worst = 0;
    double share = imbalance(eq);
    for (int i = 0; i < eq->unknowns.count; i++)
        if (fabs(eq->vector[i]) > fabs(eq->vector[worst]))
            worst = i;
    char where[CAROM_NAME_MAX + 128] = "";
    if (eq->unknowns.count)
        describe(eq, worst, where, sizeof where);
    snprintf(eq->failure, sizeof eq->failure, "%s; the unbalanced force is %.2g of all forces, the largest part at %s", how,
             share, where);
}

// True if an element is inverted at the trial positions; names it.
static bool is_inverted(carom_equilibrium *eq) {
    carom_deformation seen = carom_model_watch_deformation(eq->model, (carom_const_vectors)eq->trial);
    if (seen.inverted[0])
        snprintf(eq->failure, sizeof eq->failure, "%s becomes inverted", seen.inverted);
    return seen.inverted[0];
}

// Moves x along the step by the first length 1, 1/2, 1/4, ... that is acceptable; false if none is.
static bool move_along_step(carom_equilibrium *eq, double factor, bool search, double (*x)[3]) {
    find_right_hand_side(eq);
    int n = eq->model->node_count;
    double before = search ? merit(eq, eq->vector) : 0, a = 1;
    // merit of the part of the gap that remains open
    double waiting = is_closed(eq) ? 0 : before;
    bool inverted = false;
    if (find_step(eq, NULL))
        return false;
    if (eq->is_first)
        note_prediction(eq);
    // backtracking; a step to an inverted element or to non-finite forces is halved even without a line search
    for (int half = 0; half <= HALVINGS; half++, a *= 0.5) {
        for (int k = 0; k < n; k++)
            for (int i = 0; i < 3; i++)
                eq->trial[k][i] = x[k][i] + a * eq->step[k][i];
        carom_equilibrium_evaluate(eq, factor, (carom_const_vectors)eq->trial);
        inverted = is_inverted(eq);
        bool good = isfinite(unbalanced(eq)) && !inverted;
        if (good && search)
            // sufficient decrease (Armijo): a tenth of that of the linear model. The merit at the start includes K g, as if the
            // gap were closed; a short step leaves the part (1 - a) of it open, which is added
            good = merit(eq, eq->vector) <= (1 - 0.1 * a) * before + (1 - a) * waiting;
        if (!good)
            continue;
        memcpy(x, eq->trial, (size_t)n * sizeof *x);
        return true;
    }
    if (!inverted)
        note_stall(eq, "no step reduces the unbalanced forces");
    return false;
}

// Newton's method from x.
static carom_status iterate(carom_equilibrium *eq, double factor, bool search, double (*x)[3], carom_error *error) {
    carom_equilibrium_evaluate(eq, factor, (carom_const_vectors)x);
    int n = eq->model->node_count;
    double first = 0;
    // negative pivots in an iteration indicate unstable states; the caller compares their number with those at both ends
    eq->most_negative = 0;
    for (int i = 0;; i++) {
        eq->is_first = i == 0;
        // the matrix is factorised at the start, so that results do not depend on an earlier one, which a restart does not have
        carom_status status = carom_rows_interrupt(&eq->rows, error);
        if (status)
            return status;
        if (i == 0)
            status = factorise(eq, (carom_const_vectors)x, error);
        double left = unbalanced(eq), share = imbalance(eq);
        if (!status && is_closed(eq) && share <= eq->tolerance && is_settled(eq, (carom_const_vectors)x))
            return CAROM_OK;
        // the scale of divergence is the larger force of the first two evaluations, since the first may be zero, for an
        // unloaded body whose restraints are about to move
        first = i < 2 ? fmax(first, norm(n, (carom_const_vectors)eq->force) + norm(n, (carom_const_vectors)eq->load)) : first;
        if (i == eq->iterations || !(left <= divergence * first)) {
            char how[64];
            snprintf(how, sizeof how,
                     i == eq->iterations ? "no convergence in %d iterations" : "divergence after %d iterations", i);
            note_stall(eq, how);
            return CAROM_NUMERICAL;
        }
        if (i > 0)
            status = factorise(eq, (carom_const_vectors)x, error);
        if (status == CAROM_NUMERICAL)
            note_stall(eq, "the stiffness is singular");
        if (status)
            return status;
        int negative = carom_system_information(eq->system).negative_pivots;
        eq->most_negative = negative > eq->most_negative ? negative : eq->most_negative;
        if (!move_along_step(eq, factor, search, x))
            return CAROM_NUMERICAL;
    }
}

void carom_equilibrium_commit(carom_equilibrium *eq, const double (*x)[3]) {
    carom_flow flow = {.use = CAROM_USE_COMMIT};
    carom_model_force_outputs(eq->model, x, eq->slots, eq->trial, &(carom_force_outputs){.flow = &flow});
    // with the new history the stiffness at the same positions is different
    eq->is_factorised = false;
}

carom_status carom_equilibrium_solve(carom_equilibrium *eq, double factor, double (*x)[3], carom_error *error) {
    size_t size = (size_t)eq->model->node_count * sizeof *x;
    carom_vectors start = carom_allocate(eq->model->node_count, sizeof *start);
    if (!carom_rows_all(&eq->rows, start)) {
        free(start);
        return carom_no_memory(error, "the static solution");
    }
    memcpy(start, x, size);
    carom_status status = CAROM_NUMERICAL;
    eq->was_negative = false;
    // full steps first, since in bending the merit of a line search must grow at times; then a line search from the same start
    for (int search = 0; search < 2 && status == CAROM_NUMERICAL; search++) {
        memcpy(x, start, size);
        status = iterate(eq, factor, search, x, error);
        eq->was_negative = eq->was_negative || eq->most_negative;
    }
    if (status)
        memcpy(x, start, size);
    free(start);
    return status == CAROM_NUMERICAL ? carom_fail(error, status, "%s", eq->failure) : status;
}

carom_status carom_equilibrium_examine(carom_equilibrium *eq, const double (*before)[3], const double (*x)[3], int *negative,
                                       bool *jumps, carom_error *error) {
    *jumps = false;
    for (int k = 0; k < eq->model->node_count; k++) {
        const carom_equilibrium_part *part = &eq->parts[eq->part[k]];
        double moved[3];
        carom_difference(x[k], before[k], moved);
        // compared with the first step of Newton's method; the millionth of its size excludes rounding in parts that hardly
        // move
        *jumps = *jumps || carom_norm(moved) > jump_ratio * part->predicted + 1e-6 * part->size;
    }
    carom_status status = factorise(eq, x, error);
    carom_linear_info found = carom_system_information(eq->system);
    // each null pivot of a singular stiffness, at the limit of stability, counts as a negative eigenvalue
    *negative = status ? found.negative_pivots + (found.null_count ? found.null_count : 1) : found.negative_pivots;
    return status == CAROM_NUMERICAL ? CAROM_OK : status;
}

carom_status carom_equilibrium_solve_linear(carom_equilibrium *eq, double factor, double (*x)[3], double *energy,
                                            carom_error *error) {
    const carom_model *model = eq->model;
    int n = model->node_count;
    carom_equilibrium_evaluate(eq, factor, (carom_const_vectors)model->X);
    bool moves = !is_closed(eq);
    memset(eq->product, 0, (size_t)n * sizeof *eq->product);
    // the factorised matrix is that of the reference configuration
    carom_status status = CAROM_OK;
    if (moves)
        status = carom_equilibrium_assemble(eq, (carom_const_vectors)model->X, (carom_const_vectors)eq->gap, error);
    if (status)
        return status;
    find_right_hand_side(eq);
    status = find_step(eq, error);
    if (!status)
        status = carom_equilibrium_assemble(eq, (carom_const_vectors)model->X, (carom_const_vectors)eq->step, error);
    if (status)
        return status;
    // stored energy of the linear model, 1/2 u.K u with K of the reference configuration
    carom_exact stored = {0};
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 3; i++) {
            x[k][i] = model->X[k][i] + eq->step[k][i];
            carom_exact_add(&stored, 0.5 * eq->step[k][i] * eq->product[k][i]);
            eq->force[k][i] = -eq->product[k][i];
            eq->residual[k][i] = eq->force[k][i] + eq->load[k][i];
        }
    carom_unknowns_fold(&eq->unknowns, eq->residual);
    *energy = carom_exact_value(&stored);
    return CAROM_OK;
}
