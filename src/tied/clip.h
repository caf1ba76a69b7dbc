// SPDX-License-Identifier: MIT
// The intersection of two convex polygons in a plane.
#ifndef CAROM_TIED_CLIP_H
#define CAROM_TIED_CLIP_H

// Largest number of corners of the intersection of two quadrilaterals.
enum { CAROM_CLIP_MAX = 8 };

// Twice the area of a polygon; positive if it turns counter-clockwise.
double carom_clip_area(int count, const double (*corners)[2]);

// The intersection of two convex polygons with at most four corners, both counter-clockwise. Returns the number of its corners;
// 0 if it is empty or a line.
int carom_clip(int count, const double (*corners)[2], int other_count, const double (*other)[2],
               double common[CAROM_CLIP_MAX][2]);

#endif
