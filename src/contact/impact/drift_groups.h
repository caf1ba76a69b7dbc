// SPDX-License-Identifier: MIT
// The impacts of a drift group by group, one group per thread (docs/theory/drift.md).
//
// Impacts that have nothing to do with each other need no common order. A group *owns* the nodes that its impacts hit, and
// *reads* those of the pairs that it tests. If no group reads a node that another owns, and no pair that nobody tested has used
// up its clearance by the ways of several groups, the groups together have done exactly what one loop does.
#ifndef CAROM_CONTACT_IMPACT_DRIFT_GROUPS_H
#define CAROM_CONTACT_IMPACT_DRIFT_GROUPS_H

#include "contact/impact/encounter.h"

// True if groups are likely to be worth their overhead: `starts` contacts of all may act if nothing else happens. Asked once in
// a drift: after groups that did not pay they are left out for some drifts. `together`: processes that share them, or NULL.
bool carom_groups_pay(carom_drift_space *space, int starts, int contacts, const carom_together *together);

// Resolves all impacts of the drift. Not done: nothing has happened, and one loop must do it. False if memory is short.
bool carom_groups_run(const carom_drifting *drift, bool *done);

// The event loop (drift.c): all impacts on the heap, in order of time. False if memory is short. Events are left if there are
// too many, if somebody wishes to stop, or if a group cannot go on by itself.
bool carom_drift_resolve(const carom_drifting *drift);

// For the event loop of a group.
// The nodes of the contact may be read. False: another group owns one of them, and the group has stopped.
bool carom_group_sees(const carom_drifting *drift, int contact);
// The group owns the nodes of the contact that is about to act. False: another group is there, and the group has stopped.
bool carom_group_takes(const carom_drifting *drift, carom_impact impact);
// The group has hit the node, or may do so.
bool carom_group_owns(const carom_drifting *drift, int node);
// The impact needs more than the group.
void carom_group_gives_up(const carom_drifting *drift);
// The group cannot go on.
bool carom_group_has_stopped(const carom_drifting *drift);

#endif
