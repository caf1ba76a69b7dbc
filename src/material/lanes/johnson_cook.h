// SPDX-License-Identifier: MIT
// The plastic strain of a step by Johnson and Cook's law for a batch, one point in each lane of a vector: the root of
//
//     g(da) = q - E da - theta (A + B a^n) (1 + C ln(da/slow)),   a = alpha + da,   slow = rate0 h,
//
// where q is the trial stress, E = 3 mu, theta the thermal softening, h the step; C is 0 in lanes whose rate is below rate0
// (src/material/flow/hardening_body.h). With K = theta C (A + B a^n), V = da (E + d sigma/d a), sigma the flow stress, and
// z = g/(V + K), the equation is approximately V + K ln V = constant, whose root is Wright's omega function. The iteration of
// Fritsch, Shafer and Crowley has the order four for this function, and becomes Newton's method if K = 0:
//
//     da += da z (S - g K/2)/(S - g K),   S = (V + K)(V + K + 2 g/3);
//
// The curvature of a^n leaves a second-order error with a small factor, about a thousandth. The initial value is an
// approximation of the omega function. Far from the root, |z| > 1, the relative change is z, limited to [-3/4, 2]. g decreases,
// so the root lies between the last iterates with g > 0 and with g <= 0; an iterate outside of this interval is replaced by its
// middle.
//
// a^n is computed by logarithm and exponential once or twice, and otherwise by a binomial series about such a point.
//
// For nearly all lanes the method of rate_step.h suffices, with one evaluation of the flow stress; this iteration serves the
// others.
//
// F. N. Fritsch, R. E. Shafer, W. P. Crowley: Algorithm 443: Solution of the transcendental equation w e^w = x. Communications
// of the ACM 16 (1973) 123-124.
#ifndef CAROM_MATERIAL_LANES_JOHNSON_COOK_H
#define CAROM_MATERIAL_LANES_JOHNSON_COOK_H

#include "material/lanes/rate_step.h"

// The iteration ends when the relative change of da is below this number: the next change would be below rounding.
#define CAROM_KERNEL_CLOSE 1e-8

enum { CAROM_KERNEL_BINOMIAL = 11 }; // terms; the first neglected one is (1/16)^12 times a coefficient below 0.1: 4e-16

// A point a with known B a^n, about which the binomial series is expanded.
typedef struct carom_lanes_anchor {
    carom_lanes a, over, term;                  // a, 1/a (NaN where a^n is a straight line), B a^n
    double binomial[CAROM_KERNEL_BINOMIAL + 1]; // n over k
} carom_lanes_anchor;

CAROM_INLINE void carom_kernel_anchor(const carom_lanes *a, const carom_lanes *term, carom_lanes_anchor *anchor) {
    carom_lanes nan;
    carom_lanes_bits small = *a < CAROM_SMALL_STRAIN;
    carom_lanes_fill(NAN, &nan);
    anchor->a = *a;
    anchor->term = *term;
    anchor->over = 1.0 / *a;
    carom_lanes_choose(&small, &nan, &anchor->over, &anchor->over);
}

// B a^n. In lanes with |a/anchor - 1| > 1/16 the anchor is replaced by a.
CAROM_INLINE void carom_kernel_power_near(const carom_j2_params *p, const carom_lanes *a, carom_lanes_anchor *anchor,
                                          carom_lanes *term) {
    const double *c = anchor->binomial;
    carom_lanes w = (*a - anchor->a) * anchor->over, w2 = w * w, w4 = w2 * w2;
    carom_lanes p0 = (c[1] + w * c[2]) + w2 * (c[3] + w * c[4]), p1 = (c[5] + w * c[6]) + w2 * (c[7] + w * c[8]);
    carom_lanes p2 = (c[9] + w * c[10]) + w2 * c[11];
    *term = anchor->term + anchor->term * (w * (p0 + w4 * (p1 + w4 * p2)));
    // written so that a NaN counts as far from the anchor
    carom_lanes_bits far = ~(w2 <= 1.0 / 256), small = *a < CAROM_SMALL_STRAIN;
    carom_lanes_either(&far, &small, &far);
    if (!carom_lanes_rare(&far))
        return;
    carom_lanes full;
    carom_lanes_anchor next;
    carom_kernel_power(p, a, &full);
    carom_kernel_anchor(a, &full, &next);
    carom_lanes_choose(&far, &full, term, term);
    carom_lanes_choose(&far, &next.a, &anchor->a, &anchor->a);
    carom_lanes_choose(&far, &next.over, &anchor->over, &anchor->over);
    carom_lanes_choose(&far, &next.term, &anchor->term, &anchor->term);
}

// The root v of v + ln v = L to about a tenth: L - ln L + ln L/L for L > 1, else x (1 + 4/3 x)/(1 + 7/3 x + 5/6 x^2) with
// x = e^L.
CAROM_INLINE void carom_kernel_omega_guess(const carom_lanes *L, carom_lanes *v) {
    carom_lanes one, many, log, x, high, low;
    carom_lanes_fill(1, &one);
    carom_lanes_max(L, &one, &many);
    carom_kernel_log2_below(&many, &log);
    log = (log + 0.04) * 0.693147180559945309417;
    high = many - log + log / many;
    carom_lanes_min(L, &one, &x);
    x = x * 1.44269504088896340736;
    carom_kernel_exp2_above(&x, &x);
    x = 0.97 * x;
    low = x * (1.0 + x * (4.0 / 3)) / (1.0 + x * (7.0 / 3 + x * (5.0 / 6)));
    carom_lanes_bits large = *L > 1.0;
    carom_lanes_choose(&large, &high, &low, v);
}

// Data of the iteration, in the notation of the head.
typedef struct carom_lanes_root {
    double over_slow;       // 1/slow
    carom_lanes theta, hi;  // factor of the temperature, upper bound
    carom_lanes bottom;     // lower bound of da: slow in lanes with da > slow, else 0
    carom_lanes rate;       // C in these lanes, else 0
    carom_lanes between[2]; // the last iterates with g > 0 and with g <= 0
    carom_lanes_bits open;  // lanes that have not converged
} carom_lanes_root;

CAROM_INLINE void carom_kernel_johnson_cook_step(const carom_lanes_yielding *point, const carom_lanes *q,
                                                 carom_lanes_anchor *anchor, carom_lanes_root *root, carom_lanes *da) {
    const carom_j2_params *p = point->params;
    carom_lanes a = point->alpha + *da, term, slope, zero = {0}, factor = zero + 1.0, low = zero - 0.75, high = zero + 2.0;
    carom_kernel_power_near(p, &a, anchor, &term);
    // numerator and denominator of the slope are multiplied by a, which saves a division
    carom_lanes_bits straight = a<CAROM_SMALL_STRAIN, fast = root->rate> 0.0;
    slope = p->exponent * term;
    carom_lanes_choose(&straight, &term, &slope, &slope);
    if (carom_lanes_any(&fast)) {
        carom_lanes ratio = root->over_slow * *da, log;
        carom_kernel_log(&ratio, &log);
        log = 1.0 + root->rate * log;
        carom_lanes_choose(&fast, &log, &factor, &factor);
    }
    carom_lanes sigma = root->theta * (p->yield + term), g = *q - point->stiffness * *da - sigma * factor, ga = g * a;
    carom_lanes Ka = root->rate * sigma * a, both = *da * (point->stiffness * a + root->theta * slope * factor) + Ka;
    carom_lanes S = both * (both + (2.0 / 3) * ga), part = ga * Ka;
    carom_lanes above = ga * (S - 0.5 * part), below = both * (S - part);
    carom_lanes_bits distant = ga * ga > both * both, rises = g > 0.0;
    carom_lanes_choose(&distant, &ga, &above, &above);
    carom_lanes_choose(&distant, &both, &below, &below);
    carom_lanes change = above / below, next, middle;
    carom_lanes_clamp(&change, &low, &high);
    carom_lanes_choose(&rises, da, &root->between[0], &root->between[0]);
    carom_lanes_choose(&rises, &root->between[1], da, &root->between[1]);
    next = *da + *da * change;
    carom_lanes_clamp(&next, &root->bottom, &root->hi);
    // converged: the change is small, or g is below rounding
    carom_lanes_bits moving = change * change > CAROM_KERNEL_CLOSE * CAROM_KERNEL_CLOSE, real = g * g > 2e-31 * (*q * *q);
    carom_lanes_both(&moving, &real, &moving);
    carom_lanes_bits left = next > root->between[0], right = next < root->between[1], outside;
    carom_lanes_both(&left, &right, &outside);
    outside = ~outside;
    carom_lanes_both(&outside, &moving, &outside);
    middle = 0.5 * (root->between[0] + root->between[1]);
    carom_lanes_choose(&outside, &middle, &next, &next);
    carom_lanes_choose(&root->open, &next, da, da);
    carom_lanes_both(&root->open, &moving, &root->open);
}

// Finds the lanes whose rate at the root exceeds rate0, and an initial value for these.
CAROM_INLINE void carom_kernel_rate(const carom_lanes_yielding *point, const carom_lanes *q, const carom_lanes *excess,
                                    double slow, carom_lanes_anchor *anchor, carom_lanes_root *root, carom_lanes *da) {
    const carom_j2_params *p = point->params;
    carom_lanes a = point->alpha + slow, term, zero = {0}, bottom = zero + slow, C = zero + p->rate;
    carom_kernel_power_near(p, &a, anchor, &term);
    carom_lanes_bits fast = root->hi > slow, met = *q - point->stiffness * slow - root->theta * (p->yield + term) > 0.0;
    carom_lanes_both(&fast, &met, &fast);
    carom_lanes_choose(&fast, &bottom, &zero, &root->bottom);
    carom_lanes_choose(&fast, &C, &zero, &root->rate);
    // the root of E da + K ln(da/slow) = excess, with K at the flow stress of the start of the step
    carom_lanes K = p->rate * (*q - *excess), over_K = 1.0 / K, ratio = point->stiffness * slow * over_K, L, guess;
    carom_kernel_log2_below(&ratio, &L);
    L = *excess * over_K + (L + 0.04) * 0.693147180559945309417;
    carom_kernel_omega_guess(&L, &guess);
    guess = guess * K * (1 / point->stiffness);
    carom_lanes_clamp(&guess, &bottom, &root->hi);
    carom_lanes_choose(&fast, &guess, da, da);
}

// da of the yielding lanes by the iteration.
CAROM_INLINE void carom_kernel_johnson_cook_root(const carom_lanes_yielding *point, const carom_lanes *q,
                                                 const carom_lanes *theta, const carom_lanes *excess,
                                                 const carom_lanes_bits *flows, carom_lanes *da) {
    const carom_j2_params *p = point->params;
    double slow = p->rate > 0 && point->step > 0 ? p->reference_rate * point->step : HUGE_VAL;
    carom_lanes zero = {0};
    carom_lanes_anchor anchor;
    carom_lanes_root root;
    anchor.binomial[0] = 1;
    for (int k = 1; k <= CAROM_KERNEL_BINOMIAL; k++)
        anchor.binomial[k] = anchor.binomial[k - 1] * (p->exponent - (k - 1)) * (1.0 / k);
    carom_kernel_anchor(&point->alpha, &point->term, &anchor);
    root.over_slow = 1 / slow;
    root.theta = *theta;
    root.hi = 1 / point->stiffness * *excess;
    root.bottom = root.rate = root.between[0] = zero;
    root.between[1] = root.hi;
    root.open = *flows;
    *da = root.hi;
    if (slow < HUGE_VAL)
        carom_kernel_rate(point, q, excess, slow, &anchor, &root, da);
    int i = 0;
    do
        carom_kernel_johnson_cook_step(point, q, &anchor, &root, da);
    while (++i < CAROM_JOHNSON_COOK_ITERATIONS && carom_lanes_any(&root.open));
}

// Arguments of the iteration for the lanes `left` of a batch, a rare case.
typedef struct carom_johnson_cook_seldom {
    carom_lanes_yielding point;
    carom_lanes q, theta, da;
    carom_lanes_bits left, may;
} carom_johnson_cook_seldom;

CAROM_SELDOM void carom_kernel_johnson_cook_seldom(carom_johnson_cook_seldom *k) {
    carom_lanes sigma, other, zero = {0};
    carom_kernel_flow_start(&k->point, &k->theta, &sigma);
    carom_lanes excess = k->q - sigma;
    carom_lanes_bits flows = excess > 0.0;
    carom_lanes_both(&flows, &k->left, &flows);
    carom_lanes_both(&flows, &k->may, &flows);
    carom_kernel_johnson_cook_root(&k->point, &k->q, &k->theta, &excess, &flows, &other);
    carom_lanes_choose(&flows, &other, &zero, &other);
    carom_lanes_choose(&k->left, &other, &k->da, &k->da);
}

// The plastic strain of the yielding lanes of `may`, 0 in others. An approximation of the flow stress at the start of the step,
// to 2e-5, decides for nearly every lane whether it yields; only the remaining lanes need it in full precision. `about`
// approximates q to 3e-5.
CAROM_INLINE void carom_kernel_johnson_cook(carom_lanes_yielding *point, const carom_lanes *about, const carom_lanes *q,
                                            const carom_lanes *theta, const carom_lanes_bits *may, carom_lanes *da,
                                            carom_lanes_bits *flows) {
    const carom_j2_params *p = point->params;
    bool rated = p->rate > 0 && point->step > 0;
    carom_lanes y, zero = {0};
    carom_lanes_rate k;
    k.rate = rated ? p->rate : 0;
    k.over_slow = rated ? 1 / (p->reference_rate * point->step) : 0;
    carom_kernel_log2_about(&point->alpha, &y);
    y = p->exponent * y;
    carom_kernel_exp2_about(&y, &y);
    // on the straight line at small a the initial value is poor, which only costs iterations
    carom_lanes_bits straight = point->alpha < CAROM_SMALL_STRAIN, maybe, left;
    carom_lanes_choose(&straight, &zero, &y, &y);
    k.term = p->strength * *theta * y;
    k.base = p->yield * *theta + k.term;
    carom_lanes X = *about - k.base;
    *flows = X > 1e-3 * k.base;
    maybe = X > -1e-3 * k.base;
    carom_kernel_rate_guess(point, &k, &X, da);
    carom_kernel_rate_step(point, &k, q, theta, da, &left);
    carom_lanes_choose(flows, da, &zero, da);
    carom_lanes_both(&left, flows, &left);
    // lanes of masks are 0 or -1, so the difference of two masks is the set of lanes of `maybe` that have not converged
    left = maybe - left;
    if (!carom_lanes_rare(&left))
        return;
    carom_johnson_cook_seldom rest = {*point, *q, *theta, *da, left, *may};
    carom_kernel_johnson_cook_seldom(&rest);
    *da = rest.da;
    *flows = *da > 0.0;
}

#endif
