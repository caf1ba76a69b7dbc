// SPDX-License-Identifier: MIT
// Resolves the impacts of a drift (the straight motion of nodes between two kicks) in independent groups, one per thread
// (docs/theory/drift.md).
//
// Independent impacts need no common order. A group *owns* the nodes that its impacts hit, and *reads* those of the pairs that
// it tests. If no group reads a node that another owns, and the deviations of nodes from their straight paths by several groups
// exceed the clearance of no untested pair, the groups together give exactly the result of one loop.
#ifndef CAROM_CONTACT_IMPACT_DRIFT_GROUPS_H
#define CAROM_CONTACT_IMPACT_DRIFT_GROUPS_H

#include "contact/impact/encounter.h"

// True if groups are likely to be faster than one loop; `starts` of the `contacts` may act if no other impact occurs. To be
// called once per drift: after groups that were slower, some drifts are resolved without. `together`: processes that share the
// groups, or NULL.
bool carom_groups_pay(carom_drift_space *space, int starts, int contacts, const carom_together *together);

// Resolves all impacts of the drift. If *done is false, nothing has changed and one loop must resolve the drift. False if
// memory is short.
bool carom_groups_run(const carom_drifting *drift, bool *done);

// The event loop (drift.c): all impacts on the heap, in order of time. False if memory is short. Events remain if there are too
// many, if an interrupt was requested, or if a group cannot continue alone.
bool carom_drift_resolve(const carom_drifting *drift);

// For the event loop of a group.
// Marks the nodes of a contact as read by the group. False: another group owns one of them, and this group has stopped.
bool carom_group_mark_read(const carom_drifting *drift, int contact);
// Marks the nodes of the contact of an impact as owned. False: another group reads or owns one, and this group has stopped.
bool carom_group_mark_owned(const carom_drifting *drift, carom_impact impact);
// True if the group owns the node.
bool carom_group_owns(const carom_drifting *drift, int node);
// Stops the group: the impact may involve nodes of other groups, so that one loop must resolve the drift.
void carom_group_abandon(const carom_drifting *drift);
// True if the group cannot continue.
bool carom_group_has_stopped(const carom_drifting *drift);

#endif
