// SPDX-License-Identifier: MIT
// Finds the closest points of two features, as weights of their vertices, from the closest point of their polygon (hull.h) to
// the origin.
//
// In the frame of the polygon the closest point is (foot, height). If the origin projects into the polygon, the foot is
// that projection and the direction is the normal of the plane; otherwise the foot is on the boundary. If rounding
// leaves the sign of the height uncertain, the exact determinant of the vertices decides.
#include <float.h>
#include <math.h>

#include "contact/narrow/narrow.h"
#include "math/predicates.h"
#include "math/vec3.h"

// Heights below this fraction of the size have an uncertain sign, which is then found exactly.
static const double uncertain_height = 1e-12;
// Vectors shorter than this fraction of the size have no significant direction left after rounding.
static const double directionless_length = 4e-15;

// Edges below this sine are parallel up to rounding: their closest points are the middle of their overlap.
static const double parallel_sine = 1e-14;

// Coordinates in the polygon: barycentric in a triangle, fractions (u, v) of both edges, the fraction of a
// segment. `all` belongs to the projection of the origin, which may be outside, `near` to the closest
// point.
typedef struct coordinates {
    double all[3], near[3];
    bool regular; // `all` is well defined
} coordinates;

// Cross product in the plane.
static double turn(const double a[2], const double b[2]) {
    return a[0] * b[1] - a[1] * b[0];
}

static coordinates of_triangle(const carom_hull_view *view) {
    coordinates c = {{0}, {0}, view->sine > CAROM_NARROW_PARALLEL};
    double part[3], sum = 0;
    for (int k = 0; k < 3; k++)
        sum += part[(k + 2) % 3] = turn(view->place[k], view->place[(k + 1) % 3]);
    for (int k = 0; k < 3; k++) {
        c.all[k] = sum != 0 ? part[k] / sum : -1;
        c.near[k] = view->over ? c.all[k] : 0;
    }
    if (!view->over) {
        // on the boundary: between two corners
        c.near[view->near] = 1 - view->along;
        c.near[(view->near + 1) % 3] += view->along;
    }
    return c;
}

static coordinates of_parallelogram(const carom_hull_view *view) {
    coordinates c = {{-1, -1}, {0}, view->sine > CAROM_NARROW_PARALLEL};
    const double *z = view->place[0];
    double a[2], b[2];
    for (int i = 0; i < 2; i++) {
        a[i] = view->place[1][i] - z[i];
        b[i] = view->place[2][i] - view->place[1][i];
    }
    double area = turn(a, b);
    if (area != 0) {
        c.all[0] = -turn(z, b) / area;
        c.all[1] = -turn(a, z) / area;
    }
    // the four sides of the parallelogram in terms of (u, v)
    double s = view->along;
    const double corners[4][2] = {{s, 0}, {1, s}, {1 - s, 1}, {0, 1 - s}};
    for (int i = 0; i < 2; i++)
        c.near[i] = view->over ? fmin(1, fmax(0, c.all[i])) : corners[view->near][i];
    return c;
}

static coordinates of_segment(const carom_hull_view *view) {
    const double *a = view->place[0], *b = view->place[1];
    double e[2] = {b[0] - a[0], b[1] - a[1]}, square = e[0] * e[0] + e[1] * e[1];
    double s = square > 0 ? -(a[0] * e[0] + a[1] * e[1]) / square : -1;
    return (coordinates){{s}, {view->along}, square > 0};
}

// The middle of the overlap of two parallel edges; false if they do not overlap.
static bool middle_of_edges(const double (*x)[3], double part[2]) {
    double a[3], b[3], r[3], s[3];
    carom_difference(x[1], x[0], a);
    carom_difference(x[3], x[2], b);
    carom_difference(x[2], x[0], r);
    carom_difference(x[3], x[0], s);
    double square = carom_dot(a, a), along = carom_dot(a, b);
    if (!(square > 0) || along == 0)
        return false;
    double from = carom_dot(r, a) / square, to = carom_dot(s, a) / square;
    double low = fmax(0, fmin(from, to)), high = fmin(1, fmax(from, to));
    if (!(low < high))
        return false;
    part[0] = 0.5 * (low + high);
    part[1] = (part[0] - from) / (to - from);
    return true;
}

// The side of the plane, or of the line, on which the first feature lies, by exact predicates; relative to
// `normal`.
static int side_of(carom_narrow_kind kind, const double (*x)[3], const double normal[3]) {
    double a[3], b[3], n[3];
    switch (kind) {
    case CAROM_NARROW_NODE_FACE:
        carom_difference(x[2], x[1], a);
        carom_difference(x[3], x[1], b);
        carom_cross(a, b, n);
        return carom_orient3d(x[1], x[2], x[3], x[0]) * (carom_dot(n, normal) < 0 ? -1 : 1);
    case CAROM_NARROW_EDGE_EDGE:
        carom_difference(x[1], x[0], a);
        carom_difference(x[3], x[2], b);
        carom_cross(a, b, n);
        return carom_orient3d(x[0], x[1], x[2], x[3]) * (carom_dot(n, normal) < 0 ? -1 : 1);
    case CAROM_NARROW_NODE_SEGMENT:
        // to the left of the segment
        n[0] = x[1][1] - x[2][1];
        n[1] = x[2][0] - x[1][0];
        return carom_orient2d(x[1], x[2], x[0]) * (n[0] * normal[0] + n[1] * normal[1] < 0 ? -1 : 1);
    }
    return 0;
}

// Sets the weights of the vertices in c1 - c2.
static void set_weights(carom_narrow_kind kind, const double near[3], double weight[4]) {
    switch (kind) {
    case CAROM_NARROW_NODE_FACE:
        weight[0] = 1;
        for (int k = 0; k < 3; k++)
            weight[1 + k] = -near[k];
        break;
    case CAROM_NARROW_EDGE_EDGE:
        weight[0] = 1 - near[0];
        weight[1] = near[0];
        weight[2] = near[1] - 1;
        weight[3] = -near[1];
        break;
    case CAROM_NARROW_NODE_SEGMENT:
        weight[0] = 1;
        weight[1] = near[0] - 1;
        weight[2] = -near[0];
        weight[3] = 0;
        break;
    }
}

void carom_narrow_nearest(carom_narrow_kind kind, const double (*x)[3], const double (*v)[3], carom_nearest *nearest) {
    carom_hull_view view;
    carom_hull_view_now(kind, x, &view);

    // coordinates of the closest points
    coordinates c;
    int parameters = kind == CAROM_NARROW_NODE_FACE ? 3 : kind == CAROM_NARROW_EDGE_EDGE ? 2 : 1;
    if (kind == CAROM_NARROW_NODE_FACE)
        c = of_triangle(&view);
    else
        c = kind == CAROM_NARROW_EDGE_EDGE ? of_parallelogram(&view) : of_segment(&view);
    bool middle = kind == CAROM_NARROW_EDGE_EDGE && view.sine < parallel_sine && middle_of_edges(x, c.near);
    set_weights(kind, c.near, nearest->weight);
    nearest->inside = c.regular;
    for (int i = 0; i < parameters; i++)
        nearest->inside = nearest->inside && c.all[i] >= -CAROM_NARROW_INSIDE && c.all[i] <= 1 + CAROM_NARROW_INSIDE;

    // the vector from c2 to c1
    double foot[2] = {view.foot[0], view.foot[1]}, vector[3], size = 0;
    if (middle)
        for (int i = 0; i < 2; i++) {
            double a = view.place[1][i] - view.place[0][i], b = view.place[2][i] - view.place[1][i];
            foot[i] = view.place[0][i] + c.near[0] * a + c.near[1] * b;
        }
    for (int k = 0; k < view.count; k++)
        for (int i = 0; i < 2; i++)
            size = fabs(view.place[k][i]) > size ? fabs(view.place[k][i]) : size;
    for (int i = 0; i < 3; i++)
        vector[i] = foot[0] * view.axis[0][i] + foot[1] * view.axis[1][i] + view.height * view.axis[2][i];
    carom_copy(vector, nearest->normal);
    nearest->distance = carom_normalize(nearest->normal);

    // the direction is the normal of the polygon if the origin projects into it, or if the vector is too short
    bool plane = kind != CAROM_NARROW_NODE_SEGMENT;
    bool over = plane ? view.over : view.along > 0 && view.along < 1;
    if (nearest->distance > uncertain_height * size || (!over && nearest->distance > directionless_length * size))
        return;
    const double *across = view.axis[plane ? 2 : 1];
    int side = side_of(kind, x, across);
    double rate = 0;
    for (int k = 0; v && k < (plane ? 4 : 3); k++)
        rate += nearest->weight[k] * carom_dot(across, v[k]);
    // exactly in the plane: the side from which the pair approaches
    if (side == 0)
        side = rate > 0 ? -1 : 1;
    for (int i = 0; i < 3; i++)
        nearest->normal[i] = side * across[i];
}
