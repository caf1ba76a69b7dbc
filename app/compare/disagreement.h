// SPDX-License-Identifier: MIT
// Warns in carom compare that methods give different results for the same problem: at least one of them is not accurate.
#ifndef CAROM_APP_COMPARE_DISAGREEMENT_H
#define CAROM_APP_COMPARE_DISAGREEMENT_H

#include "app/compare/contest.h"
#include "carom/sim.h"

// Stores the velocities of the mass centres of all bodies at the end of a run; none without memory.
void carom_contestant_note(carom_contestant *contestant, const carom_sim *sim);

// Writes one sentence about the two methods that differ most; empty if none differ much. Variants whose settings change the
// problem, such as contact.restitution, are not compared with the others, nor are runs that are not complete.
void carom_contest_hint(const carom_contest *contest, char *text, size_t size);

#endif
