// SPDX-License-Identifier: MIT
// Forces of tetrahedra and bricks, eight at a time (solid_batch.h).
#include "element/j2_batch.h"
#include "element/solid/solid_batch.h"
#include "element/solid/solid_kernel.h"
#include "element/solid/solid_point.h"

carom_element_batch carom_batch_of(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3]) {
    bool one_point = carom_solid_is_one_point(block);
    bool elastic = carom_kernel_law_of(block->material) != CAROM_KERNEL_NONE;
    carom_lame m = elastic ? carom_elastic_lame(block->material_params) : carom_flow_lame(block);
    return (carom_element_batch){
        .block = block,
        .begin = begin,
        .end = end,
        .x = x,
        .X = X,
        .m = m,
        .factor = one_point ? 0.5 * ((const carom_hex8_params *)block->params)->hourglass * m.mu : 0,
        .one_point = one_point,
    };
}

#define PARAMETERS                                                                                          \
    (const carom_block *block, int begin, int end, const double(*x)[3], const double(*X)[3], double *force, \
     carom_extremes *extremes)
#define ARGUMENTS (block, begin, end, x, X, force, extremes)

CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force,
                        carom_extremes *extremes, carom_kernel_law law, bool brick) {
    carom_element_batch at = carom_batch_of(block, begin, end, x, X);
    at.force = force;
    CAROM_BATCHES(at) {
        if (brick)
            carom_hex8_force(&at, law, extremes);
        else
            carom_tet4_force(&at, law, extremes);
    }
}

CAROM_KERNEL_LAWS(tet4, range(block, begin, end, x, X, force, extremes, law, false), PARAMETERS, ARGUMENTS)
CAROM_KERNEL_LAWS(hex8, range(block, begin, end, x, X, force, extremes, law, true), PARAMETERS, ARGUMENTS)

#define FLOW_PARAMETERS (const carom_block *block, int begin, int end, const double(*x)[3], const double(*X)[3], double *force)
#define FLOW_ARGUMENTS (block, begin, end, x, X, force)
CAROM_KERNEL(tet4_flow, FLOW_PARAMETERS, FLOW_ARGUMENTS, range(block, begin, end, x, X, force, NULL, CAROM_KERNEL_FLOW, false))
CAROM_KERNEL(hex8_flow, FLOW_PARAMETERS, FLOW_ARGUMENTS, range(block, begin, end, x, X, force, NULL, CAROM_KERNEL_FLOW, true))

void carom_solid_force_watched PARAMETERS {
    bool brick = carom_solid_shape_of(block) == &carom_shape_hex8;
    if (block->history)
        (brick ? hex8_flow : tet4_flow) FLOW_ARGUMENTS;
    else
        (brick ? hex8 : tet4) ARGUMENTS;
}

void carom_solid_kernel_force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                              double *force) {
    if (block->history || carom_kernel_law_of(block->material) != CAROM_KERNEL_NONE)
        carom_solid_force_watched(block, begin, end, x, X, force, NULL);
    else if (carom_solid_is_one_point(block))
        carom_hex8_force_plain(block, begin, end, x, X, force);
    else
        carom_solid_force(block, begin, end, x, X, force);
}
