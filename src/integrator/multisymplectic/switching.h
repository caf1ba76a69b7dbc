// SPDX-License-Identifier: MIT
// Virtual tips of bars (massless ends, ghost.h) that close and open inside slabs (steps between time levels) of regular length.
//
// The spring between two ghosts acts while its gap psi is negative; its energy k psi^2/2 and force are continuous at psi = 0,
// so a slab may contain the switch, and no level is needed there. The smooth motion is leapfrog without interruption and
// conserves
//
//     E_s = V(x) + K(w) + (h/2) w.f(x),     w of the slab that ends at x,
//
// exactly for linear forces, as long as the set of closed ghosts stays. From one level to the next E_s changes by
// V(x_1) - V(x_0) + (x_1 - x_0).(f_0 + f_1)/2, and a spring that switches between gaps psi_0 and psi_1 of different sign leaves
//
//     D = k psi_0 psi_1/2 when it closes, -k psi_0 psi_1/2 when it opens
//
// as an error of it. D is known at the end of the slab and small compared with the energy of the closing motion: an impulse J
// between the two tips at the level corrects it, J (u + A J/2) = -D, where u is the gap rate at the level and A the softness of
// the contact. A remainder, if the tips hardly move at the level, stays in the account of the pair until its next switch.
#ifndef CAROM_INTEGRATOR_MULTISYMPLECTIC_SWITCHING_H
#define CAROM_INTEGRATOR_MULTISYMPLECTIC_SWITCHING_H

#include "contact/impact/energy_accounts.h"
#include "integrator/multisymplectic/slab.h"

// Start from {0}.
typedef struct carom_switching {
    const carom_slabs *slabs;
    carom_debts debts;   // part of the state
    double *oscillation; // at the start of the run; part of the state
    carom_watched watched;
    double *lambda;       // per watched contact: impulse at the present level
    double (*impulse)[3]; // per node: the same
    carom_level end;      // the level at the end of the slab
} carom_switching;

// Registers accounts with the state.
carom_status carom_switching_create(const carom_slabs *slabs, carom_state *state, carom_switching *switching,
                                    carom_error *error);

// Notes the level at the start of a run, with its forces; h is the step.
void carom_switching_start(carom_switching *switching, const carom_level *now, double h);

// One slab of length h from `from`, recorded in the ledger. The level reached is switching->end, without its forces.
void carom_switching_step(carom_switching *switching, carom_state *state, const carom_level *from, double h);

// Completes a row that holds the energies of the slab between `before` and `now`: its oscillation about E_s, and the accounts.
void carom_switching_measure(const carom_switching *switching, const carom_level *before, const carom_level *now,
                             carom_ledger_row *row);

#endif
