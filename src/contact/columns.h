// SPDX-License-Identifier: MIT
// Positions sorted into columns parallel to a direction, so that all positions on a line of that direction are found without
// comparing all pairs.
#ifndef CAROM_CONTACT_COLUMNS_H
#define CAROM_CONTACT_COLUMNS_H

#include <stdbool.h>

// At most this many cells of the cross section lie within reach of a position.
enum { CAROM_COLUMN_CELLS = 4 };

// Cells of the plane normal to the direction, hashed into buckets. One bucket holds everything if the reach is infinite.
typedef struct carom_columns {
    double origin[3], axis[2][3]; // of the cross section
    double reach;                 // largest distance, normal to the direction, of two positions on one line
    double cell;                  // width of a cell
    unsigned mask;                // number of buckets, less one
    int *begin;                   // of the items of each bucket
    int *items;                   // ascending within each bucket
} carom_columns;

// Sorts items 0 to count - 1 by their positions, except those i with use[i] false (`use` NULL: none). False if memory is short.
// Release in either case.
bool carom_columns_create(carom_columns *columns, const double (*positions)[3], const bool *use, int count,
                          const double direction[3], double reach);
void carom_columns_release(carom_columns *columns);

// The buckets that contain all items within reach of the line through a position, each once; returns their number. They may
// contain other items as well.
int carom_columns_find(const carom_columns *columns, const double position[3], int buckets[CAROM_COLUMN_CELLS]);

// Copies the items of these buckets above `after`, ascending, to a list with capacity for all items; returns their number.
int carom_columns_collect(const carom_columns *columns, const double position[3], int after, int *list);

// The number of items in these buckets.
int carom_columns_size(const carom_columns *columns, const double position[3]);

#endif
