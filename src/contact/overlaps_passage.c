// SPDX-License-Identifier: MIT
// Pairs of features of surfaces in space that come too near on their way.
//
// Surfaces keep a clearance, some 1e-8 of their shortest side: so a configuration that a step starts from is strictly admissible, sides are known, and who meets whom on a straight
// way is decided by the narrow phase alone. All pairs of a node and a face and of two edges whose distance falls below half of the clearance are violated. Such a pair becomes a
// constraint if its measure tells the side it was on at the start and is violated at the end. What comes later may be a consequence of what comes first:
//
// - a node is paired with the face that it meets first;
// - it waits if it meets a face one of whose nodes meets something clearly earlier, or if it is itself a node of a face that is met clearly earlier;
// - edges wait until none of their nodes is paired in the same look, and are then paired with the edge that they meet first, if that is so of both.
//
// The earliest pair never waits. If something is violated and nothing can be paired, the way is too long.
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "contact/narrow.h"
#include "contact/overlaps_look.h"
#include "math/vec3.h"

// Times of a way that are clearly earlier; the sine of edges that are parallel.
static const double clearly = 0.05, parallel = 1e-3;

// A pair that comes too near.
typedef struct carom_passage {
    carom_simplex pair;
    int feature[2];
    double time;  // of the way
    double depth; // at its end
} carom_passage;

static carom_simplex pair_of(const carom_overlap_look *look, int p) {
    const carom_pair_list *pairs = &look->overlaps->broad.pairs;
    bool edges = p >= pairs->node_pair_count;
    carom_simplex pair = {.kind = edges ? CAROM_CONTACT_EDGE_EDGE : CAROM_CONTACT_NODE_FACE, .count = 4, .sign = 1};
    for (int k = 0; k < 4; k++)
        pair.node[k] = pairs->nodes[p][k];
    pair.body[0] = look->surface->node_body[pair.node[0]];
    pair.body[1] = look->surface->node_body[pair.node[3]];
    return pair;
}

// When the features come nearer than `level`; HUGE_VAL: they do not.
static double time_of(const carom_overlap_look *look, const carom_simplex *pair, double level) {
    double x[4][3], v[4][3], time;
    for (int k = 0; k < 4; k++) {
        carom_difference(look->way.x0[pair->node[k]], look->way.x0[pair->node[0]], x[k]);
        for (int i = 0; i < 3; i++)
            v[k][i] = (look->way.x1[pair->node[k]][i] - look->way.x0[pair->node[k]][i]) -
                      (look->way.x1[pair->node[0]][i] - look->way.x0[pair->node[0]][i]);
    }
    carom_narrow_kind kind = pair->kind == CAROM_CONTACT_EDGE_EDGE ? CAROM_NARROW_EDGE_EDGE : CAROM_NARROW_NODE_FACE;
    const double(*a)[3] = (const double(*)[3])x, (*b)[3] = (const double(*)[3])v;
    if (!carom_narrow_boxes_meet(kind, a, b, 0, 1, level) || !carom_narrow_level(kind, a, b, 0, 1, level, &time))
        return HUGE_VAL;
    return time;
}

// The sine of the angle of two edges.
static double sine_of(const carom_simplex *pair, const double (*x)[3]) {
    double a[3], b[3];
    carom_difference(x[pair->node[1]], x[pair->node[0]], a);
    carom_difference(x[pair->node[3]], x[pair->node[2]], b);
    return carom_simplex_size(pair, x) / (carom_norm(a) * carom_norm(b));
}

// Makes a constraint of a pair that is violated; false if it cannot be one. `room` is the distance that is kept.
static bool constrain(const carom_overlap_look *look, carom_simplex *pair, double room, double *depth) {
    bool edges = pair->kind == CAROM_CONTACT_EDGE_EDGE, two_sided = edges || look->surface->open[pair->body[1]];
    double clearance = look->overlaps->clearance;
    if (edges && (sine_of(pair, look->way.x0) < parallel || sine_of(pair, look->way.x1) < parallel))
        return false;
    if (!(carom_simplex_size(pair, look->way.x0) > 0) || !(carom_simplex_size(pair, look->way.x1) > 0))
        return false;
    double start = carom_simplex_measure(pair, look->way.x0, NULL) / carom_simplex_size(pair, look->way.x0);
    if (two_sided && start < 0) {
        pair->sign = -1;
        start = -start;
    }
    // what touches from the start is not pushed apart, and where there are two sides it has none
    if (start < 0.25 * clearance && (two_sided || start < -look->tolerance))
        return false;
    pair->thickness = start < 0.25 * clearance ? fmax(start, 0) : fmin(room, fmax(start, clearance));
    *depth = -carom_simplex_measure(pair, look->way.x1, NULL) / carom_simplex_size(pair, look->way.x1);
    return *depth > look->tolerance;
}

static bool keep(carom_overlaps *o, int count, const carom_passage *passage) {
    carom_passage *items = carom_grow(o->passages, count, &o->passage_capacity, sizeof *items);
    if (!items)
        return false;
    o->passages = items;
    items[count] = *passage;
    return true;
}

// Lists the pairs that can be constraints; *open counts all that are violated.
static int find(carom_overlap_look *look, int *open) {
    carom_overlaps *o = look->overlaps;
    const carom_pair_list *pairs = &o->broad.pairs;
    int count = 0;
    *open = 0;
    for (int p = 0; p < pairs->count && !look->failed; p++) {
        carom_passage passage = {.pair = pair_of(look, p), .feature = {pairs->features[p][0], pairs->features[p][1]}};
        carom_simplex *pair = &passage.pair;
        if (carom_overlap_are_held(&o->def, pair->body[0], pair->body[1]) || carom_overlap_set_find(look->set, pair) >= 0)
            continue;
        double room = (pair->body[0] == pair->body[1] ? 0 : o->def.thickness) + o->clearance;
        passage.time = time_of(look, pair, room - 0.5 * o->clearance);
        if (passage.time == HUGE_VAL)
            continue;
        bool able = constrain(look, pair, room, &passage.depth);
        // pairs that touch along the whole way and do not go in
        if (!able && passage.time == 0)
            continue;
        ++*open;
        if (able)
            look->failed = !keep(o, count++, &passage);
    }
    return count;
}

static bool is_edges(const carom_passage *passage) {
    return passage->pair.kind == CAROM_CONTACT_EDGE_EDGE;
}

// Notes when each node first meets a face, and when it is first of a face that is met.
static void note_times(carom_overlap_look *look, int count) {
    carom_overlaps *o = look->overlaps;
    for (int v = 0; v < look->surface->vertex_count; v++)
        o->meets[look->surface->vertices[v]][0] = o->meets[look->surface->vertices[v]][1] = HUGE_VAL;
    for (int i = 0; i < count; i++) {
        const carom_passage *q = &o->passages[i];
        for (int k = 0; k < 4 && !is_edges(q); k++) {
            double *first = &o->meets[q->pair.node[k]][k > 0];
            *first = fmin(*first, q->time);
        }
    }
}

static bool waits(const carom_overlaps *o, const carom_passage *q) {
    bool later = o->meets[q->pair.node[0]][1] < q->time - clearly;
    for (int k = 1; k < 4; k++)
        later = later || o->meets[q->pair.node[k]][0] < q->time - clearly;
    return later;
}

// Earliest first; what is not so deep first where times are equal.
static int by_time(const void *a, const void *b) {
    const carom_passage *p = a, *q = b;
    if (fabs(p->time - q->time) > 1e-9)
        return p->time < q->time ? -1 : 1;
    if (p->depth != q->depth)
        return p->depth < q->depth ? -1 : 1;
    return p->feature[0] != q->feature[0] ? (p->feature[0] > q->feature[0] ? 1 : -1) : (p->feature[1] > q->feature[1] ? 1 : -1);
}

bool carom_overlap_look_at_passages(carom_overlap_look *look) {
    carom_overlaps *o = look->overlaps;
    int open, count = find(look, &open), before = look->added;
    if (look->failed || count == 0)
        return open == 0;
    note_times(look, count);
    qsort(o->passages, (size_t)count, sizeof *o->passages, by_time);
    // busy: paired in this look, as a node of its own (odd) or of a face
    for (int i = 0; i < count; i++) {
        const carom_passage *q = &o->passages[i];
        if (is_edges(q) || o->slave[q->pair.node[0]] == o->look || waits(o, q))
            continue;
        o->slave[q->pair.node[0]] = o->look;
        for (int k = 0; k < 4; k++)
            o->busy[q->pair.node[k]] = o->look;
        carom_overlap_look_add(look, &q->pair);
    }
    for (int i = 0; i < count; i++) {
        const carom_passage *q = &o->passages[i];
        bool busy = !is_edges(q) || o->taken[q->feature[0]] == o->look || o->taken[q->feature[1]] == o->look;
        for (int k = 0; k < 4; k++)
            busy = busy || o->busy[q->pair.node[k]] == o->look;
        if (busy)
            continue;
        o->taken[q->feature[0]] = o->taken[q->feature[1]] = o->look;
        carom_overlap_look_add(look, &q->pair);
    }
    return look->added > before;
}
