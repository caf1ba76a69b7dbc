// SPDX-License-Identifier: MIT
// The impacts of one drift: written by drift.h, read by the next kick (repay.h) to return their energy error.
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
    carom_hits hits;             // of the drift, then of the kick after it, in order of time
    carom_clusters clusters;     // nodes linked by the impacts of the drift
    carom_first_flight *flights; // of all nodes hit in the drift, in order of their first impact
    int flight_count;
    int64_t flight_capacity;
    const carom_restraints *obstacles; // in a group of impacts (drift_groups.h): nodes that are restrained in all directions
                                       // belong to no group, and their flights have no entry in `flight_of`; otherwise NULL
    int *flight_of;                    // per node: 1 + its index in `flights`; 0 if it was not hit
    carom_vectors forces; // per node: velocity change by the forces of the last kick, scaled to a whole step; not owned.
                          // NULL if no pair of bodies bounces: then no energy is returned
    bool outran;          // a node left its straight path by more than the allowance: the drift was undone
    bool crossed;         // prescribed motions make two bodies intersect
    bool spent;           // two bodies are so near that rounding decides on which side of each other they are
    int64_t limit;        // of impacts in a drift, beyond which it failed
    double jam;           // after too many impacts: the friction above which their contact jams; 0: it does not
    int crossing[2];      // the sides of `crossed`, `spent` or `jam`: bodies, -1 - p for plane p
    bool squeezes;        // a third side does not yield to those of `spent`:
    int squeezer;         // this one
    int64_t settled;      // number of cascades at one time that were ended by solving all their contacts together
    int64_t held;         // number of cascades between surfaces that were ended by moving their nodes as one rigid body
} carom_impacts;

carom_status carom_impacts_reserve(carom_impacts *impacts, int node_count, carom_error *error);
void carom_impacts_release(carom_impacts *impacts);

// Removes the flights and clusters of the last drift. The hits belong to the caller and are kept.
void carom_impacts_clear(carom_impacts *impacts);

// Records the flight of nodes that are about to be hit, unless they were hit before. If memory is short, hits.failed is set.
void carom_impacts_record_flights(carom_impacts *impacts, const int *nodes, int count, const double (*b)[3],
                                  const double (*w)[3]);

// Returns all nodes to their first flights and removes all hits except the first `hit_count`.
void carom_impacts_undo(carom_impacts *impacts, int hit_count, double (*b)[3], double (*w)[3]);

// True if the energy error of impacts under this law is returned at the next kick. Only impacts that bounce can return it.
static inline bool carom_impacts_are_repaid(carom_contact_law law) {
    return law.restitution > 0;
}

#endif
