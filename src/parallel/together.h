// SPDX-License-Identifier: MIT
// Work on data that all processes have, divided among them: each does a slice, and the results are joined on all. The division
// does not change the result.
//
// Between two joins the control flow may depend only on these data: all processes must call each join, also one that has
// failed, which reports its failure there.
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
    void *buffer;
    int64_t capacity; // of the buffer, in bytes
    bool always;      // work is shared however little it is: for tests
} carom_together;

// True if work on `count` items is shared: there are several processes, and more than `few` items.
static inline bool carom_together_shares(const carom_together *together, int64_t count, int64_t few) {
    return together && (together->always || count > few);
}

carom_status carom_together_create(carom_together *together, carom_error *error);
void carom_together_release(carom_together *together);

// The slice of this process of `count` items: from *begin to *end - 1.
void carom_together_slice(int64_t count, int64_t *begin, int64_t *end);

// Joins lists: *all are the `*total` entries of all processes, in their order, valid until the next call. A count below zero
// reports a failure. False, on all processes, if one of them has failed or has no memory.
bool carom_together_join(carom_together *together, const void *mine, int64_t count, size_t width, const void **all,
                         int64_t *total);

#endif
