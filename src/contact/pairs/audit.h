// SPDX-License-Identifier: MIT
// A check of a configuration that is independent of the contact solver: which faces intersect, and which are closest.
#ifndef CAROM_CONTACT_PAIRS_AUDIT_H
#define CAROM_CONTACT_PAIRS_AUDIT_H

#include "contact/broad/tree.h"
#include "contact/pairs/self_pairs.h"

// Start from {0}. The surface, the exclusions and `immovable` are kept by reference.
typedef struct carom_audit {
    const carom_surface *surface;
    const carom_exclusions *exclusions; // NULL: none
    const bool *immovable;              // per body: pairs of two such bodies are skipped; NULL: none
    const bool *filled; // per body: solid; nodes of bars and point masses inside it are intersections; NULL: none
    carom_tree tree;
    carom_folds folds;           // pairs within bodies
    carom_index_pairs crossings; // pairs of faces that intersected in the last carom_surface_intersections
} carom_audit;

// True if both bodies are immovable: these may overlap. A tag below 0 is not a body.
static inline bool carom_audit_are_immovable(const carom_audit *audit, int a, int b) {
    return audit->immovable && a >= 0 && b >= 0 && audit->immovable[a] && audit->immovable[b];
}

carom_status carom_audit_create(const carom_surface *surface, const carom_exclusions *exclusions, const bool *immovable,
                                carom_audit *audit, carom_error *error);
void carom_audit_release(carom_audit *audit);

// Counts the pairs of faces that intersect at the positions x, by exact predicates: triangles, or segments in the plane, with
// a point in common other than their common nodes; and lines and points that meet faces. Touching faces intersect. The
// pairs are stored in audit->crossings. Nodes inside bodies that are filled are counted as well.
carom_status carom_surface_intersections(carom_audit *audit, const double (*x)[3], int64_t *count, carom_error *error);

// The smallest distance between faces of different bodies, or `most` if none is smaller: passing the least distance of earlier
// configurations makes the search cheap. If it is smaller than `most`, `faces` (may be NULL) receives two faces at this
// distance, that of the body with the smaller index first.
carom_status carom_surface_distance(carom_audit *audit, const double (*x)[3], double most, double *distance, int faces[2],
                                    carom_error *error);

#endif
