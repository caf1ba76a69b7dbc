// SPDX-License-Identifier: MIT
// Each part of a surface is walked from its first face across the edges that have two faces.
#include "mesh/orient.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "math/vec3.h"
#include "mesh/cell.h"

typedef struct walk {
    const carom_mesh *mesh;
    const carom_facet *faces;
    int (*neighbour)[4]; // across each side; -1: none
    bool (*against)[4];  // both run along the side in the same direction: one of them must turn
    bool *rim;           // a side of the face has no or several neighbours
    int *queue;          // faces of the part, in the order in which they were reached
    bool *reached;
} walk;

static int side_of(const carom_facet *face, int from, int to) {
    int size = carom_facet_size(face->nodes), side = 0;
    while (side < size - 1 && !(face->nodes[side] == from && face->nodes[(side + 1) % size] == to))
        side++;
    return side;
}

static void link(walk *w, const carom_edge *edges, int edge_count) {
    for (int i = 0, end; i < edge_count; i = end) {
        end = carom_edge_run(edges, edge_count, i);
        const carom_edge *a = &edges[i], *b = &edges[i + 1];
        if (end - i != 2 || a->face == b->face) {
            for (int e = i; e < end; e++)
                w->rim[edges[e].face] = true;
            continue;
        }
        int side_a = side_of(&w->faces[a->face], a->from, a->to), side_b = side_of(&w->faces[b->face], b->from, b->to);
        w->neighbour[a->face][side_a] = b->face;
        w->neighbour[b->face][side_b] = a->face;
        w->against[a->face][side_a] = w->against[b->face][side_b] = a->from == b->from;
    }
}

// The part that contains `first`; returns its number of faces.
static int collect(walk *w, int first, bool *turn) {
    int count = 0;
    w->queue[count++] = first;
    w->reached[first] = true;
    turn[first] = false;
    for (int i = 0; i < count; i++) {
        int face = w->queue[i];
        for (int side = 0; side < 4; side++) {
            int other = w->neighbour[face][side];
            if (other < 0 || w->reached[other])
                continue;
            w->reached[other] = true;
            turn[other] = turn[face] != w->against[face][side];
            w->queue[count++] = other;
        }
    }
    return count;
}

// True if the part would better be turned as a whole.
static bool better_turned(const walk *w, int count, const bool *turn) {
    bool closed = true;
    double volume = 0;
    int turned = 0;
    const double *origin = w->mesh->nodes[w->faces[w->queue[0]].nodes[0]];
    for (int i = 0; i < count; i++) {
        const carom_facet *face = &w->faces[w->queue[i]];
        int size = carom_facet_size(face->nodes);
        double x[4][3];
        for (int k = 0; k < size; k++)
            carom_difference(w->mesh->nodes[face->nodes[k]], origin, x[k]);
        double flux = carom_face_flux(size, (const double(*)[3])x);
        volume += turn[w->queue[i]] ? -flux : flux;
        closed = closed && !w->rim[w->queue[i]];
        turned += turn[w->queue[i]];
    }
    return closed ? volume < 0 : 2 * turned > count;
}

carom_status carom_facets_orient(const carom_mesh *mesh, const carom_facet *faces, int count, bool *turn, carom_error *error) {
    walk w = {
        .mesh = mesh,
        .faces = faces,
        .neighbour = carom_allocate(count, sizeof *w.neighbour),
        .against = carom_allocate(count, sizeof *w.against),
        .rim = carom_allocate(count, sizeof *w.rim),
        .queue = carom_allocate(count, sizeof *w.queue),
        .reached = carom_allocate(count, sizeof *w.reached),
    };
    carom_edge *edges = NULL;
    int edge_count;
    carom_status status = CAROM_OK;
    if (!w.neighbour || !w.against || !w.rim || !w.queue || !w.reached)
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory to orient a surface");
    if (!status)
        status = carom_facet_edges(faces, count, &edges, &edge_count, error);
    if (!status) {
        for (int f = 0; f < count; f++)
            for (int side = 0; side < 4; side++)
                w.neighbour[f][side] = -1;
        link(&w, edges, edge_count);
        for (int f = 0; f < count; f++) {
            if (w.reached[f])
                continue;
            int part = collect(&w, f, turn);
            bool whole = better_turned(&w, part, turn);
            for (int i = 0; i < part; i++)
                turn[w.queue[i]] = turn[w.queue[i]] != whole;
        }
    }
    free(edges);
    free(w.neighbour);
    free(w.against);
    free(w.rim);
    free(w.queue);
    free(w.reached);
    return status;
}
