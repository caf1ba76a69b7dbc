// SPDX-License-Identifier: MIT
// The kinds of hardening, for the processor (hardening.c) and for devices: the flow stress sigma(a) at the plastic strain a,
// and the plastic strain da of a step of duration h. da is the root of g(da) = q - E da - sigma(a + da), with q the trial
// stress and E its decrease per plastic strain (3 mu; Young's modulus of a bar).
//
//     linear        s0 + H a, in closed form
//     voce          s0 + H a + (s1 - s0)(1 - exp(-d a)): concave, so that Newton's method from 0 never passes the root
//     concave       other increasing concave functions, one header for each (hardenings.h), by the same method
//     table         linear between rows: in closed form for the row in which g changes its sign; constant beyond the end
//     johnson-cook  (A + B a^n)(1 + C ln max(1, (da/h)/rate0)) theta(T), theta the thermal softening, T at the step's start
//
// For johnson-cook Newton's method in da fails because of the logarithm of the rate. Let hi = (q - sigma(a, rate 0))/E, an
// upper bound of the root. If the rate at the root exceeds rate0, which is so if g(rate0 h) > 0 and hi > rate0 h, the unknown
// is y = ln da, with the initial value ln hi and changes limited to [-4, 1]. Otherwise it is da, with the initial value hi, and
// no iterate is below a thousandth of the one before. Eight iterations reach rounding for steps of 1e-10 to 1e-6 s and stresses
// from 1 + 1e-8 to 3 times the flow stress. g decreases, so the root lies between the last iterates with g > 0 and with g <= 0.
// An iterate outside of this interval is replaced by its middle; this occurs if n is small, near the strain CAROM_SMALL_STRAIN,
// below which a^n is replaced by a straight line.
//
// G. R. Johnson, W. H. Cook: A constitutive model and data for metals subjected to large strains, high strain rates and high
// temperatures. 7th International Symposium on Ballistics (1983) 541-547. E. Voce: The relationship between stress and strain
// for homogeneous deformation. Journal of the Institute of Metals 74 (1948) 537-562.
#ifndef CAROM_MATERIAL_FLOW_HARDENING_BODY_H
#define CAROM_MATERIAL_FLOW_HARDENING_BODY_H

#include <math.h>

#include "material/flow/hardening.h"
#include "material/flow/hardenings.h"
#include "math/functions.h"

CAROM_LOCAL double carom_flow_clamp(double x, double low, double high) {
    return fmin(fmax(x, low), high);
}

CAROM_LOCAL void carom_flow_pow(const double *x, double n, double *result) {
    *result = carom_pow(*x, n);
}
CAROM_CONCAVE_HARDENINGS(CAROM_HARDENING_FUNCTION, double, _stress, carom_flow_pow)

CAROM_SHARED double carom_flow_softening(const carom_j2_params *p, double temperature) {
    if (isnan(p->melting) || isnan(temperature))
        return 1;
    double hot = carom_flow_clamp((temperature - p->temperature) / (p->melting - p->temperature), 0, 1);
    return hot > 0 ? 1 - carom_pow(hot, p->softening) : 1;
}

// A + B a^n, straight below CAROM_SMALL_STRAIN.
CAROM_LOCAL double carom_flow_power(const carom_j2_params *p, double a, double *slope) {
    if (a < CAROM_SMALL_STRAIN) {
        *slope = p->strength * carom_exp(p->exponent * carom_log(CAROM_SMALL_STRAIN)) / CAROM_SMALL_STRAIN;
        return p->yield + *slope * a;
    }
    double term = p->strength * carom_exp(p->exponent * carom_log(a));
    *slope = p->exponent * term / a;
    return p->yield + term;
}

// The row that begins the straight piece with `a`; the last one beyond the end.
CAROM_LOCAL int carom_flow_row(const carom_pairs *curve, double a) {
    int row = 0;
    while (row + 1 < curve->count && curve->rows[row + 1][0] <= a)
        row++;
    return row;
}

CAROM_LOCAL double carom_flow_slope(const carom_pairs *curve, int row) {
    const double(*r)[2] = &curve->rows[row];
    return row + 1 < curve->count ? (r[1][1] - r[0][1]) / (r[1][0] - r[0][0]) : 0;
}

// Johnson and Cook's stress at the temperature whose softening is theta; `slow` is the strain of the step at the reference
// rate.
CAROM_LOCAL double carom_flow_hot_stress(const carom_yielding *point, double theta, double slow, double da, double *slope) {
    const carom_j2_params *p = point->params;
    double hard, sigma = theta * carom_flow_power(p, point->alpha + da, &hard),
                 factor = da > slow ? 1 + p->rate * carom_log(da / slow) : 1;
    *slope = theta * hard * factor + (da > slow ? sigma * p->rate / da : 0);
    return sigma * factor;
}

CAROM_SHARED double carom_flow_stress(const carom_yielding *point, double da, double *slope) {
    const carom_j2_params *p = point->params;
    double a = point->alpha + da, sigma, ignored, *d = slope ? slope : &ignored;
    switch ((carom_hardening)p->hardening) {
    case CAROM_HARDENING_VOCE: {
        double fade = carom_exp(-p->decay * a);
        *d = p->modulus + (p->saturation - p->yield) * p->decay * fade;
        return p->yield + p->modulus * a + (p->saturation - p->yield) * (1 - fade);
    }
    case CAROM_HARDENING_TABLE: {
        int row = carom_flow_row(&p->curve, a);
        *d = carom_flow_slope(&p->curve, row);
        return p->curve.rows[row][1] + *d * (a - p->curve.rows[row][0]);
    }
    case CAROM_HARDENING_JOHNSON_COOK:
        return carom_flow_hot_stress(point, carom_flow_softening(p, point->temperature), p->reference_rate * point->step, da,
                                     d);
        CAROM_CONCAVE_HARDENINGS(CAROM_HARDENING_CALL, _stress, p, &a, &sigma, d)
    default: *d = p->modulus; return fmax(p->yield + p->modulus * a, 0.0);
    }
    return sigma;
}

CAROM_LOCAL double carom_flow_johnson_cook(const carom_yielding *point, double q) {
    double slow = point->params->reference_rate * point->step, theta = carom_flow_softening(point->params, point->temperature);
    // an endless step: its rate is 0
    double slope, still = point->params->reference_rate * HUGE_VAL;
    double hi = (q - carom_flow_hot_stress(point, theta, still, 0, &slope)) / point->stiffness, da = hi;
    bool fast = point->params->rate > 0 && hi > slow &&
                q - point->stiffness * slow - carom_flow_hot_stress(point, theta, slow, slow, &slope) > 0;
    double low = 0, high = hi;
    for (int i = 0; i < CAROM_JOHNSON_COOK_ITERATIONS; i++) {
        double g = q - point->stiffness * da - carom_flow_hot_stress(point, theta, fast ? slow : still, da, &slope);
        double change = g / (point->stiffness + slope), next;
        *(g > 0 ? &low : &high) = da;
        if (fast)
            next = carom_flow_clamp(da * carom_exp(carom_flow_clamp(change / da, -4, 1)), slow, hi);
        else
            next = carom_flow_clamp(da + change, 1e-3 * da, hi);
        bool near = !(fabs(change) > CAROM_FLOW_CLOSE * da);
        da = near || (next > low && next < high) ? next : 0.5 * (low + high);
        if (near)
            break;
    }
    return da;
}

CAROM_SHARED double carom_flow_strain(const carom_yielding *given, double q, double *slope) {
    const carom_j2_params *p = given->params;
    carom_yielding known = *given;
    const carom_yielding *point = &known;
    // a step of no length has no rate
    if (!(known.step > 0))
        known.step = HUGE_VAL;
    double excess = q - carom_flow_stress(point, 0, slope), most = q / point->stiffness, da = 0;
    bool concave = CAROM_HARDENING_IS_CONCAVE(p->hardening);
    if (!(excess > 0))
        return 0;
    for (int i = 0; (concave || p->hardening == CAROM_HARDENING_VOCE) && i < CAROM_VOCE_ITERATIONS; i++) {
        double sigma = carom_flow_stress(point, da, slope);
        double change = (q - point->stiffness * da - sigma) / (point->stiffness + *slope);
        da = carom_flow_clamp(da + change, 0, most);
        if (!(fabs(change) > CAROM_FLOW_CLOSE * da))
            break;
    }
    switch ((carom_hardening)p->hardening) {
    case CAROM_HARDENING_TABLE: {
        int row = carom_flow_row(&p->curve, point->alpha);
        const double(*r)[2] = p->curve.rows;
        while (row + 1 < p->curve.count && q - point->stiffness * (r[row + 1][0] - point->alpha) > r[row + 1][1])
            row++;
        *slope = carom_flow_slope(&p->curve, row);
        double sigma = r[row][1] + *slope * (point->alpha - r[row][0]);
        return carom_flow_clamp((q - sigma) / (point->stiffness + *slope), 0, most);
    }
    case CAROM_HARDENING_JOHNSON_COOK: da = carom_flow_johnson_cook(point, q); break;
    case CAROM_HARDENING_LINEAR: return fmin(excess / (point->stiffness + p->modulus), most);
    default: break;
    }
    carom_flow_stress(point, da, slope);
    return da;
}

#endif
