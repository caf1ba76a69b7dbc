// SPDX-License-Identifier: MIT
// The adjacency graph of nodes: two nodes are neighbours if they have an element in common.
#ifndef CAROM_MODEL_NODE_GRAPH_H
#define CAROM_MODEL_NODE_GRAPH_H

#include "model/model.h"

// Neighbours of node k, without k, each once: neighbour[begin[k]] ... neighbour[begin[k + 1] - 1].
typedef struct carom_node_graph {
    int64_t *begin;
    int *neighbour;
} carom_node_graph;

// Creates the graph. Release it also after a failure.
carom_status carom_node_graph_create(const carom_model *model, carom_node_graph *graph, carom_error *error);
void carom_node_graph_release(carom_node_graph *graph);

#endif
