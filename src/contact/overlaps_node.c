// SPDX-License-Identifier: MIT
// A node against the faces of one body.
//
// A closed body has an inside, and what ends inside is violated. What ends outside may have passed through: its way meets faces, and between two such times it was
// inside. Faces of an open body, and of the body of the node itself, have no inside that would tell; there the way decides alone: a node that was in
// front of a face and is behind it has crossed it if it was over the face when it went through its plane.
//
// A tip that is pressed into a floor and slides takes nodes of the floor into its body, through its flanks: these are no walls to it. When the tip is on the floor again they are outside.
// Therefore the deepest nodes are paired first, and a node whose face has such a node waits for the next look, unless the two push against each other.
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "contact/overlaps_look.h"
#include "math/vec3.h"

// Times closer than this are the same; minus the cosine of normals that push against each other; parts in which a way from a touching start is looked through; times of one way that are looked at.
static const double same_time = 1e-12, against = 0.7;
enum { SAMPLES = 16, BISECTIONS = 50, TIMES = 32 };

// What is known of a face.
typedef struct option {
    carom_sight end;  // at x1; face -1: none
    double start;     // height at x0, on the side it starts on
    double depth;     // at x1 on the same side, below what is to be kept
    int side;         // 1; of a face with two sides the one where the node starts
    double time;      // when it is crossed; HUGE_VAL: never
    bool touched;     // from the start
    double thickness; // to be kept
} option;

static carom_sight see(const carom_overlap_look *look, int node, int face, double t) {
    double point[3];
    carom_way_place(&look->way, node, t, point);
    return carom_sight_of(look->surface, &look->way, t, point, face);
}

// The time at which a node meets a face; HUGE_VAL: it does not.
static double meeting(const carom_overlap_look *look, int node, int face) {
    const int *f = look->surface->faces[face], nodes[4] = {node, f[0], f[1], f[2]};
    double x[2][4][3], time;
    for (int k = 0; k < 4; k++)
        for (int end = 0; end < 2; end++)
            carom_way_place(&look->way, nodes[k], end, x[end][k]);
    const double(*a)[3] = (const double(*)[3])x[0], (*b)[3] = (const double(*)[3])x[1];
    bool meet = look->surface->corners == 2 ? carom_ccd_node_segment(a, b, 0, &time) : carom_ccd_node_face(a, b, 0, &time);
    return meet ? time : HUGE_VAL;
}

// The time at which a node that has touched the plane of a face goes behind it, if it is over the face then.
static double sinking(const carom_overlap_look *look, int node, int face, int side) {
    double above = 0, below = -1;
    for (int i = 1; i <= SAMPLES && below < 0; i++) {
        double t = (double)i / SAMPLES;
        if (side * see(look, node, face, t).height < -look->tolerance)
            below = t;
        else
            above = t;
    }
    if (below < 0)
        return HUGE_VAL;
    for (int i = 0; i < BISECTIONS; i++) {
        double t = 0.5 * (above + below);
        if (side * see(look, node, face, t).height < -look->tolerance)
            below = t;
        else
            above = t;
    }
    return see(look, node, face, below).over ? below : HUGE_VAL;
}

// When the way of a node crosses a face from its front to its back.
static void find_crossing(const carom_overlap_look *look, int node, option *o) {
    double near = o->thickness > 0 && look->surface->open[look->surface->body[o->end.face]] ? look->tolerance : look->touching;
    o->time = HUGE_VAL;
    o->touched = fabs(o->start) <= near;
    if (o->side * o->end.height >= -look->tolerance || o->start < -near)
        return;
    o->time = o->touched ? sinking(look, node, o->end.face, o->side) : meeting(look, node, o->end.face);
}

static option look_at_face(const carom_overlap_look *look, int node, int body, int face) {
    int other = look->surface->body[face];
    bool two_sided = look->surface->open[other];
    option o = {.end = see(look, node, face, 1), .side = 1, .thickness = carom_overlap_look_thickness(look, body, other)};
    o.start = see(look, node, face, 0).height;
    if (two_sided && o.start < 0) {
        o.side = -1;
        o.start = -o.start;
    }
    o.thickness = carom_overlap_look_kept(look, o.thickness, o.start);
    o.depth = o.thickness - o.side * o.end.height;
    find_crossing(look, node, &o);
    return o;
}

// The first one that is crossed; of two at the same time the less deep one.
static bool is_earlier(const option *a, const option *than) {
    if (than->end.face < 0 || a->time < than->time - same_time)
        return true;
    return a->time <= than->time + same_time && (a->depth < than->depth || (a->depth == than->depth && a->time < than->time));
}

static void note(carom_overlap_look *look, int node, int body, const option *o, bool inside, bool rivals) {
    const int *f = look->surface->faces[o->end.face];
    bool plane = look->surface->corners == 2;
    carom_overlaps *overlaps = look->overlaps;
    carom_overlap_finding *findings =
        carom_grow(overlaps->findings, look->finding_count, &overlaps->finding_capacity, sizeof *findings);
    if (!findings) {
        look->failed = true;
        return;
    }
    overlaps->findings = findings;
    findings[look->finding_count++] = (carom_overlap_finding){
        .pair =
            {
                .kind = plane ? CAROM_CONTACT_NODE_SEGMENT : CAROM_CONTACT_NODE_FACE,
                .count = plane ? 3 : 4,
                .node = {node, f[0], f[1], f[2]},
                .sign = o->side,
                .thickness = o->thickness,
                .body = {body, look->surface->body[o->end.face]},
            },
        .depth = o->depth,
        .inside = inside,
        .rivals = rivals,
    };
    carom_face_normal(look->surface, &look->way, 1, o->end.face, findings[look->finding_count - 1].pair.normal);
}

// ---- faces without an inside ----

static void look_by_way(carom_overlap_look *look, int node, int body, const int *faces, int count) {
    option first = {.end.face = -1}, close = {.end.face = -1};
    for (int i = 0; i < count; i++) {
        option o = look_at_face(look, node, body, faces[i]);
        if (!(o.depth > look->tolerance))
            continue;
        if (isfinite(o.time)) {
            if (is_earlier(&o, &first))
                first = o;
        } else if (o.thickness > 0 && o.start > look->tolerance && o.depth <= o.thickness + look->tolerance && o.end.over &&
                   (close.end.face < 0 || o.depth > close.depth)) {
            close = o;
        }
    }
    const option *found = first.end.face >= 0 ? &first : &close;
    if (found->end.face >= 0)
        note(look, node, body, found, true, false);
}

// ---- closed bodies ----

// Whether a node is inside a body at some time.
static bool is_inside(const carom_overlap_look *look, int node, int other, double t) {
    double point[3];
    carom_way_place(&look->way, node, t, point);
    carom_sight sight = carom_sight_nearest(&look->overlaps->broad.tree, &look->way, t, point, other, look->tolerance);
    return sight.face >= 0 && sight.height < 0 && sight.distance > look->tolerance;
}

// Whether a node that has met faces of a body on its way was inside between two of these times.
static bool passes(const carom_overlap_look *look, int node, const int *faces, int count, double first) {
    double times[TIMES + 1] = {first};
    int known = 1;
    for (int i = 0; i < count; i++) {
        double time = meeting(look, node, faces[i]);
        if (!(time > first && time < 1))
            continue;
        int place = known < TIMES ? known++ : TIMES;
        for (; place > 0 && times[place - 1] > time; place--)
            times[place] = times[place - 1];
        times[place] = time;
    }
    for (int i = 0; i < known; i++) {
        double next = i + 1 < known ? times[i + 1] : 1;
        if (next > times[i] + same_time && is_inside(look, node, look->surface->body[faces[0]], 0.5 * (times[i] + next)))
            return true;
    }
    return false;
}

// Two faces of which one is no better than the other, at a convex edge or corner.
static bool are_rivals(const carom_overlap_look *look, const option *a, const option *b) {
    double n[3], m[3], turn[3];
    if (fabs(a->depth - b->depth) > look->tolerance || !carom_face_normal(look->surface, &look->way, 1, a->end.face, n) ||
        !carom_face_normal(look->surface, &look->way, 1, b->end.face, m))
        return false;
    carom_cross(n, m, turn);
    if (carom_norm(turn) < 1e-6 && carom_dot(n, m) > 0)
        return false;
    // no corner of the one is in front of the other
    for (int i = 0; i < look->surface->corners; i++)
        if (see(look, look->surface->faces[b->end.face][i], a->end.face, 1).height > look->tolerance ||
            see(look, look->surface->faces[a->end.face][i], b->end.face, 1).height > look->tolerance)
            return false;
    return true;
}

// The face of a listed body that is nearest to a node at x1, of those that it was not behind at x0 if so asked.
static option find_nearest(const carom_overlap_look *look, int node, int body, const int *faces, int count, bool in_front) {
    option best = {.end = {.face = -1, .distance = HUGE_VAL}};
    double limit = -1;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < count; i++) {
            carom_sight sight = see(look, node, faces[i], 1);
            if (!carom_sight_is_better(&sight, &best.end, limit))
                continue;
            if (in_front && see(look, node, faces[i], 0).height < -look->touching)
                continue;
            best.end = sight;
        }
        limit = best.end.distance + look->tolerance;
    }
    if (best.end.face >= 0)
        best = look_at_face(look, node, body, best.end.face);
    return best;
}

// Whether another face is as near as this one, at a place of its own, of those that the node was not behind if so asked.
static bool has_rival(const carom_overlap_look *look, int node, int body, const int *faces, int count, const option *best,
                      bool in_front) {
    for (int i = 0; i < count; i++) {
        carom_sight sight = see(look, node, faces[i], 1);
        double way[3];
        carom_difference(sight.foot, best->end.foot, way);
        if (sight.face == best->end.face || fabs(sight.distance - best->end.distance) > look->tolerance ||
            carom_norm(way) < 1e-3 * best->end.distance)
            continue;
        option other = look_at_face(look, node, body, faces[i]);
        if (in_front && other.start < -look->touching)
            continue;
        if (are_rivals(look, best, &other))
            return true;
    }
    return false;
}

static void look_at_closed(carom_overlap_look *look, int node, int body, const int *faces, int count) {
    const carom_overlaps_def *def = &look->overlaps->def;
    int other = look->surface->body[faces[0]];
    option best = find_nearest(look, node, body, faces, count, false), first = {.end.face = -1};

    // what the way crosses
    for (int i = 0; i < count; i++) {
        option o = look_at_face(look, node, body, faces[i]);
        if (isfinite(o.time) && is_earlier(&o, &first))
            first = o;
    }

    // beyond half the reach a nearer face may not be listed
    bool crossed = first.end.face >= 0;
    if (best.end.distance > 0.5 * look->overlaps->reach) {
        if (!crossed && !def->soft)
            return;
        double point[3];
        carom_way_place(&look->way, node, 1, point);
        carom_sight sight = carom_sight_nearest(&look->overlaps->broad.tree, &look->way, 1, point, other, look->tolerance);
        best = look_at_face(look, node, body, sight.face);
    }
    bool inside = best.end.height < 0 && best.end.distance > look->tolerance;
    bool close = best.end.height >= 0 && best.end.over && best.depth > look->tolerance;
    option choice = best;
    bool rivals = false;
    if (def->rule == CAROM_OVERLAP_CLOSEST) {
        if (!inside && !close)
            return;
        rivals = has_rival(look, node, body, faces, count, &best, false);
    } else if (inside || close) {
        option front = find_nearest(look, node, body, faces, count, true);
        if (front.end.face >= 0 && front.depth > look->tolerance)
            choice = front;
        else if (crossed)
            choice = first;
        rivals = has_rival(look, node, body, faces, count, &choice, true);
    } else {
        if (!crossed || !passes(look, node, faces, count, first.time))
            return;
        choice = first;
    }
    note(look, node, body, &choice, inside || close, rivals);
}

void carom_overlap_look_at_node(carom_overlap_look *look, int node, int body, int *faces, int count) {
    const carom_surface *surface = look->surface;
    // body after body
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && surface->body[faces[j]] < surface->body[faces[j - 1]]; j--) {
            int face = faces[j];
            faces[j] = faces[j - 1];
            faces[j - 1] = face;
        }
    for (int begin = 0, end; begin < count && !look->failed; begin = end) {
        int other = surface->body[faces[begin]];
        for (end = begin; end < count && surface->body[faces[end]] == other; end++)
            continue;
        if (other == body || surface->open[other])
            look_by_way(look, node, body, faces + begin, end - begin);
        else
            look_at_closed(look, node, body, faces + begin, end - begin);
    }
}

// ---- decisions ----

static int compare(const void *a, const void *b) {
    const carom_overlap_finding *p = a, *q = b;
    if (p->inside != q->inside)
        return p->inside ? -1 : 1;
    if (p->depth != q->depth)
        return p->depth > q->depth ? -1 : 1;
    if (p->pair.node[0] != q->pair.node[0])
        return p->pair.node[0] < q->pair.node[0] ? -1 : 1;
    return (p->pair.node[1] > q->pair.node[1]) - (p->pair.node[1] < q->pair.node[1]);
}

// Whether a node of the face is violated itself, and is not pushed the other way.
static bool waits(const carom_overlap_look *look, const carom_overlap_finding *f) {
    const carom_overlaps *o = look->overlaps;
    if (o->def.rule == CAROM_OVERLAP_CLOSEST)
        return false;
    for (int k = 1; k < f->pair.count; k++) {
        int node = f->pair.node[k];
        if (o->busy[node] == o->look && (!f->inside || carom_dot(o->push[node], f->pair.normal) > -against))
            return true;
    }
    return false;
}

void carom_overlap_look_decide(carom_overlap_look *look) {
    carom_overlaps *o = look->overlaps;
    if (look->finding_count)
        qsort(o->findings, (size_t)look->finding_count, sizeof *o->findings, compare);
    for (int i = 0; i < look->finding_count && !look->failed; i++) {
        carom_overlap_finding *f = &o->findings[i];
        int node = f->pair.node[0];
        if (waits(look, f))
            continue;
        bool added = carom_overlap_look_add(look, &f->pair);
        if (!added && o->def.soft)
            continue;
        look->ambiguous += added && f->rivals;
        o->busy[node] = o->look;
        for (int c = 0; c < 3; c++)
            o->push[node][c] = f->pair.sign * f->pair.normal[c];
    }
}
