// SPDX-License-Identifier: MIT
// How far solids have turned, eight at a time, by the operations of solid_point.c in their order: each lane has the bits of a
// single element.
#include <math.h>
#include <string.h>

#include "element/kernel_law.h"
#include "element/solid_point.h"
#include "math/vec3.h"

CAROM_INLINE void roots(carom_lanes *x) {
    for (int l = 0; l < CAROM_LANES; l++)
        (*x)[l] = sqrt((*x)[l]);
}

// Adds the gradients of point q times its volume, and the volume.
CAROM_INLINE void add_point(const carom_solid_shape *shape, int q, const carom_lanes *X, carom_lanes g[][3],
                            carom_lanes *volume) {
    carom_lanes J[3][3], C[3][3];
    memset(J, 0, sizeof J);
    for (int a = 0; a < shape->node_count; a++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                J[i][j] += X[3 * a + i] * shape->dN[q][a][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            C[i][j] = J[i1][j1] * J[i2][j2] - J[i1][j2] * J[i2][j1];
        }
    carom_lanes det = J[0][0] * C[0][0] + J[0][1] * C[0][1] + J[0][2] * C[0][2], own = shape->weight[q] * det;
    *volume += own;
    for (int a = 0; a < shape->node_count; a++)
        for (int i = 0; i < 3; i++) {
            const double *dN = shape->dN[q][a];
            carom_lanes one = (C[i][0] * dN[0] + C[i][1] * dN[1] + C[i][2] * dN[2]) / det;
            // a single point is its own mean, to the last bit
            g[a][i] = shape->point_count > 1 ? g[a][i] + own * one : one;
        }
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *measures, const carom_solid_shape *shape) {
    int n = shape->node_count;
    for (int e0 = begin; e0 < end; e0 += CAROM_LANES, measures += CAROM_LANES * CAROM_TURN_MEASURES) {
        carom_lanes start[3 * CAROM_SOLID_NODES], now[3 * CAROM_SOLID_NODES], g[CAROM_SOLID_NODES][3], volume = {0}, F[9];
        memset(g, 0, sizeof g);
        memset(F, 0, sizeof F);
        carom_kernel_gather(block, n, e0, X, start);
        carom_kernel_gather(block, n, e0, x, now);
        // eight copies of this loop take the compiler long and gain nothing
#pragma GCC unroll 1
        for (int q = 0; q < shape->point_count; q++)
            add_point(shape, q, start, g, &volume);
        carom_lanes square = {0}, slope = {0};
        for (int a = 0; a < n; a++) {
            for (int i = 0; i < 3; i++)
                g[a][i] = shape->point_count > 1 ? g[a][i] / volume : g[a][i];
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    F[3 * i + j] += (now[3 * a + i] - start[3 * a + i]) * g[a][j];
            carom_lanes length = g[a][0] * g[a][0] + g[a][1] * g[a][1] + g[a][2] * g[a][2];
            roots(&length);
            slope += length;
        }
        for (int i = 0; i < 3; i++)
            F[4 * i] += 1.0;
        for (int c = 0; c < 9; c++)
            square += F[c] * F[c];
        roots(&square);
        carom_lanes a0 = 0.5 * (F[7] - F[5]), a1 = 0.5 * (F[2] - F[6]), a2 = 0.5 * (F[3] - F[1]);
        carom_lanes turn = a0 * a0 + a1 * a1 + a2 * a2;
        roots(&turn);
        carom_lanes_store(&turn, measures + CAROM_LANES * CAROM_TURN_SINE);
        carom_lanes_store(&square, measures + CAROM_LANES * CAROM_TURN_NORM);
        carom_lanes_store(&slope, measures + CAROM_LANES * CAROM_TURN_SLOPE);
    }
}

CAROM_KERNEL(tet4, (const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *measures),
             (block, begin, end, x, X, measures), range(block, begin, end, x, X, measures, &carom_shape_tet4))

CAROM_KERNEL(hex8, (const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *measures),
             (block, begin, end, x, X, measures), range(block, begin, end, x, X, measures, &carom_shape_hex8))

// Plane elements, one at a time.
static void plane(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *measures) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    for (int e = begin; e < end; e++) {
        const int *nodes = &block->nodes[shape->node_count * e];
        carom_solid_point point = shape->point_count > 1 ? carom_solid_mean_point(shape, block, nodes, X)
                                                         : carom_solid_point_of(shape, block, nodes, 0, X);
        double F[9], square = 0, slope = 0;
        carom_solid_deformation(shape, nodes, &point, x, X, F);
        for (int c = 0; c < 9; c++)
            square += F[c] * F[c];
        for (int a = 0; a < shape->node_count; a++)
            slope += carom_norm(point.g[a]);
        const double axial[3] = {0.5 * (F[7] - F[5]), 0.5 * (F[2] - F[6]), 0.5 * (F[3] - F[1])};
        measures[carom_lane(e - begin, CAROM_TURN_SINE, CAROM_TURN_MEASURES)] = carom_norm(axial);
        measures[carom_lane(e - begin, CAROM_TURN_NORM, CAROM_TURN_MEASURES)] = sqrt(square);
        measures[carom_lane(e - begin, CAROM_TURN_SLOPE, CAROM_TURN_MEASURES)] = slope;
    }
}

void carom_solid_turns(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                       double *measures) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    if (shape == &carom_shape_tet4)
        tet4(block, begin, end, x, X, measures);
    else if (shape == &carom_shape_hex8)
        hex8(block, begin, end, x, X, measures);
    else
        plane(block, begin, end, x, X, measures);
}
