// SPDX-License-Identifier: MIT
// Divides work on data that all processes have into slices, and joins their results on all of them (together.h).
#include "parallel/together.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "parallel/parallel.h"

carom_status carom_together_create(carom_together *together, carom_error *error) {
    int size = carom_parallel_size();
    together->counts = carom_allocate(size, sizeof *together->counts);
    together->begin = carom_allocate(size + 1, sizeof *together->begin);
    if (!together->counts || !together->begin)
        return carom_no_memory(error, "the work of processes");
    return CAROM_OK;
}

void carom_together_release(carom_together *together) {
    free(together->counts);
    free(together->begin);
    free(together->buffer);
    *together = (carom_together){0};
}

void carom_together_slice(int64_t count, int64_t *begin, int64_t *end) {
    int rank = carom_parallel_rank(), size = carom_parallel_size();
    *begin = count * rank / size;
    *end = count * (rank + 1) / size;
}

// The counts of all processes; false if one of them is negative.
static bool agree_on_counts(carom_together *together, int64_t count) {
    bool good = true;
    carom_parallel_exchange(&count, sizeof count, together->counts);
    for (int r = 0; r < carom_parallel_size(); r++) {
        good = good && together->counts[r] >= 0;
        together->begin[r + 1] = together->begin[r] + together->counts[r];
    }
    return good;
}

bool carom_together_join(carom_together *together, const void *mine, int64_t count, size_t width, const void **all,
                         int64_t *total) {
    bool good = agree_on_counts(together, count);
    *all = NULL;
    *total = 0;
    if (!good)
        return false;
    int64_t entries = together->begin[carom_parallel_size()], needed = entries * (int64_t)width;
    // the size is the same on all processes, so the branch is collective
    if (needed > together->capacity) {
        carom_vote vote = {.bits = {!carom_ensure_capacity(&together->buffer, &together->capacity, needed, 1)}};
        carom_parallel_vote(&vote);
        if (vote.bits[0]) {
            free(together->buffer);
            together->buffer = NULL;
            together->capacity = 0;
            return false;
        }
    }
    carom_shares shares = {.begin = together->begin};
    carom_parallel_gather_all(&shares, mine, width, together->buffer);
    *all = together->buffer;
    *total = entries;
    return true;
}
