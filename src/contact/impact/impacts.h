// SPDX-License-Identifier: MIT
// The impacts of one drift: drift.h fills this record, and the kick that follows (repay.h) reads it to return their energy
// error.
#ifndef CAROM_CONTACT_IMPACT_IMPACTS_H
#define CAROM_CONTACT_IMPACT_IMPACTS_H

#include "contact/impact/cluster.h"
#include "contact/law.h"
#include "contact/response.h"
#include "math/vec3.h"

// The flight of a node before its first impact of the drift: b + t w.
typedef struct carom_first_flight {
    int node;
    double b[3], w[3];
} carom_first_flight;

// Start from {0}.
typedef struct carom_impacts {
    carom_hits hits;             // of the drift, then of the kick that follows, in order of time
    carom_clusters clusters;     // nodes linked by the impacts of the drift
    carom_first_flight *flights; // of all nodes hit in the drift, in order of their first impact
    int flight_count;
    int64_t flight_capacity;
    const carom_restraints *obstacles; // in a group of impacts (drift_groups.h): nodes that they hold in all directions belong
                                       // to no group, and their flights are noted without an entry in `flight_of`; else NULL
    int *flight_of;                    // per node: 1 + its index in `flights`; 0 if it was not hit
    carom_vectors forces; // per node: velocity change by the forces of the last kick, scaled to a whole step; not owned.
                          // NULL if no pair of bodies bounces: then nothing is repaid
    bool outran;          // a node left its straight path by more than the allowance: the drift was undone
    bool crossed;         // motions that no impulse changes lead two bodies into each other
    bool inseparable;     // a cascade has brought two bodies so near that rounding decides on which side they are
    int64_t limit;        // of impacts, beyond which the drift was given up
    int crossing[2];      // those bodies
    int64_t settled;      // cascades at one instant that were ended by solving all their contacts together
    int64_t held;         // cascades between surfaces that were ended by moving their nodes as one rigid body
} carom_impacts;

carom_status carom_impacts_reserve(carom_impacts *impacts, int node_count, carom_error *error);
void carom_impacts_release(carom_impacts *impacts);

// Forgets the flights and clusters of the last drift. The hits belong to the caller and stay.
void carom_impacts_clear(carom_impacts *impacts);

// Records the flight of nodes that are about to be hit, unless they were hit before. If memory is short, hits.failed is set.
void carom_impacts_remember(carom_impacts *impacts, const int *nodes, int count, const double (*b)[3], const double (*w)[3]);

// Puts all nodes back on their first flights and drops all hits but the first `hit_count`.
void carom_impacts_undo(carom_impacts *impacts, int hit_count, double (*b)[3], double (*w)[3]);

// True if the energy error of impacts under this law is returned at the next kick. Only impacts that bounce have speed left to
// return it with.
static inline bool carom_impacts_are_repaid(carom_contact_law law) {
    return law.restitution > 0;
}

#endif
