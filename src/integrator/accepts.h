// SPDX-License-Identifier: MIT
// Refusals that several integrators share; what methods lack altogether is in their tables (carom_lack).
#ifndef CAROM_INTEGRATOR_ACCEPTS_H
#define CAROM_INTEGRATOR_ACCEPTS_H

#include "model/model.h"

// CAROM_BAD_INPUT if point masses or bars may meet faces of an obstacle: contact that overlaps tells the side of a face by the
// direction in which a body looks, and nodes look in none.
carom_status carom_accepts_no_nodes_beside_sheets(const carom_model *model, const char *method, carom_error *error);

// CAROM_BAD_INPUT if a bar can meet a surface. Projections treat the contacts of a bar, which share its nodes, one after
// another, and what the last one leaves may take a node to the other side.
carom_status carom_accepts_no_bars_beside_surfaces(const carom_model *model, carom_error *error);

// True if bodies can touch with a restitution that is refused.
bool carom_touches_with_restitution(const carom_model *model, bool (*refused)(double restitution));

#endif
