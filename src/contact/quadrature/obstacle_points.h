// SPDX-License-Identifier: MIT
// Feelers: contact points on obstacles. Faces of obstacles may be of any size, so that quadrature points on them would be too
// sparse or too many: bodies have the points, and obstacles are masters. But an edge or a corner of an obstacle can penetrate a
// face of a body between its points. Therefore obstacles have additional points, called feelers, at their nodes and along their
// edges, which are projected onto the faces of bodies.
#ifndef CAROM_CONTACT_QUADRATURE_OBSTACLE_POINTS_H
#define CAROM_CONTACT_QUADRATURE_OBSTACLE_POINTS_H

#include "contact/quadrature/facets.h"

// Points between the ends of an edge, at most. On edges longer than 512 faces of bodies the spacing is larger.
enum { CAROM_FEELERS_MOST = 1023 };

// Appends the points, lines and feelers of obstacles to facets whose surface is not built yet, and marks the rims of sheets.
// Regions that are flat at the positions X have no feelers, unless their cells deform. CAROM_NO_MEMORY.
carom_status carom_feelers_list(int set_count, const carom_facet_cells *sets, int node_count, int body_count,
                                const double (*X)[3], carom_facets *facets, carom_error *error);

// The contact area of a feeler on a facet with area `facet_area`: four times its tributary area of the obstacle, plus on a
// sharp edge a strip as wide as the facet, plus for a tip the facet; at most the facet.
double carom_feeler_area(const carom_feeler *feeler, double facet_area);

#endif
