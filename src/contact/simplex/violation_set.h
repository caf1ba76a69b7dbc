// SPDX-License-Identifier: MIT
// The working set of a step: pairs of simplices (node and face, two edges) that must not overlap. It grows within a step, in
// the order in which pairs are found; a pair is found again by its kind and its nodes.
#ifndef CAROM_CONTACT_SIMPLEX_VIOLATION_SET_H
#define CAROM_CONTACT_SIMPLEX_VIOLATION_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "contact/simplex/simplex.h"

// Start from {0}.
typedef struct carom_violation_set {
    int count;
    int64_t capacity;
    carom_simplex *items;
    int *slots; // open hash table: index of an item plus one, 0: empty
    int64_t slot_count;
} carom_violation_set;

void carom_violation_set_release(carom_violation_set *set);
// Removes all pairs and keeps the memory.
void carom_violation_set_clear(carom_violation_set *set);

// Index of the pair of the same kind with the same nodes and second body (or plane), or -1.
int carom_violation_set_find(const carom_violation_set *set, const carom_simplex *pair);

// Adds a pair that is not in the set; false if memory is short.
bool carom_violation_set_add(carom_violation_set *set, const carom_simplex *pair);

#endif
