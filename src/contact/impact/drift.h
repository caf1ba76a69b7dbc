// SPDX-License-Identifier: MIT
// Contact inside the drift: nodes fly straight between two kicks, so impacts are found and resolved at their times.
#ifndef CAROM_CONTACT_IMPACT_DRIFT_H
#define CAROM_CONTACT_IMPACT_DRIFT_H

#include "contact/impact/cluster.h"
#include "contact/impact/contact_solve.h"
#include "contact/impact/events.h"
#include "contact/pairs/neighbours.h"

// How a node flew before it was hit.
typedef struct carom_journal {
    int node;
    double b[3], w[3];
} carom_journal;

// Scratch memory of the event loop; start from {0}.
typedef struct carom_drift_space {
    carom_events events;
    int *version;                // per node: impacts received in this drift
    int *rapid;                  // per node: impacts received at one and the same time
    double *last;                // per node: time of the last one
    double (*kick)[3];           // per node: change of velocity by the kick before the drift, contact included
    bool *listed;                // per fixed contact: belongs to the cluster that is being settled
    carom_contact_solve cluster; // that cluster
    carom_clusters clusters;     // nodes linked by impacts
    double *times;               // per contact that may happen: its time if nothing else did
    int64_t *seen, round;        // per contact: the round in which it was looked at last
    int64_t capacity;            // of the two
    carom_journal *journal;      // of all nodes hit in this drift
    int journal_count;
    int *entry;      // per node: 1 + its place in the journal, 0 if it is not there
    bool outran;     // a node has been led farther away than the list of pairs was made for
    bool crossed;    // the prescribed motions of two bodies lead into each other
    int crossing[2]; // those bodies
} carom_drift_space;

carom_status carom_drift_reserve(carom_drift_space *space, int node_count, int fixed_count, carom_error *error);
void carom_drift_release(carom_drift_space *space);

// One drift.
typedef struct carom_drift {
    carom_neighbours neighbours;
    carom_mobility mobility;
    int node_count;
    const int *nodes; // so many, those that can be hit; NULL: all
    double time;      // of the run where t is 0
    double begin;     // t at the start of the drift
    double step;      // length of the drift
    bool flies;       // nodes stay in flight, at x + t w; otherwise x is where they arrive
    double kick;      // largest speed that the kick before gave to a node: closing slower than its rounding is no impact
    const double (*forces)
        [3]; // per node: change of velocity by the kick before, of a whole step and without contact; NULL if nothing bounces
    double allowance; // how far impacts may lead a node away from its straight way: the list of pairs is complete for that
} carom_drift;

// How often the event loop had to be helped.
typedef struct carom_drift_counts {
    int64_t settled; // endless impacts at one time on a line, ended by settling all of them together
    int64_t held;    // endless impacts of surfaces, ended by moving their nodes as one rigid body to the end of the drift
} carom_drift_counts;

// Moves all nodes by step * w and resolves every impact on the way; x and w are changed in place. Nodes are at x + t w, t from `begin` on. `v` are the velocities at the start
// of the drift, in the middle of the kick that made w; they tell an impact from a contact that the kick presses together. Hits are
// appended. Linear and angular momentum are exact. Should impacts lead a node farther than drift->allowance from its straight way,
// nothing has happened and *outran is true: to be run again with a list made for more.
carom_status carom_drift_run(const carom_drift *drift, carom_drift_space *space, const double (*v)[3], double (*x)[3],
                             double (*w)[3], carom_hits *hits, carom_drift_counts *counts, bool *outran, carom_error *error);

#endif
