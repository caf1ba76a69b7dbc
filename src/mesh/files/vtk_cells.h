// SPDX-License-Identifier: MIT
// Cells as both VTK formats store them: one list of points, the end of each cell in it, and its type.
#ifndef CAROM_MESH_FILES_VTK_CELLS_H
#define CAROM_MESH_FILES_VTK_CELLS_H

#include "mesh/files/draft.h"

typedef struct carom_vtk_numbers {
    int *items;
    int64_t count, capacity;
} carom_vtk_numbers;

typedef struct carom_vtk_cells {
    carom_vtk_numbers points;
    carom_vtk_numbers ends; // where each cell ends in `points`
    carom_vtk_numbers types;
    int64_t *ids; // number of each cell, or NULL; owned by others
} carom_vtk_cells;

void carom_vtk_cells_release(carom_vtk_cells *cells);

// Adds a number; one that is not an index becomes -1, which is refused with the cell that contains it.
bool carom_vtk_cells_add(carom_reader *reader, carom_vtk_numbers *list, int64_t number);

// Adds the cells to the draft; their points are counted from node `first`. `place` is their place in the file. Ids are dropped
// if a cell becomes several.
bool carom_vtk_cells_draft(carom_reader *reader, const carom_vtk_cells *cells, int64_t first, const unsigned char *place);

#endif
