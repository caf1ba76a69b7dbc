// SPDX-License-Identifier: MIT
// Shape functions of cells at any natural coordinates: products of 1 - u and u along the axes of quadrilaterals and hexahedra;
// barycentric coordinates of tetrahedra; the product of barycentric coordinates of the triangle and 1 - u or u along the third
// axis of wedges.
#include <string.h>

#include "mesh/cell.h"

// Corners of the unit square and, with the third coordinate, of the unit cube, in the order of VTK.
static const int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

static void find_product(int axes, const double u[3], double N[CAROM_CELL_NODES_MAX], double slope[CAROM_CELL_NODES_MAX][3]) {
    for (int k = 0; k < 1 << axes; k++) {
        double factor[3] = {1, 1, 1}, along[3] = {0};
        for (int a = 0; a < axes; a++) {
            factor[a] = corner[k][a] ? u[a] : 1 - u[a];
            along[a] = corner[k][a] ? 1 : -1;
        }
        N[k] = factor[0] * factor[1] * factor[2];
        slope[k][0] = along[0] * factor[1] * factor[2];
        slope[k][1] = factor[0] * along[1] * factor[2];
        slope[k][2] = factor[0] * factor[1] * along[2];
    }
}

// The simplex of `axes` dimensions.
static void find_simplex(int axes, const double u[3], double N[CAROM_CELL_NODES_MAX], double slope[CAROM_CELL_NODES_MAX][3]) {
    memset(slope, 0, (size_t)(axes + 1) * sizeof *slope);
    N[0] = 1;
    for (int a = 0; a < axes; a++) {
        N[0] -= u[a];
        N[a + 1] = u[a];
        slope[0][a] = -1;
        slope[a + 1][a] = 1;
    }
}

void carom_cell_shape(carom_cell_type type, const double u[3], double N[CAROM_CELL_NODES_MAX],
                      double slope[CAROM_CELL_NODES_MAX][3]) {
    if (type != CAROM_CELL_WEDGE6) {
        bool simplex = type == CAROM_CELL_TET4 || type == CAROM_CELL_TRI3;
        (simplex ? find_simplex : find_product)(carom_cell_dimension(type), u, N, slope);
        return;
    }
    find_simplex(2, u, N, slope);
    for (int k = 0; k < 3; k++) {
        N[k + 3] = N[k] * u[2];
        slope[k][2] = -N[k];
        slope[k + 3][2] = N[k];
        N[k] *= 1 - u[2];
        for (int a = 0; a < 2; a++) {
            slope[k + 3][a] = slope[k][a] * u[2];
            slope[k][a] *= 1 - u[2];
        }
    }
}
