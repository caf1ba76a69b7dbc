// SPDX-License-Identifier: MIT
// Finds the first meeting of two bodies that move on given paths.
#ifndef CAROM_CONTACT_PAIRS_CROSSING_H
#define CAROM_CONTACT_PAIRS_CROSSING_H

#include "contact/pairs/audit.h"

typedef struct carom_crossing {
    double part; // of the motion, at which they come so near; HUGE_VAL: nothing does
    int body[2]; // ascending
} carom_crossing;

// The first time at which the surfaces of two bodies, other than those that are excluded or both immovable (audit.h), come
// within `reach` (> 0) of each other, while nodes move on straight lines from x0 to x1. Never missed.
carom_status carom_surface_crossing(carom_audit *audit, const double (*x0)[3], const double (*x1)[3], double reach,
                                    carom_crossing *first, carom_error *error);

#endif
