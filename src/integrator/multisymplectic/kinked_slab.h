// SPDX-License-Identifier: MIT
// Slabs with kinks: levels stay on the regular grid of time, and an impact bends the path of its own nodes inside a slab.
//
// Elsewhere an impact makes a level of its own (contact_time.h), and slabs of different lengths follow each other. Equal slab
// energies then do not mean equal energies of the motion: they differ by (h^2/4) w.K w, for all nodes of the body, and over
// many impacts the energy walks away. With slabs of equal length the smooth part of the motion is leapfrog without
// interruption, and keeps E - (h^2/8) f.M^-1 f. A contact with impulse lambda at the time s h of the slab, between kicks k_0
// and k_1, changes that by lambda (u + A lambda/2), where
//
//     u = n.w + (s/2) n.k_1 - ((1 - s)/2) n.k_0,     A = n.M^-1 n,
//
// so the impulse that keeps it is -2 u/A: the normal rate of the motion, not that of the slab, is reversed. k_1 depends on
// lambda through the elements of the node alone, and is found exactly (kick_drift_fly.c). Contacts pressed so hard that they
// have no rate to reverse are stopped; the energy error of that is returned by the next bounces of the pair
// (contact/impact/energy_accounts.h).
#ifndef CAROM_INTEGRATOR_MULTISYMPLECTIC_KINKED_SLAB_H
#define CAROM_INTEGRATOR_MULTISYMPLECTIC_KINKED_SLAB_H

#include "integrator/kick_drift.h"

// Registers the state. With `slab` the velocities of the state are those of the first slab, and become those of its beginning.
// Close in any case.
carom_status carom_kinked_slab_open(carom_kick_drift *nodes, carom_stepper *stepper, carom_state *state, bool slab,
                                    carom_error *error);

// One slab and the kick at its end.
carom_status carom_kinked_slab_step(carom_kick_drift *nodes, carom_state *state, carom_error *error);

#endif
