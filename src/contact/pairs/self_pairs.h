// SPDX-License-Identifier: MIT
// The pairs of faces of one body that can intersect, for the audit: neighbours, and faces that are near each other.
//
// The near pairs of a body that deforms little remain the same. They are listed with a reach, and the list is valid as long as
// no vertex deviates by more than half the reach from a rigid copy of the body at the time of listing: two faces whose distance
// exceeded the reach then do not touch. Any rigid motion may be used for the copy. The decision depends on positions only.
#ifndef CAROM_CONTACT_PAIRS_SELF_PAIRS_H
#define CAROM_CONTACT_PAIRS_SELF_PAIRS_H

#include "contact/broad/tree.h"
#include "contact/pairs/vertex_fans.h"

// The list of one body.
typedef struct carom_folds_body {
    bool skipped;                 // self-intersection is allowed
    bool worn;                    // its pairs must be listed again
    double margin;                // reach of a list for more than one audit
    double reach;                 // of the present list; below 0: there is none
    double deviation;             // largest deviation of a vertex from the rigid copy, at the last audit
    double centre[3], turn[3][3]; // rigid motion of the copy: x -> turn x + centre
} carom_folds_body;

// Start from {0}. The surface is kept by reference.
typedef struct carom_folds {
    const carom_surface *surface;
    carom_stars stars;
    carom_folds_body *bodies;
    int *begin, *vertices;  // per body: its vertices are those from vertices[begin[b]] to before that of b + 1
    double (*x)[3];         // per entry of `vertices`: its position when the body was listed, relative to the centre
    carom_index_pairs near; // pairs of faces without a common node
    uint64_t *keys;         // keys of the bodies to be listed, with their numbers and reaches
    int *numbers;
    double *reaches;
    carom_arena *arena; // memory of these arrays except `near`
} carom_folds;

carom_status carom_folds_create(const carom_surface *surface, const carom_exclusions *exclusions, const bool *immovable,
                                carom_folds *folds, carom_error *error);
void carom_folds_release(carom_folds *folds);

// Makes `near` hold every two faces of one body without a common node that can intersect at the positions x, and examines the
// stars. The tree is used for the search: its boxes are changed, fitted to x.
carom_status carom_folds_update(carom_folds *folds, carom_tree *tree, const double (*x)[3], carom_error *error);

#endif
