// SPDX-License-Identifier: MIT
// Measures of the rotation of solids at the mean deformation gradient F of an element, whose mean shape function gradients are
// g_a: the length of the axial vector of (F - F^T)/2, which is the sine of the angle of a pure rotation; |F|; and the sum of
// |g_a| over the nodes. Solids are computed eight at a time by carom_shape_turn (height_and_turn.h), with the operations of
// solid_point.c in the same order, so each lane has the bits of a single element; plane elements are computed one at a time.
#include <math.h>

#include "element/batch.h"
#include "element/solid/height_and_turn.h"
#include "element/solid/solid_kernel.h"
#include "element/solid/solid_point.h"
#include "math/vec3.h"

// Solids in three dimensions, in batches of eight; `start` and `now` are the reference and the present positions of the nodes.
CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *values, const carom_solid_shape *shape) {
    for (int e0 = begin; e0 < end; e0 += CAROM_LANES, values += CAROM_LANES * CAROM_TURN_MEASURES) {
        carom_lanes start[3 * CAROM_SOLID_NODES], now[3 * CAROM_SOLID_NODES], turn, norm, slope;
        carom_kernel_gather(block, shape->node_count, e0, X, start);
        carom_kernel_gather(block, shape->node_count, e0, x, now);
        carom_shape_turn(shape, start, now, &turn, &norm, &slope);
        carom_lanes_store(&turn, values + CAROM_LANES * CAROM_TURN_SINE);
        carom_lanes_store(&norm, values + CAROM_LANES * CAROM_TURN_NORM);
        carom_lanes_store(&slope, values + CAROM_LANES * CAROM_TURN_SLOPE);
    }
}

// Plane elements, one at a time.
static void plane CAROM_VALUES {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    for (int e = begin; e < end; e++) {
        const int *nodes = &block->nodes[shape->node_count * e];
        carom_solid_point point = shape->point_count > 1 ? carom_solid_mean_point(shape, block, nodes, X)
                                                         : carom_solid_point_of(shape, block, nodes, 0, X);
        double F[9], square = 0, slope = 0;
        carom_solid_deformation(shape, nodes, &point, x, X, F);
        for (int c = 0; c < 9; c++)
            square += F[c] * F[c];
        for (int a = 0; a < shape->node_count; a++)
            slope += carom_norm(point.g[a]);
        const double axial[3] = {0.5 * (F[7] - F[5]), 0.5 * (F[2] - F[6]), 0.5 * (F[3] - F[1])};
        values[carom_lane(e - begin, CAROM_TURN_SINE, CAROM_TURN_MEASURES)] = carom_norm(axial);
        values[carom_lane(e - begin, CAROM_TURN_NORM, CAROM_TURN_MEASURES)] = sqrt(square);
        values[carom_lane(e - begin, CAROM_TURN_SLOPE, CAROM_TURN_MEASURES)] = slope;
    }
}

CAROM_SOLID_VALUES(carom_solid_turns)
