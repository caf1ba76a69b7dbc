// SPDX-License-Identifier: MIT
// The stored energy of the elastic laws, lane by lane, and of tetrahedra and bricks, for batches and for threads of a device.
// All take H = F - I, made of displacements: first-order terms are cancelled on paper, and the energy of a small strain keeps
// its relative accuracy, on which the ledger rests. The formulas are those of src/material; the conformance tests compare the
// two. C and C++.
#ifndef CAROM_ELEMENT_SOLID_ENERGY_BODY_H
#define CAROM_ELEMENT_SOLID_ENERGY_BODY_H

#include <math.h>

#include "element/solid/hex8_body.h"
#include "element/solid/tet4_body.h"
#include "material/lanes/stress.h"

// W = lambda/2 (tr e)^2 + mu e:e with e = (H + H^T)/2.
CAROM_INLINE void carom_kernel_energy_linear(carom_lame m, const carom_lanes H[9], carom_lanes *W) {
    carom_lanes trace = H[0] + H[4] + H[8], xy = H[1] + H[3], yz = H[5] + H[7], xz = H[2] + H[6];
    *W =
        0.5 * m.lambda * trace * trace + m.mu * (H[0] * H[0] + H[4] * H[4] + H[8] * H[8] + 0.5 * (xy * xy + yz * yz + xz * xz));
}

// The same in Green's strain, twice which is A = H + H^T + H^T H.
CAROM_INLINE void carom_kernel_energy_st_venant_kirchhoff(carom_lame m, const carom_lanes H[9], carom_lanes *W) {
    carom_lanes xx = 2.0 * H[0] + (H[0] * H[0] + H[3] * H[3] + H[6] * H[6]);
    carom_lanes yy = 2.0 * H[4] + (H[1] * H[1] + H[4] * H[4] + H[7] * H[7]);
    carom_lanes zz = 2.0 * H[8] + (H[2] * H[2] + H[5] * H[5] + H[8] * H[8]);
    carom_lanes xy = H[1] + H[3] + (H[0] * H[1] + H[3] * H[4] + H[6] * H[7]);
    carom_lanes yz = H[5] + H[7] + (H[1] * H[2] + H[4] * H[5] + H[7] * H[8]);
    carom_lanes xz = H[2] + H[6] + (H[0] * H[2] + H[3] * H[5] + H[6] * H[8]), trace = xx + yy + zz;
    *W = 0.125 * m.lambda * trace * trace + 0.25 * m.mu * (xx * xx + yy * yy + zz * zz + 2.0 * (xy * xy + yz * yz + xz * xz));
}

// Infinite where a volume is not positive.
CAROM_INLINE void carom_kernel_energy_forbid(const carom_lanes_bits *answered, carom_lanes *W) {
    carom_lanes infinite;
    carom_lanes_fill(HUGE_VAL, &infinite);
    carom_lanes_choose(answered, W, &infinite, W);
}

// The parabola of the open law in lanes with little volume left; others keep what they have. `t` is J - 1, `excess` is
// (F:F - 3)/2.
CAROM_INLINE void carom_kernel_energy_open(carom_lame m, const carom_lanes *t, const carom_lanes *excess, carom_lanes *W) {
    carom_open_law open = carom_open_law_of(m);
    const double log_J = CAROM_OPEN_LOG;
    carom_lanes d = *t + (1 - CAROM_OPEN_VOLUME), other;
    other = m.mu * *excess + (0.5 * m.lambda * log_J * log_J - m.mu * log_J) + (open.slope + 0.5 * open.curvature * d) * d;
    carom_lanes_bits low = *t + 1.0 < CAROM_OPEN_VOLUME;
    carom_lanes_choose(&low, &other, W, W);
}

// W = mu ((F:F - 3)/2 - ln J) + lambda/2 (ln J)^2 with F:F - 3 = 2 tr H + H:H and J - 1 = tr H + (sum of principal minors) +
// det H.
CAROM_INLINE void carom_kernel_energy_neo_hookean(bool open, carom_lame m, const carom_lanes H[9], carom_lanes *W) {
    carom_lanes trace = H[0] + H[4] + H[8], square = H[0] * H[0], log_J;
    for (int a = 1; a < 9; a++)
        square += H[a] * H[a];
    carom_lanes xy = H[0] * H[4] - H[1] * H[3], yz = H[4] * H[8] - H[5] * H[7], xz = H[0] * H[8] - H[2] * H[6];
    carom_lanes det = H[0] * yz - H[1] * (H[3] * H[8] - H[5] * H[6]) + H[2] * (H[3] * H[7] - H[4] * H[6]);
    carom_lanes t = trace + (xy + yz + xz) + det, excess = trace + 0.5 * square;
    carom_lanes_log1p(&t, &log_J);
    *W = m.mu * (excess - log_J) + 0.5 * m.lambda * (log_J * log_J);
    if (open) {
        carom_kernel_energy_open(m, &t, &excess, W);
        return;
    }
    carom_lanes_bits answered = t > -1.0;
    carom_kernel_energy_forbid(&answered, W);
}

// The law is a constant where this is used, so that only one branch remains.
CAROM_INLINE void carom_kernel_energy(carom_kernel_law law, carom_lame m, const carom_lanes H[9], carom_lanes *W) {
    if (law == CAROM_KERNEL_LINEAR)
        carom_kernel_energy_linear(m, H, W);
    else if (law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF)
        carom_kernel_energy_st_venant_kirchhoff(m, H, W);
    else
        carom_kernel_energy_neo_hookean(law == CAROM_KERNEL_OPEN, m, H, W);
}

// V W(H) of a tetrahedron with displacements u: H = (u1 - u0, u2 - u0, u3 - u0) B.
CAROM_INLINE void carom_tet4_stored(carom_kernel_law law, carom_lame m, const carom_lanes u[CAROM_TET4_DOFS],
                                    const carom_lanes B[9], const carom_lanes *V, carom_lanes *W) {
    carom_lanes H[9];
    carom_tet4_map(u, B, H);
    carom_kernel_energy(law, m, H, W);
    *W = *V * *W;
}

// Of a brick with reference positions q and displacements u, full integration: the sum of W(H) j over the points, with
// H = (du/dr) C^T / j. Maps lack the factor 1/8, j the factor 1/512.
CAROM_INLINE void carom_hex8_stored(carom_kernel_law law, carom_lame m, const carom_lanes *q, const carom_lanes *u,
                                    carom_lanes *sum) {
    carom_lanes dX[3][4][3], du[3][4][3];
    carom_lanes_clear(1, sum);
    carom_hex8_derivatives(q, dX);
    carom_hex8_derivatives(u, du);
    // eight copies of this loop take the compiler long and gain nothing
#ifdef __CUDACC__
#pragma unroll 1
#else
#pragma GCC unroll 1
#endif
    for (int point = 0; point < 8; point++) {
        carom_lanes Y[9], U[9], C[9], H[9], j, W;
        int at[3];
        carom_hex8_point(point, at);
        carom_hex8_map_at(dX, at, Y);
        carom_hex8_map_at(du, at, U);
        carom_kernel_cofactor(Y, C, &j);
        carom_lanes scale = 1.0 / j;
        for (int i = 0; i < 9; i += 3)
            for (int k = 0; k < 3; k++)
                H[i + k] = scale * (U[i] * C[3 * k] + U[i + 1] * C[3 * k + 1] + U[i + 2] * C[3 * k + 2]);
        carom_kernel_energy(law, m, H, &W);
        *sum += j * W;
    }
    *sum *= 1.0 / 512;
}

// One point: V W(H) + kappa/2 sum_a |c_a - H R_a|^2 with the coefficients c of the displacements, eight times the true ones;
// `factor` is hourglass mu/2.
CAROM_INLINE void carom_hex8_one_point_stored(carom_kernel_law law, carom_lame m, double factor, const carom_lanes *q,
                                              const carom_lanes *u, carom_lanes *sum) {
    carom_lanes R[8][3], c[8][3], b[7][3], j, H[9], W, kappa, square;
    carom_lanes_clear(1, &square);
    carom_hex8_coefficients(q, R);
    carom_hex8_coefficients(u, c);
    carom_hex8_mean_gradients(R, b, &j);
    carom_lanes scale = 1.0 / j;
    carom_hex8_kappa(factor, b, &scale, &kappa);
    carom_hex8_mean_map(c, b, &scale, H);
    carom_kernel_energy(law, m, H, &W);
    for (int a = 4; a < 8; a++)
        for (int i = 0; i < 3; i++) {
            carom_lanes d = c[a][i] - (H[3 * i] * R[a][0] + H[3 * i + 1] * R[a][1] + H[3 * i + 2] * R[a][2]);
            square += d * d;
        }
    *sum = (1.0 / 64) * (j * W + 0.5 * kappa * square);
}

#endif
