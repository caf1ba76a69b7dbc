// SPDX-License-Identifier: MIT
// One frame in memory: the requested arrays of the grid that change in time, at one state. It is filled by all threads, and
// written later without the state.
#ifndef CAROM_OUTPUT_FRAMES_FRAME_H
#define CAROM_OUTPUT_FRAMES_FRAME_H

#include "output/frames/style.h"

// Start from {0}. All arrays are parts of `memory`; NULL: not wanted.
typedef struct carom_frame {
    double time;
    double *memory;
    double *positions;                        // of all points
    double *point_fields[CAROM_POINT_FIELDS]; // in the order of grid->point_fields
    double *fields[CAROM_GRID_FIELDS_MAX];    // of all cells
    double *nodal[CAROM_GRID_FIELDS_MAX];     // of all points, in the order of grid->nodal
    int32_t *contact_state;                   // a carom_touch per point
} carom_frame;

// Bytes of such a frame.
int64_t carom_frame_size(const carom_grid *grid, const carom_choice *choice);
// Memory for the fields of the choice and for the fields that their nodal means need. False if memory is short.
bool carom_frame_create(const carom_grid *grid, const carom_choice *choice, carom_frame *frame);
void carom_frame_release(carom_frame *frame);

// Fills all arrays; uses the scratch of the grid.
void carom_frame_take(carom_frame *frame, carom_grid *grid, const carom_state *state);

#endif
