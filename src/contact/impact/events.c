// SPDX-License-Identifier: MIT
// The queue of pending impacts of a drift (events.h): a binary heap ordered by time, then by the number of the contact.
#include "contact/impact/events.h"

#include <stdlib.h>

#include "base/allocate.h"

// Events with the same time and candidate differ at most by their version, and only one version is valid: their order has no
// effect.
static bool is_before(const carom_impact *a, const carom_impact *b) {
    return a->time < b->time || (a->time == b->time && a->candidate < b->candidate);
}

bool carom_events_push(carom_events *events, carom_impact impact) {
    carom_impact *heap = carom_grow(events->heap, events->count, &events->capacity, sizeof *heap);
    if (!heap)
        return false;
    events->heap = heap;
    // sift up
    int64_t i = events->count++;
    for (; i > 0 && is_before(&impact, &heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = impact;
    return true;
}

carom_impact carom_events_pop(carom_events *events) {
    carom_impact *heap = events->heap, first = heap[0], last = heap[--events->count];
    // the last one replaces the first and sifts down
    int64_t i = 0, n = events->count;
    for (int64_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && is_before(&heap[child + 1], &heap[child]))
            child++;
        if (!is_before(&heap[child], &last))
            break;
        heap[i] = heap[child];
    }
    if (n)
        heap[i] = last;
    return first;
}

void carom_events_release(carom_events *events) {
    free(events->heap);
    *events = (carom_events){0};
}
