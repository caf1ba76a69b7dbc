// SPDX-License-Identifier: MIT
// A growing list of pairs of nodes at the interface of two tied surfaces.
#include "tied/seam.h"

#include "base/allocate.h"

bool carom_seam_add(carom_seam *seam, int first, int second) {
    int(*pairs)[2] = carom_grow(seam->pairs, seam->count, &seam->capacity, sizeof *pairs);
    if (!pairs)
        return false;
    seam->pairs = pairs;
    pairs[seam->count][0] = first;
    pairs[seam->count++][1] = second;
    return true;
}
