// SPDX-License-Identifier: MIT
// Refusals of models whose contact some integrators cannot treat; features that a method lacks entirely are listed in its table
// (carom_lack).
#ifndef CAROM_INTEGRATOR_ACCEPTS_H
#define CAROM_INTEGRATOR_ACCEPTS_H

#include "carom/integrator.h"
#include "model/model.h"

// CAROM_BAD_INPUT if point masses or bars may meet faces of an obstacle: methods whose contact allows overlap determine the
// side of a face from the outward normal of the other body, and nodes without faces have none.
carom_status carom_refuse_nodes_near_sheets(const carom_integrator *method, const carom_model *model, carom_error *error);

// CAROM_BAD_INPUT if a bar can meet a surface. The contacts of a bar share its nodes, and projection treats them one after
// another: the last projection may move a node to the other side of the surface.
carom_status carom_refuse_bars_near_surfaces(const carom_model *model, carom_error *error);

// True if `refused` holds for the restitution of bodies that can touch.
bool carom_touches_with_restitution(const carom_model *model, bool (*refused)(double restitution));

#endif
