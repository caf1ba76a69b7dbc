// SPDX-License-Identifier: MIT
// Where the numbers of a state are. Its arrays form sets (model/state.h). Something else may hold newer numbers of a set, such
// as a device (device/device.h): it registers with the state, tells which sets are away, and fetches them. Whoever reads arrays
// of a set, or changes them, says so before; where nothing is away this costs a comparison.
//
// Of positions, velocities and forces only the nodes of the device are away, which nothing else moves
// (integrator/device_motion.h): rows of the nodes `here` and those behind all nodes are always valid.
#ifndef CAROM_MODEL_REMOTE_H
#define CAROM_MODEL_REMOTE_H

#include "model/node_elements.h"
#include "model/state.h"

// A few nodes and batches of elements.
typedef struct carom_state_rows {
    const int *nodes;
    int node_count;
    const carom_batch *batches; // of the history
    int batch_count;
} carom_state_rows;

typedef struct carom_remote carom_remote;
struct carom_remote {
    carom_state *state; // that it serves; NULL: none
    unsigned has;       // sets of which it has the numbers
    unsigned away;      // those of them of which the arrays hold older ones
    // Brings these sets to the arrays, which are then valid; of `some` only its rows, and the sets may stay away.
    void (*fetch)(carom_remote *remote, unsigned sets, const carom_state_rows *some);
    // True if all numbers of these sets that it has are below CAROM_STATE_FINITE in size.
    bool (*is_finite)(carom_remote *remote, unsigned sets);
    const int *here; // the nodes that the arrays always have, ascending; NULL: motion does not stay
    int count;
    const bool *watched;       // per block: it has the envelopes
    carom_exact kinetic;       // (1/2) m |v|^2 of the other nodes, with the velocities of the state
    carom_exact external;      // the energy of their dead loads, at its positions
    const carom_exact *losses; // CAROM_BLOCK_LOSSES sums over all elements
};

static inline void carom_remote_read(carom_remote *remote, unsigned sets) {
    if (remote && remote->away & sets)
        remote->fetch(remote, remote->away & sets, NULL);
}

// Before arrays of these sets are read.
static inline void carom_state_read(const carom_state *state, unsigned sets) {
    carom_remote_read(state->remote, sets);
}

// The same for some rows only.
static inline void carom_state_read_rows(const carom_state *state, unsigned sets, carom_state_rows some) {
    carom_remote *remote = state->remote;
    if (remote && remote->away & sets)
        remote->fetch(remote, remote->away & sets, &some);
}

// Before arrays of these sets are overwritten as a whole: what somebody else has of them is void.
static inline void carom_state_replace(carom_state *state, unsigned sets) {
    if (!state->remote)
        return;
    state->remote->has &= ~sets;
    state->remote->away &= ~sets;
}

// Before numbers in arrays of these sets are changed.
static inline void carom_state_write(carom_state *state, unsigned sets) {
    carom_state_read(state, sets);
    carom_state_replace(state, sets);
}

// Who has newer numbers of one of these sets; NULL: the arrays are valid.
static inline const carom_remote *carom_state_on_device(const carom_state *state, unsigned sets) {
    return state->remote && state->remote->away & sets ? state->remote : NULL;
}

// Who has the motion of all nodes but those `here`, whether or not it has been read; NULL: nobody.
static inline const carom_remote *carom_state_moved_by(const carom_state *state) {
    const carom_remote *remote = state->remote;
    return remote && (remote->has & CAROM_ARRAYS_MOTION) == CAROM_ARRAYS_MOTION ? remote : NULL;
}

// carom_state_copy of all but what `to->remote` has kept of these sets, which are then away.
void carom_state_copy_but(carom_state *to, const carom_state *from, unsigned sets);

#endif
