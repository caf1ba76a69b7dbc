// SPDX-License-Identifier: MIT
// Finds lower bounds of the distance of two features in straight motion by separating directions (near.h). Directions are tried
// from cheap to expensive: the coordinate axes first, which reject most pairs, then the direction between the closest points at
// the start, then that at the end of the motion.
#include "contact/broad/near.h"

#include <math.h>

#include "math/vec3.h"

// Gap between the first `split` nodes and the others along axis i, over the whole motion.
static inline double gap_along_axis(const int nodes[4], int split, int count, int i, const double (*x)[3],
                                    const double (*x1)[3]) {
    double lower[2] = {HUGE_VAL, HUGE_VAL}, upper[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < count; k++) {
        double a = x[nodes[k]][i], b = x1[nodes[k]][i], low = a < b ? a : b, high = a < b ? b : a;
        int side = k >= split;
        lower[side] = low < lower[side] ? low : lower[side];
        upper[side] = high > upper[side] ? high : upper[side];
    }
    // at most one of the two is positive
    double up = lower[0] - upper[1], down = lower[1] - upper[0];
    return up > down ? up : down;
}

// The largest gap along the axes, or the first one beyond the reach.
static inline double gap_of_boxes(const int nodes[4], int split, int count, int axes, const double (*x)[3],
                                  const double (*x1)[3], double reach) {
    double gap = 0;
    for (int i = 0; i < axes && !(gap > reach); i++) {
        double along = gap_along_axis(nodes, split, count, i, x, x1);
        gap = along > gap ? along : gap;
    }
    return gap;
}

// The gap along d, which points from the second set to the first, at the positions x; 0 if something overflows.
static inline double gap_along(const int nodes[4], int split, int count, const double (*x)[3], const double d[3]) {
    // relative to a node, which saves digits far from the origin
    const double *origin = x[nodes[0]];
    double first = HUGE_VAL, second = -HUGE_VAL;
    for (int k = 0; k < count; k++) {
        double r[3];
        carom_difference(x[nodes[k]], origin, r);
        double along = carom_dot(d, r);
        if (k < split)
            first = along < first ? along : first;
        else
            second = along > second ? along : second;
    }
    double length = carom_norm(d), gap = (first - second) / length;
    return length > 0 && isfinite(gap) ? gap : 0;
}

// Limits t to [0, 1]; NaN (a segment without length) becomes 0.
static double clamp(double t) {
    return t > 0 ? t < 1 ? t : 1 : 0;
}

// Keeps the shorter of d and its rival; `best` is the square of d.
static inline void keep_shorter(const double rival[3], double d[3], double *best) {
    double square = carom_dot(rival, rival);
    if (square < *best) {
        *best = square;
        carom_copy(rival, d);
    }
}

// The vector from the closest point of the segment a, a + u to p, with r = p - a.
static inline void from_segment(const double r[3], const double u[3], double d[3]) {
    double t = clamp(carom_dot(r, u) / carom_dot(u, u));
    carom_copy(r, d);
    carom_add_scaled(-t, u, d);
}

// The vector from the closest point of the triangle a, a + u, a + v to a node at a + r.
static inline void from_triangle(const double r[3], const double u[3], const double v[3], double d[3]) {
    double w[3], s[3], rival[3];
    double uu = carom_dot(u, u), uv = carom_dot(u, v), vv = carom_dot(v, v), ru = carom_dot(r, u), rv = carom_dot(r, v);
    // barycentric coordinates of the projection by Cramer's rule
    double area = uu * vv - uv * uv, g = (ru * vv - rv * uv) / area, h = (rv * uu - ru * uv) / area;
    carom_copy(r, d);
    if (g >= 0 && h >= 0 && g + h <= 1) {
        carom_add_scaled(-g, u, d);
        carom_add_scaled(-h, v, d);
        return;
    }
    double best = HUGE_VAL;
    // outside, or a triangle without area: the closest point is on a side
    from_segment(r, u, rival);
    keep_shorter(rival, d, &best);
    from_segment(r, v, rival);
    keep_shorter(rival, d, &best);
    carom_difference(v, u, w);
    carom_difference(r, u, s);
    from_segment(s, w, rival);
    keep_shorter(rival, d, &best);
}

// The vector from the closest point of the segment p, p + v to that of a, a + u, with r = a - p: the foot of the common normal
// on the first line, clamped; the point of the second line closest to it, clamped; and the first one again if that was cut.
static inline void between_segments(const double r[3], const double u[3], const double v[3], double d[3]) {
    double uu = carom_dot(u, u), uv = carom_dot(u, v), vv = carom_dot(v, v), ru = carom_dot(r, u), rv = carom_dot(r, v);
    double s = clamp((uv * rv - vv * ru) / (uu * vv - uv * uv)), t = (uv * s + rv) / vv;
    // the conditions are such that NaN, from a segment without length, selects its beginning
    if (!(t >= 0)) {
        t = 0;
        s = clamp(-ru / uu);
    } else if (t > 1) {
        t = 1;
        s = clamp((uv - ru) / uu);
    }
    carom_copy(r, d);
    carom_add_scaled(s, u, d);
    carom_add_scaled(-t, v, d);
}

// Node r and sides u, v of a face, relative to its first corner.
static inline void place_face(const int nodes[4], const double (*x)[3], double r[3], double u[3], double v[3]) {
    carom_difference(x[nodes[0]], x[nodes[1]], r);
    carom_difference(x[nodes[2]], x[nodes[1]], u);
    carom_difference(x[nodes[3]], x[nodes[1]], v);
}

// Two edges: the vector r from the beginning of the second to that of the first, and the edge vectors u, v.
static inline void place_edges(const int nodes[4], const double (*x)[3], double r[3], double u[3], double v[3]) {
    carom_difference(x[nodes[0]], x[nodes[2]], r);
    carom_difference(x[nodes[1]], x[nodes[0]], u);
    carom_difference(x[nodes[3]], x[nodes[2]], v);
}

static void from_face(const int nodes[4], const double (*x)[3], double d[3]) {
    double r[3], u[3], v[3];
    place_face(nodes, x, r, u, v);
    from_triangle(r, u, v, d);
}

static void from_edge(const int nodes[4], const double (*x)[3], double d[3]) {
    double r[3], u[3], v[3];
    place_edges(nodes, x, r, u, v);
    between_segments(r, u, v, d);
}

static inline double smaller(double a, double b) {
    return a < b ? a : b;
}

static inline double larger(double a, double b) {
    return a > b ? a : b;
}

// The larger of a known bound and that of a projection `along` onto d, which need not be a unit vector.
static inline double better(double gap, double along, const double d[3]) {
    double found = along / carom_norm(d);
    // no bound if d is zero, or if something overflows
    return found > gap && isfinite(found) ? found : gap;
}

// A function that proposes a separating direction.
typedef void direction(const int nodes[4], const double (*x)[3], double d[3]);

// The largest of a known bound and those along the directions between the closest points at both ends of the motion.
static inline double gap_beyond(direction *towards, const int nodes[4], int split, int count, const double (*x)[3],
                                const double (*x1)[3], double reach, double gap) {
    double d[3];
    for (int end = 0; end < (x == x1 ? 1 : 2) && !(gap > reach); end++) {
        towards(nodes, end ? x1 : x, d);
        double along = gap_along(nodes, split, count, x, d);
        if (x != x1) {
            // the same direction must separate at both ends
            double then = gap_along(nodes, split, count, x1, d);
            along = then < along ? then : along;
        }
        gap = along > gap ? along : gap;
    }
    return gap;
}

// At rest the projections onto d are sums of those of r, u and v.
double carom_nearer_node_face(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach, double gap) {
    if (x == x1 && !(gap > reach)) {
        double r[3], u[3], v[3], d[3];
        place_face(nodes, x, r, u, v);
        from_triangle(r, u, v, d);
        return better(gap, carom_dot(d, r) - larger(0, larger(carom_dot(d, u), carom_dot(d, v))), d);
    }
    return gap_beyond(from_face, nodes, 1, 4, x, x1, reach, gap);
}

double carom_nearer_edge_edge(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach, double gap) {
    if (x == x1 && !(gap > reach)) {
        double r[3], u[3], v[3], d[3];
        place_edges(nodes, x, r, u, v);
        between_segments(r, u, v, d);
        return better(gap, carom_dot(d, r) + smaller(0, carom_dot(d, u)) - larger(0, carom_dot(d, v)), d);
    }
    return gap_beyond(from_edge, nodes, 2, 4, x, x1, reach, gap);
}

// Two-dimensional: z is ignored.
static void from_plane_segment(const int nodes[4], const double (*x)[3], double d[3]) {
    const double *p = x[nodes[0]], *a = x[nodes[1]], *b = x[nodes[2]];
    double r[3] = {p[0] - a[0], p[1] - a[1], 0}, u[3] = {b[0] - a[0], b[1] - a[1], 0};
    from_segment(r, u, d);
}

double carom_nearer_node_segment(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach, double gap) {
    return gap_beyond(from_plane_segment, nodes, 1, 3, x, x1, reach, gap);
}

double carom_near_node_face(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach) {
    return carom_nearer_node_face(nodes, x, x1, reach, gap_of_boxes(nodes, 1, 4, 3, x, x1, reach));
}

double carom_near_edge_edge(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach) {
    return carom_nearer_edge_edge(nodes, x, x1, reach, gap_of_boxes(nodes, 2, 4, 3, x, x1, reach));
}

double carom_near_node_segment(const int nodes[4], const double (*x)[3], const double (*x1)[3], double reach) {
    return carom_nearer_node_segment(nodes, x, x1, reach, gap_of_boxes(nodes, 1, 3, 2, x, x1, reach));
}
