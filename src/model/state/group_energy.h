// SPDX-License-Identifier: MIT
// Theory: docs/theory/guards.md
// The unexplained energy of each group of bodies by itself. A group is one body, or rigid bodies connected by joints. As long
// as nothing but its own forces, dead loads and fixed restraints has acted on a group, its energy is constant; the accounts of
// the ledger belong to all other groups together, the remainder. So a heavy body that has touched nothing hides no error of
// another body.
#ifndef CAROM_MODEL_STATE_GROUP_ENERGY_H
#define CAROM_MODEL_STATE_GROUP_ENERGY_H

#include "carom/ledger.h"
#include "model/state.h"

// Unexplained energy of one group, or of several together.
typedef struct carom_unexplained {
    double r;     // the residual
    double kept;  // the same less the oscillation of the integrator
    double scale; // the largest energy so far that the ledger explains, less that of translation
    double noise; // energy below which an error is rounding
    int body;     // the first body of the group; -1: the remainder, or the whole model
} carom_unexplained;

// Registers the numbers of the groups that are kept between audits, a part of the state, and allocates the work arrays. False
// if memory is short.
bool carom_groups_register(carom_state *state);
void carom_groups_release(carom_state *state);

// Measures each body at the start of a run: energy, momentum, loads, and what may act on it. `w` are the velocities after the
// first half kick, or NULL; h is the step; `speed` a velocity that is rounding.
void carom_groups_start(carom_state *state, const double (*w)[3], double h, double speed);

// What is known of all bodies together from the start.
typedef struct carom_whole {
    double kick;        // energy of the dead loads in one step
    double lift;        // least energy scale of rigid bodies with weight
    double rounding;    // energy that is rounding
    double translation; // kinetic energy of the mass centre along directions in which nothing acts on it
} carom_whole;
carom_whole carom_groups_whole(const carom_state *state);

// Finds the group whose unexplained energy is the largest share of its scale, `*worst`, and the scale of the remainder, which
// has exchanged energy with contact; `records`: raises the scales of the state. The row must be that of the state. False if
// there is one group only, or if the row does not contain the energies of positions and velocities; nothing is set then.
bool carom_groups_judge(carom_state *state, const carom_ledger_row *row, const double (*w)[3], bool records,
                        carom_unexplained *worst, double *remainder);

// Raises the scale of the remainder between two audits, where no load has a potential.
void carom_groups_raise(carom_state *state);

// The energy that is unexplained relative to the scale; 0 if it is below rounding.
double carom_unexplained_share(const carom_unexplained *of);

#endif
