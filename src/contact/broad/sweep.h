// SPDX-License-Identifier: MIT
// Boxes around the paths of vertices in a step, which decide which of the pairs found can meet during it.
//
// Boxes are stored in single precision in the coordinates of a tree, and rounded outward.
#ifndef CAROM_CONTACT_BROAD_SWEEP_H
#define CAROM_CONTACT_BROAD_SWEEP_H

#include "contact/broad/search.h"

// Start from {0}. Per node: the lower corner of its box, then the upper corner.
typedef struct carom_sweep {
    const carom_surface *surface;
    float (*boxes)[8];
} carom_sweep;

carom_status carom_sweep_create(const carom_surface *surface, carom_sweep *sweep, carom_error *error);
void carom_sweep_release(carom_sweep *sweep);

// Sets the boxes: the paths of vertices from x to x + h w, enlarged by `reach` on all sides. The tree must
// have been fitted before, to any configuration: it affects only the precision.
void carom_sweep_set(carom_sweep *sweep, const carom_tree *tree, const double (*x)[3], const double (*w)[3], double h,
                     double reach);

// Tests pairs, the first of which are node pairs, the others edge pairs: `meet` becomes true if their boxes
// overlap and their distance at the search is within the limit of their term. Independent of the number of
// threads. True if a value of `meet` has changed.
bool carom_sweep_test(const carom_sweep *sweep, const carom_near_pair *pairs, int count, int node_pairs, const double *limits,
                      bool *meet);

#endif
