// SPDX-License-Identifier: MIT
// Forces of bricks with mean dilatation, eight at a time (dilated.c has the equations, hex8_kernel.c the maps). The mean of J
// needs all points before the first stress, so their maps are kept.
#include "element/dilated.h"
#include "element/hex8_lanes.h"
#include "element/split_lanes.h"

// The determinant of a map that is eight times the true one.
static const double cube = 1.0 / 512;

// The points in the order of the maps, by their numbers in the history, which is that of the shape functions.
static const int number[8] = {0, 1, 3, 2, 4, 5, 7, 6};

typedef struct points {
    carom_lanes F[8][9], C[8][9], j[8]; // deformation; cofactors and determinant of the reference map
    carom_lanes pressure;               // kappa ln J/J of the mean J; NaN where a point is inside out
} points;

// H = (du/dr) C^T/j at all points, and the pressure.
CAROM_INLINE void look(const carom_block *block, int e0, const double (*x)[3], const double (*X)[3], double bulk, points *p) {
    carom_lanes q[CAROM_HEX8_DOFS], u[CAROM_HEX8_DOFS], dX[3][4][3], du[3][4][3], volume = {0}, mean = {0}, least, log_J,
                                                                                  answer;
    carom_kernel_gather(block, 8, e0, X, q);
    carom_kernel_gather(block, 8, e0, x, u);
    for (int d = 0; d < CAROM_HEX8_DOFS; d++)
        u[d] = u[d] - q[d];
    carom_hex8_derivatives(q, dX);
    carom_hex8_derivatives(u, du);
    carom_lanes_fill(1, &least);
    // eight copies of this loop take the compiler long and gain nothing
#pragma GCC unroll 1
    for (int point = 0; point < 8; point++) {
        carom_lanes Y[9], U[9], H[9], growth, *C = p->C[point];
        int at[3];
        carom_hex8_point(point, at);
        carom_hex8_map_at(dX, at, Y);
        carom_hex8_map_at(du, at, U);
        carom_kernel_cofactor(Y, C, &p->j[point]);
        carom_lanes scale = 1.0 / p->j[point];
        for (int i = 0; i < 9; i += 3)
            for (int k = 0; k < 3; k++)
                H[i + k] = scale * (U[i] * C[3 * k] + U[i + 1] * C[3 * k + 1] + U[i + 2] * C[3 * k + 2]);
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

// Conjugates to the derivatives of the map, summed over the points that share them.
CAROM_INLINE void stress(const carom_block *block, int e0, int begin, int end, const points *p, carom_lanes Q[3][4][3]) {
    carom_lanes_clear(36, &Q[0][0][0]);
#pragma GCC unroll 1
    for (int point = 0; point < 8; point++) {
        carom_lanes P[9], D[9], J, volume = cube * p->j[point];
        const carom_lanes *C = p->C[point];
        int at[3];
        carom_hex8_point(point, at);
        carom_split_batch(block, e0, number[point], begin, end, &volume, p->F[point], P);
        carom_kernel_cofactor(p->F[point], D, &J);
        for (int a = 0; a < 9; a++)
            P[a] += p->pressure * D[a];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                Q[k][at[k]][i] += P[3 * i] * C[k] + P[3 * i + 1] * C[3 + k] + P[3 * i + 2] * C[6 + k];
    }
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *force) {
    double bulk = block->material->bulk(block->material_params);
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        points p;
        carom_lanes Q[3][4][3], f[CAROM_HEX8_DOFS];
        look(block, e0, x, X, bulk, &p);
        stress(block, e0, begin, end, &p, Q);
        carom_hex8_forces(Q, f);
        carom_kernel_scatter(f, CAROM_HEX8_DOFS, e0, begin, end, force);
    }
}

CAROM_KERNEL(bricks, (const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force),
             (block, begin, end, x, X, force), range(block, begin, end, x, X, force))

void carom_dilated_hex8_force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                              double *force) {
    bricks(block, begin, end, x, X, force);
}
