// SPDX-License-Identifier: MIT
// Projection of faces of solids onto the plane of one of them; shape functions of the flat triangle and the bilinear
// quadrilateral.
#ifndef CAROM_TIED_FACE_H
#define CAROM_TIED_FACE_H

#include <stdbool.h>

// A triangle or a quadrilateral; nodes counter-clockwise seen from outside, the last one -1 for a triangle.
typedef struct carom_tie_face {
    int nodes[4];
} carom_tie_face;

static inline int carom_tie_face_size(const carom_tie_face *face) {
    return face->nodes[3] < 0 ? 3 : 4;
}

// The plane through the centre of a face, normal to its mean normal.
typedef struct carom_tie_plane {
    double origin[3], axis[2][3], normal[3];
    double size; // square root of the area of the face
} carom_tie_plane;

// False if the face has no area.
bool carom_tie_plane_of(const carom_tie_face *face, const double (*X)[3], carom_tie_plane *plane);

// The corners of a face projected onto the plane, and their heights above it; `reversed`: in the opposite order.
void carom_tie_face_flatten(const carom_tie_face *face, const double (*X)[3], const carom_tie_plane *plane, bool reversed,
                            double corners[4][2], double height[4]);

// Shape functions of a polygon of three or four corners at a point of the plane: they sum to 1 and reproduce the point.
void carom_tie_face_shape(int count, const double (*corners)[2], const double point[2], double N[4]);

// Points (barycentric coordinates) and weights (with sum 1) of the quadrature rule for triangles that is exact for degree 5.
enum { CAROM_TIE_POINTS = 7 };
void carom_tie_quadrature(double weight[CAROM_TIE_POINTS], double at[CAROM_TIE_POINTS][3]);

#endif
