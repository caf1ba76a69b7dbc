// SPDX-License-Identifier: MIT
// Lists, for each node, of the slots in which its elements write their forces, so that forces can be summed node by node in a
// fixed order by any number of threads.
#include "element/gather_lists.h"

#include <string.h>

#include "carom/threads.h"

// Minimum number of element nodes for parallel lists; one thread needs a millisecond for fewer.
enum { PARALLEL_MIN = 1 << 18 };

// The index at which an element writes the first number for one of its nodes: forces in batches, wrenches one after another.
static int64_t slot_of(const carom_block *block, int e, int a) {
    int n = block->node_count;
    return block->element->framed ? 6 * ((int64_t)e * n + a) : carom_lane(e, 3 * a, 3 * n);
}

void carom_gather_slots(const carom_block *blocks, int block_count, int64_t *block_slot) {
    block_slot[0] = 0;
    for (int b = 0; b < block_count; b++) {
        int n = blocks[b].node_count;
        block_slot[b + 1] = block_slot[b] + (blocks[b].element->framed ? (int64_t)6 * blocks[b].count * n
                                                                       : carom_lanes_size(blocks[b].count, 3 * n));
    }
}

// Counts the elements of the nodes in [first, last).
static void count_range(const carom_block *blocks, int block_count, int first, int last, int *begin) {
    for (int b = 0; b < block_count; b++)
        for (int64_t i = 0, size = (int64_t)blocks[b].count * blocks[b].node_count; i < size; i++) {
            int node = blocks[b].nodes[i];
            if (node >= first && node < last)
                begin[node + 1]++;
        }
}

// Fills the lists of these nodes; begin[k] is a cursor that ends at the end of list k.
static void fill_range(const carom_block *blocks, int block_count, const int64_t *block_slot, int first, int last, int *begin,
                       int *list) {
    for (int b = 0; b < block_count; b++) {
        const int *nodes = blocks[b].nodes;
        int n = blocks[b].node_count;
        for (int e = 0; e < blocks[b].count; e++, nodes += n)
            for (int a = 0; a < n; a++)
                if (nodes[a] >= first && nodes[a] < last)
                    list[begin[nodes[a]]++] = (int)(block_slot[b] + slot_of(&blocks[b], e, a));
    }
}

// Each thread has a range of nodes, reads all elements and keeps what is in its range: reading costs little compared with the
// scattered writes, no two threads write to the same place, and every list is in the order of the elements.
void carom_gather_lists(const carom_block *blocks, int block_count, const int64_t *block_slot, int node_count, int *begin,
                        int *list) {
    int64_t size = 0;
    for (int b = 0; b < block_count; b++)
        size += (int64_t)blocks[b].count * blocks[b].node_count;
    int64_t parts = size > PARALLEL_MIN ? carom_threads() : 1;
#pragma omp parallel for schedule(static, 1) if (parts > 1)
    for (int64_t p = 0; p < parts; p++)
        count_range(blocks, block_count, (int)(node_count * p / parts), (int)(node_count * (p + 1) / parts), begin);
    for (int k = 0; k < node_count; k++)
        begin[k + 1] += begin[k];
#pragma omp parallel for schedule(static, 1) if (parts > 1)
    for (int64_t p = 0; p < parts; p++)
        fill_range(blocks, block_count, block_slot, (int)(node_count * p / parts), (int)(node_count * (p + 1) / parts), begin,
                   list);
    // Each cursor stands at the end of its list, which is where the next one begins.
    memmove(begin + 1, begin, (size_t)node_count * sizeof *begin);
    begin[0] = 0;
}
