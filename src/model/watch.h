// SPDX-License-Identifier: MIT
// What deformation does to solid elements: some turn inside out, some become so thin that the step is no longer stable.
#ifndef CAROM_MODEL_WATCH_H
#define CAROM_MODEL_WATCH_H

#include "carom/model.h"

// Finds the first element, in the order of the model, whose map from the reference has no positive Jacobian at one of its points, of those
// whose law forbids it (all but `linear`). Writes "element 17 of body 'block'" with the number of its file. False if there is none.
bool carom_model_find_inverted(const carom_model *model, const double (*x)[3], char *name, size_t size);

// An estimate of the stable step at positions x: that of the reference, times how the step of the thinnest element of a block, taken by
// itself, compares with that of the thinnest one in the reference. HUGE_VAL if there are no such solids.
double carom_model_stable_step_at(const carom_model *model, const double (*x)[3]);

#endif
