// SPDX-License-Identifier: MIT
// Numbers the unknowns of implicit methods, and converts between vectors of nodes and of unknowns. A restrained node has the
// orthonormal directions d_1 ... d_c of its restraint as its first axes, completed to a basis; those are eliminated. If all of
// them are parallel to x, y or z, which is the rule, the axes are x, y, z.
#include "model/forces/unknowns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/mat3.h"
#include "math/vec3.h"

// With fewer nodes, starting threads costs more than it saves.
enum { PARALLEL_NODES = 4096 };

// Completes directions to an orthonormal basis.
static void complete(const carom_restraint *held, double axes[3][3]) {
    carom_restraint all = *held;
    for (int i = 0; i < held->count; i++)
        carom_copy(held->direction[i], axes[i]);
    while (all.count < 3) {
        // the coordinate axis with the largest component outside the span of the existing directions
        int best = 0;
        double largest = -1;
        for (int i = 0; i < 3; i++) {
            double e[3] = {i == 0, i == 1, i == 2};
            carom_restraint_project(&all, e);
            // The largest remainder gives the best conditioned basis; it is at least 1/sqrt(3).
            if (carom_norm(e) > largest) {
                largest = carom_norm(e);
                best = i;
            }
        }
        double e[3] = {best == 0, best == 1, best == 2};
        carom_restraint_add(&all, e, 0, NULL);
        carom_copy(all.direction[all.count - 1], axes[all.count - 1]);
    }
}

// The directions in which a node is held: those of its restraint, and z for nodes of plane bodies.
static carom_restraint holding(const carom_model *model, int node, bool plane) {
    const carom_restraint *given = carom_restraint_of(&model->restraints, node);
    carom_restraint held = {0};
    if (given)
        held = *given;
    // Velocities do not matter here.
    memset(held.velocity, 0, sizeof held.velocity);
    static const double z[3] = {0, 0, 1};
    if (plane)
        // If z is restrained already, adding it has no effect.
        carom_restraint_add(&held, z, 0, NULL);
    return held;
}

static bool is_turned(const carom_restraint *held) {
    bool turned = false;
    // A completely held node has no unknowns, whatever its axes.
    for (int i = 0; i < held->count && held->count < 3; i++)
        turned = turned || carom_axis_of(held->direction[i]) < 0;
    return turned;
}

static void number_node(carom_unknowns *u, const carom_restraint *held, int k, bool is_free[3]) {
    for (int c = 0; c < 3; c++)
        is_free[c] = held->count < 3;
    u->turned[k] = -1;
    if (is_turned(held)) {
        u->turned[k] = u->turned_count;
        complete(held, u->axes[u->turned_count++]);
    }
    for (int i = 0; i < held->count && held->count < 3; i++)
        // The first axes of a rotated node are its restrained directions.
        is_free[u->turned[k] < 0 ? carom_axis_of(held->direction[i]) : i] = false;
}

carom_status carom_unknowns_create(const carom_model *model, carom_unknowns *u, carom_error *error) {
    int n = model->node_count;
    *u = (carom_unknowns){.node_count = n};
    u->index = carom_allocate(n, sizeof *u->index);
    u->turned = carom_allocate(n, sizeof *u->turned);
    u->axes = carom_allocate(model->restraints.count, sizeof *u->axes);
    bool(*is_free)[3] = carom_allocate(n, sizeof *is_free);
    if (!u->index || !u->turned || !u->axes || !is_free) {
        free(is_free);
        return carom_no_memory(error, "the unknowns");
    }
    for (int b = 0; b < model->body_count; b++) {
        const carom_body *body = &model->bodies[b];
        bool plane = body->block_count && model->blocks[body->block_begin].element->plane;
        for (int k = body->node_begin; k < body->node_begin + body->node_count; k++) {
            carom_restraint held = holding(model, k, plane);
            number_node(u, &held, k, is_free[k]);
        }
    }
    carom_status status = carom_tied_elements_create(model, &u->tied, error);
    const carom_elimination *e = u->tied.elimination;
    for (int i = 0; e && i < e->count; i++)
        for (int c = 0; c < 3; c++)
            is_free[e->node[i]][c] = is_free[e->node[i]][c] && !e->follows[i][c];
    u->count = carom_sparse_number(n, (const bool(*)[3])is_free, u->index);
    free(is_free);
    return status;
}

void carom_unknowns_release(carom_unknowns *u) {
    free(u->index);
    free(u->turned);
    free(u->axes);
    carom_tied_elements_release(&u->tied);
    *u = (carom_unknowns){0};
}

// Rotates a vector of one node from x, y, z to its axes, in place.
static void turn(const carom_unknowns *u, int node, double vector[3]) {
    if (u->turned[node] < 0)
        return;
    double v[3];
    // The rows of `axes` are the axes, so that the product gives components along them.
    carom_mat3_apply((carom_const_vectors)u->axes[u->turned[node]], vector, v);
    carom_copy(v, vector);
}

void carom_unknowns_turn_back(const carom_unknowns *u, int node, double vector[3]) {
    if (u->turned[node] < 0)
        return;
    double v[3];
    carom_mat3_apply_transposed((carom_const_vectors)u->axes[u->turned[node]], vector, v);
    carom_copy(v, vector);
}

void carom_unknowns_turn_matrix(const carom_unknowns *u, int n, const int *nodes, double *matrix) {
    for (int a = 0; a < n && u->turned_count; a++) {
        if (u->turned[nodes[a]] < 0)
            continue;
        // rows, then columns
        for (int j = 0; j < 3 * n; j++) {
            double v[3];
            for (int i = 0; i < 3; i++)
                v[i] = matrix[(3 * a + i) * 3 * n + j];
            turn(u, nodes[a], v);
            for (int i = 0; i < 3; i++)
                matrix[(3 * a + i) * 3 * n + j] = v[i];
        }
        for (int j = 0; j < 3 * n; j++)
            // The three columns of a node are consecutive in each row.
            turn(u, nodes[a], &matrix[j * 3 * n + 3 * a]);
    }
}

void carom_unknowns_gather(const carom_unknowns *u, const double (*nodal)[3], double *vector) {
#pragma omp parallel for schedule(static) if (u->node_count > PARALLEL_NODES)
    for (int k = 0; k < u->node_count; k++) {
        double v[3];
        carom_copy(nodal[k], v);
        turn(u, k, v);
        for (int c = 0; c < 3; c++)
            if (u->index[k][c] >= 0)
                vector[u->index[k][c]] = v[c];
    }
}

void carom_unknowns_spread(const carom_unknowns *u, const double *vector, double (*nodal)[3]) {
#pragma omp parallel for schedule(static) if (u->node_count > PARALLEL_NODES)
    for (int k = 0; k < u->node_count; k++) {
        for (int c = 0; c < 3; c++)
            nodal[k][c] = u->index[k][c] >= 0 ? vector[u->index[k][c]] : 0;
        carom_unknowns_turn_back(u, k, nodal[k]);
    }
    carom_unknowns_apply_ties(u, nodal);
}

void carom_unknowns_fold(const carom_unknowns *u, double (*force)[3]) {
    if (u->tied.elimination)
        carom_elimination_fold(u->tied.elimination, force);
}

void carom_unknowns_apply_ties(const carom_unknowns *u, double (*x)[3]) {
    if (u->tied.elimination)
        carom_elimination_apply(u->tied.elimination, x);
}

void carom_unknowns_rigid(const carom_unknowns *u, const carom_model *model, double *modes) {
    double size = 0, arm[3];
    for (int k = 0; k < u->node_count; k++) {
        carom_difference(model->X[k], model->X[0], arm);
        size = fmax(size, carom_norm(arm));
    }
    for (int m = 0; m < CAROM_UNKNOWNS_RIGID; m++)
        for (int k = 0; k < u->node_count; k++) {
            double axis[3] = {m % 3 == 0, m % 3 == 1, m % 3 == 2}, motion[3];
            carom_copy(axis, motion);
            if (m >= 3) {
                carom_difference(model->X[k], model->X[0], arm);
                carom_cross(axis, arm, motion);
                for (int i = 0; i < 3; i++)
                    motion[i] /= size > 0 ? size : 1;
            }
            turn(u, k, motion);
            for (int c = 0; c < 3; c++)
                if (u->index[k][c] >= 0)
                    modes[(ptrdiff_t)m * u->count + u->index[k][c]] = motion[c];
        }
}
