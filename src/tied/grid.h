// SPDX-License-Identifier: MIT
// Boxes sorted into the cells of a regular grid: finds those that meet another box without looking at all of them.
#ifndef CAROM_TIED_GRID_H
#define CAROM_TIED_GRID_H

#include <stdbool.h>
#include <stdint.h>

typedef struct carom_tie_box {
    double low[3], high[3];
} carom_tie_box;

// Start from {0}. The boxes are kept by reference.
typedef struct carom_tie_grid {
    int count;
    const carom_tie_box *boxes;
    double low[3], width[3]; // corner of the grid, size of a cell
    int cells[3];
    int64_t *begin; // per cell and one more: its boxes are box[begin[c]] ...
    int *box;
    int *seen, turn; // per box: the last search that met it
    int *found;      // of the last search
} carom_tie_grid;

// Cells are as large as a box is in the mean. False if memory is short; release in any case.
bool carom_tie_grid_create(int count, const carom_tie_box *boxes, carom_tie_grid *grid);
void carom_tie_grid_release(carom_tie_grid *grid);

// The numbers of all boxes that meet a box, ascending, in grid->found; returns how many.
int carom_tie_grid_search(carom_tie_grid *grid, const carom_tie_box *box);

#endif
