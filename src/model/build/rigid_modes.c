// SPDX-License-Identifier: MIT
// Finds rigid motions that restraints leave free, which static analysis must refuse. A small rigid motion of a connected
// component of the mesh, u(X) = t + w x (X - c)/l with its centre c and its size l, is a vector q = (t, w). A restraint of a
// node along d resists it with (d . u)^2, in sum over all restraints q^T G q. A component can move if a q with q^T G q = 0
// moves any of its nodes. (Rotation of a straight bar about its own axis moves none.)
#include "model/build/rigid_modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/disjoint_sets.h"
#include "math/functions.h"
#include "math/vec3.h"

// A connected component: its restraints, and its extent.
typedef struct component {
    int node; // its lowest node
    int node_count;
    double low[3], high[3];
    double G[6][6];
    bool held; // by any restraint
} component;

// Joins the nodes of all elements; the representative of a component is its lowest node.
static void join(const carom_model *model, int *parent) {
    carom_disjoint_start(parent, model->node_count);
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        int n = block->node_count;
        for (int64_t i = 0; i < (int64_t)block->count * n; i++) {
            int first = carom_disjoint_find(parent, block->nodes[i / n * n]);
            carom_disjoint_join(parent, first, carom_disjoint_find(parent, block->nodes[i]));
        }
    }
    // Ties connect bodies. A body held by one connection may still rotate, which the factorisation finds.
    const carom_tie_rows *rows = &model->ties.rows;
    for (int r = 0; r < rows->count; r++)
        for (int i = rows->begin[r] + 1; i < rows->begin[r + 1]; i++)
            carom_disjoint_join(parent, carom_disjoint_find(parent, rows->node[rows->begin[r]]),
                                carom_disjoint_find(parent, rows->node[i]));
}

static double size_of(const component *p) {
    double d[3];
    carom_difference(p->high, p->low, d);
    double size = carom_norm(d);
    // A single node has no extent; its rotations move nothing and do not matter.
    return size > 0 ? size : 1;
}

// The displacement of a point by the rigid motion q.
static void displacement(const component *p, const double X[3], const double q[6], double u[3]) {
    double arm[3];
    for (int i = 0; i < 3; i++)
        arm[i] = (X[i] - 0.5 * (p->low[i] + p->high[i])) / size_of(p);
    carom_cross(&q[3], arm, u);
    carom_add_scaled(1, q, u);
}

static void add_restraint(component *p, const double X[3], const double d[3]) {
    double row[6];
    for (int i = 0; i < 6; i++) {
        // The row of a restraint: d.u for each of the six unit motions.
        double q[6] = {0}, u[3];
        q[i] = 1;
        displacement(p, X, q, u);
        row[i] = carom_dot(d, u);
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            p->G[i][j] += row[i] * row[j];
}

// Eigenvectors of a symmetric matrix by Jacobi's rotations; the diagonal of A becomes the eigenvalues, the rows of V the
// vectors.
static void eigenvectors(double A[6][6], double V[6][6]) {
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            V[i][j] = i == j;
    // Jacobi's method converges quadratically: thirty sweeps are far more than a matrix of order six needs.
    for (int sweep = 0; sweep < 30; sweep++)
        for (int i = 0; i < 6; i++)
            for (int j = i + 1; j < 6; j++) {
                if (A[i][j] == 0)
                    continue;
                // The smaller root t of t^2 + 2 ratio t - 1 = 0, which is the rotation by at most 45 degrees.
                double ratio = (A[j][j] - A[i][i]) / (2 * A[i][j]),
                       t = copysign(1, ratio) / (fabs(ratio) + carom_hypot(ratio, 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < 6; k++) {
                    double p = A[k][i], q = A[k][j];
                    A[k][i] = c * p - s * q;
                    A[k][j] = s * p + c * q;
                }
                for (int k = 0; k < 6; k++) {
                    double p = A[i][k], q = A[j][k], v = V[i][k], w = V[j][k];
                    A[i][k] = c * p - s * q;
                    A[j][k] = s * p + c * q;
                    V[i][k] = c * v - s * w;
                    V[j][k] = s * v + c * w;
                }
                // Zero by construction; rounding would leave a trace for the next sweep.
                A[i][j] = A[j][i] = 0;
            }
}

static double resistance(const component *p, const double q[6]) {
    double sum = 0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            sum += q[i] * p->G[i][j] * q[j];
    return sum;
}

// The largest displacement of the nodes of the component in the motion.
static double largest_displacement(const carom_model *model, const component *p, int *parent, const double q[6]) {
    double largest = 0;
    // The representative is the lowest node of its component.
    for (int k = p->node; k < model->node_count; k++)
        if (carom_disjoint_find(parent, k) == p->node) {
            double u[3];
            displacement(p, model->X[k], q, u);
            largest = fmax(largest, carom_norm(u));
        }
    return largest;
}

// Reports which motion is free.
static carom_status report_free_motion(const carom_model *model, const component *p, const double q[6], carom_error *error) {
    const carom_body *body = &model->bodies[carom_model_node_body(model, p->node)];
    char whose[CAROM_NAME_MAX + 64];
    snprintf(whose, sizeof whose, "%sbody '%s'", p->node_count < body->node_count ? "a part of " : "", body->name);
    if (!p->held)
        return carom_fail(error, CAROM_BAD_INPUT, "%s can move freely: nothing restrains it", whose);
    // The translation of a rotational mode only positions its axis.
    bool turns = carom_norm(&q[3]) > 1e-6;
    double d[3];
    carom_copy(turns ? &q[3] : q, d);
    carom_normalize(d);
    for (int i = 0; i < 3; i++)
        // Rounding is removed from the printed vector.
        d[i] = fabs(d[i]) < 1e-9 ? 0 : d[i];
    return carom_fail(error, CAROM_BAD_INPUT, "%s can move freely: nothing restrains its %s (%.3g, %.3g, %.3g)", whose,
                      turns ? "rotation about the axis" : "translation along", d[0], d[1], d[2]);
}

static carom_status check_part(const carom_model *model, const component *p, int *parent, carom_error *error) {
    double A[6][6], V[6][6], largest = 0;
    memcpy(A, p->G, sizeof A);
    eigenvectors(A, V);
    for (int i = 0; i < 6; i++)
        largest = fmax(largest, A[i][i]);
    // Relative to the strongest restraint; a motion resisted by rounding only is free.
    double least = 1e-12 * largest;
    // translations and rotations along the coordinate axes are reported rather than mixtures of them
    for (int i = 0; i < 6; i++) {
        double q[6] = {0};
        q[i] = 1;
        if (resistance(p, q) <= least && largest_displacement(model, p, parent, q) > 1e-9)
            return report_free_motion(model, p, q, error);
    }
    for (int i = 0; i < 6; i++)
        if (A[i][i] <= least && largest_displacement(model, p, parent, V[i]) > 1e-6)
            return report_free_motion(model, p, V[i], error);
    return CAROM_OK;
}

// Finds the extent of the components, and the restraints on them.
static void survey(const carom_model *model, int *parent, const int *index, component *components) {
    for (int k = 0; k < model->node_count; k++) {
        component *p = &components[index[carom_disjoint_find(parent, k)]];
        for (int i = 0; i < 3; i++) {
            p->low[i] = p->node_count ? fmin(p->low[i], model->X[k][i]) : model->X[k][i];
            p->high[i] = p->node_count ? fmax(p->high[i], model->X[k][i]) : model->X[k][i];
        }
        // The first node in this loop is the lowest, which is the representative.
        p->node = p->node_count++ ? p->node : k;
    }
    // clamped and mirrored edges of shells resist rotation; a rotation that they leave free makes the stiffness singular
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        if (!model->bodies[block->body].limit.begin || block->element->turns_freely(block))
            continue;
        for (int e = 0; e < block->count; e++)
            for (int i = 3; i < 6; i++)
                components[index[carom_disjoint_find(parent, block->nodes[(int64_t)e * block->node_count])]].G[i][i] += 1;
    }
    static const double z[3] = {0, 0, 1};
    for (int b = 0; b < model->body_count; b++) {
        const carom_body *body = &model->bodies[b];
        bool plane = body->block_count && model->blocks[body->block_begin].element->plane;
        for (int k = body->node_begin; k < body->node_begin + body->node_count; k++) {
            component *p = &components[index[carom_disjoint_find(parent, k)]];
            const carom_restraint *held = carom_restraint_of(&model->restraints, k);
            p->held = p->held || held;
            for (int i = 0; held && i < held->count; i++)
                add_restraint(p, model->X[k], held->direction[i]);
            // The element holds nodes of plane bodies along z.
            if (plane)
                add_restraint(p, model->X[k], z);
        }
    }
}

carom_status carom_model_check_rigid_modes(const carom_model *model, carom_error *error) {
    int *parent = carom_allocate(model->node_count, sizeof *parent), *index = carom_allocate(model->node_count, sizeof *index);
    component *components = NULL;
    int count = 0;
    if (parent && index) {
        join(model, parent);
        for (int k = 0; k < model->node_count; k++)
            if (carom_disjoint_find(parent, k) == k)
                index[k] = count++;
        components = carom_allocate(count, sizeof *components);
    }
    carom_status status = CAROM_OK;
    if (!components)
        status = carom_no_memory(error, "the restraints");
    else
        survey(model, parent, index, components);
    for (int p = 0; p < count && !status; p++)
        status = check_part(model, &components[p], parent, error);
    free(parent);
    free(index);
    free(components);
    return status;
}

int carom_model_number_components(const carom_model *model, int *number) {
    int *parent = carom_allocate(model->node_count, sizeof *parent), count = 0;
    if (!parent)
        return -1;
    join(model, parent);
    // the representative of a component is its lowest node
    for (int k = 0; k < model->node_count; k++) {
        int root = carom_disjoint_find(parent, k);
        number[k] = root == k ? count++ : number[root];
    }
    free(parent);
    return count;
}
