// SPDX-License-Identifier: MIT
// Forces of bricks whose change of volume J is averaged over the element (mean_dilatation.c has the equations, hex8_body.h the
// map), and forces of the isochoric energy of tetrahedra whose volumes are averaged around nodes (volume_cell.c, tet4_body.h):
// for batches of eight elements on the processor and for threads of a device. The mean of J is needed before the first stress,
// so the maps of all quadrature points are kept.
#ifndef CAROM_ELEMENT_AVERAGE_MEAN_DILATATION_BODY_H
#define CAROM_ELEMENT_AVERAGE_MEAN_DILATATION_BODY_H

#include "element/average/isochoric_body.h"
#include "element/solid/solid_batch.h"

typedef struct carom_dilated_points {
    carom_lanes F[8][9], C[8][9], j[8]; // deformation; cofactors and determinant of the reference map
    carom_lanes pressure;               // kappa ln J/J of the mean J; NaN where a point is inverted
} carom_dilated_points;

// F = I + H with H = (du/dr) C^T/j at all points, and the pressure of the mean J, from reference positions q and
// displacements u.
CAROM_INLINE void carom_dilated_check(const carom_lanes q[CAROM_HEX8_DOFS], const carom_lanes u[CAROM_HEX8_DOFS], double bulk,
                                      carom_dilated_points *p) {
    carom_lanes dX[3][4][3], du[3][4][3], volume = {0}, mean = {0}, least, log_J, answer;
    carom_hex8_derivatives(q, dX);
    carom_hex8_derivatives(u, du);
    carom_lanes_fill(1, &least);
    // eight copies of this loop take the compiler long and gain nothing
    CAROM_ROLLED
    for (int point = 0; point < 8; point++) {
        carom_lanes H[9], growth;
        carom_hex8_gradient(dX, du, point, p->C[point], &p->j[point], H);
        carom_split_deform(H, p->F[point], &growth);
        volume += p->j[point];
        mean += p->j[point] * growth;
        growth = growth + 1.0;
        carom_lanes_min(&growth, &least, &least);
    }
    mean = mean / volume;
    carom_lanes_log1p(&mean, &log_J);
    carom_kernel_forbid(&least, &answer);
    p->pressure = bulk * log_J / (1.0 + mean) + answer;
}

// Adds pressure cof F to the isochoric stress P at a point, and P C, conjugate to the map dx/dr of the point, to the sums Q of
// the points that share derivatives of the map.
CAROM_INLINE void carom_dilated_collect(const carom_dilated_points *p, int point, carom_lanes P[9], carom_lanes Q[3][4][3]) {
    carom_lanes D[9], J, conjugate[9];
    int at[3];
    carom_hex8_point(point, at);
    carom_kernel_cofactor(p->F[point], D, &J);
    for (int a = 0; a < 9; a++)
        P[a] += p->pressure * D[a];
    carom_kernel_conjugate(P, p->C[point], conjugate);
    carom_hex8_collect(conjugate, at, Q);
}

// Forces of a batch of bricks.
CAROM_INLINE void carom_dilated_force_batch(const carom_element_batch *at) {
    carom_lanes q[CAROM_HEX8_DOFS], u[CAROM_HEX8_DOFS], Q[3][4][3], f[CAROM_HEX8_DOFS];
    carom_dilated_points p;
    carom_batch_displace(at, 8, q, u);
    carom_dilated_check(q, u, carom_batch_factor(at), &p);
    // conjugates to the derivatives of the map, summed over the points that share them
    carom_lanes_clear(36, &Q[0][0][0]);
    CAROM_ROLLED
    for (int point = 0; point < 8; point++) {
        carom_lanes P[9], volume;
        carom_hex8_point_volume(&p.j[point], &volume);
        carom_batch_shape(at, carom_hex8_point_number(point), &volume, p.F[point], P);
        carom_dilated_collect(&p, point, P, Q);
    }
    carom_hex8_forces(Q, f);
    carom_batch_put(at, 8, f);
}

// Forces of the isochoric energy of a batch of tetrahedra; those of the volumes around nodes are in volume_patch.c.
CAROM_INLINE void carom_volume_force_batch(const carom_element_batch *at) {
    carom_lanes B[9], V, H[9], F[9], P[9], f[CAROM_TET4_DOFS], growth;
    carom_tet4_gradient(at, B, &V, H);
    carom_split_deform(H, F, &growth);
    carom_batch_shape(at, 0, &V, F, P);
    carom_tet4_forces(B, &V, P, f);
    carom_batch_put(at, 4, f);
}

#endif
