// SPDX-License-Identifier: MIT
// Theory: docs/theory/step.md
// The sums of model/watch/frequency_bound.c prove that a step is stable; they cannot prove that it is not. The Ritz values of
// the Lanczos method can: each is at most the largest eigenvalue of M^-1/2 K M^-1/2, K the tangent at x on the free components
// of the nodes of one body. If h > 2/omega for a Ritz value omega^2, some vibration of the body grows.
//
// Masses are those of the nodes, including the contributions of other bodies that share them. Restricting K to a body and to
// unrestrained components does not raise its eigenvalues: the conclusion remains valid.
#include "model/watch/lanczos_step.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "element/element.h"
#include "element/shortest_edge.h"
#include "element/slots.h"
#include "math/lanczos.h"
#include "math/vec3.h"
#include "model/collective.h"
#include "model/forces/forces.h"
#include "model/motion/damping.h"
#include "model/rigid.h"
#include "model/watch/frequency_bound.h"

// Ritz values within a tenth of the largest eigenvalue, or 5 % in the step: some 30 products. Missing a larger one is
// acceptable, as the energy guards detect the consequences.
static const double sharpness = 0.1;
static const double risk = 1e-6;

// Perturbation by which forces are linearised, relative to the shortest edge: small enough for linearity, and ten digits above
// rounding.
static const double perturbation = 1e-6;

// Strains are small while the bound is above this fraction of its value at the reference, where the step was checked.
static const double strain_threshold = 0.98;

// With fewer elements, or nodes, one thread is faster.
enum { SHARED = 4096 };

typedef struct tangent {
    const carom_model *model;
    const carom_body *body;
    const double (*x)[3];
    double shortest; // edge, at x
    carom_vectors y; // positions of all nodes, displaced
    carom_vectors f; // forces of the elements of the body on its nodes, at x
    double *slots;   // those of other bodies stay 0
    carom_lanczos krylov;
} tangent;

// Adds the forces of the elements of the body at y, times `factor`, to out, one row per node of the body.
static void add_forces(const tangent *t, double factor, double (*out)[3]) {
    const carom_model *model = t->model;
    const carom_body *body = t->body;
#pragma omp parallel for schedule(static) if (model->element_count > SHARED)
    for (int c = 0; c < model->chunk_count; c++) {
        const carom_chunk *chunk = &model->chunks[c];
        const carom_block *block = &model->blocks[chunk->block];
        if (chunk->block >= body->block_begin && chunk->block < body->block_begin + body->block_count)
            block->element->force(block, chunk->begin, chunk->end, (carom_const_vectors)t->y, (carom_const_vectors)model->X,
                                  t->slots + model->block_slot[chunk->block]);
    }
#pragma omp parallel for schedule(static) if (body->node_count > SHARED)
    for (int k = 0; k < body->node_count; k++) {
        int node = body->node_begin + k;
        double f[3] = {0};
        carom_slots_gather(t->slots, model->gather, model->gather_begin[node], model->gather_begin[node + 1], f);
        carom_add_scaled(factor, f, out[k]);
    }
}

// Removes the components that a restraint holds.
static void project(const tangent *t, double (*u)[3]) {
    for (int k = 0; k < t->body->node_count; k++)
        carom_restraints_project(&t->model->restraints, t->body->node_begin + k, u[k]);
}

static double root_of_mass(const tangent *t, int k) {
    // ties cannot raise a frequency: tied nodes count as free
    return sqrt(carom_model_node_mass(t->model, t->body->node_begin + k));
}

// next = M^-1/2 K M^-1/2 now, K v = -(f(x + s v) - f(x))/s.
static void multiply(void *context) {
    tangent *t = context;
    const carom_body *body = t->body;
    carom_vectors now = (carom_vectors)t->krylov.now, next = (carom_vectors)t->krylov.next;
    double most = 0;
#pragma omp parallel for schedule(static) reduction(max : most) if (body->node_count > SHARED)
    for (int k = 0; k < body->node_count; k++)
        most = fmax(most, carom_norm(now[k]) / root_of_mass(t, k));
    double scale = perturbation * t->shortest / most;
#pragma omp parallel for schedule(static) if (body->node_count > SHARED)
    for (int k = 0; k < body->node_count; k++) {
        carom_copy(t->x[body->node_begin + k], t->y[body->node_begin + k]);
        carom_add_scaled(scale / root_of_mass(t, k), now[k], t->y[body->node_begin + k]);
        carom_copy(t->f[k], next[k]);
    }
    add_forces(t, -1, next);
#pragma omp parallel for schedule(static) if (body->node_count > SHARED)
    for (int k = 0; k < body->node_count; k++)
        for (int i = 0; i < 3; i++)
            next[k][i] /= scale * root_of_mass(t, k);
    project(t, next);
}

static bool moves(const void *context, int component) {
    (void)context;
    (void)component;
    return true;
}

// The shortest distance of two nodes of a cell.
static double shortest_edge(const carom_model *model, const carom_body *body, const double (*x)[3]) {
    double shortest = HUGE_VAL;
    for (int b = body->block_begin; b < body->block_begin + body->block_count; b++)
        shortest = fmin(shortest, carom_block_shortest_edge(&model->blocks[b], x));
    return shortest;
}

static bool reserve(tangent *t, carom_arena *arena) {
    int n = t->body->node_count;
    bool enough = arena;
    t->y = carom_arena_reserve(arena, t->model->node_count, sizeof *t->y, &enough);
    t->f = carom_arena_reserve(arena, n, sizeof *t->f, &enough);
    t->slots = carom_arena_reserve(arena, carom_model_slot_count(t->model), sizeof *t->slots, &enough);
    t->krylov.before = carom_arena_reserve(arena, 9 * (int64_t)n, sizeof *t->krylov.before, &enough);
    if (!enough)
        return false;
    t->krylov.now = t->krylov.before + 3 * (ptrdiff_t)n;
    t->krylov.next = t->krylov.now + 3 * (ptrdiff_t)n;
    return true;
}

double carom_model_tangent_step(const carom_model *model, int body, const double (*x)[3]) {
    tangent t = {.model = model,
                 .body = &model->bodies[body],
                 .x = x,
                 .krylov = {.size = 3 * model->bodies[body].node_count, .multiply = multiply, .context = &t}};
    carom_arena *arena = carom_arena_create();
    double step = NAN;
    t.shortest = shortest_edge(model, t.body, x);
    if (reserve(&t, arena) && t.shortest > 0 && t.shortest < HUGE_VAL) {
        for (int k = 0; k < model->node_count; k++)
            carom_copy(x[k], t.y[k]);
        add_forces(&t, 1, t.f);
        double dimensions = carom_lanczos_start(&t.krylov, moves);
        project(&t, (carom_vectors)t.krylov.now);
        // the recurrence requires a start vector of unit length
        double square = 0;
        for (int i = 0; i < t.krylov.size; i++)
            square += t.krylov.now[i] * t.krylov.now[i];
        for (int i = 0; i < t.krylov.size; i++)
            t.krylov.now[i] /= sqrt(square);
        double ritz = carom_lanczos_largest(&t.krylov, carom_lanczos_rounds(dimensions, sharpness, risk));
        step = carom_damping_step(&t.body->damping, 2 / sqrt(ritz));
    }
    carom_arena_release(arena);
    return step;
}

// True if neither the bound nor a small strain proves the step.
static bool is_in_doubt(const carom_model *model, int body, const double *now, const double *start, double step) {
    double bound = carom_model_bound_of(model, body, now);
    return !(bound >= step) && !(bound >= strain_threshold * carom_model_bound_of(model, body, start));
}

void carom_outgrown_space_release(carom_outgrown_space *space) {
    free(space->rest);
    free(space->now);
    free(space->start);
    free(space->measures);
    *space = (carom_outgrown_space){0};
}

// Shares of elements that do not stiffen remain zero.
static bool reserve_shares(const carom_model *model, double **shares) {
    if (!*shares)
        *shares = carom_allocate(carom_model_slot_count(model), sizeof **shares);
    return *shares != NULL;
}

static bool reserve_space(const carom_model *model, carom_outgrown_space *space) {
    if (!space->rest)
        space->rest = carom_allocate(model->node_count, sizeof *space->rest);
    if (!space->measures)
        space->measures = carom_allocate(carom_stiffening_buffer(model), sizeof *space->measures);
    return reserve_shares(model, &space->now) && space->rest && space->measures;
}

carom_status carom_model_find_outgrown(const carom_model *model, const double (*x)[3], double step, carom_outgrown_space *space,
                                       carom_outgrown *found, carom_error *error) {
    *found = (carom_outgrown){.body = -1, .stable = HUGE_VAL};
    if (!carom_model_can_stiffen(model))
        return CAROM_OK;
    bool enough = reserve_space(model, space);
    carom_const_vectors X = (carom_const_vectors)model->X, none = (carom_const_vectors)space->rest;
    carom_kinematics motion = {X, x, none, none}, reference = {X, X, none, none};
    if (enough && carom_model_stiffening(model, &motion, space->now, space->measures).stable >= step)
        return CAROM_OK;
    enough = enough && reserve_shares(model, &space->start);
    if (!enough)
        return carom_no_memory(error, "the stable step");
    carom_model_stiffening(model, &reference, space->start, space->measures);
    for (int b = 0; b < model->body_count && found->body < 0; b++) {
        bool doubtful = is_in_doubt(model, b, space->now, space->start, step);
        double stable = doubtful ? carom_model_tangent_step(model, b, x) : HUGE_VAL;
        if (step > stable)
            *found = (carom_outgrown){b, stable};
    }
    return CAROM_OK;
}

carom_status carom_model_is_outgrown(const carom_model *model, const double (*x)[3], double step, bool *outgrown,
                                     carom_error *error) {
    *outgrown = false;
    if (!carom_model_can_stiffen(model))
        return CAROM_OK;
    carom_outgrown_space space = {0};
    bool enough = reserve_space(model, &space);
    carom_status status = enough ? CAROM_OK : carom_no_memory(error, "the stable step");
    status = CAROM_MODEL_AGREE(model, status, error);
    if (!status) {
        carom_const_vectors none = (carom_const_vectors)space.rest;
        carom_kinematics motion = {(carom_const_vectors)model->X, x, none, none};
        *outgrown = !(carom_model_stiffening(model, &motion, space.now, space.measures).stable >= step);
    }
    carom_outgrown_space_release(&space);
    return status;
}
