// SPDX-License-Identifier: MIT
// The looks of the event loop at contacts: when will they act, if nothing else happens? Most will not, and a cheap bound tells.
#ifndef CAROM_CONTACT_IMPACT_DRIFT_CHECK_H
#define CAROM_CONTACT_IMPACT_DRIFT_CHECK_H

#include "contact/impact/encounter.h"

// A number that changes with every impact on one of the nodes of contact number i.
int carom_drift_version(const carom_drifting *drift, int i);

// Finds for every contact when it would act if nothing else happened, or a bound of that. False if memory is short.
bool carom_drift_check_first(const carom_drifting *drift);

// Makes all tests that the first look has left open, by all threads.
void carom_drift_check_closer(const carom_drifting *drift);

// Puts the first time of contact number i on the heap. False if memory is short.
bool carom_drift_push_first(const carom_drifting *drift, int i);

// Looks for impacts of some nodes in the rest of the drift, each contact once. False if memory is short.
bool carom_drift_check_nodes(const carom_drifting *drift, const int *nodes, int count, double now);
// The same for all nodes of some rigid bodies.
bool carom_drift_check_bodies(const carom_drifting *drift, const int *bodies, int count, double now);

// Makes the test that an event with a lower bound of its time has left open. False if memory is short.
bool carom_drift_test(const carom_drifting *drift, carom_impact bound);

// Postpones a pair of surfaces that closes by no more than rounding, or that nothing can move, until the distance has halved.
// False if memory is short.
bool carom_drift_ask_later(const carom_drifting *drift, int i, double now);

#endif
