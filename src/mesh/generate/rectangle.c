// SPDX-License-Identifier: MIT
// Generates a flat rectangle in a plane z = const.
#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/generate/sides.h"
#include "mesh/mesh.h"
#include "mesh/rows.h"

static const carom_param params[] = {
    CAROM_ROW_POINT(carom_rectangle_params, from, NULL, "One corner."),
    CAROM_ROW_POINT(carom_rectangle_params, to, NULL, "The opposite corner, at the same z."),
    CAROM_ROW_COUNT(carom_rectangle_params, columns, 1, NULL, "Cells along x."),
    CAROM_ROW_COUNT(carom_rectangle_params, rows, 1, NULL, "Cells along y."),
    CAROM_ROW_PLANE_CELLS(carom_rectangle_params),
};

static double cell_count(const void *params_) {
    const carom_rectangle_params *p = params_;
    return (double)p->columns * p->rows * (p->cells == CAROM_PLANE_TRI3 ? 2 : 1);
}

static carom_status generate(const void *params_, carom_mesh *mesh, carom_error *error) {
    static const char *const names[] = {"xmin", "xmax", "ymin", "ymax", "rim", NULL};
    const carom_rectangle_params *p = params_;
    // Negated, so that NaN is refused too.
    if (!(p->to[0] > p->from[0] && p->to[1] > p->from[1]))
        return carom_fail(error, CAROM_BAD_INPUT, "rectangle: `to` must have a larger x and y than `from`");
    if (p->to[2] != p->from[2])
        return carom_fail(error, CAROM_BAD_INPUT, "rectangle: `from` and `to` must have the same z (turn it with `place`)");

    int n = p->columns, m = p->rows;
    int64_t nodes = ((int64_t)n + 1) * (m + 1);
    carom_status status = carom_mesh_allocate(mesh, nodes, CAROM_CELL_QUAD4, (int64_t)n * m, error);
    if (status)
        return status;
    uint8_t *bits = carom_allocate(nodes, sizeof *bits);
    if (!bits)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the sides of a mesh");
    int *cell = mesh->blocks[0].nodes;
    for (int j = 0; j <= m; j++)
        for (int i = 0; i <= n; i++) {
            int k = j * (n + 1) + i;
            // Weighted from both ends, which are thereby treated equally.
            mesh->nodes[k][0] = (p->from[0] * (n - i) + p->to[0] * i) / n;
            mesh->nodes[k][1] = (p->from[1] * (m - j) + p->to[1] * j) / m;
            mesh->nodes[k][2] = p->from[2];
            // Sides in the order of `names`; the rim is the four of them together.
            bits[k] = (uint8_t)((i == 0) | (i == n) << 1 | (j == 0) << 2 | (j == m) << 3);
            bits[k] = (uint8_t)(bits[k] | (bits[k] > 0) << 4);
            if (i == n || j == m)
                continue;
            cell[0] = k, cell[1] = k + 1, cell[2] = k + n + 2, cell[3] = k + n + 1;
            cell += 4;
        }
    status = carom_mesh_finish_plane(mesh, p->cells == CAROM_PLANE_TRI3, bits, names, error);
    free(bits);
    return status;
}

const carom_generator carom_generator_rectangle = {
    CAROM_GENERATOR_KIND("rectangle", carom_rectangle_params, params,
                         "A flat rectangle across z. Sets: xmin, xmax, ymin, ymax, rim.", ""),
    .cell_count = cell_count,
    .generate = generate,
};
