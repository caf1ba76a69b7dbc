// SPDX-License-Identifier: MIT
// The surface of a model as detection by configurations wants it: faces apart from the nodes without faces that touch them.
#ifndef CAROM_INTEGRATOR_ISOLATED_H
#define CAROM_INTEGRATOR_ISOLATED_H

#include "contact/simplex/violations.h"
#include "model/model.h"

// Start from {0}.
typedef struct carom_isolated {
    carom_surface faces; // without lines and points; empty if the model has none of these
    int count;
    int *node, *body; // point masses and nodes of bars
} carom_isolated;

carom_status carom_isolated_create(const carom_model *model, carom_isolated *isolated, carom_error *error);
void carom_isolated_release(carom_isolated *isolated);

// What a model and its isolated nodes say of a definition; the rest of it is left.
void carom_isolated_define(const carom_isolated *isolated, const carom_model *model, carom_violations_def *def);

#endif
