// SPDX-License-Identifier: MIT
// Event-driven contact inside the drift (the part of a step between two kicks): nodes move on straight lines, so impacts are
// found and resolved at their exact times.
#ifndef CAROM_CONTACT_IMPACT_DRIFT_H
#define CAROM_CONTACT_IMPACT_DRIFT_H

#include "contact/impact/contact_solve.h"
#include "contact/impact/events.h"
#include "contact/impact/impacts.h"
#include "contact/impact/interval.h"

// The first time at which a contact acts if no other impact occurs.
typedef struct carom_first_time {
    double time;  // HUGE_VAL: never
    double since; // as in carom_impact
    double gap;   // of a pair of surfaces: its clearance; not positive if it may act in this drift
} carom_first_time;

// Whether the impacts of a drift are resolved in groups (drift_groups.h). Without a planted fault the result is the same;
// values other than the first are for tests.
typedef enum carom_drift_grouping {
    CAROM_DRIFT_WHERE_IT_PAYS,
    CAROM_DRIFT_NEVER,
    CAROM_DRIFT_ALWAYS,
    CAROM_DRIFT_FAULT_LEAVES_OUT, // a planted fault: groups skip some contacts
    CAROM_DRIFT_FAULT_IGNORES,    // a planted fault: conflicting groups are not united
} carom_drift_grouping;

// Scratch memory of the event loop; start from {0}.
typedef struct carom_drift_space {
    carom_events events;          // pending impacts, earliest first
    int *version;                 // per node: number of impacts received in this drift
    int *rapid;                   // per node: number of earlier impacts at the time `last`
    double *last;                 // per node: time of its last impact
    carom_vectors kick;           // per node: velocity change by the kick before the drift, contact included
    bool *listed;                 // per fixed contact: is in the list `collapse`
    carom_contact_solve collapse; // contacts that are resolved simultaneously
    double *deviation;            // per node: bound of the distance from its first straight path, a sum over its impacts
    double largest_deviation;     // of all nodes
    carom_first_time *firsts;     // per contact
    double *limits;               // per pair of surfaces: no impact while the deviations of its nodes add up to less
    int *checked;                 // per pair of surfaces: the last check of rigid bodies that included it
    int check_number;             // number of the last such check
    int64_t capacity;             // of `firsts`, `limits` and `checked`
    carom_arena *nodes, *pairs;   // own the arrays per node and fixed contact, and `firsts`, `limits` and `checked`
    bool began;                   // there was an impact in this drift
    int node_count;
    carom_drift_grouping grouping;
    int group_runs; // runs of groups in the last drift, with repetitions; 0: one loop resolved it
    int groups;     // number of groups of the last drift
    int pause;      // drifts without groups after groups were slower than one loop
    int waited;     // drifts of the present pause so far
} carom_drift_space;

carom_status carom_drift_reserve(carom_drift_space *space, int node_count, int fixed_count, carom_error *error);
void carom_drift_release(carom_drift_space *space);

// Moves all nodes by step * w and resolves every impact during this motion; x and w change in place. `v` are the velocities in
// the middle of the kick that produced w: they distinguish an impact from a contact that the kick presses together. Hits are
// appended to those of `impacts`, which is otherwise overwritten. Linear and angular momentum are exact. If impacts divert a
// node from its straight path by more than the allowance, everything is undone and impacts->outran is set: run it again with a
// list of neighbours for a larger allowance.
carom_status carom_drift_run(const carom_contact_interval *interval, carom_drift_space *space, const double (*v)[3],
                             double (*x)[3], double (*w)[3], carom_impacts *impacts, carom_error *error);

#endif
