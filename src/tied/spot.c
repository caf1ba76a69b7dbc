// SPDX-License-Identifier: MIT
// The tetrahedron of a mesh that contains a point, and the barycentric coordinates of the point in it.
#include "tied/spot.h"

#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "mesh/cell.h"

// A hexahedron as six tetrahedra around one of its diagonals.
static const int split[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};

void carom_spot_weights(const int nodes[4], const double (*X)[3], const double point[3], double weights[4]) {
    double side[3][3], arm[3], across[3];
    for (int i = 0; i < 3; i++)
        carom_difference(X[nodes[i + 1]], X[nodes[0]], side[i]);
    carom_difference(point, X[nodes[0]], arm);
    weights[0] = 1;
    for (int i = 0; i < 3; i++) {
        // Cramer's rule: the volume with one side replaced by the arm, over the volume of the tetrahedron.
        carom_cross(side[(i + 1) % 3], side[(i + 2) % 3], across);
        weights[i + 1] = carom_dot(arm, across) / carom_dot(side[i], across);
        weights[0] -= weights[i + 1];
    }
}

static void try_tetrahedron(const int nodes[4], const double (*X)[3], const double point[3], carom_spot_place *best) {
    double weights[4], least = HUGE_VAL;
    carom_spot_weights(nodes, X, point, weights);
    for (int i = 0; i < 4; i++)
        least = fmin(least, weights[i]);
    // Strictly better, so that the first of equal tetrahedra is taken; a degenerate one gives NaN or infinity.
    double outside = least < 0 ? -least : 0;
    if (!isfinite(weights[0] + weights[1] + weights[2] + weights[3]) || outside >= best->outside)
        return;
    best->outside = outside;
    memcpy(best->nodes, nodes, sizeof best->nodes);
}

bool carom_spot_locate(const carom_mesh *mesh, const double (*X)[3], const double point[3], carom_spot_place *place) {
    *place = (carom_spot_place){.outside = HUGE_VAL};
    for (int b = 0; b < mesh->block_count; b++) {
        const carom_cell_block *cells = &mesh->blocks[b];
        int size = carom_cell_size(cells->type);
        for (int e = 0; carom_cell_dimension(cells->type) == 3 && e < cells->count; e++) {
            const int *nodes = cells->nodes + (ptrdiff_t)e * size;
            for (int t = 0; t < (size > 4 ? 6 : 1); t++) {
                int corners[4];
                for (int i = 0; i < 4; i++)
                    corners[i] = nodes[size == 8 ? split[t][i] : size == 6 ? carom_wedge_as_hex[split[t][i]] : i];
                try_tetrahedron(corners, X, point, place);
            }
        }
    }
    return isfinite(place->outside);
}
