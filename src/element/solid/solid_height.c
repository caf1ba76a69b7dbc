// SPDX-License-Identifier: MIT
// The smallest height of solids (height_and_turn.h), eight elements at a time.
#include "element/batch.h"
#include "element/solid/height_and_turn.h"
#include "element/solid/hex8_body.h"
#include "element/solid/solid_point.h"

CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *height, const carom_solid_shape *shape, bool one_point) {
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        carom_lanes q[3 * CAROM_SOLID_NODES], start[3 * CAROM_SOLID_NODES], least;
        carom_kernel_gather(block, shape->node_count, e0, x, q);
        if (one_point) {
            carom_kernel_gather(block, shape->node_count, e0, X, start);
            carom_shape_mean_height(start, q, &least);
        } else
            carom_shape_height(shape, q, &least);
        for (int l = 0; l < CAROM_LANES; l++)
            if (e0 + l >= begin && e0 + l < end)
                height[e0 + l - begin] = least[l];
    }
}

#define HEIGHTS(name, shape, one_point) \
    CAROM_KERNEL(name, CAROM_VALUES, CAROM_VALUES_GIVEN, range(block, begin, end, x, X, values, &shape, one_point))

#define OF_SHAPE(name, nodes) HEIGHTS(name, carom_shape_##name, false)
CAROM_PLANES(OF_SHAPE)
CAROM_SOLIDS(OF_SHAPE)
HEIGHTS(hex8_mean, carom_shape_hex8, true)

void carom_solid_heights CAROM_VALUES {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    if (carom_solid_is_one_point(block))
        hex8_mean CAROM_VALUES_GIVEN;
#define CALL(name, nodes) else if (shape == &carom_shape_##name) name CAROM_VALUES_GIVEN;
    CAROM_PLANES(CALL)
    CAROM_SOLIDS(CALL)
}
