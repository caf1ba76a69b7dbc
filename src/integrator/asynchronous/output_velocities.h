// SPDX-License-Identifier: MIT
// Velocities for output, energy and momentum, at the common time of all positions.
//
// Element i last kicked at t_i and has covered the time up to t_i + h_i/2. A kick with the rest, t - t_i - h_i/2, at the common
// positions leads its nodes to the time t. The velocities w of the integrator are left alone, so output changes nothing.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_OUTPUT_VELOCITIES_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_OUTPUT_VELOCITIES_H

#include "integrator/asynchronous/event_loop.h"

// Sets the velocities of the state, and its pending accounts to those of contact, given, plus those of the kicks that lead
// there. `slots` is scratch for the forces of all elements.
void carom_output_velocities(carom_event_loop *loop, const carom_exact_accounts *contact, double *slots, carom_state *state);

// The energy of a synchronized state less the one that kicks keep, (1/8) sum m |dw|^2 with dw the sum of a kick of every
// element of a node: exact for linear forces and equal steps, the leading term where steps vary slowly. Where all elements of a
// node have ticks their last kick is known with what contact answered, and the sum is that of newmark-dcr (kick_drift.c).
// `change` and `ticks` are scratch, one per node.
double carom_output_oscillation(carom_event_loop *loop, double *slots, carom_vectors change, bool *ticks,
                                const carom_state *state);

#endif
