// SPDX-License-Identifier: MIT
// Projected Gauss-Seidel sweeps over contacts that are solved together for their impulses, by one thread or by all.
//
// A sweep uses a small part of the data of a contact. This part is copied once, in the order of the sweeps, and used many
// times. Threads share the contacts of a colour (islands.h): these have no movable node in common, so the result is the same
// for any number of threads.
#ifndef CAROM_CONTACT_IMPACT_SWEEPS_H
#define CAROM_CONTACT_IMPACT_SWEEPS_H

#include "contact/impact/contact_solve.h"

// Limits and kinds of sweeps.
typedef struct carom_sweep_limits {
    int most;      // limit of sweeps
    double floor;  // a sweep has converged if it changes no rate by more than this
    bool finished; // without convergence the caller finishes the solve, and impulses are not applied
    bool warm;     // the initial impulses are those of an earlier solve, which was undone; for groups that threads do not share
    bool accelerated; // by nesterov_sweeps.h; for groups of rigid bodies that threads do not share
    bool newton;      // by newton_island.h, for the same groups of any size
    bool plain;       // all contacts are plain (sweep_body.h), and initial impulses are zero
} carom_sweep_limits;

// A device that sweeps over plain contacts instead of threads, with the same result. `run` sets the impulses of the contacts,
// but not their members `start`. False: the device cannot solve the group, and nothing has changed.
typedef struct carom_sweeper {
    bool (*run)(const struct carom_sweeper *sweeper, carom_contact_solve *solve, const carom_solve_group *group,
                carom_sweep_limits limits, double (*v)[3]);
    void *context;
} carom_sweeper;

// The record of a plain contact. Nodes without weight are excluded, as other threads may be changing their velocities.
void carom_sweeps_take_plain(const carom_solved_contact *from, carom_plain_contact *to);

// Sweeps over the contacts of a group until they have converged, and applies the impulses: velocities are those of the start
// plus each impulse once, as sweeps add rounding errors to them. False if the impulses were not applied.
bool carom_sweeps_run(carom_contact_solve *solve, const carom_solve_group *group, carom_mobility mobility,
                      carom_sweep_limits limits, double (*v)[3]);

// Applies the impulses of a group to the velocities of the start.
void carom_sweeps_apply(carom_contact_solve *solve, const carom_solve_group *group, carom_mobility mobility, double (*v)[3]);

// Undoes the impulses of a group: its nodes and bodies get the velocities of the start, to the last bit.
void carom_sweeps_undo(carom_contact_solve *solve, const carom_solve_group *group, carom_mobility mobility, double (*v)[3]);

#endif
