// SPDX-License-Identifier: MIT
// The largest eigenvalue of a symmetric matrix by the Lanczos method, which needs products with vectors only.
#ifndef CAROM_MATH_LANCZOS_H
#define CAROM_MATH_LANCZOS_H

#include <stdbool.h>

typedef struct carom_lanczos {
    int size;
    double *before, *now, *next;     // three vectors of this size, allocated by the caller
    void (*multiply)(void *context); // next = A now
    void *context;
} carom_lanczos;

// Sets `now` to a random direction, uniform on the unit sphere of the components that move; the others are 0. Returns the
// number of components that move.
double carom_lanczos_start(carom_lanczos *z, bool (*moves)(const void *context, int component));

// Number of rounds after which the Ritz value is below (1 - sharpness) times the largest eigenvalue with at most the
// probability `risk`.
int carom_lanczos_rounds(double dimensions, double sharpness, double risk);

// The largest Ritz value after at most `rounds` rounds from `now`: never above the largest eigenvalue.
double carom_lanczos_largest(carom_lanczos *z, int rounds);

#endif
