// SPDX-License-Identifier: MIT
// A loop over a range that threads share where it pays. To form a team costs half a microsecond even if it has one thread, and
// a step of 1000 tetrahedra some twenty: short ranges are done without one.
#ifndef CAROM_BASE_PIECES_H
#define CAROM_BASE_PIECES_H

#include <stdint.h>

// Where one of some portions of `count` items begins: fixed, so that results do not depend on the number of threads.
static inline int carom_portion_begin(int count, int portion, int portions) {
    return (int)((int64_t)count * portion / portions);
}

// What is done with items [begin, end). Pieces are independent of each other; the answer is a number of which the largest
// counts.
typedef double (*carom_piece)(const void *context, int begin, int end);

// All items [0, count): in one piece by the calling thread if there are no more than `alone`, else in pieces of a fixed size by
// a team. Returns the largest answer, at least 0; an answer that is not a number does not count.
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
