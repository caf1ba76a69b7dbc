// SPDX-License-Identifier: MIT
// Dampers of springs in kicks, and the books of both (docs/theory/joints.md).
#ifndef CAROM_INTEGRATOR_SPRING_KICK_H
#define CAROM_INTEGRATOR_SPRING_KICK_H

#include "contact/contact.h"
#include "model/model.h"
#include "model/state.h"
#include "model/state/accounts.h"

// What dampers did in a kick.
typedef struct carom_damped {
    double *pull;                 // per spring: impulse along its line
    double work;                  // of prescribed motions
    double impulse[3], moment[3]; // from outside: of the ground, of restraints and joints
    carom_accounts given;         // all that was booked of the last kick, with springs
} carom_damped;

// Dampers of all springs in a kick of length h, one after the other, after all other forces. Changes rows of w; rows of carried
// nodes are not kept up to date.
void carom_spring_kick_push(const carom_model *model, carom_mobility mobility, const double (*x)[3], double h,
                            const double (*w_before)[3], double (*w)[3], carom_damped *damped);

// Books this, and the impulses of springs whose end is the ground, with nodes at x. `after` of them acts later.
void carom_spring_kick_book(carom_damped *damped, double h, double after, const double (*x)[3], const double (*w_before)[3],
                            const double (*w)[3], carom_state *state);

#endif
