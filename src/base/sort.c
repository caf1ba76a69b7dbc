// SPDX-License-Identifier: MIT
#include "base/sort.h"

#include <string.h>

// ---- position codes ----

// Puts two zero bits after each of the 21 lowest bits.
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
    double cell = (x + 1) * (0.5 * CELLS);
    return cell >= CELLS ? CELLS - 1 : cell > 0 ? (uint64_t)cell : 0;
}

uint64_t carom_morton_code(double x, double y, double z) {
    return spread(cell_of(x)) << 2 | spread(cell_of(y)) << 1 | spread(cell_of(z));
}

// ---- by digits, the lowest first ----

enum { DIGIT_BITS = 11, DIGITS = 6, DIGIT_VALUES = 1 << DIGIT_BITS };

static int digit_of(uint64_t code, int digit) {
    return (int)(code >> (digit * DIGIT_BITS)) & (DIGIT_VALUES - 1);
}

void carom_sort_coded(carom_coded *items, carom_coded *space, int count) {
    int begin[DIGITS][DIGIT_VALUES] = {{0}};
    for (int i = 0; i < count; i++)
        for (int d = 0; d < DIGITS; d++)
            begin[d][digit_of(items[i].code, d)]++;

    carom_coded *from = items, *to = space;
    for (int d = 0; d < DIGITS; d++) {
        // a digit that all share changes nothing
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

// ---- by entities ----

void carom_sort_pairs(const carom_pair_part *parts, int part_count, int key, int key_count, int *begin, int (*out)[2]) {
    // counted one place further, so that filling leaves the beginnings
    memset(begin, 0, ((size_t)key_count + 1) * sizeof *begin);
    for (int p = 0; p < part_count; p++)
        for (int i = 0; i < parts[p].count; i++)
            begin[parts[p].pairs[i][key] + 1]++;
    for (int k = 0; k < key_count; k++)
        begin[k + 1] += begin[k];
    for (int p = 0; p < part_count; p++)
        for (int i = 0; i < parts[p].count; i++) {
            int place = begin[parts[p].pairs[i][key]]++;
            out[place][0] = parts[p].pairs[i][0];
            out[place][1] = parts[p].pairs[i][1];
        }
    memmove(begin + 1, begin, (size_t)key_count * sizeof *begin);
    begin[0] = 0;
}
