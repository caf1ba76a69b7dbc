// SPDX-License-Identifier: MIT
// Data structures of the groups of impacts of a drift (drift_groups.h), for drift_groups.c, group_marks.c and
// drift_groups_shared.c only.
#ifndef CAROM_CONTACT_IMPACT_DRIFT_GROUPS_INSIDE_H
#define CAROM_CONTACT_IMPACT_DRIFT_GROUPS_INSIDE_H

#include <stdatomic.h>

#include "contact/impact/drift_groups.h"

// Marks of a node: free, read by several groups, or 2 + 2 g (read by group g), 3 + 2 g (owned by it).
enum { CAROM_MARK_FREE, CAROM_MARK_READ_BY_MANY };

// An impact of a group, and the lengths of the lists of the group before it.
typedef struct carom_group_impact {
    double time;
    int contact;
    int hits, flights, touched;
} carom_group_impact;

typedef struct carom_group {
    struct carom_groups *all;
    int number;
    carom_drift_space space; // arrays per node and contact are those of the drift; the group has its own events
    carom_impacts impacts;   // arrays per node are those of the drift; the group has its own lists
    carom_group_impact *log;
    int64_t log_count, log_capacity;
    int *exceeded; // pairs whose clearance is exceeded by its deviations together with those of other groups
    int64_t exceeded_count, exceeded_capacity;
    int *marked; // where processes share groups: 2 k for each node k that it reads, 2 k + 1 for each that it owns
    int64_t marked_count, marked_capacity;
    int first_start, last_start; // linked list of its contacts that act if no other impact occurs
    int start_count;             // length of this list
    int conflict_node;           // the node at whose mark it stopped; -1: it has not; between rounds >= 0: to be run again
    bool gave_up;                // one loop must resolve the drift
    bool due;                    // it must be run in the next round
    bool memory;                 // false: memory is short
} carom_group;

typedef struct carom_groups {
    const carom_drifting *drift;
    carom_together *together; // processes that share the groups; NULL: threads only
    carom_group *items;
    int count;
    int *parent;        // per group: its parent in the forest of united groups (disjoint sets)
    int *root;          // per group: root in this forest, constant while groups run
    atomic_int *marks;  // per node
    atomic_int *noted;  // per node, where processes share groups: 1 + the last group that has noted it
    int *starts;        // contacts that act if no other impact occurs
    int *next;          // per start: the next one of its group, or -1
    int *seed;          // per node: a start that contains it, or -1
    int64_t *order;     // groups to be run, the largest first; while they are sorted, keys of size and number
    int *runner;        // per group: the process that runs it
    int64_t *load;      // per process: number of starts
    int64_t runs;       // of groups so far
    carom_arena *arena; // owns these arrays
} carom_groups;

// The mark of a node that a group owns.
static inline int carom_mark_owning(const carom_group *group) {
    return 3 + 2 * group->number;
}

// True if a mark belongs to this group, or to a group that was united with it.
static inline bool carom_mark_is_own(const carom_group *group, int mark) {
    return mark > CAROM_MARK_READ_BY_MANY && group->all->root[(mark - 2) / 2] == group->number;
}

static inline bool carom_mark_is_owned(int mark) {
    return mark > CAROM_MARK_READ_BY_MANY && mark % 2 == 1;
}

// True if impulses can move the node in some direction.
bool carom_groups_is_free(const carom_drifting *drift, int node);

// Unites two groups: the one with the smaller number gets the contacts of both.
void carom_groups_unite(carom_groups *all, int a, int b);

// Distributes the first `count` groups of the order among processes: each to the process with the smallest load so far.
void carom_groups_distribute(carom_groups *all, int count);
// After all processes have run their groups: sends the results to every process and unites conflicting groups. False, on all
// processes, if memory is short in one of them.
bool carom_groups_exchange(carom_groups *all);

#endif
