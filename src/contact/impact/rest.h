// SPDX-License-Identifier: MIT
// Resting (persistent) contact: the impulses by which touching surfaces resist a kick that presses them together.
#ifndef CAROM_CONTACT_IMPACT_REST_H
#define CAROM_CONTACT_IMPACT_REST_H

#include "contact/impact/contact_solve.h"
#include "contact/impact/interval.h"
#include "contact/impact/islands.h"

// Scratch memory; start from {0}.
typedef struct carom_rest_space {
    carom_contact_solve solve;
    carom_islands islands;
    carom_nearest *nearest; // per pair
    bool *near;             // per pair (in add_fixed of rest.c: per fixed contact): it takes part in the solve
    int *places;            // per batch of pairs (rest_choose.h): number of such pairs in the batches before it
    int64_t capacity;       // of the three arrays above
    double *changes;        // per node of a surface: square of the velocity change by the kick
    int64_t node_capacity;
    carom_arena *of_pairs, *of_nodes; // own these arrays
} carom_rest_space;

void carom_rest_release(carom_rest_space *space);

// The kick of the interval changed the velocities from w_before to w, without contact. Adds to w the impulses, with friction,
// that prevent all touching contacts from closing in the next drift. x are the positions at the kick. Hits are appended.
// Momentum is exact; no work is done on contacts at rest. `base`: w_before plus the returned impulses of this kick
// (carom_repay_base).
carom_status carom_rest_run(const carom_contact_interval *interval, carom_rest_space *space, const double (*x)[3],
                            const double (*w_before)[3], const double (*base)[3], double (*w)[3], carom_hits *hits,
                            carom_error *error);

#endif
