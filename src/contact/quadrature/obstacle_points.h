// SPDX-License-Identifier: MIT
// Where obstacles touch bodies. Faces of obstacles may be of any size, so that points on them would be too far apart or too
// many: bodies carry the points of contact. An edge or a corner of an obstacle, however, presses into a face of a body between
// these. It has feelers: points at the nodes of the obstacle and along its edges, which are projected onto the faces of bodies.
#ifndef CAROM_CONTACT_QUADRATURE_OBSTACLE_POINTS_H
#define CAROM_CONTACT_QUADRATURE_OBSTACLE_POINTS_H

#include "contact/quadrature/facets.h"

// Points between the ends of an edge, at most. Edges of more than 512 faces of bodies have feelers farther apart.
enum { CAROM_FEELERS_MOST = 1023 };

// Appends the points, lines and feelers of obstacles to facets whose surface is not built yet, and marks the rims of sheets.
// Parts that are flat at the positions X have none, unless their cells deform. CAROM_NO_MEMORY.
carom_status carom_feelers_list(int set_count, const carom_facet_cells *sets, int node_count, int body_count,
                                const double (*X)[3], carom_facets *facets, carom_error *error);

// The area that a feeler stands for on a facet of that area which it meets: four times that of the obstacle around it, of a
// sharp edge a strip as wide as the facet, of a tip the facet; and not more than that.
double carom_feeler_area(const carom_feeler *feeler, double facet_area);

#endif
