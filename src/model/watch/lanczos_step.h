// SPDX-License-Identifier: MIT
// Stability check of a constant step: the largest frequency of bodies in their current deformation, by the Lanczos method.
#ifndef CAROM_MODEL_WATCH_LANCZOS_STEP_H
#define CAROM_MODEL_WATCH_LANCZOS_STEP_H

#include "model/model.h"

// A body for which the step is too long.
typedef struct carom_outgrown {
    int body;      // -1: none
    double stable; // the step at which its fastest vibration would just be stable
} carom_outgrown;

// Buffers of the next function, kept between calls: allocating them takes as long as the bound itself. Start from {0}; release
// them at the end.
typedef struct carom_outgrown_space {
    double (*rest)[3];   // velocities and accelerations: zeros
    double *now, *start; // stiffness shares at x, and at the reference
    double *measures;
} carom_outgrown_space;
void carom_outgrown_space_release(carom_outgrown_space *space);

// Finds the first body whose tangent stiffness at positions x makes a step of central differences of length `step` unstable.
// Bodies for which the bound of model/watch/frequency_bound.c proves the step, or with small strains, cost no more than that
// bound. CAROM_NO_MEMORY if memory is short.
carom_status carom_model_find_outgrown(const carom_model *model, const double (*x)[3], double step, carom_outgrown_space *space,
                                       carom_outgrown *found, carom_error *error);

// 2/omega of the tangent stiffness of a body at x, with damping: never below the true value, and above it by more than 5 % with
// a probability of 1e-6 only. NaN if memory is short or forces are not finite.
double carom_model_tangent_step(const carom_model *model, int body, const double (*x)[3]);

// True if the bound of some body no longer proves the step: carom_model_find_outgrown then decides. Over all processes.
carom_status carom_model_is_outgrown(const carom_model *model, const double (*x)[3], double step, bool *outgrown,
                                     carom_error *error);

#endif
