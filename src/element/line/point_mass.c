// SPDX-License-Identifier: MIT
// A point mass: inertia without stored energy, so its stable step is infinite.
#include <math.h>
#include <stddef.h>

#include "base/param.h"
#include "element/element.h"
#include "element/line/no_energy.h"

static const carom_param params[] = {
    CAROM_ROW(carom_point_mass_params, mass, CAROM_PARAM_REAL, "mass", CAROM_RANGE_POSITIVE, .doc = "Mass of the point."),
};

// A point mass adds to the mass of its node, which other bodies may share.
static carom_status prepare(const carom_block *block, const double (*X)[3], double *mass, carom_error *error) {
    (void)X, (void)error;
    const carom_point_mass_params *p = block->params;
    for (int e = 0; e < block->count; e++)
        mass[block->nodes[e]] += p->mass;
    return CAROM_OK;
}

const carom_element carom_element_point_mass = {
    .kind = {.name = "point-mass",
             .summary = "A mass at one node, without stored energy.",
             .reference = "",
             CAROM_PARAMS(params, carom_point_mass_params)},
    CAROM_NO_ENERGY,
    .cell = CAROM_CELL_POINT,
    .node_count = 1,
    .prepare = prepare,
    .stiffness = carom_no_stiffness,
    .balanced = carom_no_balanced,
};
