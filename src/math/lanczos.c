// SPDX-License-Identifier: MIT
// Estimates the largest eigenvalue of a symmetric matrix by k steps of the Lanczos method (lanczos.h). The estimate, the
// largest Ritz value t, never exceeds it, and for a start uniform on the sphere of n dimensions
//
//     P( t < (1 - e) lambda_max ) <= 1.648 sqrt(n) exp(-sqrt(e) (2 k - 1)),
//
// J. Kuczynski, H. Wozniakowski, SIAM J. Matrix Anal. Appl. 13 (1992) 1094-1122, theorem 4.2.
#include "math/lanczos.h"

#include <math.h>
#include <stdint.h>
#include "math/functions.h"

// More than the bound requires for 10^9 unknowns, a sharpness of 0.01 and a risk of 1e-12.
enum { ROUNDS_MAX = 400 };

// Least number of components for parallel loops: a loop takes at most a nanosecond per component, and starting and ending
// threads takes microseconds. Sums are serial, since the result depends on their order.
enum { SHARED = 1 << 15 };

static double dot(const double *a, const double *b, int size) {
    double sum = 0;
    for (int i = 0; i < size; i++)
        sum += a[i] * b[i];
    return sum;
}

// Number `index` of a random sequence in (0, 1], by SplitMix64 with seed 1. The generator is fixed, so that results are the
// same on every machine; numbers are computed without earlier ones, so that threads can work in parallel.
static double random_unit(uint64_t index) {
    uint64_t z = 1 + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)(((z ^ (z >> 31)) >> 11) + 1) * 0x1p-53;
}

// Normal deviates (Box and Muller), scaled to unit length.
double carom_lanczos_start(carom_lanczos *z, bool (*moves)(const void *context, int component)) {
    int64_t dimensions = 0;
#pragma omp parallel for schedule(static) reduction(+ : dimensions) if (z->size > SHARED)
    for (int i = 0; i < z->size; i++) {
        bool free = moves(z->context, i);
        uint64_t index = 2 * (uint64_t)i;
        double radius = sqrt(-2 * carom_log(random_unit(index))), angle = 6.283185307179586 * random_unit(index + 1);
        z->now[i] = free ? radius * carom_cos(angle) : 0;
        z->before[i] = 0;
        dimensions += free;
    }
    double length = sqrt(dot(z->now, z->now, z->size));
#pragma omp parallel for schedule(static) if (z->size > SHARED)
    for (int i = 0; i < z->size; i++)
        z->now[i] /= length;
    return (double)dimensions;
}

int carom_lanczos_rounds(double dimensions, double sharpness, double risk) {
    return (int)ceil(0.5 * (carom_log(1.648 * sqrt(dimensions) / risk) / sqrt(sharpness) + 1));
}

// The largest eigenvalue of a symmetric tridiagonal matrix by bisection within Gershgorin's bound. A pivot of middle I - T that
// is not positive indicates an eigenvalue above `middle` (Sturm sequence).
static double largest(const double *diagonal, const double *side, int size) {
    double low = 0, high = 0;
    for (int i = 0; i < size; i++)
        high = fmax(high, fabs(diagonal[i]) + (i > 0 ? side[i - 1] : 0) + (i + 1 < size ? side[i] : 0));
    while (high - low > 1e-13 * high) {
        double middle = 0.5 * (low + high), pivot = 1;
        bool above = false;
        for (int i = 0; i < size && !above; i++) {
            pivot = middle - diagonal[i] - (i > 0 ? side[i - 1] * side[i - 1] / pivot : 0);
            above = pivot <= 0;
        }
        if (above)
            low = middle;
        else
            high = middle;
    }
    return high;
}

// Without reorthogonalisation: loss of orthogonality repeats Ritz values but does not increase the largest one.
double carom_lanczos_largest(carom_lanczos *z, int rounds) {
    double diagonal[ROUNDS_MAX], side[ROUNDS_MAX], scale = 0;
    int count = 0;
    while (count < rounds && count < ROUNDS_MAX) {
        z->multiply(z->context);
        double a = dot(z->now, z->next, z->size), b = count ? side[count - 1] : 0;
#pragma omp parallel for schedule(static) if (z->size > SHARED)
        for (int i = 0; i < z->size; i++)
            z->next[i] -= a * z->now[i] + b * z->before[i];
        diagonal[count] = a;
        side[count] = sqrt(dot(z->next, z->next, z->size));
        scale = fmax(scale, fabs(a) + b);
        count++;
        // the Krylov space is exhausted: the Ritz values are eigenvalues
        if (!(side[count - 1] > 1e-12 * scale))
            break;
#pragma omp parallel for schedule(static) if (z->size > SHARED)
        for (int i = 0; i < z->size; i++) {
            z->before[i] = z->now[i];
            z->now[i] = z->next[i] / side[count - 1];
        }
    }
    return largest(diagonal, side, count);
}
