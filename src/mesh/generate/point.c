// SPDX-License-Identifier: MIT
// Generates one node, for point masses.
#include <stddef.h>

#include "base/param.h"
#include "math/vec3.h"
#include "mesh/mesh.h"
#include "mesh/rows.h"

static const carom_param params[] = {
    CAROM_ROW(carom_point_params, at, CAROM_PARAM_VEC3, "length", .doc = "Where it is."),
};

static double cell_count(const void *params_) {
    (void)params_;
    return 1;
}

static carom_status generate(const void *params_, carom_mesh *mesh, carom_error *error) {
    const carom_point_params *p = params_;
    carom_status status = carom_mesh_allocate(mesh, 1, CAROM_CELL_POINT, 1, error);
    if (status)
        return status;
    carom_copy(p->at, mesh->nodes[0]);
    return carom_mesh_add_set(mesh, "point", (const int[]){0}, 1, error);
}

const carom_generator carom_generator_point = {
    CAROM_GENERATOR_KIND("point", carom_point_params, params, "One node. Set: point.", ""),
    .cell_count = cell_count,
    .generate = generate,
};
