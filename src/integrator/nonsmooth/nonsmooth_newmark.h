// SPDX-License-Identifier: MIT
// Counts of solver work of `nonsmooth-newmark`, for benchmarks and tests.
#ifndef CAROM_INTEGRATOR_NONSMOOTH_NONSMOOTH_NEWMARK_H
#define CAROM_INTEGRATOR_NONSMOOTH_NONSMOOTH_NEWMARK_H

#include "integrator/nonsmooth/sqp.h"
#include "integrator/stepper.h"

carom_sqp_counts carom_nonsmooth_counts(const carom_stepper *stepper);

#endif
