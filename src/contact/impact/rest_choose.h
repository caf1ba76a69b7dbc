// SPDX-License-Identifier: MIT
// Selects the pairs of surfaces that take part in the resting solve. For rest.c only.
#ifndef CAROM_CONTACT_IMPACT_REST_CHOOSE_H
#define CAROM_CONTACT_IMPACT_REST_CHOOSE_H

#include "contact/impact/rest.h"

// Pairs of surfaces nearer than this many layers take part after any kick, even one that opens them: impulses at other contacts
// may close the gap. Additional contacts are harmless, as they get no impulse unless they close.
#define CAROM_REST_NEAR_LAYERS 100.0

// A contact with restitution takes part only if its closing speed is at most this multiple of that by the kick; the excess
// covers rounding. Other contacts take part at any speed.
#define CAROM_REST_AS_FAST_AS_KICK (1 + 1e-9)

// Reserves `near`, `nearest` and `places` for `count` contacts. False if memory is short.
bool carom_rest_reserve(carom_rest_space *space, int count);

// Selects among all pairs of surfaces: sets `near` of all, `nearest` of the selected ones, and `places`. Returns the number of
// selected pairs, or -1 if memory is short.
int carom_rest_choose(const carom_contact_interval *interval, carom_rest_space *space, const double (*x)[3],
                      const double (*w_before)[3], const double (*w)[3]);

#endif
