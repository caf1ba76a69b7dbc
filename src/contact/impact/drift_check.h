// SPDX-License-Identifier: MIT
// Times at which contacts collide if no other impact occurs, for the event loop of a drift (drift.c). Cheap lower bounds
// exclude most contacts.
#ifndef CAROM_CONTACT_IMPACT_DRIFT_CHECK_H
#define CAROM_CONTACT_IMPACT_DRIFT_CHECK_H

#include "contact/impact/encounter.h"

// Version of contact number i: a number that changes with every impact on one of its nodes.
int carom_drift_version(const carom_drifting *drift, int i);

// Computes for every contact the time at which it acts if no other impact occurs, or a lower bound. False if memory is short.
bool carom_drift_check_first(const carom_drifting *drift);

// Replaces all lower bounds of carom_drift_check_first by times, in all threads.
void carom_drift_check_closer(const carom_drifting *drift);

// Puts the first time of contact number i on the heap. False if memory is short.
bool carom_drift_push_first(const carom_drifting *drift, int i);

// Searches the rest of the drift for impacts of some nodes, each contact once. False if memory is short.
bool carom_drift_check_nodes(const carom_drifting *drift, const int *nodes, int count, double now);
// The same for all nodes of some rigid bodies.
bool carom_drift_check_bodies(const carom_drifting *drift, const int *bodies, int count, double now);

// Tests the pair of an event whose time is only a lower bound, and adds the impact to the heap. False if memory is short.
bool carom_drift_test(const carom_drifting *drift, carom_impact bound);

// Postpones a pair of surfaces that closes by rounding only, or none of whose nodes can move, until its distance has halved.
// False if memory is short.
bool carom_drift_postpone(const carom_drifting *drift, int i, double now);

#endif
