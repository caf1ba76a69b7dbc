// SPDX-License-Identifier: MIT
// Parts shared by carom_mesh_check and carom_mesh_fix.
#ifndef CAROM_MESH_MEND_CHECK_H
#define CAROM_MESH_MEND_CHECK_H

#include "carom/mesh.h"

typedef enum carom_cell_state {
    CAROM_CELL_GOOD,
    CAROM_CELL_FLAT,       // one node twice, or no volume (area, length)
    CAROM_CELL_INSIDE_OUT, // a negative volume
    CAROM_CELL_FOLDED,     // inverted at a corner only: a hexahedron or quadrilateral that is not convex
} carom_cell_state;

carom_cell_state carom_cell_examine(const carom_mesh *mesh, carom_cell_type type, const int *nodes);

// Counts a fault and keeps it if it is among the first.
void carom_mesh_faults_add(carom_mesh_faults *faults, carom_mesh_fault fault, int64_t first, int64_t second);

#endif
