// SPDX-License-Identifier: MIT
// Builds the surface that takes part in contact: its faces, edges and nodes, each once (surface.h). Sides of faces are sorted
// by their two nodes, the upper one first and then the lower one, each in linear time; equal sides are then consecutive, in the
// order of their faces, and each run of them is an edge. A line has one side, a point none.
#include "contact/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/sort.h"
#include "math/vec3.h"

static const int next[3] = {1, 2, 0};

// Reserves the arrays per face, node and body.
static bool reserve_faces(carom_surface *s, int face_count) {
    bool enough = true;
    s->faces = carom_arena_reserve(s->arena, face_count, sizeof *s->faces, &enough);
    s->body = carom_arena_reserve(s->arena, face_count, sizeof *s->body, &enough);
    s->source = carom_arena_reserve(s->arena, face_count, sizeof *s->source, &enough);
    s->owned = carom_arena_reserve(s->arena, face_count, sizeof *s->owned, &enough);
    s->face_edges = carom_arena_reserve(s->arena, face_count, sizeof *s->face_edges, &enough);
    s->node_body = carom_arena_reserve(s->arena, s->node_count, sizeof *s->node_body, &enough);
    s->node_faces_begin = carom_arena_reserve(s->arena, (int64_t)s->node_count + 1, sizeof *s->node_faces_begin, &enough);
    s->open = carom_arena_reserve(s->arena, s->body_count, sizeof *s->open, &enough);
    s->thin = carom_arena_reserve(s->arena, s->body_count, sizeof *s->thin, &enough);
    return enough;
}

// Appends face number f of the definition, with `count` nodes.
static carom_status take_face(carom_surface *s, int f, int body, const int *nodes, int count, bool thin, carom_error *error) {
    if (body < 0 || body >= s->body_count)
        return carom_fail(error, CAROM_BAD_INPUT, "face %d belongs to body %d of %d", f, body, s->body_count);
    for (int i = 0; i < count; i++)
        if (nodes[i] < 0 || nodes[i] >= s->node_count)
            return carom_fail(error, CAROM_BAD_INPUT, "face %d has node %d of %d", f, nodes[i], s->node_count);
    int *face = s->faces[s->face_count], a = nodes[0], b = nodes[1], c = nodes[count - 1];
    if (!thin && (a == b || (count == 3 && (b == c || c == a))))
        return CAROM_OK;
    for (int i = 0; i < count; i++) {
        int *owner = &s->node_body[nodes[i]];
        if (*owner >= 0 && *owner != body)
            return carom_fail(error, CAROM_BAD_INPUT, "node %d belongs to the surfaces of bodies %d and %d", nodes[i], *owner,
                              body);
        *owner = body;
    }
    face[0] = a, face[1] = b, face[2] = c;
    s->body[s->face_count] = body;
    s->source[s->face_count++] = f;
    return CAROM_OK;
}

// Copies the faces, then the lines and points. Faces with a node twice have no area and are skipped.
static carom_status take_faces(const carom_surface_def *def, carom_surface *s, carom_error *error) {
    for (int k = 0; k < s->node_count; k++)
        s->node_body[k] = -1;
    carom_status status = CAROM_OK;
    for (int f = 0; f < def->face_count && !status; f++)
        status = take_face(s, f, def->body[f], def->nodes + (int64_t)def->corners * f, def->corners, false, error);
    s->full_count = s->face_count;
    for (int i = 0; i < def->thin_count && !status; i++)
        status = take_face(s, def->face_count + i, def->thin_body[i], def->thin[i], 2, true, error);
    // a body with faces may also have lines and points
    for (int f = s->full_count; f < s->face_count && !status; f++)
        s->thin[s->body[f]] = true;
    for (int f = 0; f < s->full_count && !status; f++)
        s->thin[s->body[f]] = false;
    return status;
}

// The number of different nodes of a face; they are the first of its entries.
static int size_of(const carom_surface *s, int f) {
    return f < s->full_count ? s->corners : s->faces[f][0] == s->faces[f][1] ? 1 : 2;
}

// Lists the faces of each node (counting sort), and the nodes that have any. The first face of a node owns it.
static bool link_nodes(carom_surface *s) {
    int *begin = s->node_faces_begin;
    for (int f = 0; f < s->face_count; f++)
        for (int i = 0; i < size_of(s, f); i++)
            begin[s->faces[f][i] + 1]++;
    for (int k = 0; k < s->node_count; k++) {
        s->vertex_count += begin[k + 1] > 0;
        begin[k + 1] += begin[k];
    }
    s->vertices = carom_arena_allocate(s->arena, s->vertex_count, sizeof *s->vertices);
    s->node_faces = carom_arena_allocate(s->arena, begin[s->node_count], sizeof *s->node_faces);
    if (!s->vertices || !s->node_faces)
        return false;
    for (int k = 0, v = 0; k < s->node_count; k++)
        if (begin[k + 1] > begin[k])
            s->vertices[v++] = k;
    for (int f = 0; f < s->face_count; f++)
        for (int i = 0; i < size_of(s, f); i++)
            s->node_faces[begin[s->faces[f][i]]++] = f;
    memmove(begin + 1, begin, (size_t)s->node_count * sizeof *begin);
    begin[0] = 0;
    for (int f = 0; f < s->face_count; f++)
        for (int i = 0; i < size_of(s, f); i++)
            if (s->node_faces[begin[s->faces[f][i]]] == f)
                s->owned[f] |= (unsigned char)(1 << i);
    return true;
}

// Lower and upper node of side h = 3 face + i.
static void side_nodes(const carom_surface *s, int h, int nodes[2]) {
    int a = s->faces[h / 3][h % 3], b = s->faces[h / 3][next[h % 3]];
    nodes[0] = a < b ? a : b;
    nodes[1] = a < b ? b : a;
}

// Scratch memory of the sides: pairs of a node and a side, in two orders, and the beginnings of the buckets.
typedef struct sides {
    int (*by_upper)[2];
    int (*by_lower)[2];
    int *begin;
} sides;

// The number of sides: three of each triangle, one of each line, which are the last faces.
static int side_count(const carom_surface *s) {
    int count = 3 * s->full_count;
    for (int f = s->full_count; f < s->face_count; f++)
        count += size_of(s, f) == 2;
    return count;
}

// Sorts all sides by their lower and then their upper node: two stable passes, the less significant key first.
static void sort_sides(const carom_surface *s, sides *w) {
    int count = 0;
    for (int h = 0; h < 3 * s->face_count; h++) {
        int nodes[2];
        // a line has only its first side: the second has no length, the third equals the first
        if (h >= 3 * s->full_count && (h % 3 || size_of(s, h / 3) == 1))
            continue;
        side_nodes(s, h, nodes);
        w->by_lower[count][0] = nodes[1];
        w->by_lower[count++][1] = h;
    }
    carom_sort_pairs((const int(*)[2])w->by_lower, count, s->node_count, w->begin, w->by_upper);
    for (int i = 0; i < count; i++) {
        int nodes[2];
        side_nodes(s, w->by_upper[i][1], nodes);
        w->by_upper[i][0] = nodes[0];
    }
    carom_sort_pairs((const int(*)[2])w->by_upper, count, s->node_count, w->begin, w->by_lower);
}

static bool same_edge(const carom_surface *s, int g, int h) {
    int a[2], b[2];
    side_nodes(s, g, a);
    side_nodes(s, h, b);
    return a[0] == b[0] && a[1] == b[1];
}

// Each run of equal sides is an edge, owned by the first of its faces.
static bool number_edges(carom_surface *s, const sides *w) {
    int count = side_count(s);
    for (int i = 0; i < count; i++)
        s->edge_count += i == 0 || !same_edge(s, w->by_lower[i - 1][1], w->by_lower[i][1]);
    s->edges = carom_arena_allocate(s->arena, s->edge_count, sizeof *s->edges);
    s->edge_faces_begin = carom_arena_allocate(s->arena, (int64_t)s->edge_count + 1, sizeof *s->edge_faces_begin);
    s->edge_faces = carom_arena_allocate(s->arena, count, sizeof *s->edge_faces);
    if (!s->edges || !s->edge_faces_begin || !s->edge_faces)
        return false;
    int edge = -1;
    for (int i = 0; i < count; i++) {
        int h = w->by_lower[i][1], f = h / 3;
        if (i == 0 || !same_edge(s, w->by_lower[i - 1][1], h)) {
            edge++;
            side_nodes(s, h, s->edges[edge]);
            s->owned[f] |= (unsigned char)(8 << h % 3);
        }
        s->face_edges[f][h % 3] = edge;
        s->edge_faces[i] = f;
        s->edge_faces_begin[edge + 1] = i + 1;
    }
    return true;
}

// Finds all edges, with scratch memory of its own. False if memory is short.
static bool link_edges(carom_surface *s) {
    int64_t count = side_count(s);
    carom_arena *scratch = carom_arena_create();
    bool enough = scratch;
    sides w = {
        .by_upper = carom_arena_reserve(scratch, count, sizeof *w.by_upper, &enough),
        .by_lower = carom_arena_reserve(scratch, count, sizeof *w.by_lower, &enough),
        .begin = carom_arena_reserve(scratch, (int64_t)s->node_count + 1, sizeof *w.begin, &enough),
    };
    if (enough) {
        sort_sides(s, &w);
        enough = number_edges(s, &w);
    }
    carom_arena_release(scratch);
    return enough;
}

// Whether the side of face f on an edge runs from its lower node to the upper one.
static bool runs_up(const carom_surface *s, int edge, int f) {
    for (int i = 0; i < 3; i++)
        if (s->face_edges[f][i] == edge)
            return s->faces[f][i] == s->edges[edge][0];
    return false;
}

// A body is closed if each edge has two faces that run along it in opposite directions, in the plane if each node ends one
// segment and begins another.
static void find_open(carom_surface *s) {
    // a body without faces encloses nothing
    for (int b = 0; b < s->body_count; b++)
        s->open[b] = true;
    for (int f = 0; f < s->face_count; f++)
        s->open[s->body[f]] = false;
    for (int e = 0; e < s->edge_count; e++) {
        const int *faces = s->edge_faces + s->edge_faces_begin[e];
        int count = s->edge_faces_begin[e + 1] - s->edge_faces_begin[e];
        if (count != 2 || runs_up(s, e, faces[0]) == runs_up(s, e, faces[1]))
            s->open[s->body[faces[0]]] = true;
    }
    for (int b = 0; b < s->body_count; b++)
        s->open[b] = s->open[b] || s->thin[b];
    for (int v = 0; v < s->vertex_count && s->corners == 2; v++) {
        int k = s->vertices[v], count = s->node_faces_begin[k + 1] - s->node_faces_begin[k];
        const int *faces = s->node_faces + s->node_faces_begin[k];
        if (count != 2 || (s->faces[faces[0]][0] == k) == (s->faces[faces[1]][0] == k))
            s->open[s->body[faces[0]]] = true;
    }
}

carom_status carom_surface_build(const carom_surface_def *def, carom_surface *surface, carom_error *error) {
    *surface = (carom_surface){.corners = def->corners, .node_count = def->node_count, .body_count = def->body_count};
    int64_t count = (int64_t)def->face_count + def->thin_count;
    if (count > INT32_MAX / 8)
        return carom_fail(error, CAROM_BAD_INPUT, "%lld faces are too many for contact", (long long)count);
    surface->arena = carom_arena_create();
    carom_status status = CAROM_OK;
    bool good = surface->arena && reserve_faces(surface, (int)count);
    if (good) {
        status = take_faces(def, surface, error);
        good = status || (link_nodes(surface) && (surface->corners == 2 || link_edges(surface)));
    }
    if (!good)
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the surface of contact");
    if (status)
        carom_surface_release(surface);
    else
        find_open(surface);
    return status;
}

carom_status carom_surface_copy(const carom_surface *surface, const bool *bodies, bool thin, carom_surface *copy,
                                carom_error *error) {
    *copy = (carom_surface){0};
    int last = thin ? surface->face_count : surface->full_count, corners = surface->corners;
    int *nodes = carom_allocate((int64_t)corners * surface->full_count, sizeof *nodes);
    int(*lines)[2] = carom_allocate(surface->face_count - surface->full_count, sizeof *lines);
    int *tags = carom_allocate(surface->face_count, sizeof *tags);
    carom_status status =
        nodes && lines && tags ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for the surface of contact");
    carom_surface_def def = {.corners = corners,
                             .node_count = surface->node_count,
                             .body_count = surface->body_count,
                             .nodes = nodes,
                             .body = tags,
                             .thin = (const int(*)[2])lines};
    for (int f = 0, count = 0; f < last && !status; f++) {
        if (bodies && !bodies[surface->body[f]])
            continue;
        tags[count++] = surface->body[f];
        if (f < surface->full_count)
            memcpy(nodes + (int64_t)corners * def.face_count++, surface->faces[f], (size_t)corners * sizeof *nodes);
        else
            memcpy(lines[def.thin_count++], surface->faces[f], sizeof *lines);
    }
    def.thin_body = tags ? tags + def.face_count : NULL;
    if (!status)
        status = carom_surface_build(&def, copy, error);
    free(nodes);
    free(lines);
    free(tags);
    return status;
}

void carom_surface_release(carom_surface *surface) {
    carom_arena_release(surface->arena);
    *surface = (carom_surface){0};
}

double carom_surface_shortest_side(const carom_surface *surface, const int *excluded, const double (*x)[3]) {
    double shortest = HUGE_VAL;
    for (int f = 0; f < surface->face_count; f++) {
        if (excluded && excluded[surface->body[f]] >= 0)
            continue;
        // a line has one side, a point none
        for (int i = 0; i < (size_of(surface, f) == 3 ? 3 : size_of(surface, f) - 1); i++) {
            double side[3];
            carom_difference(x[surface->faces[f][i]], x[surface->faces[f][next[i]]], side);
            // the plane has no third direction
            if (surface->corners == 2)
                side[2] = 0;
            shortest = fmin(shortest, carom_norm(side));
        }
    }
    if (excluded && isinf(shortest))
        return carom_surface_shortest_side(surface, NULL, x);
    return surface->face_count ? shortest : 0;
}
