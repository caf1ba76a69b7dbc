// SPDX-License-Identifier: MIT
// The energy of the motion, carried from the start of a run as the target of impacts between slabs of different lengths.
//
// Such impacts keep the energy of slabs, which is not that of the motion (kinked_slab.h). The latter is, with steps of length h
// and a slab of length h- before the level,
//
//     H = V + (1/2) sum m (w + (h- + h)/2 a).(w + (h- - h)/2 a),     a = M^-1 f,
//
// the product of the velocities before and after the level as slabs of length h would have them; rotations likewise. For linear
// forces leapfrog keeps it exactly, at h- = 0 it is E - (h^2/8) f.M^-1 f. An impact aims at the slab energy before it less the
// present excess of H over that of the start. Errors of impacts then do not add up, and nothing has to be remembered of them.
//
// Bodies that can touch each other exchange energy, and have one H together.
#ifndef CAROM_INTEGRATOR_MULTISYMPLECTIC_ENERGY_TARGET_H
#define CAROM_INTEGRATOR_MULTISYMPLECTIC_ENERGY_TARGET_H

#include "integrator/multisymplectic/slab.h"

// Start from {0}.
typedef struct carom_rigid_impact {
    const carom_slabs *slabs;
    double *start;  // per body: H at the start of the run, of the first body of a group; part of the state
    int *group;     // per body: the first body of its group
    double *excess; // per body: of the level that was measured last, likewise
} carom_rigid_impact;

carom_status carom_rigid_impact_create(const carom_slabs *slabs, carom_state *state, carom_rigid_impact *carried,
                                       carom_error *error);

// Notes H of the level at the start of a run, with its forces.
void carom_rigid_impact_start(carom_rigid_impact *carried, const carom_level *now, double h);
// Finds the excess of a level.
void carom_rigid_impact_measure(carom_rigid_impact *carried, const carom_level *level, double h);
// The excess of the bodies of a contact, which its impact will return: it is 0 afterwards.
double carom_rigid_impact_take(carom_rigid_impact *carried, const carom_contact *contact);

#endif
