// SPDX-License-Identifier: MIT
// Contact inside the drift: nodes fly straight between two kicks, so impacts are found and resolved at their exact times.
#ifndef CAROM_CONTACT_IMPACT_DRIFT_H
#define CAROM_CONTACT_IMPACT_DRIFT_H

#include "contact/impact/contact_solve.h"
#include "contact/impact/events.h"
#include "contact/impact/impacts.h"
#include "contact/impact/interval.h"

// When a contact acts first, if nothing else happens.
typedef struct carom_first_time {
    double time;  // HUGE_VAL: never
    double since; // as in carom_impact
    double gap;   // of a pair of surfaces: its clearance; not positive if it may act
} carom_first_time;

// When the impacts of a drift are resolved group by group (drift_groups.h). The result is the same; tests choose.
typedef enum carom_drift_grouping {
    CAROM_DRIFT_WHERE_IT_PAYS,
    CAROM_DRIFT_NEVER,
    CAROM_DRIFT_ALWAYS,
    CAROM_DRIFT_FAULT_LEAVES_OUT, // a planted fault: groups do not look again at some contacts
    CAROM_DRIFT_FAULT_IGNORES,    // a planted fault: groups that meet are not united
} carom_drift_grouping;

// Scratch memory of the event loop; start from {0}.
typedef struct carom_drift_space {
    carom_events events;          // impacts to come, earliest first
    int *version;                 // per node: number of impacts received in this drift
    int *rapid;                   // per node: how many of the last ones fell on one instant
    double *last;                 // per node: time of the last one
    carom_vectors kick;           // per node: velocity change by the kick before the drift, contact included
    bool *listed;                 // per fixed contact: belongs to the collapse that is being settled
    carom_contact_solve collapse; // the contacts of that collapse
    double *deviation;            // per node: how far impacts have led it from its first flight, summed over them
    double largest_deviation;     // of these ways
    carom_first_time *firsts;     // per contact
    double *limits;               // per pair of surfaces: no impact as long as the ways of its nodes add up to less
    int *checked;                 // per pair of surfaces: the last look, of a rigid body, that has seen it
    int check_number;             // number of that look
    int64_t capacity;             // of these three
    carom_arena *nodes, *pairs;   // have what belongs to nodes and fixed contacts, and these three
    bool began;                   // there was an impact in this drift
    int node_count;
    carom_drift_grouping grouping;
    int group_runs; // of the last drift, repeated ones counted again; 0: it was resolved by one loop
    int groups;     // of the last drift
    int pause;      // drifts for which groups are not tried after they did not pay
    int waited;     // of those
} carom_drift_space;

carom_status carom_drift_reserve(carom_drift_space *space, int node_count, int fixed_count, carom_error *error);
void carom_drift_release(carom_drift_space *space);

// Moves all nodes by step * w and resolves every impact on the way; x and w change in place. `v` are the velocities in the
// middle of the kick that made w: they tell an impact from a contact that the kick presses together. Hits are appended to those
// of `impacts`, which is otherwise overwritten. Linear and angular momentum are exact. If impacts lead a node farther than the
// allowance from its straight path, everything is undone and impacts->outran is set: run it again with a more generous list of
// neighbours.
carom_status carom_drift_run(const carom_contact_interval *interval, carom_drift_space *space, const double (*v)[3],
                             double (*x)[3], double (*w)[3], carom_impacts *impacts, carom_error *error);

#endif
