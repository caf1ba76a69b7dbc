// SPDX-License-Identifier: MIT
// Boxes sorted into the cells of a regular grid: finds those that overlap a given box without testing all of them.
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
    int64_t *begin; // per cell c and one more: its boxes are box[begin[c]] to box[begin[c + 1] - 1]
    int *box;
    int *seen, turn; // per box: number of the last search that found it; number of the present search
    int *found;      // result of the last search
} carom_tie_grid;

// Creates a grid. Its cells have the largest of the three mean extents of the boxes as their width, or more if that would give
// too many cells. False if memory is short; must be released in any case.
bool carom_tie_grid_create(int count, const carom_tie_box *boxes, carom_tie_grid *grid);
void carom_tie_grid_release(carom_tie_grid *grid);

// Finds the numbers of all boxes that overlap `box`, ascending, in grid->found; returns their number.
int carom_tie_grid_search(carom_tie_grid *grid, const carom_tie_box *box);

#endif
