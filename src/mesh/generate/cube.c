// SPDX-License-Identifier: MIT
// The surface of a cube in triangles, and the grid on it that spheres and balls are mapped from.
#include "mesh/generate/cube.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/generate/sides.h"
#include "mesh/mesh.h"
#include "mesh/rows.h"

static const carom_param params[] = {
    CAROM_ROW_POINT(carom_cube_params, center, "[0, 0, 0]", "Centre of the cube."),
    CAROM_ROW_LENGTH(carom_cube_params, side, "1", "Length of an edge."),
    CAROM_ROW_COUNT(carom_cube_params, divisions, 1, "4", "Cells along an edge; there are 12 divisions^2 triangles."),
};

static double cell_count(const void *params_) {
    const carom_cube_params *p = params_;
    return 12.0 * p->divisions * p->divisions;
}

// Euler's formula for 6 n^2 quadrilaterals with twice as many edges: nodes = edges - faces + 2.
int64_t carom_cube_surface_count(int n) {
    return 6 * (int64_t)n * n + 2;
}

// Nodes are numbered sheet by sheet along z: the full bottom, then rings of 4 n nodes, then the full top.
int64_t carom_cube_surface_node(int n, const int at[3]) {
    int64_t row = n + 1, sheet = row * row, i = at[0], j = at[1], k = at[2];
    if (k == 0)
        return j * row + i;
    if (k == n)
        return sheet + 4 * (int64_t)n * (n - 1) + j * row + i;
    // The ring runs counter-clockwise along y = 0, x = n, y = n and x = 0; each side leaves its last corner to the next one.
    int64_t ring = j == 0 ? i : i == n ? n + j : j == n ? 2 * (int64_t)n + (n - i) : 3 * (int64_t)n + (n - j);
    return sheet + 4 * (int64_t)n * (k - 1) + ring;
}

void carom_cube_surface_square(int n, int64_t q, int corners[4][3]) {
    static const int step[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    int64_t squares = (int64_t)n * n;
    int face = (int)(q / squares), axis = face / 2, high = face % 2;
    // u x v points along the axis on its high side and against it on the low side, so that squares turn as seen from outside.
    int u = (axis + (high ? 1 : 2)) % 3, v = (axis + (high ? 2 : 1)) % 3;
    for (int c = 0; c < 4; c++) {
        corners[c][axis] = high ? n : 0;
        corners[c][u] = (int)(q % squares % n) + step[c][0];
        corners[c][v] = (int)(q % squares / n) + step[c][1];
    }
}

// Shared nodes are written several times with the same coordinates.
carom_status carom_cube_surface_mesh(int n, carom_mesh *mesh, carom_error *error) {
    carom_status status = carom_mesh_allocate(mesh, carom_cube_surface_count(n), CAROM_CELL_TRI3, 12 * (int64_t)n * n, error);
    if (status)
        return status;
    int *cell = mesh->blocks[0].nodes;
    for (int64_t q = 0; q < 6 * (int64_t)n * n; q++) {
        int corners[4][3], nodes[4];
        carom_cube_surface_square(n, q, corners);
        for (int c = 0; c < 4; c++) {
            nodes[c] = (int)carom_cube_surface_node(n, corners[c]);
            for (int i = 0; i < 3; i++)
                // The cube [-1, 1]^3, to be scaled or mapped to a sphere by the caller.
                mesh->nodes[nodes[c]][i] = 2.0 * corners[c][i] / n - 1;
        }
        // The diagonals join corners of an inscribed tetrahedron, (0,0,0), (1,1,0), (1,0,1), (0,1,1): on low faces it has the
        // corner (0, 0), on high ones it does not.
        int first = q / ((int64_t)n * n) % 2 ? 1 : 0;
        for (int t = 0; t < 2; t++, cell += 3)
            for (int i = 0; i < 3; i++)
                cell[i] = nodes[(first + (i ? i + t : 0)) % 4];
    }
    return CAROM_OK;
}

static carom_status generate(const void *params_, carom_mesh *mesh, carom_error *error) {
    static const char *const names[] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax", NULL};
    const carom_cube_params *p = params_;
    carom_status status = carom_cube_surface_mesh(p->divisions, mesh, error);
    if (status)
        return status;
    uint8_t *bits = carom_allocate(mesh->node_count, sizeof *bits);
    if (!bits)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the sides of a mesh");
    for (int k = 0; k < mesh->node_count; k++)
        for (int i = 0; i < 3; i++) {
            double *x = &mesh->nodes[k][i];
            // The coordinates -1 and 1 are exact here, before the cube is scaled.
            bits[k] |= (uint8_t)((*x == -1) << 2 * i | (*x == 1) << (2 * i + 1));
            *x = p->center[i] + 0.5 * p->side * *x;
        }

    status = carom_mesh_finish_solid(mesh, false, bits, names, error);
    free(bits);
    return status;
}

const carom_generator carom_generator_cube = {
    CAROM_GENERATOR_KIND("cube", carom_cube_params, params,
                         "The closed surface of a cube, in triangles. Sets: xmin, xmax, ymin, ymax, zmin, zmax, surface.",
                         "F. Cirak, M. West: Decomposition contact response (DCR) for explicit finite element dynamics. "
                         "Int. J. Numer. Meth. Engng 64 (2005) 1078-1110; the cubes of 192 elements."),
    .cell_count = cell_count,
    .generate = generate,
};
