// SPDX-License-Identifier: MIT
// Sums and products of doubles without rounding, after J. R. Shewchuk: Adaptive precision floating-point arithmetic and fast
// robust geometric predicates. Discrete & Computational Geometry 18 (1997) 305-363; sum and product after Knuth, Dekker and
// Veltkamp.
//
// An expansion is a sum of doubles that do not overlap, ordered by magnitude, without zeros: its sign is that of its last term.
// The arithmetic is exact unless a term overflows or a product underflows.
#ifndef CAROM_MATH_EXPANSION_H
#define CAROM_MATH_EXPANSION_H

#include "base/kernel.h"

enum { CAROM_EXPANSION_MAX = 192 }; // terms of orient3d: 6 permutations of 8 products of parts, 4 doubles each

// Start from count = 0: the number zero.
typedef struct carom_expansion {
    int count;
    double term[CAROM_EXPANSION_MAX];
} carom_expansion;

// a + b = sum + *rest exactly.
CAROM_LOCAL double carom_two_sum(double a, double b, double *rest) {
    double sum = a + b, of_b = sum - a, of_a = sum - of_b;
    *rest = (a - of_a) + (b - of_b);
    return sum;
}

// The upper 26 bits of a, by Veltkamp's splitting with the factor 2^27 + 1: products of two halves are exact.
CAROM_LOCAL double carom_upper_half(double a) {
    double c = 0x1.0000002p27 * a, d = c - a;
    return c - d;
}

// a b = product + *rest exactly.
CAROM_LOCAL double carom_two_product(double a, double b, double *rest) {
    double product = a * b, a1 = carom_upper_half(a), a0 = a - a1, b1 = carom_upper_half(b), b0 = b - b1;
    *rest = a0 * b0 - (((product - a1 * b1) - a0 * b1) - a1 * b0);
    return product;
}

// e += b, at most CAROM_EXPANSION_MAX times.
CAROM_LOCAL void carom_expansion_add(carom_expansion *e, double b) {
    int count = 0;
    for (int i = 0; i < e->count; i++) {
        double rest;
        b = carom_two_sum(b, e->term[i], &rest);
        if (rest != 0)
            e->term[count++] = rest;
    }
    if (b != 0)
        e->term[count++] = b;
    e->count = count;
}

// e += a b
CAROM_LOCAL void carom_expansion_add_product(carom_expansion *e, double a, double b) {
    if (a == 0 || b == 0)
        return;
    double rest, product = carom_two_product(a, b, &rest);
    carom_expansion_add(e, rest);
    carom_expansion_add(e, product);
}

// e += a b c
CAROM_LOCAL void carom_expansion_add_triple(carom_expansion *e, double a, double b, double c) {
    if (a == 0 || b == 0 || c == 0)
        return;
    double rest, product = carom_two_product(a, b, &rest);
    carom_expansion_add_product(e, rest, c);
    carom_expansion_add_product(e, product, c);
}

// -1, 0 or 1
CAROM_LOCAL int carom_expansion_sign(const carom_expansion *e) {
    return e->count == 0 ? 0 : e->term[e->count - 1] > 0 ? 1 : -1;
}

#endif
