// SPDX-License-Identifier: MIT
// The model as one unstructured grid, as the field files of VTK want it: every element is a cell, the blocks one after another.
#ifndef CAROM_OUTPUT_GRID_H
#define CAROM_OUTPUT_GRID_H

#include "carom/state.h"

enum { CAROM_GRID_FIELDS_MAX = 32 };

// What does not change is filled once; `values` is scratch for what does.
typedef struct carom_grid {
    const carom_model *model;
    int node_count, cell_count;
    int64_t connectivity_count;
    int64_t *connectivity; // nodes of all cells
    int64_t *offsets;      // cell_count + 1 places in `connectivity`, the first is 0
    uint8_t *types;        // VTK's number of each cell's type
    int32_t *cell_body;    // index of the body
    int32_t *node_body;
    bool numbered;        // a mesh brought numbers of its own
    int64_t *cell_number; // within the body: as its file counts, else from 0; NULL if not numbered
    int64_t *node_number;
    int field_count; // fields that any of the elements offers, by name
    carom_element_field fields[CAROM_GRID_FIELDS_MAX];
    double *values; // room for one vector per node or one field of all cells, whichever is larger
} carom_grid;

carom_status carom_grid_create(const carom_model *model, carom_grid *grid, carom_error *error);
void carom_grid_release(carom_grid *grid);

// Fills `values` with x - X of all nodes.
void carom_grid_displacement(carom_grid *grid, const carom_state *state);
// Fills `values` with one field of all cells; cells whose element does not offer it get 0.
void carom_grid_field(carom_grid *grid, const carom_state *state, int field);

#endif
