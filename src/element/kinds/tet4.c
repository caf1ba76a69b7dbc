// SPDX-License-Identifier: MIT
// Four-node tetrahedron: constant strain, one point. Its kernel (tet4_body.h) reads the inverse of the edge matrix and the
// volume. The element locks if the material is nearly incompressible. `nodal` does not lock, nor does the tetrahedron whose
// change of volume is averaged around nodes, which is a separate element (volume_cell.c).
#include <stddef.h>

#include "base/param.h"
#include "element/average/balanced_volume.h"
#include "element/average/isochoric.h"
#include "element/average/volumes.h"
#include "element/bound.h"
#include "element/element.h"
#include "element/solid/balanced.h"
#include "element/solid/solid_kernel.h"
#include "element/solid/solid_point.h"

static const char *const volumes[] = {"cell", "nodal", NULL};

static const carom_param params[] = {
    CAROM_ROW(carom_tet4_params, volume, CAROM_PARAM_CHOICE, "", .initial = "cell", .choices = volumes,
              .doc =
                  "Where the change of volume is taken. `cell`: in each tetrahedron. `nodal`: averaged around each node, for "
                  "materials that keep their volume; needs a law that splits."),
};

// Minimum number of elements for a parallel preparation; each takes 30 ns.
enum { PARALLEL_MIN = 4096 };

static carom_status prepare(const carom_block *block, const double (*X)[3], double *mass, carom_error *error) {
    carom_status status = carom_solid_prepare(block, X, mass, error);
    if (status)
        return status;
    // The rows of the inverse are the gradients of nodes 1, 2, 3. Lanes past the end repeat the last element.
    int64_t lanes = carom_lanes_size(block->count, 1);
#pragma omp parallel for schedule(static) if (lanes > PARALLEL_MIN)
    for (int e = 0; e < lanes; e++) {
        int source = e < block->count ? e : block->count - 1;
        carom_solid_point p = carom_solid_point_of(&carom_shape_tet4, block, &block->nodes[4 * source], 0, X);
        for (int k = 0; k < 9; k++)
            block->data[carom_lane(e, k, CAROM_TET4_DATA)] = p.g[1 + k / 3][k % 3];
        block->data[carom_lane(e, 9, CAROM_TET4_DATA)] = p.volume;
    }
    return CAROM_OK;
}

static const carom_element *acting(const void *params_) {
    const carom_tet4_params *p = params_;
    return p->volume == CAROM_TET4_NODAL ? &carom_volume_tet4.element : &carom_element_tet4.element;
}

static carom_status accepts(const void *params_, const carom_material *material, carom_error *error) {
    carom_status status = carom_solid_accepts(params_, material, error);
    if (status)
        return status;
    return acting(params_) == &carom_element_tet4.element ? carom_split_refuse_flow("{tet4: {volume: nodal}}", material, error)
                                                          : carom_split_accepts("volume: nodal", material, error);
}

#define KIND                                                                                   \
    {                                                                                          \
        .name = "tet4", .summary = "Four-node tetrahedron, constant strain.", .reference = "", \
        CAROM_PARAMS(params, carom_tet4_params)                                                \
    }
#define COMMON                                                                                                 \
    .kind = KIND, .nonnegative = true, .cell = CAROM_CELL_TET4, .node_count = 4, .data_size = CAROM_TET4_DATA, \
    .needs_material = true, .fields = CAROM_SOLID_FIELDS, .accepts = accepts, .points = carom_solid_points,    \
    .prepare = prepare, .stiffens = carom_solid_stiffens, .turns_freely = carom_solid_turns_freely,            \
    .volume = carom_solid_volume, .field = carom_solid_field, .show = carom_solid_fields

const carom_solid_element carom_element_tet4 = {
    .element = {COMMON, .energy = carom_solid_kernel_energy, .force = carom_solid_kernel_force,
                .stiffness = carom_solid_stiffness, .stable_step = carom_solid_stable_step, .body_step = carom_solid_body_step,
                .bound = carom_solid_bound, .single = carom_tet4_single, .balanced = carom_solid_balanced, .acting = acting},
    .shape = &carom_shape_tet4,
};

const carom_solid_element carom_volume_tet4 = {
    .element = {COMMON, .energy = carom_volume_energy, .force = carom_volume_force, .stiffness = carom_volume_stiffness,
                .stable_step = carom_volume_stable_step, .body_step = carom_volume_body_step, .bound = carom_volume_bound,
                .balanced = carom_volume_balanced, .arrange = carom_volume_arrange, .parted = true},
    .shape = &carom_shape_tet4,
};
