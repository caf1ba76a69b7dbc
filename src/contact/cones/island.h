// SPDX-License-Identifier: MIT
// Contacts that act on each other, solved to the end.
#ifndef CAROM_CONTACT_CONES_ISLAND_H
#define CAROM_CONTACT_CONES_ISLAND_H

#include "contact/cones/cones.h"
#include "contact/cones/interior.h"

// Memory; start from {0}.
typedef struct carom_cones_scratch {
    double (*best)[3], (*start)[3], (*saved)[3]; // forces of all contacts at some moment
    carom_cone_inside *inside;
    double *depth; // per contact
    int *deepest;  // per node: the deepest contact
    int64_t capacity;
    carom_cones_linear linear;
} carom_cones_scratch;

// Room for `count` contacts with four nodes each; false if memory is short.
bool carom_cones_scratch_make_room(carom_cones_scratch *scratch, int count);
void carom_cones_scratch_release(carom_cones_scratch *scratch);

// Solves a system whose rows have been prepared, from their x. Status, tolerance and counts as those of carom_cones_solve.
carom_status carom_cones_island_solve(carom_cones_scratch *scratch, carom_cone_system *system, double tolerance,
                                      carom_cones_counts *counts, carom_error *error);

#endif
