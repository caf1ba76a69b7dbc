// SPDX-License-Identifier: MIT
// Contact and counts of a run of `energy-momentum`, for tests and benchmarks.
#ifndef CAROM_INTEGRATOR_ENERGY_MOMENTUM_ENERGY_MOMENTUM_H
#define CAROM_INTEGRATOR_ENERGY_MOMENTUM_ENERGY_MOMENTUM_H

#include "integrator/energy_momentum/balance.h"
#include "integrator/stepper.h"

// The contact of the last step, and counts since the start.
const carom_implicit_contact *carom_energy_momentum_contact(const carom_stepper *stepper);
carom_balance_counts carom_energy_momentum_counts(const carom_stepper *stepper);

#endif
