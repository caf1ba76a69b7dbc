// SPDX-License-Identifier: MIT
// The stored energy of solids, eight elements at a time. The elastic laws have kernels (solid_batch.h), which compute all
// energies, so that an element has the same bits in a row of results, in an audit and in a test. For other laws, maps,
// gradients and F of eight elements are computed together, by the operations of solid_point.c in their order, so that each lane
// has the bits of a single element; then the law of the material is evaluated point by point.
#include "element/batch.h"
#include "element/j2_batch.h"
#include "element/point_law.h"
#include "element/solid/solid_batch.h"
#include "element/solid/solid_kernel.h"
#include "element/solid/solid_point.h"

CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *energy, const carom_solid_shape *shape) {
    int n = shape->node_count;
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        carom_lanes start[3 * CAROM_SOLID_NODES], u[3 * CAROM_SOLID_NODES], sum = {0};
        carom_kernel_gather(block, n, e0, X, start);
        carom_kernel_gather(block, n, e0, x, u);
        for (int c = 0; c < 3 * n; c++)
            u[c] = u[c] - start[c];
        // not unrolled: that would only lengthen the compilation
        CAROM_ROLLED
        for (int q = 0; q < shape->point_count; q++) {
            carom_lanes g[CAROM_SOLID_NODES][3], F[9], volume;
            carom_shape_point(shape, n, q, start, g, &volume);
            carom_shape_deform(n, u, g, F);
            if (block->history) {
                carom_lanes W;
                carom_flow_energy_at(block, e0, q, F, &W);
                sum += volume * W;
                continue;
            }
            for (int l = 0; l < CAROM_LANES && e0 + l < end; l++) {
                double one[9];
                for (int c = 0; c < 9; c++)
                    one[c] = F[c][l];
                sum[l] += volume[l] * carom_point_solid(block, e0 + l, q, volume[l], one, NULL, NULL);
            }
        }
        carom_kernel_put(&sum, e0, begin, end, energy + e0);
    }
}

// Plane elements, without batches: in plane stress the law may solve for the thickness, which takes longer than all the rest.
static void plane CAROM_VALUES {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    for (int e = begin; e < end; e++) {
        const int *nodes = &block->nodes[shape->node_count * e];
        values[e] = 0;
        for (int q = 0; q < shape->point_count; q++) {
            carom_solid_point p = carom_solid_point_of(shape, block, nodes, q, X);
            double F[9];
            carom_solid_deformation(shape, nodes, &p, x, X, F);
            values[e] += p.volume * carom_solid_law(shape, block, (carom_solid_spot){e, q, p.volume}, F, NULL, NULL);
        }
    }
}

CAROM_SOLID_VALUES(carom_solid_energy)

#define OF_LAW(name, nodes)                                                                                                \
    CAROM_INLINE void name##_range(const carom_block *block, int begin, int end, const double(*x)[3], const double(*X)[3], \
                                   double *energy, carom_kernel_law law) {                                                 \
        carom_element_batch at = carom_batch_of(block, begin, end, x, X);                                                  \
        CAROM_BATCHES(at) {                                                                                                \
            carom_lanes W;                                                                                                 \
            carom_##name##_energy(&at, law, &W);                                                                           \
            carom_kernel_put(&W, at.e, begin, end, energy + at.e);                                                         \
        }                                                                                                                  \
    }                                                                                                                      \
    CAROM_KERNEL_LAWS(name##_of_law, name##_range(block, begin, end, x, X, values, law), CAROM_VALUES, CAROM_VALUES_GIVEN)
CAROM_SOLIDS(OF_LAW)

void carom_solid_kernel_energy CAROM_VALUES {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    if (carom_kernel_law_of(block->material) == CAROM_KERNEL_NONE) {
        if (carom_solid_is_one_point(block))
            carom_hex8_energy_plain CAROM_VALUES_GIVEN;
        else
            carom_solid_energy CAROM_VALUES_GIVEN;
        return;
    }
#define CALL_LAW(name, nodes)         \
    if (shape == &carom_shape_##name) \
        name##_of_law CAROM_VALUES_GIVEN;
    CAROM_SOLIDS(CALL_LAW)
}
