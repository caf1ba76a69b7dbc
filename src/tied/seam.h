// SPDX-License-Identifier: MIT
// Theory: docs/theory/tied.md
// The seam of two tied surfaces: the pairs of nodes of two faces that cover each other. Nodes, edges and faces with such a
// pair of nodes coincide at the interface and are excluded from contact; all others of the two bodies may touch.
#ifndef CAROM_TIED_SEAM_H
#define CAROM_TIED_SEAM_H

#include <stdbool.h>
#include <stdint.h>

// Start from {0}; free `pairs`. Pairs may repeat.
typedef struct carom_seam {
    int64_t count, capacity;
    int (*pairs)[2]; // a node of the first surface and one of the second
} carom_seam;

// Appends a pair; false if memory is short.
bool carom_seam_add(carom_seam *seam, int first, int second);

#endif
