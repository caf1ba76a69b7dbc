// SPDX-License-Identifier: MIT
// A flat disc of triangles around its centre: ring r of n has 6 r equally spaced nodes at the radius R r/n, so that all inner
// nodes have six neighbours. Between rings r and r + 1, each of the six sectors has r + 1 triangles that point inward and r
// that point outward: 6 n^2 in all (Cirak & West 2005, the plate of 3456 elements).
#include <math.h>
#include <stdlib.h>

#include "math/functions.h"
#include "mesh/generate/sides.h"
#include "mesh/mesh.h"
#include "mesh/rows.h"

static const carom_param params[] = {
    CAROM_ROW_POINT(carom_hexagonal_disc_params, center, "[0, 0, 0]", "Centre of the disc."),
    CAROM_ROW_LENGTH(carom_hexagonal_disc_params, radius, "1", "Radius."),
    CAROM_ROW_COUNT(carom_hexagonal_disc_params, rings, 1, NULL, "Rings around the centre; there are 6 rings^2 triangles."),
};

static double cell_count(const void *params_) {
    const carom_hexagonal_disc_params *p = params_;
    return 6.0 * p->rings * p->rings;
}

// Node `step` of ring r, counted around. Rings before it have 1 + 6 (1 + 2 + ... + (r - 1)) = 1 + 3 r (r - 1) nodes.
static int node_at(int r, int step) {
    return r == 0 ? 0 : 1 + 3 * r * (r - 1) + step % (6 * r);
}

static carom_status generate(const void *params_, carom_mesh *mesh, carom_error *error) {
    const carom_hexagonal_disc_params *p = params_;
    int n = p->rings;
    carom_status status = carom_mesh_allocate(mesh, 1 + 3 * (int64_t)n * (n + 1), CAROM_CELL_TRI3, 6 * (int64_t)n * n, error);
    if (status)
        return status;
    int *cell = mesh->blocks[0].nodes;
    for (int r = 0; r <= n; r++)
        // The centre is ring 0, with one node.
        for (int step = 0; step < 6 * r || step == 0; step++) {
            double angle = r ? M_PI / 3 * step / r : 0, *x = mesh->nodes[node_at(r, step)];
            x[0] = p->center[0] + p->radius * r / n * carom_cos(angle);
            x[1] = p->center[1] + p->radius * r / n * carom_sin(angle);
            x[2] = p->center[2];
        }
    for (int r = 0; r < n; r++)
        for (int sector = 0; sector < 6; sector++)
            for (int i = 0; i <= r; i++) {
                // Sector s of ring r begins at step s r; the step after the last one of the sixth sector wraps to the first.
                int inner = node_at(r, sector * r + i), outer = node_at(r + 1, sector * (r + 1) + i);
                int outer_next = node_at(r + 1, sector * (r + 1) + i + 1);
                // The triangle that points inward, and next to it the one that points outward; the last place of a sector
                // has only the former.
                cell[0] = inner, cell[1] = outer, cell[2] = outer_next;
                cell += 3;
                if (i == r)
                    continue;
                cell[0] = inner, cell[1] = outer_next, cell[2] = node_at(r, sector * r + i + 1);
                cell += 3;
            }

    // Nodes of the rim are those of ring n. The edges between them are found like those of any other mesh.
    static const char *const names[] = {"rim", NULL};
    status = carom_mesh_finish_plane(mesh, false, NULL, names, error);
    return status ? status : carom_mesh_add_set(mesh, "center", (const int[]){0}, 1, error);
}

const carom_generator carom_generator_hexagonal_disc = {
    CAROM_GENERATOR_KIND("hexagonal-disc", carom_hexagonal_disc_params, params,
                         "A flat disc across z of triangles in rings. Sets: center, rim.",
                         "F. Cirak, M. West: Decomposition contact response (DCR) for explicit finite element dynamics. "
                         "Int. J. Numer. Meth. Engng 64 (2005) 1078-1110; the plate of 3456 elements."),
    .cell_count = cell_count,
    .generate = generate,
};
