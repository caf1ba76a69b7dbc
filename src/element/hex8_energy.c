// SPDX-License-Identifier: MIT
// Energies of bricks, eight at a time: those of H = F - I = (du/dr) C^T / j, from displacements u (hex8_kernel.c has the maps).
#include "element/hex8_lanes.h"
#include "element/kernel_energy.h"

// Displacements of eight bricks, and their reference positions.
CAROM_INLINE void displacements(const carom_block *block, int e0, const double (*x)[3], const double (*X)[3], carom_lanes *q,
                                carom_lanes *u) {
    carom_kernel_gather(block, 8, e0, X, q);
    carom_kernel_gather(block, 8, e0, x, u);
    for (int d = 0; d < CAROM_HEX8_DOFS; d++)
        u[d] = u[d] - q[d];
}

// Full integration: the sum of W(H) j over the points. Maps lack the factor 1/8, j the factor 1/512.
CAROM_INLINE void batch(const carom_block *block, int e0, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *energy, carom_kernel_law law, carom_lame m) {
    carom_lanes q[CAROM_HEX8_DOFS], u[CAROM_HEX8_DOFS], dX[3][4][3], du[3][4][3], sum = {0};
    displacements(block, e0, x, X, q, u);
    carom_hex8_derivatives(q, dX);
    carom_hex8_derivatives(u, du);
    // eight copies of this loop take the compiler long and gain nothing
#pragma GCC unroll 1
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
        sum += j * W;
    }
    sum *= 1.0 / 512;
    carom_kernel_put_energy(&sum, e0, begin, end, energy);
}

// One point: V W(H) + kappa/2 sum_a |c_a - H R_a|^2 with the coefficients c of the displacements, eight times the true ones.
CAROM_INLINE void batch_one_point(const carom_block *block, int e0, int begin, int end, const double (*x)[3],
                                  const double (*X)[3], double *energy, carom_kernel_law law, carom_lame m, double hourglass) {
    carom_lanes q[CAROM_HEX8_DOFS], u[CAROM_HEX8_DOFS], R[8][3], c[8][3], b[7][3], j, H[9], W, kappa, square = {0};
    displacements(block, e0, x, X, q, u);
    carom_hex8_coefficients(q, R);
    carom_hex8_coefficients(u, c);
    carom_hex8_mean_gradients(R, b, &j);
    carom_lanes scale = 1.0 / j;
    carom_hex8_kappa(0.5 * hourglass * m.mu, b, &scale, &kappa);
    carom_hex8_mean_map(c, b, &scale, H);
    carom_kernel_energy(law, m, H, &W);
    for (int a = 4; a < 8; a++)
        for (int i = 0; i < 3; i++) {
            carom_lanes d = c[a][i] - (H[3 * i] * R[a][0] + H[3 * i + 1] * R[a][1] + H[3 * i + 2] * R[a][2]);
            square += d * d;
        }
    W = (1.0 / 64) * (j * W + 0.5 * kappa * square);
    carom_kernel_put_energy(&W, e0, begin, end, energy);
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *energy, carom_kernel_law law) {
    carom_lame m = carom_elastic_lame(block->material_params);
    const carom_hex8_params *p = block->params;
    bool full = p->integration == CAROM_HEX8_FULL;
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        if (full)
            batch(block, e0, begin, end, x, X, energy, law, m);
        else
            batch_one_point(block, e0, begin, end, x, X, energy, law, m, p->hourglass);
    }
}

CAROM_KERNEL_LAWS(energy_of_law, range(block, begin, end, x, X, energy, law),
                  (const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *energy),
                  (block, begin, end, x, X, energy))

void carom_hex8_energy(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                       double *energy) {
    if (carom_kernel_law_of(block->material) == CAROM_KERNEL_NONE)
        carom_hex8_energy_plain(block, begin, end, x, X, energy);
    else
        energy_of_law(block, begin, end, x, X, energy);
}
