// SPDX-License-Identifier: MIT
// Impacts in which rigid bodies take part (docs/theory/rigid.md).
#ifndef CAROM_CONTACT_IMPACT_RIGID_IMPACTS_H
#define CAROM_CONTACT_IMPACT_RIGID_IMPACTS_H

#include "contact/impact/encounter.h"

// True if a node of contact i belongs to a rigid body.
bool carom_drift_is_rigid(const carom_drifting *drift, int i);

// True if the cluster of a node contains a rigid body.
bool carom_drift_cluster_has_body(const carom_drifting *drift, int node);

// Resolves contact i at time t. False if memory is short.
bool carom_drift_meet_rigid(const carom_drifting *drift, int i, double t);

#endif
