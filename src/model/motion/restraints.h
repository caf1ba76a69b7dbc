// SPDX-License-Identifier: MIT
// Restraints of a model: which nodes are held or driven, and how fast.
#ifndef CAROM_MODEL_MOTION_RESTRAINTS_H
#define CAROM_MODEL_MOTION_RESTRAINTS_H

#include "model/model.h"

// Builds all restraints of a definition. Bodies and nodes are in place.
carom_status carom_model_add_restraints(carom_model *model, const carom_model_def *def, carom_error *error);

// Sets the velocities of all restraints (a copy of those of the model) to the prescribed ones at a time.
void carom_model_drive(const carom_model *model, double time, carom_restraint *restraints);

// Sets them to those of a step of length `h` that begins at `time`: the prescribed velocity of its middle; of obstacles that
// which leads straight from where they are, x, to their places at its end. `x` NULL: from their places at its beginning, which
// are the same up to the rounding of all steps before.
void carom_model_drive_over(const carom_model *model, double time, double h, const double (*x)[3], carom_restraint *restraints);

// How far restrained nodes have been led : the displacement of each restraint from the start to a time, the
// exact integral of its prescribed velocity, within its directions.
void carom_model_path(const carom_model *model, double time, double (*path)[3]);

// A hash over restraints and drives.
uint64_t carom_model_restraints_hash(uint64_t h, const carom_model *model);

#endif
