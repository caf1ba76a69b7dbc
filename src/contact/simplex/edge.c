// SPDX-License-Identifier: MIT
// Finds pairs of edges, in space, that have passed through each other or end in violation, for one detection (detection.h).
//
// The measure of two edges refers to their lines: its sign shows on which side of the other line an edge
// lies. The sign changes when the edges pass through each other, but also when the lines cross beyond the
// ends of the edges; the exact time of impact of the moving edges decides. Overlaps of closed bodies at x1
// are found by their faces (faces.c). This file handles edges that have passed through a whole body, edges
// of open surfaces, and those of a body in self-contact. A violated node explains its edges, which are
// checked again once that node is outside.
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "contact/simplex/detection.h"
#include "math/vec3.h"

// Feet beyond an end by this fraction of the edge count as on the edge (rounding).
static const double end_part = 1e-9;
// Lines with a smaller sine of their angle are parallel: their distance has no defined direction.
static const double parallel_sine = 1e-3;
// The sign is read this fraction of the time of impact before it.
static const double before_meeting = 1e-3;
// Distance from the foot, as a fraction of the edge, at which the edge is tested for being inside a body; the foot
// itself may lie on its surface. A heuristic.
static const double sample_part = 1e-2;
// Crossings nearer to the end of an edge than this fraction of the depth belong to its node. A heuristic.
static const double rim_part = 0.1;
// Sine of the angle (about 11 degrees) by which faces may extend beyond the plane between two edges that
// still counts as separating. A heuristic that tolerates curved surfaces.
static const double support_sine = 0.2;

// The lines of two edges a, b at one time: r is the vector from the first to the second, n = a x b.
typedef struct lines {
    bool parallel;
    double distance; // n.r/|n|
    double at[2];    // parameters of the common perpendicular's feet
    bool over;       // both feet are on the edges
} lines;

// The vectors along two edges, and from the first to the second.
static inline void vectors_at(const carom_detection *d, const int nodes[4], double t, double a[3], double b[3], double r[3]) {
    double x[4][3];
    for (int k = 0; k < 4; k++)
        carom_motion_position(&d->motion, nodes[k], t, x[k]);
    carom_difference(x[1], x[0], a);
    carom_difference(x[3], x[2], b);
    carom_difference(x[2], x[0], r);
}

static lines lines_at(const carom_detection *d, const int nodes[4], double t) {
    double a[3], b[3], r[3], n[3], w[3];
    vectors_at(d, nodes, t, a, b, r);
    carom_cross(a, b, n);
    double size = carom_norm(n);
    lines l = {.parallel = !(size > parallel_sine * carom_norm(a) * carom_norm(b))};
    if (l.parallel)
        return l;
    // r = s a - t b + (n.r/n.n) n, solved for s and t by Cramer's rule
    l.distance = carom_dot(n, r) / size;
    carom_cross(r, b, w);
    l.at[0] = carom_dot(w, n) / (size * size);
    carom_cross(a, r, w);
    l.at[1] = -carom_dot(w, n) / (size * size);
    l.over = true;
    for (int i = 0; i < 2; i++)
        l.over = l.over && l.at[i] >= -end_part && l.at[i] <= 1 + end_part;
    return l;
}

// The mean normal of the faces at an edge at x1: the outside of its body.
static void outward(const carom_detection *d, int edge, double n[3]) {
    const carom_surface *s = d->surface;
    n[0] = n[1] = n[2] = 0;
    for (int i = s->edge_faces_begin[edge]; i < s->edge_faces_begin[edge + 1]; i++) {
        double face[3];
        if (carom_face_normal(s, &d->motion, 1, s->edge_faces[i], face))
            carom_add_scaled(1, face, n);
    }
    carom_normalize(n);
}

// The sign that two edges have if each is outside of the other's body, from their normals; 0 if
// these are inconclusive (below 1e-6).
static int sign_by_sides(const carom_detection *d, const int edge[2], const int nodes[4]) {
    double a[3], b[3], r[3], n[3], out[2][3], opening[3];
    vectors_at(d, nodes, 1, a, b, r);
    carom_cross(a, b, n);
    carom_normalize(n);
    outward(d, edge[0], out[0]);
    outward(d, edge[1], out[1]);
    carom_difference(out[0], out[1], opening);
    double along = carom_dot(n, opening);
    return along > 1e-6 ? 1 : along < -1e-6 ? -1 : 0;
}

// True if the faces of an edge lie behind it with respect to the direction `out`, up to support_sine.
static bool lies_behind(const carom_detection *d, int edge, const double out[3]) {
    const carom_surface *s = d->surface;
    double a[3], b[3], along[3];
    carom_motion_position(&d->motion, s->edges[edge][0], 1, a);
    carom_motion_position(&d->motion, s->edges[edge][1], 1, b);
    carom_difference(b, a, along);
    carom_normalize(along);
    for (int i = s->edge_faces_begin[edge]; i < s->edge_faces_begin[edge + 1]; i++)
        for (int k = 0; k < 3; k++) {
            int node = s->faces[s->edge_faces[i]][k];
            double r[3];
            if (node == s->edges[edge][0] || node == s->edges[edge][1])
                continue;
            carom_motion_position(&d->motion, node, 1, r);
            carom_add_scaled(-1, a, r);
            // the component across the edge decides
            carom_add_scaled(-carom_dot(along, r), along, r);
            if (carom_dot(out, r) > support_sine * carom_norm(r))
                return false;
        }
    return true;
}

bool carom_detection_separates_edges(const carom_detection *d, const int edge[2], const int nodes[4], int sign) {
    double a[3], b[3], r[3], out[3], back[3];
    vectors_at(d, nodes, 1, a, b, r);
    carom_cross(a, b, out);
    carom_normalize(out);
    for (int i = 0; i < 3; i++) {
        out[i] *= sign;
        back[i] = -out[i];
    }
    return lies_behind(d, edge[0], out) && lies_behind(d, edge[1], back);
}

// True if an edge is inside a closed body at its foot or near it.
static bool is_inside(const carom_detection *d, const int ends[2], double at, double t, int body) {
    for (int i = -1; i <= 1; i++) {
        double s = fmin(fmax(at + i * sample_part, 0), 1), a[3], b[3], point[3];
        carom_motion_position(&d->motion, ends[0], t, a);
        carom_motion_position(&d->motion, ends[1], t, b);
        for (int c = 0; c < 3; c++)
            point[c] = (1 - s) * a[c] + s * b[c];
        if (carom_detection_depth_inside(d, t, point, body) > 0)
            return true;
    }
    return false;
}

// True if, at time t, each of two edges is inside the body of the other; an open surface has no inside and
// counts as true.
static bool are_inside_at(const carom_detection *d, const int nodes[4], const int body[2], double t) {
    lines l = lines_at(d, nodes, t);
    if (l.parallel)
        return false;
    for (int i = 0; i < 2 && body[0] != body[1]; i++)
        if (!carom_violations_two_sided(&d->violations->def, body[!i]) && !is_inside(d, nodes + 2 * i, l.at[i], t, body[!i]))
            return false;
    return true;
}

// The same at some time after impact, sampled with decreasing distance from it: later the edges may have
// left the body again, and a real crossing is inside immediately after impact.
static bool are_inside_after(const carom_detection *d, const int nodes[4], const int body[2], double time) {
    bool real = false;
    for (double part = 0.5; part > 1e-3 && !real; part *= 0.25)
        real = are_inside_at(d, nodes, body, time + part * (1 - time));
    return real;
}

// True if one of the nodes is violated in this detection.
static bool is_explained(const carom_detection *d, const int nodes[4]) {
    for (int k = 0; k < 4; k++)
        if (d->violations->node_mark[nodes[k]] == d->violations->generation)
            return true;
    return false;
}

// True if two edges meet at an end of one of them, measured by the depth: such contacts belong to the node.
static bool is_at_end(const carom_detection *d, const int nodes[4], double t, double depth) {
    lines l = lines_at(d, nodes, t);
    for (int i = 0; i < 2 && !l.parallel; i++) {
        double a[3], b[3], side[3];
        carom_motion_position(&d->motion, nodes[2 * i], t, a);
        carom_motion_position(&d->motion, nodes[2 * i + 1], t, b);
        carom_difference(b, a, side);
        double least = fmax(end_part, rim_part * depth / carom_norm(side));
        if (l.at[i] < least || l.at[i] > 1 - least)
            return true;
    }
    return false;
}

// True if the boxes of the paths of two edges are separated by more than `distance`: they neither meet during the motion nor
// end with feet nearer than that.
static bool are_far(const carom_detection *d, const int nodes[4], double distance) {
    for (int i = 0; i < 3; i++) {
        double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
        for (int k = 0; k < 4; k++) {
            double a = d->motion.x0[nodes[k]][i], b = d->motion.x1[nodes[k]][i];
            int side = k / 2;
            low[side] = a < low[side] ? a : low[side];
            low[side] = b < low[side] ? b : low[side];
            high[side] = a > high[side] ? a : high[side];
            high[side] = b > high[side] ? b : high[side];
        }
        // feet may lie beyond the ends of their edges by `end_part`, and distances are rounded
        double beyond = 4 * end_part * (high[0] - low[0] + high[1] - low[1]);
        if (low[1] - high[0] > distance + beyond || low[0] - high[1] > distance + beyond)
            return true;
    }
    return false;
}

// True if two edges violate each other; fills the crossing.
static bool find(const carom_detection *d, const int nodes[4], const int body[2], carom_crossing *c) {
    double thickness = fmax(carom_detection_thickness(d, body[0], body[1]), carom_detection_thickness(d, body[1], body[0]));
    // most listed pairs are farther from each other than the gap that they keep
    if (are_far(d, nodes, thickness + d->tolerance))
        return false;
    lines end = lines_at(d, nodes, 1), start = lines_at(d, nodes, 0);
    // closed bodies have an inside; in self-contact it decides nothing
    bool sided[2] = {carom_violations_two_sided(&d->violations->def, body[0]),
                     carom_violations_two_sided(&d->violations->def, body[1])};
    bool closed = body[0] != body[1] && !sided[0] && !sided[1];
    double near = closed || body[0] == body[1] ? d->touching : d->tolerance;
    if (end.parallel || (!(thickness > 0) && fabs(end.distance) <= d->tolerance))
        return false;
    // `turned`: the sign has changed, or may have
    bool side_known = !start.parallel && fabs(start.distance) > near;
    bool turned = !side_known || start.distance * end.distance < 0;
    c->thickness = carom_detection_kept_gap(d, thickness, start.parallel ? 0 : fabs(start.distance));

    // closed bodies: edges that overlap at x1 are explained by the pairs of nodes and faces added so far;
    // faces do not detect edges that have passed through a whole body, so these are checked in any case
    if (closed && end.over && d->added > 0)
        return false;
    c->time = turned ? carom_detection_hit_time(d, CAROM_NARROW_EDGE_EDGE, nodes) : HUGE_VAL;
    if (isfinite(c->time)) {
        if (is_at_end(d, nodes, c->time, fmin(fabs(end.distance), rim_part * d->violations->length)))
            return false;
        // just before impact the edges are on their original sides
        lines before = lines_at(d, nodes, c->time * (1 - before_meeting));
        bool known = !before.parallel && fabs(before.distance) > fmax(d->tolerance, side_known ? 0 : near);
        // an open surface has no outward normal that could replace the sign
        if (!known && (sided[0] || sided[1]))
            return false;
        c->sign = known ? (before.distance > 0 ? 1 : -1) : sign_by_sides(d, c->edge, nodes);
        c->depth = c->thickness - c->sign * end.distance;
        return c->sign && c->sign * end.distance < -d->tolerance &&
               carom_detection_separates_edges(d, c->edge, nodes, c->sign) && are_inside_after(d, nodes, body, c->time);
    }
    if (!end.over)
        return false;

    // the side is correct, but the gap at x1 is smaller than the one to be kept
    if (side_known && !turned) {
        c->time = 2;
        c->sign = start.distance > 0 ? 1 : -1;
        c->depth = c->thickness - fabs(end.distance);
        return thickness > 0 && c->depth > d->tolerance && carom_detection_separates_edges(d, c->edge, nodes, c->sign);
    }

    return false;
}

// Compares by time of impact, then by depth; ties by edge numbers.
static int compare(const void *a, const void *b) {
    const carom_crossing *p = a, *q = b;
    if (p->time != q->time)
        return p->time < q->time ? -1 : 1;
    if (p->depth != q->depth)
        return p->depth < q->depth ? -1 : 1;
    return p->edge[0] != q->edge[0] ? (p->edge[0] > q->edge[0]) - (p->edge[0] < q->edge[0])
                                    : (p->edge[1] > q->edge[1]) - (p->edge[1] < q->edge[1]);
}

// Checks the pairs `begin` to `end` of the list.
static void check_share(const carom_detection *d, int begin, int end, carom_violation_part *part) {
    const carom_violations *work = d->violations;
    const carom_surface *s = d->surface;
    const carom_pair_list *pairs = &work->broad.pairs;
    for (int p = begin; p < end; p++) {
        const int *nodes = pairs->nodes[p];
        int body[2] = {s->node_body[nodes[0]], s->node_body[nodes[2]]};
        carom_crossing c = {.edge = {pairs->features[p][0], pairs->features[p][1]}};
        if (carom_violations_are_immovable(&work->def, body[0], body[1]) || is_explained(d, nodes) || !find(d, nodes, body, &c))
            continue;
        part->failed = !carom_append(&part->crossings, &part->crossing_count, &part->crossing_capacity, &c, sizeof c);
        if (part->failed)
            return;
    }
}

// All listed pairs; returns the number of crossings.
static int search(carom_detection *d) {
    carom_violations *work = d->violations;
    int first = work->broad.pairs.node_pair_count, pairs = work->broad.pairs.count - first;
    int64_t count = 0;
    int parts = carom_violation_part_count(pairs);
    carom_detection_start_parts(d, parts);
#pragma omp parallel for schedule(dynamic) if (parts > 1)
    for (int p = 0; p < parts; p++)
        check_share(d, first + (int)carom_violation_part_begin(pairs, parts, p),
                    first + (int)carom_violation_part_begin(pairs, parts, p + 1), &work->parts[p]);
    for (int p = 0; p < parts; p++) {
        const carom_violation_part *part = &work->parts[p];
        d->failed = d->failed || part->failed;
        for (int64_t i = 0; i < part->crossing_count && !d->failed; i++)
            d->failed =
                !carom_append(&work->crossings, &count, &work->crossing_capacity, &part->crossings[i], sizeof *work->crossings);
    }
    return (int)count;
}

void carom_detection_check_edges(carom_detection *d) {
    carom_violations *work = d->violations;
    const carom_surface *s = d->surface;
    int count = search(d);

    // an edge is paired once per detection, earliest impacts first
    if (count)
        qsort(work->crossings, (size_t)count, sizeof *work->crossings, compare);
    for (int i = 0; i < count && !d->failed; i++) {
        const carom_crossing *c = &work->crossings[i];
        const int *a = s->edges[c->edge[0]], *b = s->edges[c->edge[1]];
        if (work->edge_mark[c->edge[0]] == work->generation || work->edge_mark[c->edge[1]] == work->generation)
            continue;
        carom_simplex pair = {
            .kind = CAROM_CONTACT_EDGE_EDGE,
            .count = 4,
            .node = {a[0], a[1], b[0], b[1]},
            .sign = c->sign,
            .thickness = c->thickness,
            .body = {s->node_body[a[0]], s->node_body[b[0]]},
        };
        // penalties: a known pair does not block others
        if (!carom_detection_add(d, &pair) && work->def.soft)
            continue;
        work->edge_mark[c->edge[0]] = work->edge_mark[c->edge[1]] = work->generation;
        for (int k = 0; k < 4; k++)
            work->node_mark[pair.node[k]] = work->generation;
    }
}
