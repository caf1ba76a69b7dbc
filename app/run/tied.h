// SPDX-License-Identifier: MIT
// Summary of tied surfaces and of connected points.
#ifndef CAROM_APP_RUN_TIED_H
#define CAROM_APP_RUN_TIED_H

#include "carom/model.h"

// On stdout: number of tied nodes and connections, and how far nodes were moved. Nothing if there are none.
void carom_tied_print(const carom_model *model);
// Notes on stderr about slave faces that are coarser than the master faces, and about different velocities.
void carom_tied_note(const carom_model *model);

#endif
