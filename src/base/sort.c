// SPDX-License-Identifier: MIT
// Morton codes and two stable sorts in linear time. Both are stable, so that ties are broken by the order of the input and the
// result is the same on any number of threads.
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

// Puts two zero bits after each of the 21 lowest bits: each step moves the upper half of every group of bits to its place.
static uint64_t spread(uint64_t v) {
    v = (v | v << 32) & UINT64_C(0x001f00000000ffff);
    v = (v | v << 16) & UINT64_C(0x001f0000ff0000ff);
    v = (v | v << 8) & UINT64_C(0x100f00f00f00f00f);
    v = (v | v << 4) & UINT64_C(0x10c30c30c30c30c3);
    v = (v | v << 2) & UINT64_C(0x1249249249249249);
    return v;
}

static uint64_t cell_of(double x) {
    enum { CELLS = 1 << 21 };
    // with comparisons in this order, NaN gives cell 0
    double cell = (x + 1) * (0.5 * CELLS);
    return cell >= CELLS ? CELLS - 1 : cell > 0 ? (uint64_t)cell : 0;
}

uint64_t carom_morton_code(double x, double y, double z) {
    return spread(cell_of(x)) << 2 | spread(cell_of(y)) << 1 | spread(cell_of(z));
}

// Constants of a radix sort, lowest digit first.
enum {
    DIGIT_BITS = 11, // six passes for 64 bits; the counters of one digit fit the first-level cache
    DIGITS = 6,      // 6 x 11 >= 64
    DIGIT_VALUES = 1 << DIGIT_BITS,
};

static int digit_of(uint64_t code, int digit) {
    return (int)(code >> (digit * DIGIT_BITS)) & (DIGIT_VALUES - 1);
}

void carom_sort_coded(carom_coded *items, carom_coded *space, int count) {
    // counts do not depend on the order of items: one pass counts all digits
    int begin[DIGITS][DIGIT_VALUES] = {{0}};
    for (int i = 0; i < count; i++)
        for (int d = 0; d < DIGITS; d++)
            begin[d][digit_of(items[i].code, d)]++;

    carom_coded *from = items, *to = space;
    for (int d = 0; d < DIGITS; d++) {
        // a digit that is the same in all items does not change the order; upper digits often are
        if (count == 0 || begin[d][digit_of(from[0].code, d)] == count)
            continue;
        for (int v = 0, sum = 0; v < DIGIT_VALUES; v++) {
            int here = begin[d][v];
            begin[d][v] = sum;
            sum += here;
        }
        for (int i = 0; i < count; i++)
            to[begin[d][digit_of(from[i].code, d)]++] = from[i];
        carom_coded *swap = from;
        from = to;
        to = swap;
    }
    if (from != items)
        memcpy(items, from, (size_t)count * sizeof *items);
}

static int by_number(const void *a, const void *b) {
    const int *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

void carom_sort_numbers(int *numbers, int count) {
    if (count > 1)
        qsort(numbers, (size_t)count, sizeof *numbers, by_number);
}

int carom_sort_once(int *numbers, int count) {
    int kept = 0;
    carom_sort_numbers(numbers, count);
    for (int i = 0; i < count; i++)
        if (i == 0 || numbers[i] != numbers[kept - 1])
            numbers[kept++] = numbers[i];
    return kept;
}

void carom_sort_pairs(const int (*pairs)[2], int count, int key_count, int *begin, int (*out)[2]) {
    // counting sort; begin[k] is used as a cursor: after filling it is the end of key k, which is the beginning of key k + 1,
    // so that shifting by one place restores the beginnings
    memset(begin, 0, ((size_t)key_count + 1) * sizeof *begin);
    for (int i = 0; i < count; i++)
        begin[pairs[i][0] + 1]++;
    for (int k = 0; k < key_count; k++)
        begin[k + 1] += begin[k];
    for (int i = 0; i < count; i++) {
        int place = begin[pairs[i][0]]++;
        out[place][0] = pairs[i][0];
        out[place][1] = pairs[i][1];
    }
    memmove(begin + 1, begin, (size_t)key_count * sizeof *begin);
    begin[0] = 0;
}

int carom_compare_ints(const void *a, const void *b) {
    int i = *(const int *)a, j = *(const int *)b;
    return (i > j) - (i < j);
}

static int compare_located(const void *a, const void *b) {
    const carom_located *p = a, *q = b;
    return p->at < q->at ? -1 : p->at > q->at ? 1 : (p->item > q->item) - (p->item < q->item);
}

void carom_sort_located(carom_located *items, int count) {
    qsort(items, (size_t)count, sizeof *items, compare_located);
}
