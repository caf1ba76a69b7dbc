// SPDX-License-Identifier: MIT
// Theory: docs/theory/guards.md
// Nothing passes through anything: a run in which contact was lost does not go on as if nothing had happened.
#ifndef CAROM_SIM_PASSAGE_H
#define CAROM_SIM_PASSAGE_H

#include "sim/sim.h"

// CAROM_NUMERICAL, with the node and what it has passed, if one is behind a plane, beyond its neighbour on a line or deep
// inside another body. Counted as CAROM_EVENT_CONTACT_MISSED. Bodies are looked at with `surfaces` only: that costs as much
// as an explicit step.
carom_status carom_watch_passage(carom_sim *sim, bool surfaces, carom_error *error);

#endif
