// SPDX-License-Identifier: MIT
// Which nodes are coupled with which in a sparse matrix: its pattern by nodes instead of by unknowns.
#ifndef CAROM_SOLVER_COUPLINGS_H
#define CAROM_SOLVER_COUPLINGS_H

#include "solver/sparse.h"

// Node k is coupled with neighbour[first[k]] to neighbour[first[k + 1] - 1], in ascending order, itself among them.
typedef struct carom_couplings {
    int64_t *first; // node_count + 1
    int *neighbour;
    int *where; // where the unknowns of that neighbour begin in a row of k, relative to the beginning of the row
} carom_couplings;

// The number of unknowns of a node; they are numbered one after another.
static inline int carom_couplings_unknowns(const int unknown[3]) {
    return (unknown[0] >= 0) + (unknown[1] >= 0) + (unknown[2] >= 0);
}

// The couplings of an old pattern (perhaps empty) and of some cliques. Nodes without unknowns take part, so that places exist
// for all. False if memory is short.
bool carom_couplings_create(int node_count, const int (*unknown)[3], const carom_couplings *old, int set_count,
                            const carom_cliques *sets, carom_couplings *couplings);
void carom_couplings_release(carom_couplings *couplings);

// The place of node b among the couplings of node a, or -1.
static inline int64_t carom_couplings_find(const carom_couplings *g, int a, int b) {
    // A lower bound: neighbours below `low` are less than b, those from `high` on are not.
    int64_t low = g->first[a], high = g->first[a + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (g->neighbour[middle] < b)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->first[a + 1] && g->neighbour[low] == b ? low : -1;
}

#endif
