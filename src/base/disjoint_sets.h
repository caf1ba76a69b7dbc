// SPDX-License-Identifier: MIT
// Disjoint sets of the numbers 0 ... n - 1, as trees in one array: parent[i] leads from i towards the root of its set, which is
// its own parent. The root is the smallest member of the set, whatever the order of the joins, so results do not depend on it.
#ifndef CAROM_BASE_DISJOINT_SETS_H
#define CAROM_BASE_DISJOINT_SETS_H

// Every number is a set of its own.
static inline void carom_disjoint_start(int *parent, int count) {
    for (int i = 0; i < count; i++)
        parent[i] = i;
}

// The root of a number, without changing the trees: for readers.
static inline int carom_disjoint_root(const int *parent, int i) {
    while (parent[i] != i)
        i = parent[i];
    return i;
}

// The same, halving the path on the way, which keeps the trees flat.
static inline int carom_disjoint_find(int *parent, int i) {
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

// Joins the sets of two roots; returns the root of both.
static inline int carom_disjoint_join(int *parent, int a, int b) {
    int low = a < b ? a : b, high = a < b ? b : a;
    return parent[high] = low;
}

#endif
