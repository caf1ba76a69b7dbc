// SPDX-License-Identifier: MIT
// Slabs (parts of the motion between two time levels, slab.h) with kinks: levels stay on the regular grid of time, and an
// impact changes the velocity of its own nodes in a slab.
//
// With the other rules an impact adds a level at its time (contact_time.h), and slabs have different lengths. Equal slab
// energies then do not mean equal energies of the motion: they differ by (h^2/4) w.K w, summed over all nodes of the body, and
// over many impacts the energy drifts. With slabs of equal length the smooth part of the motion is leapfrog without
// interruption, which conserves E - (h^2/8) f.M^-1 f. A contact with impulse lambda at the time s h of the slab, between kicks
// k_0 and k_1, changes that by lambda (u + A lambda/2), where
//
//     u = n.w + (s/2) n.k_1 - ((1 - s)/2) n.k_0,     A = n.M^-1 n,
//
// so the impulse that conserves it is -2 u/A: the normal rate of the motion, not that of the slab, is reversed. k_1 depends on
// lambda only through the elements of the node, and is found exactly (kick_drift_fly.c). Contacts under such pressure that
// there is no rate to reverse are stopped; that energy error is corrected by the next bounces of the pair
// (contact/impact/energy_accounts.h).
#ifndef CAROM_INTEGRATOR_MULTISYMPLECTIC_KINKED_SLAB_H
#define CAROM_INTEGRATOR_MULTISYMPLECTIC_KINKED_SLAB_H

#include "integrator/kick_drift.h"

// Registers arrays with the state. `slab`: the velocities of the state are those of the first slab, and become those at its
// beginning. carom_kick_drift_close must be called even after a failure.
carom_status carom_kinked_slab_open(carom_kick_drift *nodes, carom_stepper *stepper, carom_state *state, bool slab,
                                    carom_error *error);

// One slab and the kick at its end.
carom_status carom_kinked_slab_step(carom_kick_drift *nodes, carom_state *state, carom_error *error);

#endif
