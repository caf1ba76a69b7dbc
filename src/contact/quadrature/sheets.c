// SPDX-License-Identifier: MIT
// Decides on which side of a sheet (a face of an obstacle with two sides, sheets.h) a contact point of a body is, from its
// height above the sheet, along the normal of the point, at the start of a step.
#include "contact/quadrature/sheets.h"

#include <math.h>

#include "contact/quadrature/normal_cones.h"
#include "math/vec3.h"

// Largest depth of a point behind a face at the start of a step, in units of the reach, along its own normal.
static const double max_depth = 0.5;

// Smallest cosine of the angle between a face and the facet of a point for which the two lie flat on each other. A face of a
// body that is pressed by the edge of a sheet is tilted, and some of its points are next to the sheet rather than behind it.
static const double min_facing_cosine = 0.7;

// True if a point is nearest to a rim of the facet and its foot lies beyond it: the face does not stop such a point.
static bool is_beyond_rim(const carom_facets *facets, int f, const double (*x)[3], const double place[3], double height,
                          double distance) {
    const int *n = facets->nodes[f];
    int corners = facets->corners[f];
    double tie = 1e-9 * distance;
    if (!facets->rims[f] || distance <= fabs(height) + tie)
        return false;
    for (int i = 0; i < corners; i++)
        if (facets->rims[f] >> i & 1 &&
            carom_side_distance(x[n[i]], x[n[corners == 2 ? i : (i + 1) % corners]], place) <= distance + tie)
            return true;
    return false;
}

// The cosine of the angle between the outward normal of a facet and the opposite of a direction.
static double cosine_of(const carom_facets *facets, int own, const double (*x)[3], const double toward[3]) {
    double normal[3];
    carom_facet_outward(facets, own, x, normal);
    carom_normalize(normal);
    return -carom_dot(toward, normal);
}

bool carom_sheet_is_met(const carom_pairing *pairing, const carom_slave_point *p, int own, int f, const double (*x)[3],
                        const double toward[3], double height, double distance) {
    const carom_facets *facets = pairing->facets;
    double place[3], before, unused[3];
    carom_slave_point_place(p, x, place);
    // a node without faces has no outward normal, so its side is not defined
    if (own >= facets->count || is_beyond_rim(facets, f, x, place, height, distance))
        return false;
    double cosine = cosine_of(facets, own, x, toward);
    if (!(cosine > CAROM_FACING_COSINE))
        return false;
    const double(*start)[3] = pairing->start ? pairing->start : x;
    carom_slave_point_place(p, start, place);
    // without a projection at the start the depth is unknown, and the contact is accepted
    return isinf(carom_face_distance(facets->corners[f], facets->nodes[f], start, place, &before, unused)) ||
           before >= -max_depth * pairing->reach * cosine;
}

// The height of a point above a facet along its own normal, if its foot lies on it and the two lie flat on each other; else
// NaN.
static double height_above(const carom_pairing *pairing, const carom_slave_point *p, int own, int f, const double (*x)[3]) {
    const carom_facets *facets = pairing->facets;
    double place[3], height, toward[3];
    carom_slave_point_place(p, x, place);
    double distance = carom_face_distance(facets->corners[f], facets->nodes[f], x, place, &height, toward);
    if (!isfinite(distance) || distance > fabs(height))
        return NAN;
    double cosine = cosine_of(facets, own, x, toward);
    return cosine > min_facing_cosine ? height / cosine : NAN;
}

carom_sheet_fault carom_sheets_check(const carom_pairing *pairing, const double (*x0)[3], const double (*x1)[3],
                                     int bodies[2]) {
    const carom_facets *facets = pairing->facets;
    double deep = -max_depth * pairing->reach;
    // sheets are the last facets
    bool any = facets->count && facets->sheet[facets->count - 1];
    for (int i = 0; i < pairing->feelers_begin && any; i++) {
        const carom_slave_point *p = &pairing->points[i];
        for (int k = p->facet_begin; k < p->facet_end; k++)
            for (int own = pairing->facets_of[k], j = pairing->begin[own]; j < pairing->begin[own + 1]; j++) {
                int f = pairing->near[j];
                double place[3];
                if (!facets->sheet[f] || own >= facets->count)
                    continue;
                carom_slave_point_place(p, x1, place);
                if (carom_facet_least_distance(facets, f, x1, place) > pairing->reach)
                    continue;
                // comparisons with NaN are false
                double after = height_above(pairing, p, own, f, x1), before = height_above(pairing, p, own, f, x0);
                bool passed = before >= deep && after < deep, squeezed = before < deep && after >= deep;
                if (!passed && !squeezed)
                    continue;
                bodies[0] = p->body;
                bodies[1] = facets->body[f];
                return passed ? CAROM_SHEET_PASSED : CAROM_SHEET_SQUEEZED;
            }
    }
    return CAROM_SHEET_HOLDS;
}
