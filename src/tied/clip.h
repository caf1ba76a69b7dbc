// SPDX-License-Identifier: MIT
// The common part of two convex polygons of a plane.
#ifndef CAROM_TIED_CLIP_H
#define CAROM_TIED_CLIP_H

// Corners of the common part of two quadrilaterals, at most.
enum { CAROM_CLIP_MAX = 8 };

// Twice the area of a polygon; positive if it turns counter-clockwise.
double carom_clip_area(int count, const double (*corners)[2]);

// The common part of two convex polygons of at most four corners, both counter-clockwise. Returns the number of its corners; 0
// if they have none in common, or only a line.
int carom_clip(int count, const double (*corners)[2], int other_count, const double (*other)[2],
               double common[CAROM_CLIP_MAX][2]);

#endif
