// SPDX-License-Identifier: MIT
// The energy of the motion at the start of a run, as the target of impacts between slabs (parts of the motion between two time
// levels, slab.h) of different lengths.
//
// Such impacts conserve the energy of slabs, which differs from that of the motion (kinked_slab.h). The latter is, with steps
// of length h and a slab of length h- before the level,
//
//     H = V + (1/2) sum m (w + (h- + h)/2 a).(w + (h- - h)/2 a),     a = M^-1 f,
//
// with the stored energy V and the velocity w of the slab before the level: the product is that of the velocities before and
// after the level for slabs of length h; similarly for rotations. For linear forces leapfrog conserves it exactly; at h- = 0 it
// is E - (h^2/8) f.M^-1 f. The target of an impact is the slab energy before it less the present excess of H over its value at
// the start. Errors of impacts then do not add up, and need not be stored.
//
// Bodies that can touch each other exchange energy: each such group has one H.
#ifndef CAROM_INTEGRATOR_MULTISYMPLECTIC_ENERGY_TARGET_H
#define CAROM_INTEGRATOR_MULTISYMPLECTIC_ENERGY_TARGET_H

#include "integrator/multisymplectic/slab.h"

// Start from {0}.
typedef struct carom_energy_target {
    const carom_slabs *slabs;
    double *start;  // per body: H of its group at the start of the run, at the first body of the group; part of the state
    int *group;     // per body: the first body of its group
    double *excess; // per body: excess of H at the level measured last, at the first body of the group
} carom_energy_target;

carom_status carom_energy_target_create(const carom_slabs *slabs, carom_state *state, carom_energy_target *target,
                                        carom_error *error);

// Notes H of the level at the start of a run, with its forces.
void carom_energy_target_start(carom_energy_target *target, const carom_level *now, double h);
// Finds the excess of a level.
void carom_energy_target_measure(carom_energy_target *target, const carom_level *level, double h);
// Returns the excess of the group of a contact, which its impact will correct, and sets it to 0.
double carom_energy_target_take(carom_energy_target *target, const carom_contact *contact);

#endif
