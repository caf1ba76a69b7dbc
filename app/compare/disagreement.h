// SPDX-License-Identifier: MIT
// Methods that give different answers to one question: at least one of them is not to be believed yet.
#ifndef CAROM_APP_COMPARE_DISAGREEMENT_H
#define CAROM_APP_COMPARE_DISAGREEMENT_H

#include "app/compare/contest.h"
#include "carom/sim.h"

// Notes the velocities of the mass centres of all bodies at the end of a run. Without memory there are none.
void carom_contestant_note(carom_contestant *contestant, const carom_sim *sim);

// The two methods that differ most, in one sentence, and in what; empty if none differ much. Methods of which a setting changes
// the question, as contact.restitution does, are not compared with the others, nor are runs that are not complete.
void carom_contest_hint(const carom_contest *contest, char *text, size_t size);

#endif
