// SPDX-License-Identifier: MIT
// A node against the faces of one body.
//
// A closed body has an inside, and what ends inside is violated. What ends outside may have passed through: its way meets faces, and between two such times it was
// inside. Faces of an open body, and of the body of the node itself, have no inside that would tell; there the way decides alone: a node that was in
// front of a face and is behind it has crossed it if it was over the face when it went through its plane.
//
// A tip that is pressed into a floor and slides takes nodes of the floor into its body, through its flanks: these are no walls to it. A node is a strong finding against a face if
// its own body rises from that face all around it, as the tip does from the floor, and as floor nodes do not from a flank. Strong ones are paired first, the
// deepest before the others; what is not strong waits until neither nodes nor edges explain it.
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "contact/simplex/look.h"
#include "math/vec3.h"

// Times closer than this are the same; minus the cosines of normals that push against each other, and of faces that look away from
// each other; what is at the rim of a face, in units of the depth behind
// it, or of the shortest side; the angle of faces that are one; how far from a node a face of it is looked at, as a part of the face; the sine of an angle by which a body may
// sink below a face that it rises from; what is clearly in front of a face, in units of the clearance; parts in which a way from a touching start is looked through; times of one way that are looked at.
static const double same_time = 1e-12, against = 0.7, slant = 0.1, rim = 0.1, smooth = 1e-2, aside = 1e-2, lean = 0.2,
                    clear = 0.5;
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

static carom_sight see(const carom_violation_look *look, int node, int face, double t) {
    double point[3];
    carom_way_place(&look->way, node, t, point);
    return carom_sight_of(look->surface, &look->way, t, point, face);
}

// The time at which a node meets a face; HUGE_VAL: it does not.
static double meeting(const carom_violation_look *look, int node, int face) {
    const int *f = look->surface->faces[face], nodes[4] = {node, f[0], f[1], f[2]};
    double x[2][4][3], time;
    for (int k = 0; k < 4; k++)
        for (int end = 0; end < 2; end++)
            carom_way_place(&look->way, nodes[k], end, x[end][k]);
    const double(*a)[3] = (carom_const_vectors)x[0], (*b)[3] = (carom_const_vectors)x[1];
    bool meet = look->surface->corners == 2 ? carom_ccd_node_segment(a, b, 0, &time) : carom_ccd_node_face(a, b, 0, &time);
    return meet ? time : HUGE_VAL;
}

// The time at which a node that has touched the plane of a face goes behind it, if it is over the face then.
static double sinking(const carom_violation_look *look, int node, int face, int side) {
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
static void find_crossing(const carom_violation_look *look, int node, option *o) {
    double near = o->thickness > 0 && look->surface->open[look->surface->body[o->end.face]] ? look->tolerance : look->touching;
    o->time = HUGE_VAL;
    o->touched = fabs(o->start) <= near;
    if (o->side * o->end.height >= -look->tolerance || o->start < -near)
        return;
    o->time = o->touched ? sinking(look, node, o->end.face, o->side) : meeting(look, node, o->end.face);
}

static option look_at_face(const carom_violation_look *look, int node, int body, int face) {
    int other = look->surface->body[face];
    bool two_sided = look->surface->open[other];
    option o = {.end = see(look, node, face, 1), .side = 1, .thickness = carom_violation_look_thickness(look, body, other)};
    o.start = see(look, node, face, 0).height;
    if (two_sided && o.start < 0) {
        o.side = -1;
        o.start = -o.start;
    }
    o.thickness = carom_violation_look_kept(look, o.thickness, o.start);
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

static void note(carom_violation_look *look, int node, int body, const option *o, bool inside, bool strong, bool rivals) {
    const int *f = look->surface->faces[o->end.face];
    bool plane = look->surface->corners == 2;
    carom_violations *overlaps = look->overlaps;
    carom_violation_finding *findings =
        carom_grow(overlaps->findings, look->finding_count, &overlaps->finding_capacity, sizeof *findings);
    if (!findings) {
        look->failed = true;
        return;
    }
    overlaps->findings = findings;
    findings[look->finding_count++] = (carom_violation_finding){
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
        .strong = strong,
        .rivals = rivals,
    };
    carom_face_normal(look->surface, &look->way, 1, o->end.face, findings[look->finding_count - 1].pair.normal);
}

// ---- faces without an inside ----

static void look_by_way(carom_violation_look *look, int node, int body, const int *faces, int count) {
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
        note(look, node, body, found, true, true, false);
}

// ---- closed bodies ----

// How deep a node is inside a body at some time; 0: not at all.
static double depth_at(const carom_violation_look *look, int node, int other, double t) {
    double point[3];
    carom_way_place(&look->way, node, t, point);
    carom_sight sight = carom_sight_nearest(&look->overlaps->broad.tree, &look->way, t, point, other, look->tolerance);
    return sight.face >= 0 && sight.height < 0 && sight.distance > look->tolerance ? sight.distance : 0;
}

// Whether two faces look away from each other.
static bool are_opposite(const carom_violation_look *look, int f, int g) {
    double n[3], m[3];
    return carom_face_normal(look->surface, &look->way, 1, f, n) && carom_face_normal(look->surface, &look->way, 1, g, m) &&
           carom_dot(n, m) < -slant;
}

// Whether a node that has met faces of a body on its way was inside between two of these times. What only cuts a corner, at the rim of the face that it crosses first, has
// not passed.
static bool passes(const carom_violation_look *look, int node, const int *faces, int count, const option *first) {
    double times[TIMES + 1] = {first->time};
    int met[TIMES + 1] = {first->end.face}, known = 1, other = look->surface->body[faces[0]];
    double deep = rim * fmin(first->depth, look->overlaps->length);
    for (int i = 0; i < count; i++) {
        double time = meeting(look, node, faces[i]);
        if (!(time > first->time && time < 1))
            continue;
        int place = known < TIMES ? known++ : TIMES;
        for (; place > 0 && times[place - 1] > time; place--) {
            times[place] = times[place - 1];
            met[place] = met[place - 1];
        }
        times[place] = time;
        met[place] = faces[i];
    }
    for (int i = 0; i < known; i++) {
        bool last = i + 1 == known;
        double next = last ? 1 : times[i + 1];
        double depth = next > times[i] + same_time ? depth_at(look, node, other, 0.5 * (times[i] + next)) : 0;
        if (depth > 0 && (last || depth > deep || are_opposite(look, first->end.face, met[i + 1])))
            return true;
    }
    return false;
}

// Two faces of which one is no better than the other, at a convex edge or corner.
static bool are_rivals(const carom_violation_look *look, const option *a, const option *b) {
    double n[3], m[3], turn[3];
    if (fabs(a->depth - b->depth) > look->tolerance || !carom_face_normal(look->surface, &look->way, 1, a->end.face, n) ||
        !carom_face_normal(look->surface, &look->way, 1, b->end.face, m))
        return false;
    carom_cross(n, m, turn);
    if (carom_norm(turn) < smooth && carom_dot(n, m) > 0)
        return false;
    // no corner of the one is in front of the other
    for (int i = 0; i < look->surface->corners; i++)
        if (see(look, look->surface->faces[b->end.face][i], a->end.face, 1).height > look->tolerance ||
            see(look, look->surface->faces[a->end.face][i], b->end.face, 1).height > look->tolerance)
            return false;
    return true;
}

bool carom_violation_node_rises(const carom_violation_look *look, int node, int face) {
    const carom_surface *s = look->surface;
    double n[3], place[3];
    if (s->node_body[node] < 0)
        return true;
    carom_way_place(&look->way, node, 1, place);
    if (!carom_face_normal(s, &look->way, 1, face, n))
        return false;
    for (int i = s->node_faces_begin[node]; i < s->node_faces_begin[node + 1]; i++)
        for (int k = 0; k < s->corners; k++) {
            int next = s->faces[s->node_faces[i]][k];
            double side[3];
            if (next == node)
                continue;
            carom_way_place(&look->way, next, 1, side);
            carom_add_scaled(-1, place, side);
            if (carom_dot(n, side) < -lean * carom_norm(side))
                return false;
        }
    return true;
}

// Whether a node can have come in by a face: it was not behind it at x0, or, when it crossed the first face, at the rim of that face as seen from where it ends.
static bool is_way_in(const carom_violation_look *look, int node, int face, const option *first) {
    if (see(look, node, face, 0).height >= -look->touching)
        return true;
    return first->end.face >= 0 && see(look, node, face, first->time).height >= -rim * first->depth;
}

// Whether a node is behind a face, or too near to it, that its body rises from, and in space was clearly in front of it at x0.
static bool is_strong(const carom_violation_look *look, int node, const carom_sight *sight) {
    double high = fmax(look->touching, carom_violation_look_thickness(look, -1, look->surface->body[sight->face]));
    if (!(sight->height < high) || !carom_violation_node_rises(look, node, sight->face))
        return false;
    // what penalties press may have been behind the face before
    if (look->overlaps->def.soft && !(look->clearance > 0))
        return true;
    return see(look, node, sight->face, 0).height >= (look->clearance > 0 ? clear * look->clearance : -look->touching);
}

// Which faces are asked for.
typedef enum scope {
    ALL,
    STRONG,
    WAY_IN,
} scope;

// The face of a body that is nearest to a node at x1. `first` is the face that it crossed first.
static option find_nearest(const carom_violation_look *look, int node, int body, const int *faces, int count, scope asked,
                           const option *first) {
    option best = {.end = {.face = -1, .distance = HUGE_VAL}};
    double limit = -1;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < count; i++) {
            carom_sight sight = see(look, node, faces[i], 1);
            // what else is listed beyond half the reach depends on earlier ways
            if (!carom_sight_is_better(&sight, &best.end, limit) ||
                (asked != ALL && sight.distance > 0.5 * look->overlaps->reach) ||
                (asked == STRONG && !is_strong(look, node, &sight)) ||
                (asked == WAY_IN && !is_way_in(look, node, faces[i], first)))
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
static bool has_rival(const carom_violation_look *look, int node, int body, const int *faces, int count, const option *best) {
    for (int i = 0; i < count; i++) {
        carom_sight sight = see(look, node, faces[i], 1);
        double way[3];
        carom_difference(sight.foot, best->end.foot, way);
        if (sight.face == best->end.face || fabs(sight.distance - best->end.distance) > look->tolerance ||
            carom_norm(way) < 1e-3 * best->end.distance)
            continue;
        option other = look_at_face(look, node, body, faces[i]);
        if (look->overlaps->def.rule != CAROM_OVERLAP_CLOSEST && other.start < -look->touching)
            continue;
        if (are_rivals(look, best, &other))
            return true;
    }
    return false;
}

// Whether a face of a node's own body, a little away from the node, is inside another body at x1.
static bool reaches_in(const carom_violation_look *look, int node, int other) {
    const carom_surface *s = look->surface;
    if (node >= s->node_count || s->node_body[node] < 0)
        return false;
    for (int i = s->node_faces_begin[node]; i < s->node_faces_begin[node + 1]; i++) {
        const int *f = s->faces[s->node_faces[i]];
        double point[3], corner[3];
        carom_way_place(&look->way, node, 1, point);
        for (int c = 0; c < 3; c++)
            point[c] *= 1 - aside;
        for (int k = 0; k < s->corners; k++) {
            carom_way_place(&look->way, f[k], 1, corner);
            carom_add_scaled(aside / s->corners, corner, point);
        }
        carom_sight sight = carom_sight_nearest(&look->overlaps->broad.tree, &look->way, 1, point, other, look->tolerance);
        if (sight.face >= 0 && sight.height < 0 && sight.distance > look->tolerance)
            return true;
    }
    return false;
}

// For a node that ends on the border of a body: the face that it has gone behind along another one, as aligned corners do.
static option find_aligned(const carom_violation_look *look, int node, int body, const int *faces, int count) {
    option best = {.end.face = -1};
    for (int i = 0; i < count; i++) {
        option o = look_at_face(look, node, body, faces[i]);
        if (o.start >= -look->touching && o.end.height < -look->tolerance && o.end.over &&
            carom_violation_node_rises(look, node, faces[i]) && (best.end.face < 0 || o.depth < best.depth))
            best = o;
    }
    if (best.end.face >= 0 && !reaches_in(look, node, look->surface->body[faces[0]]))
        best.end.face = -1;
    return best;
}

static void look_at_closed(carom_violation_look *look, int node, int body, const int *faces, int count) {
    const carom_violations_def *def = &look->overlaps->def;
    int other = look->surface->body[faces[0]];
    option best = find_nearest(look, node, body, faces, count, ALL, NULL), first = {.end.face = -1};

    // what the way crosses
    for (int i = 0; i < count; i++) {
        if (see(look, node, faces[i], 1).height >= -look->tolerance)
            continue;
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
    if (!inside && !close && best.end.distance <= look->touching && look->surface->corners == 2) {
        option aligned = find_aligned(look, node, body, faces, count);
        if (aligned.end.face >= 0) {
            note(look, node, body, &aligned, true, true, false);
            return;
        }
    }
    if (def->rule == CAROM_OVERLAP_CLOSEST) {
        if (inside || close)
            note(look, node, body, &best, true, true, has_rival(look, node, body, faces, count, &best));
        return;
    }
    if (!inside && !close) {
        if (crossed && passes(look, node, faces, count, &first))
            note(look, node, body, &first, false, false, false);
        return;
    }
    option choice = find_nearest(look, node, body, faces, count, STRONG, &first);
    bool strong = choice.end.face >= 0 && choice.depth > look->tolerance;
    if (!strong && close)
        return;
    if (!strong)
        choice = find_nearest(look, node, body, faces, count, WAY_IN, &first);
    if (!(choice.end.face >= 0 && choice.depth > look->tolerance))
        choice = crossed ? first : best;
    note(look, node, body, &choice, true, strong, has_rival(look, node, body, faces, count, &choice));
}

void carom_violation_look_at_node(carom_violation_look *look, int node, int body, int *faces, int count) {
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
    const carom_violation_finding *p = a, *q = b;
    if (p->inside != q->inside)
        return p->inside ? -1 : 1;
    if (p->depth != q->depth)
        return p->depth > q->depth ? -1 : 1;
    if (p->pair.node[0] != q->pair.node[0])
        return p->pair.node[0] < q->pair.node[0] ? -1 : 1;
    return (p->pair.node[1] > q->pair.node[1]) - (p->pair.node[1] < q->pair.node[1]);
}

static bool is_busy(const carom_violation_look *look, int node) {
    return look->overlaps->busy[node] == look->overlaps->look;
}

// Whether what was paired explains a finding: a strong one by a node of the face that is not pushed the other way, another by any node around.
static bool is_explained(const carom_violation_look *look, const carom_violation_finding *f) {
    const carom_surface *s = look->surface;
    const carom_violations *o = look->overlaps;
    int node = f->pair.node[0];
    if (o->def.rule == CAROM_OVERLAP_CLOSEST)
        return false;
    for (int k = 1; k < f->pair.count; k++)
        if (is_busy(look, f->pair.node[k]) && (!f->strong || carom_dot(o->push[f->pair.node[k]], f->pair.normal) > -against))
            return true;
    if (f->strong)
        return false;
    if (is_busy(look, node))
        return true;
    for (int i = s->node_faces_begin[node]; s->node_body[node] >= 0 && i < s->node_faces_begin[node + 1]; i++)
        for (int k = 0; k < s->corners; k++)
            if (is_busy(look, s->faces[s->node_faces[i]][k]))
                return true;
    return false;
}

void carom_violation_look_decide(carom_violation_look *look, bool strong) {
    carom_violations *o = look->overlaps;
    if (look->finding_count)
        qsort(o->findings, (size_t)look->finding_count, sizeof *o->findings, compare);
    for (int i = 0; i < look->finding_count && !look->failed; i++) {
        carom_violation_finding *f = &o->findings[i];
        int node = f->pair.node[0];
        if (f->strong != strong || is_explained(look, f))
            continue;
        bool added = carom_violation_look_add(look, &f->pair);
        if (!carom_violation_look_waits(look, added, f->depth))
            continue;
        look->ambiguous += added && f->rivals;
        o->busy[node] = o->look;
        for (int c = 0; c < 3; c++)
            o->push[node][c] = f->pair.sign * f->pair.normal[c];
    }
}
