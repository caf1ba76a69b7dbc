// SPDX-License-Identifier: MIT
// Solves the contacts of one island, which are coupled by common movable nodes.
#ifndef CAROM_CONTACT_CONES_ISLAND_H
#define CAROM_CONTACT_CONES_ISLAND_H

#include "contact/cones/counts.h"
#include "contact/cones/interior.h"

// Scratch memory; start from {0}.
typedef struct carom_cones_scratch {
    double (*best)[3], (*start)[3], (*saved)[3]; // forces x of all contacts: best so far, before an iteration, before a method
    carom_cone_inside *inside;
    double *depth; // per contact: its penetration
    int *deepest;  // per node: its deepest contact
    int64_t capacity;
    carom_cones_linear linear;
} carom_cones_scratch;

// Reserves memory for `count` contacts with four nodes each; false if memory is short.
bool carom_cones_scratch_reserve(carom_cones_scratch *scratch, int count);
void carom_cones_scratch_release(carom_cones_scratch *scratch);

// Solves a system with prepared rows, starting from their x. Status, tolerance and counts as in
// carom_cones_solve.
carom_status carom_cones_island_solve(carom_cones_scratch *scratch, carom_cone_system *system, double tolerance,
                                      carom_cones_counts *counts, carom_error *error);

#endif
