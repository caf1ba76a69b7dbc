// SPDX-License-Identifier: MIT
// Two triangles that were apart were so along one of a few axes (simplex/worst.c), and each of these belongs to a pair of simplices: the normal of a face to that face and
// the deepest node of the other one, the product of two sides to these two. If the triangles intersect at the end, the pair whose axis had them apart and that asks for the
// least now is violated. So whatever intersects is found by some pair, however nodes and edges are placed; what nodes explain is left to them.
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "contact/simplex/look.h"
#include "math/vec3.h"

// Sides whose angle has a smaller sine have no axis; a side is the end of a triangle along an axis if no corner is farther by more than this part of what is asked for; in units
// of the clearance: what is clearly apart at x0, and what must be left at the end so that it is the next time.
static const double parallel = 1e-3, share = 1e-3, clear = 0.5, kept = 0.75;

typedef struct triangles {
    int face[2];
    const int *node[2];
    double x[2][2][3][3]; // at the start and at the end: corners of both
    double size;          // the longest side
} triangles;

// The ends of a triangle along an axis.
static void range(const double axis[3], const double c[3][3], const double origin[3], double ends[2]) {
    ends[0] = HUGE_VAL, ends[1] = -HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        double r[3];
        carom_difference(c[k], origin, r);
        double at = carom_dot(axis, r);
        ends[0] = fmin(ends[0], at);
        ends[1] = fmax(ends[1], at);
    }
}

// How far the second triangle reaches below the first along an axis.
static double below(const double axis[3], const double a[3][3], const double b[3][3]) {
    double p[2], q[2];
    range(axis, a, a[0], p);
    range(axis, b, a[0], q);
    return p[1] - q[0];
}

static bool normal_of(const double c[3][3], double n[3]) {
    double a[3], b[3];
    carom_difference(c[1], c[0], a);
    carom_difference(c[2], c[0], b);
    carom_cross(a, b, n);
    return carom_normalize(n) > 0;
}

static bool across(const double a[2][3], const double b[2][3], double n[3]) {
    double u[3], v[3];
    carom_difference(a[1], a[0], u);
    carom_difference(b[1], b[0], v);
    carom_cross(u, v, n);
    double least = parallel * carom_norm(u) * carom_norm(v);
    return carom_normalize(n) > least;
}

// A strong one before others, then the one that asks for least.
static void take_better(const carom_simplex *pair, double depth, bool strong, carom_violation_finding *best) {
    if (strong == best->strong ? !(depth < best->depth) : best->strong)
        return;
    best->pair = *pair;
    best->depth = depth;
    best->strong = strong;
}

// What is kept of a gap at the start: nothing is pushed apart but what may overlap there.
static double keep_of(const carom_violation_look *look, double gap, double thickness) {
    return gap < clear * look->clearance && !look->overlaps->def.soft ? fmin(gap, thickness) : thickness;
}

// A face of the one triangle against the nodes of the other.
static void try_face(const carom_violation_look *look, const triangles *t, int which, const int body[2], double least,
                     carom_violation_finding *best) {
    double n0[3], n1[3], thickness = carom_violation_look_thickness(look, body[!which], body[which]);
    const double(*a0)[3] = (carom_const_vectors)t->x[0][which], (*b0)[3] = (carom_const_vectors)t->x[0][!which];
    const double(*a1)[3] = (carom_const_vectors)t->x[1][which], (*b1)[3] = (carom_const_vectors)t->x[1][!which];
    if (!normal_of(a0, n0) || !normal_of(a1, n1))
        return;
    for (int side = 1; side >= (look->surface->open[body[which]] ? -1 : 1); side -= 2) {
        double m0[3], m1[3];
        for (int i = 0; i < 3; i++) {
            m0[i] = side * n0[i];
            m1[i] = side * n1[i];
        }
        double gap = -below(m0, a0, b0), keep = keep_of(look, gap, thickness);
        if (gap < least)
            continue;
        int deepest = 0;
        for (int k = 1; k < 3; k++) {
            double r[3];
            carom_difference(b1[k], b1[deepest], r);
            if (carom_dot(m1, r) < 0)
                deepest = k;
        }
        const int *f = t->node[which];
        carom_simplex pair = {
            .kind = CAROM_CONTACT_NODE_FACE,
            .count = 4,
            .node = {t->node[!which][deepest], f[0], f[1], f[2]},
            .sign = side,
            .thickness = keep,
            .normal = {n1[0], n1[1], n1[2]},
            .body = {body[!which], body[which]},
        };
        take_better(&pair, keep + below(m1, a1, b1), carom_violation_node_rises(look, pair.node[0], t->face[which]), best);
    }
}

// A side of the one against a side of the other.
static void try_sides(const carom_violation_look *look, const triangles *t, int i, int j, const int body[2], double least,
                      carom_violation_finding *best) {
    double side[2][2][2][3], n[2][3], thickness = carom_violation_look_thickness(look, body[0], body[1]);
    int nodes[4] = {t->node[0][i], t->node[0][(i + 1) % 3], t->node[1][j], t->node[1][(j + 1) % 3]};
    for (int end = 0; end < 2; end++) {
        for (int k = 0; k < 2; k++) {
            carom_copy(t->x[end][0][(i + k) % 3], side[end][0][k]);
            carom_copy(t->x[end][1][(j + k) % 3], side[end][1][k]);
        }
        if (!across((carom_const_vectors)side[end][0], (carom_const_vectors)side[end][1], n[end]))
            return;
    }
    for (int sign = 1; sign >= -1; sign -= 2) {
        double r[3], m[2][3];
        for (int end = 0; end < 2; end++)
            for (int c = 0; c < 3; c++)
                m[end][c] = sign * n[end][c];
        double gap = -below(m[0], (carom_const_vectors)t->x[0][0], (carom_const_vectors)t->x[0][1]);
        double keep = keep_of(look, gap, thickness);
        if (gap < least)
            continue;
        double lower = below(m[1], (carom_const_vectors)t->x[1][0], (carom_const_vectors)t->x[1][1]), depth = keep + lower;
        carom_difference(side[1][1][0], side[1][0][0], r);
        if (fabs(lower + carom_dot(m[1], r)) > share * depth + look->tolerance)
            continue;
        int edge[2] = {look->surface->face_edges[t->face[0]][i], look->surface->face_edges[t->face[1]][j]};
        bool strong = carom_violation_edges_rise(look, edge, nodes, sign);
        // the edges of the surface are known by their nodes in ascending order, and pairs by the smaller edge
        carom_simplex pair = {
            .kind = CAROM_CONTACT_EDGE_EDGE, .count = 4, .sign = sign, .thickness = keep, .body = {body[0], body[1]}};
        for (int k = 0; k < 4; k++)
            pair.node[k] = nodes[k];
        if (nodes[0] > nodes[1]) {
            pair.node[0] = nodes[1], pair.node[1] = nodes[0];
            pair.sign = -pair.sign;
        }
        if (nodes[2] > nodes[3]) {
            pair.node[2] = nodes[3], pair.node[3] = nodes[2];
            pair.sign = -pair.sign;
        }
        if (pair.node[2] < pair.node[0] || (pair.node[2] == pair.node[0] && pair.node[3] < pair.node[1])) {
            for (int k = 0; k < 2; k++) {
                int node = pair.node[k];
                pair.node[k] = pair.node[2 + k];
                pair.node[2 + k] = node;
            }
            pair.body[0] = body[1], pair.body[1] = body[0];
        }
        take_better(&pair, depth, strong, best);
    }
}

// The pair that two faces violate; false if there is none.
static bool find(const carom_violation_look *look, int f, int g, carom_violation_finding *best) {
    const carom_surface *s = look->surface;
    int body[2] = {s->body[f], s->body[g]};
    triangles t = {.face = {f, g}, .node = {s->faces[f], s->faces[g]}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (t.node[0][i] == t.node[1][j])
                return false;
    for (int which = 0; which < 2; which++)
        for (int k = 0; k < 3; k++) {
            if (look->overlaps->busy[t.node[which][k]] == look->overlaps->look)
                return false;
            carom_copy(look->way.x0[t.node[which][k]], t.x[0][which][k]);
            carom_copy(look->way.x1[t.node[which][k]], t.x[1][which][k]);
        }
    double least = -kept * look->clearance;
    if (!(carom_violation_depth((carom_const_vectors)t.x[1][0], (carom_const_vectors)t.x[1][1], least) > least))
        return false;
    *best = (carom_violation_finding){.depth = HUGE_VAL};
    // what a run starts with may be nearer than the clearance, and keeps what it has
    // what overlaps from the start, as penalties let it, is pushed back the shortest way
    const double apart[3] = {clear * look->clearance, fmin(4 * look->tolerance, clear * look->clearance), -HUGE_VAL};
    int attempts = look->overlaps->def.soft ? 3 : 2;
    for (int attempt = 0; attempt < attempts && !isfinite(best->depth); attempt++) {
        try_face(look, &t, 0, body, apart[attempt], best);
        try_face(look, &t, 1, body, apart[attempt], best);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                try_sides(look, &t, i, j, body, apart[attempt], best);
    }
    return isfinite(best->depth) && best->depth > look->tolerance;
}

// The strong ones first, and the deepest; then by the nodes.
static int compare(const void *a, const void *b) {
    const carom_violation_finding *p = a, *q = b;
    if (p->strong != q->strong)
        return p->strong ? -1 : 1;
    if (p->depth != q->depth)
        return p->depth > q->depth ? -1 : 1;
    for (int k = 0; k < 4; k++)
        if (p->pair.node[k] != q->pair.node[k])
            return p->pair.node[k] < q->pair.node[k] ? -1 : 1;
    return 0;
}

void carom_violation_look_at_faces(carom_violation_look *look) {
    carom_violations *o = look->overlaps;
    carom_tree *tree = &o->tree;
    int count = 0;
    carom_error error = {0};
    if (carom_tree_fit(tree, look->way.x1, NULL, 0.5 * look->clearance, false, &error) ||
        carom_tree_query(tree, o->def.exclusions, CAROM_TREE_ALL, &error)) {
        look->failed = true;
        return;
    }
    for (int p = 0; p < CAROM_TREE_PARTS; p++)
        for (int64_t i = 0; i < tree->parts[p].count; i++) {
            int f = tree->parts[p].pairs[i][0], g = tree->parts[p].pairs[i][1];
            carom_violation_finding finding;
            // the order of faces in the tree is of no account
            if (carom_violation_are_held(&o->def, look->surface->body[f], look->surface->body[g]) ||
                !find(look, f < g ? f : g, f < g ? g : f, &finding))
                continue;
            carom_violation_finding *found = carom_grow(o->meetings, count, &o->meeting_capacity, sizeof *found);
            if (!found) {
                look->failed = true;
                return;
            }
            o->meetings = found;
            found[count++] = finding;
        }
    if (count)
        qsort(o->meetings, (size_t)count, sizeof *o->meetings, compare);
    for (int i = 0; i < count && !look->failed; i++) {
        const carom_simplex *pair = &o->meetings[i].pair;
        bool busy = false;
        for (int k = 0; k < 4; k++)
            busy = busy || o->busy[pair->node[k]] == o->look;
        if (busy || !carom_violation_look_waits(look, carom_violation_look_add(look, pair), o->meetings[i].depth))
            continue;
        for (int k = 0; k < 4; k++)
            o->busy[pair->node[k]] = o->look;
    }
}
