// SPDX-License-Identifier: MIT
// Multiplies a sparse matrix with vectors by blocks, the rows of the unknowns of one node (product.h). The rows of a block have
// the same columns. Their entries of x are gathered side by side, block by block, and then each row is multiplied with them
// eight entries at a time. Lane l sums the entries l, l + 8, ... whatever the width of the registers, so that bits do not
// depend on the processor.
#include "solver/product.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/arena.h"
#include "base/kernel.h"

enum {
    LANES = 8,
    GATHERED = 32,          // blocks whose entries of x are gathered at a time: a brick inside a mesh has 27 neighbours
    PARALLEL_BLOCKS = 4096, // below, starting threads costs more than it saves
};

typedef __attribute__((vector_size(LANES * sizeof(double)))) double lanes;
typedef __attribute__((vector_size(LANES * sizeof(float)))) float halves;

void carom_product_release(carom_product *p) {
    carom_arena_release(p->memory);
    *p = (carom_product){.rows = p->rows};
}

// Blocks of unknowns of the same node, which follow each other. of[i] is the block of unknown i.
static void find_blocks(carom_product *p, const carom_sparse *matrix, int *of) {
    int last = -1, axis;
    for (int i = 0; i < matrix->size; i++) {
        int node = carom_sparse_node(matrix, i, &axis);
        if (node != last)
            p->block_begin[p->block_count++] = i;
        of[i] = p->block_count - 1;
        last = node;
    }
    p->block_begin[p->block_count] = matrix->size;
}

// The couplings of all blocks, from the columns of their first rows.
static bool find_couplings(carom_product *p, const carom_sparse *matrix, const int *of) {
    // a row has one entry for each unknown of a coupled block; the block is counted at its first unknown
#pragma omp parallel for schedule(static) if (p->block_count > PARALLEL_BLOCKS)
    for (int b = 0; b < p->block_count; b++) {
        int row = p->block_begin[b], count = 0;
        p->begin[b] = matrix->row_begin[row];
        for (int64_t e = matrix->row_begin[row]; e < matrix->row_begin[row + 1]; e++)
            count += matrix->column[e] == p->block_begin[of[matrix->column[e]]];
        p->first[b + 1] = count;
    }
    for (int b = 0; b < p->block_count; b++)
        p->first[b + 1] += p->first[b];
    bool enough = true;
    p->coupled = carom_arena_reserve(p->memory, p->first[p->block_count], sizeof *p->coupled, &enough);
    if (!enough)
        return false;
#pragma omp parallel for schedule(static) if (p->block_count > PARALLEL_BLOCKS)
    for (int b = 0; b < p->block_count; b++) {
        int row = p->block_begin[b], *next = p->coupled + p->first[b];
        for (int64_t e = matrix->row_begin[row]; e < matrix->row_begin[row + 1]; e++)
            if (matrix->column[e] == p->block_begin[of[matrix->column[e]]])
                *next++ = of[matrix->column[e]];
    }
    return true;
}

static bool find_pattern(carom_product *p, const carom_sparse *matrix) {
    int n = matrix->size;
    carom_product_release(p);
    p->memory = carom_arena_create();
    int *of = carom_allocate(n, sizeof *of);
    bool ready = p->memory && of;
    p->block_begin = carom_arena_reserve(p->memory, (int64_t)n + 1, sizeof *p->block_begin, &ready);
    p->first = carom_arena_reserve(p->memory, (int64_t)n + 1, sizeof *p->first, &ready);
    p->begin = carom_arena_reserve(p->memory, n, sizeof *p->begin, &ready);
    if (ready) {
        find_blocks(p, matrix, of);
        ready = find_couplings(p, matrix, of);
    }
    free(of);
    if (!ready)
        carom_product_release(p);
    else
        p->pattern = matrix->pattern;
    return ready;
}

// The largest value of the rows of a block, or one that is not finite.
static double largest_of(const carom_sparse *matrix, int begin, int end) {
    double largest = 0;
    for (int64_t e = matrix->row_begin[begin]; e < matrix->row_begin[end]; e++)
        largest = fabs(matrix->value[e]) <= largest ? largest : fabs(matrix->value[e]);
    return largest;
}

// Blocks whose rows are assembled here.
static int first_block(const carom_product *p) {
    return p->rows ? p->rows->piece_begin * CAROM_ROWS_PIECE : 0;
}

static int end_block(const carom_product *p) {
    int end = p->rows ? p->rows->piece_end * CAROM_ROWS_PIECE : p->block_count;
    return end < p->block_count ? end : p->block_count;
}

// Finds the blocks and their couplings if the pattern is new, whether all values are finite, and the largest magnitude.
static bool locate(carom_product *p, const carom_sparse *matrix, bool *finite, double *largest) {
    bool known = p->block_begin && p->pattern == matrix->pattern && p->block_begin[p->block_count] == matrix->size;
    if (!carom_rows_all(p->rows, known || find_pattern(p, matrix)))
        return false;
    double most = 0;
    bool odd = false;
#pragma omp parallel for schedule(static) reduction(max : most) reduction(|| : odd) if (p->block_count > PARALLEL_BLOCKS)
    for (int b = first_block(p); b < end_block(p); b++) {
        double here = largest_of(matrix, p->block_begin[b], p->block_begin[b + 1]);
        odd = odd || !isfinite(here);
        most = here > most ? here : most;
    }
    *finite = carom_rows_all(p->rows, !odd);
    *largest = carom_rows_most(p->rows, most);
    return true;
}

bool carom_product_locate(carom_product *p, const carom_sparse *matrix, bool *finite) {
    double largest;
    return locate(p, matrix, finite, &largest);
}

bool carom_product_prepare(carom_product *p, const carom_sparse *matrix, bool *finite) {
    double largest;
    if (!locate(p, matrix, finite, &largest))
        return false;
    bool enough = true;
    if (!p->value)
        // the last row is read beyond its end
        p->value = carom_arena_reserve(p->memory, matrix->row_begin[matrix->size] + LANES, sizeof *p->value, &enough);
    if (!carom_rows_all(p->rows, enough))
        return false;
    if (!*finite)
        return true;
    // values are scaled so that the largest is between 1 and 2; a matrix of very small values is not scaled
    int exponent;
    frexp(largest, &exponent);
    p->scale = largest > DBL_MIN ? ldexp(1, exponent - 1) : 1;
    double factor = 1 / p->scale;
#pragma omp parallel for schedule(static) if (p->block_count > PARALLEL_BLOCKS)
    for (int b = first_block(p); b < end_block(p); b++)
        for (int64_t e = matrix->row_begin[p->block_begin[b]]; e < matrix->row_begin[p->block_begin[b + 1]]; e++)
            p->value[e] = (float)(factor * matrix->value[e]);
    return true;
}

// sum[i] += row i times the gathered numbers, of which there are `count`, with zeros behind them up to a multiple of eight. The
// rows are those in single precision or, if `wide`, those of the matrix itself.
CAROM_INLINE void add_rows(bool wide, const float *row, const double *full, int64_t length, int size, const double *gathered,
                           int count, lanes sum[3]) {
    for (int e = 0; e < count; e += LANES) {
        lanes x;
        memcpy(&x, gathered + e, sizeof x);
        for (int i = 0; i < size; i++) {
            lanes a;
            halves h;
            if (wide) {
                memcpy(&a, full + i * length + e, sizeof a);
            } else {
                memcpy(&h, row + i * length + e, sizeof h);
                a = __builtin_convertvector(h, lanes);
            }
            sum[i] += a * x;
        }
    }
}

CAROM_INLINE void multiply_block(const carom_product *p, bool wide, const double *full, int b, int size, const double *x,
                                 double *y) {
    double gathered[3 * GATHERED + LANES];
    lanes sum[3];
    memset(sum, 0, sizeof sum);
    // all rows of the block have the same length, which is also the distance between two of them
    int64_t length = 0, done = p->begin[b];
    for (int64_t c = p->first[b]; c < p->first[b + 1]; c++)
        length += p->block_begin[p->coupled[c] + 1] - p->block_begin[p->coupled[c]];
    for (int64_t c = p->first[b]; c < p->first[b + 1]; c += GATHERED) {
        int64_t end = c + GATHERED < p->first[b + 1] ? c + GATHERED : p->first[b + 1];
        int count = 0;
        for (int64_t k = c; k < end; k++) {
            int from = p->block_begin[p->coupled[k]];
            // three at once; the next block overwrites the excess
            memcpy(gathered + count, x + from, 3 * sizeof *x);
            count += p->block_begin[p->coupled[k] + 1] - from;
        }
        for (int e = 0; e < LANES; e++)
            gathered[count + e] = 0;
        add_rows(wide, wide ? NULL : p->value + done, wide ? full + done : NULL, length, size, gathered, count, sum);
        done += count;
    }
    double scale = wide ? 1 : p->scale;
    for (int i = 0; i < size; i++) {
        lanes s = sum[i];
        y[p->block_begin[b] + i] = scale * (((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])));
    }
}

CAROM_INLINE void multiply_blocks(const carom_product *p, bool wide, const double *full, int begin, int end, const double *x,
                                  double *y) {
    for (int b = begin; b < end; b++) {
        // constant sizes unroll the loops
        int size = p->block_begin[b + 1] - p->block_begin[b];
        if (size == 3)
            multiply_block(p, wide, full, b, 3, x, y);
        else if (size == 2)
            multiply_block(p, wide, full, b, 2, x, y);
        else
            multiply_block(p, wide, full, b, 1, x, y);
    }
}

CAROM_KERNEL(rows, (const carom_product *p, int begin, int end, const double *x, double *y), (p, begin, end, x, y),
             multiply_blocks(p, false, NULL, begin, end, x, y))

CAROM_KERNEL(full_rows, (const carom_product *p, const double *full, int begin, int end, const double *x, double *y),
             (p, full, begin, end, x, y), multiply_blocks(p, true, full, begin, end, x, y))

void carom_product_rows(const carom_product *p, int begin, int end, const double *x, double *y) {
    rows(p, begin, end, x, y);
}

void carom_product_full_rows(const carom_product *p, const carom_sparse *matrix, int begin, int end, const double *x,
                             double *y) {
    full_rows(p, matrix->value, begin, end, x, y);
}
