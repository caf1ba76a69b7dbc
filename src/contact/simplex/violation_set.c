// SPDX-License-Identifier: MIT
// The set of violated pairs of a step (violation_set.h): an array of pairs with an open hash table (linear probing, at most
// half full). The order of the array is the order of insertion, so that iterations over the set do not depend on hash values.
#include "contact/simplex/violation_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"

void carom_violation_set_release(carom_violation_set *set) {
    free(set->items);
    free(set->slots);
    *set = (carom_violation_set){0};
}

void carom_violation_set_clear(carom_violation_set *set) {
    set->count = 0;
    if (set->slots)
        memset(set->slots, 0, (size_t)set->slot_count * sizeof *set->slots);
}

// The same simplices; sign, thickness and normal may differ.
static bool are_same(const carom_simplex *a, const carom_simplex *b) {
    return a->kind == b->kind && a->count == b->count && memcmp(a->node, b->node, (size_t)a->count * sizeof *a->node) == 0 &&
           a->body[1] == b->body[1];
}

// The slot of a pair, or the empty slot in which it belongs.
static int64_t slot_of(const carom_violation_set *set, const carom_simplex *pair) {
    int key[6] = {(int)pair->kind, pair->body[1]};
    memcpy(key + 2, pair->node, (size_t)pair->count * sizeof *key);
    int64_t slot = (int64_t)(carom_hash(CAROM_HASH_START, key, sizeof key) % (uint64_t)set->slot_count);
    // terminates, since at least half of the slots are empty
    while (set->slots[slot] && !are_same(&set->items[set->slots[slot] - 1], pair))
        slot = (slot + 1) % set->slot_count;
    return slot;
}

// Slots hold indices plus one, so that zeroed memory is an empty table.
int carom_violation_set_find(const carom_violation_set *set, const carom_simplex *pair) {
    return set->slot_count ? set->slots[slot_of(set, pair)] - 1 : -1;
}

// Doubles the table before it becomes more than half full; all items are inserted again.
static bool grow_slots(carom_violation_set *set) {
    if (2 * (int64_t)(set->count + 1) <= set->slot_count)
        return true;
    int64_t slot_count = set->slot_count ? 2 * set->slot_count : 64;
    int *slots = carom_allocate(slot_count, sizeof *slots);
    if (!slots)
        return false;
    free(set->slots);
    set->slots = slots;
    set->slot_count = slot_count;
    for (int i = 0; i < set->count; i++)
        set->slots[slot_of(set, &set->items[i])] = i + 1;
    return true;
}

bool carom_violation_set_add(carom_violation_set *set, const carom_simplex *pair) {
    carom_simplex *items = carom_grow(set->items, set->count, &set->capacity, sizeof *items);
    if (!items)
        return false;
    set->items = items;
    if (!grow_slots(set))
        return false;
    // both arrays have grown: from here nothing can fail
    items[set->count] = *pair;
    set->slots[slot_of(set, pair)] = set->count + 1;
    set->count++;
    return true;
}
