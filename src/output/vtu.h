// SPDX-License-Identifier: MIT
// One frame as a VTK unstructured grid: an XML head, then all arrays as raw bytes.
//
// Points: current positions. PointData: displacement, velocity, impulse, contact force, body, contact
// state, mass, nodal means. CellData: body, and each field of the elements (0 in cells whose element does
// not offer it). FieldData: TimeValue.
#ifndef CAROM_OUTPUT_VTU_H
#define CAROM_OUTPUT_VTU_H

#include "output/frame.h"

// Writes the file; it appears under its name only when complete.
carom_status carom_vtu_write(const char *path, const carom_grid *grid, const carom_frame *frame, carom_error *error);

// Bytes of one frame, for the estimate before a run.
int64_t carom_vtu_size(const carom_grid *grid);

#endif
