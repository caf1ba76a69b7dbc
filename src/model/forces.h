// SPDX-License-Identifier: MIT
// Forces and energies of the whole model, assembled from its blocks in a fixed order.
#ifndef CAROM_MODEL_FORCES_H
#define CAROM_MODEL_FORCES_H

#include "carom/model.h"

// Internal forces plus loads of all nodes. `slots` is scratch for carom_model_slot_count numbers.
void carom_model_force(const carom_model *model, const double (*x)[3], double *slots, double (*force)[3]);
int64_t carom_model_slot_count(const carom_model *model);

// Stored energy of all elements. `energies` is scratch for model->element_count numbers.
double carom_model_energy(const carom_model *model, const double (*x)[3], double *energies);

#endif
