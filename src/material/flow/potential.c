// SPDX-License-Identifier: MIT
// The plastic potential of a step: the integral of the flow stress sigma over the plastic strain of the step. Without rate
// dependence it is Y(a + da) - Y(a), where Y' = sigma; the rate dependence adds a second term. The return mapping makes the
// energy plus this potential stationary. It is computed in closed form, except the rate term of Johnson and Cook's law, which
// is integrated by Gauss's rule in the logarithm of the strain, to about 1e-12.
#include <math.h>

#include "material/flow/hardening.h"
#include "material/flow/hardenings.h"
#include "math/functions.h"

// Y of Johnson and Cook's law without rate, from 0 to a.
static double power_potential(const carom_j2_params *p, double a) {
    double a0 = CAROM_SMALL_STRAIN, n = p->exponent, b = p->strength * carom_exp(n * carom_log(a0));
    if (a < a0)
        return p->yield * a + 0.5 * b / a0 * a * a;
    return p->yield * a + 0.5 * b * a0 + (p->strength * carom_exp((n + 1) * carom_log(a)) - b * a0) / (n + 1);
}

// The integral of the additional stress of the rate from `slow`, the increment at the reference rate, to da: Gauss's rule of
// five points on intervals of length 1/2 in ln a.
static double rate_potential(const carom_yielding *point, double slow, double da) {
    static const double x[5] = {-0.906179845938663993, -0.538469310105683091, 0, 0.538469310105683091, 0.906179845938663993};
    static const double w[5] = {0.236926885056189088, 0.478628670499366468, 0.568888888888888889, 0.478628670499366468,
                                0.236926885056189088};
    carom_yielding still = *point;
    still.step = HUGE_VAL;
    double range = carom_log(da / slow), sum = 0;
    int pieces = (int)fmin(ceil(2 * range), 200);
    for (int i = 0; i < pieces; i++)
        for (int k = 0; k < 5; k++) {
            double y = range * (i + 0.5 + 0.5 * x[k]) / pieces, s = slow * carom_exp(y);
            sum += w[k] * s * y * carom_flow_stress(&still, s, NULL);
        }
    return pieces ? 0.5 * range / pieces * point->params->rate * sum : 0;
}

#define CAROM_HARDENING_POTENTIAL(NAME, name, word, reads, ...) \
    case CAROM_HARDENING_##NAME: return CAROM_##NAME##_POTENTIAL(p, end) - CAROM_##NAME##_POTENTIAL(p, a);

double carom_flow_potential(const carom_yielding *point, double da) {
    const carom_j2_params *p = point->params;
    double a = point->alpha, end = a + da;
    switch ((carom_hardening)p->hardening) {
    case CAROM_HARDENING_VOCE:
        return da * (p->saturation + 0.5 * p->modulus * (a + end)) +
               (p->saturation - p->yield) / p->decay * (carom_exp(-p->decay * end) - carom_exp(-p->decay * a));
    case CAROM_HARDENING_TABLE: {
        double sum = 0, at = a, sigma = carom_flow_stress(point, 0, NULL);
        for (int row = 0; row < p->curve.count && at < end; row++) {
            const double *r = p->curve.rows[row];
            if (r[0] <= at || r[0] >= end)
                continue;
            sum += 0.5 * (sigma + r[1]) * (r[0] - at);
            at = r[0], sigma = r[1];
        }
        return sum + 0.5 * (sigma + carom_flow_stress(point, da, NULL)) * (end - at);
    }
    case CAROM_HARDENING_JOHNSON_COOK: {
        double slow = p->reference_rate * point->step, theta = carom_flow_softening(p, point->temperature);
        double rate = p->rate > 0 && slow > 0 && da > slow ? rate_potential(point, slow, da) : 0;
        return theta * (power_potential(p, end) - power_potential(p, a)) + rate;
    }
        CAROM_CONCAVE_HARDENINGS(CAROM_HARDENING_POTENTIAL, )
    default: {
        // softening ends when the flow stress reaches 0
        double last = p->modulus < 0 ? fmin(end, fmax(-p->yield / p->modulus, a)) : end;
        return (last - a) * (p->yield + 0.5 * p->modulus * (a + last));
    }
    }
}
