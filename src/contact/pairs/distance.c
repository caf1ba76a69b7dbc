// SPDX-License-Identifier: MIT
// Finds the smallest distance between faces of different bodies (audit.h): a traversal of the tree against itself, nearer pairs
// first, that skips all pairs of boxes whose distance exceeds the least distance so far. Distances are computed between the
// features that the two faces own, so that each pair of features is tested once.
//
// The traversal starts with a list of pairs of blocks, nearest first, which is distributed to threads. Which pairs are skipped
// depends on the timing of threads; the least of all distances does not. Theory: docs/theory/audit.md
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/broad/near.h"
#include "contact/narrow/narrow.h"
#include "contact/pairs/audit.h"
#include "math/vec3.h"

enum {
    LANES = CAROM_TREE_WIDTH,
    CHILDREN = LANES * LANES,
    WIDE = 256,               // least number of pairs of blocks distributed to threads; enough for some tens of threads
    PARALLEL_FACES = 4096,    // fewer faces (about 20 ns each) are done before threads are awake
    PARALLEL_VERTICES = 32768 // the same for vertices, 2 ns each
};

// Bounds of boxes are in single precision: squares have a relative error of a few 6e-8.
static const double box_rounding = 1 + 1e-6;

// Areas below this lose digits to underflow.
static const double least_area = 1e-120;

// A search for the smallest distance.
typedef struct search {
    const carom_audit *audit;
    const double (*x)[3];
    double best;     // smallest distance so far
    float limit;     // its square in the coordinates of the tree, rounded up
    double rounding; // error bound of distances
    int faces[2];
} search;

// A pair of boxes one level below, and the square of a bound of their distance.
typedef struct child {
    float square;
    int a, b;
} child;

static void set_best(search *s, double best) {
    double scaled = best * s->audit->tree.scale;
    s->best = best;
    s->limit = (float)fmin(box_rounding * scaled * scaled, HUGE_VALF);
}

// True if boxes with these tags may contain two bodies that are compared.
static bool count_for(const carom_audit *audit, int a, int b) {
    if (a == CAROM_TREE_EMPTY || b == CAROM_TREE_EMPTY)
        return false;
    if (a < 0 || b < 0)
        return true;
    if (audit->surface->thin[a] && audit->surface->thin[b])
        return false;
    return a != b && !carom_audit_are_immovable(audit, a, b) && !carom_exclusions_between(audit->exclusions, a, b);
}

// True if a pair of features can be closer than the best so far, by a cheap lower bound.
static bool can_be_nearer(const search *s, carom_narrow_kind kind, const int *nodes) {
    double reach = s->best + s->rounding;
    switch (kind) {
    case CAROM_NARROW_NODE_FACE: return carom_near_node_face(nodes, s->x, s->x, reach) <= reach;
    case CAROM_NARROW_EDGE_EDGE: return carom_near_edge_edge(nodes, s->x, s->x, reach) <= reach;
    default: return carom_near_node_segment(nodes, s->x, s->x, reach) <= reach;
    }
}

// Updates the best distance with that of a pair of features; relative coordinates keep it accurate far from the origin.
static void update_best(search *s, carom_narrow_kind kind, const int *nodes, int f, int g) {
    if (isfinite(s->best) && !can_be_nearer(s, kind, nodes))
        return;
    int count = carom_narrow_count(kind), split = carom_narrow_split(kind);
    if (carom_exclusions_at_seam(s->audit->exclusions, split, nodes, count - split, nodes + split))
        return;
    double x[4][3];
    carom_nearest nearest;
    for (int k = 0; k < count; k++)
        carom_difference(s->x[nodes[k]], s->x[nodes[0]], x[k]);
    carom_narrow_nearest(kind, (carom_const_vectors)x, NULL, &nearest);
    if (nearest.distance < s->best) {
        set_best(s, nearest.distance);
        s->faces[0] = f;
        s->faces[1] = g;
    }
}

// Tests the nodes owned by face f against face g.
static void test_nodes(search *s, int f, int g) {
    const carom_surface *surface = s->audit->surface;
    carom_narrow_kind kind = surface->corners == 2 ? CAROM_NARROW_NODE_SEGMENT : CAROM_NARROW_NODE_FACE;
    const int *corners = surface->faces[g];
    if (!carom_surface_face_has_interior(surface, g))
        return;
    for (int i = 0; i < surface->corners; i++)
        if (surface->owned[f] & 1 << i) {
            int nodes[4] = {surface->faces[f][i], corners[0], corners[1], corners[2]};
            update_best(s, kind, nodes, f, g);
        }
}

// True if face g lies on one side of the plane of f, farther from it than the best distance so far. This excludes most pairs
// of surfaces in contact, which lie face to face.
static bool lies_beyond(const search *s, const int f[3], const int g[3]) {
    const double *origin = s->x[f[0]];
    double u[3], v[3], normal[3], low = HUGE_VAL, high = -HUGE_VAL, reach = s->best + s->rounding;
    carom_difference(s->x[f[1]], origin, u);
    carom_difference(s->x[f[2]], origin, v);
    carom_cross(u, v, normal);
    for (int i = 0; i < 3; i++) {
        double r[3];
        carom_difference(s->x[g[i]], origin, r);
        double height = carom_dot(normal, r);
        low = height < low ? height : low;
        high = height > high ? height : high;
    }
    double height = low > -high ? low : -high, square = carom_dot(normal, normal);
    return height > 0 && square > least_area * least_area && height * height > reach * reach * square;
}

// Tests all features owned by two faces. The face with the smaller number comes first, so that distances have the same bits
// in resumed runs, where the order of the faces in the tree differs.
static void test_faces(search *s, int one, int other) {
    int f = one < other ? one : other, g = one < other ? other : one;
    const carom_surface *surface = s->audit->surface;
    const int *first = surface->faces[f], *second = surface->faces[g];
    if (surface->corners == 3 && isfinite(s->best) && (lies_beyond(s, first, second) || lies_beyond(s, second, first)))
        return;
    test_nodes(s, f, g);
    test_nodes(s, g, f);
    for (int i = 0; i < 3 && surface->corners == 3; i++)
        for (int j = 0; j < 3; j++)
            if (surface->owned[f] & 8 << i && surface->owned[g] & 8 << j) {
                const int *a = surface->edges[surface->face_edges[f][i]], *b = surface->edges[surface->face_edges[g][j]];
                int nodes[4] = {a[0], a[1], b[0], b[1]};
                update_best(s, CAROM_NARROW_EDGE_EDGE, nodes, f, g);
            }
}

// Finds the pairs of boxes of blocks a <= b of a level with a smaller distance than the best so far. Returns their number.
static int expand(const search *s, int level, int a, int b, child *children) {
    const carom_tree *t = &s->audit->tree;
    int here = t->level_begin[level], count = 0;
    const carom_block_boxes *p = &t->boxes[here + a], *q = &t->boxes[here + b];
    for (int k = 0; k < LANES; k++) {
        carom_box_lanes square = carom_box_lanes_all(0);
        for (int i = 0; i < 3; i++) {
            carom_box_lanes up = carom_box_lanes_all(p->lower[i][k]) - carom_box_lanes_load(q->upper[i]);
            carom_box_lanes down = carom_box_lanes_load(q->lower[i]) - carom_box_lanes_all(p->upper[i][k]);
            carom_box_lanes gap = carom_box_lanes_max(carom_box_lanes_max(up, down), carom_box_lanes_all(0));
            square += gap * gap;
        }
        int mask = carom_box_lanes_bits(square <= carom_box_lanes_all(s->limit));
        // each pair of a block with itself once; a face is not compared with itself
        if (a == b)
            mask &= ~((level ? 1 << k : 2 << k) - 1);
        for (; mask; mask &= mask - 1) {
            int j = __builtin_ctz((unsigned)mask);
            if (count_for(s->audit, t->tags[here + a][k], t->tags[here + b][j]))
                children[count++] = (child){square[j], LANES * a + k, LANES * b + j};
        }
    }
    return count;
}

// Tests all pairs of faces below blocks a <= b of a level, nearest boxes first.
static void descend(search *s, int level, int a, int b) {
    const carom_tree *t = &s->audit->tree;
    child children[CHILDREN];
    int count = expand(s, level, a, b, children);
    // insertion sort by distance: at most 16 children
    for (int c = 1; c < count; c++) {
        child next = children[c];
        int place = c;
        for (; place > 0 && children[place - 1].square > next.square; place--)
            children[place] = children[place - 1];
        children[place] = next;
    }
    for (int c = 0; c < count && children[c].square <= s->limit && s->best > 0; c++) {
        if (level)
            descend(s, level - 1, children[c].a, children[c].b);
        else
            test_faces(s, t->order[children[c].a], t->order[children[c].b]);
    }
}

static int by_distance(const void *a, const void *b) {
    const child *p = a, *q = b;
    if (p->square != q->square)
        return p->square < q->square ? -1 : 1;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

// Finds pairs of blocks below the root, nearest first, and their level; breadth first, with alternating lists of two levels.
static int find_front(const search *s, child front[2][CHILDREN * WIDE], child **first, int *level) {
    int count = 1, turn = 0;
    front[0][0] = (child){0};
    for (*level = s->audit->tree.level_count - 1; *level > 0 && count < WIDE; --*level, turn = !turn) {
        int next = 0;
        for (int i = 0; i < count; i++)
            next += expand(s, *level, front[turn][i].a, front[turn][i].b, &front[!turn][next]);
        count = next;
    }
    *first = front[turn];
    qsort(*first, (size_t)count, sizeof **first, by_distance);
    return count;
}

// The least distance, by all threads. Each continues with the least distance found by any.
static double least_distance(const search *start) {
    child front[2][CHILDREN * WIDE], *pairs;
    int level, count = find_front(start, front, &pairs, &level);
    double least = start->best;
#pragma omp parallel for schedule(dynamic) if (start->audit->surface->face_count > PARALLEL_FACES)
    for (int i = 0; i < count; i++) {
        search s = *start;
        double known;
#pragma omp atomic read
        known = least;
        set_best(&s, known);
        if (pairs[i].square > s.limit || !(s.best > 0))
            continue;
        descend(&s, level, pairs[i].a, pairs[i].b);
        if (s.best < known) {
#pragma omp critical(carom_least_distance)
            if (s.best < least) {
#pragma omp atomic write
                least = s.best;
            }
        }
    }
    return least;
}

carom_status carom_surface_distance(carom_audit *audit, const double (*x)[3], double most, double *distance, int faces[2],
                                    carom_error *error) {
    search s = {.audit = audit, .x = x};
    carom_status status = carom_tree_fit(&audit->tree, x, NULL, 0, false, error);
    if (status)
        return status;
    const carom_surface *surface = audit->surface;
    double far = 0;
#pragma omp parallel for schedule(static) reduction(max : far) if (surface->vertex_count > PARALLEL_VERTICES)
    for (int v = 0; v < surface->vertex_count; v++) {
        double square = carom_dot(x[surface->vertices[v]], x[surface->vertices[v]]);
        far = square > far ? square : far;
    }
    s.rounding = 1e-14 * sqrt(far);
    set_best(&s, most);
    *distance = most;
    if (!audit->tree.level_count || !(most > 0))
        return CAROM_OK;
    *distance = least_distance(&s);
    if (!faces || !(*distance < most))
        return CAROM_OK;
    // the first two faces at that distance in serial order, for any number of threads
    set_best(&s, nextafter(*distance, HUGE_VAL));
    descend(&s, audit->tree.level_count - 1, 0, 0);
    // the face of the smaller body first
    const int *body = audit->surface->body;
    bool turn = body[s.faces[0]] > body[s.faces[1]];
    faces[0] = s.faces[turn];
    faces[1] = s.faces[!turn];
    return CAROM_OK;
}
