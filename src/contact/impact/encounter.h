// SPDX-License-Identifier: MIT
// One impact inside a drift: its impulse, and the two last resorts against endless cascades. The event loop (drift.c) decides
// which impact is next; this file decides what it does.
#ifndef CAROM_CONTACT_IMPACT_ENCOUNTER_H
#define CAROM_CONTACT_IMPACT_ENCOUNTER_H

#include "contact/impact/drift.h"

struct carom_group;

// A drift under way. Node k is at b_k + t w_k.
typedef struct carom_drifting {
    const carom_contact_interval *interval;
    carom_drift_space *space;
    carom_impacts *impacts;
    carom_const_vectors b, w;   // to read
    carom_vectors set_b, set_w; // the same arrays, to change
    struct carom_group *group;  // of impacts that are resolved here (drift_groups.h); NULL: all
} carom_drifting;

// How an impact is to leave.
typedef struct carom_bounce {
    carom_contact_law law; // with the restitution that holds for this impact
    bool repaid;           // its energy error is returned at the next kick: the books show the law alone
    double offset;         // true normal rate at the time of impact less that of the drift velocities
    double least;          // smallest rate after the impact
} carom_bounce;

// Sum of the speeds of the nodes weighted as in the contact, whatever their directions: the scale of rounding in its rate.
double carom_encounter_speed(const carom_contact *contact, const double (*w)[3]);

// Bound of the rounding error of the gap, from the magnitude of the coordinates.
double carom_encounter_rounding(const carom_contact *contact, const double (*x)[3]);

// Contacts closer than this touch: a small fraction of the way of their nodes in the drift, or rounding of their positions.
double carom_encounter_touch(const carom_drifting *drift, const carom_contact *contact);

// The nodes that an impulse at the contact sets in motion; returns how many.
int carom_encounter_movers(const carom_contact *contact, carom_mobility mobility, int nodes[4]);

// Number of impacts that both sides of a contact have had: the smaller of the two, as a large face may be hit by many nodes
// without any cascade.
int carom_encounter_hits(const carom_drifting *drift, const carom_contact *contact);

// True if two impacts on a node at times `last` <= t fall on one instant.
bool carom_encounter_is_one_time(const carom_drifting *drift, double last, double t);

// The bounce of a contact at time t. A contact with restitution below 1 that closes no faster than the kick drives it belongs
// to a bounce too short for a step and is stopped. `scatters`: it bounces elastically whatever the law says.
carom_bounce carom_encounter_bounce(const carom_drifting *drift, const carom_contact *contact, double t, bool scatters);

// Smallest rate at which an impact at `distance` in the layer must leave: 0 unless it is deep. `level` is the distance at which
// it acts.
double carom_encounter_escape(const carom_drifting *drift, const carom_contact *contact, double level, double distance,
                              double rate);

// Applies one impact at time t. Adds no hit if none of the nodes can move along the normal.
void carom_encounter_collide(const carom_drifting *drift, const carom_contact *contact, double t, carom_bounce bounce);

// The true relative velocity of a contact at time t less that of the drift velocities.
void carom_encounter_offset(const carom_drifting *drift, const carom_contact *contact, double t, double u[3]);

// Solves fixed contact number `first` at time t together with all contacts that touch its nodes, directly or through others,
// without bounce and friction. False if memory is short.
bool carom_encounter_settle(const carom_drifting *drift, int first, double t);

// The accuracy of the rates of the contacts that are in the list of the collapse when they are solved.
double carom_encounter_settle_floor(const carom_drifting *drift);

// The same for the contacts that are in the list of the collapse. Bodies that carry nodes are to fly on.
void carom_encounter_settle_all(const carom_drifting *drift, double t);

// Moves the pose of rigid body r to time t; its nodes, whose flights are remembered, stay on their paths.
void carom_encounter_cut(const carom_drifting *drift, int r, double t);
// New paths for the nodes of rigid body r, which has been moved to time t.
void carom_encounter_fly_on(const carom_drifting *drift, int r, double t);

// From time t on all nodes of the cluster with this root move as one rigid body. The contact is the one that gave the occasion.
void carom_encounter_hold(const carom_drifting *drift, const carom_contact *contact, int root, double t);

#endif
