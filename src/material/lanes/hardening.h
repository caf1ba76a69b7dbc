// SPDX-License-Identifier: MIT
// The plastic strain of a step of `j2` for eight points at a time, one in each lane of a vector. The formulas and limits of
// iterations are those of src/material/flow/hardening_body.h; a unit test compares the two.
#ifndef CAROM_MATERIAL_LANES_HARDENING_H
#define CAROM_MATERIAL_LANES_HARDENING_H

#include <math.h>

#include "material/flow/hardening.h"
#include "material/flow/hardenings.h"
#include "math/functions.h"
#include "math/lane_masks.h"

CAROM_INLINE void carom_lanes_clamp(carom_lanes *x, const carom_lanes *low, const carom_lanes *high) {
    carom_lanes_max(x, low, x);
    carom_lanes_min(x, high, x);
}

// The states of the points at the start of a step, as carom_yielding.
typedef struct carom_lanes_yielding {
    const carom_j2_params *params;
    carom_hardening kind; // that of the parameters; a constant in kernels
    double stiffness, step;
    carom_lanes alpha, temperature;
    carom_lanes term; // voce: (s1 - s0) exp(-d alpha), johnson-cook: B alpha^n; set with the flow stress
} carom_lanes_yielding;

// exp(x) to two units in the last place, for -708 <= x <= 709: x = k ln 2 + r with |r| < 0.35, and the series of exp(r) is cut
// after r^13. Polynomials here and below are evaluated in pairs of terms (Estrin's scheme), so that fewer operations depend on
// each other.
CAROM_INLINE void carom_kernel_exp(const carom_lanes *x, carom_lanes *result) {
    const double round = 0x1.8p52;
    carom_lanes shifted = *x * 1.44269504088896340736 + round, k = shifted - round;
    carom_lanes r = (*x - k * 0x1.62e42fee00000p-1) - k * 0x1.a39ef35793c76p-33, r2 = r * r, r4 = r2 * r2;
    carom_lanes p0 = (0.5 + r * (1.0 / 6)) + r2 * (1.0 / 24 + r * (1.0 / 120));
    carom_lanes p1 = (1.0 / 720 + r * (1.0 / 5040)) + r2 * (1.0 / 40320 + r * (1.0 / 362880));
    carom_lanes p2 = (1.0 / 3628800 + r * (1.0 / 39916800)) + r2 * (1.0 / 479001600 + r * (1.0 / 6227020800));
    carom_lanes p = r + r2 * (p0 + r4 * (p1 + r4 * p2)), scale;
    carom_lanes_scale(&shifted, &scale);
    *result = scale + scale * p;
}

// Finds k, s and p of x = 2^k (1 + s)/(1 - s) and artanh(s)/s = 1 + z p, z = s^2 <= 0.02944, for logarithms. p is a polynomial
// in z that interpolates at the zeros of a Chebyshev polynomial; the error is 5e-18.
CAROM_INLINE void carom_kernel_artanh(const carom_lanes *x, carom_lanes_bits *k, carom_lanes *s, carom_lanes *p) {
    carom_lanes m;
    carom_lanes_split(x, k, &m);
    *s = (m - 1.0) / (m + 1.0);
    carom_lanes z = *s * *s, z2 = z * z, z4 = z2 * z2;
    carom_lanes p0 = (0.3333333333333335 + z * 0.19999999999949752) + z2 * (0.1428571431298797 + z * 0.11111105567360204);
    *p = p0 + z4 * ((0.09091444565351194 + z * 0.07665860709854576) + z2 * 0.0730822596019441);
}

CAROM_INLINE void carom_kernel_log(const carom_lanes *x, carom_lanes *result) {
    carom_lanes_bits k;
    carom_lanes s, p;
    carom_kernel_artanh(x, &k, &s, &p);
    carom_lanes_log_join(&k, &s, &p, result);
}

// log2 x of positive normal numbers.
CAROM_INLINE void carom_kernel_log2(const carom_lanes *x, carom_lanes *result) {
    carom_lanes_bits k;
    carom_lanes s, p, exponent;
    carom_kernel_artanh(x, &k, &s, &p);
    carom_lanes z = s * s;
    // 2/ln 2
    s = s * 2.88539008177792681472;
    carom_lanes_of_bits(&k, &exponent);
    *result = exponent + (s + s * z * p);
}

// 2^y for |y| <= 1000. The polynomial for (2^f - 1)/f, |f| <= 1/2, interpolates at the zeros of a Chebyshev polynomial; its
// error is 6e-18.
CAROM_INLINE void carom_kernel_exp2(const carom_lanes *y, carom_lanes *result) {
    const double round = 0x1.8p52;
    carom_lanes shifted = *y + round, k = shifted - round, f = *y - k, f2 = f * f, f4 = f2 * f2;
    carom_lanes p0 = (0x1.62e42fefa39efp-1 + f * 0x1.ebfbdff82c598p-3) + f2 * (0x1.c6b08d704a0c2p-5 + f * 0x1.3b2ab6fba1ddap-7);
    carom_lanes p1 =
        (0x1.5d87fe78a5276p-10 + f * 0x1.430913096fd9fp-13) + f2 * (0x1.ffcbfc670dcd4p-17 + f * 0x1.62bfd47773353p-20);
    carom_lanes p2 = (0x1.b524fae627834p-24 + f * 0x1.e6063f7217bc6p-28) + f2 * 0x1.e9d3fe3952179p-32;
    carom_lanes scale;
    carom_lanes_scale(&shifted, &scale);
    *result = scale + scale * (f * (p0 + f4 * (p1 + f4 * p2)));
}

// x^n of positive numbers, at least 2^-1000.
CAROM_INLINE void carom_kernel_pow(const carom_lanes *x, double n, carom_lanes *result) {
    carom_lanes least, y;
    carom_lanes_fill(-1000, &least);
    carom_kernel_log2(x, &y);
    y = n * y;
    carom_lanes_max(&y, &least, &y);
    carom_kernel_exp2(&y, result);
}

// exp(x) for x <= 0: in lanes with x > -1/8 by its series, whose first neglected term is below 3e-16, in others by
// carom_kernel_exp.
CAROM_INLINE void carom_kernel_exp_near(const carom_lanes *x, carom_lanes *result) {
    carom_lanes r = *x, r2 = r * r, r4 = r2 * r2;
    carom_lanes p0 = (0.5 + r * (1.0 / 6)) + r2 * (1.0 / 24 + r * (1.0 / 120));
    carom_lanes p1 = (1.0 / 720 + r * (1.0 / 5040)) + r2 * (1.0 / 40320 + r * (1.0 / 362880));
    *result = 1.0 + (r + r2 * (p0 + r4 * p1));
    carom_lanes_bits far = ~(r > -0.125);
    if (!carom_lanes_rare(&far))
        return;
    carom_lanes least, full;
    carom_lanes_fill(-708, &least);
    carom_lanes_max(&r, &least, &r);
    carom_kernel_exp(&r, &full);
    carom_lanes_choose(&far, &full, result, result);
}

// The thermal softening factor theta = 1 - T*^m.
CAROM_INLINE void carom_kernel_softening(const carom_j2_params *p, const carom_lanes *temperature, carom_lanes *theta) {
    carom_lanes zero = {0}, one, hot, power;
    carom_lanes_fill(1, &one);
    *theta = one;
    if (isnan(p->melting))
        return;
    hot = 1 / (p->melting - p->temperature) * (*temperature - p->temperature);
    carom_lanes_clamp(&hot, &zero, &one);
    carom_lanes_bits warm = hot > 0.0;
    if (!carom_lanes_any(&warm))
        return;
    carom_kernel_pow(&hot, p->softening, &power);
    power = 1.0 - power;
    carom_lanes_choose(&warm, &power, &one, theta);
}

// The term B a^n of Johnson and Cook.
CAROM_INLINE void carom_kernel_power(const carom_j2_params *p, const carom_lanes *a, carom_lanes *term) {
    carom_kernel_log2(a, term);
    *term = p->exponent * *term;
    carom_kernel_exp2(term, term);
    *term = p->strength * *term;
    carom_lanes_bits small = *a < CAROM_SMALL_STRAIN;
    if (carom_lanes_rare(&small)) {
        double straight = p->strength * carom_exp(p->exponent * carom_log(CAROM_SMALL_STRAIN)) / CAROM_SMALL_STRAIN;
        carom_lanes line = straight * *a;
        carom_lanes_choose(&small, &line, term, term);
    }
}

// The flow stress of Voce's law, and its exponential term (s1 - s0) exp(-d a).
CAROM_INLINE void carom_kernel_voce(const carom_j2_params *p, const carom_lanes *a, carom_lanes *sigma, carom_lanes *term) {
    carom_lanes fade = -p->decay * *a, least;
    carom_lanes_fill(-708, &least);
    carom_lanes_max(&fade, &least, &fade);
    carom_kernel_exp(&fade, &fade);
    *term = (p->saturation - p->yield) * fade;
    *sigma = p->yield + p->modulus * *a + (p->saturation - p->yield) * (1.0 - fade);
}

// The straight line sigma = base + slope a of the piece of the curve that begins at a row.
CAROM_INLINE void carom_kernel_row(const carom_pairs *curve, int row, carom_lanes *base, carom_lanes *slope) {
    const double(*r)[2] = &curve->rows[row];
    double d = row + 1 < curve->count ? (r[1][1] - r[0][1]) / (r[1][0] - r[0][0]) : 0;
    carom_lanes_fill(d, slope);
    carom_lanes_fill(r[0][1] - d * r[0][0], base);
}

// The straight line of a piece of the curve: if `trial`, of the piece in which the stress q - stiffness da equals the flow
// stress, else of the piece that contains alpha.
CAROM_INLINE void carom_kernel_piece(const carom_lanes_yielding *point, const carom_lanes *q, bool trial, carom_lanes *base,
                                     carom_lanes *slope) {
    const carom_pairs *curve = &point->params->curve;
    carom_kernel_row(curve, 0, base, slope);
    for (int row = 1; row < curve->count; row++) {
        double a = curve->rows[row][0], sigma = curve->rows[row][1];
        carom_lanes_bits beyond = point->alpha >= a, above;
        if (trial) {
            above = *q - point->stiffness * (a - point->alpha) > sigma;
            carom_lanes_either(&beyond, &above, &beyond);
        }
        carom_lanes b, s;
        carom_kernel_row(curve, row, &b, &s);
        carom_lanes_choose(&beyond, &b, base, base);
        carom_lanes_choose(&beyond, &s, slope, slope);
    }
}

// An upper bound of 2^y, at most 1.0615 times too large, for y >= -1000 (smaller y count as -1000). The bits of a double,
// read as an integer, approximate its logarithm by a function that is linear between powers of two.
CAROM_INLINE void carom_kernel_exp2_above(const carom_lanes *y, carom_lanes *result) {
    carom_lanes least, t;
    carom_lanes_fill(-1000, &least);
    carom_lanes_max(y, &least, &t);
    // adding 1.5 2^52 rounds 2^20 y to an integer; its bits, shifted to the exponent, give a function that is linear between
    // powers of 2
    t = t * 0x1p20 + 0x1.8p52;
    carom_lanes_words words;
    memcpy(&words, &t, sizeof words);
    words = (words << 32) + UINT64_C(0x3ff0000000000000);
    memcpy(result, &words, sizeof *result);
    *result *= 1.00001;
}

// A lower bound of log2 x of positive numbers, at most 0.0861 too small.
CAROM_INLINE void carom_kernel_log2_below(const carom_lanes *x, carom_lanes *result) {
    carom_lanes_words words;
    memcpy(&words, x, sizeof words);
    words = (words >> 32) | UINT64_C(0x4330000000000000);
    memcpy(result, &words, sizeof *result);
    *result = (*result - (0x1p52 + 1023 * 0x1p20)) * 0x1p-20;
}

// A lower bound of x^n, at least 0.94 x^n, that needs no elementary function.
CAROM_INLINE void carom_kernel_pow_below(const carom_lanes *x, double n, carom_lanes *result) {
    carom_lanes y;
    carom_kernel_log2_below(x, &y);
    y = n * y;
    carom_kernel_exp2_above(&y, result);
    // 0.942 = 1/1.0615
    *result = 0.942 * *result;
}

CAROM_CONCAVE_HARDENINGS(CAROM_HARDENING_FUNCTION, carom_lanes, _kernel, carom_kernel_pow)
CAROM_CONCAVE_HARDENINGS(CAROM_HARDENING_FUNCTION, carom_lanes, _kernel_below, carom_kernel_pow_below)

// The flow stress of a concave law, and its slope.
CAROM_INLINE void carom_kernel_concave(carom_hardening kind, const carom_j2_params *p, const carom_lanes *a, carom_lanes *sigma,
                                       carom_lanes *slope) {
    switch (kind) {
        CAROM_CONCAVE_HARDENINGS(CAROM_HARDENING_CALL, _kernel, p, a, sigma, slope)
    default: break;
    }
}

// A lower bound of this flow stress.
CAROM_INLINE void carom_kernel_concave_below(carom_hardening kind, const carom_j2_params *p, const carom_lanes *a,
                                             carom_lanes *sigma) {
    carom_lanes slope;
    switch (kind) {
        CAROM_CONCAVE_HARDENINGS(CAROM_HARDENING_CALL, _kernel_below, p, a, sigma, &slope)
    default: break;
    }
}

// The flow stress at the start of the step, without the factor of the rate; theta is the thermal softening factor.
CAROM_INLINE void carom_kernel_flow_start(carom_lanes_yielding *point, const carom_lanes *theta, carom_lanes *sigma) {
    const carom_j2_params *p = point->params;
    carom_lanes slope, zero = {0};
    point->term = zero;
    if (point->kind == CAROM_HARDENING_VOCE) {
        carom_kernel_voce(p, &point->alpha, sigma, &point->term);
    } else if (point->kind == CAROM_HARDENING_TABLE) {
        carom_kernel_piece(point, &zero, false, sigma, &slope);
        *sigma += slope * point->alpha;
    } else if (point->kind == CAROM_HARDENING_JOHNSON_COOK) {
        carom_kernel_power(p, &point->alpha, &point->term);
        *sigma = p->yield + point->term;
        *sigma *= *theta;
    } else if (CAROM_HARDENING_IS_CONCAVE(point->kind)) {
        carom_kernel_concave(point->kind, p, &point->alpha, sigma, &slope);
    } else {
        *sigma = p->yield + p->modulus * point->alpha;
        carom_lanes_max(sigma, &zero, sigma);
    }
}

// A lower bound of the flow stress at the start of the step that needs no elementary function: lanes with a trial stress below
// it do not yield.
CAROM_INLINE void carom_kernel_flow_bound(const carom_lanes_yielding *point, carom_lanes *sigma) {
    const carom_j2_params *p = point->params;
    carom_lanes y, zero = {0};
    *sigma = zero;
    if (CAROM_HARDENING_IS_CONCAVE(point->kind)) {
        carom_kernel_concave_below(point->kind, p, &point->alpha, sigma);
    } else if (point->kind == CAROM_HARDENING_LINEAR) {
        *sigma = p->yield + p->modulus * point->alpha;
        carom_lanes_max(sigma, &zero, sigma);
    } else if (point->kind == CAROM_HARDENING_TABLE) {
        // the lower of the two stresses at the ends of the piece
        const double(*r)[2] = p->curve.rows;
        for (int row = 0; row < p->curve.count; row++) {
            carom_lanes_bits beyond = point->alpha >= r[row][0];
            carom_lanes low = zero + (row + 1 < p->curve.count && r[row + 1][1] < r[row][1] ? r[row + 1][1] : r[row][1]);
            carom_lanes_choose(&beyond, &low, sigma, sigma);
        }
    } else if (point->kind == CAROM_HARDENING_VOCE && p->saturation >= p->yield) {
        carom_lanes fade;
        y = -p->decay * 1.44269504088896340736 * point->alpha;
        carom_kernel_exp2_above(&y, &fade);
        *sigma = p->yield + p->modulus * point->alpha + (p->saturation - p->yield) * (1.0 - fade);
    } else if (point->kind == CAROM_HARDENING_JOHNSON_COOK) {
        carom_lanes power, hot;
        carom_lanes_bits straight = point->alpha < CAROM_SMALL_STRAIN;
        carom_kernel_log2_below(&point->alpha, &y);
        y = p->exponent * y;
        carom_kernel_exp2_above(&y, &power);
        carom_lanes_choose(&straight, &zero, &power, &power);
        // 0.942 = 1/1.0615
        *sigma = p->yield + 0.942 * p->strength * power;
        if (isnan(p->melting))
            return;
        hot = 1 / (p->melting - p->temperature) * (point->temperature - p->temperature);
        carom_lanes_max(&hot, &zero, &hot);
        power = hot;
        if (p->softening < 1) {
            carom_kernel_log2_below(&hot, &y);
            y = p->softening * (y + 0.0862);
            carom_kernel_exp2_above(&y, &power);
        }
        carom_lanes theta = 1.0 - power;
        carom_lanes_max(&theta, &zero, &theta);
        *sigma *= theta;
    }
}

// The root of excess - E da - V (1 - exp(-d da)) with V = (s1 - s0) exp(-d alpha) and E the stiffness and the modulus, by
// Halley's method from 0, whose first iteration needs no exponential. After an iteration that changed da by `change`, the error
// is at most k (d change)^2 change with k = d V exp(-d da)/(E + d V exp(-d da)). Lanes that have converged are not changed any
// more.
CAROM_INLINE void carom_kernel_voce_strain(const carom_lanes_yielding *point, const carom_lanes *excess,
                                           const carom_lanes *most, const carom_lanes_bits *flows, carom_lanes *da) {
    double d = point->params->decay, straight = point->stiffness + point->params->modulus;
    carom_lanes zero = {0}, slope = straight + d * point->term, square = slope * slope;
    carom_lanes below = square - 0.5 * d * d * *excess * point->term, least = 0.5 * square;
    carom_lanes_bits open = *flows;
    // the denominator of Halley's method may vanish: it is kept above half of the square of the slope
    carom_lanes_max(&below, &least, &below);
    // this first iterate may exceed `most`; the next one is limited to it
    *da = *excess * slope / below;
    int i = 0;
    do {
        carom_lanes x = -d * *da, fade;
        carom_kernel_exp_near(&x, &fade);
        carom_lanes rest = point->term * fade, g = *excess - straight * *da - (point->term - rest);
        slope = straight + d * rest;
        square = slope * slope;
        below = square - 0.5 * d * d * g * rest;
        least = 0.5 * square;
        carom_lanes_max(&below, &least, &below);
        carom_lanes change = g * slope / below, next = *da + change, x3 = d * change;
        carom_lanes_clamp(&next, &zero, most);
        carom_lanes_choose(&open, &next, da, da);
        x3 = x3 * x3 * x3 * rest;
        x3 *= x3;
        slope = 1e-16 * slope * next;
        carom_lanes_bits moving = x3 > slope * slope;
        carom_lanes_both(&open, &moving, &open);
    } while (++i < CAROM_VOCE_ITERATIONS && carom_lanes_any(&open));
}

// Newton's method from 0 for concave laws, as in flow/hardening_body.h. Lanes that have converged are not changed any more.
CAROM_INLINE void carom_kernel_concave_strain(const carom_lanes_yielding *point, const carom_lanes *q, const carom_lanes *most,
                                              const carom_lanes_bits *flows, carom_lanes *da) {
    carom_lanes zero = {0};
    carom_lanes_bits open = *flows;
    int i = 0;
    *da = zero;
    do {
        carom_lanes a = point->alpha + *da, sigma = zero, slope = zero;
        carom_kernel_concave(point->kind, point->params, &a, &sigma, &slope);
        carom_lanes change = (*q - point->stiffness * *da - sigma) / (point->stiffness + slope), next = *da + change;
        carom_lanes_clamp(&next, &zero, most);
        carom_lanes_choose(&open, &next, da, da);
        carom_lanes_bits moving = change * change > CAROM_FLOW_CLOSE * CAROM_FLOW_CLOSE * next * next;
        carom_lanes_both(&open, &moving, &open);
    } while (++i < CAROM_VOCE_ITERATIONS && carom_lanes_any(&open));
}

// The plastic strain da >= 0 in the yielding lanes, 0 in others, for all laws except johnson-cook. At least one lane of `flows`
// must be set.
CAROM_INLINE void carom_kernel_flow_strain(const carom_lanes_yielding *point, const carom_lanes *q, const carom_lanes *excess,
                                           const carom_lanes_bits *flows, carom_lanes *da) {
    carom_lanes most = 1 / point->stiffness * *q, zero = {0}, sigma, slope;
    if (point->kind == CAROM_HARDENING_VOCE) {
        carom_kernel_voce_strain(point, excess, &most, flows, da);
    } else if (CAROM_HARDENING_IS_CONCAVE(point->kind)) {
        carom_kernel_concave_strain(point, q, &most, flows, da);
    } else if (point->kind == CAROM_HARDENING_TABLE) {
        carom_kernel_piece(point, q, true, &sigma, &slope);
        *da = (*q - sigma - slope * point->alpha) / (point->stiffness + slope);
        carom_lanes_clamp(da, &zero, &most);
    } else {
        *da = 1 / (point->stiffness + point->params->modulus) * *excess;
        carom_lanes_min(da, &most, da);
    }
    carom_lanes_choose(flows, da, &zero, da);
}

#endif
