// SPDX-License-Identifier: MIT
// Resting contact: what answers a kick that presses touching nodes together.
#ifndef CAROM_CONTACT_REST_H
#define CAROM_CONTACT_REST_H

#include "contact/joint.h"

typedef struct carom_rest {
    const carom_candidates *candidates;
    carom_mobility mobility;
    double friction;
    double time;   // of the kick
    double step;   // length of the drift that follows
    double kick;   // largest speed that the kick gave to a node: the scale of rounding
    double length; // scale of distances: touching means closer than 1e-12 of it
} carom_rest;

// Given the velocities before a kick (w_before) and after it without contact (w), adds to w the impulses that keep all touching
// contacts from closing, with friction. x are the positions at the kick; `joints` is scratch. Hits are appended. Momentum is exact; no
// work is done on contacts at rest.
carom_status carom_rest_run(const carom_rest *rest, carom_joints *joints, const double (*x)[3], const double (*w_before)[3],
                            double (*w)[3], carom_hits *hits, carom_error *error);

#endif
