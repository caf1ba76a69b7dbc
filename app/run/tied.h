// SPDX-License-Identifier: MIT
// What is said of surfaces that are glued together and points that are connected.
#ifndef CAROM_APP_RUN_TIED_H
#define CAROM_APP_RUN_TIED_H

#include "carom/model.h"

// On stdout: how much is tied, and how far nodes were moved for it. Nothing if nothing is.
void carom_tied_print(const carom_model *model);
// Notes on stderr, about coarse faces that follow fine ones and about different velocities.
void carom_tied_note(const carom_model *model);

#endif
