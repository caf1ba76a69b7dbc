// SPDX-License-Identifier: MIT
// Edges against edges, in space.
//
// The measure of two edges is that of their lines, and tells on which side of the other line the one is. It has changed its sign when the edges have passed through each
// other; also when lines cross somewhere else, therefore the exact test of the moving edges decides. What closed bodies share at the end is found by their faces
// (simplex/faces.c); here are edges that have passed through a whole body, those of open ones, and those of a body that touches itself. A node that is violated
// explains its edges; they are looked at again when that node is outside.
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "contact/simplex/look.h"
#include "math/vec3.h"

// Feet this far outside, as a part of an edge, count as inside; lines whose angle has a smaller sine are parallel; just before a meeting, as a part of the time; how far
// from a foot an edge is looked at, as a part of the edge; what is at its end, in units of the depth; the sine of an angle by which faces may
// reach across the plane between two edges.
static const double border = 1e-9, parallel = 1e-3, before_meeting = 1e-3, around = 1e-2, rim = 0.1, lean = 0.2;

typedef struct carom_crossing {
    double time; // when they meet; later than any meeting where only the end tells
    double depth;
    int edge[2], sign;
    double thickness;
} carom_crossing;

// Two lines at one time.
typedef struct lines {
    bool parallel;
    double distance; // from the first to the second along the product of their directions
    double at[2];    // the feet on both
    bool over;       // both are on the edges
} lines;

static lines lines_at(const carom_violation_look *look, const int nodes[4], double t) {
    double x[4][3], a[3], b[3], r[3], n[3], w[3];
    for (int k = 0; k < 4; k++)
        carom_way_place(&look->way, nodes[k], t, x[k]);
    carom_difference(x[1], x[0], a);
    carom_difference(x[3], x[2], b);
    carom_difference(x[2], x[0], r);
    carom_cross(a, b, n);
    double size = carom_norm(n);
    lines l = {.parallel = !(size > parallel * carom_norm(a) * carom_norm(b))};
    if (l.parallel)
        return l;
    l.distance = carom_dot(n, r) / size;
    carom_cross(r, b, w);
    l.at[0] = carom_dot(w, n) / (size * size);
    carom_cross(a, r, w);
    l.at[1] = -carom_dot(w, n) / (size * size);
    l.over = true;
    for (int i = 0; i < 2; i++)
        l.over = l.over && l.at[i] >= -border && l.at[i] <= 1 + border;
    return l;
}

static double meeting(const carom_violation_look *look, const int nodes[4]) {
    double x[2][4][3], time;
    for (int k = 0; k < 4; k++)
        for (int end = 0; end < 2; end++)
            carom_way_place(&look->way, nodes[k], end, x[end][k]);
    return carom_ccd_edge_edge((carom_const_vectors)x[0], (carom_const_vectors)x[1], 0, &time) ? time : HUGE_VAL;
}

// Where the outside is at an edge.
static void outward(const carom_violation_look *look, int edge, double n[3]) {
    const carom_surface *s = look->surface;
    n[0] = n[1] = n[2] = 0;
    for (int i = s->edge_faces_begin[edge]; i < s->edge_faces_begin[edge + 1]; i++) {
        double face[3];
        if (carom_face_normal(s, &look->way, 1, s->edge_faces[i], face))
            carom_add_scaled(1, face, n);
    }
    carom_normalize(n);
}

// The sign of the distance of two edges that are outside of each other, by the sides that they show; 0 if that does not tell.
static int sign_by_sides(const carom_violation_look *look, const int edge[2], const int nodes[4]) {
    double x[4][3], a[3], b[3], n[3], out[2][3], way[3];
    for (int k = 0; k < 4; k++)
        carom_way_place(&look->way, nodes[k], 1, x[k]);
    carom_difference(x[1], x[0], a);
    carom_difference(x[3], x[2], b);
    carom_cross(a, b, n);
    carom_normalize(n);
    outward(look, edge[0], out[0]);
    outward(look, edge[1], out[1]);
    carom_difference(out[0], out[1], way);
    double along = carom_dot(n, way);
    return along > 1e-6 ? 1 : along < -1e-6 ? -1 : 0;
}

// Whether the faces of an edge lie behind it, seen along a direction that leads outward.
static bool rises(const carom_violation_look *look, int edge, const double out[3]) {
    const carom_surface *s = look->surface;
    double a[3], b[3], along[3];
    carom_way_place(&look->way, s->edges[edge][0], 1, a);
    carom_way_place(&look->way, s->edges[edge][1], 1, b);
    carom_difference(b, a, along);
    carom_normalize(along);
    for (int i = s->edge_faces_begin[edge]; i < s->edge_faces_begin[edge + 1]; i++)
        for (int k = 0; k < 3; k++) {
            int node = s->faces[s->edge_faces[i]][k];
            double r[3];
            if (node == s->edges[edge][0] || node == s->edges[edge][1])
                continue;
            carom_way_place(&look->way, node, 1, r);
            carom_add_scaled(-1, a, r);
            carom_add_scaled(-carom_dot(along, r), along, r);
            if (carom_dot(out, r) > lean * carom_norm(r))
                return false;
        }
    return true;
}

bool carom_violation_edges_rise(const carom_violation_look *look, const int edge[2], const int nodes[4], int sign) {
    double x[4][3], a[3], b[3], out[3], back[3];
    for (int k = 0; k < 4; k++)
        carom_way_place(&look->way, nodes[k], 1, x[k]);
    carom_difference(x[1], x[0], a);
    carom_difference(x[3], x[2], b);
    carom_cross(a, b, out);
    carom_normalize(out);
    for (int i = 0; i < 3; i++) {
        out[i] *= sign;
        back[i] = -out[i];
    }
    return rises(look, edge[0], out) && rises(look, edge[1], back);
}

// Whether an edge is inside a closed body about a foot.
static bool is_inside(const carom_violation_look *look, const int ends[2], double at, double t, int body) {
    for (int i = -1; i <= 1; i++) {
        double s = fmin(fmax(at + i * around, 0), 1), a[3], b[3], point[3];
        carom_way_place(&look->way, ends[0], t, a);
        carom_way_place(&look->way, ends[1], t, b);
        for (int c = 0; c < 3; c++)
            point[c] = (1 - s) * a[c] + s * b[c];
        carom_sight sight = carom_sight_nearest(&look->overlaps->broad.tree, &look->way, t, point, body, look->tolerance);
        if (sight.face >= 0 && sight.height < 0 && sight.distance > look->tolerance)
            return true;
    }
    return false;
}

// Whether each of two edges is inside the body of the other at some time, where that is closed.
static bool is_real_at(const carom_violation_look *look, const int nodes[4], const int body[2], double t) {
    lines l = lines_at(look, nodes, t);
    if (l.parallel)
        return false;
    for (int i = 0; i < 2 && body[0] != body[1]; i++)
        if (!look->surface->open[body[!i]] && !is_inside(look, nodes + 2 * i, l.at[i], t, body[!i]))
            return false;
    return true;
}

// The same at some time after they have met: later they may have left the body again.
static bool is_real_after(const carom_violation_look *look, const int nodes[4], const int body[2], double time) {
    bool real = false;
    for (double part = 0.5; part > 1e-3 && !real; part *= 0.25)
        real = is_real_at(look, nodes, body, time + part * (1 - time));
    return real;
}

static bool is_explained(const carom_violation_look *look, const int nodes[4]) {
    for (int k = 0; k < 4; k++)
        if (look->overlaps->busy[nodes[k]] == look->overlaps->look)
            return true;
    return false;
}

// Whether two edges meet at the end of one of them, as seen from how far they go on: that is the matter of a node.
static bool is_at_an_end(const carom_violation_look *look, const int nodes[4], double t, double depth) {
    lines l = lines_at(look, nodes, t);
    for (int i = 0; i < 2 && !l.parallel; i++) {
        double a[3], b[3], side[3];
        carom_way_place(&look->way, nodes[2 * i], t, a);
        carom_way_place(&look->way, nodes[2 * i + 1], t, b);
        carom_difference(b, a, side);
        double least = fmax(border, rim * depth / carom_norm(side));
        if (l.at[i] < least || l.at[i] > 1 - least)
            return true;
    }
    return false;
}

// Whether two edges overlap at the end or have crossed, and how.
static bool find(const carom_violation_look *look, const int nodes[4], const int body[2], carom_crossing *c) {
    const carom_surface *s = look->surface;
    lines end = lines_at(look, nodes, 1), start = lines_at(look, nodes, 0);
    bool closed = body[0] != body[1] && !s->open[body[0]] && !s->open[body[1]];
    double thickness =
        fmax(carom_violation_look_thickness(look, body[0], body[1]), carom_violation_look_thickness(look, body[1], body[0]));
    double near = closed || body[0] == body[1] ? look->touching : look->tolerance;
    if (end.parallel || (!(thickness > 0) && fabs(end.distance) <= look->tolerance))
        return false;
    bool apart = !start.parallel && fabs(start.distance) > near;
    bool turned = !apart || start.distance * end.distance < 0;
    c->thickness = carom_violation_look_kept(look, thickness, start.parallel ? 0 : fabs(start.distance));

    // of closed bodies what overlaps at the end is the matter of faces (simplex/faces.c); these tell nothing of what has passed through a body
    if (closed && end.over && look->added > 0)
        return false;
    c->time = turned ? meeting(look, nodes) : HUGE_VAL;
    if (isfinite(c->time)) {
        if (is_at_an_end(look, nodes, c->time, fmin(fabs(end.distance), rim * look->overlaps->length)))
            return false;
        lines before = lines_at(look, nodes, c->time * (1 - before_meeting));
        bool known = !before.parallel && fabs(before.distance) > fmax(look->tolerance, apart ? 0 : near);
        if (!known && s->open[body[0]] + s->open[body[1]] > 0)
            return false;
        c->sign = known ? (before.distance > 0 ? 1 : -1) : sign_by_sides(look, c->edge, nodes);
        c->depth = c->thickness - c->sign * end.distance;
        return c->sign && c->sign * end.distance < -look->tolerance &&
               carom_violation_edges_rise(look, c->edge, nodes, c->sign) && is_real_after(look, nodes, body, c->time);
    }
    if (!end.over)
        return false;

    // they are nearer at the end than they may be
    if (apart && !turned) {
        c->time = 2;
        c->sign = start.distance > 0 ? 1 : -1;
        c->depth = c->thickness - fabs(end.distance);
        return thickness > 0 && c->depth > look->tolerance && carom_violation_edges_rise(look, c->edge, nodes, c->sign);
    }

    return false;
}

static int compare(const void *a, const void *b) {
    const carom_crossing *p = a, *q = b;
    if (p->time != q->time)
        return p->time < q->time ? -1 : 1;
    if (p->depth != q->depth)
        return p->depth < q->depth ? -1 : 1;
    return p->edge[0] != q->edge[0] ? (p->edge[0] > q->edge[0]) - (p->edge[0] < q->edge[0])
                                    : (p->edge[1] > q->edge[1]) - (p->edge[1] < q->edge[1]);
}

void carom_violation_look_at_edges(carom_violation_look *look) {
    carom_violations *o = look->overlaps;
    const carom_surface *s = look->surface;
    const carom_pair_list *pairs = &o->broad.pairs;
    int count = 0;
    for (int p = pairs->node_pair_count; p < pairs->count; p++) {
        const int *nodes = pairs->nodes[p];
        int body[2] = {s->node_body[nodes[0]], s->node_body[nodes[2]]};
        carom_crossing c = {.edge = {pairs->features[p][0], pairs->features[p][1]}};
        if (carom_violation_are_held(&o->def, body[0], body[1]) || is_explained(look, nodes) || !find(look, nodes, body, &c))
            continue;
        carom_crossing *crossings = carom_grow(o->crossings, count, &o->crossing_capacity, sizeof *crossings);
        if (!crossings) {
            look->failed = true;
            return;
        }
        o->crossings = crossings;
        crossings[count++] = c;
    }

    // each edge is paired once at a time, the first crossings first
    if (count)
        qsort(o->crossings, (size_t)count, sizeof *o->crossings, compare);
    for (int i = 0; i < count && !look->failed; i++) {
        const carom_crossing *c = &o->crossings[i];
        const int *a = s->edges[c->edge[0]], *b = s->edges[c->edge[1]];
        if (o->taken[c->edge[0]] == o->look || o->taken[c->edge[1]] == o->look)
            continue;
        carom_simplex pair = {
            .kind = CAROM_CONTACT_EDGE_EDGE,
            .count = 4,
            .node = {a[0], a[1], b[0], b[1]},
            .sign = c->sign,
            .thickness = c->thickness,
            .body = {s->node_body[a[0]], s->node_body[b[0]]},
        };
        if (!carom_violation_look_add(look, &pair) && o->def.soft)
            continue;
        o->taken[c->edge[0]] = o->taken[c->edge[1]] = o->look;
        for (int k = 0; k < 4; k++)
            o->busy[pair.node[k]] = o->look;
    }
}
