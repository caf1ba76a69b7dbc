// SPDX-License-Identifier: MIT
// Points at the same place become one.
#ifndef CAROM_MESH_MEND_WELD_H
#define CAROM_MESH_MEND_WELD_H

#include <stdbool.h>
#include <stdint.h>

// Welds points that are equal (tolerance 0), or no further apart than the tolerance along each axis. The points that stay move to the
// front, in the order in which they first appear, with their coordinates; place[k] is the new index of point k. Returns how many
// stay, or -1 if memory is short.
int64_t carom_weld(double (*points)[3], int64_t count, double tolerance, int *place);

#endif
