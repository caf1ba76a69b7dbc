// SPDX-License-Identifier: MIT
#include "contact/simplex/depth.h"

#include <math.h>

#include "math/vec3.h"

enum { LANES = CAROM_TREE_WIDTH };

// Feet this far outside, as a part of the face, count as inside.
static const double border = 1e-9;

void carom_way_place(const carom_way *way, int node, double t, double x[3]) {
    const double *a = way->x0[node], *b = way->x1[node];
    for (int i = 0; i < 3; i++)
        x[i] = i >= way->dimension ? 0 : t == 0 ? a[i] : t == 1 ? b[i] : a[i] + t * (b[i] - a[i]);
}

static void corners_of(const carom_surface *surface, const carom_way *way, double t, int face, double c[3][3]) {
    for (int i = 0; i < 3; i++)
        carom_way_place(way, surface->faces[face][i], t, c[i]);
}

// The normal of a face, twice its area long; of a segment as long as that.
static void normal_of(int corners, const double c[3][3], double n[3]) {
    double a[3], b[3];
    carom_difference(c[1], c[0], a);
    if (corners == 2) {
        n[0] = a[1], n[1] = -a[0], n[2] = 0;
        return;
    }
    carom_difference(c[2], c[0], b);
    carom_cross(a, b, n);
}

bool carom_face_normal(const carom_surface *surface, const carom_way *way, double t, int face, double normal[3]) {
    double c[3][3];
    corners_of(surface, way, t, face, c);
    normal_of(surface->corners, (carom_const_vectors)c, normal);
    return carom_normalize(normal) > 0;
}

// The nearest point between a and b; takes it if it is nearer.
static void try_side(const double a[3], const double b[3], const double point[3], carom_sight *sight) {
    double d[3], r[3], foot[3];
    carom_difference(b, a, d);
    carom_difference(point, a, r);
    double square = carom_dot(d, d), s = square > 0 ? fmin(fmax(carom_dot(r, d) / square, 0), 1) : 0;
    carom_copy(s < 1 ? a : b, foot);
    if (s > 0 && s < 1)
        carom_add_scaled(s, d, foot);
    carom_difference(point, foot, r);
    double distance = carom_norm(r);
    if (distance < sight->distance) {
        sight->distance = distance;
        carom_copy(foot, sight->foot);
    }
}

carom_sight carom_sight_of(const carom_surface *surface, const carom_way *way, double t, const double point[3], int face) {
    carom_sight sight = {.face = face, .distance = HUGE_VAL};
    double c[3][3], n[3], r[3], least = -1;
    corners_of(surface, way, t, face, c);
    normal_of(surface->corners, (carom_const_vectors)c, n);
    int sides = surface->corners == 2 ? 1 : 3;
    if (carom_normalize(n) > 0) {
        carom_difference(point, c[0], r);
        sight.height = carom_dot(n, r);
        // how far inside of each side, as a part of the height of the face over it (of the length of a segment)
        least = HUGE_VAL;
        for (int i = 0; i < surface->corners; i++) {
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
            least = fmin(least, carom_dot(across, r) / carom_dot(across, inward));
        }
    }
    sight.over = least >= -border;
    if (least >= 0) {
        sight.distance = fabs(sight.height);
        carom_copy(point, sight.foot);
        carom_add_scaled(-sight.height, n, sight.foot);
        return sight;
    }
    for (int i = 0; i < sides; i++)
        try_side(c[i], c[(i + 1) % 3], point, &sight);
    return sight;
}

bool carom_sight_is_better(const carom_sight *a, const carom_sight *than, double limit) {
    if (than->face < 0)
        return true;
    if (!(a->distance <= limit && than->distance <= limit))
        return a->distance < than->distance;
    double h = fabs(a->height), g = fabs(than->height);
    return h > g || (h == g && a->face < than->face);
}

// A search for the nearest face of a body.
typedef struct search {
    const carom_tree *tree;
    const carom_way *way;
    double t, point[3], mapped[3];
    double limit; // of the distances that count as equal
    int body;
    carom_sight best;
} search;

// No face in a box is nearer.
static double box_distance(const search *s, const carom_block_boxes *boxes, int j) {
    double sum = 0;
    for (int i = 0; i < s->way->dimension; i++) {
        double gap = fmax((double)boxes->lower[i][j] - s->mapped[i], s->mapped[i] - (double)boxes->upper[i][j]);
        sum += gap > 0 ? gap * gap : 0;
    }
    return sqrt(sum) / s->tree->scale;
}

static void descend(search *s, int level, int block) {
    const carom_tree *tree = s->tree;
    int here = tree->level_begin[level] + block;
    bool done[LANES] = {false};
    for (int round = 0; round < LANES; round++) {
        // the nearest box first
        int next = -1;
        double bound = HUGE_VAL;
        for (int j = 0; j < LANES; j++) {
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
        carom_sight sight = carom_sight_of(tree->surface, s->way, s->t, s->point, tree->order[LANES * block + next]);
        if (carom_sight_is_better(&sight, &s->best, s->limit))
            s->best = sight;
    }
}

carom_sight carom_sight_nearest(const carom_tree *tree, const carom_way *way, double t, const double point[3], int body,
                                double tie) {
    search s = {.tree = tree, .way = way, .t = t, .limit = -1, .body = body, .best = {.face = -1, .distance = HUGE_VAL}};
    carom_copy(point, s.point);
    for (int i = 0; i < 3; i++)
        s.mapped[i] = (point[i] - tree->centre[i]) * tree->scale;
    if (!tree->level_count)
        return s.best;
    // how near, and then who
    descend(&s, tree->level_count - 1, 0);
    s.limit = s.best.distance + tie;
    descend(&s, tree->level_count - 1, 0);
    return s.best;
}
