// SPDX-License-Identifier: MIT
// The smallest height of solids, eight elements at a time: the least det J/|cof J| over the points of an element, J = dx/dr. A
// brick with one point sees the mean of F only: that of the map is F times the one at the centre of the reference.
#include <float.h>
#include <math.h>

#include "element/hex8_lanes.h"
#include "element/point_bound.h"
#include "element/solid_point.h"

// det J/|cof J| of a map; cof of a plane one within the plane.
CAROM_INLINE void height_of(const carom_lanes J[9], int dimension, carom_lanes *height) {
    carom_lanes C[9], det, square = {0}, root;
    carom_kernel_cofactor(J, C, &det);
    for (int i = 0; i < (dimension == 3 ? 9 : 6); i++)
        square += C[i] * C[i];
    // DBL_MIN keeps an element that has shrunk to a point from dividing zero by zero.
    square = square + DBL_MIN;
    carom_lanes_sqrt(&square, &root);
    *height = det / root;
}

CAROM_INLINE void points(const carom_solid_shape *shape, const carom_lanes *q, carom_lanes *least) {
    // eight copies of this loop take the compiler long and gain nothing
#pragma GCC unroll 1
    for (int point = 0; point < shape->point_count; point++) {
        carom_lanes J[9] = {{0}}, height;
        for (int a = 0; a < shape->node_count; a++)
            for (int i = 0; i < shape->dimension; i++)
                for (int j = 0; j < shape->dimension; j++)
                    J[3 * i + j] += q[3 * a + i] * shape->dN[point][a][j];
        // A plane map is completed by 1 across the plane.
        if (shape->dimension == 2)
            J[8] = J[8] + 1.0;
        height_of(J, shape->dimension, &height);
        carom_lanes_min(&height, least, least);
    }
}

CAROM_INLINE void mean(const carom_block *block, int e0, const carom_lanes *q, const double (*X)[3], carom_lanes *height) {
    carom_lanes start[CAROM_HEX8_DOFS], R[8][3], c[8][3], b[7][3], j, F[9], J[9];
    carom_kernel_gather(block, 8, e0, X, start);
    carom_hex8_coefficients(start, R);
    carom_hex8_coefficients(q, c);
    carom_hex8_mean_gradients(R, b, &j);
    carom_lanes scale = 1.0 / j;
    carom_hex8_mean_map(c, b, &scale, F);
    for (int i = 0; i < 9; i += 3)
        for (int k = 0; k < 3; k++)
            J[i + k] = 0.125 * (F[i] * R[k + 1][0] + F[i + 1] * R[k + 1][1] + F[i + 2] * R[k + 1][2]);
    height_of(J, 3, height);
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *height, const carom_solid_shape *shape, bool one_point) {
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        carom_lanes q[3 * CAROM_SOLID_NODES], least;
        carom_lanes_fill(HUGE_VAL, &least);
        carom_kernel_gather(block, shape->node_count, e0, x, q);
        if (one_point)
            mean(block, e0, q, X, &least);
        else
            points(shape, q, &least);
        for (int l = 0; l < CAROM_LANES; l++)
            if (e0 + l >= begin && e0 + l < end)
                height[e0 + l - begin] = least[l];
    }
}

#define HEIGHTS(name, shape, one_point)                                                                                    \
    CAROM_KERNEL(name,                                                                                                     \
                 (const carom_block *block, int begin, int end, const double(*x)[3], const double(*X)[3], double *height), \
                 (block, begin, end, x, X, height), range(block, begin, end, x, X, height, &shape, one_point))

HEIGHTS(tri3, carom_shape_tri3, false)
HEIGHTS(quad4, carom_shape_quad4, false)
HEIGHTS(tet4, carom_shape_tet4, false)
HEIGHTS(hex8, carom_shape_hex8, false)
HEIGHTS(hex8_mean, carom_shape_hex8, true)

void carom_solid_heights(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                         double *height) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    if (carom_solid_is_one_point(block))
        hex8_mean(block, begin, end, x, X, height);
    else if (shape == &carom_shape_hex8)
        hex8(block, begin, end, x, X, height);
    else if (shape == &carom_shape_tet4)
        tet4(block, begin, end, x, X, height);
    else if (shape == &carom_shape_quad4)
        quad4(block, begin, end, x, X, height);
    else
        tri3(block, begin, end, x, X, height);
}
