// SPDX-License-Identifier: MIT
// The facets of a model: faces and nodes that can touch in implicit contact.
#ifndef CAROM_INTEGRATOR_ENERGY_MOMENTUM_MODEL_FACETS_H
#define CAROM_INTEGRATOR_ENERGY_MOMENTUM_MODEL_FACETS_H

#include "contact/quadrature/facets.h"
#include "model/model.h"

// The outer faces of all plane and solid bodies, and the nodes of the others; obstacles of any cells. Start from {0}.
carom_status carom_model_facets(const carom_model *model, carom_facets *facets, carom_error *error);

// The contact area of a node of a bar or of a point mass; 0 if the body has a surface.
double carom_model_section_of(const carom_model *model, int body);

#endif
