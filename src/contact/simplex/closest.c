// SPDX-License-Identifier: MIT
// Finds the face of a body that is closest to a point, and the position of the point relative to it (closest.h). The distance
// of a point from a face follows from barycentric heights; the closest face of a body is found by descending the tree of boxes,
// nearest box first. The search runs twice: the first pass finds the smallest distance, the second selects among all faces
// within the tie. So the result does not depend on the order of faces in the tree.
#include "contact/simplex/closest.h"

#include <math.h>

#include "math/vec3.h"

// Children of a tree node.
enum { LANES = CAROM_TREE_WIDTH };

// Feet outside of a side by this fraction of the height of the face count as inside (rounding).
static const double border_part = 1e-9;

// Corners of a face at time t; the third one of a segment is unused.
static void corners_of(const carom_surface *surface, const carom_motion *motion, double t, int face, double c[3][3]) {
    for (int i = 0; i < 3; i++)
        carom_motion_position(motion, surface->faces[face][i], t, c[i]);
}

// carom_normalize without its checks for overflow: if the squared length is far from the limits, carom_normalize only divides
// by the length.
static double make_unit(double a[3]) {
    double square = carom_dot(a, a);
    if (!(square > 1e-279 && square < 1e279))
        return carom_normalize(a);
    double length = sqrt(square);
    for (int i = 0; i < 3; i++)
        a[i] /= length;
    return length;
}

bool carom_face_normal(const carom_surface *surface, const carom_motion *motion, double t, int face, double normal[3]) {
    double c[3][3];
    corners_of(surface, motion, t, face, c);
    carom_corners_normal(surface->corners, (carom_const_vectors)c, normal);
    return make_unit(normal) > 0;
}

double carom_height_over_face(const carom_surface *surface, const carom_motion *motion, double t, const double point[3],
                              int face) {
    double c[3][3], n[3], r[3];
    corners_of(surface, motion, t, face, c);
    carom_corners_normal(surface->corners, (carom_const_vectors)c, n);
    if (!(make_unit(n) > 0))
        return 0;
    carom_difference(point, c[0], r);
    return carom_dot(n, r);
}

// The closest point of the segment ab; replaces the best one so far if it is nearer.
static void try_side(const double a[3], const double b[3], const double point[3], carom_closest *closest) {
    double d[3], r[3], foot[3];
    carom_difference(b, a, d);
    carom_difference(point, a, r);
    double square = carom_dot(d, d), s = square > 0 ? fmin(fmax(carom_dot(r, d) / square, 0), 1) : 0;
    // at the ends the foot is a corner with all its bits
    carom_copy(s < 1 ? a : b, foot);
    if (s > 0 && s < 1)
        carom_add_scaled(s, d, foot);
    carom_difference(point, foot, r);
    double distance = carom_norm(r);
    if (distance < closest->distance) {
        closest->distance = distance;
        carom_copy(foot, closest->foot);
    }
}

carom_closest carom_closest_on_face(const carom_surface *surface, const carom_motion *motion, double t, const double point[3],
                                    int face) {
    carom_closest closest = {.face = face, .distance = HUGE_VAL};
    // `least` is the smallest distance from a side, in parts of the face: barycentric coordinates
    double c[3][3], n[3], r[3], least = -1;
    corners_of(surface, motion, t, face, c);
    carom_corners_normal(surface->corners, (carom_const_vectors)c, n);
    // a segment is its own side
    int sides = surface->corners == 2 ? 1 : 3;
    if (make_unit(n) > 0) {
        carom_difference(point, c[0], r);
        closest.height = carom_dot(n, r);
        least = HUGE_VAL;
        for (int i = 0; i < surface->corners; i++) {
            // coordinate i is across.(p - a) / across.(o - a), with o the corner opposite to side ab (the
            // other end of a segment)
            double inward[3], d[3], across[3];
            const double *a = c[i], *b = c[(i + 1) % surface->corners], *o = c[(i + 2) % 3];
            if (surface->corners == 2) {
                carom_difference(b, a, across);
                o = b;
            } else {
                carom_difference(b, a, d);
                carom_cross(n, d, across);
            }
            carom_difference(point, a, r);
            carom_difference(o, a, inward);
            double part = carom_dot(across, r) / carom_dot(across, inward);
            least = part < least ? part : least;
        }
    }
    closest.over = least >= -border_part;
    // the foot is inside the face: the height is the distance
    if (least >= 0) {
        closest.distance = fabs(closest.height);
        carom_copy(point, closest.foot);
        carom_add_scaled(-closest.height, n, closest.foot);
        return closest;
    }
    // otherwise it lies on one of the sides
    for (int i = 0; i < sides; i++)
        try_side(c[i], c[(i + 1) % 3], point, &closest);
    return closest;
}

bool carom_closest_is_better(const carom_closest *a, const carom_closest *than, double limit) {
    // any face is better than none
    if (than->face < 0)
        return true;
    if (!(a->distance <= limit && than->distance <= limit))
        return a->distance < than->distance;
    // equally near: the more distant plane, ties by index so that the order of visits does not matter
    double h = fabs(a->height), g = fabs(than->height);
    return h > g || (h == g && a->face < than->face);
}

// A search for the closest face of a body. The tree works in scaled coordinates, `mapped`.
typedef struct search {
    const carom_tree *tree;
    const carom_motion *motion;
    double t, point[3], mapped[3];
    double limit; // distances up to this count as equal; -1 in the first pass
    int body;
    carom_closest best;
} search;

// Distance of the point from box j: a lower bound for all faces inside.
static double box_distance(const search *s, const carom_block_boxes *boxes, int j) {
    double sum = 0;
    for (int i = 0; i < s->motion->dimension; i++) {
        double gap = fmax((double)boxes->lower[i][j] - s->mapped[i], s->mapped[i] - (double)boxes->upper[i][j]);
        sum += gap > 0 ? gap * gap : 0;
    }
    return sqrt(sum) / s->tree->scale;
}

// Visits the children from the nearest to the farthest and stops when the next one cannot contain a better
// face.
static void descend(search *s, int level, int block) {
    const carom_tree *tree = s->tree;
    int here = tree->level_begin[level] + block;
    bool done[LANES] = {false};
    for (int round = 0; round < LANES; round++) {
        int next = -1;
        double bound = HUGE_VAL;
        for (int j = 0; j < LANES; j++) {
            // a tag is the body of all faces below, or MIXED
            int tag = tree->tags[here][j];
            if (done[j] || (tag != s->body && tag != CAROM_TREE_MIXED))
                continue;
            double distance = box_distance(s, &tree->boxes[here], j);
            if (distance < bound) {
                bound = distance;
                next = j;
            }
        }
        if (next < 0 || (s->best.face >= 0 && bound > fmax(s->best.distance, s->limit)))
            return;
        done[next] = true;
        if (level > 0) {
            descend(s, level - 1, LANES * block + next);
            continue;
        }
        carom_closest closest =
            carom_closest_on_face(tree->surface, s->motion, s->t, s->point, tree->order[LANES * block + next]);
        if (carom_closest_is_better(&closest, &s->best, s->limit))
            s->best = closest;
    }
}

carom_closest carom_closest_on_body(const carom_tree *tree, const carom_motion *motion, double t, const double point[3],
                                    int body, double tie) {
    search s = {.tree = tree, .motion = motion, .t = t, .limit = -1, .body = body, .best = {.face = -1, .distance = HUGE_VAL}};
    carom_copy(point, s.point);
    for (int i = 0; i < 3; i++)
        s.mapped[i] = (point[i] - tree->centre[i]) * tree->scale;
    if (!tree->level_count)
        return s.best;
    descend(&s, tree->level_count - 1, 0);
    // now the smallest distance is known; the second pass finds the best of all faces within the tie
    s.limit = s.best.distance + tie;
    descend(&s, tree->level_count - 1, 0);
    return s.best;
}
