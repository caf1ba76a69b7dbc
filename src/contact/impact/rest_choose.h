// SPDX-License-Identifier: MIT
// Which pairs of surfaces take part in the resting solve (rest.c). Parts of rest.c, not for others.
#ifndef CAROM_CONTACT_IMPACT_REST_CHOOSE_H
#define CAROM_CONTACT_IMPACT_REST_CHOOSE_H

#include "contact/impact/rest.h"

// Surfaces nearer than this many layers are within reach of any kick, also of one that opens them: impulses elsewhere in the
// solve may close the gap. A contact that enters the solve early does no harm, as it gets no impulse before it closes.
#define CAROM_REST_NEAR_LAYERS 100.0

// A contact whose closing speed equals that of the kick is pressed by it; the excess covers rounding of the sums.
#define CAROM_REST_AS_FAST_AS_KICK (1 + 1e-9)

// Room for `count` contacts in `near`, `nearest` and `places`. False if memory is short.
bool carom_rest_reserve(carom_rest_space *space, int count);

// Chooses among all pairs of surfaces: sets `near` of all, `nearest` of those chosen, and `places`. Returns how many these are,
// or -1 if memory is short.
int carom_rest_choose(const carom_contact_interval *interval, carom_rest_space *space, const double (*x)[3],
                      const double (*w_before)[3], const double (*w)[3]);

#endif
