// SPDX-License-Identifier: MIT
// Finds the time until which two moving features certainly do not touch, by conservative advancement (Mirtich 1996) along axes
// that turn with the polygon of the pair (hull.h).
//
// If n.c > 0 for all corners c of the polygon, the origin is outside. A corner moves as c + s w, where s is the
// time since the current one; for an axis n + s m that turns linearly
//     (n + s m).(c + s w) = n.c + s (m.c + n.w) + s^2 m.w ,
// and the origin stays outside as long as these quadratics, one for each corner, are positive. Their
// coefficients are replaced by lower bounds: the computed value minus a bound of its rounding error, including those of
// c and w. The search advances to the first root and repeats until it reaches the end of the motion or no axis
// separates any more: up to this time contact is excluded with certainty.
//
// The axes are: the direction to the closest point, turning with the edge it lies on; and the normal of the plane,
// turning with the plane, so that all corners approach equally and the advance is a Newton step for the distance from
// the safe side. Near contact, at distances of about sqrt(eps), rounding makes the direction to the closest point
// useless. The normal of the plane and the in-plane normals of edges and their bisectors still separate down to
// distances of about eps (docs/theory/narrow_phase.md).
#include "contact/narrow/hull.h"

#include <float.h>
#include <math.h>

#include "math/vec3.h"

enum {
    SLOW_AFTER = 64, // rounds from which on the tolerance ends the search: convergence is not quadratic
    ROUND_MAX = 512  // rounds after which it ends in any case, with a false positive at worst
};

// Corners and edges are differences of positions, each with a single rounding.
static void set_corner(carom_hull *hull, int k, int end, const double a[3], const double b[3], int dimension) {
    for (int i = 0; i < 3; i++)
        hull->corner[k][end][i] = i < dimension ? a[i] - b[i] : 0;
}

static void set_edge(carom_hull *hull, int k, int end, const double a[3], const double b[3], int dimension) {
    for (int i = 0; i < 3; i++)
        hull->edge[k][end][i] = i < dimension ? b[i] - a[i] : 0;
}

void carom_hull_between(carom_narrow_kind kind, const double (*x0)[3], const double (*x1)[3], carom_hull *hull) {
    for (int end = 0; end < 2; end++) {
        const double(*x)[3] = end == 0 ? x0 : x1;
        switch (kind) {
        case CAROM_NARROW_NODE_FACE:
            hull->count = hull->edge_count = 3;
            for (int k = 0; k < 3; k++) {
                set_corner(hull, k, end, x[0], x[1 + k], 3);
                set_edge(hull, k, end, x[1 + (k + 1) % 3], x[1 + k], 3);
            }
            break;
        case CAROM_NARROW_EDGE_EDGE:
            hull->count = 4;
            hull->edge_count = 2;
            for (int k = 0; k < 4; k++)
                set_corner(hull, k, end, x[k == 1 || k == 2], x[2 + (k >= 2)], 3);
            set_edge(hull, 0, end, x[0], x[1], 3);
            set_edge(hull, 1, end, x[3], x[2], 3);
            break;
        case CAROM_NARROW_NODE_SEGMENT:
            hull->count = 2;
            hull->edge_count = 1;
            for (int k = 0; k < 2; k++)
                set_corner(hull, k, end, x[0], x[1 + k], 2);
            set_edge(hull, 0, end, x[2], x[1], 2);
            break;
        }
    }
}

// Normalises a; false if it is zero. The fast path avoids the scaling that carom_normalize needs for
// extreme sizes.
static bool make_unit(double a[3]) {
    double square = carom_dot(a, a);
    if (!(square > 1e-200 && square < 1e200))
        return carom_normalize(a) > 0;
    double inverse = 1 / sqrt(square);
    for (int i = 0; i < 3; i++)
        a[i] *= inverse;
    return true;
}

// Removes from b its component along the unit vector a.
static void reject(const double a[3], double b[3]) {
    carom_add_scaled(-carom_dot(a, b), a, b);
}

// A unit vector normal to the unit vector a; e_z if a is in the x-y plane.
static void some_across(const double a[3], double n[3]) {
    int least = 2;
    for (int i = 0; i < 2; i++)
        if (fabs(a[i]) < fabs(a[least]))
            least = i;
    n[0] = n[1] = n[2] = 0;
    n[least] = 1;
    reject(a, n);
    make_unit(n);
}

// (1 - t) c0 + t c1, exact at both ends.
static void interpolate(const double c[2][3], double t, double at[3]) {
    for (int i = 0; i < 3; i++)
        at[i] = (1 - t) * c[0][i] + t * c[1][i];
}

// The frame of a polygon with these edges.
static inline void set_axes(const double (*edge)[3], int edge_count, carom_hull_view *view) {
    double square[3];
    int longest = 0, shortest = 0;
    for (int k = 0; k < edge_count; k++) {
        square[k] = carom_dot(edge[k], edge[k]);
        if (square[k] > square[longest])
            longest = k;
        if (square[k] <= square[shortest])
            shortest = k;
    }
    // the normal is orthogonalised to the longest edge once more: its remaining error is a rotation about that edge
    double *a = view->axis[0], *b = view->axis[1], *n = view->axis[2];
    carom_copy(edge[longest], a);
    if (!make_unit(a)) {
        a[0] = 1;
        a[1] = a[2] = 0;
    }
    carom_cross(a, edge[shortest], n);
    bool has_normal = longest != shortest && make_unit(n);
    if (has_normal) {
        double slant = carom_dot(a, n);
        reject(a, n);
        has_normal = fabs(slant) < 1e-8 || make_unit(n);
    }
    if (!has_normal)
        some_across(a, n);
    carom_cross(n, a, b);
    view->longest = longest;
    view->shortest = shortest;
    view->length = sqrt(square[longest]);
    view->across[0] = carom_dot(a, edge[shortest]);
    view->across[1] = longest == shortest ? 0 : carom_dot(b, edge[shortest]);
    view->sine = square[shortest] > 0 ? fabs(view->across[1]) / sqrt(square[shortest]) : 0;
}

// Sets the corners and the foot in the frame. Fast calls pass a constant `count`, so that loops are unrolled.
static inline void find_foot(int count, carom_hull_view *view) {
    view->count = count;
    for (int k = 0; k < count; k++) {
        const double *c = view->corner[k];
        view->place[k][0] = carom_dot(view->axis[0], c);
        view->place[k][1] = carom_dot(view->axis[1], c);
        if (k == 0)
            view->height = carom_dot(view->axis[2], c);
    }

    // the side of each edge on which the origin projects: all equal if it is over the polygon
    double low = 0, high = 0, area = 0;
    for (int k = 0; k < count; k++) {
        const double *c = view->place[k], *d = view->place[(k + 1) % count];
        double turn = c[0] * (d[1] - c[1]) - c[1] * (d[0] - c[0]);
        low = turn < low ? turn : low;
        high = turn > high ? turn : high;
        area += turn;
    }
    view->over = count > 2 && area != 0 && (low == 0 || high == 0);
    view->foot[0] = view->foot[1] = 0;
    if (view->over)
        return;

    double least = INFINITY;
    for (int k = 0; k < (count == 2 ? 1 : count); k++) {
        const double *c = view->place[k], *d = view->place[(k + 1) % count];
        // otherwise the closest point of the boundary
        double e[2] = {d[0] - c[0], d[1] - c[1]}, square = e[0] * e[0] + e[1] * e[1];
        double s = square > 0 ? -(c[0] * e[0] + c[1] * e[1]) / square : 0;
        s = s < 0 ? 0 : s > 1 ? 1 : s;
        double p[2] = {c[0] + s * e[0], c[1] + s * e[1]}, distance = p[0] * p[0] + p[1] * p[1];
        if (distance < least) {
            least = distance;
            view->foot[0] = p[0];
            view->foot[1] = p[1];
            view->near = k;
            view->along = s;
        }
    }
}

void carom_hull_view_at(const carom_hull *hull, double t, carom_hull_view *view) {
    double edge[3][3];
    for (int k = 0; k < hull->edge_count; k++)
        interpolate(hull->edge[k], t, edge[k]);
    set_axes((const double(*)[3])edge, hull->edge_count, view);
    for (int k = 0; k < hull->count; k++)
        for (int i = 0; i < 3; i++) {
            double from = (1 - t) * hull->corner[k][0][i], to = t * hull->corner[k][1][i];
            view->corner[k][i] = from + to;
            view->size[k][i] = fabs(from) + fabs(to);
        }
    find_foot(hull->count, view);
}

// The counts are constants here, so that the compiler unrolls the loops.
void carom_hull_view_now(carom_narrow_kind kind, const double (*x)[3], carom_hull_view *view) {
    const int axes = kind == CAROM_NARROW_NODE_SEGMENT ? 2 : 3;
    int corners = kind == CAROM_NARROW_EDGE_EDGE ? 4 : axes;
    double edge[3][3];
    for (int k = 0; k < corners; k++) {
        bool edges = kind == CAROM_NARROW_EDGE_EDGE;
        const double *a = x[edges && (k == 1 || k == 2)], *b = x[edges ? 2 + (k >= 2) : 1 + k];
        for (int i = 0; i < 3; i++) {
            view->corner[k][i] = i < axes ? a[i] - b[i] : 0;
            view->size[k][i] = fabs(view->corner[k][i]);
        }
    }
    switch (kind) {
    case CAROM_NARROW_NODE_FACE:
        for (int k = 0; k < 3; k++)
            carom_difference(x[1 + k], x[1 + (k + 1) % 3], edge[k]);
        set_axes((const double(*)[3])edge, 3, view);
        find_foot(3, view);
        break;
    case CAROM_NARROW_EDGE_EDGE:
        carom_difference(x[1], x[0], edge[0]);
        carom_difference(x[2], x[3], edge[1]);
        set_axes((const double(*)[3])edge, 2, view);
        find_foot(4, view);
        break;
    case CAROM_NARROW_NODE_SEGMENT:
        carom_difference(x[1], x[2], edge[0]);
        edge[0][2] = 0;
        set_axes((const double(*)[3])edge, 1, view);
        find_foot(2, view);
        break;
    }
}

// A separating axis that turns: n + (time - t) turn, with `turn` normal to n.
typedef struct axis {
    double n[3], turn[3];
} axis;

// The largest s in [0, end] up to which a + b s + c s^2 is certainly positive; negative if it is not
// positive at 0.
static double positive_until(double a, double b, double c, double end) {
    static const double slack = 1 - 8 * DBL_EPSILON;
    double size = fabs(b) > fabs(c) ? fabs(b) : fabs(c);
    if (!(a > 1e-280 * size))
        return -1;
    // squares of such small coefficients would underflow
    if (size < 1e-100) {
        if (a > 2 * size)
            return end;
        a /= size, b /= size, c /= size;
    }
    if (c <= 0) {
        // concave: positive at both ends means positive in between
        double last = a + end * (b + end * c), moduli = a + end * (fabs(b) - end * c);
        if (last > 8 * DBL_EPSILON * moduli)
            return end;
        double root = sqrt(b * b - 4 * a * c);
        return slack * (b > 0 ? (b + root) / (-2 * c) : 2 * a / (root - b));
    }
    if (b >= 0)
        return end;
    double discriminant = (1 + 8 * DBL_EPSILON) * b * b - 4 * a * c;
    return discriminant < 0 ? end : slack * (2 * a / (sqrt(discriminant) - b));
}

// The time until which an axis evaluated at t separates by more than the margin; negative if it does not separate at t.
static double separates_until(const carom_hull *hull, const carom_hull_view *view, const axis *x, double margin, double t) {
    const double *n = x->n, *turn = x->turn;
    double end = 1 - t, least = end, offset = DBL_MIN, growth = 0, linear_error = 0;
    if (margin > 0) {
        // |n + s turn| <= |n| + s^2 |turn|^2/(2 |n|), up to rounding
        double length = carom_norm(n), speed = carom_norm(turn);
        offset += margin * (1 + 8 * DBL_EPSILON) * length;
        growth = margin * (1 + 8 * DBL_EPSILON) * speed * speed / (2 * length);
        linear_error = margin * 8 * DBL_EPSILON * speed;
    }
    for (int k = 0; k < hull->count; k++) {
        const double *from = hull->corner[k][0], *to = hull->corner[k][1];
        double a = 0, b = 0, c = 0, a_size = 0, b_size = 0, c_size = 0;
        for (int i = 0; i < 3; i++) {
            double at = view->corner[k][i], displacement = to[i] - from[i];
            double at_size = view->size[k][i], path_size = fabs(from[i]) + fabs(to[i]);
            a += n[i] * at;
            b += turn[i] * at + n[i] * displacement;
            c += turn[i] * displacement;
            a_size += fabs(n[i]) * at_size;
            b_size += fabs(turn[i]) * at_size + fabs(n[i]) * path_size;
            c_size += fabs(turn[i]) * path_size;
        }
        // lower bounds of the coefficients
        a -= 8 * DBL_EPSILON * a_size + offset;
        b -= 8 * DBL_EPSILON * b_size + linear_error;
        c -= 8 * DBL_EPSILON * c_size + growth;
        double until = positive_until(a, b, c, end);
        if (!(until > 0))
            return -1;
        least = until < least ? until : least;
    }
    // t + least, rounded down
    return least == end ? 1 : t + (least - 2 * DBL_EPSILON * (t + least));
}

// The rate at which the normal turns with the plane: turn.e + n.e' = 0 for both edges e.
static void turn_with_plane(const carom_hull *hull, const carom_hull_view *view, axis *x) {
    int first = view->longest, second = view->shortest;
    double rate[2][3], along[2];
    carom_difference(hull->edge[first][1], hull->edge[first][0], rate[0]);
    carom_difference(hull->edge[second][1], hull->edge[second][0], rate[1]);
    // in the frame the edges are (length, 0) and (across[0], across[1])
    along[0] = view->length > 0 ? -carom_dot(x->n, rate[0]) / view->length : 0;
    along[1] = -carom_dot(x->n, rate[1]) - along[0] * view->across[0];
    bool steep = fabs(view->across[1]) > 1e-12 * view->length;
    along[1] = steep ? along[1] / view->across[1] : 0;
    for (int i = 0; i < 3; i++)
        x->turn[i] = along[0] * view->axis[0][i] + along[1] * view->axis[1][i];
}

// The rate at which an axis normal to an edge turns with it.
static void turn_with_edge(const carom_hull *hull, int edge, double t, axis *x) {
    double e[3], rate[3];
    edge %= hull->edge_count;
    interpolate(hull->edge[edge], t, e);
    carom_difference(hull->edge[edge][1], hull->edge[edge][0], rate);
    double square = carom_dot(e, e), part = square > 0 ? -carom_dot(x->n, rate) / square : 0;
    for (int i = 0; i < 3; i++)
        x->turn[i] = part * e[i];
}

// The normal of the plane, towards the polygon.
static void set_plane_normal(const carom_hull *hull, const carom_hull_view *view, axis *x) {
    for (int i = 0; i < 3; i++)
        x->n[i] = view->height < 0 ? -view->axis[2][i] : view->axis[2][i];
    turn_with_plane(hull, view, x);
}

// The axis from the origin to the closest point of the boundary.
static void set_nearest(const carom_hull *hull, const carom_hull_view *view, double t, axis *x) {
    for (int i = 0; i < 3; i++) {
        x->n[i] = view->foot[0] * view->axis[0][i] + view->foot[1] * view->axis[1][i] + view->height * view->axis[2][i];
        x->turn[i] = 0;
    }
    if (view->along > 0 && view->along < 1)
        turn_with_edge(hull, view->near, t, x);
}

// The direction in the plane of the polygon that separates best, among the normals of its edges and the
// bisectors of its corners; false if none separates.
static bool set_in_plane(const carom_hull *hull, const carom_hull_view *view, double t, axis *x) {
    int count = view->count;
    double unit[4][2], best = 0, direction[2] = {0, 0};
    int edge = -1;
    for (int k = 0; k < count; k++) {
        const double *c = view->place[k], *d = view->place[(k + 1) % count];
        double e[2] = {d[0] - c[0], d[1] - c[1]}, length = sqrt(e[0] * e[0] + e[1] * e[1]);
        unit[k][0] = length > 0 ? e[0] / length : 0;
        unit[k][1] = length > 0 ? e[1] / length : 0;
    }
    for (int k = 0; k < count; k++) {
        const double *c = view->place[k], *u = unit[k], *before = unit[(k + count - 1) % count];
        double across[2] = {-u[1], u[0]}, bisector[2] = {u[0] - before[0], u[1] - before[1]};
        double length = sqrt(bisector[0] * bisector[0] + bisector[1] * bisector[1]);
        for (int s = 0; s < 3; s++) {
            double d[2] = {s == 0 ? across[0] : -across[0], s == 0 ? across[1] : -across[1]};
            if (s == 2) {
                d[0] = length > 0 ? bisector[0] / length : 0;
                d[1] = length > 0 ? bisector[1] / length : 0;
            }
            double least = INFINITY;
            for (int other = 0; other < count; other++) {
                // the smallest over the corners; both ends of the edge itself are equal up to rounding
                double product = d[0] * view->place[other][0] + d[1] * view->place[other][1];
                least = product < least ? product : least;
            }
            if (least > best && d[0] * c[0] + d[1] * c[1] > 0) {
                best = least;
                edge = s == 2 ? -1 : k;
                direction[0] = d[0];
                direction[1] = d[1];
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        x->n[i] = direction[0] * view->axis[0][i] + direction[1] * view->axis[1][i];
        x->turn[i] = 0;
    }
    if (edge >= 0)
        turn_with_edge(hull, edge, t, x);
    return best > 0;
}

// The time until which an axis evaluated at t separates; negative if none separates at t. Axes that succeed most often are
// tried first.
static double advance(const carom_hull *hull, double margin, double t) {
    carom_hull_view view;
    carom_hull_view_at(hull, t, &view);
    axis x;
    double until = -1;
    if (!view.over) {
        set_nearest(hull, &view, t, &x);
        until = separates_until(hull, &view, &x, margin, t);
        double in_plane = view.foot[0] * view.foot[0] + view.foot[1] * view.foot[1];
        if (until >= 1 || (until > t && 16 * view.height * view.height < in_plane))
            return until;
    }
    set_plane_normal(hull, &view, &x);
    until = fmax(until, separates_until(hull, &view, &x, margin, t));
    if (!(until > t) && set_in_plane(hull, &view, t, &x))
        until = separates_until(hull, &view, &x, margin, t);
    return until;
}

// True if the polygon stays on one side of the origin along a coordinate axis. Without a margin this is exact, because
// the sign of a rounded difference is exact.
static bool separated_by_coordinate(const carom_hull *hull, double margin) {
    for (int i = 0; i < 3; i++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < hull->count; k++)
            for (int end = 0; end < 2; end++) {
                double c = hull->corner[k][end][i];
                low = c < low ? c : low;
                high = c > high ? c : high;
            }
        if (low * (1 - 2 * DBL_EPSILON) > margin || -high * (1 - 2 * DBL_EPSILON) > margin)
            return true;
    }
    return false;
}

// True if a fixed axis, the normal of the plane in the middle of the motion, separates during the whole motion, as it does for
// most pairs that pass near each other.
static bool separated_by_normal(const carom_hull *hull, double margin) {
    if (hull->edge_count < 2)
        return false;
    double a[3], b[3], n[3];
    for (int i = 0; i < 3; i++) {
        a[i] = hull->edge[0][0][i] + hull->edge[0][1][i];
        b[i] = hull->edge[1][0][i] + hull->edge[1][1][i];
    }
    carom_cross(a, b, n);
    double offset = DBL_MIN + (margin > 0 ? margin * (1 + 8 * DBL_EPSILON) * carom_norm(n) : 0);
    bool above = true, below = true;
    for (int k = 0; k < hull->count; k++)
        for (int end = 0; end < 2; end++) {
            const double *c = hull->corner[k][end];
            double p = n[0] * c[0], q = n[1] * c[1], r = n[2] * c[2], sum = p + q + r;
            double bound = 4 * DBL_EPSILON * (fabs(p) + fabs(q) + fabs(r)) + offset;
            above = above && sum > bound;
            below = below && -sum > bound;
        }
    return above || below;
}

// Two quick rejections, then conservative advancement. Invariant: contact is excluded on [from, t).
bool carom_hull_first(const carom_hull *hull, double margin, double from, double tolerance, double *time) {
    if (separated_by_coordinate(hull, margin) || separated_by_normal(hull, margin))
        return false;
    double t = from;
    for (int round = 0; round < ROUND_MAX; round++) {
        double until = advance(hull, margin, t);
        if (until >= 1)
            return false;
        if (!(until > t))
            break;
        double step = until - t;
        t = until;
        if (round >= SLOW_AFTER && step < tolerance)
            break;
    }
    *time = t;
    return true;
}
