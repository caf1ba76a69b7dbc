// SPDX-License-Identifier: MIT
// Rayleigh damping of bodies: the forces of its stiffness part. The mass part is diagonal and belongs to the kick.
#ifndef CAROM_MODEL_DAMPING_H
#define CAROM_MODEL_DAMPING_H

#include "carom/model.h"

// True if a body of the model has stiffness damping.
bool carom_model_is_viscous(const carom_model *model);

// Forces of stiffness damping on all nodes at positions x and velocities w: viscous[k]. `slots` are the element forces at x as
// carom_model_force leaves them, `scratch` has room for as many. Linear and angular momentum of each element are kept, and no element takes
// in energy at these velocities.
void carom_model_viscous_force(const carom_model *model, const double (*x)[3], const double (*w)[3], const double *slots,
                               double *scratch, double (*viscous)[3]);

// The stable step of a body with stiffness damping b, of which `step` is that without damping.
double carom_damping_step(const carom_damping *damping, double step);

#endif
