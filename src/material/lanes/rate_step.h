// SPDX-License-Identifier: MIT
// The plastic strain of a step by Johnson and Cook's law for a batch, with one evaluation of the flow stress. In the notation
// of johnson_cook.h, with s = theta (A + B alpha^n) and X = q - s,
//
//     g(d) = q - E d - theta (A + B a^n) (1 + C ln(d/slow)) = 0,   a = alpha + d .
//
// 1. A guess to some 1e-4, from functions to 1e-5. (1 + w)^n - 1 is n w/(1 + (1 - n) w/2) but for third powers of w, so that
//    at d the hardening is about G = n theta B alpha^n d/(alpha + (1 - n) d/2). With V = E d + G (1 + C ln(d/slow)) and
//    K = C (s + G) a step of Fritsch, Shafer and Crowley leads from the upper bound X/E to next to the root where V is large;
//    where the rate takes most of X another one follows, or it begins from a guess at Wright's function.
//
// 2. g at the guess, in full precision.
//
// 3. All derivatives follow from the same numbers: g(d (1 + x)) = g - c1 x + c2 x^2 - c3 x^3 + ... with
//
//        c1 = E d + K + N1 f,  c2 = K/2 - (N2 f + C N1),  c3 = K/3 + N3 f + C (N2 - N1/2),
//        f = 1 + C ln(d/slow),  K = C theta (A + B a^n),  N_k = theta B a^n (n over k) (d/a)^k,
//
//    and the series is turned round: x = z + b2 z^2 + (2 b2^2 - b3) z^3 with z = g/c1, b_k = c_k/c1. What is left is at most
//    about (K + N1 f) z^4/4.
//
// Lanes where that is not rounding, or where the law is another one (no rate, a straight piece of a^n), are left to the
// iteration of johnson_cook.h.
#ifndef CAROM_MATERIAL_LANES_RATE_STEP_H
#define CAROM_MATERIAL_LANES_RATE_STEP_H

#include "material/lanes/hardening.h"

#define CAROM_RATE_CLOSE 1e-15 // (K + N1 f) z^4 over q

// log2 x of positive numbers to 6e-5: the bits of a number are about its logarithm, and the rest is f (1 - f) times a cubic.
CAROM_INLINE void carom_kernel_log2_about(const carom_lanes *x, carom_lanes *result) {
    carom_lanes_words words;
    carom_lanes m, about;
    carom_kernel_log2_below(x, &about);
    memcpy(&words, x, sizeof words);
    words = (words & UINT64_C(0xfffffffffffff)) | UINT64_C(0x3ff0000000000000);
    memcpy(&m, &words, sizeof m);
    carom_lanes f = m - 1.0, square = f * f;
    *result = about + (f - square) * ((0.44241857854212263 - f * 0.2695780149489115) +
                                      square * (0.15053319659884173 - f * 0.04487395526326844));
}

// 2^y to 4e-6, |y| < 1000.
CAROM_INLINE void carom_kernel_exp2_about(const carom_lanes *y, carom_lanes *result) {
    const double round = 0x1.8p52;
    carom_lanes shifted = *y + round, k = shifted - round, f = *y - k, square = f * f;
    carom_lanes p = (1.0 + f * 0.6931210452034271) +
                    square * ((0.2402234903802036 + f * 0.05592197584225585) + square * 0.009666368515385448);
    carom_lanes_words words, exponent;
    memcpy(&words, &p, sizeof words);
    memcpy(&exponent, &shifted, sizeof exponent);
    words = words + (exponent << 52);
    memcpy(result, &words, sizeof *result);
}

// Numbers of a batch. base and term are s and theta B alpha^n, to 1e-5.
typedef struct carom_lanes_rate {
    double rate, over_slow; // C and 1/slow, 0 without a rate
    carom_lanes base, term;
} carom_lanes_rate;

// Numbers of the guess, stresses but for the logarithm u of the rate; `less` is what is missing.
typedef struct carom_lanes_about {
    carom_lanes V, K, u, less;
} carom_lanes_about;

CAROM_INLINE void carom_kernel_rate_about(const carom_lanes_yielding *point, const carom_lanes_rate *k, const carom_lanes *X,
                                          const carom_lanes *d, carom_lanes_about *e, carom_lanes *next) {
    const double n = point->params->exponent, C = k->rate;
    carom_lanes zero = {0}, Ed = point->stiffness * *d, G = n * k->term * *d / (point->alpha + 0.5 * (1 - n) * *d);
    e->K = C * (k->base + G);
    e->u = zero;
    if (C > 0) {
        carom_lanes ratio = *d * k->over_slow;
        carom_kernel_log2_about(&ratio, &e->u);
        e->u = 0.693147180559945309417 * e->u;
    }
    e->V = (Ed + G) + C * G * e->u;
    e->less = (Ed - *X + G) + e->K * e->u;
    carom_lanes b = e->V + e->K, S = b * (b - (2.0 / 3) * e->less), part = e->less * e->K;
    *next = *d - *d * (e->less * (S + 0.5 * part) / (b * (S + part)));
}

// Step 1.
CAROM_INLINE void carom_kernel_rate_guess(const carom_lanes_yielding *point, const carom_lanes_rate *k, const carom_lanes *X,
                                          carom_lanes *d) {
    carom_lanes hi = 1 / point->stiffness * *X, next;
    carom_lanes_about e, other;
    carom_kernel_rate_about(point, k, X, &hi, &e, d);
    carom_lanes_bits again = e.less > 0.3 * (e.V + e.K), low = e.less > e.V + e.K;
    if (!carom_lanes_rare(&again))
        return;
    // about the root of v + ln v = L: with x = e^L x (1 + 4/3 x)/(1 + 7/3 x + 5/6 x^2), to a tenth
    carom_lanes over = 1.0 / e.K, y = (*X * over - e.u) * 1.44269504088896340736, part;
    carom_kernel_exp2_above(&y, &part);
    part = 0.97 * part;
    y = e.V * over * part;
    next = hi * part * (1.0 + y * (4.0 / 3)) / (1.0 + y * (7.0 / 3 + y * (5.0 / 6)));
    carom_lanes_choose(&low, &next, d, d);
    carom_kernel_rate_about(point, k, X, d, &other, &next);
    carom_lanes_choose(&again, &next, d, d);
}

// Steps 2 and 3.
CAROM_INLINE void carom_kernel_rate_step(const carom_lanes_yielding *point, const carom_lanes_rate *k, const carom_lanes *q,
                                         const carom_lanes *theta, carom_lanes *d, carom_lanes_bits *arrived) {
    const carom_j2_params *p = point->params;
    const double n = p->exponent, C = k->rate;
    carom_lanes a = point->alpha + *d, share, term, zero = {0}, none = zero - 1.0, log = zero + 1.0;
    carom_kernel_log2(&a, &term);
    if (C > 0) {
        carom_lanes ratio = k->over_slow * *d;
        carom_kernel_log(&ratio, &log);
    }
    share = *d / a;
    term = n * term;
    carom_kernel_exp2(&term, &term);
    term = p->strength * *theta * term;
    carom_lanes sigma = p->yield * *theta + term, f = 1.0 + C * log, Ed = point->stiffness * *d, g = (*q - Ed) - sigma * f;
    carom_lanes K = C * sigma, N1 = n * share * term, N2 = 0.5 * (n - 1) * share * N1, N3 = (n - 2) * (1.0 / 3) * share * N2;
    carom_lanes curved = K + N1 * f, over = 1.0 / (Ed + curved);
    carom_lanes c2 = 0.5 * K - (N2 * f + C * N1), c3 = (1.0 / 3) * K + N3 * f + C * (N2 - 0.5 * N1);
    carom_lanes z = g * over, b2 = c2 * over, b3 = c3 * over, z2 = z * z, square = b2 * b2;
    carom_lanes x = (z + b2 * z2) + z * z2 * ((square + square) - b3);
    *d = *d + *d * x;
    // Also |z| < 1/100, so that d is positive where the end is, and ln(d/slow) > 0.01 at the guess, so that the rate has an
    // effect at the end. NaN fails this test.
    carom_lanes rest = (curved + 1e-7 * *q) * (z2 * z2), most = CAROM_RATE_CLOSE * *q, limit = most * most * (log - 0.01);
    carom_lanes_bits curve = a >= CAROM_SMALL_STRAIN;
    carom_lanes_choose(&curve, &limit, &none, &limit);
    *arrived = rest * rest <= limit;
}

#endif
