// SPDX-License-Identifier: MIT
// A heap of pending impacts, earliest first. Ties are broken by index, so the order never depends on the history of the heap.
#ifndef CAROM_CONTACT_IMPACT_EVENTS_H
#define CAROM_CONTACT_IMPACT_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct carom_impact {
    double time;
    double since;  // HUGE_VAL: `time` is that of the impact; otherwise it is a lower bound, and the pair is tested from `since`
    int candidate; // number of the contact
    int version;   // of its nodes when it was computed; the impact is void if one of them was hit since
} carom_impact;

// Start from {0}.
typedef struct carom_events {
    int64_t count, capacity;
    carom_impact *heap;
} carom_events;

// False if memory is short.
bool carom_events_push(carom_events *events, carom_impact impact);
// Removes and returns the earliest; there must be one.
carom_impact carom_events_pop(carom_events *events);
void carom_events_release(carom_events *events);

#endif
