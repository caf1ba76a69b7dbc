// SPDX-License-Identifier: MIT
// The plastic strain of a step by Johnson and Cook's law for a batch, with one evaluation of the flow stress. In the notation
// of johnson_cook.h, with s = theta (A + B alpha^n) and X = q - s,
//
//     g(d) = q - E d - theta (A + B a^n) (1 + C ln(d/slow)) = 0,   a = alpha + d .
//
// 1. An initial value with a relative error of about 1e-4, from elementary functions with errors of 1e-5. Up to O(w^3),
//    (1 + w)^n - 1 = n w/(1 + (1 - n) w/2), so that the hardening at d is about G = n theta B alpha^n d/(alpha + (1 - n) d/2).
//    Let V = E d + G (1 + C ln(d/slow)), K = C (s + G). If V is large, one iteration of Fritsch, Shafer and Crowley from the
//    upper bound X/E suffices; if the term of the rate is a large part of X, there is a second one, if necessary from an
//    approximation of Wright's omega function.
//
// 2. g at the initial value, in full precision.
//
// 3. All derivatives are computed from the same numbers: g(d (1 + x)) = g - c1 x + c2 x^2 - c3 x^3 + ... with
//
//        c1 = E d + K + N1 f,  c2 = K/2 - (N2 f + C N1),  c3 = K/3 + N3 f + C (N2 - N1/2),
//        f = 1 + C ln(d/slow),  K = C theta (A + B a^n),  N_k = theta B a^n (n over k) (d/a)^k,
//
//    and the inverse series is x = z + b2 z^2 + (2 b2^2 - b3) z^3 with z = g/c1, b_k = c_k/c1. The remaining g is at most about
//    (K + N1 f) z^4/4.
//
// Lanes in which this remainder exceeds rounding, or in which the formula does not hold (rate below the reference, straight
// line of a^n at small a), are left to the iteration of johnson_cook.h.
#ifndef CAROM_MATERIAL_LANES_RATE_STEP_H
#define CAROM_MATERIAL_LANES_RATE_STEP_H

#include "material/lanes/hardening.h"

#define CAROM_RATE_CLOSE 1e-15 // largest accepted (K + N1 f) z^4/q

// log2 x of positive numbers to 6e-5: the piecewise linear function of carom_kernel_log2_below plus f (1 - f) times a cubic
// polynomial of the fraction f.
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

// Data of a batch. base and term are s and theta B alpha^n, with errors of 1e-5.
typedef struct carom_lanes_rate {
    double rate, over_slow; // C and 1/slow, 0 without a rate
    carom_lanes base, term;
} carom_lanes_rate;

// Terms of step 1 at d: V and K, u = ln(d/slow), and `less`, approximately -g.
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
    // the root of v + ln v = L to about a tenth: x (1 + 4/3 x)/(1 + 7/3 x + 5/6 x^2) with x = e^L
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
    // The term 1e-7 q bounds |z| by about 1/100, so that d remains positive. The factor log - 0.01 requires ln(d/slow) > 0.01
    // at the initial value, so that the rate at the result still exceeds the reference rate. A NaN fails this test.
    carom_lanes rest = (curved + 1e-7 * *q) * (z2 * z2), most = CAROM_RATE_CLOSE * *q, limit = most * most * (log - 0.01);
    carom_lanes_bits curve = a >= CAROM_SMALL_STRAIN;
    carom_lanes_choose(&curve, &limit, &none, &limit);
    *arrived = rest * rest <= limit;
}

#endif
