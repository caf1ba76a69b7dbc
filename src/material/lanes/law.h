// SPDX-License-Identifier: MIT
// The elastic laws on batches (stress.h): which law a material is, kernels for each of them, and the way of eight
// elements from their nodes and to their slots.
#ifndef CAROM_MATERIAL_LANES_LAW_H
#define CAROM_MATERIAL_LANES_LAW_H

#include "material/elastic.h"
#include "material/lanes/stress.h"
#include "material/material.h"

static inline carom_kernel_law carom_kernel_law_of(const carom_material *material) {
    if (material == &carom_material_linear)
        return CAROM_KERNEL_LINEAR;
    if (material == &carom_material_st_venant_kirchhoff)
        return CAROM_KERNEL_ST_VENANT_KIRCHHOFF;
    if (material == &carom_material_neo_hookean)
        return CAROM_KERNEL_NEO_HOOKEAN;
    if (material == &carom_material_open_neo_hookean)
        return CAROM_KERNEL_OPEN;
    return CAROM_KERNEL_NONE;
}

// Defines `name`_linear, `name`_st_venant_kirchhoff, `name`_neo_hookean and `name`_open, which run `body` with `law` as a
// constant, so that the compiler sees one law in each; and `name`, which calls the one for the material of `block`. A law
// without batches must not get here. `parameters` and `arguments` are those of the functions, in parentheses.
#define CAROM_KERNEL_LAWS(name, body, parameters, arguments)                                                       \
    CAROM_KERNEL_OF_LAW(name##_linear, CAROM_KERNEL_LINEAR, body, parameters, arguments)                           \
    CAROM_KERNEL_OF_LAW(name##_st_venant_kirchhoff, CAROM_KERNEL_ST_VENANT_KIRCHHOFF, body, parameters, arguments) \
    CAROM_KERNEL_OF_LAW(name##_neo_hookean, CAROM_KERNEL_NEO_HOOKEAN, body, parameters, arguments)                 \
    CAROM_KERNEL_OF_LAW(name##_open, CAROM_KERNEL_OPEN, body, parameters, arguments)                               \
    static void name parameters {                                                                                  \
        switch (carom_kernel_law_of(block->material)) {                                                            \
        case CAROM_KERNEL_LINEAR: name##_linear arguments; break;                                                  \
        case CAROM_KERNEL_ST_VENANT_KIRCHHOFF: name##_st_venant_kirchhoff arguments; break;                        \
        case CAROM_KERNEL_OPEN: name##_open arguments; break;                                                      \
        default: name##_neo_hookean arguments; break;                                                              \
        }                                                                                                          \
    }
#define CAROM_KERNEL_OF_LAW(name, law_, body, parameters, arguments) \
    CAROM_KERNEL(name, parameters, arguments, const carom_kernel_law law = law_; body)

// Vectors of one node of each of eight elements. Halves of four are built first: copies for registers of four keep them as they
// are, and those for registers of eight join them.
typedef __attribute__((vector_size(4 * sizeof(double)))) double carom_lanes_half;
CAROM_INLINE void carom_kernel_place(const double (*x)[3], const int node[CAROM_LANES], carom_lanes out[3]) {
    for (int i = 0; i < 3; i++) {
        const carom_lanes_half low = {x[node[0]][i], x[node[1]][i], x[node[2]][i], x[node[3]][i]};
        const carom_lanes_half high = {x[node[4]][i], x[node[5]][i], x[node[6]][i], x[node[7]][i]};
        out[i] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
    }
}

// Positions of the nodes of eight elements from e0 on; lanes past the end of the block repeat its last element.
CAROM_INLINE void carom_kernel_gather(const carom_block *block, int node_count, int e0, const double (*x)[3],
                                      carom_lanes *out) {
    const int *nodes[CAROM_LANES];
    for (int l = 0; l < CAROM_LANES; l++)
        nodes[l] = &block->nodes[(e0 + l < block->count ? e0 + l : block->count - 1) * node_count];
    for (int a = 0; a < node_count; a++) {
        int node[CAROM_LANES];
        for (int l = 0; l < CAROM_LANES; l++)
            node[l] = nodes[l][a];
        carom_kernel_place(x, node, &out[3 * a]);
    }
}

// Forces of the elements of a batch that lie in [begin, end).
CAROM_INLINE void carom_kernel_scatter(const carom_lanes *f, int dofs, int e0, int begin, int end, double *force) {
    double *slot = force + carom_lane(e0, 0, dofs);
    if (begin <= e0 && e0 + CAROM_LANES <= end) {
        for (int d = 0; d < dofs; d++)
            carom_lanes_store(&f[d], slot + CAROM_LANES * d);
        return;
    }
    for (int d = 0; d < dofs; d++)
        for (int l = 0; l < CAROM_LANES; l++)
            if (e0 + l >= begin && e0 + l < end)
                slot[CAROM_LANES * d + l] = f[d][l];
}

#endif
