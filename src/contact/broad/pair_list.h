// SPDX-License-Identifier: MIT
// A list of pairs of features (node and face, two edges, node and segment) that may touch, with their nodes, and the pairs of
// each node.
#ifndef CAROM_CONTACT_BROAD_PAIR_LIST_H
#define CAROM_CONTACT_BROAD_PAIR_LIST_H

#include <stdint.h>

#include "contact/surface.h"

// The pairs of a node: of_node[begin] to of_node[end - 1].
typedef struct carom_pair_row {
    int begin, end;
} carom_pair_row;

// Start from {0}.
typedef struct carom_pair_list {
    int count;            // of all pairs
    int node_pair_count;  // number of node-face (node-segment) pairs, which come first; the others are edge-edge pairs
    int (*features)[2];   // node and face, or edge and edge (the smaller number first)
    int (*nodes)[4];      // node and corners of the face (-1 after the ends of a segment), or the ends of both edges
    carom_pair_row *rows; // per node: its pairs, ascending; empty for nodes that are not vertices of the surface
    int *of_node;
    int64_t capacity; // in pairs
} carom_pair_list;

// Consecutive pairs of one kind that are processed together: those from `begin` to before `end`.
typedef struct carom_pair_batch {
    int begin, end;
} carom_pair_batch;

enum { CAROM_PAIR_BATCH = 32 };

static inline int carom_pair_batches_of(int count) {
    return (count + CAROM_PAIR_BATCH - 1) / CAROM_PAIR_BATCH;
}

// The number of batches of a list, and the k-th batch.
static inline int carom_pair_batch_count(const carom_pair_list *pairs) {
    return carom_pair_batches_of(pairs->node_pair_count) + carom_pair_batches_of(pairs->count - pairs->node_pair_count);
}
static inline carom_pair_batch carom_pair_batch_at(const carom_pair_list *pairs, int k) {
    int split = pairs->node_pair_count, first = k - carom_pair_batches_of(split);
    int begin = first < 0 ? k * CAROM_PAIR_BATCH : split + first * CAROM_PAIR_BATCH, last = first < 0 ? split : pairs->count;
    return (carom_pair_batch){begin, last - begin < CAROM_PAIR_BATCH ? last : begin + CAROM_PAIR_BATCH};
}
// The pairs of the batches from number `from` to before `to`.
static inline carom_pair_batch carom_pair_batches_between(const carom_pair_list *pairs, int64_t from, int64_t to) {
    int begin = carom_pair_batch_at(pairs, (int)from).begin;
    return (carom_pair_batch){begin, to > from ? carom_pair_batch_at(pairs, (int)to - 1).end : begin};
}

// Sets the rows of all vertices. `rows` has an entry for each node, empty before; `of_node` is large enough for all nodes of
// all pairs.
void carom_pair_list_link(const carom_surface *surface, carom_pair_list *list);

#endif
