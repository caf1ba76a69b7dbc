// SPDX-License-Identifier: MIT
// What the event loop of contact (drift.h) asks of a contact that is about to act.
#ifndef CAROM_CONTACT_IMPACT_ENCOUNTER_H
#define CAROM_CONTACT_IMPACT_ENCOUNTER_H

#include "contact/contact.h"

// How fast the nodes move, without regard to direction.
double carom_encounter_speed(const carom_contact *contact, const double (*w)[3]);

// Rounding of the gap: positions are known no better.
double carom_encounter_rounding(const carom_contact *contact, const double (*x)[3]);

// The nodes among those from `begin` to `end` that an impulse at the contact sets in motion; returns how many.
int carom_encounter_movers(const carom_contact *contact, carom_mobility mobility, int begin, int end, int nodes[4]);

// How often both sides of a contact have been hit, from the hits of each node: the side that was hit less counts. A large face may be hit by many.
int carom_encounter_hits(const carom_contact *contact, carom_mobility mobility, const int *hits);

// How fast an impact deep in the layer must leave at least: enough to be back at half of it in a step, and twice as fast as it came, so that
// features that slide around each other do not meet at a half, a quarter, an eighth of the distance without end. Sliding
// with the speed u at a curvature not sharper than a side of the surface comes with about u sqrt(level/side); more is not needed.
double carom_encounter_escape(const carom_contact *contact, double side, double level, double distance, double rate,
                              double step, const double (*w)[3]);

#endif
