// SPDX-License-Identifier: MIT
// The profile of a run in summary.json.
#ifndef CAROM_SIM_PROFILE_TABLE_H
#define CAROM_SIM_PROFILE_TABLE_H

#include "carom/run.h"
#include "carom/text.h"

// The members "threads_used", "memory" and "profile" of summary.json, with a comma behind it; nothing without a profile.
void carom_profile_put(carom_text *text, const carom_summary *summary);

#endif
