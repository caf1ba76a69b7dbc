// SPDX-License-Identifier: MIT
// Newton's method with a line search. The iteration starts from u = 0: velocities of light surface nodes alternate after impacts, and an
// extrapolated start would distort thin elements. Only what is driven takes the rest along, to first order. Pairs of contact are looked for in each of the first iterations and then kept. A
// stalled iteration starts again with soft penalties, which are then stiffened step by step.
//
// Couplings of contact are added to the pattern of the matrix as they come up in a step and forgotten at its end, so that the order of elimination, and with
// it the last bits, do not depend on steps before.
//
// Axes along which a node is restrained are no unknowns. A restrained direction that is no axis is projected out of rows and columns, and gets a
// diagonal of its own.
#include "integrator/energy_momentum/balance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/allocate.h"
#include "element/element.h"
#include "element/slots.h"
#include "math/vec3.h"
#include "model/loads.h"
#include "model/restraints.h"

enum {
    CHUNK = 32 * CAROM_LANES, // elements whose tangents are held at a time
    SLICE = CAROM_LANES,      // elements that one thread takes
    PAIRINGS = 15,            // iterations that look for pairs
    TRIALS = 6,               // steps of a line search
    REFUSED = 12,             // steps before them that lead to elements inside out
    POLISH = 3,               // iterations after convergence, with the last factors
    PASSES = 20,              // of the augmented Lagrangian, where contact lasts
};

static const double softened[] = {1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1};

// ---- forces ----

// Forces of the elements of a range, and their tangents where not NULL: minus the derivative by x1.
static void element_forces(const carom_balance *b, const carom_block *block, int begin, int end, carom_const_vectors x1,
                           double *slots, double *tangents) {
    carom_const_vectors X = (carom_const_vectors)b->model->X;
    int dofs = 3 * block->node_count;
    if (b->def.scheme == CAROM_SCHEME_CONSERVING) {
        block->element->balanced(block, begin, end, b->x0, x1, X, slots, tangents);
        return;
    }
    carom_const_vectors x = b->def.scheme == CAROM_SCHEME_MIDPOINT ? (carom_const_vectors)b->middle : x1;
    block->element->force(block, begin, end, x, X, slots);
    if (!tangents)
        return;
    block->element->stiffness(block, begin, end, x, X, tangents - (ptrdiff_t)dofs * dofs * begin);
    double share = b->def.scheme == CAROM_SCHEME_MIDPOINT ? 0.5 : 1;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)dofs * dofs * (end - begin); i++)
        tangents[i] *= share;
}

// Each node gathers what acts on it, in the order of the elements.
static void gather(const carom_balance *b, carom_vectors force) {
    const carom_model *model = b->model;
    for (int k = 0; k < model->node_count; k++) {
        carom_copy(model->load[k], force[k]);
        carom_slots_gather(b->slots, model->gather, model->gather_begin[k], model->gather_begin[k + 1], force[k]);
    }
}

// Loads that change in time or follow faces.
static void add_live(carom_balance *b, double time, carom_const_vectors x, carom_vectors force) {
    const carom_live_loads *live = &b->model->live;
    carom_model_live_load(b->model, time, x, b->live);
    for (int i = 0; i < live->node_count; i++)
        carom_add_scaled(1, b->live[live->nodes[i]], force[live->nodes[i]]);
}

static double load_time(const carom_balance *b) {
    return b->time + (b->def.scheme == CAROM_SCHEME_NEWMARK ? 1 : 0.5) * b->h;
}

// The coefficient of u in inertia and damping of a body, and those of v0 and a0, all per mass.
static void inertia(const carom_balance *b, int body, double *of_u, double *of_v, double *of_a) {
    double h = b->h, a = b->model->bodies[body].damping.mass;
    if (b->def.scheme != CAROM_SCHEME_NEWMARK) {
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

// What a restrained node cannot take is no part of the balance.
static void project(const carom_balance *b, int k, double vector[3]) {
    const carom_restraint *r = carom_restraint_of(&b->restraints, k);
    if (r)
        carom_restraint_project(r, vector);
}

static void find_middle(carom_balance *b, carom_const_vectors x1) {
    for (int k = 0; k < b->model->node_count; k++)
        for (int i = 0; i < 3; i++)
            b->middle[k][i] = 0.5 * (b->x0[k][i] + x1[k][i]);
}

// Adds elements, loads, contact and inertia up, from element forces in the slots. Returns the norm of the residual along free directions; *scale is
// the sum of the norms of its parts.
static double balance_up(carom_balance *b, carom_const_vectors u, carom_const_vectors x1, double *scale) {
    const carom_model *model = b->model;
    double sum = 0, motion = 0, pull = 0;
    gather(b, b->force);
    add_live(b, load_time(b), b->def.scheme == CAROM_SCHEME_NEWMARK ? x1 : (carom_const_vectors)b->middle, b->force);
    for (int k = 0; k < model->node_count; k++)
        pull += carom_dot(b->force[k], b->force[k]);
    carom_implicit_contact_force(b->contact, b->x0, x1, b->force);
    for (int body = 0; body < model->body_count; body++) {
        double of_u, of_v, of_a;
        inertia(b, body, &of_u, &of_v, &of_a);
        const carom_body *range = &model->bodies[body];
        for (int k = range->node_begin; k < range->node_begin + range->node_count; k++) {
            double known[3], r[3], a[3] = {0};
            if (b->a0) {
                carom_copy(b->a0[k], a);
                project(b, k, a);
            }
            for (int i = 0; i < 3; i++) {
                known[i] = model->mass[k] * (of_v * b->v0[k][i] + of_a * a[i]);
                r[i] = model->mass[k] * of_u * u[k][i] + known[i] - b->force[k][i];
            }
            carom_copy(r, b->residual[k]);
            project(b, k, r);
            sum += carom_dot(r, r);
            motion += carom_dot(known, known);
        }
    }
    *scale = sqrt(motion) + sqrt(pull);
    return sqrt(sum);
}

// The residual at x0 + u; not finite where a law has no answer.
static double find_residual(carom_balance *b, carom_const_vectors u, carom_vectors x1, double *scale) {
    const carom_model *model = b->model;
    for (int k = 0; k < model->node_count; k++)
        for (int i = 0; i < 3; i++)
            x1[k][i] = b->x0[k][i] + u[k][i];
    find_middle(b, (carom_const_vectors)x1);
    for (int s = 0; s < model->block_count; s++) {
        const carom_block *block = &model->blocks[s];
#pragma omp parallel for schedule(static) if (block->count > 1024)
        for (int begin = 0; begin < block->count; begin += SLICE) {
            int end = begin + SLICE < block->count ? begin + SLICE : block->count;
            element_forces(b, block, begin, end, (carom_const_vectors)x1, b->slots + model->block_slot[s], NULL);
        }
    }
    return balance_up(b, u, (carom_const_vectors)x1, scale);
}

void carom_balance_forces_at(carom_balance *b, double time, const double (*x)[3], double (*force)[3]) {
    const carom_model *model = b->model;
    for (int s = 0; s < model->block_count; s++)
        model->blocks[s].element->force(&model->blocks[s], 0, model->blocks[s].count, x, (carom_const_vectors)model->X,
                                        b->slots + model->block_slot[s]);
    gather(b, force);
    add_live(b, time, x, force);
}

// ---- the matrix ----

// Projects rows and columns of oblique restraints out of a dense matrix over some nodes.
static void project_matrix(const carom_balance *b, int count, const int *nodes, double *K) {
    int dofs = 3 * count;
    for (int a = 0; a < count; a++) {
        const carom_restraint *r = carom_restraint_of(&b->restraints, nodes[a]);
        if (!r || !b->oblique[b->restraints.of_node[nodes[a]]])
            continue;
        for (int j = 0; j < dofs; j++) {
            double column[3];
            for (int i = 0; i < 3; i++)
                column[i] = K[(3 * a + i) * dofs + j];
            carom_restraint_project(r, column);
            for (int i = 0; i < 3; i++)
                K[(3 * a + i) * dofs + j] = column[i];
        }
        for (int j = 0; j < dofs; j++)
            carom_restraint_project(r, &K[j * dofs + 3 * a]);
    }
}

static void add_elements(carom_balance *b) {
    const carom_model *model = b->model;
    for (int s = 0; s < model->block_count; s++) {
        const carom_block *block = &model->blocks[s];
        int n = block->node_count, dofs = 3 * n;
        for (int first = 0; first < block->count; first += CHUNK) {
            int last = first + CHUNK < block->count ? first + CHUNK : block->count;
#pragma omp parallel for schedule(static) if (block->count > 1024)
            for (int begin = first; begin < last; begin += SLICE) {
                int end = begin + SLICE < last ? begin + SLICE : last;
                element_forces(b, block, begin, end, (carom_const_vectors)b->x1, b->slots + model->block_slot[s],
                               b->tangents + (ptrdiff_t)dofs * dofs * (begin - first));
            }
            for (int e = first; b->oblique && e < last; e++)
                project_matrix(b, n, &block->nodes[n * e], b->tangents + (ptrdiff_t)dofs * dofs * (e - first));
            carom_sparse_add(b->matrix, s, first, last, b->tangents);
        }
    }
}

static void add_inertia(carom_balance *b) {
    const carom_model *model = b->model;
    double *diagonal = b->diagonal;
    for (int body = 0; body < model->body_count; body++) {
        double of_u, of_v, of_a;
        inertia(b, body, &of_u, &of_v, &of_a);
        const carom_body *range = &model->bodies[body];
        for (int k = range->node_begin; k < range->node_begin + range->node_count; k++)
            diagonal[k] = of_u * model->mass[k];
    }
    // along oblique restrained directions nothing else is left: u stays as prescribed
    carom_sparse_add_diagonal(b->matrix, 1, diagonal);
}

static void add_contact(carom_balance *b) {
    carom_implicit_contact *contact = b->contact;
    double K[9 * CAROM_QUADRATURE_NODES * CAROM_QUADRATURE_NODES];
    for (int i = 0; i < contact->count; i++) {
        const carom_quadrature_point *p = &contact->points[i];
        if (!(contact->tractions[i].normal > 0))
            continue;
        carom_quadrature_tangent(p, &contact->rule, b->x0, (carom_const_vectors)b->x1, K);
        if (b->oblique)
            project_matrix(b, carom_quadrature_nodes(p), p->node, K);
        carom_sparse_add_one(b->matrix, carom_quadrature_nodes(p), p->node, 1, K);
    }
}

// Points that push, and those so near that they soon may.
static bool is_near(const carom_implicit_contact *contact, int i) {
    return contact->tractions[i].normal > 0 || contact->tractions[i].gap > -0.2 * contact->def.reach;
}

// Room in the matrix for points of contact.
static carom_status extend(carom_balance *b, carom_error *error) {
    const carom_implicit_contact *contact = b->contact;
    int *nodes = carom_allocate((int64_t)contact->count * CAROM_QUADRATURE_NODES, sizeof *nodes);
    if (!nodes)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
    carom_status status = CAROM_OK;
    for (int size = 2; size <= CAROM_QUADRATURE_NODES && !status; size++) {
        carom_cliques cliques = {.node_count = size, .nodes = nodes};
        for (int i = 0; i < contact->count; i++)
            if (carom_quadrature_nodes(&contact->points[i]) == size && is_near(contact, i))
                memcpy(nodes + (ptrdiff_t)size * cliques.count++, contact->points[i].node, (size_t)size * sizeof *nodes);
        bool grown = false;
        if (cliques.count)
            status = carom_sparse_extend(b->matrix, &cliques, &grown, error);
        b->extended = b->extended || grown;
    }
    free(nodes);
    return status;
}

// The matrix with the couplings of elements alone.
static carom_status build_matrix(carom_balance *b, carom_error *error) {
    const carom_model *model = b->model;
    carom_sparse_release(b->matrix);
    b->matrix = NULL;
    b->extended = false;
    carom_status status =
        carom_sparse_create(model->node_count, (const int(*)[3])b->unknown, model->block_count, b->sets, &b->matrix, error);
    if (!status)
        carom_sparse_locate(b->matrix, (carom_const_vectors)model->X);
    return status;
}

static carom_status factorise(carom_balance *b, carom_error *error) {
    carom_status status = extend(b, error);
    if (status)
        return status;
    carom_sparse_clear(b->matrix);
    add_elements(b);
    add_inertia(b);
    add_contact(b);
    clock_t begin = clock();
    status = carom_linear_factorise(b->solver, b->matrix, error);
    b->counts.factorising += (double)(clock() - begin) / CLOCKS_PER_SEC;
    b->counts.factorisations++;
    return status;
}

// ---- Newton ----

// The residual along free directions, by unknowns.
static void set_right(carom_balance *b, double *right) {
    for (int k = 0; k < b->model->node_count; k++) {
        double r[3];
        carom_copy(b->residual[k], r);
        project(b, k, r);
        for (int i = 0; i < 3; i++)
            if (b->unknown[k][i] >= 0)
                right[b->unknown[k][i]] = r[i];
    }
}

// What the line search makes smaller: sqrt(sum R^2/|K_ii|).
static double merit(carom_balance *b) {
    double sum = 0;
    set_right(b, b->right);
    for (int i = 0; i < b->matrix->size; i++)
        sum += b->right[i] * b->right[i] / fabs(b->diagonal[i]);
    return sqrt(sum);
}

// u + s step, in trial.
static void move(carom_balance *b, double s) {
    for (int k = 0; k < b->model->node_count; k++)
        for (int i = 0; i < 3; i++)
            b->trial[k][i] = b->u[k][i] - (b->unknown[k][i] >= 0 ? s * b->step[b->unknown[k][i]] : 0);
}

static void accept_trial(carom_balance *b) {
    carom_vectors u = b->u;
    b->u = b->trial;
    b->trial = u;
}

// Steps of 1, 1/2, ... until the merit falls enough; the best of them if none does. The first iterations may let it grow. Steps to where a law has no
// answer do not count. Returns the norm of the residual at the end; HUGE_VAL, and u as it was, if there is no step.
static double search_line(carom_balance *b, int iteration, double *scale) {
    double start, best = HUGE_VAL, best_s = 0, s = 1;
    carom_sparse_diagonal(b->matrix, b->diagonal);
    start = merit(b);
    for (int t = 0, refused = 0; t < TRIALS && refused < REFUSED; s *= 0.5) {
        move(b, s);
        double norm = find_residual(b, (carom_const_vectors)b->trial, b->x1, scale);
        if (!isfinite(norm)) {
            refused++;
            continue;
        }
        double value = merit(b);
        t++;
        if (value <= start * (iteration < 3 ? 2 : 1 - 0.1 * s)) {
            accept_trial(b);
            return norm;
        }
        if (value < best) {
            best = value;
            best_s = s;
        }
    }
    if (best_s == 0)
        return HUGE_VAL;
    move(b, best_s);
    accept_trial(b);
    return find_residual(b, (carom_const_vectors)b->u, b->x1, scale);
}

// With the last factors down to rounding: what is left of the residual is an error of energy.
static carom_status polish(carom_balance *b, double norm, carom_error *error) {
    double scale;
    for (int n = 0; n < POLISH && norm > 0; n++) {
        set_right(b, b->step);
        carom_status status = carom_linear_solve(b->solver, b->step, error);
        if (status)
            return status;
        move(b, 1);
        double next = find_residual(b, (carom_const_vectors)b->trial, b->x1, &scale);
        if (!(next < 0.5 * norm)) {
            find_residual(b, (carom_const_vectors)b->u, b->x1, &scale);
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

// Where the residual is largest: a contact that pushes there, or else an element.
static void name_worst(carom_balance *b) {
    const carom_model *model = b->model;
    double worst = -1;
    int node = 0;
    for (int k = 0; k < model->node_count; k++) {
        double r[3];
        carom_copy(b->residual[k], r);
        project(b, k, r);
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
                int body = 0;
                while (node >= model->bodies[body].node_begin + model->bodies[body].node_count)
                    body++;
                snprintf(b->stalled, sizeof b->stalled, "the contact of '%s' and '%s' at node %lld of '%s'",
                         carom_model_side_name(model, p->body[0]), carom_model_side_name(model, p->body[1]),
                         (long long)carom_body_node_id(&model->bodies[body], node), model->bodies[body].name);
                return;
            }
    }
}

// Iterates from u as it is. CAROM_NUMERICAL if that does not converge.
static carom_status iterate(carom_balance *b, carom_error *error) {
    double scale, norm = find_residual(b, (carom_const_vectors)b->u, b->x1, &scale), least = HUGE_VAL;
    bool factors = false;
    for (int n = 0; n < b->def.iterations; n++) {
        bool changed = false;
        carom_status status = CAROM_OK;
        if (n < PAIRINGS)
            status = carom_implicit_contact_pair(b->contact, (carom_const_vectors)b->x1, &changed, error);
        // positions that are not finite may converge with a smaller step, lack of memory does not
        if (status == CAROM_NUMERICAL)
            break;
        if (status)
            return status;
        if (changed || n == 0)
            norm = find_residual(b, (carom_const_vectors)b->u, b->x1, &scale);
        if (!isfinite(norm))
            break;
        if (norm <= b->def.tolerance * scale)
            return factors ? polish(b, norm, error) : CAROM_OK;
        // rounding is reached where the residual is small and does not fall any more
        if (norm <= 1e3 * b->def.tolerance * scale && norm > 0.5 * least && n > 4)
            return CAROM_OK;
        least = fmin(least, norm);
        b->counts.iterations++;
        status = factorise(b, error);
        if (status == CAROM_NUMERICAL)
            break;
        if (status)
            return status;
        factors = true;
        set_right(b, b->step);
        status = carom_linear_solve(b->solver, b->step, error);
        if (status)
            return status;
        norm = search_line(b, n, &scale);
    }
    name_worst(b);
    return carom_fail(error, CAROM_NUMERICAL, "the iteration does not converge at %s", b->stalled);
}

// Displacements that are prescribed in u, and with them those that follow to first order: elements along a driven boundary would take all of its motion.
static carom_status follow(carom_balance *b, carom_error *error) {
    static const double little = 1e-6;
    double scale;
    for (int k = 0; k < b->model->node_count; k++)
        for (int i = 0; i < 3; i++)
            b->trial[k][i] = little * b->u[k][i];
    double norm = find_residual(b, (carom_const_vectors)b->trial, b->x1, &scale);
    set_right(b, b->step);
    memset(b->trial, 0, (size_t)b->model->node_count * sizeof *b->trial);
    norm += find_residual(b, (carom_const_vectors)b->trial, b->x1, &scale);
    set_right(b, b->right);
    for (int i = 0; i < b->matrix->size; i++)
        b->step[i] = (b->step[i] - b->right[i]) / little;
    if (!isfinite(norm) || b->matrix->size == 0)
        return CAROM_OK;
    carom_status status = factorise(b, error);
    if (!status)
        status = carom_linear_solve(b->solver, b->step, error);
    if (status)
        return status == CAROM_NUMERICAL ? CAROM_OK : status;
    move(b, 1);
    if (isfinite(find_residual(b, (carom_const_vectors)b->trial, b->x1, &scale)))
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
    return driven ? follow(b, error) : CAROM_OK;
}

// From u = 0 at full penalties or, if that stalls, with penalties that rise.
static carom_status solve(carom_balance *b, carom_error *error) {
    carom_status status = start(b, error);
    if (!status)
        status = iterate(b, error);
    if (status != CAROM_NUMERICAL || b->contact->site_count == 0)
        return status;
    status = start(b, error);
    if (status)
        return status;
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
    b->x0 = x0;
    b->v0 = v0;
    b->a0 = a0;
    b->counts.solves++;
    carom_model_drive(b->model, time + 0.5 * h, b->restraints.items);
    carom_implicit_contact_begin(b->contact, h);
    carom_status status = b->extended ? build_matrix(b, error) : CAROM_OK;
    if (!status)
        status = solve(b, error);
    if (passes == CAROM_AUTO)
        passes = !status && !b->contact->rule.plain && carom_implicit_contact_is_deep(b->contact) ? PASSES : 0;
    for (int pass = 0; pass < passes && !status; pass++) {
        if (carom_implicit_contact_augment(b->contact) < 1e-8)
            break;
        status = iterate(b, error);
    }
    return status;
}

// ---- memory ----

// Restrained axes and the z axis of plane bodies are no unknowns.
static void find_free_axes(carom_balance *b) {
    const carom_model *model = b->model;
    for (int body = 0; body < model->body_count; body++) {
        const carom_body *range = &model->bodies[body];
        bool plane = model->blocks[range->block_begin].element->plane;
        for (int k = range->node_begin; k < range->node_begin + range->node_count; k++)
            for (int i = 0; i < 3; i++)
                b->is_free[k][i] = !(plane && i == 2);
    }
    for (int r = 0; r < b->restraints.count; r++) {
        const carom_restraint *item = &b->restraints.items[r];
        for (int d = 0; d < item->count; d++) {
            const double *u = item->direction[d];
            for (int i = 0; i < 3; i++)
                if (item->count == 3 || fabs(u[i]) == 1)
                    b->is_free[item->node][i] = false;
            b->oblique[r] = b->oblique[r] || (item->count < 3 && !(fabs(u[0]) == 1 || fabs(u[1]) == 1 || fabs(u[2]) == 1));
        }
    }
}

static bool reserve(carom_balance *b) {
    const carom_model *model = b->model;
    int most = 0, n = model->node_count;
    for (int s = 0; s < model->block_count; s++)
        most = model->blocks[s].node_count > most ? model->blocks[s].node_count : most;
    b->is_free = carom_allocate(n, sizeof *b->is_free);
    b->unknown = carom_allocate(n, sizeof *b->unknown);
    b->oblique = carom_allocate(model->restraints.count, sizeof *b->oblique);
    b->restraints = model->restraints;
    b->restraints.items = carom_allocate(model->restraints.count, sizeof *b->restraints.items);
    b->u = carom_allocate(n, sizeof *b->u);
    b->x1 = carom_allocate(n, sizeof *b->x1);
    b->force = carom_allocate(n, sizeof *b->force);
    b->live = carom_allocate(n, sizeof *b->live);
    b->residual = carom_allocate(n, sizeof *b->residual);
    b->slots = carom_allocate(model->block_slot[model->block_count], sizeof *b->slots);
    b->tangents = carom_allocate((int64_t)CHUNK * 9 * most * most, sizeof *b->tangents);
    b->right = carom_allocate((int64_t)3 * n, sizeof *b->right);
    b->step = carom_allocate((int64_t)3 * n, sizeof *b->step);
    b->diagonal = carom_allocate((int64_t)3 * n, sizeof *b->diagonal);
    b->trial = carom_allocate(n, sizeof *b->trial);
    b->middle = carom_allocate(n, sizeof *b->middle);
    return b->is_free && b->unknown && b->oblique && b->restraints.items && b->u && b->x1 && b->force && b->live &&
           b->residual && b->slots && b->tangents && b->right && b->step && b->diagonal && b->trial && b->middle;
}

carom_status carom_balance_create(const carom_model *model, const carom_balance_def *def, carom_implicit_contact *contact,
                                  carom_balance *balance, carom_error *error) {
    *balance = (carom_balance){.model = model, .def = *def, .contact = contact};
    balance->sets = carom_allocate(model->block_count, sizeof *balance->sets);
    if (!balance->sets || !reserve(balance))
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the integrator");
    if (model->restraints.count)
        memcpy(balance->restraints.items, model->restraints.items,
               (size_t)model->restraints.count * sizeof *balance->restraints.items);
    find_free_axes(balance);
    carom_sparse_number(model->node_count, (const bool(*)[3])balance->is_free, balance->unknown);
    for (int s = 0; s < model->block_count; s++)
        balance->sets[s] = (carom_cliques){model->blocks[s].count, model->blocks[s].node_count, model->blocks[s].nodes};
    carom_status status = build_matrix(balance, error);
    return status ? status : carom_linear_create(CAROM_LINEAR_UNSYMMETRIC, &balance->solver, error);
}

void carom_balance_release(carom_balance *b) {
    carom_sparse_release(b->matrix);
    carom_linear_release(b->solver);
    free(b->sets);
    free(b->is_free);
    free(b->unknown);
    free(b->oblique);
    free(b->restraints.items);
    free(b->u);
    free(b->x1);
    free(b->force);
    free(b->live);
    free(b->residual);
    free(b->slots);
    free(b->tangents);
    free(b->right);
    free(b->step);
    free(b->diagonal);
    free(b->trial);
    free(b->middle);
    *b = (carom_balance){0};
}
