// SPDX-License-Identifier: MIT
// Nodes of a state that a device keeps (integrator/device_motion.h): the arrays of the state have older numbers of them until
// these are brought. Sums over all nodes are those over the nodes here and what the device has found for the others; exact sums
// have no order, so they are the same.
#ifndef CAROM_MODEL_STATE_DEVICE_NODES_H
#define CAROM_MODEL_STATE_DEVICE_NODES_H

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

// The arrays of a state that a device keeps: vectors of the nodes, NULL where there are fewer, of which only rows of the nodes
// here and those behind all nodes count; and an array of the elements, NULL: none, which is left out.
enum { CAROM_AWAY = 4 };
typedef struct carom_away {
    const double *nodes[CAROM_AWAY];
    const double *elements;
} carom_away;

// carom_state_copy and carom_state_is_finite of a state without what is away.
void carom_state_copy_here(carom_state *to, const carom_state *from, const carom_away *away);
bool carom_state_is_finite_here(const carom_state *state, const carom_away *away);

#endif
