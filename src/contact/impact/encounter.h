// SPDX-License-Identifier: MIT
// One impact inside a drift: its impulse and energy loss, and the two rules that end infinite cascades (encounter.c). The event
// loop (drift.c) determines the order of impacts.
#ifndef CAROM_CONTACT_IMPACT_ENCOUNTER_H
#define CAROM_CONTACT_IMPACT_ENCOUNTER_H

#include "contact/impact/drift.h"

struct carom_group;

// The state of a drift. Node k is at b_k + t w_k.
typedef struct carom_drifting {
    const carom_contact_interval *interval;
    carom_drift_space *space;
    carom_impacts *impacts;
    carom_const_vectors b, w;   // to read
    carom_vectors set_b, set_w; // the same arrays, to change
    struct carom_group *group;  // the group whose impacts are resolved (drift_groups.h); NULL: all impacts
} carom_drifting;

// Parameters of the velocity after an impact.
typedef struct carom_bounce {
    carom_contact_law law; // with the restitution that holds for this impact
    bool repaid;           // its energy error is returned at the next kick: the ledger records the loss by the law only
    double offset;         // true normal rate at the time of impact less that of the drift velocities
    double least;          // smallest rate after the impact
} carom_bounce;

// Sum of the speeds of the nodes weighted as in the contact, regardless of direction: the scale of rounding in its rate.
double carom_encounter_speed(const carom_contact *contact, const double (*w)[3]);

// Bound of the rounding error of the gap, from the magnitude of the coordinates.
double carom_encounter_rounding(const carom_contact *contact, const double (*x)[3]);

// Contacts closer than this touch: a small fraction of the displacement of their nodes in the drift, plus rounding of their
// positions.
double carom_encounter_touch(const carom_drifting *drift, const carom_contact *contact);

// The nodes that an impulse at the contact moves; returns their number.
int carom_encounter_movers(const carom_contact *contact, carom_mobility mobility, int nodes[4]);

// Number of impacts of a contact: the smaller number of its two sides, as many nodes may hit a large face without a cascade.
int carom_encounter_hits(const carom_drifting *drift, const carom_contact *contact);

// True if two impacts on a node at times `last` <= t are simultaneous.
bool carom_encounter_is_one_time(const carom_drifting *drift, double last, double t);

// The bounce of a contact at time t. A contact with restitution below 1 that closes no faster than by the kick belongs to a
// bounce shorter than two steps and is stopped. `scatters`: it bounces elastically under any law.
carom_bounce carom_encounter_bounce(const carom_drifting *drift, const carom_contact *contact, double t, bool scatters);

// Smallest rate at which an impact at `distance` in the layer must leave: 0 unless it is deep. `level` is the distance at which
// it acts.
double carom_encounter_escape(const carom_drifting *drift, const carom_contact *contact, double level, double distance,
                              double rate);

// Applies one impact at time t. Adds no hit if none of the nodes can move along the normal.
void carom_encounter_collide(const carom_drifting *drift, const carom_contact *contact, double t, carom_bounce bounce);

// The true relative velocity of a contact at time t less that of the drift velocities.
void carom_encounter_offset(const carom_drifting *drift, const carom_contact *contact, double t, double u[3]);

// Solves fixed contact number `first` at time t together with all contacts that touch its nodes, directly or through other
// nodes, without bounce and friction. False if memory is short.
bool carom_encounter_settle(const carom_drifting *drift, int first, double t);

// The required accuracy of the rates of the contacts in space->collapse.
double carom_encounter_settle_floor(const carom_drifting *drift);

// Solves the contacts in space->collapse at time t and records their hits. Rigid bodies need new paths afterwards
// (carom_encounter_fly_on).
void carom_encounter_settle_all(const carom_drifting *drift, double t);

// Moves the pose of rigid body r to time t and records the flights of its nodes, which remain on their paths.
void carom_encounter_cut(const carom_drifting *drift, int r, double t);
// New paths for the nodes of rigid body r, which has been moved to time t.
void carom_encounter_fly_on(const carom_drifting *drift, int r, double t);

// From time t on all nodes of the cluster with this root move as one rigid body. `contact`: the one whose impact caused this.
void carom_encounter_hold(const carom_drifting *drift, const carom_contact *contact, int root, double t);

#endif
