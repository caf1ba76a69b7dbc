// SPDX-License-Identifier: MIT
// Places the contact points of slave surfaces, and finds for each the facet of a master surface onto which it projects
// (pairing.h). Facets near each other are listed (pairing_list.c); for a point, the listed masters are compared by distance.
// Self-contact needs a further test, because the facets on the other side of a thin body are near as well.
#include "contact/quadrature/pairing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/quadrature/normal_cones.h"
#include "contact/quadrature/sheets.h"
#include "math/vec3.h"

// A point behind a facet of its own body has come through free space if its distance is below this fraction of
// the distance in the reference: through the body, distances change by strain only. A heuristic.
static const double approach_ratio = 0.1;
// Heights below this fraction of a distance are rounding.
static const double rounding_ratio = 1e-6;

// Gauss points inside each facet of a body.
static carom_status place_gauss_points(carom_pairing *pairing, const double (*X)[3], carom_error *error) {
    const carom_facets *facets = pairing->facets;
    int64_t feelers = facets->feeler_count;
    pairing->points = carom_allocate((int64_t)4 * facets->count + facets->point_count + feelers, sizeof *pairing->points);
    pairing->facets_of = carom_allocate((int64_t)facets->count + facets->point_count + feelers, sizeof *pairing->facets_of);
    if (!pairing->points || !pairing->facets_of)
        return carom_no_memory(error, "contact");
    for (int f = 0; f < facets->count; f++) {
        double N[4][4], area[4];
        int count = facets->obstacle[f] ? 0 : carom_facet_gauss(facets, f, X, N, area);
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
        // obstacles have feelers instead
        if (facets->thickness[f] > 0)
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

// True if the nodes of a facet, or of a point, have contact points: those of obstacles have feelers instead.
static bool carries_nodes(const carom_facets *facets, int f) {
    return f < facets->count ? !facets->obstacle[f] : facets->thickness[f] > 0;
}

// A point at each node, with the facets around it and their tributary areas. Points at nodes of obstacles have no facets, and
// so no contact.
static carom_status place_nodal_points(carom_pairing *pairing, const double (*X)[3], carom_error *error) {
    const carom_facets *facets = pairing->facets;
    const carom_surface *surface = &facets->surface;
    int *point_of = carom_allocate(surface->node_count, sizeof *point_of);
    int64_t feelers = facets->feeler_count;
    pairing->points = carom_allocate(surface->vertex_count + feelers, sizeof *pairing->points);
    pairing->facets_of = carom_allocate((int64_t)4 * facets->count + facets->point_count + feelers, sizeof *pairing->facets_of);
    if (!point_of || !pairing->points || !pairing->facets_of) {
        free(point_of);
        return carom_no_memory(error, "contact");
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
        for (int a = 0; a < facets->corners[f] && carries_nodes(facets, f); a++) {
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
        for (int a = 0; a < facets->corners[f] && carries_nodes(facets, f); a++)
            pairing->facets_of[pairing->points[point_of[facets->nodes[f][a]]].facet_end++] = f;
    free(point_of);
    return CAROM_OK;
}

// Appends the points of obstacles, after all others. The facet of each is its own line or point.
static void place_feelers(carom_pairing *pairing) {
    const carom_facets *facets = pairing->facets;
    int at = 0;
    pairing->feelers_begin = pairing->point_count;
    for (int p = 0; p < pairing->point_count; p++)
        at = pairing->points[p].facet_end > at ? pairing->points[p].facet_end : at;
    for (int i = 0; i < facets->feeler_count; i++) {
        const carom_feeler *feeler = &facets->feelers[i];
        const int *n = facets->nodes[feeler->facet];
        pairing->facets_of[at] = feeler->facet;
        pairing->points[pairing->point_count++] = (carom_slave_point){
            .count = facets->corners[feeler->facet],
            .node = {n[0], n[1]},
            .N = {feeler->N[0], feeler->N[1]},
            .area = feeler->area,
            .body = facets->body[feeler->facet],
            .facet_begin = at,
            .facet_end = at + 1,
        };
        at++;
    }
}

// The points of each facet, by a counting sort.
static carom_status list_points(carom_pairing *pairing, carom_error *error) {
    int rows = pairing->facets->count + pairing->facets->point_count, total = 0;
    for (int p = 0; p < pairing->point_count; p++)
        total += pairing->points[p].facet_end - pairing->points[p].facet_begin;
    pairing->points_begin = carom_allocate((int64_t)rows + 2, sizeof *pairing->points_begin);
    pairing->points_of = carom_allocate(total, sizeof *pairing->points_of);
    if (!pairing->points_begin || !pairing->points_of)
        return carom_no_memory(error, "contact");
    // counts two places ahead become beginnings one place ahead, and those move on as the rows are filled
    int *begin = pairing->points_begin;
    for (int p = 0; p < pairing->point_count; p++)
        for (int i = pairing->points[p].facet_begin; i < pairing->points[p].facet_end; i++)
            begin[pairing->facets_of[i] + 2]++;
    for (int f = 0; f < rows; f++)
        begin[f + 2] += begin[f + 1];
    for (int p = 0; p < pairing->point_count; p++)
        for (int i = pairing->points[p].facet_begin; i < pairing->points[p].facet_end; i++)
            pairing->points_of[begin[pairing->facets_of[i] + 1]++] = p;
    return CAROM_OK;
}

// Points are placed once, in the reference configuration; their weights never change.
carom_status carom_pairing_create(const carom_facets *facets, const carom_exclusions *exclusions, carom_slave slave,
                                  carom_quadrature quadrature, double reach, const double (*X)[3], carom_pairing *pairing,
                                  carom_error *error) {
    *pairing = (carom_pairing){.facets = facets, .exclusions = exclusions, .slave = slave, .reach = reach, .X = X};
    if (facets->count == 0)
        return CAROM_OK;
    carom_status status =
        quadrature == CAROM_QUADRATURE_GAUSS ? place_gauss_points(pairing, X, error) : place_nodal_points(pairing, X, error);
    if (!status) {
        place_feelers(pairing);
        status = list_points(pairing, error);
    }
    if (!status)
        status = carom_tree_create(&facets->surface, &pairing->tree, error);
    return status ? status : carom_pairing_list_create(pairing, error);
}

void carom_pairing_release(carom_pairing *pairing) {
    carom_tree_release(&pairing->tree);
    carom_pairing_list_release(pairing);
    free(pairing->points);
    free(pairing->facets_of);
    free(pairing->points_begin);
    free(pairing->points_of);
    *pairing = (carom_pairing){0};
}

void carom_slave_point_place(const carom_slave_point *p, const double (*x)[3], double place[3]) {
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

// The distance of a point from the nearest corner of a facet.
static double corner_distance(const carom_facets *facets, int f, const double (*x)[3], const double place[3]) {
    double least = HUGE_VAL;
    for (int a = 0; a < facets->corners[f]; a++) {
        double r[3];
        carom_difference(place, x[facets->nodes[f][a]], r);
        least = fmin(least, carom_norm(r));
    }
    return least;
}

// True if a point on the facet `own` was in front of facet f of its own body in the reference, and f in front of it. *before
// receives their distance there, infinite if it is not known. The foot on a warped facet may be wrong, so corners bound the
// distance, and the facet must not be ahead of the point.
static bool was_in_front(const carom_pairing *pairing, const carom_slave_point *p, int own, int f, double *before) {
    const carom_facets *facets = pairing->facets;
    double normal[3], r[3], start[3], height, toward[3];
    carom_slave_point_place(p, pairing->X, start);
    *before = carom_face_distance(facets->corners[f], facets->nodes[f], pairing->X, start, &height, toward);
    if (!isfinite(*before))
        return false;
    *before = fmin(*before, corner_distance(facets, f, pairing->X, start));
    carom_facet_outward(facets, own, pairing->X, normal);
    carom_normalize(normal);
    from_centre(facets, f, pairing->X, start, r);
    return height > rounding_ratio * *before && carom_dot(r, normal) < -rounding_ratio * *before &&
           !carom_facet_is_ahead(facets, f, pairing->X, start, 0);
}

// True if a point on the facet `own` has approached facet f of its own body from outside; `toward` is the
// normal of f at the foot of the point, `height` the position along it. The facets must face each other. A point in front of
// f is outside; one behind f must have been in front of it in the reference, or must be much nearer than it was there.
static bool is_outside_contact(const carom_pairing *pairing, const carom_slave_point *p, int own, int f, const double (*x)[3],
                               const double place[3], const double toward[3], double height, double distance) {
    const carom_facets *facets = pairing->facets;
    double normal[3], before;
    carom_facet_outward(facets, own, x, normal);
    carom_normalize(normal);
    if (!(carom_dot(toward, normal) < -CAROM_FACING_COSINE))
        return false;
    // the foot may lie far outside of a warped facet, where its tangent plane is meaningless
    if (height >= 0 && !carom_facet_is_ahead(facets, f, x, place, 0))
        return true;
    bool front = was_in_front(pairing, p, own, f, &before);
    // an unknown distance in the reference is no evidence of an approach
    return isfinite(before) && (distance < approach_ratio * before || front);
}

// True if a point on the facet `own` cannot meet facet f of its own body: too distant, or behind it without having come from
// outside.
static bool stays_inside(const carom_pairing *pairing, int point, int own, int f, const double (*x)[3], double motion) {
    const carom_facets *facets = pairing->facets;
    const carom_slave_point *p = &pairing->points[point];
    double place[3], start[3], before;
    carom_slave_point_place(p, x, place);
    double distance = carom_facet_least_distance(facets, f, x, place) - motion;
    if (distance > pairing->reach * (1 + 1e-9))
        return true;
    if (!carom_facet_is_ahead(facets, f, x, place, motion))
        return false;
    // behind it in the reference as well, and not much more distant there: decided without the foot on the facet
    carom_slave_point_place(p, pairing->X, start);
    if (carom_facet_is_ahead(facets, f, pairing->X, start, 0) &&
        distance >= approach_ratio * corner_distance(facets, f, pairing->X, start))
        return true;
    return !was_in_front(pairing, p, own, f, &before) && !(isfinite(before) && distance < approach_ratio * before);
}

bool carom_pairing_never_meets(const carom_pairing *pairing, int own, int f, const double (*x)[3], double motion) {
    if (carom_facet_cannot_face(pairing->facets, own, f, x, CAROM_FACING_COSINE, motion))
        return true;
    for (int i = pairing->points_begin[own]; i < pairing->points_begin[own + 1]; i++)
        if (!stays_inside(pairing, pairing->points_of[i], own, f, x, motion))
            return false;
    return true;
}

// True if two facets are tied to each other.
static bool are_joined(const carom_pairing *pairing, int f, int g) {
    const carom_facets *facets = pairing->facets;
    return carom_exclusions_at_seam(pairing->exclusions, facets->corners[f], facets->nodes[f], facets->corners[g],
                                    facets->nodes[g]);
}

// True if a facet of the same body as f to which a point is tied is at most as distant as f: facets behind it, such as the
// other side of a tied sheet, are not in contact with the point.
static bool is_behind_seam(const carom_pairing *pairing, const carom_slave_point *p, const double (*x)[3],
                           const double place[3], int f, double distance) {
    const carom_facets *facets = pairing->facets;
    if (!pairing->exclusions || !pairing->exclusions->seam_begin)
        return false;
    for (int i = p->facet_begin; i < p->facet_end; i++)
        for (int j = pairing->begin[pairing->facets_of[i]]; j < pairing->begin[pairing->facets_of[i] + 1]; j++) {
            int g = pairing->near[j];
            double height, toward[3];
            if (facets->body[g] == facets->body[f] && are_joined(pairing, pairing->facets_of[i], g) &&
                carom_face_distance(facets->corners[g], facets->nodes[g], x, place, &height, toward) <=
                    distance + 1e-12 * pairing->reach)
                return true;
        }
    return false;
}

// A point at a node lies on several facets; the masters near any of them are candidates.
int carom_pairing_find(const carom_pairing *pairing, int point, const double (*x)[3]) {
    const carom_facets *facets = pairing->facets;
    const carom_slave_point *p = &pairing->points[point];
    double place[3], best = HUGE_VAL, best_height = 0;
    int found = -1;
    carom_slave_point_place(p, x, place);
    for (int i = p->facet_begin; i < p->facet_end; i++) {
        int own = pairing->facets_of[i];
        for (int j = pairing->begin[own]; j < pairing->begin[own + 1]; j++) {
            int f = pairing->near[j];
            // distances that differ by less than the tie are equal
            double height, toward[3], tie = 1e-12 * pairing->reach;
            if (carom_facet_least_distance(facets, f, x, place) > fmin(best, pairing->reach) + tie ||
                are_joined(pairing, own, f))
                continue;
            bool same = facets->body[f] == p->body;
            if (same && carom_facet_cannot_face(facets, own, f, x, CAROM_FACING_COSINE, 0))
                continue;
            double distance = carom_face_distance(facets->corners[f], facets->nodes[f], x, place, &height, toward);
            // also rejects NaN and faces without a projection
            if (!(distance <= pairing->reach))
                continue;
            bool better = distance < best - tie || (distance < best + tie && fabs(height) > best_height);
            // the costly tests come last
            if (better && same)
                better = is_outside_contact(pairing, p, own, f, x, place, toward, height, distance);
            if (better && facets->sheet[f])
                better = carom_sheet_is_met(pairing, p, own, f, x, toward, height, distance);
            if (better)
                better = !is_behind_seam(pairing, p, x, place, f, distance);
            if (better) {
                best = fmin(distance, best);
                best_height = fabs(height);
                found = f;
            }
        }
    }
    return found;
}
