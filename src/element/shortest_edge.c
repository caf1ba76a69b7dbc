// SPDX-License-Identifier: MIT
// The smallest distance of two nodes of a cell, over all cells of a block.
#include "element/shortest_edge.h"

#include <math.h>

#include "math/vec3.h"

// Minimum number of elements for a parallel search; each takes about 20 ns.
enum { PARALLEL_MIN = 8192 };

// The root of the smallest square is exactly the smallest of the roots, because roots are correctly rounded.
double carom_block_shortest_edge(const carom_block *block, const double (*x)[3]) {
    int n = block->node_count, cell = block->element->node_count;
    double least = HUGE_VAL;
#pragma omp parallel for schedule(static) reduction(min : least) if (block->count > PARALLEL_MIN)
    for (int e = 0; e < block->count; e++) {
        const int *nodes = &block->nodes[(ptrdiff_t)e * n];
        for (int i = 0; i < cell; i++)
            for (int j = 0; j < i; j++) {
                double edge[3];
                carom_difference(x[nodes[i]], x[nodes[j]], edge);
                double square = carom_dot(edge, edge);
                least = square < least ? square : least;
            }
    }
    return sqrt(least);
}
