// SPDX-License-Identifier: MIT
// The pairs of faces of one body that can intersect, for the audit: neighbours, and faces that are near each other.
//
// A body that bends little carries its near pairs along. They are listed with a reach, and the list serves as long as no vertex
// has left its place in a rigid copy of the body, as it was when listed, by half the reach: two faces that were farther apart
// than the reach then have a distance. Any rigid motion proves that, and the positions alone decide, not the course of the run.
#ifndef CAROM_CONTACT_PAIRS_SELF_PAIRS_H
#define CAROM_CONTACT_PAIRS_SELF_PAIRS_H

#include "contact/broad/tree.h"
#include "contact/pairs/vertex_fans.h"

// The list of one body.
typedef struct carom_folds_body {
    bool skipped;                 // its faces may intersect each other
    bool worn;                    // its pairs must be listed again
    double margin;                // reach of a list that is to serve longer than one audit
    double reach;                 // of the present list; below 0: there is none
    double way;                   // farthest way of a vertex from its place in the rigid copy, at the last look
    double centre[3], turn[3][3]; // the place of the copy: x goes to turn x + centre
} carom_folds_body;

// Start from {0}. The surface is kept by reference.
typedef struct carom_folds {
    const carom_surface *surface;
    carom_stars stars;
    carom_folds_body *bodies;
    int *begin, *vertices;  // per body: its vertices are those from vertices[begin[b]] to before that of b + 1
    double (*x)[3];         // per entry of `vertices`: its place when the body was listed, from the centre
    carom_index_pairs near; // pairs of faces without a common node
    uint64_t *keys;         // of the bodies to be listed, with their numbers and reaches
    int *numbers;
    double *reaches;
    carom_arena *arena; // has these arrays, but `near`
} carom_folds;

carom_status carom_folds_create(const carom_surface *surface, const carom_exclusions *exclusions, const bool *immovable,
                                carom_folds *folds, carom_error *error);
void carom_folds_release(carom_folds *folds);

// Makes `near` hold every two faces of one body without a common node that can intersect at the positions x, and examines the
// stars. The tree serves for the search and is left fitted to x with other boxes.
carom_status carom_folds_update(carom_folds *folds, carom_tree *tree, const double (*x)[3], carom_error *error);

#endif
