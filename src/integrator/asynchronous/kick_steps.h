// SPDX-License-Identifier: MIT
// The longest steps with which the elements of a model may kick, each one by itself.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_KICK_STEPS_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_KICK_STEPS_H

#include "model/model.h"

// One per element, block after block: the fraction `beta` of its stable step at the reference, or less beside elements with far
// shorter ones; HUGE_VAL for elements without elasticity. With beta = 1 the shortest is stable for all elements together. To be
// freed; NULL if memory is short. `mass`, if not NULL, receives for each node of each element the part of the nodal mass with
// which the element was taken to vibrate; 0 for elements that reach beyond their cells.
double *carom_kick_steps(const carom_model *model, double beta, double *mass);

#endif
