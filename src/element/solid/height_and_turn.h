// SPDX-License-Identifier: MIT
// Measures of the deformation of solids, for batches and for threads of a device. The height is the least det J/|cof J| over
// the points of an element, J = dx/dr: up to a constant factor its smallest thickness, not positive where it is inverted. The
// turn is the length of the axial vector of the mean deformation gradient, for a rotation the sine of its angle.
#ifndef CAROM_ELEMENT_SOLID_HEIGHT_AND_TURN_H
#define CAROM_ELEMENT_SOLID_HEIGHT_AND_TURN_H

#include <float.h>
#include <math.h>

#include "element/solid/hex8_body.h"
#include "element/solid/shape_body.h"

// det J/|cof J| of a map; for a plane map only the cofactors in the plane.
CAROM_INLINE void carom_shape_height_of(const carom_lanes J[9], int dimension, carom_lanes *height) {
    carom_lanes C[9], det, square, root;
    carom_lanes_clear(1, &square);
    carom_kernel_cofactor(J, C, &det);
    for (int i = 0; i < (dimension == 3 ? 9 : 6); i++)
        square += C[i] * C[i];
    // DBL_MIN avoids 0/0 for an element that has shrunk to a point
    square = square + DBL_MIN;
    carom_lanes_sqrt(&square, &root);
    *height = det / root;
}

// The least height over the points; q are positions of the nodes.
CAROM_INLINE void carom_shape_height(const carom_solid_shape *shape, const carom_lanes *q, carom_lanes *least) {
    carom_lanes_fill(HUGE_VAL, least);
    CAROM_ROLLED
    for (int point = 0; point < shape->point_count; point++) {
        carom_lanes J[9], height;
        carom_lanes_clear(9, J);
        for (int a = 0; a < shape->node_count; a++)
            for (int i = 0; i < shape->dimension; i++)
                for (int j = 0; j < shape->dimension; j++)
                    J[3 * i + j] += q[3 * a + i] * shape->dN[point][a][j];
        // A plane map is completed by 1 normal to the plane.
        if (shape->dimension == 2)
            J[8] = J[8] + 1.0;
        carom_shape_height_of(J, shape->dimension, &height);
        carom_lanes_min(&height, least, least);
    }
}

// A brick with one point uses only the mean of F: its map is this F times the reference map at the centre.
CAROM_INLINE void carom_shape_mean_height(const carom_lanes *start, const carom_lanes *q, carom_lanes *height) {
    carom_lanes R[8][3], c[8][3], b[7][3], j, scale, F[9], J[9];
    carom_hex8_mean_gradient(start, q, R, c, b, &j, &scale, F);
    for (int i = 0; i < 9; i += 3)
        for (int k = 0; k < 3; k++)
            J[i + k] = 0.125 * (F[i] * R[k + 1][0] + F[i + 1] * R[k + 1][1] + F[i + 2] * R[k + 1][2]);
    carom_shape_height_of(J, 3, height);
}

// Adds the gradients of point q, weighted by its volume, and the volume.
CAROM_INLINE void carom_shape_add_point(const carom_solid_shape *shape, int q, const carom_lanes *X, carom_lanes g[][3],
                                        carom_lanes *volume) {
    carom_lanes own[CAROM_SOLID_NODES][3], size;
    carom_shape_point(shape, shape->node_count, q, X, own, &size);
    *volume += size;
    for (int a = 0; a < shape->node_count; a++)
        for (int i = 0; i < 3; i++)
            // the mean of a single point is exactly its gradient, without a division by the volume
            g[a][i] = shape->point_count > 1 ? g[a][i] + size * own[a][i] : own[a][i];
}

// For the mean F and its gradients g_a: |axial vector of (F - F^T)/2|, |F|, and the sum of |g_a| over the nodes.
CAROM_INLINE void carom_shape_turn(const carom_solid_shape *shape, const carom_lanes *start, const carom_lanes *now,
                                   carom_lanes *turn, carom_lanes *norm, carom_lanes *slope) {
    carom_lanes g[CAROM_SOLID_NODES][3], volume, F[9], square;
    carom_lanes_clear(1, &volume);
    carom_lanes_clear(1, &square);
    carom_lanes_clear(1, slope);
    carom_lanes_clear(3 * CAROM_SOLID_NODES, &g[0][0]);
    carom_lanes_clear(9, F);
    CAROM_ROLLED
    for (int q = 0; q < shape->point_count; q++)
        carom_shape_add_point(shape, q, start, g, &volume);
    for (int a = 0; a < shape->node_count; a++) {
        for (int i = 0; i < 3; i++)
            g[a][i] = shape->point_count > 1 ? g[a][i] / volume : g[a][i];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                F[3 * i + j] += (now[3 * a + i] - start[3 * a + i]) * g[a][j];
        carom_lanes length = g[a][0] * g[a][0] + g[a][1] * g[a][1] + g[a][2] * g[a][2];
        carom_lanes_sqrt(&length, &length);
        *slope += length;
    }
    for (int i = 0; i < 3; i++)
        F[4 * i] += 1.0;
    for (int c = 0; c < 9; c++)
        square += F[c] * F[c];
    carom_lanes_sqrt(&square, norm);
    carom_lanes a0 = 0.5 * (F[7] - F[5]), a1 = 0.5 * (F[2] - F[6]), a2 = 0.5 * (F[3] - F[1]);
    *turn = a0 * a0 + a1 * a1 + a2 * a2;
    carom_lanes_sqrt(turn, turn);
}

#endif
