// SPDX-License-Identifier: MIT
// The upper bound of the stiffness (`bound` of carom_element) for any element of up to eight nodes with a stiffness matrix.
// With the norms |K_ab| of the blocks of two nodes of a symmetric matrix K (Gershgorin's theorem for blocks)
//
//     u.K u <= sum_ab |K_ab| |u_a| |u_b| <= sum_a |u_a|^2 sum_b |K_ab|,
//
// so K is at most the diagonal matrix of the sums of the norms. These do not change when a body is turned; sums of the sizes
// of single components do. The bound is loose, up to a factor of two in the step, and costs a stiffness matrix: it is used for
// laws without a kernel.
#include <math.h>

#include "element/bound.h"
#include "math/sym3.h"
#include "math/vec3.h"

enum { DOFS_MAX = 24 };

// At least |A v|/|v| for every v, and equal if A has rank one or is a multiple of a rotation: A^T A has the mean m of its
// eigenvalues and the deviator D, and none of them is above m + sqrt(2/3) |D|.
static double norm_of(const double A[9]) {
    double D[6];
    carom_sym3_gram(A, D);
    double mean = (D[0] + D[1] + D[2]) / 3;
    for (int i = 0; i < 3; i++)
        D[i] -= mean;
    return sqrt(mean + sqrt(2 * carom_sym3_dot(D, D) / 3));
}

static void one(const carom_block *block, int e, const carom_kinematics *motion, double *share) {
    int n = block->node_count, dofs = 3 * n;
    double K[DOFS_MAX * DOFS_MAX], sums[DOFS_MAX / 3] = {0}, A[9];
    carom_block own = carom_block_at(block, e, 1);
    block->element->stiffness(&own, 0, 1, motion->x, motion->X, K);
    for (int a = 0; a < n; a++)
        for (int b = 0; b <= a; b++) {
            for (int i = 0; i < 9; i++)
                A[i] = K[dofs * (3 * a + i / 3) + 3 * b + i % 3];
            double norm = norm_of(A);
            sums[a] += norm;
            if (b < a)
                sums[b] += norm;
        }
    for (int a = 0; a < n; a++)
        share[carom_lane(e, 3 * a, dofs)] = sums[a];
}

// The largest |v_a - v_b|/|x_a - x_b| of all pairs of nodes: an estimate of the strain rate, which determines the time of the
// next check.
static double fastest(const carom_block *block, int e, const carom_kinematics *motion) {
    const int *nodes = &block->nodes[block->node_count * e];
    double most = 0;
    for (int a = 0; a < block->node_count; a++)
        for (int b = 0; b < a; b++) {
            double d[3], u[3];
            carom_difference(motion->x[nodes[a]], motion->x[nodes[b]], d);
            carom_difference(motion->v[nodes[a]], motion->v[nodes[b]], u);
            most = fmax(most, carom_norm(u) / carom_norm(d));
        }
    return most;
}

void carom_plain_bound(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                       double *measures) {
    for (int e = begin; e < end; e++) {
        one(block, e, motion, share);
        if (measures)
            carom_bound_measure(fastest(block, e, motion), 0, 0, 1, e, measures);
    }
}
