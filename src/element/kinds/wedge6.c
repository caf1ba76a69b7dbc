// SPDX-License-Identifier: MIT
// Six-node wedge (prism): linear over the triangle and along the height, integrated at three points of the triangle times two
// along the height. The loop over points is that of any shape (solid_batch.h), as are mass, stiffness and bound.
#include <stddef.h>

#include "element/average/isochoric.h"
#include "element/bound.h"
#include "element/element.h"
#include "element/solid/balanced.h"
#include "element/solid/solid_kernel.h"
#include "element/solid/solid_point.h"

static carom_status accepts(const void *params, const carom_material *material, carom_error *error) {
    carom_status status = carom_solid_accepts(params, material, error);
    return status ? status
                  : carom_split_refuse_flow("tetrahedra ({file: {prisms: cut}}) with {tet4: {volume: nodal}}", material, error);
}

const carom_solid_element carom_element_wedge6 = {
    .element = {.kind = {.name = "wedge6", .summary = "Six-node wedge (prism), six points.", .reference = ""},
                .nonnegative = true,
                .cell = CAROM_CELL_WEDGE6,
                .node_count = 6,
                .needs_material = true,
                .fields = CAROM_SOLID_FIELDS,
                .accepts = accepts,
                .points = carom_solid_points,
                .prepare = carom_solid_prepare,
                .energy = carom_solid_kernel_energy,
                .force = carom_solid_kernel_force,
                .stiffness = carom_solid_stiffness,
                .balanced = carom_solid_balanced,
                .stable_step = carom_solid_stable_step,
                .body_step = carom_solid_body_step,
                .stiffens = carom_solid_stiffens,
                .bound = carom_solid_bound,
                .turns_freely = carom_solid_turns_freely,
                .volume = carom_solid_volume,
                .field = carom_solid_field,
                .show = carom_solid_fields,
                .single = carom_solid_single},
    .shape = &carom_shape_wedge6,
};
