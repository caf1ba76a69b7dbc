// SPDX-License-Identifier: MIT
// Finds the node that has penetrated deepest into another body (passed.h). Surfaces intersect if a corner penetrates slightly,
// or if one body passes through another. The distance of an enclosed node from the surface distinguishes these cases.
//
// The deepest node need not belong to a face that intersects: its neighbours may be inside as well, or its whole body. So all
// nodes are examined of bodies that intersect, or of which the box of one lies in that of the other. A node deeper than d is
// farther than d from the sides of the box around the surface, and has no face within d of it; this excludes nearly all nodes
// before the solid angle decides which side they are on.
#include "contact/pairs/passed.h"

#include <math.h>
#include <string.h>

#include "base/allocate.h"
#include "base/sort.h"
#include "contact/narrow/narrow.h"
#include "contact/pairs/inside.h"
#include "math/vec3.h"

// A search for the deepest node. Scratch memory is in an arena.
typedef struct search {
    const carom_audit *audit;
    const double *length; // per body
    const double (*x)[3];
    carom_passed *passed;
    double (*low)[3], (*high)[3];       // per body: the box around its surface
    int *begin, (*nodes)[2];            // per body: its vertices are nodes[begin[b]][1] to before that of b + 1
    int *partner_begin, (*partners)[2]; // per body: similarly, the bodies with which it intersects, with repetitions
    int *seen;                          // per body: the last one, plus one, that was examined with it
    signed char *side;                  // per node: 1 inside the body, -1 outside; 0: not known
} search;

// A node near a body: its distance from the faces visited, and the distance that decides.
typedef struct probe {
    const search *s;
    const double *point;
    double measure;
} probe;

// The distance of a point from a face.
static double distance_from_face(const carom_surface *s, int face, const double (*x)[3], const double point[3]) {
    carom_narrow_kind kind = s->corners == 2 ? CAROM_NARROW_NODE_SEGMENT : CAROM_NARROW_NODE_FACE;
    double y[4][3];
    carom_copy(point, y[0]);
    for (int i = 0; i < s->corners; i++)
        carom_copy(x[s->faces[face][i]], y[1 + i]);
    carom_nearest nearest;
    carom_narrow_nearest(kind, (carom_const_vectors)y, NULL, &nearest);
    return nearest.distance;
}

// The distance of a point from the surface of a body.
static double distance_from(const carom_surface *s, int body, const double (*x)[3], const double point[3]) {
    double least = HUGE_VAL;
    for (int f = 0; f < s->full_count; f++)
        if (s->body[f] == body)
            least = fmin(least, distance_from_face(s, f, x, point));
    return least;
}

// True if a face is so near that the node is not deeper than the deepest one so far.
static bool is_shallow(void *context, int face) {
    const probe *at = context;
    const carom_surface *s = at->s->audit->surface;
    return face < s->full_count && !(distance_from_face(s, face, at->s->x, at->point) / at->measure > at->s->passed->part);
}

// True if the body, if it encloses the node, does so deeper than any before it.
static bool may_be_deepest(const search *s, int node, int body, double measure) {
    double part = s->passed->part;
    const double *point = s->x[node];
    for (int i = 0; i < s->audit->surface->corners; i++)
        if (!(fmin(point[i] - s->low[body][i], s->high[body][i] - point[i]) / measure > part))
            return false;
    return !carom_tree_find_near(&s->audit->tree, body, point, part * measure, is_shallow, &(probe){s, point, measure});
}

// The side of the body on which a node is, from which all its faces are farther than `reach`. That of a neighbour of the same
// kind, nearer than twice as much, is the same, since no face meets the edge between them.
static signed char side_of(const search *s, int node, int body, double reach) {
    const carom_surface *surface = s->audit->surface;
    for (int i = surface->node_faces_begin[node]; i < surface->node_faces_begin[node + 1]; i++)
        for (int k = 0; k < 3; k++) {
            int next = surface->faces[surface->node_faces[i]][k];
            double edge[3];
            carom_difference(s->x[next], s->x[node], edge);
            if (s->side[next] && carom_norm(edge) < 2 * reach)
                return s->side[next];
        }
    return carom_surface_encloses(surface, body, s->x, s->x[node]) ? 1 : -1;
}

// Updates `passed` by the nodes of a body inside another one.
static void examine(search *s, int own, int body) {
    const carom_audit *audit = s->audit;
    if (own == body || audit->surface->open[body] || !audit->filled[body] || s->seen[body] == own + 1 ||
        carom_audit_are_immovable(audit, own, body) || carom_exclusions_between(audit->exclusions, own, body))
        return;
    s->seen[body] = own + 1;
    double measure = fmin(s->length[own], s->length[body]), least = s->passed->part * measure;
    for (int i = s->begin[own]; i < s->begin[own + 1]; i++) {
        int node = s->nodes[i][1];
        if (!may_be_deepest(s, node, body, measure))
            continue;
        s->side[node] = side_of(s, node, body, least);
        double depth = s->side[node] > 0 ? distance_from(audit->surface, body, s->x, s->x[node]) : 0;
        if (depth / measure > s->passed->part)
            *s->passed = (carom_passed){depth, node, body, depth / measure};
    }
    for (int i = s->begin[own]; i < s->begin[own + 1]; i++)
        s->side[s->nodes[i][1]] = 0;
}

// Lists the vertices of each body, and the boxes around them.
static bool list_vertices(search *s, carom_arena *memory) {
    const carom_surface *f = s->audit->surface;
    bool enough = true;
    int(*all)[2] = carom_arena_reserve(memory, f->vertex_count, sizeof *all, &enough);
    s->nodes = carom_arena_reserve(memory, f->vertex_count, sizeof *s->nodes, &enough);
    s->begin = carom_arena_reserve(memory, (int64_t)f->body_count + 1, sizeof *s->begin, &enough);
    s->low = carom_arena_reserve(memory, f->body_count, sizeof *s->low, &enough);
    s->high = carom_arena_reserve(memory, f->body_count, sizeof *s->high, &enough);
    s->seen = carom_arena_reserve(memory, f->body_count, sizeof *s->seen, &enough);
    s->side = carom_arena_reserve(memory, f->node_count, sizeof *s->side, &enough);
    for (int b = 0; b < f->body_count && enough; b++)
        for (int i = 0; i < 3; i++) {
            s->low[b][i] = HUGE_VAL;
            s->high[b][i] = -HUGE_VAL;
        }
    for (int v = 0; v < f->vertex_count && enough; v++) {
        int k = f->vertices[v], b = f->node_body[k];
        all[v][0] = b;
        all[v][1] = k;
        for (int i = 0; i < 3; i++) {
            s->low[b][i] = fmin(s->low[b][i], s->x[k][i]);
            s->high[b][i] = fmax(s->high[b][i], s->x[k][i]);
        }
    }
    if (enough)
        carom_sort_pairs((const int(*)[2])all, f->vertex_count, f->body_count, s->begin, s->nodes);
    return enough;
}

// Lists the bodies with which each intersects.
static bool list_partners(search *s, carom_arena *memory) {
    const carom_audit *audit = s->audit;
    const carom_surface *f = audit->surface;
    bool enough = true;
    int(*all)[2] = carom_arena_reserve(memory, 2 * audit->crossings.count, sizeof *all, &enough), count = 0;
    s->partners = carom_arena_reserve(memory, 2 * audit->crossings.count, sizeof *s->partners, &enough);
    s->partner_begin = carom_arena_reserve(memory, (int64_t)f->body_count + 1, sizeof *s->partner_begin, &enough);
    for (int64_t i = 0; i < audit->crossings.count && enough; i++)
        for (int side = 0; side < 2; side++) {
            int own = f->body[audit->crossings.pairs[i][side]], other = f->body[audit->crossings.pairs[i][!side]];
            all[count][0] = own;
            all[count][1] = other;
            count += own != other;
        }
    if (enough)
        carom_sort_pairs((const int(*)[2])all, count, f->body_count, s->partner_begin, s->partners);
    return enough;
}

// True if the box around a body lies in that around another one.
static bool is_boxed(const search *s, int own, int body) {
    for (int i = 0; i < s->audit->surface->corners; i++)
        if (!(s->low[body][i] < s->low[own][i] && s->high[own][i] < s->high[body][i]))
            return false;
    return true;
}

// Examines bodies in the boxes of others, by a sweep along x. False if memory is short.
static bool examine_boxed(search *s, carom_arena *memory) {
    int count = s->audit->surface->body_count;
    bool enough = true;
    carom_located *order = carom_arena_reserve(memory, count, sizeof *order, &enough);
    for (int b = 0; b < count && enough; b++)
        order[b] = (carom_located){s->low[b][0], b};
    if (enough)
        carom_sort_located(order, count);
    for (int i = 0; i < count && enough; i++)
        for (int j = i + 1; j < count && order[j].at < s->high[order[i].item][0]; j++)
            if (is_boxed(s, order[j].item, order[i].item))
                examine(s, order[j].item, order[i].item);
    return enough;
}

carom_status carom_surface_passed(const carom_audit *audit, const double *length, double beyond, const double (*x)[3],
                                  carom_passed *passed, carom_error *error) {
    const carom_surface *f = audit->surface;
    *passed = (carom_passed){.node = -1, .body = -1, .part = beyond};
    if (!audit->filled)
        return CAROM_OK;
    search s = {.audit = audit, .length = length, .x = x, .passed = passed};
    carom_arena *memory = carom_arena_create();
    bool enough = memory && list_vertices(&s, memory) && list_partners(&s, memory);
    for (int own = 0; own < f->body_count && enough; own++) {
        for (int i = s.partner_begin[own]; i < s.partner_begin[own + 1]; i++)
            examine(&s, own, s.partners[i][1]);
        // a bar or a point mass inside a body does not intersect its faces
        for (int body = 0; f->thin[own] && body < f->body_count; body++)
            if (!f->thin[body])
                examine(&s, own, body);
    }
    enough = enough && examine_boxed(&s, memory);
    carom_arena_release(memory);
    return enough ? CAROM_OK : carom_no_memory(error, "the audit of surfaces");
}
