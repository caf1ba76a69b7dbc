// SPDX-License-Identifier: MIT
// A look at a configuration of surfaces from outside, independent of how contact is resolved: what intersects, and what is nearest.
#ifndef CAROM_CONTACT_PAIRS_AUDIT_H
#define CAROM_CONTACT_PAIRS_AUDIT_H

#include "contact/broad/tree.h"

// Start from {0}. The surface, the exclusions and `held` are kept by reference.
typedef struct carom_audit {
    const carom_surface *surface;
    const carom_exclusions *exclusions; // NULL: none
    const bool *held;                   // per body: of two such bodies it does not matter where they are; NULL: none
    carom_tree tree;
} carom_audit;

carom_status carom_audit_create(const carom_surface *surface, const carom_exclusions *exclusions, const bool *held,
                                carom_audit *audit, carom_error *error);
void carom_audit_release(carom_audit *audit);

// Counts the pairs of faces that intersect at the positions x, by exact predicates: triangles, or segments in the plane, that have a point
// in common besides their common nodes. Touching counts. The pairs are in audit->tree.parts afterwards.
carom_status carom_surface_intersections(carom_audit *audit, const double (*x)[3], int64_t *count, carom_error *error);

// The smallest distance between faces of different bodies; HUGE_VAL if there are no two. `faces`, which may be NULL, are two faces that have it,
// the one of the smaller body first.
carom_status carom_surface_distance(carom_audit *audit, const double (*x)[3], double *distance, int faces[2],
                                    carom_error *error);

#endif
