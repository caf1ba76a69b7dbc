// SPDX-License-Identifier: MIT
// Velocities for output, energy and momentum, at the common time of all positions.
//
// Element i last kicked at t_i and has covered the time up to t_i + h_i/2. A kick of length t - t_i - h_i/2 at the common
// positions advances its nodes to the time t. The velocities w of the integrator are not changed, so output changes nothing.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_OUTPUT_VELOCITIES_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_OUTPUT_VELOCITIES_H

#include "integrator/asynchronous/event_loop.h"

// Sets the velocities of the state, and its pending accounts to the given ones of contact plus those of these kicks. `slots` is
// scratch for the forces of all elements.
void carom_output_velocities(carom_event_loop *loop, const carom_exact_accounts *contact, double *slots, carom_state *state);

// The energy of a synchronized state less the energy that kicks conserve: (1/8) sum m |dw|^2, with dw the sum of one kick of
// every element of a node. This is exact for linear forces and equal steps, and the leading term where steps vary slowly. For a
// node whose elements all have ticks, the last kick with its contact impulses is known, and the term is that of newmark-dcr
// (kick_drift.c). `change` and `ticks` are scratch, one per node.
double carom_output_oscillation(carom_event_loop *loop, double *slots, carom_vectors change, bool *ticks,
                                const carom_state *state);

#endif
