// SPDX-License-Identifier: MIT
// Vectorised lower bounds of the distance of two features in straight motion; they decide most tests of the narrow phase.
//
// Two separating directions are tried, evaluated in the middle of the motion: the normal of the polygon of the pair (hull.h),
// and the direction from the origin to the nearest point of its boundary. Along a fixed direction every corner of the polygon
// moves linearly, so its values at both ends of the motion bound it. For pairs that these directions do not separate,
// directions that turn with the polygon are tried as well (clearance.c).
#ifndef CAROM_CONTACT_NARROW_CLEARANCE_H
#define CAROM_CONTACT_NARROW_CLEARANCE_H

#include "contact/narrow/hull.h"

// Positions b + t w of all nodes for t in [from, to].
typedef struct carom_straight_motion {
    const double (*b)[3], (*w)[3];
    double from, to;
} carom_straight_motion;

// For `count` pairs of one kind whose vertices, numbered in `nodes`, are in straight motion:
// gap     the distance exceeds reach + gap during the whole motion; <= 0 (-HUGE_VAL at worst) if no separation is proven
// part    the distance exceeds reach before this fraction of the motion, in [0, 1]; 1 if the gap is positive
// Both include all rounding. The distance is that of the differences b_j - b_k, w_j - w_k as they are rounded.
void carom_clearance_find(carom_narrow_kind kind, int count, const int (*nodes)[4], const double *reach,
                          const carom_straight_motion *motion, double *gap, double *part);

// The same gap for pairs at rest at x.
void carom_clearance_now(carom_narrow_kind kind, int count, const int (*nodes)[4], const double *reach, const double (*x)[3],
                         double *gap);

#endif
