// SPDX-License-Identifier: MIT
// Which face of the master each quadrature point of a slave surface projects on.
#ifndef CAROM_CONTACT_QUADRATURE_PAIRING_H
#define CAROM_CONTACT_QUADRATURE_PAIRING_H

#include "contact/quadrature/facets.h"
#include "contact/quadrature/tractions.h"

// Who carries the points where two bodies meet.
typedef enum carom_slave {
    CAROM_SLAVE_FIRST,  // the body that is named first
    CAROM_SLAVE_SECOND, // the other
    CAROM_SLAVE_BOTH,   // both, each against the other
} carom_slave;

typedef enum carom_quadrature {
    CAROM_QUADRATURE_GAUSS, // points inside the facets
    CAROM_QUADRATURE_NODAL, // the nodes
} carom_quadrature;

// A point of a slave surface.
typedef struct carom_slave_point {
    int count; // nodes
    int node[4];
    double N[4];
    double area; // weight times reference area
    int body;
    int facet_begin, facet_end; // the facets it lies on: pairing.facets_of[facet_begin] ...
} carom_slave_point;

// Start from {0}. Facets, exclusions and X are kept by reference.
typedef struct carom_pairing {
    const carom_facets *facets;
    const carom_exclusions *exclusions;
    carom_slave slave;
    double reach;         // farther masters are not seen
    const double (*X)[3]; // the reference
    bool listed;          // `near` holds what is within reach as long as no node is farther than half the reach from `place`
    double (*place)[3];   // per node of the surface
    carom_tree tree;
    int point_count;
    carom_slave_point *points;
    int *facets_of;
    int *begin; // per facet: masters near it are near[begin[f]] to near[begin[f + 1] - 1], ascending
    int *near;
    int64_t capacity;
    int (*pairs)[2]; // slave and master facets that are being sorted
    int64_t pair_capacity;
} carom_pairing;

carom_status carom_pairing_create(const carom_facets *facets, const carom_exclusions *exclusions, carom_slave slave,
                                  carom_quadrature quadrature, double reach, const double (*X)[3], carom_pairing *pairing,
                                  carom_error *error);
void carom_pairing_release(carom_pairing *pairing);

// Lists the masters that are near each facet at the positions x, unless the last list still serves. What is found does not depend on that.
carom_status carom_pairing_search(carom_pairing *pairing, const double (*x)[3], carom_error *error);

// The facet of a master that is nearest to a point at the positions x, within reach; -1: none. Of facets that are equally near, as at a
// common edge, the one whose plane is farther. A body touches itself only with faces that look at the point and that it has reached from
// outside, not through the body.
int carom_pairing_find(const carom_pairing *pairing, int point, const double (*x)[3]);

#endif
