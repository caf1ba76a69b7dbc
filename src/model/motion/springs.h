// SPDX-License-Identifier: MIT
// Springs and dampers between a node of a rigid body and another node or the ground (docs/theory/joints.md).
#ifndef CAROM_MODEL_MOTION_SPRINGS_H
#define CAROM_MODEL_MOTION_SPRINGS_H

#include "model/model.h"

// Builder: finds the nodes of the springs.
carom_status carom_model_add_springs(carom_model *model, const carom_model_def *def, carom_error *error);

// Axis of a spring: n is the unit vector from the second end to the first. Returns their distance.
double carom_spring_line(const carom_spring *spring, const double (*x)[3], double n[3]);
// The force on its first end; the force on the second is opposite.
void carom_spring_force(const carom_spring *spring, const double (*x)[3], double force[3]);

// Adds the forces of all springs to those of the nodes.
void carom_model_add_spring_forces(const carom_model *model, const double (*x)[3], double (*force)[3]);
// The energy of all springs.
double carom_model_spring_energy(const carom_model *model, const double (*x)[3]);

// An upper bound of the square of the frequencies of the bodies due to springs; 0 without springs.
double carom_model_spring_square(const carom_model *model);

uint64_t carom_model_springs_hash(uint64_t h, const carom_model *model);

#endif
