// SPDX-License-Identifier: MIT
// The residual of the balance of momentum of an implicit step (balance.h), and its Jacobian. Couplings of contact are added to
// the pattern of the matrix when they occur in a step, and removed at its end, so that the order of elimination, and thus the
// last bits, do not depend on earlier steps.
#include "integrator/energy_momentum/balance.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/arena.h"
#include "base/interrupt.h"
#include "carom/threads.h"
#include "element/slots.h"
#include "math/vec3.h"
#include "model/forces/stiffness.h"
#include "model/motion/loads.h"

enum {
    CHUNK = 128 * CAROM_LANES, // elements whose tangents are stored at a time: several slices for each of many threads
    SLICE = CAROM_LANES,       // elements that a thread processes at a time
    POINTS = 512,              // contact points whose tangents are stored at a time
    PARALLEL_POINTS = 8,       // points from which on threads share them: a tangent takes 20 to 60 microseconds
    POINT_ENTRIES = 9 * CAROM_QUADRATURE_NODES * CAROM_QUADRATURE_NODES,
    PIECE = CAROM_BALANCE_PIECE,
    PARALLEL_NODES = PIECE, // with fewer nodes starting threads for a loop costs more than it saves
};

// Number of unknowns above which systems are solved iteratively by default; most iterations.
enum { ITERATIVE_FROM = 30000, LINEAR_ITERATIONS = 1000 };

// Gap, in units of the reach of contact, below which an open point already gets its entries in the matrix: new entries require
// a new order of elimination.
static const double near_gap = 0.2;

// Rounding error of a position, in units in the last place.
static const double position_roundings = 4;

// Forces of the elements of a range, and their tangents where not NULL: minus the derivative by x1.
static void element_forces(const carom_balance *b, const carom_block *block, int begin, int end, carom_const_vectors x1,
                           double *slots, double *tangents) {
    carom_const_vectors X = (carom_const_vectors)b->model->X;
    int dofs = 3 * block->node_count;
    if (b->def.scheme == CAROM_EM_CONSERVING) {
        // materials with history are evaluated for the end of a step that begins with that history
        carom_block own = *block;
        own.flow = &b->flow;
        block->element->balanced(&own, begin, end, b->x0, x1, X, slots, tangents);
        return;
    }
    carom_const_vectors x = b->def.scheme == CAROM_EM_MIDPOINT ? (carom_const_vectors)b->middle : x1;
    block->element->force(block, begin, end, x, X, slots);
    if (!tangents)
        return;
    // stiffness() counts elements from the start of the block, tangents from `begin`
    block->element->stiffness(block, begin, end, x, X, tangents - (ptrdiff_t)dofs * dofs * begin);
    // the derivative of the middle positions by x1 is 1/2
    double share = b->def.scheme == CAROM_EM_MIDPOINT ? 0.5 : 1;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)dofs * dofs * (end - begin); i++)
        tangents[i] *= share;
}

// Sums the forces on each node, in the order of the elements.
static void gather(const carom_balance *b, carom_vectors force) {
    const carom_model *model = b->model;
#pragma omp parallel for schedule(static) if (model->node_count > PARALLEL_NODES)
    for (int k = 0; k < model->node_count; k++) {
        carom_copy(model->load[k], force[k]);
        carom_slots_gather(b->slots, model->gather, model->gather_begin[k], model->gather_begin[k + 1], force[k]);
    }
}

// Adds loads that change in time or act on deforming faces.
static void add_live(carom_balance *b, double time, carom_const_vectors x, carom_vectors force) {
    const carom_live_loads *live = &b->model->live;
    carom_model_live_load(b->model, time, x, b->live);
    for (int i = 0; i < live->node_count; i++)
        carom_add_scaled(1, b->live[live->nodes[i]], force[live->nodes[i]]);
}

static double load_time(const carom_balance *b) {
    // in the middle of the step, with Newmark's method at its end
    return b->time + (b->def.scheme == CAROM_EM_NEWMARK ? 1 : 0.5) * b->h;
}

// The coefficients of u, v0 and a0 in inertia and damping of a body, per mass: of 2 (u/h - v0)/h + a u/h; or, with Newmark's
// method, of a1 + a v1, a1 = (u - h v0 - (1/2 - beta) h^2 a0)/(beta h^2), v1 = v0 + h ((1 - gamma) a0 + gamma a1).
static void inertia(const carom_balance *b, int body, double *of_u, double *of_v, double *of_a) {
    double h = b->h, a = b->model->bodies[body].damping.mass;
    if (b->def.scheme != CAROM_EM_NEWMARK) {
        *of_u = 2 / (h * h) + a / h;
        *of_v = -2 / h;
        *of_a = 0;
        return;
    }
    double beta = b->def.beta, gamma = b->def.gamma;
    *of_u = (1 + a * gamma * h) / (beta * h * h);
    *of_v = -(1 + a * gamma * h) / (beta * h) + a;
    *of_a = -(1 + a * gamma * h) * (0.5 - beta) / beta + a * (1 - gamma) * h;
}

// Positions at the end and in the middle of the step.
static void place(carom_balance *b, carom_const_vectors u) {
#pragma omp parallel for schedule(static) if (b->model->node_count > PARALLEL_NODES)
    for (int k = 0; k < b->model->node_count; k++)
        for (int i = 0; i < 3; i++) {
            b->x1[k][i] = b->x0[k][i] + u[k][i];
            b->middle[k][i] = 0.5 * (b->x0[k][i] + b->x1[k][i]);
        }
}

// Sums of squares: of forces without contact, of the known part of inertia, of inertia by the rounding of positions, and of the
// residual.
typedef enum square { PULL, MOTION, ROUNDING, RESIDUAL, SQUARES } square;

// Adds the sums of the pieces, in their order.
static void add_pieces(const carom_balance *b, square first, square end, double sum[SQUARES]) {
    for (int piece = 0; piece < b->piece_count; piece++)
        for (square s = first; s < end; s++)
            sum[s] += b->pieces[piece][s];
}

static int piece_end(const carom_balance *b, int piece) {
    return (piece + 1) * PIECE < b->model->node_count ? (piece + 1) * PIECE : b->model->node_count;
}

static void sum_pull(carom_balance *b, double sum[SQUARES]) {
#pragma omp parallel for schedule(static) if (b->piece_count > 1)
    for (int piece = 0; piece < b->piece_count; piece++) {
        double pull = 0;
        for (int k = piece * PIECE; k < piece_end(b, piece); k++)
            pull += carom_dot(b->force[k], b->force[k]);
        b->pieces[piece][PULL] = pull;
    }
    add_pieces(b, PULL, MOTION, sum);
}

// The residual of nodes begin to end - 1, all of one body; adds its squares to sum[].
static void find_residual(carom_balance *b, int body, int begin, int end, carom_const_vectors u, double sum[SQUARES]) {
    const carom_model *model = b->model;
    double of_u, of_v, of_a;
    inertia(b, body, &of_u, &of_v, &of_a);
    for (int k = begin; k < end; k++) {
        double known[3], r[3], a[3] = {0};
        // a0 of restrained directions is prescribed, not a result of forces
        if (b->a0) {
            carom_copy(b->a0[k], a);
            carom_restraints_project(&b->restraints, k, a);
        }
        for (int i = 0; i < 3; i++) {
            known[i] = model->mass[k] * (of_v * b->v0[k][i] + of_a * a[i]);
            r[i] = model->mass[k] * of_u * u[k][i] + known[i] - b->force[k][i];
        }
        // the residual keeps its restrained components, the reactions; the norm does not include them
        carom_copy(r, b->residual[k]);
        carom_restraints_project(&b->restraints, k, r);
        sum[RESIDUAL] += carom_dot(r, r);
        sum[MOTION] += carom_dot(known, known);
        // that of a node whose motion is prescribed has no effect
        double small[3] = {b->x0[k][0], b->x0[k][1], b->x0[k][2]};
        carom_restraints_project(&b->restraints, k, small);
        double rounding = position_roundings * DBL_EPSILON * model->mass[k] * of_u;
        sum[ROUNDING] += rounding * rounding * carom_dot(small, small);
    }
}

static void sum_residual(carom_balance *b, carom_const_vectors u, double sum[SQUARES]) {
    const carom_model *model = b->model;
#pragma omp parallel for schedule(static) if (b->piece_count > 1)
    for (int piece = 0; piece < b->piece_count; piece++) {
        double part[SQUARES] = {0};
        int last = piece_end(b, piece), begin = piece * PIECE;
        for (int body = carom_model_node_body(model, begin); begin < last; body++) {
            int end = model->bodies[body].node_begin + model->bodies[body].node_count;
            end = end < last ? end : last;
            find_residual(b, body, begin, end, u, part);
            begin = end;
        }
        b->pieces[piece][MOTION] = part[MOTION];
        b->pieces[piece][ROUNDING] = part[ROUNDING];
        b->pieces[piece][RESIDUAL] = part[RESIDUAL];
    }
    add_pieces(b, MOTION, SQUARES, sum);
}

// The forces of ties are the residuals of tied slave nodes, and the opposite forces on their masters. Removes them from the
// residual; returns its norm without them.
static double split_off_ties(carom_balance *b) {
    const carom_elimination *e = b->unknowns.tied.elimination;
    int n = b->model->node_count;
    double sum = 0;
    memcpy(b->tie_force, b->residual, (size_t)n * sizeof *b->tie_force);
    carom_elimination_fold(e, b->residual);
    for (int k = 0; k < n; k++) {
        double r[3];
        carom_difference(b->tie_force[k], b->residual[k], b->tie_force[k]);
        carom_copy(b->residual[k], r);
        carom_restraints_project(&b->restraints, k, r);
        sum += carom_dot(r, r);
    }
    return sqrt(sum);
}

// Adds up elements, loads, contact and inertia, from element forces in the slots. Returns the norm of the residual along free
// directions; *scale becomes the sum of the norms of its terms.
static double assemble_residual(carom_balance *b, carom_const_vectors u, carom_const_vectors x1, double *scale) {
    double sum[SQUARES] = {0};
    gather(b, b->force);
    // loads at the middle positions, with Newmark's method at those of the end
    add_live(b, load_time(b), b->def.scheme == CAROM_EM_NEWMARK ? x1 : (carom_const_vectors)b->middle, b->force);
    // the scale of the tolerance: forces of elements and loads, and the known part of inertia
    sum_pull(b, sum);
    // contact is not part of the scale: penalties must not increase the tolerance
    carom_implicit_contact_force(b->contact, b->x0, x1, b->force);
    sum_residual(b, u, sum);
    *scale = sqrt(sum[MOTION]) + sqrt(sum[PULL]);
    b->rounding = sqrt(sum[ROUNDING]);
    return b->tie_force ? split_off_ties(b) : sqrt(sum[RESIDUAL]);
}

// Forces of a block at x1, in the slots. Each slice writes the slots of its own elements, so threads are independent. With
// fewer than a thousand elements starting them costs more than it saves.
static void block_forces(carom_balance *b, int s, bool always) {
    const carom_block *block = &b->model->blocks[s];
#pragma omp parallel for schedule(static) if (block->count > 1024)
    for (int begin = 0; begin < block->count; begin += SLICE) {
        int end = begin + SLICE < block->count ? begin + SLICE : block->count;
        // after an interrupt the residual is not used (carom_balance_solve)
        if (always || !carom_interrupt_is_wanted())
            element_forces(b, block, begin, end, (carom_const_vectors)b->x1, b->slots + b->model->block_slot[s], NULL);
    }
}

void carom_balance_commit(carom_balance *b) {
    b->flow.use = CAROM_USE_COMMIT;
    for (int s = 0; s < b->model->block_count; s++)
        if (b->model->blocks[s].history)
            block_forces(b, s, true);
    b->flow.use = CAROM_USE_TRIAL;
}

double carom_balance_residual(carom_balance *b, const double (*u)[3], double *scale) {
    const carom_model *model = b->model;
    carom_const_vectors x1 = (carom_const_vectors)b->x1;
    carom_phase before = carom_profile_enter(b->profile, CAROM_PHASE_ELEMENTS);
    place(b, u);
    for (int s = 0; s < model->block_count; s++)
        block_forces(b, s, false);
    double norm = assemble_residual(b, u, x1, scale);
    carom_profile_enter(b->profile, before);
    return norm;
}

void carom_balance_forces_at(carom_balance *b, double time, const double (*x)[3], double (*force)[3]) {
    const carom_model *model = b->model;
    for (int s = 0; s < model->block_count; s++)
        model->blocks[s].element->force(&model->blocks[s], 0, model->blocks[s].count, x, (carom_const_vectors)model->X,
                                        b->slots + model->block_slot[s]);
    gather(b, force);
    add_live(b, time, x, force);
}

// Adds the tangents of elements [first, last) of a block with tied slave nodes. False if memory is short.
static bool add_tied(carom_balance *b, int s, int first, int last) {
    const carom_tied_elements *tied = &b->unknowns.tied;
    const carom_block *block = &b->model->blocks[s];
    int n = block->node_count;
    bool enough = true;
    for (int i = tied->begin ? tied->begin[s] : 0; tied->begin && i < tied->begin[s + 1] && enough; i++) {
        int e = tied->element[i];
        if (e >= first && e < last && carom_tied_keeps(tied, b->matrix, s, e, e + 1))
            enough = carom_tied_add(tied->elimination, n, &block->nodes[n * e], 1,
                                    b->tangents + (ptrdiff_t)9 * n * n * (e - first), b->matrix);
    }
    return enough;
}

// Adds the tangents of all elements. False if memory is short.
static bool add_elements(carom_balance *b) {
    const carom_model *model = b->model;
    for (int s = 0; s < model->block_count; s++) {
        const carom_block *block = &model->blocks[s];
        int n = block->node_count, dofs = 3 * n;
        // in chunks: the tangents of all elements would take several times the memory of the matrix
        for (int first = 0; first < block->count && !carom_interrupt_is_wanted(); first += CHUNK) {
            int last = first + CHUNK < block->count ? first + CHUNK : block->count;
#pragma omp parallel for schedule(static) if (block->count > 1024)
            for (int begin = first; begin < last; begin += SLICE) {
                int end = begin + SLICE < last ? begin + SLICE : last;
                // elements without a row of this process are left to others
                if (carom_sparse_keeps(b->matrix, n * (end - begin), &block->nodes[n * begin]) ||
                    carom_tied_keeps(&b->unknowns.tied, b->matrix, s, begin, end))
                    element_forces(b, block, begin, end, (carom_const_vectors)b->x1, b->slots + model->block_slot[s],
                                   b->tangents + (ptrdiff_t)dofs * dofs * (begin - first));
            }
#pragma omp parallel for schedule(static) if (b->unknowns.turned_count && last - first > SLICE)
            for (int e = first; e < (b->unknowns.turned_count ? last : first); e++)
                carom_unknowns_turn_matrix(&b->unknowns, n, &block->nodes[n * e],
                                           b->tangents + (ptrdiff_t)dofs * dofs * (e - first));
            // in the order of the elements, by whichever thread they were computed
            carom_sparse_add(b->matrix, s, first, last, b->tangents);
            if (!add_tied(b, s, first, last))
                return false;
        }
    }
    return true;
}

static bool add_inertia(carom_balance *b) {
    const carom_model *model = b->model;
    // lumped masses: inertia and damping are diagonal, and equal along all three axes of a node
    double *diagonal = b->diagonal;
    for (int body = 0; body < model->body_count; body++) {
        double of_u, of_v, of_a;
        inertia(b, body, &of_u, &of_v, &of_a);
        const carom_body *range = &model->bodies[body];
#pragma omp parallel for schedule(static) if (range->node_count > PARALLEL_NODES)
        for (int k = range->node_begin; k < range->node_begin + range->node_count; k++)
            diagonal[k] = of_u * model->mass[k];
    }
    carom_sparse_add_diagonal(b->matrix, 1, diagonal);
    const carom_elimination *e = b->unknowns.tied.elimination;
    return !e || carom_tied_add_diagonal(e, diagonal, b->matrix);
}

// The tangent of one contact point; friction makes it unsymmetric.
static void find_tangent(const carom_balance *b, const carom_quadrature_point *p, double *K) {
    carom_quadrature_tangent(p, &b->contact->rule, b->x0, (carom_const_vectors)b->x1, K);
    carom_unknowns_turn_matrix(&b->unknowns, carom_quadrature_nodes(p), p->node, K);
}

// Tangents are computed in parallel, POINTS at a time, and added in the order of the points.
static bool add_contact(carom_balance *b) {
    carom_implicit_contact *contact = b->contact;
    const carom_quadrature_point *chosen[POINTS];
    const carom_elimination *e = b->unknowns.tied.elimination;
    int next = 0, count;
    bool enough = true;
    do {
        count = 0;
        // open points have no tangent, though they may have entries in the pattern
        for (; next < contact->count && count < POINTS; next++)
            if (contact->tractions[next].normal > 0 &&
                (e ||
                 carom_sparse_keeps(b->matrix, carom_quadrature_nodes(&contact->points[next]), contact->points[next].node)))
                chosen[count++] = &contact->points[next];
#pragma omp parallel for schedule(static) if (count >= PARALLEL_POINTS)
        for (int i = 0; i < count; i++)
            find_tangent(b, chosen[i], b->point_tangents + (ptrdiff_t)i * POINT_ENTRIES);
        // every thread adds to its own rows, in the order of the points
        int shares = count >= PARALLEL_POINTS ? carom_threads() : 1;
#pragma omp parallel for schedule(static) if (shares > 1)
        for (int share = 0; share < shares; share++)
            for (int i = 0; i < count; i++)
                carom_sparse_add_share(b->matrix, share, shares, carom_quadrature_nodes(chosen[i]), chosen[i]->node,
                                       b->point_tangents + (ptrdiff_t)i * POINT_ENTRIES);
        for (int i = 0; i < count && e && enough; i++)
            enough = carom_tied_add(e, carom_quadrature_nodes(chosen[i]), chosen[i]->node, 1,
                                    b->point_tangents + (ptrdiff_t)i * POINT_ENTRIES, b->matrix);
    } while (count);
    return enough;
}

// True if a point is under pressure, or so near that it may be soon.
static bool is_near(const carom_implicit_contact *contact, int i) {
    return contact->tractions[i].normal > 0 || contact->tractions[i].gap > -near_gap * contact->def.reach;
}

// Lists the nodes that are coupled by contact points with tied slave nodes, one clique per point; NULL if memory is short.
static int *list_tied_points(const carom_balance *b, carom_cliques *set) {
    const carom_elimination *e = b->unknowns.tied.elimination;
    const carom_implicit_contact *contact = b->contact;
    int size = 0;
    for (int i = 0; e && i < contact->count; i++) {
        int n = carom_quadrature_nodes(&contact->points[i]), expanded = carom_tied_buffer(e, n, contact->points[i].node);
        // a point without tied slave nodes couples only its own nodes
        if (is_near(contact, i) && expanded > n) {
            size = expanded > size ? expanded : size;
            set->count++;
        }
    }
    int *nodes = carom_allocate((int64_t)set->count * size, sizeof *nodes), *next = nodes;
    set->node_count = size;
    set->nodes = nodes;
    for (int i = 0; nodes && e && i < contact->count; i++) {
        int n = carom_quadrature_nodes(&contact->points[i]);
        if (!is_near(contact, i) || carom_tied_buffer(e, n, contact->points[i].node) == n)
            continue;
        int count = carom_tied_expand(e, n, contact->points[i].node, next);
        // padded with its first node
        for (; count < size; count++)
            next[count] = next[0];
        next += size;
    }
    return nodes;
}

// Extends the pattern of the matrix by the couplings of contact points.
static carom_status extend(carom_balance *b, carom_error *error) {
    const carom_implicit_contact *contact = b->contact;
    carom_cliques tied = {0};
    int *tied_nodes = list_tied_points(b, &tied);
    int *nodes = carom_allocate((int64_t)contact->count * CAROM_QUADRATURE_NODES, sizeof *nodes);
    if (!nodes || !tied_nodes) {
        free(nodes);
        free(tied_nodes);
        return carom_no_memory(error, "contact");
    }
    // cliques of one set have one size
    carom_cliques sets[CAROM_QUADRATURE_NODES + 2];
    int set_count = 0, *next = nodes;
    for (int size = 2; size <= CAROM_QUADRATURE_NODES; size++) {
        carom_cliques set = {.node_count = size, .nodes = next};
        for (int i = 0; i < contact->count; i++)
            if (carom_quadrature_nodes(&contact->points[i]) == size && is_near(contact, i)) {
                memcpy(next, contact->points[i].node, (size_t)size * sizeof *nodes);
                next += size;
                set.count++;
            }
        if (set.count)
            sets[set_count++] = set;
    }
    if (tied.count)
        sets[set_count++] = tied;
    bool grown;
    carom_status status = carom_sparse_extend(b->matrix, set_count, sets, &grown, error);
    free(nodes);
    free(tied_nodes);
    return status;
}

carom_status carom_balance_factorise(carom_balance *b, carom_error *error) {
    carom_status status = CAROM_ROWS_AGREE(&b->rows, extend(b, error), error);
    if (status)
        return status;
    carom_phase before = carom_profile_enter(b->profile, CAROM_PHASE_ELEMENTS);
    carom_sparse_clear(b->matrix);
    if (!add_elements(b) || !add_inertia(b) || !add_contact(b))
        status = carom_no_memory(error, "the ties");
    status = CAROM_ROWS_AGREE(&b->rows, status, error);
    carom_profile_enter(b->profile, CAROM_PHASE_SOLVING);
    if (!status)
        status = carom_rows_interrupt(&b->rows, error);
    if (!status)
        status = carom_system_prepare(b->system, b->matrix, error);
    b->counts.linear = carom_system_work(b->system);
    carom_profile_enter(b->profile, before);
    return status;
}

carom_status carom_balance_linear_solve(carom_balance *b, double accuracy, double *x, carom_error *error) {
    carom_status status = carom_system_solve(b->system, accuracy, x, error);
    b->counts.linear = carom_system_work(b->system);
    return status;
}

static bool reserve(carom_balance *b) {
    const carom_model *model = b->model;
    int most = 0, n = model->node_count;
    for (int s = 0; s < model->block_count; s++)
        most = model->blocks[s].node_count > most ? model->blocks[s].node_count : most;
    b->memory = carom_arena_create();
    bool enough = b->memory;
    carom_restraints_reserve(&model->restraints, b->memory, &b->restraints, &enough);
    b->u = carom_arena_reserve(b->memory, n, sizeof *b->u, &enough);
    b->x1 = carom_arena_reserve(b->memory, n, sizeof *b->x1, &enough);
    b->force = carom_arena_reserve(b->memory, n, sizeof *b->force, &enough);
    b->live = carom_arena_reserve(b->memory, n, sizeof *b->live, &enough);
    b->residual = carom_arena_reserve(b->memory, n, sizeof *b->residual, &enough);
    b->slots = carom_arena_reserve(b->memory, model->block_slot[model->block_count], sizeof *b->slots, &enough);
    b->tangents = carom_arena_reserve(b->memory, (int64_t)CHUNK * 9 * most * most, sizeof *b->tangents, &enough);
    b->right = carom_arena_reserve(b->memory, (int64_t)3 * n, sizeof *b->right, &enough);
    b->step = carom_arena_reserve(b->memory, (int64_t)3 * n, sizeof *b->step, &enough);
    b->diagonal = carom_arena_reserve(b->memory, (int64_t)3 * n, sizeof *b->diagonal, &enough);
    b->point_tangents = carom_arena_reserve(b->memory, (int64_t)(b->contact->site_count ? POINTS : 0) * POINT_ENTRIES,
                                            sizeof *b->point_tangents, &enough);
    b->trial = carom_arena_reserve(b->memory, n, sizeof *b->trial, &enough);
    b->middle = carom_arena_reserve(b->memory, n, sizeof *b->middle, &enough);
    b->piece_count = (n + PIECE - 1) / PIECE;
    b->pieces = carom_arena_reserve(b->memory, b->piece_count, sizeof *b->pieces, &enough);
    return enough;
}

// Prepares everything that does not depend on other processes.
static carom_status prepare(carom_balance *b, carom_error *error) {
    const carom_model *model = b->model;
    if (!reserve(b))
        return carom_no_memory(error, "the integrator");
    carom_status status = carom_unknowns_create(model, &b->unknowns, error);
    if (status)
        return status;
    bool enough = true, petsc = b->def.solver == CAROM_SOLVER_PETSC;
    if (b->unknowns.tied.elimination)
        b->tie_force = carom_arena_reserve(b->memory, model->node_count, sizeof *b->tie_force, &enough);
    if (petsc)
        b->modes = carom_arena_reserve(b->memory, (int64_t)CAROM_UNKNOWNS_RIGID * b->unknowns.count, sizeof *b->modes, &enough);
    if (!enough)
        return carom_no_memory(error, "the integrator");
    if (petsc)
        carom_unknowns_rigid(&b->unknowns, model, b->modes);
    return carom_stiffness_create(model, &b->unknowns, &b->matrix, error);
}

carom_status carom_balance_create(const carom_model *model, const carom_balance_def *def, carom_implicit_contact *contact,
                                  carom_balance *balance, carom_error *error) {
    *balance = (carom_balance){.model = model, .def = *def, .contact = contact};
    carom_status status = prepare(balance, error);
    // processes that have the whole model share its rows
    if (model->part.replicated)
        status = CAROM_PARALLEL_AGREE(status, error);
    if (!status)
        status = carom_rows_create(model->node_count, (const int(*)[3])balance->unknowns.index, model->part.replicated,
                                   &balance->rows, error);
    if (status)
        return status;
    carom_sparse_keep(balance->matrix, balance->rows.node_begin, balance->rows.node_end);
    bool iterative =
        def->solver == CAROM_SOLVER_CG || (def->solver == CAROM_SOLVER_AUTO && balance->unknowns.count > ITERATIVE_FROM);
    carom_system_def system = {.kind = CAROM_LINEAR_UNSYMMETRIC,
                               .method = iterative ? CAROM_SYSTEM_CG : CAROM_SYSTEM_DIRECT,
                               .iterations = LINEAR_ITERATIONS,
                               .rows = &balance->rows,
                               .modes = balance->modes,
                               .mode_count = balance->modes ? CAROM_UNKNOWNS_RIGID : 0};
    if (def->solver == CAROM_SOLVER_PETSC)
        system.method = CAROM_SYSTEM_PETSC;
    return carom_system_create(&system, balance->unknowns.count, &balance->system, error);
}

void carom_balance_release(carom_balance *b) {
    carom_sparse_release(b->matrix);
    carom_system_release(b->system);
    carom_rows_release(&b->rows);
    carom_unknowns_release(&b->unknowns);
    carom_arena_release(b->memory);
    *b = (carom_balance){0};
}
