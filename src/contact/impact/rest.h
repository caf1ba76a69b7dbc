// SPDX-License-Identifier: MIT
// Resting contact: what answers a kick that presses touching nodes together.
#ifndef CAROM_CONTACT_IMPACT_REST_H
#define CAROM_CONTACT_IMPACT_REST_H

#include "contact/impact/contact_solve.h"
#include "contact/pairs/neighbours.h"

typedef struct carom_rest {
    carom_neighbours neighbours;
    carom_mobility mobility;
    double time;   // of the kick
    double step;   // length of the drift that follows
    double kick;   // largest speed that the kick gave to a node: the scale of rounding
    double length; // scale of distances: fixed contacts touch when closer than 1e-12 of it
    double reach;  // no pair of surfaces farther apart takes part
} carom_rest;

// Scratch memory; start from {0}.
typedef struct carom_rest_space {
    carom_contact_solve joints;
    carom_nearest *nearest; // per pair
    bool *near;             // per pair: it belongs to the solve
    int64_t capacity;       // of the two
} carom_rest_space;

void carom_rest_release(carom_rest_space *space);

// Given the velocities before a kick (w_before) and after it without contact (w), adds to w the impulses that keep all touching
// contacts from closing, with friction. x are the positions at the kick. Hits are appended. Momentum is exact; no work is done on
// contacts at rest.
carom_status carom_rest_run(const carom_rest *rest, carom_rest_space *space, const double (*x)[3], const double (*w_before)[3],
                            double (*w)[3], carom_hits *hits, carom_error *error);

#endif
