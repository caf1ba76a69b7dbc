// SPDX-License-Identifier: MIT
// Applies the impulses of ties (constraints G x = 0 between nodes) at a kick (tie_kick.h). The impulses -G^T lambda have no
// resultant. Their moment is -sum (G x) x lambda: zero as long as the ties hold. If contact has opened a tie, the island of
// bodies that it joins is rotated as a rigid body so that its angular momentum balances this moment; that changes no tie.
// Restraints react to the rotation of their nodes.
#include "integrator/tie_kick.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/exact.h"
#include "math/mat3.h"

// Rounding of positions relative to the extent of the model; ties open by less count as closed.
static const double rounding = 1e-13;

carom_status carom_tie_kick_create(carom_tie_kick *tie, const carom_newmark_kick *kick, carom_error *error) {
    const carom_model *model = kick->model;
    *tie = (carom_tie_kick){0};
    if (!carom_ties_any(&model->ties))
        return CAROM_OK;
    bool enough = true;
    tie->goal = carom_arena_reserve(kick->arena, model->ties.rows.count, sizeof *tie->goal, &enough);
    tie->impulse = carom_arena_reserve(kick->arena, model->node_count, sizeof *tie->impulse, &enough);
    tie->reached = carom_arena_reserve(kick->arena, model->node_count, sizeof *tie->reached, &enough);
    bool(*held)[3] = carom_model_held_components(model);
    carom_status status = enough && held ? CAROM_OK : carom_no_memory(error, "the integrator");
    if (!status)
        status = carom_projector_create(&model->ties.rows, model->node_count, model->mass, (const bool(*)[3])held,
                                        &tie->projector, error);
    free(held);
    tie->model = model;
    tie->slack = rounding * model->part.extent;
    return status;
}

void carom_tie_kick_release(carom_tie_kick *tie) {
    carom_projector_release(&tie->projector);
    *tie = (carom_tie_kick){0};
}

// The rates that close open ties within a step; false if all hold.
static bool find_goals(carom_tie_kick *tie, const double (*x)[3], double step) {
    const carom_tie_rows *rows = &tie->model->ties.rows;
    bool open = false;
    for (int r = 0; r < rows->count; r++) {
        double gap[3];
        carom_tie_rows_gap(rows, r, x, gap);
        bool opened = carom_norm(gap) > tie->slack;
        open = open || opened;
        for (int d = 0; d < 3; d++)
            tie->goal[r][d] = opened ? -gap[d] / step : 0;
    }
    return open;
}

// Mass, centre and moment of inertia of the bodies of an island.
typedef struct rigid {
    double mass, centre[3], inertia[3][3];
} rigid;

static bool is_in(const carom_model *model, int body, int island) {
    return model->ties.island[body] == island;
}

static rigid measure(const carom_model *model, int island, const double (*x)[3]) {
    rigid all = {0};
    for (int pass = 0; pass < 2; pass++)
        for (int b = 0; b < model->body_count; b++) {
            int begin = model->bodies[b].node_begin, end = begin + model->bodies[b].node_count;
            for (int k = begin; k < end && is_in(model, b, island); k++) {
                double m = model->mass[k], arm[3];
                if (pass == 0) {
                    all.mass += m;
                    carom_add_scaled(m, x[k], all.centre);
                    continue;
                }
                carom_difference(x[k], all.centre, arm);
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++)
                        all.inertia[i][j] += m * ((i == j ? carom_dot(arm, arm) : 0) - arm[i] * arm[j]);
            }
            if (pass == 0 && b == model->body_count - 1)
                for (int d = 0; d < 3; d++)
                    all.centre[d] /= all.mass;
        }
    return all;
}

// The moment of impulses on an island about the origin.
static void find_moment(const carom_model *model, int island, const double (*impulse)[3], const double (*x)[3],
                        double moment[3]) {
    carom_exact sums[3] = {0};
    for (int b = 0; b < model->body_count; b++)
        for (int k = model->bodies[b].node_begin;
             k < model->bodies[b].node_begin + model->bodies[b].node_count && is_in(model, b, island); k++) {
            double one[3];
            carom_cross(x[k], impulse[k], one);
            for (int d = 0; d < 3; d++)
                carom_exact_add(&sums[d], one[d]);
        }
    for (int d = 0; d < 3; d++)
        moment[d] = carom_exact_value(&sums[d]);
}

// Rotates a node with its island; its restraint reacts to the components that it fixes.
static void turn(carom_tie_kick *tie, int k, const double change[3], carom_newmark_kick *kick) {
    const carom_restraint *restraint = carom_restraint_of(&kick->restraints, k);
    double free[3], m = tie->model->mass[k];
    carom_copy(change, free);
    if (restraint) {
        double *reaction = kick->reaction[restraint - kick->restraints.items];
        carom_restraint_project(restraint, free);
        carom_add_scaled(-m, change, reaction);
        carom_add_scaled(m, free, reaction);
    }
    carom_add_scaled(1, free, kick->w[k]);
    carom_add_scaled(m, free, tie->impulse[k]);
    tie->reached[k] = true;
}

// Removes the moment of impulses on an island by a rotation, whose impulses have the opposite moment and no resultant.
static void balance(carom_tie_kick *tie, int island, const double (*impulse)[3], const double (*x)[3],
                    carom_newmark_kick *kick) {
    const carom_model *model = tie->model;
    double moment[3], omega[3];
    find_moment(model, island, impulse, x, moment);
    for (int d = 0; d < 3; d++)
        moment[d] = -moment[d];
    rigid all = measure(model, island, x);
    if (!carom_mat3_solve((carom_const_vectors)all.inertia, moment, omega))
        return;
    tie->turned = true;
    for (int b = 0; b < model->body_count; b++)
        for (int k = model->bodies[b].node_begin;
             k < model->bodies[b].node_begin + model->bodies[b].node_count && is_in(model, b, island); k++) {
            double arm[3], change[3];
            carom_difference(x[k], all.centre, arm);
            carom_cross(omega, arm, change);
            turn(tie, k, change, kick);
        }
}

void carom_tie_kick_push(carom_tie_kick *tie, carom_newmark_kick *kick) {
    const carom_model *model = tie->model;
    const carom_tie_rows *rows = &model->ties.rows;
    memset(tie->impulse, 0, (size_t)model->node_count * sizeof *tie->impulse);
    memset(tie->reached, 0, (size_t)model->node_count * sizeof *tie->reached);
    tie->turned = false;
    for (int i = 0; i < rows->begin[rows->count]; i++)
        tie->reached[rows->node[i]] = true;
    bool open = find_goals(tie, kick->x, kick->step);
    carom_projector_run(&tie->projector, open ? (carom_const_vectors)tie->goal : NULL, kick->w, tie->impulse);
    tie->open = open;
    carom_tie_kick_balance(tie, tie->impulse, kick->x, kick);
}

void carom_tie_kick_balance(carom_tie_kick *tie, double (*impulse)[3], const double (*x)[3], carom_newmark_kick *kick) {
    const carom_model *model = tie->model;
    // restraints react to the impulses of ties on their nodes
    for (int r = 0; r < kick->restraints.count; r++) {
        int k = kick->restraints.items[r].node;
        for (int d = 0; d < 3; d++)
            if (tie->projector.held[k][d])
                kick->reaction[r][d] -= impulse[k][d];
    }
    for (int b = 0; b < model->body_count && tie->open; b++)
        if (model->ties.island[b] == b)
            balance(tie, b, (carom_const_vectors)impulse, x, kick);
}

void carom_tie_kick_add_force(const carom_tie_kick *tie, double h, double (*force)[3]) {
    for (int k = 0; tie->model && k < tie->model->node_count; k++)
        if (tie->reached[k])
            carom_add_scaled(1 / h, tie->impulse[k], force[k]);
}

double carom_tie_kick_taken(const carom_tie_kick *tie, const carom_newmark_kick *kick) {
    const carom_model *model = tie->model;
    carom_exact sum = {0};
    for (int k = 0; model && k < model->node_count; k++) {
        if (!tie->reached[k])
            continue;
        double mean[3];
        for (int d = 0; d < 3; d++)
            mean[d] = 0.5 * (kick->w_before[k][d] + kick->w[k][d]);
        carom_exact_add(&sum, -carom_dot(tie->impulse[k], mean));
    }
    // work at the mean velocity is the change of kinetic energy, exactly
    return carom_exact_value(&sum);
}
