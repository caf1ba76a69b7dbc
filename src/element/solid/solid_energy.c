// SPDX-License-Identifier: MIT
// The stored energy of solids. The elastic laws have kernels (solid_batch.h), which compute energies alone and the energies of
// rows alike: an element has the same bits in a row, in an audit and in a test. Others: maps, gradients and F of eight elements
// are found side by side, by the operations of solid_point.c in their order, so that each lane has the bits of a single
// element; the law is that of the material, one point after another.
#include "element/batch.h"
#include "element/j2_batch.h"
#include "element/point_law.h"
#include "element/solid/solid_batch.h"
#include "element/solid/solid_kernel.h"
#include "element/solid/solid_point.h"

// F at point q of eight elements, from their reference positions X and displacements u; returns the volumes.
CAROM_INLINE void deform(const carom_solid_shape *shape, int q, const carom_lanes *X, const carom_lanes *u, carom_lanes F[9],
                         carom_lanes *volume) {
    carom_lanes J[3][3] = {{{0}}}, C[3][3];
    for (int a = 0; a < shape->node_count; a++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                J[i][j] += X[3 * a + i] * shape->dN[q][a][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            C[i][j] = J[i1][j1] * J[i2][j2] - J[i1][j2] * J[i2][j1];
        }
    carom_lanes det = J[0][0] * C[0][0] + J[0][1] * C[0][1] + J[0][2] * C[0][2];
    *volume = shape->weight[q] * det;
    for (int c = 0; c < 9; c++)
        F[c] = (carom_lanes){0};
    for (int a = 0; a < shape->node_count; a++)
        for (int j = 0; j < 3; j++) {
            const double *dN = shape->dN[q][a];
            carom_lanes g = (C[j][0] * dN[0] + C[j][1] * dN[1] + C[j][2] * dN[2]) / det;
            for (int i = 0; i < 3; i++)
                F[3 * i + j] += u[3 * a + i] * g;
        }
    for (int i = 0; i < 3; i++)
        F[4 * i] += 1.0;
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *energy, const carom_solid_shape *shape) {
    int n = shape->node_count;
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        carom_lanes start[3 * CAROM_SOLID_NODES], u[3 * CAROM_SOLID_NODES];
        double sum[CAROM_LANES] = {0};
        carom_kernel_gather(block, n, e0, X, start);
        carom_kernel_gather(block, n, e0, x, u);
        for (int c = 0; c < 3 * n; c++)
            u[c] = u[c] - start[c];
            // eight copies of this loop take the compiler long and gain nothing
#pragma GCC unroll 1
        for (int q = 0; q < shape->point_count; q++) {
            carom_lanes F[9], volume;
            deform(shape, q, start, u, F, &volume);
            if (block->history) {
                carom_lanes W;
                carom_flow_energy_at(block, e0, q, F, &W);
                for (int l = 0; l < CAROM_LANES; l++)
                    sum[l] += volume[l] * W[l];
                continue;
            }
            for (int l = 0; l < CAROM_LANES && e0 + l < end; l++) {
                double one[9];
                for (int c = 0; c < 9; c++)
                    one[c] = F[c][l];
                sum[l] += volume[l] * carom_point_solid(block, e0 + l, q, volume[l], one, NULL, NULL);
            }
        }
        for (int l = 0; l < CAROM_LANES; l++)
            if (e0 + l >= begin && e0 + l < end)
                energy[e0 + l] = sum[l];
    }
}

#define PARAMETERS (const carom_block *block, int begin, int end, const double(*x)[3], const double(*X)[3], double *energy)
#define ARGUMENTS (block, begin, end, x, X, energy)
#define ANY_LAW(name, nodes) \
    CAROM_KERNEL(name, PARAMETERS, ARGUMENTS, range(block, begin, end, x, X, energy, &carom_shape_##name))
CAROM_SOLIDS(ANY_LAW)

// Plane elements: the law may have to find a thickness, which takes longer than all the rest.
static void plane(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *energy) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    for (int e = begin; e < end; e++) {
        const int *nodes = &block->nodes[shape->node_count * e];
        energy[e] = 0;
        for (int q = 0; q < shape->point_count; q++) {
            carom_solid_point p = carom_solid_point_of(shape, block, nodes, q, X);
            double F[9];
            carom_solid_deformation(shape, nodes, &p, x, X, F);
            energy[e] += p.volume * carom_solid_law(shape, block, (carom_solid_spot){e, q, p.volume}, F, NULL, NULL);
        }
    }
}

void carom_solid_energy PARAMETERS {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
#define CALL(name, nodes)             \
    if (shape == &carom_shape_##name) \
        name ARGUMENTS;
    CAROM_SOLIDS(CALL)
    if (shape->dimension == 2)
        plane ARGUMENTS;
}

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
    CAROM_KERNEL_LAWS(name##_of_law, name##_range(block, begin, end, x, X, energy, law), PARAMETERS, ARGUMENTS)
CAROM_SOLIDS(OF_LAW)

void carom_solid_kernel_energy PARAMETERS {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    if (carom_kernel_law_of(block->material) == CAROM_KERNEL_NONE) {
        if (carom_solid_is_one_point(block))
            carom_hex8_energy_plain ARGUMENTS;
        else
            carom_solid_energy ARGUMENTS;
        return;
    }
#define CALL_LAW(name, nodes)         \
    if (shape == &carom_shape_##name) \
        name##_of_law ARGUMENTS;
    CAROM_SOLIDS(CALL_LAW)
}
