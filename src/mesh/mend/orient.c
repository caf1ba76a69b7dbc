// SPDX-License-Identifier: MIT
// Finds the faces that must be reversed for a consistently oriented surface. Each connected part is traversed from its first
// face across the edges that have two faces. Closed parts are afterwards oriented as a whole, by the number of other parts that
// enclose them: a part encloses a point if the solid angle of its faces, seen from that point, is 4 pi (A. van Oosterom, J.
// Strackee, IEEE Trans. Biomed. Eng. 30 (1983) 125-126).
#include "mesh/mend/orient.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "math/functions.h"
#include "math/vec3.h"
#include "mesh/cell.h"

static const double pi = 3.14159265358979323846;

// A closed part that encloses a volume.
typedef struct part {
    int begin, count; // in the queue
    bool inward;      // after the walk
    double low[3], high[3], volume;
} part;

typedef struct walk {
    const carom_boundary *surface;
    int (*neighbour)[4]; // across each side; -1: none
    bool (*against)[4];  // both run along the side in the same direction: one of them must turn
    bool *rim;           // a side of the face has no or several neighbours
    int *queue;          // faces, in the order in which they were reached, part after part
    bool *reached;
    part *parts;
    int64_t part_count, part_capacity;
} walk;

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory to orient a surface");
}

static void link(walk *w, const int *edges, int edge_count) {
    for (int i = 0, end; i < edge_count; i = end) {
        end = carom_edge_run(edges, edge_count, i);
        carom_edge a = carom_boundary_edge(w->surface, edges[i]);
        carom_edge b = carom_boundary_edge(w->surface, edges[end - 1]);
        // Edges with one face, or with more than two, do not determine orientation; neither does a face that meets itself
        // along an edge, as a folded one does.
        if (end - i != 2 || a.face == b.face) {
            for (int e = i; e < end; e++)
                w->rim[carom_boundary_edge(w->surface, edges[e]).face] = true;
            continue;
        }
        w->neighbour[a.face][a.side] = b.face;
        w->neighbour[b.face][b.side] = a.face;
        // Two faces with the same orientation run along their common edge in opposite directions.
        w->against[a.face][a.side] = w->against[b.face][b.side] = a.from == b.from;
    }
}

// Traverses the part that contains `first`, breadth first, and returns its number of faces. The queue keeps all parts one after
// another.
static int collect(walk *w, int begin, int first, bool *turn) {
    int count = 0, *queue = w->queue + begin;
    queue[count++] = first;
    w->reached[first] = true;
    turn[first] = false;
    // The queue is also the list of faces to be visited: faces before i are done, those from i on have been reached.
    for (int i = 0; i < count; i++) {
        int face = queue[i];
        for (int side = 0; side < 4; side++) {
            int other = w->neighbour[face][side];
            if (other < 0 || w->reached[other])
                continue;
            w->reached[other] = true;
            // The neighbour turns if this face turns, unless they run against each other as they are.
            turn[other] = turn[face] != w->against[face][side];
            queue[count++] = other;
        }
    }
    return count;
}

// The corners of a face relative to a point.
static int corners_from(const walk *w, int face, const double origin[3], double x[4][3]) {
    carom_facet facet = carom_boundary_facet(w->surface, face);
    int size = carom_facet_size(facet.nodes);
    for (int k = 0; k < size; k++)
        carom_difference(w->surface->mesh->nodes[facet.nodes[k]], origin, x[k]);
    return size;
}

static void turn_part(const walk *w, int begin, int count, bool *turn) {
    for (int i = begin; i < begin + count; i++)
        turn[w->queue[i]] = !turn[w->queue[i]];
}

// Turns an open part so that most of its faces remain as they are; a closed part is stored for `orient_nested`. False if memory
// is short.
static bool orient_part(walk *w, int begin, int count, bool *turn) {
    part p = {.begin = begin, .count = count};
    bool closed = true;
    int turned = 0;
    double x[4][3];
    // The first node of the part is the origin of its box, which therefore may start from zero.
    carom_facet first = carom_boundary_facet(w->surface, w->queue[begin]);
    const double *origin = w->surface->mesh->nodes[first.nodes[0]];
    for (int i = begin; i < begin + count; i++) {
        int face = w->queue[i], size = corners_from(w, face, origin, x);
        double flux = carom_face_flux(size, (carom_const_vectors)x);
        // The flux relative to a node of the part, so that a part far from the origin keeps its precision.
        p.volume += turn[face] ? -flux : flux;
        for (int k = 0; k < size; k++)
            for (int d = 0; d < 3; d++) {
                p.low[d] = fmin(p.low[d], x[k][d]);
                p.high[d] = fmax(p.high[d], x[k][d]);
            }
        closed = closed && !w->rim[face];
        turned += turn[face];
    }
    // A closed part without volume, such as a doubled sheet, has no inside and is treated as an open one.
    if (!closed || p.volume == 0) {
        if (2 * turned > count)
            turn_part(w, begin, count, turn);
        return true;
    }
    for (int d = 0; d < 3; d++) {
        p.low[d] += origin[d];
        p.high[d] += origin[d];
    }
    p.inward = p.volume < 0;
    p.volume = fabs(p.volume);
    part *moved = carom_grow(w->parts, w->part_count, &w->part_capacity, sizeof *w->parts);
    if (!moved)
        return false;
    w->parts = moved;
    w->parts[w->part_count++] = p;
    return true;
}

// A part inside another begins no earlier along x, and is smaller; in this order the outer part always comes first.
static int compare_parts(const void *a, const void *b) {
    const part *x = a, *y = b;
    if (x->low[0] != y->low[0])
        return x->low[0] < y->low[0] ? -1 : 1;
    if (x->volume != y->volume)
        return x->volume > y->volume ? -1 : 1;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

static bool box_in(const part *inner, const part *outer) {
    for (int d = 0; d < 3; d++)
        if (inner->low[d] < outer->low[d] || inner->high[d] > outer->high[d])
            return false;
    return true;
}

// The solid angle under which a triangle is seen from the origin.
static double solid_angle(const double a[3], const double b[3], const double c[3]) {
    double la = carom_norm(a), lb = carom_norm(b), lc = carom_norm(c), n[3];
    carom_cross(b, c, n);
    // tan(angle/2) = a.(b x c) / below; atan2 keeps the sign and the range up to 2 pi.
    double below = la * lb * lc + carom_dot(a, b) * lc + carom_dot(a, c) * lb + carom_dot(b, c) * la;
    return 2 * carom_atan2(carom_dot(a, n), below);
}

// The winding number of a part around a point: 0 outside, 1 inside, between them on its surface.
static double winding(const walk *w, const part *p, const double point[3], const bool *turn) {
    double angle = 0, x[4][3];
    for (int i = p->begin; i < p->begin + p->count; i++) {
        int face = w->queue[i], size = corners_from(w, face, point, x);
        // A warped quadrilateral is treated as two triangles; the sum over a closed part is still a multiple of 4 pi.
        double seen = solid_angle(x[0], x[1], x[2]) + (size == 4 ? solid_angle(x[0], x[2], x[3]) : 0);
        angle += turn[face] ? -seen : seen;
    }
    // The absolute value: an outer part that still faces inward winds by -1.
    return fabs(angle) / (4 * pi);
}

// Decides from the middle of a face of the inner part; further faces are tried if the point lies on the outer part.
static bool lies_in(const walk *w, const part *inner, const part *outer, const bool *turn) {
    enum { TRIES = 8 };
    static const double zero[3] = {0, 0, 0};
    double wound = 0;
    for (int i = 0; i < TRIES && i < inner->count; i++) {
        double x[4][3], middle[3] = {0, 0, 0};
        int size = corners_from(w, w->queue[inner->begin + i], zero, x);
        for (int k = 0; k < size; k++)
            carom_add_scaled(1.0 / size, x[k], middle);
        wound = winding(w, outer, middle, turn);
        // 0 and 1 are certain. On a face of the outer part the number is one half, at an edge or corner anything between.
        if (fabs(wound - 0.5) > 0.25)
            break;
    }
    return wound > 0.5;
}

// Turns each closed part to face outward if an even number of others encloses it, inward otherwise. Parts are swept along x:
// those that end before one begins cannot enclose it.
static carom_status orient_nested(walk *w, bool *turn, carom_error *error) {
    const double work_max = 2e9; // more would take minutes; regular meshes stay far below
    const double box_work = 1;   // one comparison of boxes
    const double face_work = 20; // one solid angle
    int64_t *open = carom_allocate(w->part_count, sizeof *open), open_count = 0;
    bool *whole = carom_allocate(w->part_count, sizeof *whole);
    carom_status status = open && whole ? CAROM_OK : no_memory(error);
    double work = 0;
    // Parts in the order of their beginnings along x; `open` holds those that have not ended yet.
    if (w->part_count)
        qsort(w->parts, (size_t)w->part_count, sizeof *w->parts, compare_parts);
    for (int64_t p = 0; !status && p < w->part_count; p++) {
        const part *inner = &w->parts[p];
        bool odd = false;
        int64_t kept = 0;
        for (int64_t o = 0; o < open_count; o++) {
            const part *outer = &w->parts[open[o]];
            if (outer->high[0] < inner->low[0])
                continue;
            open[kept++] = open[o];
            work += box_work;
            // Beyond the limit nothing more is computed, and the mesh is refused below.
            if (!box_in(inner, outer) || work > work_max)
                continue;
            work += face_work * outer->count;
            odd = odd != lies_in(w, inner, outer, turn);
        }
        open[kept++] = p;
        open_count = kept;
        // Inward by the walk and enclosed by an even number, or outward and enclosed by an odd one: turn.
        whole[p] = inner->inward != odd;
        if (work > work_max)
            status = carom_fail(error, CAROM_BAD_INPUT, "too many nested closed surfaces to be oriented");
    }
    for (int64_t p = 0; !status && p < w->part_count; p++)
        if (whole[p])
            turn_part(w, w->parts[p].begin, w->parts[p].count, turn);
    free(open);
    free(whole);
    return status;
}

// Neighbours, then parts, then the nesting of the closed ones.
carom_status carom_surface_orient(const carom_boundary *surface, bool *turn, carom_error *error) {
    int count = surface->count, *edges = NULL, edge_count;
    carom_status status = carom_boundary_edges(surface, &edges, &edge_count, error);
    if (status)
        return status;
    walk w = {
        .surface = surface,
        .neighbour = carom_allocate(count, sizeof *w.neighbour),
        .against = carom_allocate(count, sizeof *w.against),
        .rim = carom_allocate(count, sizeof *w.rim),
        .queue = carom_allocate(count, sizeof *w.queue),
        .reached = carom_allocate(count, sizeof *w.reached),
    };
    bool good = w.neighbour && w.against && w.rim && w.queue && w.reached;
    if (good) {
        for (int f = 0; f < count; f++)
            for (int side = 0; side < 4; side++)
                w.neighbour[f][side] = -1;
        link(&w, edges, edge_count);
    }
    free(edges);
    for (int f = 0, begin = 0; good && f < count; f++) {
        if (w.reached[f])
            continue;
        int size = collect(&w, begin, f, turn);
        good = orient_part(&w, begin, size, turn);
        begin += size;
    }
    status = good ? orient_nested(&w, turn, error) : no_memory(error);
    free(w.neighbour);
    free(w.against);
    free(w.rim);
    free(w.queue);
    free(w.reached);
    free(w.parts);
    return status;
}
