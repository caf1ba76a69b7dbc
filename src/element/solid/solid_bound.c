// SPDX-License-Identifier: MIT
// The bounds of deformed solids, eight elements at a time (point_bound.h has the formulas).
//
// Every quadrature point counts as an element of its own, with the part V_q N_a of the volume of its nodes. With the reference
// map Y = dX/dr, the present one y = dx/dr and the constant matrix M = sum_a dN_a dN_a^T/N_a of the point (1.5 I for bricks),
//
//     G = Y^-T M Y^-1,   F = y Y^-1,   grad u = (du/dr) y^-1   for velocities u,
//
// so nothing has to be stored. A brick with one point has one G, of its mean gradients, and adds its hourglass modes, whose
// stiffness kappa sum_m gamma_m gamma_m^T is bounded by its trace over the volumes of the nodes.
//
// Densities drop out: the stiffness is compared with the volumes of the nodes, K <= k diag(V_q N_a), and the sum of k V_q N_a
// at a node over its mass bounds omega^2 (src/model/watch/frequency_bound.c).
#include "element/bound.h"
#include "element/solid.h"

bool carom_solid_stiffens(const carom_block *block) {
    return !block->material->small;
}

// A law without kernels whose barrier has to be met: compression is that of any law with kernels.
static void barred(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                   double *measures) {
    static const carom_elastic_params any = {.young = 1, .poisson = 0.3, .density = 1};
    carom_block own = *block;
    own.material = carom_law_material(CAROM_LAW_NEO_HOOKEAN);
    own.material_params = &any;
    carom_solid_bound(&own, begin, end, motion, share, measures);
    carom_plain_bound(block, begin, end, motion, share, NULL);
}

void carom_solid_bound(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                       double *measures) {
    carom_kernel_law law = carom_kernel_law_of(block->material);
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    if (law == CAROM_KERNEL_NONE && block->material->barrier)
        barred(block, begin, end, motion, share, measures);
    else if (law == CAROM_KERNEL_NONE || law == CAROM_KERNEL_LINEAR)
        carom_plain_bound(block, begin, end, motion, share, measures);
    else if (shape == &carom_shape_tet4)
        carom_tet4_bound(block, begin, end, motion, share, measures);
    else if (shape == &carom_shape_hex8)
        carom_hex8_bound(block, begin, end, motion, share, measures);
    else
        carom_plane_bound(block, begin, end, motion, share, measures);
}
