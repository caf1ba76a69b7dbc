// SPDX-License-Identifier: MIT
// One frame as a VTK unstructured grid: an XML head, then all arrays as raw bytes, or packed by zlib.
//
// Points: current positions. PointData: the vectors of carom_point_field (displacement, velocity, ...), body, contact state,
// mass, numbers, nodal means. CellData: body, numbers, and each field of the elements (0 in cells whose element does not have
// it). FieldData: TimeValue. The style decides which of these a file contains (style.h).
#ifndef CAROM_OUTPUT_FRAMES_VTU_H
#define CAROM_OUTPUT_FRAMES_VTU_H

#include "output/frames/pack.h"

// Settings of a frame, and buffers that packing keeps between frames. Start from {.grid = ..., .cover = ..., .style = ...}.
typedef struct carom_vtu {
    const carom_grid *grid;
    const carom_cover *cover;
    const carom_style *style;
    int helpers;                           // threads that pack, in addition to the calling one
    carom_pack scratch;                    // the array that is being written
    carom_pack constant[CAROM_ARRAYS_MAX]; // arrays that are the same in all frames are packed once
} carom_vtu;

// Writes the file; it appears under its name only when complete.
carom_status carom_vtu_write(carom_vtu *vtu, const char *path, const carom_frame *frame, carom_error *error);
void carom_vtu_release(carom_vtu *vtu);

#endif
