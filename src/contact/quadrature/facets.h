// SPDX-License-Identifier: MIT
// Facets: the outer faces of bodies, with quadrilaterals left undivided, on which contact is integrated, and the quadrature
// rules on them. Obstacles have feelers, additional contact points at their nodes and along their edges (obstacle_points.h).
#ifndef CAROM_CONTACT_QUADRATURE_FACETS_H
#define CAROM_CONTACT_QUADRATURE_FACETS_H

#include "carom/mesh.h"
#include "contact/broad/tree.h"

// Cells of one body, of one type; global nodes.
typedef struct carom_facet_cells {
    carom_cell_type type; // plane or solid, or points: nodes without facets that meet those of other bodies
    int count;
    int node_count; // per cell
    const int *nodes;
    int body;
    double thickness; // of plane cells; 1 for solid ones; the area that a point stands for
    bool obstacle;    // master faces only, which touch other bodies by feelers (obstacle_points.h)
    bool sheet;       // of an obstacle: the cells are its faces, with contact on both sides
    bool deforms;     // of an obstacle: regions that are flat now may be bent later
} carom_facet_cells;

// A point of an obstacle that is projected onto the faces of bodies: at a node, or on a line between two.
typedef struct carom_feeler {
    int facet;     // number of its point or line, after the facets
    double N[2];   // shape functions of its nodes
    double area;   // tributary area of the obstacle
    double length; // tributary length of sharp edges of the obstacle
    bool tip;      // an isolated point
} carom_feeler;

// Start from {0}.
typedef struct carom_facets {
    int count;
    int point_count; // points and lines come after the facets, as facets with one or two corners; they are always slaves
    int (*nodes)[4]; // counter-clockwise seen from outside, -1 after the last; an edge of a plane body has the body on its left
    int *corners;    // 2, 3 or 4; of points 1, of lines 2
    int *body;
    double *thickness;
    bool *obstacle;      // per facet: always a master, with feelers instead of points
    bool *sheet;         // per facet: one side of a face; the other side is the next or the previous facet
    unsigned char *rims; // per facet of a sheet: bit i: side i (in the plane: corner i) is on the boundary of the sheet
    int feeler_count;
    carom_feeler *feelers;
    carom_surface surface; // the same as segments or triangles, for the search; source[t] is an index of `part_of`
    int *part_of;          // facet of each segment or triangle, in the order of creation
} carom_facets;

// Builds the facets: sides that belong to one cell only, in the order of the cells, and faces of obstacles with their feelers;
// the positions X are used for feelers only. Fails if memory is short, or if plane and solid cells are mixed.
carom_status carom_facets_build(int set_count, const carom_facet_cells *sets, int node_count, int body_count,
                                const double (*X)[3], carom_facets *facets, carom_error *error);
void carom_facets_release(carom_facets *facets);

// The reference area of each node of a facet, the integral of N_a; edges count with their thickness.
void carom_facet_areas(const carom_facets *facets, int facet, const double (*X)[3], double area[4]);

// Gauss points of a facet: two on an edge, three in a triangle, four in a quadrilateral. Returns their
// number, with the shape functions and weight times reference area of each.
int carom_facet_gauss(const carom_facets *facets, int facet, const double (*X)[3], double (*N)[4], double *area);

#endif
