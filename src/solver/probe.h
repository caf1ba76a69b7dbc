// SPDX-License-Identifier: MIT
// The right-hand side, made of pseudo-random numbers, for the iterative test whether a matrix is positive definite
// (conjugate.c).
#ifndef CAROM_SOLVER_PROBE_H
#define CAROM_SOLVER_PROBE_H

#include <stdint.h>

// The probability of missing an eigenvalue that is not positive.
#define CAROM_PROBE_OVERLOOKED 1e-4

// A pseudo-random number between -1 and 1: the finalizer of splitmix64 (G. L. Steele, D. Lea, C. H. Flood, OOPSLA 2014).
static inline double carom_probe_number(uint64_t i) {
    uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1;
}

#endif
