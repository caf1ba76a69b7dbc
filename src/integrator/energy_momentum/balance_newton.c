// SPDX-License-Identifier: MIT
// Solves the balance of momentum of an implicit step (balance.h) for the displacements u, by Newton's method with a line
// search. The iteration starts from u = 0: velocities of light surface nodes alternate after impacts, and an extrapolated start
// would distort thin elements. If nodes are driven, these start with their prescribed displacements, and the others with those
// that result to first order. Contact pairs are searched for in each of the first iterations and then kept. A stalled iteration
// is repeated with soft penalties, which are then increased step by step.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "element/element.h"
#include "integrator/energy_momentum/balance.h"
#include "math/vec3.h"
#include "model/motion/restraints.h"

enum {
    PAIRINGS = 15,                         // first iterations, which search for pairs; later the equations must not change
    TRIALS = 6,                            // steps of a line search, down to 1/32
    REFUSED = 12,                          // steps with inverted elements or non-finite forces, in addition to TRIALS
    POLISH = 3,                            // iterations after convergence, with the last factors
    PASSES = 20,                           // of the augmented Lagrangian, where overlap is deep
    NONMONOTONE = 3,                       // first iterations, in which the merit may grow, since contact pairs still change
    PARALLEL_NODES = CAROM_BALANCE_PIECE,  // with fewer nodes starting threads for a loop costs more than it saves
    MERIT_PIECE = 3 * CAROM_BALANCE_PIECE, // unknowns in a piece of a sum
    MIN_ITERATIONS = 4,                    // iterations before a residual that no longer falls counts as rounding
};

// Penalties in a repeated iteration over the full ones: increased by half a decade at a time.
static const double softened[] = {1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1};

// Growth of the merit that is accepted in the first iterations.
static const double nonmonotone_growth = 2;

// Fraction of the predicted decrease of the merit that a step must reach (Armijo).
static const double armijo = 0.1;

// A residual below this multiple of the tolerance that no longer decreases is at the level of rounding.
static const double rounding_tolerances = 1e3;

// Change of the augmented tractions, relative to the largest, that ends the passes.
static const double augmented_change = 1e-8;

// Fraction of the prescribed displacements in the difference quotient of predict_from_driven.
static const double difference_fraction = 1e-6;

// Relative residuals eta of iterative linear solutions: choice 2 of S. C. Eisenstat, H. F. Walker, SIAM J. Sci. Comput. 17
// (1996) 16-32, eta = forcing_gain (|R|/|R_before|)^2, which keeps the order of convergence, within these bounds.
static const double max_forcing = 1e-2;
static const double min_forcing = 1e-6;
static const double forcing_gain = 0.9;
// eta is not less than what reduces the residual to this fraction of the tolerance.
static const double goal_fraction = 0.1;
// Relative residual of linear solutions in polish().
static const double polish_accuracy = 1e-3;

// The relative residual of the linear solution for a residual `norm`; `before`: norm in the previous iteration, `goal`: norm at
// convergence.
static double accuracy_of(double norm, double before, double goal) {
    double ratio = norm / before, eta = isfinite(before) ? forcing_gain * ratio * ratio : max_forcing;
    return fmin(fmax(fmax(eta, min_forcing), goal_fraction * goal / norm), max_forcing);
}

// The residual along free directions, one number per unknown.
static void set_right(const carom_balance *b, double *right) {
    carom_unknowns_gather(&b->unknowns, (carom_const_vectors)b->residual, right);
}

// The merit of the line search, sqrt(sum R^2/|K_ii|), in which stiff and soft unknowns have equal weight.
static double merit(carom_balance *b) {
    set_right(b, b->right);
    // not more than the pieces of nodes, for which b->pieces has memory
    int pieces = (b->matrix->size + MERIT_PIECE - 1) / MERIT_PIECE;
#pragma omp parallel for schedule(static) if (pieces > 1)
    for (int piece = 0; piece < pieces; piece++) {
        int end = (piece + 1) * MERIT_PIECE < b->matrix->size ? (piece + 1) * MERIT_PIECE : b->matrix->size;
        double part = 0;
        for (int i = piece * MERIT_PIECE; i < end; i++)
            // the diagonal of the last matrix, so that values of the merit can be compared along the line
            part += b->right[i] * b->right[i] / fabs(b->diagonal[i]);
        b->pieces[piece][0] = part;
    }
    double sum = 0;
    for (int piece = 0; piece < pieces; piece++)
        sum += b->pieces[piece][0];
    return sqrt(sum);
}

// u + s step, in trial.
static void move(carom_balance *b, double s) {
#pragma omp parallel for schedule(static) if (b->model->node_count > PARALLEL_NODES)
    for (int k = 0; k < b->model->node_count; k++) {
        double d[3];
        for (int i = 0; i < 3; i++) {
            // b->step solves K step = R, so the displacement is minus the step
            int unknown = b->unknowns.index[k][i];
            d[i] = unknown >= 0 ? s * b->step[unknown] : 0;
        }
        carom_unknowns_turn_back(&b->unknowns, k, d);
        for (int i = 0; i < 3; i++)
            b->trial[k][i] = b->u[k][i] - d[i];
    }
    carom_unknowns_apply_ties(&b->unknowns, b->trial);
}

static void accept_trial(carom_balance *b) {
    carom_vectors u = b->u;
    b->u = b->trial;
    b->trial = u;
}

// Line search with steps 1, 1/2, ... until the merit decreases sufficiently; the best of them if none does. In the first
// iterations it may grow. Steps to non-finite residuals are not counted as trials. Returns the norm of the residual at the end;
// HUGE_VAL, with u unchanged, if there is no step.
static double search_line(carom_balance *b, int iteration, double *scale) {
    double start, best = HUGE_VAL, best_s = 0, s = 1;
    carom_sparse_diagonal(b->matrix, b->diagonal);
    carom_rows_complete(&b->rows, b->diagonal);
    start = merit(b);
    for (int t = 0, refused = 0; t < TRIALS && refused < REFUSED && !carom_interrupt_is_wanted(); s *= 0.5) {
        move(b, s);
        double norm = carom_balance_residual(b, (carom_const_vectors)b->trial, scale);
        // not finite: an inverted element, or a contact law outside of its range
        if (!isfinite(norm)) {
            refused++;
            continue;
        }
        double value = merit(b);
        t++;
        if (value <= start * (iteration < NONMONOTONE ? nonmonotone_growth : 1 - armijo * s)) {
            accept_trial(b);
            return norm;
        }
        if (value < best) {
            best = value;
            best_s = s;
        }
    }
    if (best_s == 0)
        // every step had a non-finite residual
        return HUGE_VAL;
    move(b, best_s);
    accept_trial(b);
    return carom_balance_residual(b, (carom_const_vectors)b->u, scale);
}

// Reduces the residual to rounding with the last factors, since the residual is an error of energy.
static carom_status polish(carom_balance *b, double norm, carom_error *error) {
    double scale;
    for (int n = 0; n < POLISH && norm > 0; n++) {
        set_right(b, b->step);
        carom_phase before = carom_profile_enter(b->profile, CAROM_PHASE_SOLVING);
        carom_status status = carom_balance_linear_solve(b, polish_accuracy, b->step, error);
        carom_profile_enter(b->profile, before);
        if (status)
            return status;
        move(b, 1);
        double next = carom_balance_residual(b, (carom_const_vectors)b->trial, &scale);
        // at the level of rounding the residual is no longer halved: restores the forces and tractions of u
        if (!(next < 0.5 * norm)) {
            carom_balance_residual(b, (carom_const_vectors)b->u, &scale);
            return CAROM_OK;
        }
        accept_trial(b);
        norm = next;
    }
    return CAROM_OK;
}

// Names an element of a node, for a message.
static void name_element(const carom_model *model, int node, char *text, size_t size) {
    for (int s = 0; s < model->block_count; s++) {
        const carom_block *block = &model->blocks[s];
        int n = block->node_count;
        for (int i = 0; i < n * block->count; i++)
            if (block->nodes[i] == node) {
                snprintf(text, size, "element %lld of body '%s'", (long long)carom_block_id(block, i / n),
                         model->bodies[block->body].name);
                return;
            }
    }
}

// Names the place of the largest residual: a contact under pressure there, or else an element.
static void name_worst(carom_balance *b) {
    const carom_model *model = b->model;
    double worst = -1;
    int node = 0;
    for (int k = 0; k < model->node_count; k++) {
        double r[3];
        carom_copy(b->residual[k], r);
        carom_restraints_project(&b->restraints, k, r);
        // NaN counts as the largest residual
        if (!(carom_norm(r) <= worst)) {
            worst = carom_norm(r);
            node = k;
        }
        if (!isfinite(worst))
            break;
    }
    name_element(model, node, b->stalled, sizeof b->stalled);
    for (int i = 0; i < b->contact->count; i++) {
        const carom_quadrature_point *p = &b->contact->points[i];
        for (int a = 0; b->contact->tractions[i].normal > 0 && a < carom_quadrature_nodes(p); a++)
            if (p->node[a] == node) {
                snprintf(b->stalled, sizeof b->stalled, "the contact of '%s' and '%s' at node %lld of '%s'",
                         carom_model_side_name(model, p->body[0]), carom_model_side_name(model, p->body[1]),
                         (long long)carom_model_node_id(model, node), model->bodies[carom_model_node_body(model, node)].name);
                return;
            }
    }
}

// Iterates from the present u. CAROM_NUMERICAL if that does not converge.
static carom_status iterate(carom_balance *b, carom_error *error) {
    // `least`: smallest residual so far, for the test of rounding; `last`: residual of the previous iteration
    double scale, norm = carom_balance_residual(b, (carom_const_vectors)b->u, &scale), least = HUGE_VAL, last = HUGE_VAL;
    bool factors = false;
    for (int n = 0; n < b->def.iterations; n++) {
        bool changed = false;
        carom_status status = carom_rows_interrupt(&b->rows, error);
        if (status)
            return status;
        carom_phase outer = carom_profile_enter(b->profile, CAROM_PHASE_SEARCH);
        if (n < PAIRINGS)
            status = carom_implicit_contact_pair(b->contact, (carom_const_vectors)b->x1, &changed, error);
        status = CAROM_ROWS_AGREE(&b->rows, status, error);
        carom_profile_enter(b->profile, outer);
        // positions that are not finite may converge with a smaller step, lack of memory does not
        if (status == CAROM_NUMERICAL)
            break;
        if (status)
            return status;
        // with other pairs or penalties the residual at the same u is different
        if (changed || (n == 0 && b->contact->count > 0))
            norm = carom_balance_residual(b, (carom_const_vectors)b->u, &scale);
        if (!isfinite(norm))
            break;
        if (norm <= b->def.tolerance * scale)
            // without factors the start was the solution
            return factors ? polish(b, norm, error) : CAROM_OK;
        // the level of rounding: the residual is small, also if nothing else moves, and no longer decreases
        double small = fmax(rounding_tolerances * b->def.tolerance * scale, b->rounding);
        if (norm <= small && norm > 0.5 * least && n > MIN_ITERATIONS)
            return CAROM_OK;
        least = fmin(least, norm);
        b->counts.iterations++;
        status = carom_balance_factorise(b, error);
        if (status == CAROM_NUMERICAL)
            break;
        if (status)
            return status;
        factors = true;
        set_right(b, b->step);
        carom_phase before = carom_profile_enter(b->profile, CAROM_PHASE_SOLVING);
        status = carom_balance_linear_solve(b, accuracy_of(norm, last, b->def.tolerance * scale), b->step, error);
        carom_profile_enter(b->profile, before);
        if (status)
            return status;
        last = norm;
        norm = search_line(b, n, &scale);
    }
    name_worst(b);
    return carom_fail(error, CAROM_NUMERICAL, "the iteration does not converge at %s", b->stalled);
}

// Adds to the prescribed displacements in u those of other nodes that result to first order: otherwise the elements along a
// driven boundary would be deformed by all of its motion.
static carom_status predict_from_driven(carom_balance *b, carom_error *error) {
    double scale;
    // the right-hand side K_fr u_r is a difference quotient of the residual along the prescribed displacements, since the
    // matrix has only the columns of free directions
    for (int k = 0; k < b->model->node_count; k++)
        for (int i = 0; i < 3; i++)
            b->trial[k][i] = difference_fraction * b->u[k][i];
    double norm = carom_balance_residual(b, (carom_const_vectors)b->trial, &scale);
    set_right(b, b->step);
    memset(b->trial, 0, (size_t)b->model->node_count * sizeof *b->trial);
    norm += carom_balance_residual(b, (carom_const_vectors)b->trial, &scale);
    set_right(b, b->right);
    for (int i = 0; i < b->matrix->size; i++)
        b->step[i] = (b->step[i] - b->right[i]) / difference_fraction;
    // if this fails, the iteration starts from the prescribed displacements alone
    if (!isfinite(norm) || b->matrix->size == 0)
        return CAROM_OK;
    carom_status status = carom_balance_factorise(b, error);
    if (!status)
        status = carom_balance_linear_solve(b, min_forcing, b->step, error);
    if (status)
        return status == CAROM_NUMERICAL ? CAROM_OK : status;
    move(b, 1);
    if (isfinite(carom_balance_residual(b, (carom_const_vectors)b->trial, &scale)))
        accept_trial(b);
    return CAROM_OK;
}

// Sets u to the prescribed displacements and those that result from them to first order, and 0 without any.
static carom_status start(carom_balance *b, carom_error *error) {
    bool driven = false;
    memset(b->u, 0, (size_t)b->model->node_count * sizeof *b->u);
    for (int r = 0; r < b->restraints.count; r++) {
        carom_add_scaled(b->h, b->restraints.items[r].velocity, b->u[b->restraints.items[r].node]);
        driven = driven || carom_norm(b->restraints.items[r].velocity) > 0;
    }
    carom_unknowns_apply_ties(&b->unknowns, b->u);
    return driven ? predict_from_driven(b, error) : CAROM_OK;
}

// Iterates with full penalties or, if that stalls, with increasing ones.
static carom_status solve(carom_balance *b, carom_error *error) {
    carom_status status = start(b, error);
    if (!status)
        status = iterate(b, error);
    // penalties can be the reason only if something may touch
    if (status != CAROM_NUMERICAL || b->contact->site_count == 0)
        return status;
    status = start(b, error);
    if (status)
        return status;
    // a homotopy: each solution is the start of the next iteration, the last of which has full penalties
    for (size_t i = 0; i < sizeof softened / sizeof *softened; i++) {
        b->contact->softening = softened[i];
        status = iterate(b, error);
        if (status)
            break;
    }
    b->contact->softening = 1;
    return status;
}

carom_status carom_balance_solve(carom_balance *b, double time, double h, const double (*x0)[3], const double (*v0)[3],
                                 const double (*a0)[3], int passes, carom_error *error) {
    b->time = time;
    b->h = h;
    b->flow = (carom_flow){.use = CAROM_USE_TRIAL, .before = h};
    b->x0 = x0;
    b->v0 = v0;
    b->a0 = a0;
    b->counts.solves++;
    // prescribed velocities are those of the middle of the step, which gives displacements to second order
    carom_model_drive_over(b->model, time, h, x0, b->restraints.items);
    carom_implicit_contact_begin(b->contact, h, x0, v0);
    // removes the couplings of the last step, so that the order of elimination depends on this step alone
    carom_sparse_reset(b->matrix);
    carom_status status = solve(b, error);
    if (passes == CAROM_AUTO)
        // penalties are sufficient for small overlap; deep overlap is removed by multipliers (Uzawa), which converge linearly
        passes = !status && !b->contact->rule.plain && carom_implicit_contact_is_deep(b->contact) ? PASSES : 0;
    for (int pass = 0; pass < passes && !status; pass++) {
        if (carom_implicit_contact_augment(b->contact) < augmented_change)
            break;
        status = iterate(b, error);
    }
    // after an interrupt residuals are not complete
    carom_status stop = carom_rows_interrupt(&b->rows, error);
    return stop ? stop : status;
}
