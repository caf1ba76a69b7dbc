// SPDX-License-Identifier: MIT
// The rate dependence of the law `j2` (Johnson and Cook): the flow stress is a function of plastic strain and temperature times
// a factor that depends on the rate of the plastic strain.
#ifndef CAROM_MATERIAL_FLOW_J2_RATE_H
#define CAROM_MATERIAL_FLOW_J2_RATE_H

#include "carom/material.h"

// True if the flow stress depends on the rate of the plastic strain; `params` are carom_j2_params.
bool carom_j2_ages(const void *params);

// The same for any material: false if it is not `j2`.
bool carom_j2_has_rate(const carom_material *material, const void *params);

// The factor for a plastic strain increment da in a step of duration `step`, and its derivative with respect to da.
double carom_j2_rate_factor(const carom_j2_params *params, double da, double step, double *slope);

// Sets `held` to a law without rate dependence whose flow stress is multiplied by `factor`.
void carom_j2_hold_rate(const carom_j2_params *params, double factor, carom_j2_params *held);

// The flow stress at rate zero, at the plastic strain alpha and a temperature (NaN if the law has no temperature).
double carom_j2_slow_stress(const carom_j2_params *params, double alpha, double temperature);

#endif
