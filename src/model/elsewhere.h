// SPDX-License-Identifier: MIT
// Nodes of a state that a device keeps (integrator/resident.h): the arrays of the state have older numbers of them until these
// are brought. Sums over all nodes are those over the nodes here and what the device has found for the others; exact sums have
// no order, so they are the same.
#ifndef CAROM_MODEL_ELSEWHERE_H
#define CAROM_MODEL_ELSEWHERE_H

#include "model/state.h"

typedef struct carom_elsewhere {
    const int *here; // the nodes that the arrays always have, ascending
    int count;
    bool x_away;          // positions of the others are elsewhere, and
    bool v_away;          // velocities, at the time of the state and after the kick, and what the kick left behind
    bool f_away;          // the forces that were found last
    bool asked;           // somebody has asked for more than sums over them: what was found is void
    carom_exact kinetic;  // (1/2) m |v|^2 of the others, with the velocities of the state
    carom_exact external; // the energy of their dead loads, at its positions
} carom_elsewhere;

// The same of a state, if positions or velocities are away; else NULL.
static inline carom_elsewhere *carom_state_elsewhere(const carom_state *state) {
    carom_elsewhere *e = state->elsewhere;
    return e && (e->x_away || e->v_away) ? e : NULL;
}

#endif
