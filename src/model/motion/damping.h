// SPDX-License-Identifier: MIT
// Rayleigh damping of bodies: the forces -b K w of its stiffness part, and its mass part -a M w, which is diagonal and changes
// the velocities of a kick (velocity update between two drifts) in closed form.
#ifndef CAROM_MODEL_MOTION_DAMPING_H
#define CAROM_MODEL_MOTION_DAMPING_H

#include "contact/restraint.h"
#include "model/model.h"

// Builder: fills model->mass_damping. Bodies and nodes exist.
carom_status carom_model_spread_damping(carom_model *model, const carom_model_def *def, carom_error *error);

// True if a body of the model has stiffness damping.
bool carom_model_is_viscous(const carom_model *model);

// Forces of stiffness damping on all nodes at positions x and velocities w: viscous[k]. `slots` are the element forces at x as
// carom_model_force leaves them, `scratch` has the same length. Linear and angular momentum of each element are conserved, and
// no element gains energy at these velocities.
void carom_model_viscous_force(const carom_model *model, const double (*x)[3], const double (*w)[3], const double *slots,
                               double *scratch, double (*viscous)[3]);

// The coefficient b of stiffness damping of the elements of a block; 0 if it does not act on them.
double carom_block_stiffness_damping(const carom_model *model, const carom_block *block);

// The coefficient a of mass damping, -a m v, at a node.
static inline double carom_model_mass_damping(const carom_model *model, int node) {
    return model->mass_damping ? model->mass_damping[node] : 0;
}

// Mass damping of a kick of length h from w_before to w, where w was computed without it: the force -a m (w_before + w)/2 at
// the resulting velocity w. Changes w, fills the forces `drag` of damped nodes and adds them to `force`. Restrained components
// of w keep their prescribed values. `nodes` are those to be damped, `count` of them; NULL: the first ones.
void carom_model_drag(const carom_model *model, const int *nodes, int count, const carom_restraints *restraints, double h,
                      const double (*w_before)[3], double (*w)[3], double (*drag)[3], double (*force)[3]);

// The stable step of a body with stiffness damping b; `step` is the one without damping.
double carom_damping_step(const carom_damping *damping, double step);

#endif
