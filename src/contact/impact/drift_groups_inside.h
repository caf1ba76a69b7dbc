// SPDX-License-Identifier: MIT
// The inside of the groups of a drift, for drift_groups.c, group_marks.c and drift_groups_shared.c.
#ifndef CAROM_CONTACT_IMPACT_DRIFT_GROUPS_INSIDE_H
#define CAROM_CONTACT_IMPACT_DRIFT_GROUPS_INSIDE_H

#include <stdatomic.h>

#include "contact/impact/drift_groups.h"

// Marks of a node: free, read by several groups, or 2 + 2 g (read by group g), 3 + 2 g (owned by it).
enum { CAROM_MARK_FREE, CAROM_MARK_READ_BY_MANY };

// An impact of a group, and how many entries its lists had before.
typedef struct carom_group_impact {
    double time;
    int contact;
    int hits, flights, touched;
} carom_group_impact;

typedef struct carom_group {
    struct carom_groups *all;
    int number;
    carom_drift_space space; // arrays per node and contact are those of the drift; events are its own
    carom_impacts impacts;   // likewise; lists are its own
    carom_group_impact *log;
    int64_t log_count, log_capacity;
    int *used; // pairs whose clearance it has used up together with others
    int64_t used_count, used_capacity;
    int *marked; // where processes share groups: 2 k for each node k that it reads, 2 k + 1 for each that it owns
    int64_t marked_count, marked_capacity;
    int first_start, last_start; // its contacts that would act if nothing else happened: a chain
    int start_count;             // of those
    int wanted;                  // the node at which it stopped; -1: it has not
    bool gave_up;
    bool due; // it must be run
    bool memory;
} carom_group;

typedef struct carom_groups {
    const carom_drifting *drift;
    carom_together *together; // processes share the groups; NULL: threads alone
    carom_group *items;
    int count;
    int *parent;       // per group: the groups that were united with it
    int *root;         // per group: likewise, constant while groups run
    atomic_int *marks; // per node
    atomic_int *noted; // per node, where processes share groups: 1 + the group that has noted it last
    int *starts;       // contacts that would act if nothing else happened
    int *next;         // per start: the next one of its group, or -1
    int *seed;         // per node: a start that has it, or -1
    int64_t *order;    // groups to be run, the largest first, with their sizes
    int *runner;       // per group: the process that runs it
    int64_t *load;     // per process
    int64_t runs;
    carom_arena *arena; // has these arrays
} carom_groups;

// The mark of a node that a group owns.
static inline int carom_mark_owning(const carom_group *group) {
    return 3 + 2 * group->number;
}

// True if a mark is one of this group, or of one that was united with it.
static inline bool carom_mark_is_own(const carom_group *group, int mark) {
    return mark > CAROM_MARK_READ_BY_MANY && group->all->root[(mark - 2) / 2] == group->number;
}

static inline bool carom_mark_is_owned(int mark) {
    return mark > CAROM_MARK_READ_BY_MANY && mark % 2 == 1;
}

// True if impulses can move the node in some direction.
bool carom_groups_is_free(const carom_drifting *drift, int node);

// Joins two groups: the smaller number leads, with the contacts of both.
void carom_groups_unite(carom_groups *all, int a, int b);

// Deals the first `count` groups of the order to processes: each to the one that has least so far.
void carom_groups_distribute(carom_groups *all, int count);
// After all processes have run theirs: every process gets what the others have done, and groups that were in each other's way
// are united. False, on all processes, if memory is short in one of them.
bool carom_groups_exchange(carom_groups *all);

#endif
