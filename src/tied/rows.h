// SPDX-License-Identifier: MIT
// Theory: docs/theory/tied.md
// Ties as rows of a matrix G over nodes: sum_i g_i x_i = 0, the same for x, y and z. In each row sum_i g_i = 0 and the
// reference positions satisfy it, so that every rigid motion of all its nodes does too.
#ifndef CAROM_TIED_ROWS_H
#define CAROM_TIED_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/status.h"

// Row r has the entries begin[r] to begin[r + 1] - 1; the first one is its leader, the node that follows the others where
// there is a choice. Start from {0}.
typedef struct carom_tie_rows {
    int count;
    int64_t capacity;
    int surfaces; // the first so many rows are of surfaces, one for each node that follows; the others pin points
    int *begin;   // count + 1 once there is a row
    int64_t entry_capacity;
    int *node;
    double *weight;
} carom_tie_rows;

// Appends a row. False if memory is short.
bool carom_tie_rows_add(carom_tie_rows *rows, int count, const int *nodes, const double *weights);
void carom_tie_rows_release(carom_tie_rows *rows);

// Whether a row ties anything along component c, where `held` tells which components of nodes are restrained. A pin does as
// long as one of its nodes is free. A node of a surface does not follow where it is restrained.
bool carom_tie_row_is_active(const carom_tie_rows *rows, int row, const bool (*held)[3], int c);

// Whether the surfaces of a row can part along c: its leader is restrained, and does not follow, while the nodes opposite are
// free. Where these are restrained as well, as on a plane of symmetry, nothing is lost.
bool carom_tie_row_is_lost(const carom_tie_rows *rows, int row, const bool (*held)[3], int c);

// G v of one row.
void carom_tie_rows_gap(const carom_tie_rows *rows, int row, const double (*v)[3], double gap[3]);

// The largest |G x| of all rows.
double carom_tie_rows_largest(const carom_tie_rows *rows, const double (*x)[3]);

#endif
