// SPDX-License-Identifier: MIT
// Finds triangles that intersect at the end of a motion, and the pair of simplices that is violated (detection.h). Two
// triangles that are disjoint at x0 are separated by one of a few axes (worst.c), and each axis belongs to a pair of simplices:
// the normal of a face to that face and the deepest node of the other triangle, the cross product of two sides to these two
// edges. If the triangles intersect at x1, the violated pair is the one whose axis separated them at x0 and now requires the
// smallest correction. Thus every intersection is assigned to some pair, wherever nodes and edges are; those explained by a
// violated node are left to that node.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/simplex/detection.h"
#include "math/vec3.h"

// Sides with a smaller sine of their angle define no axis.
static const double parallel_sine = 1e-3;
// A side is the extreme of its triangle along an axis if no corner exceeds it by more than this fraction of the
// depth.
static const double support_part = 1e-3;
// Gap, in units of the clearance, from which on an axis clearly separates the triangles at x0.
static const double clear_part = 0.5;
// Gap, in units of the clearance, required at x1 so that an axis clearly separates again at the start of
// the next step; larger than clear_part.
static const double kept_part = 0.75;

typedef struct triangles {
    int face[2];
    const int *node[2];
    double x[2][2][3][3]; // [x0 or x1][triangle][corner]
} triangles;

// The interval covered by a triangle along an axis, relative to an origin near it (less rounding).
static void project(const double axis[3], const double c[3][3], const double origin[3], double ends[2]) {
    ends[0] = HUGE_VAL, ends[1] = -HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        double r[3];
        carom_difference(c[k], origin, r);
        double at = carom_dot(axis, r);
        ends[0] = fmin(ends[0], at);
        ends[1] = fmax(ends[1], at);
    }
}

// The depth of the second triangle below the top of the first along an axis; negative: the gap between
// them.
static double below(const double axis[3], const double a[3][3], const double b[3][3]) {
    double p[2], q[2];
    project(axis, a, a[0], p);
    project(axis, b, a[0], q);
    return p[1] - q[0];
}

static bool normal_of(const double c[3][3], double n[3]) {
    carom_corners_normal(3, c, n);
    return carom_normalize(n) > 0;
}

// Unit normal of two sides; false if they are nearly parallel.
static bool across(const double a[2][3], const double b[2][3], double n[3]) {
    double u[3], v[3];
    carom_difference(a[1], a[0], u);
    carom_difference(b[1], b[0], v);
    carom_cross(u, v, n);
    double least = parallel_sine * carom_norm(u) * carom_norm(v);
    return carom_normalize(n) > least;
}

// Keeps the better of two findings: a supported one before others, then the smaller correction.
static void take_better(const carom_simplex *pair, double depth, bool supported, carom_violation_finding *best) {
    if (supported == best->supported ? !(depth < best->depth) : best->supported)
        return;
    best->pair = *pair;
    best->depth = depth;
    best->supported = supported;
}

// The gap that a pair keeps: the thickness, but not more than the gap at x0 if that is below the
// clearance, so that no pair is separated. Penalties may start with overlap and aim at the thickness.
static double kept_gap(const carom_detection *d, double gap, double thickness) {
    return gap < clear_part * d->clearance && !d->violations->def.soft ? fmin(gap, thickness) : thickness;
}

// The normal of face `which` as separating axis, against the nodes of the other triangle. An open surface
// has two sides, so both directions of the normal are tried.
static void try_face(const carom_detection *d, const triangles *t, int which, const int body[2], double least,
                     carom_violation_finding *best) {
    double n0[3], n1[3], thickness = carom_detection_thickness(d, body[!which], body[which]);
    const double(*a0)[3] = (carom_const_vectors)t->x[0][which], (*b0)[3] = (carom_const_vectors)t->x[0][!which];
    const double(*a1)[3] = (carom_const_vectors)t->x[1][which], (*b1)[3] = (carom_const_vectors)t->x[1][!which];
    if (!normal_of(a0, n0) || !normal_of(a1, n1))
        return;
    for (int side = 1; side >= (carom_violations_two_sided(&d->violations->def, body[which]) ? -1 : 1); side -= 2) {
        double m0[3], m1[3];
        for (int i = 0; i < 3; i++) {
            m0[i] = side * n0[i];
            m1[i] = side * n1[i];
        }
        double gap = -below(m0, a0, b0), keep = kept_gap(d, gap, thickness);
        if (gap < least)
            continue;
        // the corner of the other triangle that lies deepest below the face at x1
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
        take_better(&pair, keep + below(m1, a1, b1), carom_detection_supports_node(d, pair.node[0], t->face[which]), best);
    }
}

// The cross product of side i of the first and side j of the second triangle as separating axis.
static void try_sides(const carom_detection *d, const triangles *t, int i, int j, const int body[2], double least,
                      carom_violation_finding *best) {
    double side[2][2][2][3], n[2][3], thickness = carom_detection_thickness(d, body[0], body[1]);
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
        double keep = kept_gap(d, gap, thickness);
        if (gap < least)
            continue;
        double lower = below(m[1], (carom_const_vectors)t->x[1][0], (carom_const_vectors)t->x[1][1]), depth = keep + lower;
        // the edges must be the extremes of their triangles along the axis, otherwise another axis
        // describes this contact
        carom_difference(side[1][1][0], side[1][0][0], r);
        if (fabs(lower + carom_dot(m[1], r)) > support_part * depth + d->tolerance)
            continue;
        int edge[2] = {d->surface->face_edges[t->face[0]][i], d->surface->face_edges[t->face[1]][j]};
        bool supported = carom_detection_separates_edges(d, edge, nodes, sign);
        carom_simplex pair = {
            .kind = CAROM_CONTACT_EDGE_EDGE, .count = 4, .sign = sign, .thickness = keep, .body = {body[0], body[1]}};
        for (int k = 0; k < 4; k++)
            pair.node[k] = nodes[k];
        // a canonical form: edges with ascending nodes, the smaller edge first; reversing an edge reverses
        // the sign
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
        take_better(&pair, depth, supported, best);
    }
}

// True if two faces without a common node are closer at x1 than allowed; most pairs of the tree are not.
static bool are_close(const carom_detection *d, int f, int g) {
    const int *a = d->surface->faces[f], *b = d->surface->faces[g];
    double x[2][3][3], least = -kept_part * d->clearance;
    if (carom_faces_share_a_node(a, b))
        return false;
    for (int k = 0; k < 3; k++) {
        carom_copy(d->motion.x1[a[k]], x[0][k]);
        carom_copy(d->motion.x1[b[k]], x[1][k]);
    }
    return carom_triangles_depth((carom_const_vectors)x[0], (carom_const_vectors)x[1], least) > least;
}

// The pair that two close faces violate; false if there is none.
static bool find(const carom_detection *d, int f, int g, carom_violation_finding *best) {
    const carom_surface *s = d->surface;
    int body[2] = {s->body[f], s->body[g]};
    triangles t = {.face = {f, g}, .node = {s->faces[f], s->faces[g]}};
    for (int which = 0; which < 2; which++)
        for (int k = 0; k < 3; k++) {
            // a violated node explains the intersection
            if (d->violations->node_mark[t.node[which][k]] == d->violations->generation)
                return false;
            carom_copy(d->motion.x0[t.node[which][k]], t.x[0][which][k]);
            carom_copy(d->motion.x1[t.node[which][k]], t.x[1][which][k]);
        }
    *best = (carom_violation_finding){.depth = HUGE_VAL};
    // First axes that clearly separate at x0; then, for a run that starts with surfaces closer than the
    // clearance, any gap above rounding; for penalties finally any axis, for the shortest translation out of an overlap.
    const double least_gap[3] = {clear_part * d->clearance, fmin(4 * d->tolerance, clear_part * d->clearance), -HUGE_VAL};
    int attempts = d->violations->def.soft ? 3 : 2;
    for (int attempt = 0; attempt < attempts && !isfinite(best->depth); attempt++) {
        try_face(d, &t, 0, body, least_gap[attempt], best);
        try_face(d, &t, 1, body, least_gap[attempt], best);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                try_sides(d, &t, i, j, body, least_gap[attempt], best);
    }
    return isfinite(best->depth) && best->depth > d->tolerance;
}

// Supported findings first, then the deepest; ties by nodes, so that the order is unique.
static int compare(const void *a, const void *b) {
    const carom_violation_finding *p = a, *q = b;
    if (p->supported != q->supported)
        return p->supported ? -1 : 1;
    if (p->depth != q->depth)
        return p->depth > q->depth ? -1 : 1;
    for (int k = 0; k < 4; k++)
        if (p->pair.node[k] != q->pair.node[k])
            return p->pair.node[k] < q->pair.node[k] ? -1 : 1;
    return 0;
}

// Adds two close faces, and the pair that they violate, to a portion.
static void take(const carom_detection *d, int f, int g, carom_violation_part *part) {
    carom_violation_finding found;
    part->failed = !carom_append(&part->close, &part->close_count, &part->close_capacity, (int[]){f, g}, sizeof *part->close);
    // the order of faces within the tree must not matter
    if (!part->failed && find(d, f < g ? f : g, f < g ? g : f, &found))
        part->failed = !carom_append(&part->findings, &part->finding_count, &part->finding_capacity, &found, sizeof found);
}

// Checks the pairs `begin` to `end` of the tree, numbered through all portions.
static void check_share(const carom_detection *d, int64_t begin, int64_t end, carom_violation_part *part) {
    const carom_violations *work = d->violations;
    const carom_index_pairs *found = work->tree.parts;
    int64_t first = 0;
    for (int p = 0; p < CAROM_TREE_PARTS && first < end && !part->failed; first += found[p++].count)
        for (int64_t i = begin > first ? begin - first : 0; i < found[p].count && first + i < end && !part->failed; i++) {
            int f = found[p].pairs[i][0], g = found[p].pairs[i][1];
            if (!carom_violations_are_immovable(&work->def, d->surface->body[f], d->surface->body[g]) && are_close(d, f, g))
                take(d, f, g, part);
        }
}

// Keeps the close faces of all portions, and the positions of the surface.
static void keep_close(carom_detection *d, int parts) {
    carom_violations *work = d->violations;
    work->close_count = 0;
    for (int p = 0; p < parts; p++)
        for (int64_t i = 0; i < work->parts[p].close_count; i++)
            if (!carom_append(&work->close, &work->close_count, &work->close_capacity, work->parts[p].close[i],
                              sizeof *work->close)) {
                d->failed = true;
                return;
            }
    for (int v = 0; v < d->surface->vertex_count; v++)
        carom_copy(d->motion.x1[d->surface->vertices[v]], work->close_x[v]);
    work->close_valid = true;
}

// Findings of all pairs of faces with overlapping boxes; returns their number.
static int search(carom_detection *d) {
    carom_violations *work = d->violations;
    carom_tree *tree = &work->tree;
    carom_error error = {0};
    if (carom_tree_fit(tree, d->motion.x1, NULL, 0.5 * d->clearance, false, &error) ||
        carom_tree_query(tree, work->def.exclusions, CAROM_TREE_ALL, &error)) {
        d->failed = true;
        return 0;
    }
    int64_t pairs = 0;
    for (int p = 0; p < CAROM_TREE_PARTS; p++)
        pairs += tree->parts[p].count;
    int parts = carom_violation_part_count(pairs);
    carom_detection_start_parts(d, parts);
#pragma omp parallel for schedule(dynamic) if (parts > 1)
    for (int p = 0; p < parts; p++)
        check_share(d, carom_violation_part_begin(pairs, parts, p), carom_violation_part_begin(pairs, parts, p + 1),
                    &work->parts[p]);
    int count = carom_detection_join_findings(d, parts, &work->face_findings, &work->face_finding_capacity);
    if (!d->failed)
        keep_close(d, parts);
    return count;
}

void carom_detection_check_faces(carom_detection *d) {
    carom_violations *work = d->violations;
    int count = search(d);
    if (count)
        qsort(work->face_findings, (size_t)count, sizeof *work->face_findings, compare);
    for (int i = 0; i < count && !d->failed; i++) {
        const carom_simplex *pair = &work->face_findings[i].pair;
        bool marked = false;
        for (int k = 0; k < 4; k++)
            marked = marked || work->node_mark[pair->node[k]] == work->generation;
        if (marked || !carom_detection_blocks(d, carom_detection_add(d, pair), work->face_findings[i].depth))
            continue;
        for (int k = 0; k < 4; k++)
            work->node_mark[pair->node[k]] = work->generation;
    }
}
