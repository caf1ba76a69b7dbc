// SPDX-License-Identifier: MIT
// Forces of bricks, eight at a time.
//
// The trilinear map is x(r, s, t) = c0 + c1 r + c2 s + c3 t + c4 rs + c5 st + c6 tr + c7 rst. Its eight coefficients are sums
// and differences of the nodes, and its derivatives at the Gauss points (+-g, +-g, +-g) are sums and differences of
// coefficients,
//
//     dx/dr = c1 + s c4 + t c6 + st c7,   dx/ds = c2 + t c5 + r c4 + tr c7,   dx/dt = c3 + r c6 + s c5 + rs c7,
//
// each of which takes only four values. Forces follow the transposed way. No shape function is ever multiplied with a node, and
// the cost is that of the law at eight points. With Y = dX/dr of the reference positions, C its cofactors and j = det Y,
//
//     F = (dx/dr) Y^-1 = (dx/dr) C^T / j,   conjugate to dx/dr:  Q = j P Y^-T = P C.
#include "element/j2_batch.h"
#include "element/solid/hex8_lanes.h"
#include "element/solid/hex8_peaks.h"

// Laws with history: P C, as carom_kernel_mapped has it.
CAROM_INLINE void flow_mapped(const carom_block *block, int e0, int begin, int end, int point, const carom_lanes y[9],
                              const carom_lanes C[9], const carom_lanes *j, carom_lanes Q[9]) {
    carom_lanes F[9], P[9], volume;
    carom_kernel_unmap(y, C, j, F);
    carom_hex8_point_volume(j, &volume);
    carom_flow_stress_at(block, e0, begin, end, carom_hex8_point_number(point), &volume, F, P);
    carom_kernel_conjugate(P, C, Q);
}

// Eight bricks with full integration.
CAROM_INLINE void batch(const carom_block *block, int e0, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *force, carom_extremes *extremes, carom_kernel_law law, carom_lame m) {
    carom_lanes q[CAROM_HEX8_DOFS], dx[3][4][3], dX[3][4][3];
    carom_kernel_gather(block, 8, e0, X, q);
    carom_hex8_derivatives(q, dX);
    carom_kernel_gather(block, 8, e0, x, q);
    carom_hex8_derivatives(q, dx);

    // conjugates of the derivatives, summed over the points that share them
    carom_lanes Q[3][4][3];
    carom_hex8_sum sum;
    memset(&sum, 0, sizeof sum);
    carom_lanes_clear(36, &Q[0][0][0]);
    for (int point = 0; point < 8; point++) {
        int at[3];
        carom_hex8_point(point, at);
        carom_lanes Y[9], y[9], C[9], j, conjugate[9];
        carom_hex8_map_at(dX, at, Y);
        carom_hex8_map_at(dx, at, y);
        carom_kernel_cofactor(Y, C, &j);
        if (law == CAROM_KERNEL_FLOW)
            flow_mapped(block, e0, begin, end, point, y, C, &j, conjugate);
        else
            carom_kernel_mapped(law, m, y, C, &j, conjugate);
        carom_hex8_collect(conjugate, at, Q);
        if (extremes)
            carom_hex8_sum_add(law, m, y, conjugate, C, &j, &sum);
    }
    if (extremes)
        carom_hex8_sum_take(law, m, &sum, dx, dX, e0, extremes);

    carom_lanes f[CAROM_HEX8_DOFS];
    carom_hex8_forces(Q, f);
    carom_kernel_scatter(f, CAROM_HEX8_DOFS, e0, begin, end, force);
}

// Eight bricks with one point: the law at the mean F, and the resistance of c4 ... c7 to leaving the affine map F (hex8.c).
CAROM_INLINE void batch_one_point(const carom_block *block, int e0, int begin, int end, const double (*x)[3],
                                  const double (*X)[3], double *force, carom_extremes *extremes, carom_kernel_law law,
                                  carom_lame m, double hourglass) {
    carom_lanes q[CAROM_HEX8_DOFS], c[8][3], R[8][3], b[7][3], j, F[9], P[9];
    carom_kernel_gather(block, 8, e0, X, q);
    carom_hex8_coefficients(q, R);
    carom_hex8_mean_gradients(R, b, &j);
    carom_kernel_gather(block, 8, e0, x, q);
    carom_hex8_coefficients(q, c);
    carom_lanes scale = 1.0 / j;
    carom_hex8_mean_map(c, b, &scale, F);
    carom_lanes volume;
    carom_hex8_volume(&j, &volume);
    if (law == CAROM_KERNEL_FLOW)
        carom_flow_stress_at(block, e0, begin, end, 0, &volume, F, P);
    else
        carom_kernel_stress(law, m, F, P);
    if (extremes)
        carom_extremes_take(law, m, F, P, e0, extremes);

    carom_lanes f[CAROM_HEX8_DOFS];
    carom_hex8_one_point(0.5 * hourglass * m.mu, c, R, b, &scale, F, P, f);
    carom_kernel_scatter(f, CAROM_HEX8_DOFS, e0, begin, end, force);
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force,
                        carom_extremes *extremes, carom_kernel_law law) {
    carom_lame m = law == CAROM_KERNEL_FLOW ? carom_flow_lame(block) : carom_elastic_lame(block->material_params);
    const carom_hex8_params *p = block->params;
    bool full = p->integration == CAROM_HEX8_FULL;
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        if (full)
            batch(block, e0, begin, end, x, X, force, extremes, law, m);
        else
            batch_one_point(block, e0, begin, end, x, X, force, extremes, law, m, p->hourglass);
    }
}

CAROM_KERNEL_LAWS(force_of_law, range(block, begin, end, x, X, force, extremes, law),
                  (const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force,
                   carom_extremes *extremes),
                  (block, begin, end, x, X, force, extremes))

CAROM_KERNEL(force_of_flow,
             (const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force),
             (block, begin, end, x, X, force), range(block, begin, end, x, X, force, NULL, CAROM_KERNEL_FLOW))

void carom_hex8_force_watched(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                              double *force, carom_extremes *extremes) {
    force_of_law(block, begin, end, x, X, force, extremes);
}

void carom_hex8_force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force) {
    if (block->history)
        force_of_flow(block, begin, end, x, X, force);
    else if (carom_kernel_law_of(block->material) == CAROM_KERNEL_NONE)
        carom_hex8_force_plain(block, begin, end, x, X, force);
    else
        force_of_law(block, begin, end, x, X, force, NULL);
}
