// SPDX-License-Identifier: MIT
// Decides exactly whether two triangles intersect. Two triangles have a point in common if and only if an edge of one meets the
// other: if the intersection is a segment its ends lie on edges, if it is an area (both in one plane) its corners do. All
// decisions are signs of exact determinants, so touching is detected exactly. Coplanar configurations are decided in a
// projection along a coordinate axis, which preserves incidence if the projected triangle has an area.
#include <stdbool.h>

#include "carom/contact.h"
#include "math/predicates.h"

// Projects along an axis: keeps the other two coordinates, without rounding.
static void project(const double a[3], int axis, double p[2]) {
    p[0] = a[(axis + 1) % 3];
    p[1] = a[(axis + 2) % 3];
}

static bool boxes_meet(const double (*a)[3], int a_count, const double (*b)[3], int b_count) {
    for (int i = 0; i < 3; i++) {
        double low[2] = {a[0][i], b[0][i]}, high[2] = {a[0][i], b[0][i]};
        for (int k = 1; k < a_count; k++) {
            low[0] = a[k][i] < low[0] ? a[k][i] : low[0];
            high[0] = a[k][i] > high[0] ? a[k][i] : high[0];
        }
        for (int k = 1; k < b_count; k++) {
            low[1] = b[k][i] < low[1] ? b[k][i] : low[1];
            high[1] = b[k][i] > high[1] ? b[k][i] : high[1];
        }
        if (high[0] < low[1] || high[1] < low[0])
            return false;
    }
    return true;
}

// True if c, known to be on the line ab, lies between a and b.
static bool between(const double a[2], const double b[2], const double c[2]) {
    for (int i = 0; i < 2; i++)
        if ((c[i] < a[i] && c[i] < b[i]) || (c[i] > a[i] && c[i] > b[i]))
            return false;
    return true;
}

// True if the segments cross (decided by signs), or if an end of one lies on the other.
static bool segments_meet_in_plane(const double a[2], const double b[2], const double c[2], const double d[2]) {
    int abc = carom_orient2d(a, b, c), abd = carom_orient2d(a, b, d), cda = carom_orient2d(c, d, a),
        cdb = carom_orient2d(c, d, b);
    if (abc * abd < 0 && cda * cdb < 0)
        return true;
    return (abc == 0 && between(a, b, c)) || (abd == 0 && between(a, b, d)) || (cda == 0 && between(c, d, a)) ||
           (cdb == 0 && between(c, d, b));
}

// Segments in space meet if they are coplanar and meet in every projection: one of these is one-to-one on
// their plane or line.
static bool segments_meet(const double a[3], const double b[3], const double c[3], const double d[3]) {
    if (carom_orient3d(a, b, c, d) != 0)
        return false;
    for (int axis = 0; axis < 3; axis++) {
        double p[4][2];
        project(a, axis, p[0]);
        project(b, axis, p[1]);
        project(c, axis, p[2]);
        project(d, axis, p[3]);
        if (!segments_meet_in_plane(p[0], p[1], p[2], p[3]))
            return false;
    }
    return true;
}

// An axis along which the projected triangle has an area; -1 if there is none: the triangle is degenerate.
static int keeping_axis(const double t[3][3]) {
    for (int axis = 0; axis < 3; axis++) {
        double p[3][2];
        for (int k = 0; k < 3; k++)
            project(t[k], axis, p[k]);
        if (carom_orient2d(p[0], p[1], p[2]) != 0)
            return axis;
    }
    return -1;
}

// True if the point is in the triangle or on its boundary.
static bool point_in_triangle(const double t[3][2], const double a[2]) {
    int sign[3] = {carom_orient2d(t[0], t[1], a), carom_orient2d(t[1], t[2], a), carom_orient2d(t[2], t[0], a)};
    return (sign[0] >= 0 && sign[1] >= 0 && sign[2] >= 0) || (sign[0] <= 0 && sign[1] <= 0 && sign[2] <= 0);
}

// True if segment ab meets a triangle with area; side_a, side_b: the sides of its plane on which a and b lie.
static bool segment_meets(const double a[3], const double b[3], int side_a, int side_b, const double t[3][3], int axis) {
    if (side_a * side_b > 0)
        return false;
    double p[2][2], q[3][2];
    if (side_a == 0 || side_b == 0) {
        project(a, axis, p[0]);
        project(b, axis, p[1]);
        for (int k = 0; k < 3; k++)
            project(t[k], axis, q[k]);
        if ((side_a == 0 && point_in_triangle(q, p[0])) || (side_b == 0 && point_in_triangle(q, p[1])))
            return true;
        // only one end lies in the plane, and it is outside the triangle
        if (side_a != side_b)
            return false;
        for (int k = 0; k < 3; k++)
            if (segments_meet_in_plane(p[0], p[1], q[k], q[(k + 1) % 3]))
                return true;
        return false;
    }
    int sign[3];
    // the line passes all three edges on the same side, or touches them
    for (int k = 0; k < 3; k++)
        sign[k] = carom_orient3d(a, b, t[k], t[(k + 1) % 3]);
    return (sign[0] >= 0 && sign[1] >= 0 && sign[2] >= 0) || (sign[0] <= 0 && sign[1] <= 0 && sign[2] <= 0);
}

static bool edges_meet(const double a[3][3], const int side[3], const double b[3][3], int axis) {
    for (int k = 0; k < 3; k++)
        if (segment_meets(a[k], a[(k + 1) % 3], side[k], side[(k + 1) % 3], b, axis))
            return true;
    return false;
}

// The sides of the corners of a relative to the plane of b; false if all are strictly on one side.
static bool sides_of(const double a[3][3], const double b[3][3], int side[3]) {
    for (int k = 0; k < 3; k++)
        side[k] = carom_orient3d(b[0], b[1], b[2], a[k]);
    return !(side[0] == side[1] && side[1] == side[2] && side[0] != 0);
}

bool carom_triangles_intersect(const double a[3][3], const double b[3][3]) {
    if (!boxes_meet(a, 3, b, 3))
        return false;
    int side_a[3], side_b[3];
    if (!sides_of(a, b, side_a) || !sides_of(b, a, side_b))
        return false;

    // a triangle without area is the union of its edges
    int axis_a = keeping_axis(a), axis_b = keeping_axis(b);
    if (axis_a < 0 && axis_b < 0) {
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                if (segments_meet(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]))
                    return true;
        return false;
    }
    return (axis_b >= 0 && edges_meet(a, side_a, b, axis_b)) || (axis_a >= 0 && edges_meet(b, side_b, a, axis_a));
}
