// SPDX-License-Identifier: MIT
// Finds for each quadrature point of a slave surface the facet of a master surface onto which it projects.
//
// Notation: points lie on the slave and are projected onto the master. `reach` is the search radius:
// masters at larger distances are ignored.
#ifndef CAROM_CONTACT_QUADRATURE_PAIRING_H
#define CAROM_CONTACT_QUADRATURE_PAIRING_H

#include "contact/broad/list_validity.h"
#include "contact/quadrature/facet_tree.h"
#include "contact/quadrature/tractions.h"

// Which body is the slave if two bodies meet.
typedef enum carom_slave {
    CAROM_SLAVE_FIRST,  // the body that is named first
    CAROM_SLAVE_SECOND, // the body that is named second
    CAROM_SLAVE_BOTH,   // both, each against the other
} carom_slave;

typedef enum carom_quadrature {
    CAROM_QUADRATURE_GAUSS, // points inside the facets
    CAROM_QUADRATURE_NODAL, // at the nodes
} carom_quadrature;

// A quadrature point of a slave surface.
typedef struct carom_slave_point {
    int count; // nodes
    int node[4];
    double N[4];
    double area; // weight times reference area
    int body;
    int facet_begin, facet_end; // the facets it lies on: pairing.facets_of[facet_begin] ...
} carom_slave_point;

// The position of a point at positions x of the nodes.
void carom_slave_point_place(const carom_slave_point *p, const double (*x)[3], double place[3]);

// Counts of the searches so far, for tests.
typedef struct carom_pairing_counts {
    int64_t between, within; // searches for near facets of two bodies, and of one
} carom_pairing_counts;

// Start from {0}. Facets, exclusions and X are kept by reference.
typedef struct carom_pairing {
    const carom_facets *facets;
    const carom_exclusions *exclusions;
    carom_slave slave;
    double reach;         // search radius
    const double (*X)[3]; // the reference
    carom_tree tree;
    int point_count, feelers_begin; // feelers of obstacles are the last points
    carom_slave_point *points;
    const double (*start)[3]; // positions at the start of the step, which decide the sides of sheets; NULL: those of the search
    int *facets_of;
    int *points_begin, *points_of; // per facet: its points are points_of[points_begin[f]] ...

    int *begin; // per facet: masters near it are near[begin[f]] to near[begin[f + 1] - 1], ascending
    int *near;
    int64_t capacity;
    carom_pairing_counts counts;

    // of two bodies: valid as long as no node has moved by more than half the reach relative to a common translation
    carom_facet_pairs between;
    bool between_listed;
    double (*place)[3]; // per node of the surface: position for which the list was made

    // of one body, if there is one that can touch itself: valid as long as near nodes have moved by less than `slack` relative
    // to each other, in a frame that moves with the body
    carom_facet_pairs within;
    bool within_listed;
    carom_facet_tree within_tree;
    carom_wear *wear; // per body; NULL: no body touches itself
    double slack;
    double diameter; // of the largest facet when the list was made
    bool *keeps;     // scratch, per pair that was found
    int64_t keeps_capacity;
} carom_pairing;

carom_status carom_pairing_create(const carom_facets *facets, const carom_exclusions *exclusions, carom_slave slave,
                                  carom_quadrature quadrature, double reach, const double (*X)[3], carom_pairing *pairing,
                                  carom_error *error);
void carom_pairing_release(carom_pairing *pairing);

// Lists the masters near each facet at the positions x, unless the previous list is still valid. Results do
// not depend on whether it was.
carom_status carom_pairing_search(carom_pairing *pairing, const double (*x)[3], carom_error *error);

// The facet of a master that is closest to a point at the positions x, within reach; -1 if there is none.
// Among facets at equal distance, as at a common edge, the one whose plane is more distant. A body touches
// itself only at facets that face the point and that it has approached from outside, not through the body.
int carom_pairing_find(const carom_pairing *pairing, int point, const double (*x)[3]);

// Facets of one body face each other if the cosine of the angle between their normals is below minus this.
#define CAROM_FACING_COSINE 0.1

// True if no point of the facet `own` can meet facet f of the same body as long as corners near each other move by less than
// `motion` relative to each other, in a frame that turns with the body.
bool carom_pairing_never_meets(const carom_pairing *pairing, int own, int f, const double (*x)[3], double motion);

// Used by create and release: the memory of the lists.
carom_status carom_pairing_list_create(carom_pairing *pairing, carom_error *error);
void carom_pairing_list_release(carom_pairing *pairing);

#endif
