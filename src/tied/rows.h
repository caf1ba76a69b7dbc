// SPDX-License-Identifier: MIT
// Theory: docs/theory/tied.md
// Ties as rows of a matrix G over nodes: sum_i g_i x_i = 0, the same for x, y and z. In each row sum_i g_i = 0 and the
// reference positions satisfy it, so that every rigid motion of all its nodes satisfies it as well.
#ifndef CAROM_TIED_ROWS_H
#define CAROM_TIED_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/status.h"

// Row r has the entries begin[r] to begin[r + 1] - 1; its first node is the slave if a row is solved for a node and there is a
// choice (elimination.h). Start from {0}.
typedef struct carom_tie_rows {
    int count;
    int64_t capacity;
    int surfaces; // number of rows of tied surfaces, one per slave node, which come first; the others pin points
    int *begin;   // count + 1 entries; NULL without rows
    int64_t entry_capacity;
    int *node;
    double *weight;
} carom_tie_rows;

// Appends a row. False if memory is short.
bool carom_tie_rows_add(carom_tie_rows *rows, int count, const int *nodes, const double *weights);
void carom_tie_rows_release(carom_tie_rows *rows);

// True if a row constrains component c. `held`: restrained components of nodes. A row of a surface is active if its slave node
// is free; the row of a pinned point, if one of its nodes is.
bool carom_tie_row_is_active(const carom_tie_rows *rows, int row, const bool (*held)[3], int c);

// True if tied surfaces can separate at a row along c: its slave node is restrained, so that the row is inactive, while its
// master nodes are free. If these are restrained as well, as on a plane of symmetry, nothing is lost.
bool carom_tie_row_is_lost(const carom_tie_rows *rows, int row, const bool (*held)[3], int c);

// G v of one row.
void carom_tie_rows_gap(const carom_tie_rows *rows, int row, const double (*v)[3], double gap[3]);

// The largest |G x| over all rows.
double carom_tie_rows_largest(const carom_tie_rows *rows, const double (*x)[3]);

#endif
