// SPDX-License-Identifier: MIT
// A point mass: inertia without stored energy, so its stable step is infinite.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/param.h"
#include "element/element.h"

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

static void energy(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *energy_) {
    (void)block, (void)x, (void)X;
    for (int e = begin; e < end; e++)
        energy_[e] = 0;
}

static void force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force_) {
    (void)block, (void)x, (void)X;
    for (int e = begin; e < end; e++)
        for (int i = 0; i < 3; i++)
            force_[carom_lane(e, i, 3)] = 0;
}

static void stiffness(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                      double *stiffness_) {
    (void)block, (void)x, (void)X;
    memset(stiffness_ + 9 * (ptrdiff_t)begin, 0, 9 * sizeof(double) * (size_t)(end - begin));
}

// No energy, hence no force and no tangent.
static void balanced(const carom_block *block, int begin, int end, const double (*x0)[3], const double (*x1)[3],
                     const double (*X)[3], double *force_, double *tangent) {
    (void)x1;
    force(block, begin, end, x0, X, force_);
    if (tangent)
        memset(tangent, 0, 9 * sizeof(double) * (size_t)(end - begin));
}

static void stable_step(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *step) {
    (void)block, (void)x, (void)X;
    for (int e = begin; e < end; e++)
        step[e] = HUGE_VAL;
}

const carom_element carom_element_point_mass = {
    .kind = {.name = "point-mass",
             .summary = "A mass at one node, without stored energy.",
             .reference = "",
             .params = params,
             .param_count = sizeof params / sizeof *params,
             .params_size = sizeof(carom_point_mass_params)},
    .nonnegative = true,
    .cell = CAROM_CELL_POINT,
    .node_count = 1,
    .prepare = prepare,
    .energy = energy,
    .force = force,
    .stiffness = stiffness,
    .balanced = balanced,
    .stable_step = stable_step,
};
