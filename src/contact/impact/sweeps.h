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
    int most;         // of sweeps
    double floor;     // they have converged if none of a sweep changed a rate by more than this
    bool finished;    // what has not converged is finished by other means, and impulses are not applied yet
    bool warm;        // impulses of an earlier solve, which was undone, are a first guess; for groups that threads do not share
    bool accelerated; // by anderson_sweeps.h; for groups of rigid bodies that threads do not share
    bool plain;       // all contacts are plain (sweep_body.h), and impulses zero at first
} carom_sweep_limits;

// Somebody who sweeps over plain contacts that threads would share, with the same result: a device. Contacts receive their
// impulses, but not the velocities of the start. False: it cannot, and nothing has changed.
typedef struct carom_sweeper {
    bool (*run)(const struct carom_sweeper *sweeper, carom_contact_solve *solve, const carom_solve_group *group,
                carom_sweep_limits limits, double (*v)[3]);
    void *context;
} carom_sweeper;

// The record of a contact that is plain. A node without weight is not read, as other threads may be pushing it.
void carom_sweeps_take_plain(const carom_solved_contact *from, carom_plain_contact *to);

// Sweeps over the contacts of a group until they have converged, and applies the impulses: velocities are those of the start
// plus each impulse once, as sweeps add rounding errors to them. False if the impulses were not applied.
bool carom_sweeps_run(carom_contact_solve *solve, const carom_solve_group *group, carom_mobility mobility,
                      carom_sweep_limits limits, double (*v)[3]);

// Applies the impulses of a group to the velocities of the start.
void carom_sweeps_apply(carom_contact_solve *solve, const carom_solve_group *group, carom_mobility mobility, double (*v)[3]);

// Takes the impulses of a group back: its nodes and bodies have the velocities of the start, to the last bit.
void carom_sweeps_undo(carom_contact_solve *solve, const carom_solve_group *group, carom_mobility mobility, double (*v)[3]);

#endif
