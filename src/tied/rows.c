// SPDX-License-Identifier: MIT
// Stores the constraints of ties as rows of a sparse matrix (rows.h), and finds their residuals and the rows that restraints of
// nodes make inactive.
#include "tied/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"

// Nodes with weights below this fraction of the largest weight of a row are ignored.
static const double negligible_weight = 1e-6;

// The master side of a row counts as restrained if the weights of its restrained nodes sum up to at least this fraction of the
// weight of the first node.
static const double restrained_part = 0.1;

// Reserves memory for `more` entries after the present ones.
static bool reserve(carom_tie_rows *rows, int more) {
    int used = rows->count ? rows->begin[rows->count] : 0;
    if (used + (int64_t)more <= rows->entry_capacity)
        return true;
    int64_t capacity = 2 * (used + (int64_t)more);
    int *node = realloc(rows->node, (size_t)capacity * sizeof *node);
    if (node)
        rows->node = node;
    double *weight = realloc(rows->weight, (size_t)capacity * sizeof *weight);
    if (weight)
        rows->weight = weight;
    if (!node || !weight)
        return false;
    rows->entry_capacity = capacity;
    return true;
}

bool carom_tie_rows_add(carom_tie_rows *rows, int count, const int *nodes, const double *weights) {
    // one entry more than rows: the end of the last row
    int *begin = carom_grow(rows->begin, rows->count + 1, &rows->capacity, sizeof *begin);
    if (!begin)
        return false;
    rows->begin = begin;
    if (!reserve(rows, count))
        return false;
    if (rows->count == 0)
        begin[0] = 0;
    memcpy(rows->node + begin[rows->count], nodes, (size_t)count * sizeof *nodes);
    memcpy(rows->weight + begin[rows->count], weights, (size_t)count * sizeof *weights);
    begin[rows->count + 1] = begin[rows->count] + count;
    rows->count++;
    return true;
}

void carom_tie_rows_release(carom_tie_rows *rows) {
    free(rows->begin);
    free(rows->node);
    free(rows->weight);
    *rows = (carom_tie_rows){0};
}

// True if a node of a row is free along c and has a weight that is not negligible. *opposite: sum of the weights of the
// restrained nodes, without the first node.
static bool has_free(const carom_tie_rows *rows, int row, const bool (*held)[3], int c, double *opposite) {
    double largest = 0, largest_free = 0;
    *opposite = 0;
    for (int i = rows->begin[row]; i < rows->begin[row + 1]; i++) {
        double weight = fabs(rows->weight[i]);
        largest = fmax(largest, weight);
        if (!held[rows->node[i]][c])
            largest_free = fmax(largest_free, weight);
        else if (i > rows->begin[row])
            *opposite += weight;
    }
    return largest_free > negligible_weight * largest;
}

bool carom_tie_row_is_active(const carom_tie_rows *rows, int row, const bool (*held)[3], int c) {
    double opposite;
    if (!held[rows->node[rows->begin[row]]][c])
        return true;
    return row >= rows->surfaces && has_free(rows, row, held, c, &opposite);
}

bool carom_tie_row_is_lost(const carom_tie_rows *rows, int row, const bool (*held)[3], int c) {
    double opposite;
    return !carom_tie_row_is_active(rows, row, held, c) && has_free(rows, row, held, c, &opposite) &&
           opposite < restrained_part * fabs(rows->weight[rows->begin[row]]);
}

void carom_tie_rows_gap(const carom_tie_rows *rows, int row, const double (*v)[3], double gap[3]) {
    gap[0] = gap[1] = gap[2] = 0;
    // relative to the first node: common motion of all nodes cancels without rounding
    const double *first = v[rows->node[rows->begin[row]]];
    for (int i = rows->begin[row] + 1; i < rows->begin[row + 1]; i++)
        for (int d = 0; d < 3; d++)
            gap[d] += rows->weight[i] * (v[rows->node[i]][d] - first[d]);
}

double carom_tie_rows_largest(const carom_tie_rows *rows, const double (*x)[3]) {
    double largest = 0, gap[3];
    for (int r = 0; r < rows->count; r++) {
        carom_tie_rows_gap(rows, r, x, gap);
        largest = fmax(largest, carom_norm(gap));
    }
    return largest;
}
