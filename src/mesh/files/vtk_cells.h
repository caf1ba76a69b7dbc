// SPDX-License-Identifier: MIT
// Cells as both VTK formats store them: one list of points, the end of each cell in it, and its type.
#ifndef CAROM_MESH_FILES_VTK_CELLS_H
#define CAROM_MESH_FILES_VTK_CELLS_H

#include "mesh/files/draft.h"

typedef struct carom_vtk_cells {
    int *points;
    int64_t point_count, point_capacity;
    int *ends; // where each cell ends in `points`
    int64_t count, capacity;
    unsigned char *types;
    int64_t type_count, type_capacity;
    int64_t *ids; // number of each cell, or NULL; owned by others
} carom_vtk_cells;

void carom_vtk_cells_release(carom_vtk_cells *cells);

bool carom_vtk_cells_add_point(carom_reader *reader, carom_vtk_cells *cells, int64_t point);
bool carom_vtk_cells_add_end(carom_reader *reader, carom_vtk_cells *cells, int64_t end);
bool carom_vtk_cells_add_type(carom_reader *reader, carom_vtk_cells *cells, int64_t type);

// Adds the cells to the draft; their points are counted from node `first`. `place` is where they stand in the file. Ids are
// left out if a cell becomes several.
bool carom_vtk_cells_draft(carom_reader *reader, const carom_vtk_cells *cells, int64_t first, const unsigned char *place);

#endif
