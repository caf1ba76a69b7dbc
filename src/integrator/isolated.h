// SPDX-License-Identifier: MIT
// The surface of a model for contact detection between configurations (contact/simplex): faces, and separately the nodes
// without faces that can touch them.
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

// Fills in the members of a definition that depend on the model and its isolated nodes, and leaves the others.
void carom_isolated_define(const carom_isolated *isolated, const carom_model *model, carom_violations_def *def);

#endif
