// SPDX-License-Identifier: MIT
// The largest eigenvalue of a symmetric matrix that is known by its products with vectors.
#ifndef CAROM_MATH_LANCZOS_H
#define CAROM_MATH_LANCZOS_H

#include <stdbool.h>

typedef struct carom_lanczos {
    int size;
    double *before, *now, *next;     // room for three vectors of this size
    void (*multiply)(void *context); // next = A now
    void *context;
} carom_lanczos;

// Sets `now` to a direction that is uniform on the sphere of the components that move; the others are 0. Returns how many move.
double carom_lanczos_start(carom_lanczos *z, bool (*moves)(const void *context, int component));

// Rounds after which the Ritz value is below 1 - sharpness of the largest eigenvalue with the probability `risk` at most.
int carom_lanczos_rounds(double dimensions, double sharpness, double risk);

// The largest Ritz value after at most so many rounds from `now`: never above the largest eigenvalue.
double carom_lanczos_largest(carom_lanczos *z, int rounds);

#endif
