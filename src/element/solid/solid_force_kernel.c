// SPDX-License-Identifier: MIT
// Forces of tetrahedra, bricks and wedges, eight elements at a time (solid_batch.h): a kernel for each shape and law, and the
// choice among them. Laws without a kernel have the general functions of solid.h.
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
        .solid = carom_solid_shape_of(block),
    };
}

#define PARAMETERS                                                                                          \
    (const carom_block *block, int begin, int end, const double(*x)[3], const double(*X)[3], double *force, \
     carom_extremes *extremes)
#define ARGUMENTS (block, begin, end, x, X, force, extremes)

#define FLOW_PARAMETERS (const carom_block *block, int begin, int end, const double(*x)[3], const double(*X)[3], double *force)
#define FLOW_ARGUMENTS (block, begin, end, x, X, force)
#define KERNELS(name, nodes)                                                                                               \
    CAROM_INLINE void name##_range(const carom_block *block, int begin, int end, const double(*x)[3], const double(*X)[3], \
                                   double *force, carom_extremes *extremes, carom_kernel_law law) {                        \
        carom_element_batch at = carom_batch_of(block, begin, end, x, X);                                                  \
        at.force = force;                                                                                                  \
        CAROM_BATCHES(at)                                                                                                  \
        carom_##name##_force(&at, law, extremes);                                                                          \
    }                                                                                                                      \
    CAROM_KERNEL_LAWS(name, name##_range(block, begin, end, x, X, force, extremes, law), PARAMETERS, ARGUMENTS)            \
    CAROM_KERNEL(name##_flow, FLOW_PARAMETERS, FLOW_ARGUMENTS,                                                             \
                 name##_range(block, begin, end, x, X, force, NULL, CAROM_KERNEL_FLOW))

CAROM_SOLIDS(KERNELS)

void carom_solid_force_watched PARAMETERS {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
#define CALL(name, nodes)               \
    if (shape == &carom_shape_##name) { \
        if (block->history)             \
            name##_flow FLOW_ARGUMENTS; \
        else                            \
            name ARGUMENTS;             \
    }
    CAROM_SOLIDS(CALL)
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
