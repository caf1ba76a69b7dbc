// SPDX-License-Identifier: MIT
// Places the feelers, contact points at the nodes and along the edges of obstacles (obstacle_points.h). Sides of the facets of
// obstacles are sorted, so that those of one edge are consecutive. The bend of an edge is the angle between its two facets; in
// the plane edges are nodes, and facets are segments.
#include "contact/quadrature/obstacle_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/arena.h"
#include "math/vec3.h"

// Cosines of bends: below a thousandth of a radian two facets count as one, above 20 degrees their edge is sharp.
static const double flat_bend = 1 - 5e-7, sharp_bend = 0.94;

// Spacing of feelers along an edge, in units of the size of a face of the bodies.
static const double spacing_factor = 0.5;

// Factor of the tributary area: a round obstacle touches with few of its nodes first, which also represent their neighbours.
static const double area_factor = 4;

// A side of a facet.
typedef struct side {
    int node[2]; // ascending; in the plane the same twice
    int facet;   // below 0: a line without a facet
    int corner;  // at which it begins
    int body;
} side;

// An edge, with `inner` feelers between its ends.
typedef struct edge {
    int node[2], body, inner;
    double area, length; // of each of the feelers
} edge;

// A node of an obstacle; needed: it has a feeler.
typedef struct knot {
    int body;
    bool needed, tip;
    double area, length;
} knot;

typedef struct survey {
    const double (*X)[3];
    carom_facets *facets;
    carom_arena *memory; // of all arrays
    bool plane;
    double spacing;
    bool *deforms; // per body
    int side_count, edge_count;
    side *sides;
    edge *edges;
    knot *knots;
} survey;

static int compare(const void *a, const void *b) {
    const side *p = a, *q = b;
    for (int i = 0; i < 2; i++)
        if (p->node[i] != q->node[i])
            return p->node[i] < q->node[i] ? -1 : 1;
    if (p->facet != q->facet)
        return p->facet < q->facet ? -1 : 1;
    return (p->corner > q->corner) - (p->corner < q->corner);
}

// The facets of sheets are the last ones, front and back alternating.
static bool is_back(const carom_facets *facets, int f) {
    return facets->sheet[f] && (facets->count - f) % 2 == 1;
}

double carom_feeler_area(const carom_feeler *feeler, double facet_area) {
    double own = area_factor * feeler->area + feeler->length * sqrt(facet_area) + (feeler->tip ? facet_area : 0);
    return fmin(own, facet_area);
}

// The smallest mean size of the faces of a body that is not an obstacle; 0 if there is none, -1 if memory is short.
static double least_size(const carom_facets *facets, int body_count, const double (*X)[3]) {
    double *sum = carom_allocate(body_count, sizeof *sum), least = HUGE_VAL;
    int *count = carom_allocate(body_count, sizeof *count);
    for (int f = 0; f < facets->count && sum && count; f++) {
        double area[4];
        carom_facet_areas(facets, f, X, area);
        for (int a = 0; a < facets->corners[f] && !facets->obstacle[f]; a++)
            sum[facets->body[f]] += area[a];
        count[facets->body[f]] += !facets->obstacle[f];
    }
    for (int b = 0; b < body_count && sum && count; b++)
        if (count[b] > 0 && sum[b] > 0)
            least = fmin(least, sqrt(sum[b] / count[b]));
    bool memory = sum && count;
    free(sum);
    free(count);
    return !memory ? -1 : isfinite(least) ? least : 0;
}

static void add_side(survey *s, int a, int b, int facet, int corner, int body) {
    s->sides[s->side_count++] = (side){{a < b ? a : b, a < b ? b : a}, facet, corner, body};
    for (int i = 0; i < 2; i++)
        s->knots[i ? b : a].body = body;
}

// Sides of facets, cells that are lines, and points.
static void list_sides(survey *s, int set_count, const carom_facet_cells *sets) {
    const carom_facets *facets = s->facets;
    for (int f = 0; f < facets->count; f++) {
        const int *n = facets->nodes[f];
        if (!facets->obstacle[f] || is_back(facets, f))
            continue;
        for (int i = 0; i < facets->corners[f]; i++)
            add_side(s, n[i], n[s->plane ? i : (i + 1) % facets->corners[f]], f, i, facets->body[f]);
    }
    for (int c = 0; c < set_count; c++)
        for (int e = 0; e < sets[c].count && sets[c].obstacle && !sets[c].sheet; e++) {
            const int *n = sets[c].nodes + (ptrdiff_t)e * sets[c].node_count;
            if (sets[c].type == CAROM_CELL_LINE2)
                add_side(s, n[0], n[1], -1, 0, sets[c].body);
            if (sets[c].type == CAROM_CELL_POINT)
                s->knots[n[0]] = (knot){.body = sets[c].body, .needed = true, .tip = true};
        }
}

// The unit vector from a side into its facet, perpendicular to the side; false if the facet is degenerate.
static bool inward_of(const survey *s, const side *at, double inward[3]) {
    const carom_facets *facets = s->facets;
    double along[3];
    memset(inward, 0, 3 * sizeof *inward);
    for (int a = 0; a < facets->corners[at->facet]; a++)
        carom_add_scaled(1.0 / facets->corners[at->facet], s->X[facets->nodes[at->facet][a]], inward);
    carom_add_scaled(-1, s->X[at->node[0]], inward);
    carom_difference(s->X[at->node[1]], s->X[at->node[0]], along);
    double square = carom_dot(along, along), size = carom_norm(inward);
    if (square > 0)
        carom_add_scaled(-carom_dot(inward, along) / square, along, inward);
    double length = carom_norm(inward);
    for (int i = 0; i < 3; i++)
        inward[i] /= length;
    return length > 1e-10 * size;
}

// The cosine of the bend at an edge with these sides: 1 if it is flat, -1 unless it has exactly two facets.
static double bend_of(const survey *s, const side *sides, int count) {
    double inward[2][3];
    if (count != 2 || sides[0].facet < 0 || sides[1].facet < 0 || !inward_of(s, &sides[0], inward[0]) ||
        !inward_of(s, &sides[1], inward[1]))
        return -1;
    return -carom_dot(inward[0], inward[1]);
}

// Marks a side on the boundary of a sheet.
static void mark_rim(const survey *s, const side *at) {
    carom_facets *facets = s->facets;
    int f = at->facet;
    if (f < 0 || !facets->sheet[f])
        return;
    facets->rims[f] |= (unsigned char)(1 << at->corner);
    // the back has its corners in the other order
    facets->rims[f + 1] |= (unsigned char)(1 << (facets->corners[f] - 1 - at->corner));
}

// Processes one edge: marks its ends, adds its length to them, and records the feelers between them.
static void take_edge(survey *s, const side *sides, int count) {
    const side *first = &sides[0];
    double bend = bend_of(s, sides, count), along[3], area = 0;
    bool sharp = bend < sharp_bend;
    if (count == 1)
        mark_rim(s, first);
    if (bend > flat_bend && !s->deforms[first->body])
        return;
    knot *ends[2] = {&s->knots[first->node[0]], &s->knots[first->node[1]]};
    ends[0]->needed = ends[1]->needed = true;
    if (s->plane) {
        ends[0]->tip = ends[0]->tip || sharp;
        return;
    }
    carom_difference(s->X[first->node[1]], s->X[first->node[0]], along);
    double length = carom_norm(along);
    // rounding must not add an interval
    double parts = fmin(ceil(length / s->spacing - 1e-6), CAROM_FEELERS_MOST + 1);
    int inner = parts > 1 ? (int)parts - 1 : 0;
    for (int i = 0; i < count; i++) {
        double share[4];
        if (sides[i].facet < 0)
            continue;
        carom_facet_areas(s->facets, sides[i].facet, s->X, share);
        area += share[0];
    }
    edge *e = &s->edges[s->edge_count];
    *e = (edge){{first->node[0], first->node[1]}, first->body, inner, area / (inner + 1), sharp ? length / (inner + 1) : 0};
    ends[0]->length += 0.5 * e->length;
    ends[1]->length += 0.5 * e->length;
    s->edge_count += inner > 0;
}

// Enlarges an array, of which `array` is the address. False if memory is short.
static bool lengthen(void *array, int64_t old, int64_t all, size_t size) {
    void *items, *longer = carom_allocate(all, size);
    if (!longer)
        return false;
    memcpy(&items, array, sizeof items);
    memcpy(longer, items, (size_t)old * size);
    memcpy(array, &longer, sizeof longer);
    free(items);
    return true;
}

// Memory for more points and lines after the facets.
static bool extend(carom_facets *facets, int64_t more) {
    int64_t old = (int64_t)facets->count + facets->point_count, all = old + more;
    return all < INT32_MAX / 2 && lengthen(&facets->nodes, old, all, sizeof *facets->nodes) &&
           lengthen(&facets->corners, old, all, sizeof *facets->corners) &&
           lengthen(&facets->body, old, all, sizeof *facets->body) &&
           lengthen(&facets->thickness, old, all, sizeof *facets->thickness);
}

// Appends a point, or a line.
static int append(carom_facets *facets, int a, int b, int body) {
    int at = facets->count + facets->point_count++;
    memcpy(facets->nodes[at], (const int[]){a, a == b ? -1 : b, -1, -1}, sizeof facets->nodes[at]);
    facets->corners[at] = a == b ? 1 : 2;
    facets->body[at] = body;
    facets->thickness[at] = 0;
    return at;
}

static carom_status place(survey *s, int node_count, carom_error *error) {
    carom_facets *facets = s->facets;
    int64_t lines = s->edge_count, feelers = 0;
    for (int k = 0; k < node_count; k++)
        feelers += s->knots[k].needed;
    lines += feelers;
    for (int e = 0; e < s->edge_count; e++)
        feelers += s->edges[e].inner;
    facets->feelers = carom_allocate(feelers, sizeof *facets->feelers);
    if (feelers >= INT32_MAX / 2 || !facets->feelers || !extend(facets, lines))
        return carom_no_memory(error, "contact");
    for (int k = 0; k < node_count; k++) {
        const knot *n = &s->knots[k];
        if (n->needed)
            facets->feelers[facets->feeler_count++] =
                (carom_feeler){append(facets, k, k, n->body), {1, 0}, n->area, n->length, n->tip};
    }
    for (int e = 0; e < s->edge_count; e++) {
        const edge *at = &s->edges[e];
        int line = append(facets, at->node[0], at->node[1], at->body);
        for (int i = 1; i <= at->inner; i++) {
            double share = (double)i / (at->inner + 1);
            facets->feelers[facets->feeler_count++] = (carom_feeler){line, {1 - share, share}, at->area, at->length, false};
        }
    }
    return CAROM_OK;
}

static carom_status find_feelers(survey *s, int set_count, const carom_facet_cells *sets, int node_count, carom_error *error) {
    carom_facets *facets = s->facets;
    int64_t most = 4 * (int64_t)facets->count;
    for (int c = 0; c < set_count; c++) {
        most += sets[c].obstacle ? sets[c].count : 0;
        s->deforms[sets[c].body] = s->deforms[sets[c].body] || sets[c].deforms;
    }
    bool enough = most < INT32_MAX;
    s->sides = carom_arena_reserve(s->memory, most, sizeof *s->sides, &enough);
    s->edges = carom_arena_reserve(s->memory, most, sizeof *s->edges, &enough);
    if (!enough)
        return carom_no_memory(error, "contact");
    list_sides(s, set_count, sets);
    if (s->side_count)
        qsort(s->sides, (size_t)s->side_count, sizeof *s->sides, compare);
    for (int i = 0, end; i < s->side_count; i = end) {
        for (end = i + 1; end < s->side_count && memcmp(s->sides[end].node, s->sides[i].node, sizeof s->sides[i].node) == 0;)
            end++;
        take_edge(s, &s->sides[i], end - i);
    }
    for (int f = 0; f < facets->count; f++) {
        double area[4];
        if (!facets->obstacle[f] || is_back(facets, f))
            continue;
        carom_facet_areas(facets, f, s->X, area);
        for (int a = 0; a < facets->corners[f]; a++)
            s->knots[facets->nodes[f][a]].area += area[a];
    }
    return place(s, node_count, error);
}

carom_status carom_feelers_list(int set_count, const carom_facet_cells *sets, int node_count, int body_count,
                                const double (*X)[3], carom_facets *facets, carom_error *error) {
    bool any = false;
    for (int c = 0; c < set_count; c++)
        any = any || sets[c].obstacle;
    if (!any)
        return CAROM_OK;
    double size = least_size(facets, body_count, X);
    // no body has faces
    if (size == 0)
        return CAROM_OK;
    survey s = {.X = X,
                .facets = facets,
                .plane = facets->corners[0] == 2,
                .spacing = spacing_factor * size,
                .memory = carom_arena_create()};
    bool enough = size > 0 && s.memory;
    s.deforms = carom_arena_reserve(s.memory, body_count, sizeof *s.deforms, &enough);
    s.knots = carom_arena_reserve(s.memory, node_count, sizeof *s.knots, &enough);
    carom_status status = enough ? find_feelers(&s, set_count, sets, node_count, error) : carom_no_memory(error, "contact");
    carom_arena_release(s.memory);
    return status;
}
