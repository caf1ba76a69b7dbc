// SPDX-License-Identifier: MIT
// Facets near each other are listed with a margin and the list is reused while nodes have moved less than
// half of it. For a point, the listed masters are then compared by distance. Self-contact needs a further
// test, because the facets on the other side of a thin body are near as well.
#include "contact/quadrature/pairing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"

// Facets of one body face each other if the cosine between their normals is below minus this.
static const double facing_cosine = 0.1;
// A point behind a facet of its own body has come through free space if its distance is below this part of
// the distance in the reference: through the body, distances change by strain only. A heuristic.
static const double nearer_part = 0.1;
// Heights below this part of a distance are rounding.
static const double flat_part = 1e-6;

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
}

// Gauss points inside each facet.
static carom_status place_gauss_points(carom_pairing *pairing, const double (*X)[3], carom_error *error) {
    const carom_facets *facets = pairing->facets;
    pairing->points = carom_allocate((int64_t)4 * facets->count + facets->point_count, sizeof *pairing->points);
    pairing->facets_of = carom_allocate((int64_t)facets->count + facets->point_count, sizeof *pairing->facets_of);
    if (!pairing->points || !pairing->facets_of)
        return no_memory(error);
    for (int f = 0; f < facets->count; f++) {
        double N[4][4], area[4];
        int count = carom_facet_gauss(facets, f, X, N, area);
        pairing->facets_of[f] = f;
        for (int q = 0; q < count; q++) {
            carom_slave_point *p = &pairing->points[pairing->point_count++];
            *p = (carom_slave_point){
                .count = count, .area = area[q], .body = facets->body[f], .facet_begin = f, .facet_end = f + 1};
            memcpy(p->node, facets->nodes[f], sizeof p->node);
            memcpy(p->N, N[q], sizeof p->N);
        }
    }
    for (int f = facets->count; f < facets->count + facets->point_count; f++) {
        pairing->facets_of[f] = f;
        pairing->points[pairing->point_count++] = (carom_slave_point){
            .count = 1,
            .node = {facets->nodes[f][0]},
            .N = {1},
            .area = facets->thickness[f],
            .body = facets->body[f],
            .facet_begin = f,
            .facet_end = f + 1,
        };
    }
    return CAROM_OK;
}

// A point at each node, with the facets around it and their tributary areas.
static carom_status place_nodal_points(carom_pairing *pairing, const double (*X)[3], carom_error *error) {
    const carom_facets *facets = pairing->facets;
    const carom_surface *surface = &facets->surface;
    int *point_of = carom_allocate(surface->node_count, sizeof *point_of);
    pairing->points = carom_allocate(surface->vertex_count, sizeof *pairing->points);
    pairing->facets_of = carom_allocate((int64_t)4 * facets->count + facets->point_count, sizeof *pairing->facets_of);
    if (!point_of || !pairing->points || !pairing->facets_of) {
        free(point_of);
        return no_memory(error);
    }
    for (int v = 0; v < surface->vertex_count; v++)
        pairing->points[v] = (carom_slave_point){.count = 1, .node = {surface->vertices[v]}, .N = {1}};
    pairing->point_count = surface->vertex_count;
    for (int v = 0; v < surface->vertex_count; v++)
        point_of[surface->vertices[v]] = v;

    for (int f = 0; f < facets->count + facets->point_count; f++) {
        double area[4] = {facets->thickness[f]};
        if (f < facets->count)
            carom_facet_areas(facets, f, X, area);
        for (int a = 0; a < facets->corners[f]; a++) {
            carom_slave_point *p = &pairing->points[point_of[facets->nodes[f][a]]];
            p->area += area[a];
            p->body = facets->body[f];
            // counts for now; the sums below turn counts into ranges
            p->facet_end++;
        }
    }
    // counts become ranges of facets_of
    for (int v = 0, begin = 0; v < pairing->point_count; v++) {
        carom_slave_point *p = &pairing->points[v];
        int count = p->facet_end;
        p->facet_begin = p->facet_end = begin;
        begin += count;
    }
    for (int f = 0; f < facets->count + facets->point_count; f++)
        for (int a = 0; a < facets->corners[f]; a++)
            pairing->facets_of[pairing->points[point_of[facets->nodes[f][a]]].facet_end++] = f;
    free(point_of);
    return CAROM_OK;
}

// Points are placed once, in the reference configuration; their weights never change.
carom_status carom_pairing_create(const carom_facets *facets, const carom_exclusions *exclusions, carom_slave slave,
                                  carom_quadrature quadrature, double reach, const double (*X)[3], carom_pairing *pairing,
                                  carom_error *error) {
    *pairing = (carom_pairing){.facets = facets, .exclusions = exclusions, .slave = slave, .reach = reach, .X = X};
    pairing->begin = carom_allocate((int64_t)facets->count + facets->point_count + 1, sizeof *pairing->begin);
    pairing->place = carom_allocate(facets->surface.node_count, sizeof *pairing->place);
    if (!pairing->begin || !pairing->place)
        return no_memory(error);
    if (facets->count == 0)
        return CAROM_OK;
    carom_status status = carom_tree_create(&facets->surface, &pairing->tree, error);
    if (status)
        return status;
    return quadrature == CAROM_QUADRATURE_GAUSS ? place_gauss_points(pairing, X, error) : place_nodal_points(pairing, X, error);
}

void carom_pairing_release(carom_pairing *pairing) {
    carom_tree_release(&pairing->tree);
    free(pairing->points);
    free(pairing->facets_of);
    free(pairing->begin);
    free(pairing->place);
    free(pairing->near);
    free(pairing->pairs);
    *pairing = (carom_pairing){0};
}

// By slave, then by master.
static int compare(const void *a, const void *b) {
    const int *p = a, *q = b;
    return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

// Neighbouring facets are always near and never in contact.
static bool share_a_node(const carom_facets *facets, int f, int g) {
    for (int i = 0; i < facets->corners[f]; i++)
        for (int j = 0; j < facets->corners[g]; j++)
            if (facets->nodes[f][i] == facets->nodes[g][j])
                return true;
    return false;
}

// Appends a slave facet and a master facet.
static bool add_pair(carom_pairing *pairing, int64_t *count, int slave, int master) {
    int(*pairs)[2] = carom_grow(pairing->pairs, *count, &pairing->pair_capacity, sizeof *pairs);
    if (!pairs)
        return false;
    pairing->pairs = pairs;
    pairs[*count][0] = slave;
    pairs[(*count)++][1] = master;
    return true;
}

// Decides which of two near facets is the slave. Within a body both are slaves of each other.
static bool assign_roles(carom_pairing *pairing, int64_t *count, int f, int g) {
    const carom_facets *facets = pairing->facets;
    int a = facets->body[f], b = facets->body[g];
    if (a == b)
        return f == g || share_a_node(facets, f, g) || (add_pair(pairing, count, f, g) && add_pair(pairing, count, g, f));
    // a point is never projected onto
    if (f >= facets->count || g >= facets->count)
        return f >= facets->count ? add_pair(pairing, count, f, g) : add_pair(pairing, count, g, f);
    // `first` is the body with the smaller index, as in the scene
    bool f_first = a < b, both = pairing->slave == CAROM_SLAVE_BOTH;
    bool forward = both || f_first == (pairing->slave == CAROM_SLAVE_FIRST);
    bool backward = both || !forward;
    return (!forward || add_pair(pairing, count, f, g)) && (!backward || add_pair(pairing, count, g, f));
}

// True if no node has moved more than half the reach since the list was made.
static bool is_fresh(const carom_pairing *pairing, const double (*x)[3]) {
    const carom_surface *surface = &pairing->facets->surface;
    bool fresh = pairing->listed;
    for (int v = 0; v < surface->vertex_count && fresh; v++) {
        double moved[3];
        carom_difference(x[surface->vertices[v]], pairing->place[surface->vertices[v]], moved);
        fresh = carom_norm(moved) <= 0.5 * pairing->reach;
    }
    return fresh;
}

carom_status carom_pairing_search(carom_pairing *pairing, const double (*x)[3], carom_error *error) {
    const carom_facets *facets = pairing->facets;
    if (facets->count == 0 || is_fresh(pairing, x))
        return CAROM_OK;
    pairing->listed = false;
    // Facets within reach at a later use of the list are within twice the reach now, since each node may
    // move by half of it; each of two boxes grows by the reach.
    carom_status status = carom_tree_fit(&pairing->tree, x, NULL, pairing->reach, false, error);
    if (!status)
        status = carom_tree_query(&pairing->tree, pairing->exclusions, CAROM_TREE_ALL, error);
    int64_t count = 0;
    for (int p = 0; p < CAROM_TREE_PARTS && !status; p++)
        for (int64_t i = 0; i < pairing->tree.parts[p].count && !status; i++) {
            const int *pair = pairing->tree.parts[p].pairs[i];
            int f = facets->part_of[facets->surface.source[pair[0]]], g = facets->part_of[facets->surface.source[pair[1]]];
            if (!assign_roles(pairing, &count, f, g))
                status = no_memory(error);
        }
    if (!status && count > pairing->capacity) {
        free(pairing->near);
        pairing->capacity = 2 * count;
        pairing->near = carom_allocate(pairing->capacity, sizeof *pairing->near);
        if (!pairing->near) {
            pairing->capacity = 0;
            status = no_memory(error);
        }
    }
    // a failed search leaves an empty list
    int rows = facets->count + facets->point_count;
    memset(pairing->begin, 0, ((size_t)rows + 1) * sizeof *pairing->begin);
    if (status)
        return status;

    if (count)
        qsort(pairing->pairs, (size_t)count, sizeof *pairing->pairs, compare);
    // the two triangles of a quadrilateral may have produced the same pair more than once
    int kept = 0;
    for (int64_t i = 0; i < count; i++) {
        if (i && compare(pairing->pairs[i], pairing->pairs[i - 1]) == 0)
            continue;
        // compressed rows: masters of each slave facet, ascending
        pairing->begin[pairing->pairs[i][0] + 1]++;
        pairing->near[kept++] = pairing->pairs[i][1];
    }
    for (int f = 0; f < rows; f++)
        pairing->begin[f + 1] += pairing->begin[f];
    for (int v = 0; v < facets->surface.vertex_count; v++)
        carom_copy(x[facets->surface.vertices[v]], pairing->place[facets->surface.vertices[v]]);
    pairing->listed = true;
    return CAROM_OK;
}

// Normal at the centre of a facet, pointing outward, of any length; of a quadrilateral from its diagonals.
static void outward(const carom_facets *facets, int f, const double (*x)[3], double normal[3]) {
    const int *n = facets->nodes[f];
    double a[3], b[3] = {0, 0, 1};
    carom_difference(x[n[1]], x[n[0]], a);
    if (facets->corners[f] == 3)
        carom_difference(x[n[2]], x[n[0]], b);
    if (facets->corners[f] == 4) {
        carom_difference(x[n[2]], x[n[0]], a);
        carom_difference(x[n[3]], x[n[1]], b);
    }
    carom_cross(a, b, normal);
}

// Distance of a point from the box of a facet: a lower bound, since even a warped facet lies within the box
// of its corners.
static double box_distance(const carom_facets *facets, int f, const double (*x)[3], const double place[3]) {
    const int *n = facets->nodes[f];
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double low = x[n[0]][i], high = low;
        for (int a = 1; a < facets->corners[f]; a++) {
            low = fmin(low, x[n[a]][i]);
            high = fmax(high, x[n[a]][i]);
        }
        // zero inside the interval
        double away = fmax(fmax(low - place[i], place[i] - high), 0);
        sum += away * away;
    }
    return sqrt(sum);
}

// Position of a quadrature point: sum N_a x_a.
static void position_of(const carom_slave_point *p, const double (*x)[3], double place[3]) {
    memset(place, 0, 3 * sizeof *place);
    for (int a = 0; a < p->count; a++)
        carom_add_scaled(p->N[a], x[p->node[a]], place);
}

// Vector from the centre of a facet to a point.
static void from_centre(const carom_facets *facets, int f, const double (*x)[3], const double place[3], double r[3]) {
    carom_copy(place, r);
    for (int a = 0; a < facets->corners[f]; a++)
        carom_add_scaled(-1.0 / facets->corners[f], x[facets->nodes[f][a]], r);
}

// True if a point on the facet `own` has approached facet f of its own body from outside; `toward` is the
// normal of f at the distance `distance`, `height` the position along it. The facets must face each other. A point in front of
// f is outside; one behind f was in front of it in the reference, or has come much nearer than it was there.
static bool is_outside_contact(const carom_pairing *pairing, const carom_slave_point *p, int own, int f, const double (*x)[3],
                               const double toward[3], double height, double distance) {
    const carom_facets *facets = pairing->facets;
    double normal[3], r[3], start[3], height_start, toward_start[3];
    outward(facets, own, x, normal);
    carom_normalize(normal);
    if (!(carom_dot(toward, normal) < -facing_cosine))
        return false;
    if (height >= 0)
        return true;
    // the same point in the reference configuration
    position_of(p, pairing->X, start);
    double before = carom_face_distance(facets->corners[f], facets->nodes[f], pairing->X, start, &height_start, toward_start);
    // A distance that is not known in the reference is no evidence of an approach.
    if (!isfinite(before))
        return false;
    if (distance < nearer_part * before)
        return true;
    outward(facets, own, pairing->X, normal);
    carom_normalize(normal);
    from_centre(facets, f, pairing->X, start, r);
    return height_start > flat_part * before && carom_dot(r, normal) < -flat_part * before;
}

// A point at a node lies on several facets; the masters near any of them are candidates.
int carom_pairing_find(const carom_pairing *pairing, int point, const double (*x)[3]) {
    const carom_facets *facets = pairing->facets;
    const carom_slave_point *p = &pairing->points[point];
    double place[3], best = HUGE_VAL, best_height = 0;
    int found = -1;
    position_of(p, x, place);
    for (int i = p->facet_begin; i < p->facet_end; i++) {
        int own = pairing->facets_of[i];
        for (int j = pairing->begin[own]; j < pairing->begin[own + 1]; j++) {
            int f = pairing->near[j];
            // distances that differ by less than the tie are equal
            double height, toward[3], tie = 1e-12 * pairing->reach;
            if (box_distance(facets, f, x, place) > fmin(best, pairing->reach) + tie)
                continue;
            double distance = carom_face_distance(facets->corners[f], facets->nodes[f], x, place, &height, toward);
            // also rejects NaN and faces without a projection
            if (!(distance <= pairing->reach))
                continue;
            bool better = distance < best - tie || (distance < best + tie && fabs(height) > best_height);
            // the costly test comes last
            if (better && facets->body[f] == p->body)
                better = is_outside_contact(pairing, p, own, f, x, toward, height, distance);
            if (better) {
                best = fmin(distance, best);
                best_height = fabs(height);
                found = f;
            }
        }
    }
    return found;
}
