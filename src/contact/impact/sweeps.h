// SPDX-License-Identifier: MIT
// Projected Gauss-Seidel sweeps over contacts that are solved together, by one thread or by all.
//
// A sweep reads and writes a fraction of what is known of a contact. Records of that fraction, in the order of the sweeps, are
// copied from the contacts once and swept many times. Threads share the contacts of a colour (islands.h): these have no node in
// common that moves, so that the result is the same for any number of threads.
#ifndef CAROM_CONTACT_IMPACT_SWEEPS_H
#define CAROM_CONTACT_IMPACT_SWEEPS_H

#include "contact/impact/contact_solve.h"

// When sweeps end.
typedef struct carom_sweep_limits {
    int most;      // of sweeps
    double floor;  // they have converged if none of a sweep changed a rate by more than this
    bool finished; // what has not converged is finished by other means, and impulses are not applied yet
    bool warm;     // impulses of an earlier solve, which was undone, are a first guess; for groups that threads do not share
} carom_sweep_limits;

// Sweeps over the contacts of a group until they have converged, and applies the impulses: velocities are those of the start
// plus each impulse once, as sweeps add rounding errors to them. False if the impulses were not applied.
bool carom_sweeps_run(carom_contact_solve *solve, const carom_solve_group *group, carom_mobility mobility,
                      carom_sweep_limits limits, double (*v)[3]);

// Applies the impulses of a group to the velocities of the start.
void carom_sweeps_apply(carom_contact_solve *solve, const carom_solve_group *group, carom_mobility mobility, double (*v)[3]);

// Takes the impulses of a group back: its nodes and bodies have the velocities of the start, to the last bit.
void carom_sweeps_undo(carom_contact_solve *solve, const carom_solve_group *group, carom_mobility mobility, double (*v)[3]);

#endif
