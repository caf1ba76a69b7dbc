// SPDX-License-Identifier: MIT
// Builds the facets, the outer faces of bodies on which contact is integrated, and their quadrature points (facets.h). A facet
// is a side of a cell that no other cell shares. Sides are compared by their sorted nodes; the facets keep the order of the
// cells, which makes all later sums reproducible. For the search, quadrilaterals are split into two triangles; projections and
// quadrature use the undivided facets.
#include "contact/quadrature/facets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/quadrature/obstacle_points.h"
#include "math/vec3.h"
#include "mesh/topology.h"

// A side of a cell, identified by its nodes in ascending order.
typedef struct side {
    int key[4];
    int number; // counted through all cells
} side;

// Compares by nodes; equal sides by number, so that the result does not depend on the sorting algorithm.
static int compare(const void *a, const void *b) {
    const side *p = a, *q = b;
    for (int i = 0; i < 4; i++)
        if (p->key[i] != q->key[i])
            return p->key[i] < q->key[i] ? -1 : 1;
    return (p->number > q->number) - (p->number < q->number);
}

// Sorts the nodes of a side; unused ones are -1 and come first.
static void set_key(const int nodes[4], int key[4]) {
    memcpy(key, nodes, 4 * sizeof *key);
    for (int i = 1; i < 4; i++)
        for (int j = i; j > 0 && key[j] < key[j - 1]; j--) {
            int n = key[j];
            key[j] = key[j - 1];
            key[j - 1] = n;
        }
}

// Marks the sides that occur once.
static void mark_single(side *sides, int count, bool *single) {
    qsort(sides, (size_t)count, sizeof *sides, compare);
    for (int i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && memcmp(sides[end].key, sides[i].key, sizeof sides[i].key) == 0;)
            end++;
        if (end == i + 1)
            single[sides[i].number] = true;
    }
}

// Appends a facet of a set.
static void add_facet(carom_facets *facets, const carom_facet_cells *set, const int nodes[4]) {
    memcpy(facets->nodes[facets->count], nodes, 4 * sizeof *nodes);
    facets->corners[facets->count] = carom_facet_size(nodes);
    facets->body[facets->count] = set->body;
    facets->obstacle[facets->count] = set->obstacle;
    facets->sheet[facets->count] = set->sheet;
    facets->thickness[facets->count++] = set->thickness;
}

// Sides of the cells of a set. Cells of a sheet are faces themselves, and lines have none.
static int side_count(const carom_facet_cells *set) {
    return set->sheet || set->type == CAROM_CELL_LINE2 ? 0 : carom_cell_facet_count(set->type);
}

// Visits all sides in order. The first pass fills `sides` for sorting; the second one copies the sides
// marked in `single` to the facets.
static void list_sides(int set_count, const carom_facet_cells *sets, side *sides, const bool *single, carom_facets *facets) {
    int number = 0;
    for (int s = 0; s < set_count; s++)
        for (int c = 0; c < sets[s].count; c++)
            for (int f = 0; f < side_count(&sets[s]); f++, number++) {
                int nodes[4];
                carom_cell_facet(sets[s].type, sets[s].nodes + (ptrdiff_t)c * sets[s].node_count, f, nodes);
                if (sides) {
                    set_key(nodes, sides[number].key);
                    sides[number].number = number;
                } else if (single[number])
                    add_facet(facets, &sets[s], nodes);
            }
}

// Appends the faces of sheets, each as two facets with opposite normals.
static void list_sheets(int set_count, const carom_facet_cells *sets, carom_facets *facets) {
    for (int s = 0; s < set_count; s++)
        for (int c = 0; c < sets[s].count && sets[s].sheet; c++) {
            int front[4] = {-1, -1, -1, -1}, back[4] = {-1, -1, -1, -1}, n = sets[s].node_count;
            memcpy(front, sets[s].nodes + (ptrdiff_t)c * n, (size_t)n * sizeof *front);
            // the same first corner, so that a quadrilateral is divided along the same diagonal
            for (int a = 0; a < n; a++)
                back[a] = front[n == 2 ? 1 - a : (n - a) % n];
            add_facet(facets, &sets[s], front);
            add_facet(facets, &sets[s], back);
        }
}

// The surface for the search: segments, or triangles. A quadrilateral is split at its first corner.
static carom_status build_surface(carom_facets *facets, int node_count, int body_count, carom_error *error) {
    int corners = facets->corners[0] == 2 ? 2 : 3, count = 0;
    int *nodes = carom_allocate((int64_t)facets->count * 6, sizeof *nodes);
    int *body = carom_allocate((int64_t)facets->count * 2, sizeof *body);
    int(*points)[2] = carom_allocate(facets->point_count, sizeof *points);
    facets->part_of = carom_allocate((int64_t)facets->count * 2 + facets->point_count, sizeof *facets->part_of);
    carom_status status = CAROM_OK;
    if (!nodes || !body || !points || !facets->part_of)
        status = carom_no_memory(error, "contact");
    for (int f = 0; f < facets->count && !status; f++) {
        // a segment and a triangle have no common normal
        if ((facets->corners[f] == 2) != (corners == 2))
            status = carom_fail(error, CAROM_BAD_INPUT, "plane and solid bodies cannot be in contact with each other");
        const int *n = facets->nodes[f];
        for (int part = 0; part < (facets->corners[f] == 4 ? 2 : 1); part++) {
            int *to = nodes + (ptrdiff_t)corners * count;
            to[0] = n[0];
            to[1] = n[1 + part];
            if (corners == 3)
                to[2] = n[2 + part];
            body[count] = facets->body[f];
            facets->part_of[count++] = f;
        }
    }
    for (int i = 0; i < facets->point_count && !status; i++) {
        points[i][0] = facets->nodes[facets->count + i][0];
        points[i][1] = facets->nodes[facets->count + i][facets->corners[facets->count + i] - 1];
        facets->part_of[count + i] = facets->count + i;
    }
    carom_surface_def def = {
        .corners = corners,
        .node_count = node_count,
        .body_count = body_count,
        .face_count = count,
        .nodes = nodes,
        .body = body,
        .thin_count = facets->point_count,
        .thin = (const int(*)[2])points,
        .thin_body = facets->body + facets->count,
    };
    if (!status)
        status = carom_surface_build(&def, &facets->surface, error);
    free(nodes);
    free(body);
    free(points);
    return status;
}

// Appends the points, if there are facets that they can meet.
static void list_points(int set_count, const carom_facet_cells *sets, carom_facets *facets) {
    for (int s = 0; s < set_count; s++)
        for (int c = 0; c < sets[s].count && sets[s].type == CAROM_CELL_POINT && !sets[s].obstacle; c++) {
            int at = facets->count + facets->point_count++;
            memcpy(facets->nodes[at], (const int[]){sets[s].nodes[c], -1, -1, -1}, sizeof facets->nodes[at]);
            facets->corners[at] = 1;
            facets->body[at] = sets[s].body;
            facets->thickness[at] = sets[s].thickness;
        }
}

// Memory for `count` facets and points.
static bool reserve(carom_facets *facets, int64_t count) {
    facets->nodes = carom_allocate(count, sizeof *facets->nodes);
    facets->corners = carom_allocate(count, sizeof *facets->corners);
    facets->body = carom_allocate(count, sizeof *facets->body);
    facets->thickness = carom_allocate(count, sizeof *facets->thickness);
    facets->obstacle = carom_allocate(count, sizeof *facets->obstacle);
    facets->sheet = carom_allocate(count, sizeof *facets->sheet);
    facets->rims = carom_allocate(count, sizeof *facets->rims);
    return facets->nodes && facets->corners && facets->body && facets->thickness && facets->obstacle && facets->sheet &&
           facets->rims;
}

// Two passes over the cells: the first finds the unshared sides, the second collects them in order.
static carom_status list_facets(int set_count, const carom_facet_cells *sets, int64_t count, carom_facets *facets,
                                carom_error *error) {
    side *sides = carom_allocate(count, sizeof *sides);
    // one flag per side
    bool *single = carom_allocate(count, sizeof *single);
    carom_status status = CAROM_OK;
    if (sides && single && count < INT32_MAX) {
        list_sides(set_count, sets, sides, NULL, NULL);
        mark_single(sides, (int)count, single);
    } else
        status = carom_no_memory(error, "contact");
    free(sides);

    // exact sizes: memory is proportional to the surface, not to the volume
    int64_t kept = 0;
    for (int s = 0; s < set_count; s++)
        kept += sets[s].sheet ? 2 * (int64_t)sets[s].count : sets[s].type == CAROM_CELL_POINT ? sets[s].count : 0;
    for (int64_t i = 0; i < count && !status; i++)
        kept += single[i];
    if (!status && (kept >= INT32_MAX || !reserve(facets, kept)))
        status = carom_no_memory(error, "contact");
    if (!status) {
        list_sides(set_count, sets, NULL, single, facets);
        list_sheets(set_count, sets, facets);
    }
    free(single);
    return status;
}

carom_status carom_facets_build(int set_count, const carom_facet_cells *sets, int node_count, int body_count,
                                const double (*X)[3], carom_facets *facets, carom_error *error) {
    int64_t count = 0;
    bool sheets = false;
    for (int s = 0; s < set_count; s++) {
        count += (int64_t)sets[s].count * side_count(&sets[s]);
        sheets = sheets || sets[s].sheet;
    }
    // bodies of bars and beams have no facets
    if (count == 0 && !sheets)
        return CAROM_OK;
    carom_status status = list_facets(set_count, sets, count, facets, error);
    if (!status && facets->count)
        list_points(set_count, sets, facets);
    if (!status && facets->count)
        status = carom_feelers_list(set_count, sets, node_count, body_count, X, facets, error);
    if (!status && facets->count)
        status = build_surface(facets, node_count, body_count, error);
    if (status)
        carom_facets_release(facets);
    return status;
}

void carom_facets_release(carom_facets *facets) {
    free(facets->nodes);
    free(facets->corners);
    free(facets->body);
    free(facets->thickness);
    free(facets->obstacle);
    free(facets->sheet);
    free(facets->rims);
    free(facets->feelers);
    free(facets->part_of);
    carom_surface_release(&facets->surface);
    *facets = (carom_facets){0};
}

// Length of an edge times thickness, or area of a triangle.
static double flat_area(const carom_facets *facets, int facet, const double (*X)[3]) {
    const int *n = facets->nodes[facet];
    double a[3], b[3], normal[3];
    carom_difference(X[n[1]], X[n[0]], a);
    if (facets->corners[facet] == 2)
        return facets->thickness[facet] * carom_norm(a);
    carom_difference(X[n[2]], X[n[0]], b);
    carom_cross(a, b, normal);
    return 0.5 * carom_norm(normal);
}

int carom_facet_gauss(const carom_facets *facets, int facet, const double (*X)[3], double (*N)[4], double *area) {
    // corners of the parent square
    static const double at[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    // abscissa of the two-point Gauss rule
    const double g = 1 / sqrt(3.0);
    const int *n = facets->nodes[facet];
    int corners = facets->corners[facet];
    memset(N, 0, 4 * sizeof *N);
    // edges and triangles have constant Jacobians: equal weights, exact for quadratic integrands
    if (corners < 4)
        for (int q = 0; q < corners; q++) {
            area[q] = flat_area(facets, facet, X) / corners;
            for (int a = 0; a < corners; a++)
                N[q][a] = corners == 2 ? 0.5 * (1 + (a == q ? g : -g)) : (a == q ? 2.0 / 3 : 1.0 / 6);
        }
    for (int q = 0; q < 4 && corners == 4; q++) {
        // a quadrilateral may be warped: the Jacobian |x_r x x_s| differs from point to point
        double r = g * at[q][0], s = g * at[q][1], x_r[3] = {0}, x_s[3] = {0}, normal[3];
        for (int a = 0; a < 4; a++) {
            N[q][a] = 0.25 * (1 + at[a][0] * r) * (1 + at[a][1] * s);
            carom_add_scaled(0.25 * at[a][0] * (1 + at[a][1] * s), X[n[a]], x_r);
            carom_add_scaled(0.25 * at[a][1] * (1 + at[a][0] * r), X[n[a]], x_s);
        }
        carom_cross(x_r, x_s, normal);
        area[q] = carom_norm(normal);
    }
    return corners;
}

// Integrated by the same rule as the Gauss points, so that both quadratures have the same total area.
void carom_facet_areas(const carom_facets *facets, int facet, const double (*X)[3], double area[4]) {
    double N[4][4], weight[4];
    int count = carom_facet_gauss(facets, facet, X, N, weight);
    memset(area, 0, 4 * sizeof *area);
    for (int q = 0; q < count; q++)
        for (int a = 0; a < count; a++)
            area[a] += weight[q] * N[q][a];
}
