// SPDX-License-Identifier: MIT
// Counters of the work of the solver of simultaneous contacts with friction (cones.h), for reports.
#ifndef CAROM_CONTACT_CONES_COUNTS_H
#define CAROM_CONTACT_CONES_COUNTS_H

#include <stdint.h>

// Every solve adds to the first three; start from {0}.
typedef struct carom_cones_counts {
    int64_t sweeps;         // Gauss-Seidel sweeps over one island
    int64_t factorisations; // factorisations for one island, by Newton's method and the interior point method
    int64_t loose;          // islands with slightly contradictory contacts, solved to 1e-9 of the largest gap
    int islands;            // of the last solve: groups of contacts connected by nodes that can move
    int largest;            // of the last solve: contacts in the largest island
    int stuck;              // if it failed: 1 + the contact that no displacement opens; 0: another failure
} carom_cones_counts;

#endif
