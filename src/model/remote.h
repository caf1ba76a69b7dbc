// SPDX-License-Identifier: MIT
// Location of the current values of a state. Its arrays form sets (model/state.h). A device (device/device.h) may hold newer
// values of a set than the arrays: it registers with the state, marks those sets as being on the device, and fetches them on
// request. Code that reads or changes arrays of a set calls one of the functions below first; if no set is on the device, this
// costs one comparison.
//
// Of positions, velocities and forces, only the nodes that the device advances are on the device (integrator/device_motion.h):
// rows of the nodes `here`, and those behind all nodes, are always valid.
#ifndef CAROM_MODEL_REMOTE_H
#define CAROM_MODEL_REMOTE_H

#include "model/node_elements.h"
#include "model/state.h"

// A few nodes and batches of elements.
typedef struct carom_state_rows {
    const int *nodes;
    int node_count;
    const carom_batch *batches; // for the history
    int batch_count;
} carom_state_rows;

typedef struct carom_remote carom_remote;
struct carom_remote {
    carom_state *state; // the state that it is registered with; NULL: none
    unsigned has;       // sets of which it has the values
    unsigned on_device; // sets of which it has newer values than the arrays
    // Copies these sets to the arrays, which are then valid; with `some` only those rows, and the sets may stay on the device.
    void (*fetch)(carom_remote *remote, unsigned sets, const carom_state_rows *some);
    // True if all numbers of these sets that it has are below CAROM_STATE_FINITE in size.
    bool (*is_finite)(carom_remote *remote, unsigned sets);
    const int *here; // the nodes that are always valid in the arrays, ascending; NULL: motion is not kept on the device
    int count;
    const bool *watched;       // per block: the device has its envelopes
    carom_exact kinetic;       // (1/2) m |v|^2 of the other nodes, with the velocities of the state
    carom_exact external;      // the potential of their dead loads, at its positions
    const carom_exact *losses; // CAROM_BLOCK_LOSSES sums over all elements
};

static inline void carom_remote_read(carom_remote *remote, unsigned sets) {
    if (remote && remote->on_device & sets)
        remote->fetch(remote, remote->on_device & sets, NULL);
}

// To be called before arrays of these sets are read.
static inline void carom_state_read(const carom_state *state, unsigned sets) {
    carom_remote_read(state->remote, sets);
}

// To be called before some rows of these sets are read.
static inline void carom_state_read_rows(const carom_state *state, unsigned sets, carom_state_rows some) {
    carom_remote *remote = state->remote;
    if (remote && remote->on_device & sets)
        remote->fetch(remote, remote->on_device & sets, &some);
}

// To be called before arrays of these sets are overwritten as a whole: the values on the device become void.
static inline void carom_state_replace(carom_state *state, unsigned sets) {
    if (!state->remote)
        return;
    state->remote->has &= ~sets;
    state->remote->on_device &= ~sets;
}

// To be called before values in arrays of these sets are changed.
static inline void carom_state_write(carom_state *state, unsigned sets) {
    carom_state_read(state, sets);
    carom_state_replace(state, sets);
}

// The device that has newer values of one of these sets; NULL: the arrays are valid.
static inline const carom_remote *carom_state_on_device(const carom_state *state, unsigned sets) {
    return state->remote && state->remote->on_device & sets ? state->remote : NULL;
}

// The device that advances all nodes except `here`, whether or not its values have been read; NULL: none.
static inline const carom_remote *carom_state_moved_by(const carom_state *state) {
    const carom_remote *remote = state->remote;
    return remote && (remote->has & CAROM_ARRAYS_MOTION) == CAROM_ARRAYS_MOTION ? remote : NULL;
}

// carom_state_copy of everything except what `to->remote` has kept of these sets, which are then on the device.
void carom_state_copy_but(carom_state *to, const carom_state *from, unsigned sets);

#endif
