// SPDX-License-Identifier: MIT
// Rate dependence of Johnson and Cook's flow stress: the factor 1 + C ln(da/(rate0 h)) of a plastic strain increment da in a
// step h, and the law with this factor held constant.
#include "material/flow/j2_rate.h"

#include <math.h>

#include "material/flow/hardening.h"
#include "material/material.h"
#include "math/functions.h"

bool carom_j2_ages(const void *params) {
    const carom_j2_params *p = params;
    return p->hardening == CAROM_HARDENING_JOHNSON_COOK && p->rate > 0;
}

bool carom_j2_has_rate(const carom_material *material, const void *params) {
    return carom_law_of(material) == CAROM_LAW_J2 && carom_j2_ages(params);
}

double carom_j2_rate_factor(const carom_j2_params *p, double da, double step, double *slope) {
    double slow = p->reference_rate * step;
    *slope = da > slow && slow > 0 ? p->rate / da : 0;
    return *slope > 0 ? 1 + p->rate * carom_log(da / slow) : 1;
}

// Multiplies A and B (yield and strength) by the factor.
void carom_j2_hold_rate(const carom_j2_params *p, double factor, carom_j2_params *held) {
    *held = *p;
    held->yield *= factor;
    held->strength *= factor;
    held->rate = 0;
}

double carom_j2_slow_stress(const carom_j2_params *p, double alpha, double temperature) {
    // In a step of infinite duration the rate is 0.
    carom_yielding point = {.params = p, .alpha = alpha, .temperature = temperature, .step = HUGE_VAL};
    return carom_flow_stress(&point, 0, NULL);
}
