// SPDX-License-Identifier: MIT
// An examination of a configuration that is independent of how contact is resolved: which faces intersect,
// and which are closest.
#ifndef CAROM_CONTACT_PAIRS_AUDIT_H
#define CAROM_CONTACT_PAIRS_AUDIT_H

#include "contact/broad/tree.h"

// Start from {0}. The surface, the exclusions and `immovable` are kept by reference.
typedef struct carom_audit {
    const carom_surface *surface;
    const carom_exclusions *exclusions; // NULL: none
    const bool *immovable;              // per body: pairs of two such bodies are skipped; NULL: none
    const bool *filled;                 // per body: nodes of bars and point masses inside it count as intersections; NULL: none
    carom_tree tree;
} carom_audit;

carom_status carom_audit_create(const carom_surface *surface, const carom_exclusions *exclusions, const bool *immovable,
                                carom_audit *audit, carom_error *error);
void carom_audit_release(carom_audit *audit);

// Counts the pairs of faces that intersect at the positions x, by exact predicates: triangles, or segments
// in the plane, with a point in common other than their common nodes; and lines and points that meet faces. Touching counts.
// The pairs remain in audit->tree.parts. Nodes inside bodies that are filled are counted as well.
carom_status carom_surface_intersections(carom_audit *audit, const double (*x)[3], int64_t *count, carom_error *error);

// The smallest distance between faces of different bodies; HUGE_VAL if there are none. `faces`, which may
// be NULL, receives two faces at that distance, the one of the smaller body first.
carom_status carom_surface_distance(carom_audit *audit, const double (*x)[3], double *distance, int faces[2],
                                    carom_error *error);

#endif
