// SPDX-License-Identifier: MIT
// Work that every process could do by itself, because all have the same numbers, shared out among them: each does a slice, and
// all join what they have found. Who does what never matters to the result.
//
// Nothing between two joins may depend on anything but those numbers: all processes must come to each join, also one that has
// failed, which says so there.
#ifndef CAROM_PARALLEL_TOGETHER_H
#define CAROM_PARALLEL_TOGETHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/status.h"

// Start from {0}.
typedef struct carom_together {
    int64_t *counts; // per process
    int64_t *begin;  // per process and one more
    void *room;
    int64_t capacity; // of it, in bytes
    bool always;      // work is shared however little it is: for tests
} carom_together;

// True if work on `count` things is shared: where processes work together, and it is more than `few`.
static inline bool carom_together_shares(const carom_together *together, int64_t count, int64_t few) {
    return together && (together->always || count > few);
}

carom_status carom_together_create(carom_together *together, carom_error *error);
void carom_together_release(carom_together *together);

// The slice of this process of `count` things: from *begin to before *end.
void carom_together_slice(int64_t count, int64_t *begin, int64_t *end);

// Joins lists: *all are the `*total` entries of all processes, in their order, valid until the next call. A count below zero
// says that a process has failed. False, on all processes, if one of them has failed or has no memory.
bool carom_together_join(carom_together *together, const void *mine, int64_t count, size_t width, const void **all,
                         int64_t *total);

#endif
