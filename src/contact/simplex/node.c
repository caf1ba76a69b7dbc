// SPDX-License-Identifier: MIT
// Finds the nodes that enter another body or pass through it, and the face with which each is paired (detection.h).
//
// A closed body has an inside: a node that ends there is violated. A node that ends outside may have passed
// through: its path meets faces, and between two of these times it was inside. For an open surface, and for
// the body of the node itself, the inside cannot decide, but only the path: a node that was in front of a
// face and ends behind it has crossed it if its projection was on the face when it passed through its plane.
// The same holds for closed shells, which are hollow, and for those both sides of a face count.
//
// If a tip is pressed into a floor and slides, nodes of the floor enter the body of the tip through its
// flanks. These nodes are inside, but their pairs with the flanks are not the contact. The support test
// distinguishes them: the floor supports the tip (the body of the tip rises from the floor all around its
// node), while a flank does not support the floor. Supported findings are paired first; the others only if
// neither nodes nor edges explain them (select.c).
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "contact/simplex/detection.h"
#include "math/vec3.h"

// Times of impact closer than this are equal: the accuracy of the root finder.
static const double same_time = 1e-12;
// Two faces are opposite if the cosine between their normals is below minus this. A heuristic:
// anything clearly beyond a right angle.
static const double opposite_cosine = 0.1;
// The rim of a face, in units of the depth behind it or of the shortest side: a path that stays within it
// cuts a corner and has not passed through. A heuristic.
static const double rim_part = 0.1;
// Faces whose normals differ by a smaller sine are one smooth surface: choosing between them is not
// ambiguous.
static const double smooth_sine = 1e-2;
// Distance from a node, as a fraction of a face, at which its faces are tested for being inside another body. A
// heuristic.
static const double sample_part = 1e-2;
// Sine of the angle (about 11 degrees) by which faces of a body may extend below a face that still supports it. A
// heuristic that tolerates curved surfaces.
static const double support_sine = 0.2;
// Height, in units of the clearance, from which on a node is clearly in front of a face at x0.
static const double clear_part = 0.5;
enum {
    SAMPLES = 16,    // intervals in which a path from a touching start is searched for its entry
    BISECTIONS = 50, // halvings of such an interval: down to rounding
    TIMES = 32       // times of impact kept for one path, the earliest ones
};

// A node and a face it may be paired with.
typedef struct pairing {
    carom_closest end; // at x1; face -1: none
    double start;      // height at x0, counted on the side where the node starts
    double depth;      // at x1, below the gap to be kept on that side
    int side;          // 1; for a face with two sides +1 or -1, where the node starts
    double time;       // at which the path crosses the face; HUGE_VAL: never
    bool touched;      // the node touches the plane of the face at x0
    double thickness;  // gap to be kept
} pairing;

// A node relative to a face at time t.
static carom_closest closest_at(const carom_detection *d, int node, int face, double t) {
    double point[3];
    carom_motion_position(&d->motion, node, t, point);
    return carom_closest_on_face(d->surface, &d->motion, t, point, face);
}

// Its height alone.
static double height_at(const carom_detection *d, int node, int face, double t) {
    double point[3];
    carom_motion_position(&d->motion, node, t, point);
    return carom_height_over_face(d->surface, &d->motion, t, point, face);
}

// Time of impact of a node on a face; HUGE_VAL if they do not meet.
static double hit_time(const carom_detection *d, int node, int face) {
    const int *f = d->surface->faces[face];
    return carom_detection_hit_time(d, d->surface->corners == 2 ? CAROM_NARROW_NODE_SEGMENT : CAROM_NARROW_NODE_FACE,
                                    (const int[4]){node, f[0], f[1], f[2]});
}

// The time at which a node that touches the plane of a face at x0 moves behind it, if its projection is on the face
// then; HUGE_VAL otherwise. The time of impact would always be 0, so the height is sampled and its
// change of sign bisected.
static double entry_time(const carom_detection *d, int node, int face, int side) {
    double above = 0, below = -1;
    for (int i = 1; i <= SAMPLES && below < 0; i++) {
        double t = (double)i / SAMPLES;
        if (side * height_at(d, node, face, t) < -d->tolerance)
            below = t;
        else
            above = t;
    }
    if (below < 0)
        return HUGE_VAL;
    for (int i = 0; i < BISECTIONS; i++) {
        double t = 0.5 * (above + below);
        if (side * height_at(d, node, face, t) < -d->tolerance)
            below = t;
        else
            above = t;
    }
    // a node that enters next to the face enters through another one
    return closest_at(d, node, face, below).over ? below : HUGE_VAL;
}

// Finds when the path of a node crosses a face from front to back.
static void find_crossing(const carom_detection *d, int node, pairing *o) {
    // at a two-sided face with a gap the side is known down to the tolerance
    bool two_sided = carom_violations_two_sided(&d->violations->def, d->surface->body[o->end.face]);
    double near = o->thickness > 0 && two_sided ? d->tolerance : d->touching;
    o->time = HUGE_VAL;
    o->touched = fabs(o->start) <= near;
    if (o->side * o->end.height >= -d->tolerance || o->start < -near)
        return;
    o->time = o->touched ? entry_time(d, node, o->end.face, o->side) : hit_time(d, node, o->end.face);
}

// Evaluates the pair of a node and a face: side, heights at both ends, depth and crossing. `end` is the node relative to the
// face at x1.
static pairing pair_from(const carom_detection *d, int node, int body, const carom_closest *end) {
    int other = d->surface->body[end->face];
    bool two_sided = carom_violations_two_sided(&d->violations->def, other);
    pairing o = {.end = *end, .side = 1, .thickness = carom_detection_thickness(d, body, other)};
    o.start = height_at(d, node, end->face, 0);
    if (two_sided && o.start < 0) {
        o.side = -1;
        o.start = -o.start;
    }
    o.thickness = carom_detection_kept_gap(d, o.thickness, o.start);
    o.depth = o.thickness - o.side * o.end.height;
    find_crossing(d, node, &o);
    return o;
}

static pairing pair_with(const carom_detection *d, int node, int body, int face) {
    carom_closest end = closest_at(d, node, face, 1);
    return pair_from(d, node, body, &end);
}

// True for the face crossed first; at equal times for the one with the smaller depth, which is the smaller correction.
static bool is_earlier(const pairing *a, const pairing *than) {
    if (than->end.face < 0 || a->time < than->time - same_time)
        return true;
    return a->time <= than->time + same_time && (a->depth < than->depth || (a->depth == than->depth && a->time < than->time));
}

// Appends a finding.
static void record(const carom_detection *d, carom_violation_part *part, int node, int body, const pairing *o, bool inside,
                   bool supported, bool ambiguous) {
    const int *f = d->surface->faces[o->end.face];
    bool plane = d->surface->corners == 2;
    carom_violation_finding finding = {
        .pair =
            {
                .kind = plane ? CAROM_CONTACT_NODE_SEGMENT : CAROM_CONTACT_NODE_FACE,
                .count = plane ? 3 : 4,
                .node = {node, f[0], f[1], f[2]},
                .sign = o->side,
                .thickness = o->thickness,
                .body = {body, d->surface->body[o->end.face]},
            },
        .depth = o->depth,
        .inside = inside,
        .supported = supported,
        .ambiguous = ambiguous,
    };
    carom_face_normal(d->surface, &d->motion, 1, o->end.face, finding.pair.normal);
    part->failed = !carom_append(&part->findings, &part->finding_count, &part->finding_capacity, &finding, sizeof finding);
}

// Depth of a node inside a closed body at time t; 0 if it is outside.
static double depth_at(const carom_detection *d, int node, int other, double t) {
    double point[3];
    carom_motion_position(&d->motion, node, t, point);
    return carom_detection_depth_inside(d, t, point, other);
}

// True if two faces have opposite normals, like the two sides of a plate.
static bool are_opposite(const carom_detection *d, int f, int g) {
    double n[3], m[3];
    return carom_face_normal(d->surface, &d->motion, 1, f, n) && carom_face_normal(d->surface, &d->motion, 1, g, m) &&
           carom_dot(n, m) < -opposite_cosine;
}

// True if a node that ends outside was inside the body between two times of impact. A path that only cuts a
// corner, within the rim of the first face, does not count unless it leaves through an opposite face.
static bool passes_through(const carom_detection *d, int node, const int *faces, int count, const pairing *first) {
    double times[TIMES + 1] = {first->time};
    int faces_hit[TIMES + 1] = {first->end.face}, known = 1, other = d->surface->body[faces[0]];
    double deep_enough = rim_part * fmin(first->depth, d->violations->length);
    for (int i = 0; i < count; i++) {
        double time = hit_time(d, node, faces[i]);
        if (!(time > first->time && time < 1))
            continue;
        // insertion sort by time; the latest one is dropped if there are too many
        int place = known < TIMES ? known++ : TIMES;
        for (; place > 0 && times[place - 1] > time; place--) {
            times[place] = times[place - 1];
            faces_hit[place] = faces_hit[place - 1];
        }
        times[place] = time;
        faces_hit[place] = faces[i];
    }
    for (int i = 0; i < known; i++) {
        // tested in the middle of each interval between impacts
        bool last = i + 1 == known;
        double next = last ? 1 : times[i + 1];
        double depth = next > times[i] + same_time ? depth_at(d, node, other, 0.5 * (times[i] + next)) : 0;
        if (depth > 0 && (last || depth > deep_enough || are_opposite(d, first->end.face, faces_hit[i + 1])))
            return true;
    }
    return false;
}

// True if two faces at a convex edge or corner are equally good: equal depths, different normals, and no
// corner of one in front of the other.
static bool are_equivalent(const carom_detection *d, const pairing *a, const pairing *b) {
    double n[3], m[3], turn[3];
    if (fabs(a->depth - b->depth) > d->tolerance || !carom_face_normal(d->surface, &d->motion, 1, a->end.face, n) ||
        !carom_face_normal(d->surface, &d->motion, 1, b->end.face, m))
        return false;
    carom_cross(n, m, turn);
    if (carom_norm(turn) < smooth_sine && carom_dot(n, m) > 0)
        return false;
    for (int i = 0; i < d->surface->corners; i++)
        if (height_at(d, d->surface->faces[b->end.face][i], a->end.face, 1) > d->tolerance ||
            height_at(d, d->surface->faces[a->end.face][i], b->end.face, 1) > d->tolerance)
            return false;
    return true;
}

bool carom_detection_supports_node(const carom_detection *d, int node, int face) {
    const carom_surface *s = d->surface;
    double n[3], place[3];
    // a point mass has no faces
    if (s->node_body[node] < 0)
        return true;
    carom_motion_position(&d->motion, node, 1, place);
    if (!carom_face_normal(s, &d->motion, 1, face, n))
        return false;
    for (int i = s->node_faces_begin[node]; i < s->node_faces_begin[node + 1]; i++)
        for (int k = 0; k < s->corners; k++) {
            // every neighbour must lie above the plane through the node, up to support_sine
            int next = s->faces[s->node_faces[i]][k];
            double side[3];
            if (next == node)
                continue;
            carom_motion_position(&d->motion, next, 1, side);
            carom_add_scaled(-1, place, side);
            if (carom_dot(n, side) < -support_sine * carom_norm(side))
                return false;
        }
    return true;
}

// True if a node can have entered through a face: it was not behind it at x0, or it was not deeper than the
// rim behind it when it crossed its first face.
static bool is_entry(const carom_detection *d, int node, int face, const pairing *first) {
    if (height_at(d, node, face, 0) >= -d->touching)
        return true;
    return first->end.face >= 0 && height_at(d, node, face, first->time) >= -rim_part * first->depth;
}

// True if the node is behind a face, or too near to it, that supports its body, and was in front of it at
// x0. In space it must have been clearly in front, which the clearance guarantees for every real contact.
static bool is_supported(const carom_detection *d, int node, const carom_closest *closest) {
    double high = fmax(d->touching, carom_detection_thickness(d, -1, d->surface->body[closest->face]));
    if (!(closest->height < high) || !carom_detection_supports_node(d, node, closest->face))
        return false;
    // penalties: the node may have been behind the face before
    if (d->violations->def.soft && !(d->clearance > 0))
        return true;
    return height_at(d, node, closest->face, 0) >= (d->clearance > 0 ? clear_part * d->clearance : -d->touching);
}

// Which faces are candidates for the closest one.
typedef enum scope {
    ALL,       // every face of the body
    SUPPORTED, // those that support the body of the node
    ENTRY,     // those through which the node can have entered
} scope;

// The closest face of a body at x1 within a scope; two passes as in closest.c. `ends` is the node relative to each face,
// `first` the face that was crossed first.
static pairing find_nearest(const carom_detection *d, int node, int body, const carom_closest *ends, int count, scope asked,
                            const pairing *first) {
    pairing best = {.end = {.face = -1, .distance = HUGE_VAL}};
    double limit = -1;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < count; i++) {
            const carom_closest *closest = &ends[i];
            // beyond half the margin the list may depend on earlier motions
            if (!carom_closest_is_better(closest, &best.end, limit) ||
                (asked != ALL && closest->distance > 0.5 * d->violations->margin) ||
                (asked == SUPPORTED && !is_supported(d, node, closest)) ||
                (asked == ENTRY && !is_entry(d, node, closest->face, first)))
                continue;
            best.end = *closest;
        }
        limit = best.end.distance + d->tolerance;
    }
    if (best.end.face >= 0)
        best = pair_from(d, node, body, &best.end);
    return best;
}

// True if another face is equally near at a different point; with the rule CROSSED only if the node
// was not behind it at x0.
static bool has_equivalent(const carom_detection *d, int node, int body, const carom_closest *ends, int count,
                           const pairing *best) {
    for (int i = 0; i < count; i++) {
        double offset[3];
        carom_difference(ends[i].foot, best->end.foot, offset);
        // feet this close are one point of a common edge or corner
        if (ends[i].face == best->end.face || fabs(ends[i].distance - best->end.distance) > d->tolerance ||
            carom_norm(offset) < 1e-3 * best->end.distance)
            continue;
        pairing other = pair_from(d, node, body, &ends[i]);
        if (d->violations->def.rule != CAROM_VIOLATION_CLOSEST && other.start < -d->touching)
            continue;
        if (are_equivalent(d, best, &other))
            return true;
    }
    return false;
}

// True if a face of the node's own body, at a small distance from the node, is inside another body at x1.
static bool protrudes_into(const carom_detection *d, int node, int other) {
    const carom_surface *s = d->surface;
    if (node >= s->node_count || s->node_body[node] < 0)
        return false;
    for (int i = s->node_faces_begin[node]; i < s->node_faces_begin[node + 1]; i++) {
        const int *f = s->faces[s->node_faces[i]];
        double point[3], corner[3];
        carom_motion_position(&d->motion, node, 1, point);
        for (int c = 0; c < 3; c++)
            point[c] *= 1 - sample_part;
        for (int k = 0; k < s->corners; k++) {
            carom_motion_position(&d->motion, f[k], 1, corner);
            carom_add_scaled(sample_part / s->corners, corner, point);
        }
        if (carom_detection_depth_inside(d, 1, point, other) > 0)
            return true;
    }
    return false;
}

// For a node that ends on the border of a body: the face behind which it has moved while sliding along another face, as
// happens if corners are aligned. The node itself is not inside, but its body is.
static pairing find_aligned(const carom_detection *d, int node, int body, const carom_closest *ends, int count) {
    pairing best = {.end.face = -1};
    for (int i = 0; i < count; i++) {
        pairing o = pair_from(d, node, body, &ends[i]);
        if (o.start >= -d->touching && o.end.height < -d->tolerance && o.end.over &&
            carom_detection_supports_node(d, node, ends[i].face) && (best.end.face < 0 || o.depth < best.depth))
            best = o;
    }
    if (best.end.face >= 0 && !protrudes_into(d, node, d->surface->body[ends[0].face]))
        best.end.face = -1;
    return best;
}

// The node relative to each of its faces at x1, which is used several times; NULL if memory is short.
static const carom_closest *find_ends(const carom_detection *d, carom_violation_part *part, int node, const int *faces,
                                      int count) {
    part->failed = part->failed || !carom_ensure_capacity(&part->ends, &part->end_capacity, count, sizeof *part->ends);
    for (int i = 0; i < count && !part->failed; i++)
        part->ends[i] = closest_at(d, node, faces[i], 1);
    return part->failed ? NULL : part->ends;
}

// The face that the path of a node crosses first; face -1: none.
static pairing find_first(const carom_detection *d, int node, int body, const carom_closest *ends, int count) {
    pairing first = {.end.face = -1};
    for (int i = 0; i < count; i++) {
        if (ends[i].height >= -d->tolerance)
            continue;
        pairing o = pair_from(d, node, body, &ends[i]);
        if (isfinite(o.time) && is_earlier(&o, &first))
            first = o;
    }
    return first;
}

// A path may cross a face and end in front of its plane, beyond its sides, for example near a crease of a shell. Then it ends
// behind the closest face, in front of which it began. Face -1: it has not passed.
static pairing find_passed(const carom_detection *d, carom_violation_part *part, int node, int body, const int *faces,
                           int count) {
    pairing none = {.end.face = -1};
    const carom_closest *ends = find_ends(d, part, node, faces, count);
    pairing o = ends ? find_nearest(d, node, body, ends, count, ALL, NULL) : none;
    if (o.end.face < 0 || o.start <= d->tolerance || o.side * o.end.height >= -d->tolerance)
        return none;
    for (int i = 0; i < count; i++)
        if (o.side * height_at(d, node, faces[i], 0) > 0 && isfinite(hit_time(d, node, faces[i])))
            return o;
    return none;
}

// Faces without an inside: the first face that the path crosses, otherwise the face that the node
// approaches most below the gap to be kept.
static void check_by_path(const carom_detection *d, carom_violation_part *part, int node, int body, const int *faces,
                          int count) {
    pairing first = {.end.face = -1}, close = {.end.face = -1};
    for (int i = 0; i < count; i++) {
        pairing o = pair_with(d, node, body, faces[i]);
        if (!(o.depth > d->tolerance))
            continue;
        if (isfinite(o.time)) {
            if (is_earlier(&o, &first))
                first = o;
        } else if (o.thickness > 0 && o.start > d->tolerance && o.depth <= o.thickness + d->tolerance && o.end.over &&
                   (close.end.face < 0 || o.depth > close.depth)) {
            close = o;
        }
    }
    const pairing *found = first.end.face >= 0 ? &first : &close;
    pairing passed = {.end.face = -1};
    if (found->end.face < 0) {
        passed = find_passed(d, part, node, body, faces, count);
        found = &passed;
    }
    if (found->end.face >= 0)
        record(d, part, node, body, found, true, true, false);
}

// Checks a node against a closed body. `best` is the closest face of all, `first` the face that the path crosses first.
static void check_closed(const carom_detection *d, carom_violation_part *part, int node, int body, const int *faces,
                         int count) {
    const carom_violations_def *def = &d->violations->def;
    int other = d->surface->body[faces[0]];
    const carom_closest *ends = find_ends(d, part, node, faces, count);
    if (!ends)
        return;
    pairing best = find_nearest(d, node, body, ends, count, ALL, NULL), first = find_first(d, node, body, ends, count);

    bool crossed = first.end.face >= 0;
    // beyond half the margin a nearer face may be missing in the list: search the whole body, if the node can be
    // inside at all
    if (best.end.distance > 0.5 * d->violations->margin) {
        if (!crossed && !def->soft)
            return;
        double point[3];
        carom_motion_position(&d->motion, node, 1, point);
        carom_closest closest = carom_closest_on_body(&d->violations->broad.tree, &d->motion, 1, point, other, d->tolerance);
        best = pair_with(d, node, body, closest.face);
    }
    // inside the body, or outside but closer than the gap to be kept
    bool inside = best.end.height < 0 && best.end.distance > d->tolerance;
    bool close = best.end.height >= 0 && best.end.over && best.depth > d->tolerance;
    if (!inside && !close && best.end.distance <= d->touching && d->surface->corners == 2) {
        pairing aligned = find_aligned(d, node, body, ends, count);
        if (aligned.end.face >= 0) {
            record(d, part, node, body, &aligned, true, true, false);
            return;
        }
    }
    // the rule of the paper: the closest face, whatever the path
    if (def->rule == CAROM_VIOLATION_CLOSEST) {
        if (inside || close)
            record(d, part, node, body, &best, true, true, has_equivalent(d, node, body, ends, count, &best));
        return;
    }
    if (!inside && !close) {
        if (crossed && passes_through(d, node, faces, count, &first))
            record(d, part, node, body, &first, false, false, false);
        return;
    }
    // the closest face that supports the node; else the closest one through which it entered; else the
    // first one crossed
    pairing choice = find_nearest(d, node, body, ends, count, SUPPORTED, &first);
    bool supported = choice.end.face >= 0 && choice.depth > d->tolerance;
    // a node outside needs a pair only if its body rests on the face
    if (!supported && close)
        return;
    if (!supported)
        choice = find_nearest(d, node, body, ends, count, ENTRY, &first);
    if (!(choice.end.face >= 0 && choice.depth > d->tolerance))
        choice = crossed ? first : best;
    record(d, part, node, body, &choice, true, supported, has_equivalent(d, node, body, ends, count, &choice));
}

void carom_detection_check_node(const carom_detection *d, carom_violation_part *part, int node, int body, int count) {
    const carom_surface *surface = d->surface;
    int *faces = part->nearby;
    // group the faces by body, keeping their order
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && surface->body[faces[j]] < surface->body[faces[j - 1]]; j--) {
            int face = faces[j];
            faces[j] = faces[j - 1];
            faces[j - 1] = face;
        }
    for (int begin = 0, end; begin < count && !part->failed; begin = end) {
        int other = surface->body[faces[begin]];
        for (end = begin; end < count && surface->body[faces[end]] == other; end++)
            continue;
        if (other == body || carom_violations_two_sided(&d->violations->def, other))
            check_by_path(d, part, node, body, faces + begin, end - begin);
        else
            check_closed(d, part, node, body, faces + begin, end - begin);
    }
}
