// SPDX-License-Identifier: MIT
// Orientation predicates: the side of a line or plane on which a point lies, without rounding error.
//
// The sign is exact for the given coordinates: a rounded determinant decides if it exceeds its error bound, an exact sum
// (math/expansion.h) decides otherwise. Nonzero coordinates must lie between 1e-150 and 1e150, and their ratios within one
// call must not exceed 1e90; otherwise small ones may be treated as zero.
#ifndef CAROM_MATH_PREDICATES_H
#define CAROM_MATH_PREDICATES_H

// 1 if a, b, c turn counter-clockwise, -1 if clockwise, 0 if they are collinear.
int carom_orient2d(const double a[2], const double b[2], const double c[2]);

// 1 if d lies on the side of the plane a, b, c to which (b - a) x (c - a) points, -1 on the other side, 0 in the plane or if a,
// b, c are collinear.
int carom_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]);

#endif
