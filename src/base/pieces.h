// SPDX-License-Identifier: MIT
// A loop over a range, in parallel if it is long. A parallel region costs half a microsecond even with one thread, while a step
// of 1000 tetrahedra takes about twenty: short ranges are serial.
#ifndef CAROM_BASE_PIECES_H
#define CAROM_BASE_PIECES_H

#include <stdint.h>

// The beginning of portion number `portion` of `count` items: fixed, so that results do not depend on the number of threads.
static inline int carom_portion_begin(int count, int portion, int portions) {
    return (int)((int64_t)count * portion / portions);
}

// Processes items [begin, end), independently of other pieces. Returns a number, of which the maximum is taken.
typedef double (*carom_piece)(const void *context, int begin, int end);

// Processes all items [0, count): up to `alone` items in one piece by the calling thread, more in pieces of fixed size by all
// threads. Returns the largest result, at least 0; NaN is ignored.
static inline double carom_pieces(int count, int alone, carom_piece piece, const void *context) {
    const int size = 256;
    double most = 0;
    if (count <= alone) {
        double own = piece(context, 0, count);
        return own > 0 ? own : 0;
    }
#pragma omp parallel for schedule(static) reduction(max : most)
    for (int p = 0; p < (count + size - 1) / size; p++) {
        int end = (p + 1) * size;
        double own = piece(context, p * size, end < count ? end : count);
        most = own > most ? own : most;
    }
    return most;
}

#endif
