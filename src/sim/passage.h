// SPDX-License-Identifier: MIT
// Theory: docs/theory/guards.md
// Detects bodies that have passed through each other or through planes: a run that has lost contacts is ended.
#ifndef CAROM_SIM_PASSAGE_H
#define CAROM_SIM_PASSAGE_H

#include "sim/sim.h"

// CAROM_NUMERICAL, with the node and what it has passed, if one is behind a plane, beyond its neighbour on a line or deep
// inside another body. Counted as CAROM_EVENT_CONTACT_MISSED. Surfaces of bodies are checked only with `surfaces`: that costs
// as much as an explicit step.
carom_status carom_watch_passage(carom_sim *sim, bool surfaces, carom_error *error);

#endif
