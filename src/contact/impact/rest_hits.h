// SPDX-License-Identifier: MIT
// Makes the hits (records of an impulse, response.h) of the resting solve, with their work, for the ledger
// (docs/theory/rest.md).
#ifndef CAROM_CONTACT_IMPACT_REST_HITS_H
#define CAROM_CONTACT_IMPACT_REST_HITS_H

#include "contact/impact/interval.h"
#include "contact/impact/islands.h"

// Appends the hits of the contacts with an impulse, in the order of the list. Their work is computed with the mean of `base`
// and the velocities w after the kick. The friction loss of an island is distributed among its contacts of rigid bodies.
void carom_rest_add_hits(const carom_contact_interval *interval, carom_contact_solve *solve, const carom_islands *islands,
                         const double (*x)[3], const double (*base)[3], const double (*w)[3], carom_hits *hits);

#endif
