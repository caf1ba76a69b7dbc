// SPDX-License-Identifier: MIT
// How far restrained nodes have been led by their prescribed velocities.
#ifndef CAROM_MODEL_MOTION_DRIVEN_PATH_H
#define CAROM_MODEL_MOTION_DRIVEN_PATH_H

#include "model/model.h"

// The displacement of each restraint from the start to a time: the exact integral of its prescribed velocity, within its
// directions.
void carom_model_path(const carom_model *model, double time, double (*path)[3]);

#endif
