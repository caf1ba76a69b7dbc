// SPDX-License-Identifier: MIT
// Computes lower bounds of the distance of pairs of features in straight motion (clearance.h) by separating directions, for
// eight pairs at a time in vector registers: fixed directions first, then, for pairs they do not separate, directions that turn
// with the polygon of the pair (hull.h).
#include "contact/narrow/clearance.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/kernel.h"

// Pairs per batch (one per vector lane), and the corners of the largest polygon.
enum { WIDTH = 8, CORNERS = 4 };

// Relative rounding error of a gap: about 40 roundings separate it from the differences of positions. This bound is a hundred
// times larger, and still far below the height of any contact layer.
static const double relative_rounding = 1e-12;

// Fractions of the motion are quotients with an error of a few units in the last place.
static const double part_rounding = 1e-12;

// Double roots of quadratics lose half of the digits.
static const double root_rounding = 1e-7;

// Squares below this may be inaccurate by underflow: their vectors give no direction.
static const double least_square = 1e-250;

typedef __attribute__((vector_size(WIDTH * sizeof(double)))) double lanes;
typedef __attribute__((vector_size(WIDTH * sizeof(int64_t)))) int64_t choice;

CAROM_INLINE void pick(const choice *which, const lanes *yes, const lanes *no, lanes *result) {
    choice a, b;
    memcpy(&a, yes, sizeof a);
    memcpy(&b, no, sizeof b);
    choice mixed = (*which & a) | (~*which & b);
    memcpy(result, &mixed, sizeof mixed);
}

// A comparison with NaN is false, so the second argument wins.
CAROM_INLINE void lesser(const lanes *a, const lanes *b, lanes *result) {
    choice which = *a < *b;
    pick(&which, a, b, result);
}

CAROM_INLINE void greater(const lanes *a, const lanes *b, lanes *result) {
    choice which = *a > *b;
    pick(&which, a, b, result);
}

CAROM_INLINE void fill(double value, lanes *result) {
    for (int l = 0; l < WIDTH; l++)
        (*result)[l] = value;
}

// The square root of each lane: vector types have none, and the compiler vectorises the loop.
CAROM_INLINE void take_root(lanes *a) {
    double root[WIDTH];
    memcpy(root, a, sizeof root);
    for (int l = 0; l < WIDTH; l++)
        root[l] = __builtin_sqrt(root[l]);
    memcpy(a, root, sizeof root);
}

CAROM_INLINE void cross(const lanes a[3], const lanes b[3], lanes result[3]) {
    for (int i = 0; i < 3; i++)
        result[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

CAROM_INLINE void dot(const lanes a[3], const lanes b[3], lanes *result) {
    *result = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Polygons at the start and at the end of their motion.
typedef struct polygons {
    lanes start[CORNERS][3], end[CORNERS][3];
    lanes reach;    // including rounding
    lanes rounding; // error bound of products of unit vectors with corners
} polygons;

// The vertices of corner k: one of the first feature, one of the second.
CAROM_INLINE void vertices_of(carom_narrow_kind kind, int k, int vertex[2]) {
    vertex[0] = kind == CAROM_NARROW_EDGE_EDGE && (k == 1 || k == 2);
    vertex[1] = kind == CAROM_NARROW_EDGE_EDGE ? 2 + (k >= 2) : 1 + k;
}

// Magnitude of each lane.
CAROM_INLINE void magnitude(const lanes *a, lanes *result) {
    lanes minus = -*a;
    greater(a, &minus, result);
}

// Sets the polygons from positions relative to the first vertex; differences are taken before multiplying by time, as in
// first.c. Polygons at rest (`moves` is false) are at b, and `end` is not set.
CAROM_INLINE void gather(carom_narrow_kind kind, int corners, bool moves, const int (*nodes)[4], const double *reach,
                         const carom_straight_motion *motion, polygons *p) {
    const double(*b)[3] = motion->b, (*w)[3] = motion->w, from = motion->from, to = motion->to;
    const int vertices = kind == CAROM_NARROW_NODE_SEGMENT ? 3 : 4, axes = kind == CAROM_NARROW_NODE_SEGMENT ? 2 : 3;
    double place[4][3][WIDTH] = {{{0}}}, speed[4][3][WIDTH] = {{{0}}};
    for (int l = 0; l < WIDTH; l++) {
        for (int k = 1; k < vertices; k++)
            for (int i = 0; i < axes; i++) {
                place[k][i][l] = b[nodes[l][k]][i] - b[nodes[l][0]][i];
                if (moves)
                    speed[k][i][l] = w[nodes[l][k]][i] - w[nodes[l][0]][i];
            }
    }
    lanes early[4][3], late[4][3], size = {0};
    for (int k = 0; k < vertices; k++)
        for (int i = 0; i < 3; i++) {
            lanes x, v, far, speed_size;
            memcpy(&x, place[k][i], sizeof x);
            magnitude(&x, &far);
            if (!moves) {
                early[k][i] = x;
                size += far;
                continue;
            }
            memcpy(&v, speed[k][i], sizeof v);
            early[k][i] = x + from * v;
            late[k][i] = x + to * v;
            magnitude(&v, &speed_size);
            size += far + fmax(fabs(from), fabs(to)) * speed_size;
        }
    for (int k = 0; k < corners; k++)
        for (int i = 0; i < 3; i++) {
            int vertex[2];
            vertices_of(kind, k, vertex);
            p->start[k][i] = early[vertex[0]][i] - early[vertex[1]][i];
            if (moves)
                p->end[k][i] = late[vertex[0]][i] - late[vertex[1]][i];
        }
    memcpy(&p->reach, reach, sizeof p->reach);
    p->rounding = relative_rounding * size;
    p->reach += p->rounding;
}

// Scales a direction to length one; lanes without a direction become NaN, which separates nothing.
CAROM_INLINE void normalise(lanes d[3]) {
    lanes square, least, none;
    dot(d, d, &square);
    fill(least_square, &least);
    fill(NAN, &none);
    choice good = square > least;
    take_root(&square);
    for (int i = 0; i < 3; i++) {
        d[i] /= square;
        pick(&good, &d[i], &none, &d[i]);
    }
}

// The gap and, for moving polygons, the fraction of the motion that direction d proves: each replaces a smaller one.
CAROM_INLINE void separate(const polygons *p, int corners, bool moves, const lanes d[3], lanes *gap, lanes *part) {
    lanes least, until, one, sum = {0}, zero = {0};
    fill(HUGE_VAL, &least);
    fill(1, &one);
    until = one;
    for (int k = 0; k < corners; k++) {
        lanes early, late, crossing;
        dot(d, p->start[k], &early);
        early -= p->reach;
        if (!moves) {
            sum += early;
            lesser(&early, &least, &least);
            continue;
        }
        dot(d, p->end[k], &late);
        late -= p->reach;
        sum += early + late;
        lesser(&late, &least, &least);
        lesser(&early, &least, &least);
        crossing = early / (early - late) - part_rounding;
        choice falls = late <= zero, starts_below = early <= zero;
        pick(&falls, &crossing, &one, &crossing);
        pick(&starts_below, &zero, &crossing, &crossing);
        lesser(&until, &crossing, &until);
    }
    // lanes without a direction are NaN: they keep the previous values
    choice sane = sum == sum;
    pick(&sane, &least, gap, &least);
    pick(&sane, &until, part, &until);
    greater(&least, gap, gap);
    greater(&until, part, part);
}

// The point of the boundary of a polygon nearest to the origin.
typedef struct boundary {
    lanes point[3];
    lanes edge[3]; // the edge that it lies on
    lanes along;   // its position on the edge, in [0, 1]
    lanes rate[3]; // change of the edge vector over the motion; zero if `displacements` is NULL
} boundary;

// `displacements`: of the corners over the motion, or NULL.
CAROM_INLINE void find_boundary(int corners, const lanes (*corner)[3], const lanes (*displacements)[3], boundary *nearest) {
    lanes best, zero = {0}, one;
    fill(1, &one);
    fill(HUGE_VAL, &best);
    memset(nearest, 0, sizeof *nearest);
    for (int k = 0; k < (corners == 2 ? 1 : corners); k++) {
        const lanes *c = corner[k], *d = corner[(k + 1) % corners];
        lanes e[3] = {d[0] - c[0], d[1] - c[1], d[2] - c[2]}, along, square, point[3];
        dot(c, e, &along);
        dot(e, e, &square);
        // an edge without length gives NaN, and its first corner is taken
        along = -along / square;
        greater(&along, &zero, &along);
        lesser(&along, &one, &along);
        for (int i = 0; i < 3; i++)
            point[i] = c[i] + along * e[i];
        dot(point, point, &square);
        choice nearer = square < best;
        pick(&nearer, &along, &nearest->along, &nearest->along);
        for (int i = 0; i < 3; i++) {
            pick(&nearer, &point[i], &nearest->point[i], &nearest->point[i]);
            pick(&nearer, &e[i], &nearest->edge[i], &nearest->edge[i]);
            if (displacements) {
                lanes rate = displacements[(k + 1) % corners][i] - displacements[k][i];
                pick(&nearer, &rate, &nearest->rate[i], &nearest->rate[i]);
            }
        }
        lesser(&square, &best, &best);
    }
}

// Two edges u, v of a polygon, its unit normal (pointing from the origin to the polygon), and n.(u x v).
CAROM_INLINE void find_normal(const lanes (*corner)[3], lanes u[3], lanes v[3], lanes normal[3], lanes *area) {
    lanes side, zero = {0};
    for (int i = 0; i < 3; i++) {
        u[i] = corner[1][i] - corner[0][i];
        v[i] = corner[2][i] - corner[1][i];
    }
    lanes product[3];
    cross(u, v, product);
    memcpy(normal, product, sizeof product);
    normalise(normal);
    dot(normal, corner[0], &side);
    choice behind = side < zero;
    for (int i = 0; i < 3; i++) {
        lanes turned = -normal[i];
        pick(&behind, &turned, &normal[i], &normal[i]);
    }
    dot(normal, product, area);
}

// Tries fixed directions, evaluated in the middle of the motion.
CAROM_INLINE void find(carom_narrow_kind kind, int corners, bool moves, const int (*nodes)[4], const double *reach,
                       const carom_straight_motion *motion, double *gap_out, double *part_out) {
    polygons p;
    gather(kind, corners, moves, nodes, reach, motion, &p);
    lanes middle[CORNERS][3], gap, part = {0};
    for (int k = 0; k < corners; k++)
        for (int i = 0; i < 3; i++)
            middle[k][i] = moves ? 0.5 * (p.start[k][i] + p.end[k][i]) : p.start[k][i];
    boundary nearest;
    find_boundary(corners, (const lanes(*)[3])middle, NULL, &nearest);
    fill(-HUGE_VAL, &gap);
    normalise(nearest.point);
    separate(&p, corners, moves, nearest.point, &gap, &part);
    if (corners > 2) {
        lanes u[3], v[3], normal[3], area;
        find_normal((const lanes(*)[3])middle, u, v, normal, &area);
        separate(&p, corners, moves, normal, &gap, &part);
    }
    memcpy(gap_out, &gap, sizeof gap);
    if (moves)
        memcpy(part_out, &part, sizeof part);
}

CAROM_INLINE void find_fixed(carom_narrow_kind kind, int corners, const int (*nodes)[4], const double *reach,
                             const carom_straight_motion *motion, double *gap, double *part) {
    find(kind, corners, true, nodes, reach, motion, gap, part);
}

CAROM_INLINE void find_now(carom_narrow_kind kind, int corners, const int (*nodes)[4], const double *reach,
                           const carom_straight_motion *motion, double *gap, double *part) {
    find(kind, corners, false, nodes, reach, motion, gap, part);
}

// As `separate`, for a direction n + s m that turns, s in [0, 1]. A corner c + s w is beyond the reach r as long as
//     (n + s m).(c + s w) > r |n + s m|,   |n + s m| <= 1 + s |n.m| + s^2 |m|^2/2,
// a quadratic in s.
CAROM_INLINE void separate_turning(const polygons *p, int corners, const lanes n[3], const lanes m[3], lanes *gap,
                                   lanes *part) {
    lanes least, until, one, sum = {0}, zero = {0}, slant, square, length;
    fill(HUGE_VAL, &least);
    fill(1, &one);
    until = one;
    dot(n, m, &slant);
    magnitude(&slant, &slant);
    dot(m, m, &square);
    length = square;
    take_root(&length);
    for (int k = 0; k < corners; k++) {
        lanes displacement[3], a, b, c, product, low, root, crossing;
        for (int i = 0; i < 3; i++)
            displacement[i] = p->end[k][i] - p->start[k][i];
        dot(n, p->start[k], &a);
        dot(m, p->start[k], &b);
        dot(n, displacement, &product);
        dot(m, displacement, &c);
        a -= p->reach + p->rounding * length;
        b += product - p->reach * slant;
        c -= 0.5 * p->reach * square;
        sum += a + b + c;
        // the least value is at an end, or where the slope is zero
        lanes last = a + b + c, valley = a - b * b / (4 * c);
        choice has_valley = (c > zero) & (b < zero) & (-b < 2 * c);
        pick(&has_valley, &valley, &last, &low);
        lesser(&a, &low, &low);
        lesser(&low, &least, &least);
        root = b * b - 4 * a * c;
        greater(&root, &zero, &root);
        take_root(&root);
        crossing = 2 * a / (root - b) * (1 - root_rounding);
        choice falls = low <= zero, starts_below = a <= zero;
        pick(&falls, &crossing, &one, &crossing);
        pick(&starts_below, &zero, &crossing, &crossing);
        lesser(&until, &crossing, &until);
    }
    least /= 1 + slant + 0.5 * square;
    choice sane = sum == sum;
    pick(&sane, &least, gap, &least);
    pick(&sane, &until, part, &until);
    greater(&least, gap, gap);
    greater(&until, part, part);
}

// Tries directions evaluated at the start that turn with the polygon: with the edge of the nearest point, or with its plane
// (hull.c). They cost more than fixed ones, but separate also features that almost touch.
CAROM_INLINE void find_turning(carom_narrow_kind kind, int corners, const int (*nodes)[4], const double *reach,
                               const carom_straight_motion *motion, double *gap_out, double *part_out) {
    polygons p;
    gather(kind, corners, true, nodes, reach, motion, &p);
    lanes displacements[CORNERS][3], gap, part, turn[3], zero = {0}, one, product, square;
    memcpy(&gap, gap_out, sizeof gap);
    memcpy(&part, part_out, sizeof part);
    fill(1, &one);
    for (int k = 0; k < corners; k++)
        for (int i = 0; i < 3; i++)
            displacements[k][i] = p.end[k][i] - p.start[k][i];
    boundary nearest;
    find_boundary(corners, (const lanes(*)[3])p.start, (const lanes(*)[3])displacements, &nearest);
    normalise(nearest.point);
    // m.e + n.e' = 0
    dot(nearest.point, nearest.rate, &product);
    dot(nearest.edge, nearest.edge, &square);
    choice inside = (nearest.along > zero) & (nearest.along < one);
    for (int i = 0; i < 3; i++) {
        turn[i] = -product / square * nearest.edge[i];
        pick(&inside, &turn[i], &zero, &turn[i]);
    }
    separate_turning(&p, corners, nearest.point, turn, &gap, &part);
    if (corners > 2) {
        // the same for two edges u, v: m = (-n.u' (v x n) - n.v' (n x u))/(n.(u x v))
        lanes u[3], v[3], normal[3], area, first[3], second[3], rates[2] = {zero, zero};
        find_normal((const lanes(*)[3])p.start, u, v, normal, &area);
        for (int i = 0; i < 3; i++) {
            rates[0] += normal[i] * (displacements[1][i] - displacements[0][i]);
            rates[1] += normal[i] * (displacements[2][i] - displacements[1][i]);
        }
        cross(v, normal, first);
        cross(normal, u, second);
        for (int i = 0; i < 3; i++)
            turn[i] = -(rates[0] * first[i] + rates[1] * second[i]) / area;
        separate_turning(&p, corners, normal, turn, &gap, &part);
    }
    memcpy(gap_out, &gap, sizeof gap);
    memcpy(part_out, &part, sizeof part);
}

// The counts are constants here, so that the compiler unrolls the loops.
#define BY_KIND(find)                                                                                           \
    switch (kind) {                                                                                             \
    case CAROM_NARROW_NODE_FACE: find(CAROM_NARROW_NODE_FACE, 3, nodes, reach, motion, gap, part); break;       \
    case CAROM_NARROW_EDGE_EDGE: find(CAROM_NARROW_EDGE_EDGE, 4, nodes, reach, motion, gap, part); break;       \
    case CAROM_NARROW_NODE_SEGMENT: find(CAROM_NARROW_NODE_SEGMENT, 2, nodes, reach, motion, gap, part); break; \
    }

CAROM_KERNEL(fixed_batch,
             (carom_narrow_kind kind, const int (*nodes)[4], const double *reach, const carom_straight_motion *motion,
              double *gap, double *part),
             (kind, nodes, reach, motion, gap, part), BY_KIND(find_fixed))

CAROM_KERNEL(turning_batch,
             (carom_narrow_kind kind, const int (*nodes)[4], const double *reach, const carom_straight_motion *motion,
              double *gap, double *part),
             (kind, nodes, reach, motion, gap, part), BY_KIND(find_turning))

CAROM_KERNEL(standing_batch,
             (carom_narrow_kind kind, const int (*nodes)[4], const double *reach, const carom_straight_motion *motion,
              double *gap, double *part),
             (kind, nodes, reach, motion, gap, part), BY_KIND(find_now))

// A kernel for one batch of pairs.
typedef void batch(carom_narrow_kind kind, const int (*nodes)[4], const double *reach, const carom_straight_motion *motion,
                   double *gap, double *part);

// Up to one batch of pairs picked from a list, with their numbers in it.
typedef struct selection {
    int count;
    int number[WIDTH];
    int nodes[WIDTH][4];
    double reach[WIDTH], gap[WIDTH], part[WIDTH];
} selection;

static void select_pair(selection *some, int number, const int nodes[4], double reach, double gap, double part) {
    int l = some->count++;
    some->number[l] = number;
    memcpy(some->nodes[l], nodes, sizeof some->nodes[l]);
    some->reach[l] = reach;
    some->gap[l] = gap;
    some->part[l] = part;
}

// Fills unused lanes with copies of the first pair, empties the selection and returns how many pairs it had.
static int fill_up(selection *some) {
    int count = some->count;
    while (some->count < WIDTH)
        select_pair(some, some->number[0], some->nodes[0], some->reach[0], some->gap[0], some->part[0]);
    some->count = 0;
    return count;
}

// Computes all pairs of a list in batches; `part` may be NULL.
static void run_batches(batch *run, carom_narrow_kind kind, int count, const int (*nodes)[4], const double *reach,
                        const carom_straight_motion *motion, double *gap, double *part) {
    selection some = {0};
    int whole = count - count % WIDTH;
    for (int i = 0; i < whole; i += WIDTH)
        run(kind, nodes + i, reach + i, motion, gap + i, part ? part + i : NULL);
    for (int i = whole; i < count; i++)
        select_pair(&some, i, nodes[i], reach[i], 0, 0);
    if (!some.count)
        return;
    int rest = fill_up(&some);
    run(kind, (const int(*)[4])some.nodes, some.reach, motion, some.gap, some.part);
    memcpy(gap + whole, some.gap, (size_t)rest * sizeof *gap);
    if (part)
        memcpy(part + whole, some.part, (size_t)rest * sizeof *part);
}

void carom_clearance_find(carom_narrow_kind kind, int count, const int (*nodes)[4], const double *reach,
                          const carom_straight_motion *motion, double *gap, double *part) {
    selection some = {0};
    run_batches(fixed_batch, kind, count, nodes, reach, motion, gap, part);
    // the few pairs that fixed directions do not separate
    for (int i = 0; i < count; i++) {
        if (!(gap[i] > 0))
            select_pair(&some, i, nodes[i], reach[i], gap[i], part[i]);
        if (some.count == WIDTH || (some.count && i == count - 1)) {
            int rest = fill_up(&some);
            turning_batch(kind, (const int(*)[4])some.nodes, some.reach, motion, some.gap, some.part);
            for (int l = 0; l < rest; l++) {
                gap[some.number[l]] = some.gap[l];
                part[some.number[l]] = some.part[l];
            }
        }
    }
}

void carom_clearance_now(carom_narrow_kind kind, int count, const int (*nodes)[4], const double *reach, const double (*x)[3],
                         double *gap) {
    run_batches(standing_batch, kind, count, nodes, reach, &(carom_straight_motion){.b = x}, gap, NULL);
}
