// SPDX-License-Identifier: MIT
// Plastic strains of a step on batches. The formulas and numbers of iterations are those of src/material/flow/hardening.c; a
// unit test compares the two.
#ifndef CAROM_ELEMENT_KERNEL_HARDENING_H
#define CAROM_ELEMENT_KERNEL_HARDENING_H

#include <math.h>

#include "element/lane_masks.h"
#include "material/flow/hardening.h"
#include "math/functions.h"

CAROM_INLINE void carom_lanes_clamp(carom_lanes *x, const carom_lanes *low, const carom_lanes *high) {
    carom_lanes_max(x, low, x);
    carom_lanes_min(x, high, x);
}

// Points at the start of a step: as carom_yielding.
typedef struct carom_lanes_yielding {
    const carom_j2_params *params;
    double stiffness, step;
    carom_lanes alpha, temperature;
} carom_lanes_yielding;

// 1 - T*^m.
CAROM_INLINE void carom_kernel_softening(const carom_j2_params *p, const carom_lanes *temperature, carom_lanes *theta) {
    carom_lanes zero = {0}, one, hot, log, power;
    carom_lanes_fill(1, &one);
    *theta = one;
    if (isnan(p->melting))
        return;
    hot = (*temperature - p->temperature) / (p->melting - p->temperature);
    carom_lanes_clamp(&hot, &zero, &one);
    carom_lanes_bits warm = hot > 0.0;
    if (!carom_lanes_any(&warm))
        return;
    carom_lanes_log(&hot, &log);
    log = p->softening * log;
    carom_lanes_exp(&log, &power);
    power = 1.0 - power;
    carom_lanes_choose(&warm, &power, &one, theta);
}

// A + B a^n and its slope.
CAROM_INLINE void carom_kernel_power(const carom_j2_params *p, const carom_lanes *a, carom_lanes *sigma, carom_lanes *slope) {
    carom_lanes log, term;
    carom_lanes_log(a, &log);
    log = p->exponent * log;
    carom_lanes_exp(&log, &term);
    term = p->strength * term;
    *slope = p->exponent * term / *a;
    carom_lanes_bits small = *a < CAROM_SMALL_STRAIN;
    if (carom_lanes_any(&small)) {
        double straight = p->strength * carom_exp(p->exponent * carom_log(CAROM_SMALL_STRAIN)) / CAROM_SMALL_STRAIN;
        carom_lanes low, line = straight * *a;
        carom_lanes_fill(straight, &low);
        carom_lanes_choose(&small, &low, slope, slope);
        carom_lanes_choose(&small, &line, &term, &term);
    }
    *sigma = p->yield + term;
}

CAROM_INLINE void carom_kernel_voce(const carom_j2_params *p, const carom_lanes *a, carom_lanes *sigma, carom_lanes *slope) {
    carom_lanes fade = -p->decay * *a;
    carom_lanes_exp(&fade, &fade);
    *slope = p->modulus + (p->saturation - p->yield) * p->decay * fade;
    *sigma = p->yield + p->modulus * *a + (p->saturation - p->yield) * (1.0 - fade);
}

// The line of the row that begins the piece with `a`: sigma = base + slope a.
CAROM_INLINE void carom_kernel_row(const carom_pairs *curve, int row, carom_lanes *base, carom_lanes *slope) {
    const double(*r)[2] = &curve->rows[row];
    double d = row + 1 < curve->count ? (r[1][1] - r[0][1]) / (r[1][0] - r[0][0]) : 0;
    carom_lanes_fill(d, slope);
    carom_lanes_fill(r[0][1] - d * r[0][0], base);
}

// The piece in which the stress q - stiffness da meets the curve; with stiffness 0 and q infinite, the one that holds alpha.
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

// The flow stress at the start of the step, without rate; theta is the factor of the temperature.
CAROM_INLINE void carom_kernel_flow_start(const carom_lanes_yielding *point, const carom_lanes *theta, carom_lanes *sigma) {
    const carom_j2_params *p = point->params;
    carom_lanes slope, zero = {0};
    if (p->hardening == CAROM_HARDENING_VOCE) {
        carom_kernel_voce(p, &point->alpha, sigma, &slope);
    } else if (p->hardening == CAROM_HARDENING_TABLE) {
        carom_kernel_piece(point, &zero, false, sigma, &slope);
        *sigma += slope * point->alpha;
    } else if (p->hardening == CAROM_HARDENING_JOHNSON_COOK) {
        carom_kernel_power(p, &point->alpha, sigma, &slope);
        *sigma *= *theta;
    } else {
        *sigma = p->yield + p->modulus * point->alpha;
        carom_lanes_max(sigma, &zero, sigma);
    }
}

// False if no lane can flow.
CAROM_INLINE bool carom_kernel_may_flow(const carom_lanes_yielding *point, const carom_lanes *q) {
    (void)point;
    (void)q;
    return true;
}

// One iteration of Johnson and Cook's law; `fast` lanes have the unknown ln da. Lanes that have converged stay.
CAROM_INLINE void carom_kernel_johnson_cook_step(const carom_lanes_yielding *point, const carom_lanes *q,
                                                 const carom_lanes *theta, double slow, const carom_lanes_bits *fast,
                                                 const carom_lanes *hi, carom_lanes between[2], carom_lanes *da,
                                                 carom_lanes_bits *open) {
    const carom_j2_params *p = point->params;
    carom_lanes a = point->alpha + *da, sigma, slope, next, least = 1e-3 * *da;
    carom_kernel_power(p, &a, &sigma, &slope);
    sigma *= *theta;
    slope *= *theta;
    bool any = carom_lanes_any(fast);
    if (any) {
        carom_lanes log, faster = *da / slow;
        carom_lanes_log(&faster, &log);
        carom_lanes factor = 1.0 + p->rate * log, swift_slope = slope * factor + sigma * p->rate / *da, swift = sigma * factor;
        carom_lanes_choose(fast, &swift_slope, &slope, &slope);
        carom_lanes_choose(fast, &swift, &sigma, &sigma);
    }
    carom_lanes g = *q - point->stiffness * *da - sigma, delta = g / (point->stiffness + slope), change = delta / *da;
    carom_lanes_bits above = g > 0.0;
    carom_lanes_choose(&above, da, &between[0], &between[0]);
    carom_lanes_choose(&above, &between[1], da, &between[1]);
    next = *da + delta;
    carom_lanes_clamp(&next, &least, hi);
    carom_lanes_bits moving = (change > CAROM_FLOW_CLOSE) | (change < -CAROM_FLOW_CLOSE);
    if (any) {
        carom_lanes low, high, bottom, growth;
        carom_lanes_fill(-4, &low);
        carom_lanes_fill(1, &high);
        carom_lanes_fill(slow, &bottom);
        carom_lanes_clamp(&change, &low, &high);
        carom_lanes_exp(&change, &growth);
        growth *= *da;
        carom_lanes_clamp(&growth, &bottom, hi);
        carom_lanes_choose(fast, &growth, &next, &next);
    }
    // what has converged may be a rounding outside
    carom_lanes_bits outside = moving & ~((next > between[0]) & (next < between[1]));
    carom_lanes middle = 0.5 * (between[0] + between[1]);
    carom_lanes_choose(&outside, &middle, &next, &next);
    carom_lanes_choose(open, &next, da, da);
    *open &= moving;
}

CAROM_INLINE void carom_kernel_johnson_cook(const carom_lanes_yielding *point, const carom_lanes *q, const carom_lanes *theta,
                                            const carom_lanes *excess, const carom_lanes_bits *flows, carom_lanes *da) {
    const carom_j2_params *p = point->params;
    double slow = p->rate > 0 && point->step > 0 ? p->reference_rate * point->step : HUGE_VAL;
    carom_lanes hi = *excess / point->stiffness, between[2] = {{0}, hi};
    carom_lanes_bits fast = {0}, open = *flows;
    *da = hi;
    if (slow < HUGE_VAL) {
        carom_lanes a = point->alpha + slow, sigma, slope;
        carom_kernel_power(p, &a, &sigma, &slope);
        fast = *flows & (hi > slow) & (*q - point->stiffness * slow - *theta * sigma > 0.0);
    }
    for (int i = 0; i < CAROM_JOHNSON_COOK_ITERATIONS && carom_lanes_any(&open); i++)
        carom_kernel_johnson_cook_step(point, q, theta, slow, &fast, &hi, between, da, &open);
}

// Newton's method for Voce's law, from 0. Lanes that have converged stay.
CAROM_INLINE void carom_kernel_voce_strain(const carom_lanes_yielding *point, const carom_lanes *q, const carom_lanes *most,
                                           const carom_lanes_bits *flows, carom_lanes *da) {
    carom_lanes zero = {0}, sigma, slope;
    carom_lanes_bits open = *flows;
    *da = zero;
    for (int i = 0; i < CAROM_VOCE_ITERATIONS && carom_lanes_any(&open); i++) {
        carom_lanes a = point->alpha + *da;
        carom_kernel_voce(point->params, &a, &sigma, &slope);
        carom_lanes change = (*q - point->stiffness * *da - sigma) / (point->stiffness + slope), next = *da + change;
        carom_lanes_clamp(&next, &zero, most);
        carom_lanes_choose(&open, &next, da, da);
        open &= (change > CAROM_FLOW_CLOSE * next) | (change < -CAROM_FLOW_CLOSE * next);
    }
}

// da >= 0 of the lanes that flow, 0 in others. Not every lane of `flows` is clear.
CAROM_INLINE void carom_kernel_flow_strain(const carom_lanes_yielding *point, const carom_lanes *q, const carom_lanes *theta,
                                           const carom_lanes *excess, const carom_lanes_bits *flows, carom_lanes *da) {
    const carom_j2_params *p = point->params;
    carom_lanes most = 1 / point->stiffness * *q, zero = {0}, sigma, slope;
    if (p->hardening == CAROM_HARDENING_VOCE) {
        carom_kernel_voce_strain(point, q, &most, flows, da);
    } else if (p->hardening == CAROM_HARDENING_TABLE) {
        carom_kernel_piece(point, q, true, &sigma, &slope);
        *da = (*q - sigma - slope * point->alpha) / (point->stiffness + slope);
        carom_lanes_clamp(da, &zero, &most);
    } else if (p->hardening == CAROM_HARDENING_JOHNSON_COOK) {
        carom_kernel_johnson_cook(point, q, theta, excess, flows, da);
    } else {
        *da = 1 / (point->stiffness + p->modulus) * *excess;
        carom_lanes_min(da, &most, da);
    }
    carom_lanes_choose(flows, da, &zero, da);
}

#endif
