// SPDX-License-Identifier: MIT
// The upper bound of the stiffness (`bound` of carom_element) for any element of up to eight nodes with a stiffness matrix.
// For a symmetric matrix K the diagonal matrix of the row sums of |K_ij| minus K is diagonally dominant, so K is at most that
// diagonal (Gershgorin). Each node takes the largest of its three rows. The bound is loose, up to a factor of two in the step,
// and costs a stiffness matrix: it is used for laws without a kernel.
#include <math.h>

#include "element/bound.h"
#include "math/vec3.h"

enum { DOFS_MAX = 24 };

static void one(const carom_block *block, int e, const carom_kinematics *motion, double *share) {
    int n = block->node_count, dofs = 3 * n;
    double K[DOFS_MAX * DOFS_MAX];
    carom_block own = carom_block_at(block, e, 1);
    block->element->stiffness(&own, 0, 1, motion->x, motion->X, K);
    for (int a = 0; a < n; a++) {
        double most = 0;
        for (int i = 3 * a; i < 3 * a + 3; i++) {
            double row = 0;
            for (int j = 0; j < dofs; j++)
                row += fabs(K[dofs * i + j]);
            most = fmax(most, row);
        }
        share[carom_lane(e, 3 * a, dofs)] = most;
    }
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
