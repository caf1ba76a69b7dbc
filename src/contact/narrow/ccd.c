// SPDX-License-Identifier: MIT
// The public queries of continuous collision detection: the search of hull.c with margin zero, after scaling inputs of
// extreme size.
#include <math.h>

#include "carom/contact.h"
#include "contact/narrow/hull.h"

// Sizes between these bounds have fourth powers far from overflow and underflow.
static const double largest_size = 0x1p200;
static const double smallest_size = 0x1p-200;

static void scale_vector(double scale, double a[3]) {
    for (int i = 0; i < 3; i++)
        a[i] *= scale;
}

// Scales a polygon of extreme size by a power of two, which is exact; false if it is not finite.
static bool scale_hull(carom_hull *hull) {
    double size = 0, total = 0;
    for (int k = 0; k < hull->count; k++)
        for (int end = 0; end < 2; end++)
            for (int i = 0; i < 3; i++) {
                double c = fabs(hull->corner[k][end][i]);
                size = c > size ? c : size;
                total += c;
            }
    // the sum catches infinities and NaN
    if (!(total < INFINITY))
        return false;
    if ((size <= largest_size && size >= smallest_size) || size == 0)
        return true;
    int exponent;
    frexp(size, &exponent);
    double scale = ldexp(1, -exponent);
    for (int end = 0; end < 2; end++) {
        for (int k = 0; k < hull->count; k++)
            scale_vector(scale, hull->corner[k][end]);
        for (int k = 0; k < hull->edge_count; k++)
            scale_vector(scale, hull->edge[k][end]);
    }
    return true;
}

// The time of impact; false if there is none. Positions that are not finite count as contact at the start, which is
// conservative.
static bool find_impact(carom_narrow_kind kind, const double (*x0)[3], const double (*x1)[3], double tolerance, double *toi) {
    carom_hull hull;
    carom_hull_between(kind, x0, x1, &hull);
    *toi = 1;
    if (!scale_hull(&hull)) {
        *toi = 0;
        return true;
    }
    return carom_hull_first(&hull, 0, 0, tolerance, toi);
}

bool carom_ccd_node_face(const double x0[4][3], const double x1[4][3], double tolerance, double *toi) {
    return find_impact(CAROM_NARROW_NODE_FACE, x0, x1, tolerance, toi);
}

bool carom_ccd_edge_edge(const double x0[4][3], const double x1[4][3], double tolerance, double *toi) {
    return find_impact(CAROM_NARROW_EDGE_EDGE, x0, x1, tolerance, toi);
}

bool carom_ccd_node_segment(const double x0[3][3], const double x1[3][3], double tolerance, double *toi) {
    return find_impact(CAROM_NARROW_NODE_SEGMENT, x0, x1, tolerance, toi);
}
