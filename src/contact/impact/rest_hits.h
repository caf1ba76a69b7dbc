// SPDX-License-Identifier: MIT
// What contacts that were solved together at a kick have done, for the ledger (docs/theory/rest.md).
#ifndef CAROM_CONTACT_IMPACT_REST_HITS_H
#define CAROM_CONTACT_IMPACT_REST_HITS_H

#include "contact/impact/interval.h"
#include "contact/impact/islands.h"

// Appends the hits of the contacts that press, in the order of the list. Their work is that on the mean of the velocities
// `base` and of those after the kick, w. Contacts of rigid bodies in one island share what friction takes.
void carom_rest_add_hits(const carom_contact_interval *interval, carom_contact_solve *solve, const carom_islands *islands,
                         const double (*x)[3], const double (*base)[3], const double (*w)[3], carom_hits *hits);

#endif
