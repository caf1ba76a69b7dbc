// SPDX-License-Identifier: MIT
// fields.vtkhdf: all frames in one HDF5 file with the layout of VTKHDF 2.0, which ParaView 5.12 and later
// open with all times. Points are current positions; the arrays are those of the .vtu files (vtu.h);
// constant arrays are stored once.
//
// The file is closed between frames, so that it can be read during a run and survives a killed run. Built
// only with HDF5 (CAROM_HAVE_HDF5).
#ifndef CAROM_OUTPUT_FRAMES_VTKHDF_H
#define CAROM_OUTPUT_FRAMES_VTKHDF_H

#include "output/frames/vtu.h"

// A new file without frames. With `deflate` its values are packed.
carom_status carom_vtkhdf_create(const char *path, const carom_vtu *vtu, bool deflate, carom_error *error);
// Appends a frame, the one with this number (from 0). Frames with this number or a higher one, left by an interrupted
// run, are cut off.
carom_status carom_vtkhdf_append(const char *path, const carom_vtu *vtu, const carom_frame *frame, int64_t number,
                                 carom_error *error);

#endif
