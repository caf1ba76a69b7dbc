// SPDX-License-Identifier: MIT
// Jacobian, gradients of the shape functions and deformation gradient at the quadrature points of solids of any shape in space,
// for batches and for threads of a device. The operations and their order are those of solid_point.c, so that each lane has the
// bits of a single element.
#ifndef CAROM_ELEMENT_SOLID_SHAPE_BODY_H
#define CAROM_ELEMENT_SOLID_SHAPE_BODY_H

#include "element/solid_shape.h"
#include "material/lanes/stress.h"

// Any shape of n nodes: y = sum_a x_a (x) dN_a/dr.
CAROM_INLINE void carom_shape_map(const carom_solid_shape *shape, int n, int q, const carom_lanes *x, carom_lanes y[9]) {
    carom_lanes_clear(9, y);
    for (int a = 0; a < n; a++)
        for (int i = 0; i < 9; i++)
            y[i] += shape->dN[q][a][i % 3] * x[3 * a + i / 3];
}

// The gradients of the nodes at a point, and its volume.
CAROM_INLINE void carom_shape_point(const carom_solid_shape *shape, int n, int q, const carom_lanes *X, carom_lanes (*g)[3],
                                    carom_lanes *volume) {
    carom_lanes J[9], C[9], det;
    carom_shape_map(shape, n, q, X, J);
    carom_kernel_cofactor(J, C, &det);
    *volume = shape->weight[q] * det;
    for (int a = 0; a < n; a++)
        for (int i = 0; i < 3; i++) {
            const double *dN = shape->dN[q][a];
            g[a][i] = (C[3 * i] * dN[0] + C[3 * i + 1] * dN[1] + C[3 * i + 2] * dN[2]) / det;
        }
}

// F from displacements.
CAROM_INLINE void carom_shape_deform(int n, const carom_lanes *u, carom_lanes (*g)[3], carom_lanes F[9]) {
    carom_lanes_clear(9, F);
    for (int a = 0; a < n; a++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                F[3 * i + j] += u[3 * a + i] * g[a][j];
    for (int i = 0; i < 3; i++)
        F[4 * i] += 1.0;
}

#endif
