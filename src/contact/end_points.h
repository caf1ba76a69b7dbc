// SPDX-License-Identifier: MIT
// Contact of bars and point masses on a common line: each end against the end of its neighbour.
#ifndef CAROM_CONTACT_END_POINTS_H
#define CAROM_CONTACT_END_POINTS_H

#include "carom/contact.h"

// The part of a line that a body occupies: a bar between its two ends, or a point mass (both ends the same node).
typedef struct carom_extent {
    int body;
    const char *name;
    int node[2];
    double position[2][3];
    double coordinate[2]; // of the two ends along their line, ascending; filled by the search
} carom_extent;

// Finds all neighbours on common lines and writes one contact for each pair (`contacts` has room for `count` of them), the body
// with the smaller coordinate first. Bodies on one line cannot pass each other, so these pairs are all that will ever touch.
// The axis is that of the bars; without bars it leads through the first two point masses. Reorders `extents`.
// Fails if bodies overlap at the start.
carom_status carom_contact_end_points(carom_extent *extents, int count, carom_contact *contacts, int *contact_count,
                                      carom_error *error);

#endif
