// SPDX-License-Identifier: MIT
// Decides whether facets (outer faces, facets.h) of one body can meet at all. Adjacent facets, and those on the two sides of a
// thin wall, are always near; nearly all of these pairs are excluded by the directions of their normals.
//
// Every test has a bound `motion` of the motion of the corners relative to each other, in a frame that translates and rotates
// with the body. A test that is true with a bound remains true with motion = 0 at all later positions within this bound.
#ifndef CAROM_CONTACT_QUADRATURE_NORMAL_CONES_H
#define CAROM_CONTACT_QUADRATURE_NORMAL_CONES_H

#include "contact/quadrature/facets.h"

// Normal at the centre of a facet, pointing outward, of any length; of a quadrilateral from its diagonals.
void carom_facet_outward(const carom_facets *facets, int facet, const double (*x)[3], double normal[3]);

// A lower bound of the distance of a point from a facet: its distance from the box of the corners, which contains even a warped
// facet, or from the corners along the normal at the centre.
double carom_facet_least_distance(const carom_facets *facets, int facet, const double (*x)[3], const double place[3]);

// True if two facets do not face each other: the cosine between the normal of `own` and that at every corner of `facet` is not
// below -cosine.
bool carom_facet_cannot_face(const carom_facets *facets, int own, int facet, const double (*x)[3], double cosine,
                             double motion);

// A cone of directions, within an angle of an axis, that contains the normals at the corners and the centres of some facets.
typedef struct carom_facet_cone {
    double axis[3];
    double angle; // at least pi: all directions
} carom_facet_cone;

carom_facet_cone carom_facet_cone_of(const carom_facets *facets, int facet, const double (*x)[3], double motion);
carom_facet_cone carom_facet_cones_unite(const carom_facet_cone *a, const carom_facet_cone *b);
// An upper bound of the angle between a direction of the one and a direction of the other.
double carom_facet_cones_angle(const carom_facet_cone *a, const carom_facet_cone *b);
// If the angle of the cones of two facets is smaller than this, carom_facet_cannot_face holds with that cosine.
double carom_facing_angle(double cosine);

// True if a point that moves with the body is behind the tangent plane of every corner of a facet.
bool carom_facet_is_ahead(const carom_facets *facets, int facet, const double (*x)[3], const double place[3], double motion);

#endif
