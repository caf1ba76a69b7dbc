// SPDX-License-Identifier: MIT
// Forces and energies of tetrahedra, bricks and wedges, and forces of plane elements: the loops over their points, for batches
// of eight and for threads of a device (element/batch.h). The law is a constant in each caller. tet4_body.h, hex8_body.h and
// plane_body.h have the maps.
#ifndef CAROM_ELEMENT_SOLID_SOLID_BATCH_H
#define CAROM_ELEMENT_SOLID_SOLID_BATCH_H

#include "element/batch.h"
#include "element/peak_values.h"
#include "element/solid/energy_body.h"
#include "element/solid/hex8_body.h"
#include "element/solid/hex8_peaks.h"
#include "element/solid/plane_body.h"
#include "element/solid/shape_body.h"
#include "element/solid/tet4_body.h"

CAROM_INLINE void carom_tet4_force(const carom_element_batch *at, carom_kernel_law law, carom_extremes *extremes) {
    carom_lanes q[CAROM_TET4_DOFS], B[9], V, F[9], P[9], f[CAROM_TET4_DOFS];
    carom_batch_take(at, 4, q);
    carom_tet4_load(carom_batch_data(at, CAROM_TET4_DATA), B, &V);
    carom_tet4_map(q, B, F);
    if (law == CAROM_KERNEL_FLOW)
        carom_batch_flow(at, 0, &V, F, P);
    else
        carom_kernel_stress(law, carom_batch_lame(at), F, P);
    CAROM_BATCH_FORGET;
    carom_tet4_load(carom_batch_data(at, CAROM_TET4_DATA), B, &V);
    carom_tet4_forces(B, &V, P, f);
    carom_batch_put(at, 4, f);
    if (extremes)
        carom_extremes_take(law, carom_batch_lame(at), F, P, at->e, extremes);
}

// The displacement gradient H = (u1 - u0, u2 - u0, u3 - u0) B, and the reference data B and V.
CAROM_INLINE void carom_tet4_gradient(const carom_element_batch *at, carom_lanes B[9], carom_lanes *V, carom_lanes H[9]) {
    carom_lanes q[CAROM_TET4_DOFS], u[CAROM_TET4_DOFS];
    carom_batch_displace(at, 4, q, u);
    carom_tet4_load(carom_batch_data(at, CAROM_TET4_DATA), B, V);
    carom_tet4_map(u, B, H);
}

// V W(H)
CAROM_INLINE void carom_tet4_energy(const carom_element_batch *at, carom_kernel_law law, carom_lanes *W) {
    carom_lanes B[9], V, H[9];
    carom_tet4_gradient(at, B, &V, H);
    carom_kernel_energy(law, carom_batch_lame(at), H, W);
    *W = V * *W;
}

// Q = P C at a point, as carom_kernel_mapped, for laws with history.
CAROM_INLINE void carom_hex8_flow(const carom_element_batch *at, int point, const carom_lanes y[9], const carom_lanes C[9],
                                  const carom_lanes *j, carom_lanes Q[9]) {
    carom_lanes F[9], P[9], volume;
    carom_kernel_unmap(y, C, j, F);
    carom_hex8_point_volume(j, &volume);
    carom_batch_flow(at, carom_hex8_point_number(point), &volume, F, P);
    carom_kernel_conjugate(P, C, Q);
}

// Full integration. Q are the conjugates of the derivatives, summed over the points that share them.
CAROM_INLINE void carom_hex8_force_full(const carom_element_batch *at, carom_kernel_law law, carom_extremes *extremes) {
    carom_lanes q[CAROM_HEX8_DOFS], dx[3][4][3], dX[3][4][3], Q[3][4][3], f[CAROM_HEX8_DOFS];
    carom_hex8_sum sum;
    memset(&sum, 0, sizeof sum);
    carom_batch_take_reference(at, 8, q);
    carom_hex8_derivatives(q, dX);
    carom_batch_take(at, 8, q);
    carom_hex8_derivatives(q, dx);
    carom_lanes_clear(36, &Q[0][0][0]);
#ifdef __CUDACC__
#pragma unroll
#endif
    for (int point = 0; point < 8; point++) {
        int which[3];
        carom_hex8_point(point, which);
        carom_lanes y[9], C[9], j, conjugate[9];
        carom_hex8_maps(dX, dx, which, y, C, &j);
        if (law == CAROM_KERNEL_FLOW)
            carom_hex8_flow(at, point, y, C, &j, conjugate);
        else
            carom_kernel_mapped(law, carom_batch_lame(at), y, C, &j, conjugate);
        carom_hex8_collect(conjugate, which, Q);
        if (extremes)
            carom_hex8_sum_add(law, carom_batch_lame(at), y, conjugate, C, &j, &sum);
    }
    if (extremes)
        carom_hex8_sum_take(law, carom_batch_lame(at), &sum, dx, dX, at->e, extremes);
    carom_hex8_forces(Q, f);
    carom_batch_put(at, 8, f);
}

// One point: the law at the mean F, and the hourglass forces, which resist deviations of c4 to c7 from the affine map F
// (hex8.c).
CAROM_INLINE void carom_hex8_force_mean(const carom_element_batch *at, carom_kernel_law law, carom_extremes *extremes) {
    carom_lanes q[CAROM_HEX8_DOFS], c[8][3], R[8][3], b[7][3], j, F[9], P[9], volume, f[CAROM_HEX8_DOFS];
    carom_batch_take_reference(at, 8, q);
    carom_hex8_coefficients(q, R);
    carom_hex8_mean_gradients(R, b, &j);
    carom_batch_take(at, 8, q);
    carom_hex8_coefficients(q, c);
    carom_lanes scale = 1.0 / j;
    carom_hex8_mean_map(c, b, &scale, F);
    carom_hex8_volume(&j, &volume);
    if (law == CAROM_KERNEL_FLOW)
        carom_batch_flow(at, 0, &volume, F, P);
    else
        carom_kernel_stress(law, carom_batch_lame(at), F, P);
    if (extremes)
        carom_extremes_take(law, carom_batch_lame(at), F, P, at->e, extremes);
    carom_hex8_one_point(carom_batch_factor(at), c, R, b, &scale, F, P, f);
    carom_batch_put(at, 8, f);
}

CAROM_INLINE void carom_hex8_force(const carom_element_batch *at, carom_kernel_law law, carom_extremes *extremes) {
    if (at->one_point)
        carom_hex8_force_mean(at, law, extremes);
    else
        carom_hex8_force_full(at, law, extremes);
}

// Full integration: the sum of W(H) j over the points, with H = (du/dr) C^T / j. Maps lack the factor 1/8, j the factor 1/512.
CAROM_INLINE void carom_hex8_energy_full(const carom_element_batch *at, carom_kernel_law law, carom_lanes *sum) {
    carom_lanes q[CAROM_HEX8_DOFS], u[CAROM_HEX8_DOFS], dX[3][4][3], du[3][4][3];
    carom_batch_displace(at, 8, q, u);
    carom_lanes_clear(1, sum);
    carom_hex8_derivatives(q, dX);
    carom_hex8_derivatives(u, du);
    // not unrolled: that would only lengthen the compilation
    CAROM_ROLLED
    for (int point = 0; point < 8; point++) {
        carom_lanes C[9], H[9], j, W;
        carom_hex8_gradient(dX, du, point, C, &j, H);
        carom_kernel_energy(law, carom_batch_lame(at), H, &W);
        *sum += j * W;
    }
    *sum *= 1.0 / 512;
}

// One point: V W(H) + kappa/2 sum_a |c_a - H R_a|^2 with the coefficients c of the displacements and R of the reference. All
// coefficients are eight times the true ones, hence the factor 1/64.
CAROM_INLINE void carom_hex8_energy_mean(const carom_element_batch *at, carom_kernel_law law, carom_lanes *sum) {
    carom_lanes q[CAROM_HEX8_DOFS], u[CAROM_HEX8_DOFS], R[8][3], c[8][3], b[7][3], j, scale, H[9], W, kappa, square;
    carom_batch_displace(at, 8, q, u);
    carom_lanes_clear(1, &square);
    carom_hex8_mean_gradient(q, u, R, c, b, &j, &scale, H);
    carom_hex8_kappa(carom_batch_factor(at), b, &scale, &kappa);
    carom_kernel_energy(law, carom_batch_lame(at), H, &W);
    for (int a = 4; a < 8; a++)
        for (int i = 0; i < 3; i++) {
            carom_lanes d = c[a][i] - (H[3 * i] * R[a][0] + H[3 * i + 1] * R[a][1] + H[3 * i + 2] * R[a][2]);
            square += d * d;
        }
    *sum = (1.0 / 64) * (j * W + 0.5 * kappa * square);
}

CAROM_INLINE void carom_hex8_energy(const carom_element_batch *at, carom_kernel_law law, carom_lanes *W) {
    if (at->one_point)
        carom_hex8_energy_mean(at, law, W);
    else
        carom_hex8_energy_full(at, law, W);
}

// The maps of a point: y, and the cofactors C and the determinant j of the reference map.
CAROM_INLINE void carom_shape_check(const carom_solid_shape *shape, int n, int q, const carom_lanes *X, const carom_lanes *x,
                                    carom_lanes y[9], carom_lanes C[9], carom_lanes *j) {
    carom_lanes Y[9];
    carom_shape_map(shape, n, q, X, Y);
    carom_shape_map(shape, n, q, x, y);
    carom_kernel_cofactor(Y, C, j);
}

// The mean of F^T F.
CAROM_INLINE void carom_shape_mean_right(const carom_solid_shape *shape, int n, int points, const carom_lanes *X,
                                         const carom_lanes *x, const carom_lanes *volume, carom_lanes right[6]) {
    carom_lanes_clear(6, right);
    CAROM_ROLLED
    for (int q = 0; q < points; q++) {
        carom_lanes y[9], C[9], j, F[9], own[6];
        carom_shape_check(shape, n, q, X, x, y, C, &j);
        carom_kernel_unmap(y, C, &j, F);
        carom_kernel_gram(F, own);
        for (int c = 0; c < 6; c++)
            right[c] += j / *volume * own[c];
    }
}

// f_a = -sum_q w_q P C dN_a/dr
CAROM_INLINE void carom_shape_force(const carom_element_batch *at, int n, int points, carom_kernel_law law,
                                    carom_extremes *extremes) {
    const carom_solid_shape *shape = carom_batch_solid(at);
    carom_lanes X[3 * CAROM_SOLID_NODES], x[3 * CAROM_SOLID_NODES], f[3 * CAROM_SOLID_NODES], right[6];
    carom_hex8_sum sum;
    memset(&sum, 0, sizeof sum);
    carom_batch_take_reference(at, n, X);
    carom_batch_take(at, n, x);
    carom_lanes_clear(3 * n, f);
    CAROM_ROLLED
    for (int q = 0; q < points; q++) {
        carom_lanes y[9], C[9], j, Q[9];
        carom_shape_check(shape, n, q, X, x, y, C, &j);
        if (law == CAROM_KERNEL_FLOW) {
            carom_lanes F[9], P[9], volume = shape->weight[q] * j;
            carom_kernel_unmap(y, C, &j, F);
            carom_batch_flow(at, q, &volume, F, P);
            carom_kernel_conjugate(P, C, Q);
        } else
            carom_kernel_mapped(law, carom_batch_lame(at), y, C, &j, Q);
        for (int d = 0; d < 3 * n; d++) {
            const double *dN = shape->dN[q][d / 3];
            f[d] -= shape->weight[q] * (Q[d % 3 * 3] * dN[0] + Q[d % 3 * 3 + 1] * dN[1] + Q[d % 3 * 3 + 2] * dN[2]);
        }
        if (extremes)
            carom_hex8_sum_add(law, carom_batch_lame(at), y, Q, C, &j, &sum);
    }
    carom_batch_put(at, n, f);
    if (!extremes || !carom_hex8_sum_compare(law, carom_batch_lame(at), points, &sum, at->e, extremes))
        return;
    carom_shape_mean_right(shape, n, points, X, x, &sum.volume, right);
    carom_extremes_give_right(extremes, at->e, right);
}

CAROM_INLINE void carom_shape_energy(const carom_element_batch *at, int n, int points, carom_kernel_law law, carom_lanes *sum) {
    const carom_solid_shape *shape = carom_batch_solid(at);
    carom_lanes X[3 * CAROM_SOLID_NODES], u[3 * CAROM_SOLID_NODES];
    carom_batch_displace(at, n, X, u);
    carom_lanes_clear(1, sum);
    CAROM_ROLLED
    for (int q = 0; q < points; q++) {
        carom_lanes U[9], C[9], j, H[9], W;
        carom_shape_check(shape, n, q, X, u, U, C, &j);
        carom_kernel_unmap(U, C, &j, H);
        carom_kernel_energy(law, carom_batch_lame(at), H, &W);
        *sum += shape->weight[q] * j * W;
    }
}

CAROM_INLINE void carom_wedge6_force(const carom_element_batch *at, carom_kernel_law law, carom_extremes *extremes) {
    carom_shape_force(at, 6, 6, law, extremes);
}

CAROM_INLINE void carom_wedge6_energy(const carom_element_batch *at, carom_kernel_law law, carom_lanes *W) {
    carom_shape_energy(at, 6, 6, law, W);
}

// Triangles and quadrilaterals; the component along z stays zero.
CAROM_INLINE void carom_sheet_force(const carom_element_batch *at, int node_count, const carom_sheet *sheet) {
    carom_lanes q[CAROM_PLANE_DOFS_MAX], q0[CAROM_PLANE_DOFS_MAX], f[CAROM_PLANE_DOFS_MAX];
    carom_lanes_clear(CAROM_PLANE_DOFS_MAX, f);
    carom_batch_take(at, node_count, q);
    carom_batch_take_reference(at, node_count, q0);
    if (node_count == 3)
        carom_plane_triangle(sheet, q, q0, f);
    else
        carom_plane_quadrilateral(sheet, q, q0, f);
    carom_batch_put(at, node_count, f);
}

#endif
