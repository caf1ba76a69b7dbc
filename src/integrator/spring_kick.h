// SPDX-License-Identifier: MIT
// Dampers of springs in kicks, and the entries of both in the ledger (docs/theory/joints.md).
#ifndef CAROM_INTEGRATOR_SPRING_KICK_H
#define CAROM_INTEGRATOR_SPRING_KICK_H

#include "contact/contact.h"
#include "model/model.h"
#include "model/state.h"
#include "model/state/accounts.h"

// Impulses and work of dampers in a kick.
typedef struct carom_damped {
    double *pull;                 // per spring: impulse along its line
    double work;                  // of prescribed motions
    double impulse[3], moment[3]; // external impulse and angular impulse: of the ground, of restraints and joints
    carom_accounts given;         // all entries of the last kick, springs included
} carom_damped;

// Applies the dampers of all springs in a kick of length h, one after the other, after all other forces. Changes rows of w,
// except for those of nodes of rigid bodies.
void carom_spring_kick_push(const carom_model *model, carom_mobility mobility, const double (*x)[3], double h,
                            const double (*w_before)[3], double (*w)[3], carom_damped *damped);

// Records these, and the impulses of springs with an end on the ground, for nodes at x. The fraction `after` acts later.
void carom_spring_kick_book(carom_damped *damped, double h, double after, const double (*x)[3], const double (*w_before)[3],
                            const double (*w)[3], carom_state *state);

#endif
