// SPDX-License-Identifier: MIT
// Contact of bars and point masses on a common line: each end against the end of its neighbour.
#ifndef CAROM_CONTACT_END_POINTS_H
#define CAROM_CONTACT_END_POINTS_H

#include <stdint.h>

#include "carom/contact.h"
#include "contact/law.h"

// The part of a line that a body occupies: a bar between its two ends, or a point mass (both ends the same node).
typedef struct carom_extent {
    int body;
    const char *name;
    int node[2];
    double position[2][3];
    double velocity[3];
    double coordinate[2]; // of the two ends along their line, ascending; filled by the search
} carom_extent;

// A growing list of contacts; start from {0}, free `items`.
typedef struct carom_contact_list {
    int count;
    int64_t capacity;
    carom_contact *items;
} carom_contact_list;

// Finds all neighbours on common lines and appends one contact for each pair, the body with the smaller coordinate first.
// Bodies on one line cannot pass each other, so no other pairs can ever touch.
//
// The axis of each bar is a line, with all bodies that lie on it. Two point masses on no bar's axis define a line if their
// relative velocity is along it or, without relative velocity, if it is parallel to gravity or all point masses lie on it. The
// order of the bodies does not matter. Bodies whose contact is disabled pass through each other, so the body behind such a body
// is a neighbour, too. Fails if other bodies overlap at the start.
carom_status carom_contact_end_points(const carom_extent *extents, int count, const double gravity[3],
                                      const carom_contact_laws *laws, carom_contact_list *contacts, carom_error *error);

#endif
