// SPDX-License-Identifier: MIT
// Finds the samples (points of a square grid at which a picture or a shadow map is evaluated) that lie inside a triangle, row
// by row. Samples lie at the centres of the squares. A sample exactly on an edge that two triangles share belongs to one of
// them only.
#ifndef CAROM_OUTPUT_PICTURE_SCAN_H
#define CAROM_OUTPUT_PICTURE_SCAN_H

#include <stdbool.h>

typedef struct carom_scan {
    double x[3], y[3];
    double weights[3][3];   // of corner i: weights[i][0] + weights[i][1] x + weights[i][2] y
    int row_begin, row_end; // rows that may hold samples
} carom_scan;

// Prepares a triangle; false if it has no area. Rows are clipped to [0, rows).
bool carom_scan_begin(carom_scan *scan, const double corners[3][2], int rows);

// The samples of a row, clipped to [0, width): false if there are none.
bool carom_scan_row(const carom_scan *scan, int row, int width, int *begin, int *end);

// The weights of the corners at a sample: a linear function has the value sum of weight times value there.
static inline void carom_scan_weights(const carom_scan *scan, int column, int row, double weights[3]) {
    for (int i = 0; i < 3; i++)
        weights[i] = scan->weights[i][0] + scan->weights[i][1] * (column + 0.5) + scan->weights[i][2] * (row + 0.5);
}

#endif
