// SPDX-License-Identifier: MIT
// Theory: docs/theory/tied.md
// Nodes of other bodies that are tied to a rigid body. Such a node k becomes a point of the rigid body, and its mass m_k is
// added: with mass M0, mass centre c0 and inertia J0 of the rigid body alone, those of the whole are
//
//     M = M0 + sum m_k,   M c = M0 c0 + sum m_k X_k,   J = J0 + M0 (d^2 - d d^T) + sum m_k (r_k^2 - r_k r_k^T),
//
// with d = c0 - c and r_k = X_k - c, and the forces of the elements around it act on the body. If the nodes move with the body,
// the initial motion is unchanged; otherwise initial momentum and angular momentum are those of all parts together.
#include <math.h>
#include <string.h>

#include "base/allocate.h"
#include "carom/rigid.h"
#include "math/mat3.h"
#include "math/sym3.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/rigid.h"

// Relative difference of velocities that is attributed to rounding.
static const double rounding = 1e-12;

// A rigid body with all parts tied to it, about the common mass centre, in space.
typedef struct whole {
    double mass, centre[3], inertia[6]; // in the order of sym3.h
    double momentum[3], angular[3];     // at the start
    double jump;                        // largest difference between the velocity of a node and that of the body at the node
} whole;

// Adds a mass at a point with a velocity; the centre has been computed.
static void add_mass(whole *all, double mass, const double X[3], const double v[3]) {
    double r[3], moment[3];
    carom_difference(X, all->centre, r);
    carom_rigid_add_point(all->inertia, mass, r);
    carom_cross(r, v, moment);
    carom_add_scaled(mass, v, all->momentum);
    carom_add_scaled(mass, moment, all->angular);
}

// The inertia of the rigid body alone about its mass centre, in space.
static void own_inertia(const carom_rigid_body *one, double J[3][3]) {
    double own[3][3] = {{one->inertia[0], 0, 0}, {0, one->inertia[1], 0}, {0, 0, one->inertia[2]}}, RJ[3][3];
    carom_mat3_multiply((carom_const_vectors)one->R, (carom_const_vectors)own, RJ);
    // (R J) R^T
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            J[i][j] = carom_dot(RJ[i], one->R[j]);
}

static whole add_up(const carom_model *model, const carom_rigid_body *one) {
    int node = one->mass_node;
    whole all = {.mass = one->mass};
    double moment[3], J[3][3];
    for (int i = 0; i < 3; i++)
        moment[i] = one->mass * model->X[node][i];
    for (int i = 0; i < one->tied_count; i++) {
        int k = one->tied[i];
        double arm[3], turn[3], differs[3];
        all.mass += model->mass[k];
        carom_add_scaled(model->mass[k], model->X[k], moment);
        carom_difference(model->X[k], model->X[node], arm);
        carom_cross(one->spin, arm, turn);
        for (int c = 0; c < 3; c++)
            differs[c] = model->v0[k][c] - (model->v0[node][c] + turn[c]);
        all.jump = fmax(all.jump, carom_norm(differs));
    }
    for (int i = 0; i < 3; i++)
        all.centre[i] = moment[i] / all.mass;
    own_inertia(one, J);
    for (int n = 0; n < 6; n++)
        all.inertia[n] = J[carom_sym3_row[n]][carom_sym3_column[n]];
    carom_mat3_apply((carom_const_vectors)J, one->spin, all.angular);
    add_mass(&all, one->mass, model->X[node], model->v0[node]);
    for (int i = 0; i < one->tied_count; i++)
        add_mass(&all, model->mass[one->tied[i]], model->X[one->tied[i]], model->v0[one->tied[i]]);
    return all;
}

// The initial motion: V of the mass centre and the spin.
static carom_status start(carom_model *model, const whole *all, carom_rigid_body *one, double V[3], carom_error *error) {
    int node = one->mass_node;
    double speed = 0, arm[3], turn[3], W[3], body[3];
    for (int i = 0; i < one->tied_count; i++)
        speed = fmax(speed, carom_norm(model->v0[one->tied[i]]));
    carom_difference(all->centre, model->X[node], arm);
    carom_cross(one->spin, arm, turn);
    for (int i = 0; i < 3; i++)
        V[i] = model->v0[node][i] + turn[i];
    if (all->jump <= rounding * fmax(speed, carom_norm(V)))
        return CAROM_OK;
    if (one->linkage)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "body '%s' has a joint, and parts tied to it start with a velocity that differs by %.3g from its own: "
            "give all of them the same `spin` and matching `velocity`",
            model->bodies[one->body].name, all->jump);
    model->ties.report.jump = fmax(model->ties.report.jump, all->jump);
    carom_mat3_apply_transposed((carom_const_vectors)one->R, all->angular, body);
    for (int i = 0; i < 3; i++) {
        V[i] = all->momentum[i] / all->mass;
        body[i] /= one->inertia[i];
    }
    carom_mat3_apply((carom_const_vectors)one->R, body, W);
    carom_copy(W, one->spin);
    return CAROM_OK;
}

// Sets positions of nodes relative to the body, and their initial velocities.
static void place(carom_model *model, const carom_rigid_body *one, int r, const double V[3]) {
    int node = one->mass_node;
    for (int i = 0; i <= carom_rigid_body_size(one); i++) {
        int k = i < carom_rigid_body_size(one) ? carom_rigid_body_node(one, i) : one->centre;
        double arm[3], turn[3];
        carom_difference(model->X[k], model->X[one->centre], arm);
        carom_mat3_apply_transposed((carom_const_vectors)one->R, arm, model->rigid.shape[k]);
        carom_difference(model->X[k], model->X[node], arm);
        carom_cross(one->spin, arm, turn);
        for (int c = 0; c < 3; c++)
            model->v0[k][c] = V[c] + turn[c];
        if (k != one->centre)
            model->rigid.of_node[k] = r;
    }
}

// Adds the nodes tied to body r to that body.
static carom_status take_over(carom_model *model, int r, double *brought, carom_error *error) {
    carom_rigid_body *one = &model->rigid.items[r];
    whole all = add_up(model, one);
    carom_rigid_mass found = {.mass = all.mass};
    double V[3];
    carom_status status = carom_rigid_mass_axes(all.inertia, &found, error);
    if (status)
        return status;
    carom_copy(found.inertia, one->inertia);
    carom_mat3_copy((carom_const_vectors)found.axes, one->R);
    one->mass = all.mass;
    status = start(model, &all, one, V, error);
    int node = one->mass_node;
    carom_copy(all.centre, model->X[node]);
    model->mass[node] = model->bodies[one->body].mass = all.mass;
    for (int i = 0; i < one->tied_count; i++) {
        int k = one->tied[i];
        brought[k] = model->mass[k];
        model->bodies[carom_model_node_body(model, k)].mass -= model->mass[k];
        model->mass[k] = 0;
    }
    carom_copy(all.centre, model->X[one->centre]);
    if (!status)
        place(model, one, r, V);
    return status;
}

// Checks that the nodes of an element are tied to one rigid body at most.
static carom_status check_elements(const carom_model *model, carom_error *error) {
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        for (int e = 0; e < block->count; e++)
            for (int a = 0, first = -1; a < block->node_count; a++) {
                int k = block->nodes[e * block->node_count + a], r = model->rigid.of_node[k];
                if (r >= 0 && first >= 0 && r != first)
                    return carom_fail(error, CAROM_BAD_INPUT,
                                      "an element of body '%s' at (%g, %g, %g) is tied to '%s' and to '%s': use a mesh with a "
                                      "layer of nodes between the two",
                                      model->bodies[carom_model_node_body(model, k)].name, model->X[k][0], model->X[k][1],
                                      model->X[k][2], model->bodies[model->rigid.items[first].body].name,
                                      model->bodies[model->rigid.items[r].body].name);
                first = r >= 0 ? r : first;
            }
    }
    return CAROM_OK;
}

// Tie rows require nodes with masses, and nodes of rigid bodies have none: a body can be tied to rigid bodies or by rows, not
// both.
static carom_status check_rows(const carom_model *model, carom_error *error) {
    const carom_ties *ties = &model->ties;
    for (int g = 0; g < ties->tied_count; g++) {
        int body = carom_model_node_body(model, ties->tied[g][0]);
        for (int i = 0; ties->rows.count && i < ties->rows.begin[ties->rows.count]; i++)
            if (carom_model_node_body(model, ties->rows.node[i]) == body)
                return carom_fail(
                    error, CAROM_BAD_INPUT,
                    "body '%s' is tied to the rigid body '%s' and tied or connected to a deformable one as well; "
                    "this combination is not supported: make one mesh of the deformable bodies, or tie the other one to the "
                    "rigid body too",
                    model->bodies[body].name, model->bodies[ties->tied[g][1]].name);
    }
    return CAROM_OK;
}

carom_status carom_model_tie_rigid(carom_model *model, const carom_model_def *def, carom_error *error) {
    const carom_ties *ties = &model->ties;
    (void)def;
    if (!ties->tied_count)
        return CAROM_OK;
    carom_status status = check_rows(model, error);
    double *brought = carom_arena_allocate(model->arena, model->node_count, sizeof *brought);
    int *nodes = carom_arena_allocate(model->arena, ties->tied_count, sizeof *nodes);
    if (!brought || !nodes)
        return carom_no_memory(error, "the ties");
    model->rigid.brought = brought;
    for (int r = 0, begin = 0; r < model->rigid.count && !status; r++) {
        carom_rigid_body *one = &model->rigid.items[r];
        int count = 0;
        for (int g = 0; g < ties->tied_count; g++)
            if (ties->tied[g][1] == one->body)
                nodes[begin + count++] = ties->tied[g][0];
        one->tied = nodes + begin;
        one->tied_count = count;
        begin += count;
        if (count)
            status = take_over(model, r, brought, error);
    }
    return status ? status : check_elements(model, error);
}
