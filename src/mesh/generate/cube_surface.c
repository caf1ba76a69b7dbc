// SPDX-License-Identifier: MIT
// Nodes are numbered sheet by sheet along z: the full bottom, then rings of 4 n nodes, then the full top.
#include "mesh/generate/cube_surface.h"

#include "mesh/mesh.h"

int64_t carom_cube_surface_count(int n) {
    return 6 * (int64_t)n * n + 2;
}

int64_t carom_cube_surface_node(int n, const int at[3]) {
    int64_t row = n + 1, sheet = row * row, i = at[0], j = at[1], k = at[2];
    if (k == 0)
        return j * row + i;
    if (k == n)
        return sheet + 4 * (int64_t)n * (n - 1) + j * row + i;
    int64_t ring = j == 0 ? i : i == n ? n + j : j == n ? 2 * (int64_t)n + (n - i) : 3 * (int64_t)n + (n - j);
    return sheet + 4 * (int64_t)n * (k - 1) + ring;
}

void carom_cube_surface_square(int n, int64_t q, int corners[4][3]) {
    static const int step[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    int64_t squares = (int64_t)n * n;
    int face = (int)(q / squares), axis = face / 2, high = face % 2;
    // u x v points along the axis on its high side, against it on the low one
    int u = (axis + (high ? 1 : 2)) % 3, v = (axis + (high ? 2 : 1)) % 3;
    for (int c = 0; c < 4; c++) {
        corners[c][axis] = high ? n : 0;
        corners[c][u] = (int)(q % squares % n) + step[c][0];
        corners[c][v] = (int)(q % squares / n) + step[c][1];
    }
}

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
                mesh->nodes[nodes[c]][i] = 2.0 * corners[c][i] / n - 1;
        }
        // on low faces the corner at 0, 0 belongs to the tetrahedron with (0,0,0), (1,1,0), (1,0,1), (0,1,1), on high ones not
        int first = q / ((int64_t)n * n) % 2 ? 1 : 0;
        for (int t = 0; t < 2; t++, cell += 3)
            for (int i = 0; i < 3; i++)
                cell[i] = nodes[(first + (i ? i + t : 0)) % 4];
    }
    return CAROM_OK;
}
