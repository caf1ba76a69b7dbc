// SPDX-License-Identifier: MIT
// The marks by which groups of impacts detect conflicts (drift_groups.c): one atomic integer per node, which states the group
// that reads or owns the node. A group that finds a conflicting mark of another group stops.
#include "base/allocate.h"
#include "contact/impact/drift_groups_inside.h"

enum { FREE = CAROM_MARK_FREE, READ_BY_MANY = CAROM_MARK_READ_BY_MANY };

static int reading(const carom_group *group) {
    return 2 + 2 * group->number;
}

// Records a mark for other processes. If memory is short, group->memory becomes false.
static void note(carom_group *group, int node, bool owns) {
    const carom_groups *all = group->all;
    // nodes are read repeatedly
    if (!all->together || (!owns && atomic_load_explicit(&all->noted[node], memory_order_relaxed) == 1 + group->number))
        return;
    int *marked = carom_grow(group->marked, group->marked_count, &group->marked_capacity, sizeof *marked);
    group->memory = group->memory && marked;
    if (!marked)
        return;
    group->marked = marked;
    marked[group->marked_count++] = 2 * node + owns;
    atomic_store_explicit(&all->noted[node], 1 + group->number, memory_order_relaxed);
}

// Marks a node as read. False if another group owns it.
static bool read_node(const carom_group *group, int node) {
    atomic_int *place = &group->all->marks[node];
    int mark = atomic_load(place);
    for (;;) {
        if (carom_mark_is_own(group, mark) || mark == READ_BY_MANY)
            return true;
        if (carom_mark_is_owned(mark))
            return false;
        int next = mark == FREE ? reading(group) : READ_BY_MANY;
        if (atomic_compare_exchange_weak(place, &mark, next))
            return true;
    }
}

// Marks a node as owned. False if another group reads or owns it.
static bool own_node(const carom_group *group, int node) {
    atomic_int *place = &group->all->marks[node];
    int mark = atomic_load(place);
    for (;;) {
        if (carom_mark_is_own(group, mark) && carom_mark_is_owned(mark))
            return true;
        if (mark != FREE && !carom_mark_is_own(group, mark))
            return false;
        if (atomic_compare_exchange_weak(place, &mark, carom_mark_owning(group)))
            return true;
    }
}

bool carom_group_mark_read(const carom_drifting *drift, int contact) {
    carom_group *group = drift->group;
    int node[4], n = carom_neighbours_nodes(&drift->interval->neighbours, contact, node);
    for (int k = 0; k < n; k++) {
        if (!carom_groups_is_free(drift, node[k]))
            continue;
        if (!read_node(group, node[k])) {
            group->conflict_node = node[k];
            return false;
        }
        note(group, node[k], false);
    }
    return true;
}

// Marks as read the nodes of the fixed contacts of a node: these are tested after every impact on it.
static bool read_ends(const carom_drifting *drift, int node) {
    const carom_candidates *fixed = drift->interval->neighbours.fixed;
    for (int j = fixed->begin ? fixed->begin[node] : 0; fixed->begin && j < fixed->begin[node + 1]; j++)
        if (!carom_group_mark_read(drift, fixed->of_node[j]))
            return false;
    return true;
}

bool carom_group_owns(const carom_drifting *drift, int node) {
    int mark = atomic_load_explicit(&drift->group->all->marks[node], memory_order_relaxed);
    return carom_mark_is_owned(mark) && carom_mark_is_own(drift->group, mark);
}

bool carom_group_mark_owned(const carom_drifting *drift, carom_impact impact) {
    carom_group *group = drift->group;
    int node[4], n = carom_neighbours_nodes(&drift->interval->neighbours, impact.candidate, node);
    for (int k = 0; k < n; k++) {
        if (!carom_groups_is_free(drift, node[k]) || carom_group_owns(drift, node[k]))
            continue;
        if (!own_node(group, node[k])) {
            group->conflict_node = node[k];
            return false;
        }
        note(group, node[k], true);
        if (!read_ends(drift, node[k]))
            return false;
    }
    carom_group_impact *log = carom_grow(group->log, group->log_count, &group->log_capacity, sizeof *log);
    if (!log) {
        drift->impacts->hits.failed = true;
        return true;
    }
    group->log = log;
    log[group->log_count++] = (carom_group_impact){impact.time, impact.candidate, drift->impacts->hits.count,
                                                   drift->impacts->flight_count, drift->impacts->clusters.count};
    return true;
}

void carom_group_abandon(const carom_drifting *drift) {
    drift->group->gave_up = true;
}

bool carom_group_has_stopped(const carom_drifting *drift) {
    return drift->group->gave_up || drift->group->conflict_node >= 0;
}
