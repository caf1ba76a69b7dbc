// SPDX-License-Identifier: MIT
// Gathers the nodes of eight elements, one in each lane of a vector, and writes their forces to slots (element/slots.h). The
// arithmetic of an element is written once, for batches: here a batch has eight elements; on a device it is one element per
// thread, with the same types and functions (device/thread_batch.h).
#ifndef CAROM_ELEMENT_BATCH_H
#define CAROM_ELEMENT_BATCH_H

#include "material/lanes/stress.h"

// Placed before data that are read a second time: keeps a compiler for devices from holding them in registers.
#ifdef __CUDACC__
#define CAROM_BATCH_FORGET asm volatile("" ::: "memory")
#else
#define CAROM_BATCH_FORGET
#endif

#ifndef CAROM_LANES_ONE
#include "carom/element.h"
#include "material/lanes/law.h"

// Vectors of one node of each of eight elements. Halves of four are built first: code for registers of four numbers uses them
// as they are, and code for registers of eight joins them.
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

// Writes the forces of the elements of a batch that lie in [begin, end).
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

// Writes a scalar of the elements of a batch that lie in [begin, end), from `place` on.
CAROM_INLINE void carom_kernel_put(const carom_lanes *value, int e0, int begin, int end, double *place) {
    if (begin <= e0 && e0 + CAROM_LANES <= end) {
        carom_lanes_store(value, place);
        return;
    }
    for (int l = 0; l < CAROM_LANES; l++)
        if (e0 + l >= begin && e0 + l < end)
            place[l] = (*value)[l];
}

// The parameters of kernels that compute numbers of each element of a range (element/functions.h).
#define CAROM_VALUES (const carom_block *block, int begin, int end, const double(*x)[3], const double(*X)[3], double *values)
#define CAROM_VALUES_GIVEN (block, begin, end, x, X, values)

// The elements from e on, of which those in [begin, end) are stored; lanes past the end of the block repeat its last element.
typedef struct carom_element_batch {
    const carom_block *block;
    int e, begin, end;
    const double (*x)[3], (*X)[3];
    double *force;
    carom_lame m, whole; // constants of the law; of patches also those of the whole material
    double factor;       // mu/2 of the hourglass energy of bricks with one point; bulk modulus of averaged volumes
    bool one_point;      // bricks with one point
    const struct carom_solid_shape *solid;
} carom_element_batch;

// Batches begin at multiples of CAROM_LANES whatever the range is, so that an element undergoes the same operations in any
// range.
#define CAROM_BATCHES(batch) \
    for ((batch).e = (batch).begin - (batch).begin % CAROM_LANES; (batch).e < (batch).end; (batch).e += CAROM_LANES)

// Positions of the nodes, whose number is a compile-time constant, and reference positions.
CAROM_INLINE void carom_batch_take(const carom_element_batch *b, int node_count, carom_lanes *q) {
    carom_kernel_gather(b->block, node_count, b->e, b->x, q);
}

CAROM_INLINE void carom_batch_take_reference(const carom_element_batch *b, int node_count, carom_lanes *q) {
    carom_kernel_gather(b->block, node_count, b->e, b->X, q);
}

// The reference data of the elements, `size` numbers each.
CAROM_INLINE const double *carom_batch_data(const carom_element_batch *b, int size) {
    return b->block->data + carom_lane(b->e, 0, size);
}

CAROM_INLINE void carom_batch_put(const carom_element_batch *b, int node_count, const carom_lanes *f) {
    carom_kernel_scatter(f, 3 * node_count, b->e, b->begin, b->end, b->force);
}

// Elements of any number of nodes, node by node.
typedef struct carom_batch_nodes {
    const int *of[CAROM_LANES];
} carom_batch_nodes;

CAROM_INLINE int carom_batch_list(const carom_element_batch *b, carom_batch_nodes *nodes) {
    int n = b->block->node_count;
    for (int l = 0; l < CAROM_LANES; l++)
        nodes->of[l] = &b->block->nodes[(ptrdiff_t)(b->e + l < b->block->count ? b->e + l : b->block->count - 1) * n];
    return n;
}

// A vector (position, velocity, acceleration) of node a of each element.
CAROM_INLINE void carom_batch_node_of(const carom_batch_nodes *nodes, int a, const double (*x)[3], carom_lanes p[3]) {
    int node[CAROM_LANES];
    for (int l = 0; l < CAROM_LANES; l++)
        node[l] = nodes->of[l][a];
    carom_kernel_place(x, node, p);
}

CAROM_INLINE void carom_batch_node(const carom_element_batch *b, const carom_batch_nodes *nodes, int a, carom_lanes p[3]) {
    carom_batch_node_of(nodes, a, b->x, p);
}

CAROM_INLINE void carom_batch_put_node(const carom_element_batch *b, int a, const carom_lanes f[3]) {
    double *slot = b->force + carom_lane(b->e, 0, 3 * b->block->node_count);
    for (int i = 0; i < 3; i++)
        carom_kernel_put(&f[i], b->e, b->begin, b->end, slot + CAROM_LANES * (3 * a + i));
}

CAROM_INLINE carom_lame carom_batch_lame(const carom_element_batch *b) {
    return b->m;
}

CAROM_INLINE carom_lame carom_batch_whole(const carom_element_batch *b) {
    return b->whole;
}

// Shape functions of solids.
CAROM_INLINE const struct carom_solid_shape *carom_batch_solid(const carom_element_batch *b) {
    return b->solid;
}

CAROM_INLINE double carom_batch_factor(const carom_element_batch *b) {
    return b->factor;
}

// P of a law with history at point q with the weight `volume`; elements outside [begin, end) commit nothing (j2_batch.c). The
// second function gives the isochoric part of a law that splits.
void carom_flow_stress_at(const carom_block *block, int e0, int begin, int end, int q, const carom_lanes *volume,
                          const carom_lanes F[9], carom_lanes P[9]);
void carom_split_batch(const carom_block *block, int e0, int q, int begin, int end, const carom_lanes *volume,
                       const carom_lanes F[9], carom_lanes P[9]);

CAROM_INLINE void carom_batch_flow(const carom_element_batch *b, int q, const carom_lanes *volume, const carom_lanes F[9],
                                   carom_lanes P[9]) {
    carom_flow_stress_at(b->block, b->e, b->begin, b->end, q, volume, F, P);
}

CAROM_INLINE void carom_batch_shape(const carom_element_batch *b, int q, const carom_lanes *volume, const carom_lanes F[9],
                                    carom_lanes P[9]) {
    carom_split_batch(b->block, b->e, q, b->begin, b->end, volume, F, P);
}

#endif

// Reference positions of the nodes, and their displacements.
CAROM_INLINE void carom_batch_displace(const carom_element_batch *b, int node_count, carom_lanes *q, carom_lanes *u) {
    carom_batch_take_reference(b, node_count, q);
    carom_batch_take(b, node_count, u);
    for (int d = 0; d < 3 * node_count; d++)
        u[d] = u[d] - q[d];
}

#endif
