// SPDX-License-Identifier: MIT
// The part of a grid that is written: all points and cells, or of solids only the outer faces with their nodes.
#ifndef CAROM_OUTPUT_FRAMES_SURFACE_CELLS_H
#define CAROM_OUTPUT_FRAMES_SURFACE_CELLS_H

#include "output/frames/grid.h"

// Start from {0}.
typedef struct carom_cover {
    int point_count, cell_count;
    int64_t connectivity_count;
    // As in the grid, with indices of points of the cover; borrowed from the grid if all of it is written.
    const int64_t *connectivity, *offsets;
    const uint8_t *types;
    // For each point its index in the grid, ascending; for each cell the index of the cell of the grid that it is, or of which
    // it is a face. NULL: the same indices.
    int *points, *cells;
    void *memory[3]; // own copies of the arrays above; NULL: borrowed
} carom_cover;

// The whole grid or, with `surface`, the outer faces of solids (tetrahedra, bricks and wedges) and every other cell as it is,
// in the order of the cells of the grid; points without such a cell are left out. A grid without tetrahedra and bricks is
// always written as a whole.
carom_status carom_cover_create(const carom_grid *grid, bool surface, carom_cover *cover, carom_error *error);
void carom_cover_release(carom_cover *cover);

#endif
