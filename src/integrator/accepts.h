// SPDX-License-Identifier: MIT
// Refusals that several integrators share.
#ifndef CAROM_INTEGRATOR_ACCEPTS_H
#define CAROM_INTEGRATOR_ACCEPTS_H

#include "model/model.h"

// CAROM_BAD_INPUT if nodes of the model have frames, which `method` cannot turn.
carom_status carom_accepts_no_frames(const carom_model *model, const char *method, carom_error *error);
// Refuses a model with rigid bodies, in the name of a method.
carom_status carom_accepts_no_rigid(const carom_model *model, const char *method, carom_error *error);

// CAROM_BAD_INPUT if a body has stiffness damping, which `method` does not have.
carom_status carom_accepts_no_viscosity(const carom_model *model, const char *method, carom_error *error);

// CAROM_BAD_INPUT if a material has history, which `method` does not carry on.
carom_status carom_accepts_no_history(const carom_model *model, const char *method, carom_error *error);

// CAROM_BAD_INPUT if a law that flows has viscous branches beside it, whose two books `method` cannot tell apart.
carom_status carom_accepts_no_branches_beside_flow(const carom_model *model, const char *method, carom_error *error);

// CAROM_BAD_INPUT if a restraint holds for a time only, or if there are obstacles.
carom_status carom_accepts_no_windows(const carom_model *model, const char *method, carom_error *error);
carom_status carom_accepts_no_obstacles(const carom_model *model, const char *method, carom_error *error);

// CAROM_BAD_INPUT if point masses or bars may meet faces of an obstacle: contact that overlaps tells the side of a face by the
// direction in which a body looks, and nodes look in none.
carom_status carom_accepts_no_nodes_beside_sheets(const carom_model *model, const char *method, carom_error *error);

// CAROM_BAD_INPUT if surfaces are tied or points connected, which `method` does not know.
carom_status carom_accepts_no_ties(const carom_model *model, const char *method, carom_error *error);

// CAROM_BAD_INPUT if a bar can meet a surface. Projections treat the contacts of a bar, which share its nodes, one after
// another, and what the last one leaves may take a node to the other side.
carom_status carom_accepts_no_bars_beside_surfaces(const carom_model *model, carom_error *error);

// True if bodies can touch with a restitution that is refused.
bool carom_touches_with_restitution(const carom_model *model, bool (*refused)(double restitution));

#endif
