// SPDX-License-Identifier: MIT
// Contact at exact times between nodes that are kicked one element at a time (docs/theory/asynchronous.md).
//
// Nodes fly straight between kicks, so the next impact of a pair is known until one of its nodes is kicked or hit: it is looked for up to the shortest
// step of its nodes, by the end of which a kick makes a new look necessary anyway. Pairs that the kick of an element presses together are solved
// within that kick (joint.h), so that a contact at rest does no work. Positions are never moved by contact; nothing overlaps.
#ifndef CAROM_INTEGRATOR_IMPACTS_H
#define CAROM_INTEGRATOR_IMPACTS_H

#include "contact/events.h"
#include "contact/hold.h"
#include "contact/joint.h"
#include "integrator/flight.h"
#include "integrator/search.h"

// Start from {0}.
typedef struct carom_impacts {
    carom_flight *flight;
    carom_search search;
    carom_neighbours neighbours; // by the present list
    carom_events events;
    carom_hits hits;
    carom_joints joints;
    carom_clusters clusters;
    bool holding; // a cluster is held until one of its nodes is kicked
    double allowance;
    unsigned char *role;   // per node: it can touch something
    bool *near;            // per node: it has a contact that is awake
    int *version;          // per node: how often its flight has changed
    int *hit_count;        // per node: impacts since it was kicked
    int *rapid;            // per node: impacts at one and the same time
    double *last;          // per node: the time of the last one
    double (*x_line)[3];   // per node: its straight way when the list was made, x_line + t w_line
    double (*w_line)[3];   //
    double (*w_before)[3]; // per node: velocity before the kick
    double (*w_after)[3];  // per node: velocity after it, without contact
    double (*place)[3];    // per node: where it is at the time of the round in `placed`
    int64_t *placed, *kicked, *joined, *kept, round;
    int *joint_nodes; // nodes of the contacts that are solved together
    int joint_node_count;
    int *moved; // nodes whose flight an event has changed
    int moved_count;
    bool *awake;       // per contact: it may act in this step
    double (*axis)[3]; // per contact: from the second feature to the first when they were looked at; zero if they were not
    int64_t *seen;
    bool *listed; // per fixed contact: belongs to the cluster that is settled
    int64_t capacity;
} carom_impacts;

carom_status carom_impacts_create(carom_impacts *impacts, carom_flight *flight, carom_error *error);
void carom_impacts_release(carom_impacts *impacts);

// The step begins: what can touch in it, and when.
carom_status carom_impacts_begin(carom_impacts *impacts, carom_error *error);

// True if the kick of these nodes must be told.
static inline bool carom_impacts_watch(const carom_impacts *impacts, const int *nodes, int count) {
    for (int a = 0; a < count; a++)
        if (impacts->role[nodes[a]])
            return true;
    return false;
}

// To be told before and after a kick of nodes at time t of the step.
void carom_impacts_before(carom_impacts *impacts, const int *nodes, int count);
carom_status carom_impacts_after(carom_impacts *impacts, const int *nodes, int count, double t, carom_error *error);

// The time of the next impact, HUGE_VAL if there is none; and that impact.
double carom_impacts_next(carom_impacts *impacts);
carom_status carom_impacts_happen(carom_impacts *impacts, carom_error *error);

// Velocities v at the end of the step, made of those between kicks (the flight's) and of parts of kicks: contacts that touch and rest between
// kicks rest in them too. Positions are those of the flight. Adds what comes from outside to `sum`.
void carom_impacts_rest(carom_impacts *impacts, double (*v)[3], carom_accounts *sum);

#endif
