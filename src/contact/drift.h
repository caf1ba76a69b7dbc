// SPDX-License-Identifier: MIT
// Contact inside the drift: nodes fly straight between two kicks, so impacts are found and resolved at their exact times.
#ifndef CAROM_CONTACT_DRIFT_H
#define CAROM_CONTACT_DRIFT_H

#include "contact/events.h"
#include "contact/joint.h"

// Scratch memory of the event loop; start from {0}.
typedef struct carom_drift_space {
    carom_events events;
    int *version;         // per node: impacts received in this drift
    int *rapid;           // per node: impacts received at one and the same time
    double *last;         // per node: time of the last one
    double (*kick)[3];    // per node: change of velocity by the kick before the drift, contact included
    bool *listed;         // per candidate: belongs to the cluster that is being settled
    carom_joints cluster; // that cluster
} carom_drift_space;

carom_status carom_drift_reserve(carom_drift_space *space, int node_count, int candidate_count, carom_error *error);
void carom_drift_release(carom_drift_space *space);

// One drift.
typedef struct carom_drift {
    const carom_candidates *candidates;
    carom_mobility mobility;
    carom_contact_law law;
    int node_count;
    double time; // at the start
    double step; // length of the drift
    double kick; // largest speed that the kick before gave to a node: closing slower than its rounding is no impact
} carom_drift;

// Moves all nodes by step * w and resolves every impact on the way; x and w are changed in place. `v` are the velocities at the start
// of the drift, in the middle of the kick that made w; they tell an impact from a contact that the kick presses together. Hits are
// appended. Counts in `settled` how often an endless sequence of impacts at one time was ended by settling all of them together.
// Linear and angular momentum are exact.
carom_status carom_drift_run(const carom_drift *drift, carom_drift_space *space, const double (*v)[3], double (*x)[3],
                             double (*w)[3], carom_hits *hits, int64_t *settled, carom_error *error);

#endif
