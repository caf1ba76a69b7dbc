// SPDX-License-Identifier: MIT
// Bodies that pass through each other, for the search of contact among surfaces.
#ifndef CAROM_CONTACT_EXCLUSIONS_H
#define CAROM_CONTACT_EXCLUSIONS_H

#include "carom/status.h"

// Pairs of bodies that do not touch each other. Start from {0}: nothing is excluded, each body can touch itself.
typedef struct carom_exclusions {
    int body_count;
    int *begin; // per body: the bodies that it does not touch are others[begin[b]] to others[begin[b + 1] - 1]
    int *others;
} carom_exclusions;

// Excludes pairs of bodies; a pair of equal numbers excludes contact of a body with itself. Order and repetitions do not
// matter.
carom_status carom_exclusions_build(int body_count, const int (*pairs)[2], int pair_count, carom_exclusions *exclusions,
                                    carom_error *error);
void carom_exclusions_release(carom_exclusions *exclusions);

#endif
