// SPDX-License-Identifier: MIT
// The surface of a cube.
#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/generate/cube_surface.h"
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
            bits[k] |= (uint8_t)((*x == -1) << 2 * i | (*x == 1) << (2 * i + 1));
            *x = p->center[i] + 0.5 * p->side * *x;
        }

    carom_facet *facets = NULL;
    int count;
    status = carom_mesh_surface(mesh, &facets, &count, error);
    if (!status)
        status = carom_mesh_add_sides(mesh, facets, count, bits, names, error);
    if (!status)
        status = carom_mesh_add_facets(mesh, "surface", facets, count, error);
    free(facets);
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
