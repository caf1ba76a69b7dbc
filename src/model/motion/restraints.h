// SPDX-License-Identifier: MIT
// Restraints of a model: nodes with fixed or prescribed velocity components.
#ifndef CAROM_MODEL_MOTION_RESTRAINTS_H
#define CAROM_MODEL_MOTION_RESTRAINTS_H

#include "model/model.h"

// Builds all restraints of a definition. Bodies and nodes exist.
carom_status carom_model_add_restraints(carom_model *model, const carom_model_def *def, carom_error *error);

// Sets the velocities of all restraints (a copy of those of the model) to the prescribed ones at a time.
void carom_model_drive(const carom_model *model, double time, carom_restraint *restraints);

// Sets them to those of a step of length `h` that begins at `time`: the prescribed velocity at its midpoint; for obstacles the
// velocity along the straight line from their current positions x to their positions at its end. `x` NULL: from their exact
// positions at its beginning, which differ by the accumulated rounding only.
void carom_model_drive_over(const carom_model *model, double time, double h, const double (*x)[3], carom_restraint *restraints);

// Prescribed displacement of restrained nodes from the start to a time: per restraint the exact integral of its prescribed
// velocity, within its directions.
void carom_model_path(const carom_model *model, double time, double (*path)[3]);

// Continues a hash with restraints and prescribed motions.
uint64_t carom_model_restraints_hash(uint64_t h, const carom_model *model);

#endif
