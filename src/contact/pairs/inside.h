// SPDX-License-Identifier: MIT
// Tests whether a point is inside a closed surface, and counts the nodes of bars, beams and point masses inside bodies, for the
// audit (audit.h).
#ifndef CAROM_CONTACT_PAIRS_INSIDE_H
#define CAROM_CONTACT_PAIRS_INSIDE_H

#include <stdint.h>

#include "contact/exclusions.h"
#include "contact/surface.h"

// True if a closed body encloses a point at the positions x.
bool carom_surface_encloses(const carom_surface *surface, int body, const double (*x)[3], const double point[3]);

// The number of nodes of bars, beams and point masses inside bodies that are `filled` (per body) and closed, and not excluded
// or immovable with theirs. `exclusions` and `immovable` may be NULL.
int64_t carom_surface_points_inside(const carom_surface *surface, const bool *filled, const carom_exclusions *exclusions,
                                    const bool *immovable, const double (*x)[3]);

#endif
