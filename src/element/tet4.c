// SPDX-License-Identifier: MIT
// Four-node tetrahedron: constant strain, one point. Its kernel (tet4_kernel.c) reads the inverse of the edge matrix and the
// volume. The element locks if the material is nearly incompressible; `nodal` does not.
#include "element/balanced.h"
#include "element/bound.h"
#include "element/element.h"
#include "element/solid_kernel.h"
#include "element/solid_point.h"

// Elements from which on threads share the preparation, 30 ns for each.
enum { SHARED = 4096 };

static carom_status prepare(const carom_block *block, const double (*X)[3], double *mass, carom_error *error) {
    carom_status status = carom_solid_prepare(block, X, mass, error);
    if (status)
        return status;
    // The rows of the inverse are the gradients of nodes 1, 2, 3. Lanes past the end repeat the last element.
    int64_t lanes = carom_lanes_size(block->count, 1);
#pragma omp parallel for schedule(static) if (lanes > SHARED)
    for (int e = 0; e < lanes; e++) {
        int source = e < block->count ? e : block->count - 1;
        carom_solid_point p = carom_solid_point_of(&carom_shape_tet4, block, &block->nodes[4 * source], 0, X);
        for (int k = 0; k < 9; k++)
            block->data[carom_lane(e, k, CAROM_TET4_DATA)] = p.g[1 + k / 3][k % 3];
        block->data[carom_lane(e, 9, CAROM_TET4_DATA)] = p.volume;
    }
    return CAROM_OK;
}

const carom_solid_element carom_element_tet4 = {
    .element = {.kind = {.name = "tet4", .summary = "Four-node tetrahedron, constant strain.", .reference = ""},
                .nonnegative = true,
                .cell = CAROM_CELL_TET4,
                .node_count = 4,
                .data_size = CAROM_TET4_DATA,
                .needs_material = true,
                .fields = CAROM_SOLID_FIELDS,
                .accepts = carom_solid_accepts,
                .points = carom_solid_points,
                .prepare = prepare,
                .energy = carom_tet4_energy,
                .force = carom_tet4_force,
                .stiffness = carom_solid_stiffness,
                .stable_step = carom_solid_stable_step,
                .body_step = carom_solid_body_step,
                .stiffens = carom_solid_stiffens,
                .bound = carom_solid_bound,
                .volume = carom_solid_volume,
                .single = carom_tet4_single,
                .field = carom_solid_field,
                .show = carom_solid_fields,
                .balanced = carom_solid_balanced},
    .shape = &carom_shape_tet4,
};
