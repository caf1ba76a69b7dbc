// SPDX-License-Identifier: MIT
// Pairs of features with their nodes, and the pairs of each node.
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
    int node_pair_count;  // the first ones are node-face (node-segment) pairs, the others edge-edge pairs
    int (*features)[2];   // node and face, or edge and edge (the smaller number first)
    int (*nodes)[4];      // node and corners of the face (-1 after the ends of a segment), or the ends of both edges
    carom_pair_row *rows; // per node: its pairs, ascending; empty for nodes that are not vertices of the surface
    int *of_node;
    int64_t capacity; // in pairs
} carom_pair_list;

// Finds the rows of all vertices. `rows` has an entry for each node, empty at first, and `of_node` room for all uses.
void carom_pair_list_link(const carom_surface *surface, carom_pair_list *list);

#endif
