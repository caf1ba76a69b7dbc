// SPDX-License-Identifier: MIT
// Shows at low cost, for most vertices, that the faces around a vertex do not intersect each other (vertex_fans.h). Let the
// faces around a vertex k form a single fan: face i spans the nodes p_i and p_i+1 of the ring around k. Project it along some
// direction d. If all faces have the same orientation,
//     (p_i - k) x (p_i+1 - k) . d > 0   for all i,
// each covers a sector of less than half a turn, and successive sectors turn in the same sense. If their sum is at most one
// turn, the sectors are disjoint except for the rays between neighbours. A point that projects to such a ray lies on the edge,
// and one that projects to the centre is k itself: two faces have no common point except for their common nodes and edge. d is
// the sum of the area vectors.
//
// The fan makes more than one turn if the ring passes the ray of p_0 again: (p_0 - k) x (p_i - k) . d changes from negative to
// positive before the ring is closed.
//
// This takes one pass over the ring, instead of a test of each two faces (Volino and Magnenat-Thalmann, Computer
// Graphics Forum 13 (1994) 155-166, use the same idea for whole regions).
#include "contact/pairs/vertex_fans.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "math/vec3.h"

// MOST_FACES: vertices with more faces are not examined. PARALLEL_VERTICES: fewer stars, of about 50 ns each, are done before
// threads have started.
enum { MOST_FACES = 32, PARALLEL_VERTICES = 2048 };

// Margin of the signs relative to the largest products; rounding is a few 1e-16 of these.
static const double sign_margin = 1e-9;

// Products below this lose digits to underflow.
static const double least_product = 1e-280;

// The ring of vertex number v: it has one node more than faces.
static int *ring_of(const carom_stars *stars, int v) {
    return stars->ring + stars->surface->node_faces_begin[stars->surface->vertices[v]] + v;
}

// The two other nodes of a face of node k.
static void link_of(const int face[3], int k, int ends[2]) {
    int i = face[0] == k ? 0 : face[1] == k ? 1 : 2;
    ends[0] = face[(i + 1) % 3];
    ends[1] = face[(i + 2) % 3];
}

// True if a face other than `except` has the node among its ends.
static bool has_neighbour(int (*links)[2], int count, int except, int node) {
    for (int i = 0; i < count; i++)
        if (i != except && (links[i][0] == node || links[i][1] == node))
            return true;
    return false;
}

// The node at which an open fan begins: an end that no other face has. For a closed fan, any end.
static int first_node(int (*links)[2], int count) {
    for (int i = 0; i < count; i++)
        for (int e = 0; e < 2; e++)
            if (!has_neighbour(links, count, i, links[i][e]))
                return links[i][e];
    return links[0][0];
}

// True if no node appears twice, except for the first one at the end of a closed ring.
static bool is_simple(const int *ring, int count) {
    for (int i = 0; i <= count; i++)
        for (int j = 0; j < i; j++)
            if (ring[i] == ring[j] && !(i == count && j == 0))
                return false;
    return true;
}

// Sets the ring of vertex k, from face to adjacent face.
static void make_ring(const carom_surface *s, int k, int *ring) {
    int links[MOST_FACES][2], begin = s->node_faces_begin[k], count = s->node_faces_begin[k + 1] - begin;
    ring[0] = -1;
    if (count < 1 || count > MOST_FACES)
        return;
    for (int i = 0; i < count; i++) {
        // lines and points have no area
        if (s->node_faces[begin + i] >= s->full_count)
            return;
        link_of(s->faces[s->node_faces[begin + i]], k, links[i]);
    }
    unsigned used = 0;
    int at = first_node(links, count), first = at;
    for (int i = 1; i <= count; i++) {
        int face = 0;
        while (face < count && (used >> face & 1 || (links[face][0] != at && links[face][1] != at)))
            face++;
        // the remaining faces form another fan
        if (face == count)
            return;
        used |= 1u << face;
        at = links[face][0] == at ? links[face][1] : links[face][0];
        ring[i] = at;
    }
    ring[0] = first;
    if (!is_simple(ring, count))
        ring[0] = -1;
}

carom_status carom_stars_create(const carom_surface *surface, carom_stars *stars, carom_error *error) {
    *stars = (carom_stars){.surface = surface};
    // in two dimensions a node has two segments only: a star saves nothing
    if (surface->corners == 2)
        return CAROM_OK;
    int64_t entries = (int64_t)surface->node_faces_begin[surface->node_count] + surface->vertex_count;
    stars->ring = carom_allocate(entries, sizeof *stars->ring);
    stars->unfolded = carom_allocate(surface->node_count, sizeof *stars->unfolded);
    if (!stars->ring || !stars->unfolded) {
        carom_stars_release(stars);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the audit of surfaces");
    }
#pragma omp parallel for schedule(static) if (surface->vertex_count > PARALLEL_VERTICES)
    for (int v = 0; v < surface->vertex_count; v++)
        make_ring(surface, surface->vertices[v], ring_of(stars, v));
    return CAROM_OK;
}

void carom_stars_release(carom_stars *stars) {
    free(stars->ring);
    free(stars->unfolded);
    *stars = (carom_stars){0};
}

// The condition at the head of this file.
static bool is_unfolded(const int *ring, int count, const double *centre, const double (*x)[3]) {
    double p[MOST_FACES + 1][3], area[MOST_FACES][3], d[3] = {0}, size = 0;
    if (ring[0] < 0)
        return false;
    for (int i = 0; i <= count; i++) {
        carom_difference(x[ring[i]], centre, p[i]);
        double square = carom_dot(p[i], p[i]);
        size = square > size ? square : size;
    }
    for (int i = 0; i < count; i++) {
        carom_cross(p[i], p[i + 1], area[i]);
        carom_add_scaled(1, area[i], d);
    }
    double product = size * (fabs(d[0]) + fabs(d[1]) + fabs(d[2])), before = 0;
    if (!(product > least_product))
        return false;
    for (int i = 0; i < count; i++) {
        double from_first[3];
        carom_cross(p[0], p[i + 1], from_first);
        double turn = carom_dot(from_first, d);
        bool closes = i + 1 == count && ring[count] == ring[0];
        if (!(carom_dot(area[i], d) > sign_margin * product) || (before < 0 && turn >= 0 && !closes))
            return false;
        before = turn;
    }
    return true;
}

void carom_stars_examine(carom_stars *stars, const double (*x)[3]) {
    const carom_surface *s = stars->surface;
    if (!stars->ring)
        return;
#pragma omp parallel for schedule(static) if (s->vertex_count > PARALLEL_VERTICES)
    for (int v = 0; v < s->vertex_count; v++) {
        int k = s->vertices[v];
        stars->unfolded[k] = is_unfolded(ring_of(stars, v), s->node_faces_begin[k + 1] - s->node_faces_begin[k], x[k], x);
    }
}
