// SPDX-License-Identifier: MIT
// Newton's method with a line search. The iteration starts from u = 0: velocities of light surface nodes alternate after
// impacts, and an extrapolated start would distort thin elements. Only driven nodes start with their displacements, and those
// of the other nodes that follow to first order. Pairs of contact are searched for in each of the first iterations and then
// kept. A stalled iteration starts again with soft penalties, which are then stiffened step by step.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "element/element.h"
#include "integrator/energy_momentum/balance.h"
#include "math/vec3.h"
#include "model/motion/restraints.h"

enum {
    PAIRINGS = 15, // iterations that search for pairs; later ones would change the equations under the iteration
    TRIALS = 6,    // steps of a line search, down to 1/32
    REFUSED = 12,  // steps before them that lead to elements inside out, down to 1/4096
    POLISH = 3,    // iterations after convergence, with the last factors
    PASSES = 20,   // of the augmented Lagrangian, where contact lasts
    BOLD = 3,      // first iterations, in which the merit may grow: pairs of contact still change
    PARALLEL_NODES = CAROM_BALANCE_PIECE,  // below, starting threads for a pass over the nodes costs more than it saves
    MERIT_PIECE = 3 * CAROM_BALANCE_PIECE, // unknowns that are summed in a row
    SETTLED = 4,                           // iterations before a residual that no longer falls counts as rounding
};

// Penalties of a stalled iteration in units of the true ones: half a decade at a time.
static const double softened[] = {1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1};

// Growth of the merit that the first iterations may accept.
static const double bold_growth = 2;

// Share of the predicted fall of the merit that a step must reach (Armijo).
static const double armijo = 0.1;

// A residual below so many tolerances that no longer falls is at the level of rounding.
static const double rounding_tolerances = 1e3;

// Change of the augmented tractions, relative to the largest, that ends the passes.
static const double augmented_change = 1e-8;

// Part of the prescribed displacements that the difference quotient of `follow` takes.
static const double little = 1e-6;

// Iterative solvers stop where more digits are of no use to Newton's method: choice 2 of S. C. Eisenstat, H. F. Walker, SIAM J.
// Sci. Comput. 17 (1996) 16-32, which keeps the order of convergence, within these bounds.
static const double loosest = 1e-2;
static const double tightest = 1e-6;
static const double eagerness = 0.9;
// The last iteration aims at this part of the tolerance.
static const double aim = 0.1;
// From the tolerance down to rounding.
static const double polish_accuracy = 1e-3;

// The part of the residual `norm` that the linear solution may leave; `before` is the one of the iteration before, `goal` the
// one that ends the iteration.
static double accuracy_of(double norm, double before, double goal) {
    double ratio = norm / before, eta = isfinite(before) ? eagerness * ratio * ratio : loosest;
    return fmin(fmax(fmax(eta, tightest), aim * goal / norm), loosest);
}

// The residual along free directions, by unknowns.
static void set_right(const carom_balance *b, double *right) {
    carom_unknowns_gather(&b->unknowns, (carom_const_vectors)b->residual, right);
}

// The merit of the line search: sqrt(sum R^2/|K_ii|), which weighs stiff and soft unknowns alike.
static double merit(carom_balance *b) {
    set_right(b, b->right);
    // there are at least as many pieces of nodes
    int pieces = (b->matrix->size + MERIT_PIECE - 1) / MERIT_PIECE;
#pragma omp parallel for schedule(static) if (pieces > 1)
    for (int piece = 0; piece < pieces; piece++) {
        int end = (piece + 1) * MERIT_PIECE < b->matrix->size ? (piece + 1) * MERIT_PIECE : b->matrix->size;
        double part = 0;
        for (int i = piece * MERIT_PIECE; i < end; i++)
            // The diagonal is of the matrix that was factorised last, so that values of the merit can be
            // compared along the whole line.
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
            // Minus the step: the system K step = R is solved with the residual itself on the right-hand side.
            int unknown = b->unknowns.index[k][i];
            d[i] = unknown >= 0 ? s * b->step[unknown] : 0;
        }
        carom_unknowns_turn_back(&b->unknowns, k, d);
        for (int i = 0; i < 3; i++)
            b->trial[k][i] = b->u[k][i] - d[i];
    }
    carom_unknowns_follow(&b->unknowns, b->trial);
}

static void accept_trial(carom_balance *b) {
    carom_vectors u = b->u;
    b->u = b->trial;
    b->trial = u;
}

// Steps of 1, 1/2, ... until the merit falls enough; the best of them if none does. The first iterations may let it grow. Steps
// to where a law has no answer do not count. Returns the norm of the residual at the end; HUGE_VAL, and u as it was, if there
// is no step.
static double search_line(carom_balance *b, int iteration, double *scale) {
    double start, best = HUGE_VAL, best_s = 0, s = 1;
    carom_sparse_diagonal(b->matrix, b->diagonal);
    carom_rows_complete(&b->rows, b->diagonal);
    start = merit(b);
    for (int t = 0, refused = 0; t < TRIALS && refused < REFUSED && !carom_interrupt_is_wanted(); s *= 0.5) {
        move(b, s);
        double norm = carom_balance_residual(b, (carom_const_vectors)b->trial, scale);
        // Not finite: an element inside out, or a contact law outside of its range. Such a step says nothing about the merit.
        if (!isfinite(norm)) {
            refused++;
            continue;
        }
        double value = merit(b);
        t++;
        // The first iterations may double the merit, since the pairs of contact still change.
        if (value <= start * (iteration < BOLD ? bold_growth : 1 - armijo * s)) {
            accept_trial(b);
            return norm;
        }
        if (value < best) {
            best = value;
            best_s = s;
        }
    }
    if (best_s == 0)
        // Every step led out of the range of the laws.
        return HUGE_VAL;
    move(b, best_s);
    accept_trial(b);
    return carom_balance_residual(b, (carom_const_vectors)b->u, scale);
}

// With the last factors down to rounding: what is left of the residual is an error of energy.
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
        // At the level of rounding steps no longer halve the residual: forces and tractions are put back to those of u.
        if (!(next < 0.5 * norm)) {
            carom_balance_residual(b, (carom_const_vectors)b->u, &scale);
            return CAROM_OK;
        }
        accept_trial(b);
        norm = next;
    }
    return CAROM_OK;
}

// An element of a node, for a message.
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

// Names the place of the largest residual: a contact that pushes there, or else an element.
static void name_worst(carom_balance *b) {
    const carom_model *model = b->model;
    double worst = -1;
    int node = 0;
    for (int k = 0; k < model->node_count; k++) {
        double r[3];
        carom_copy(b->residual[k], r);
        carom_restraints_project(&b->restraints, k, r);
        // Written so that a residual that is not a number counts as the worst.
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

// Iterates from u as it is. CAROM_NUMERICAL if that does not converge.
static carom_status iterate(carom_balance *b, carom_error *error) {
    // `least` is the smallest residual so far; the search for the level of rounding compares with it. `last` is the one before.
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
        status = carom_rows_agree(&b->rows, status, error);
        carom_profile_enter(b->profile, outer);
        // positions that are not finite may converge with a smaller step, lack of memory does not
        if (status == CAROM_NUMERICAL)
            break;
        if (status)
            return status;
        // Other pairs, or the penalties of another stage, make other equations, and with them another residual at the same u.
        if (changed || (n == 0 && b->contact->count > 0))
            norm = carom_balance_residual(b, (carom_const_vectors)b->u, &scale);
        if (!isfinite(norm))
            break;
        if (norm <= b->def.tolerance * scale)
            // Without factors the start itself was the solution, and there is nothing to polish.
            return factors ? polish(b, norm, error) : CAROM_OK;
        // rounding is reached where the residual is small and does not fall any more
        if (norm <= rounding_tolerances * b->def.tolerance * scale && norm > 0.5 * least && n > SETTLED)
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

// Displacements that are prescribed in u, and with them those that follow to first order: elements along a driven boundary
// would take all of its motion.
static carom_status follow(carom_balance *b, carom_error *error) {
    double scale;
    // The right-hand side K_fr u_r as a difference quotient of the residual along the prescribed displacements: the matrix
    // holds the columns of free directions only.
    for (int k = 0; k < b->model->node_count; k++)
        for (int i = 0; i < 3; i++)
            b->trial[k][i] = little * b->u[k][i];
    double norm = carom_balance_residual(b, (carom_const_vectors)b->trial, &scale);
    set_right(b, b->step);
    memset(b->trial, 0, (size_t)b->model->node_count * sizeof *b->trial);
    norm += carom_balance_residual(b, (carom_const_vectors)b->trial, &scale);
    set_right(b, b->right);
    for (int i = 0; i < b->matrix->size; i++)
        b->step[i] = (b->step[i] - b->right[i]) / little;
    // A failure here does not fail the step: the iteration then starts from the prescribed displacements alone.
    if (!isfinite(norm) || b->matrix->size == 0)
        return CAROM_OK;
    carom_status status = carom_balance_factorise(b, error);
    if (!status)
        status = carom_balance_linear_solve(b, tightest, b->step, error);
    if (status)
        return status == CAROM_NUMERICAL ? CAROM_OK : status;
    move(b, 1);
    if (isfinite(carom_balance_residual(b, (carom_const_vectors)b->trial, &scale)))
        accept_trial(b);
    return CAROM_OK;
}

// No displacements but those that are prescribed, and what follows them.
static carom_status start(carom_balance *b, carom_error *error) {
    bool driven = false;
    memset(b->u, 0, (size_t)b->model->node_count * sizeof *b->u);
    for (int r = 0; r < b->restraints.count; r++) {
        carom_add_scaled(b->h, b->restraints.items[r].velocity, b->u[b->restraints.items[r].node]);
        driven = driven || carom_norm(b->restraints.items[r].velocity) > 0;
    }
    carom_unknowns_follow(&b->unknowns, b->u);
    return driven ? follow(b, error) : CAROM_OK;
}

// From u = 0 at full penalties or, if that stalls, with penalties that rise.
static carom_status solve(carom_balance *b, carom_error *error) {
    carom_status status = start(b, error);
    if (!status)
        status = iterate(b, error);
    // Penalties can be the reason only where something may touch.
    if (status != CAROM_NUMERICAL || b->contact->site_count == 0)
        return status;
    status = start(b, error);
    if (status)
        return status;
    // Each solution starts the next iteration, with penalties half a decade higher (a homotopy). The
    // last one has them in full.
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
    // Prescribed velocities act over the whole step: that of the middle gives the displacement to second order.
    carom_model_drive_over(b->model, time, h, x0, b->restraints.items);
    carom_implicit_contact_begin(b->contact, h, x0, v0);
    // Couplings of the last step are dropped, so that the order of elimination depends on this step alone.
    carom_sparse_reset(b->matrix);
    carom_status status = solve(b, error);
    if (passes == CAROM_AUTO)
        // Where contact stays shallow penalties suffice; deep overlap is driven out by multipliers
        // (Uzawa), which converge linearly.
        passes = !status && !b->contact->rule.plain && carom_implicit_contact_is_deep(b->contact) ? PASSES : 0;
    for (int pass = 0; pass < passes && !status; pass++) {
        if (carom_implicit_contact_augment(b->contact) < augmented_change)
            break;
        status = iterate(b, error);
    }
    // residuals are not complete once somebody wishes to stop
    carom_status stop = carom_rows_interrupt(&b->rows, error);
    return stop ? stop : status;
}
