// SPDX-License-Identifier: MIT
// Disjoint sets of the numbers 0 ... n - 1, as trees in one array: parent[i] is the parent of i, and a root is its own parent.
// The root is the smallest member of the set, so that results do not depend on the order of the unions.
#ifndef CAROM_BASE_DISJOINT_SETS_H
#define CAROM_BASE_DISJOINT_SETS_H

// Makes every number a separate set.
static inline void carom_disjoint_start(int *parent, int count) {
    for (int i = 0; i < count; i++)
        parent[i] = i;
}

// The root of a number, without changing the trees.
static inline int carom_disjoint_root(const int *parent, int i) {
    while (parent[i] != i)
        i = parent[i];
    return i;
}

// The same with path halving, which keeps the trees flat.
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
