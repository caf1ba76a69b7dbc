// SPDX-License-Identifier: MIT
// Resolves the impacts of a drift in groups by several threads or processes, with the result of one event loop (notation:
// drift_groups.h). The deviation of a node is a bound of its distance from its straight path by impacts; a pair cannot collide
// while the deviations of its nodes add up to less than its clearance (drift_check.c).
//
// Theorem. Let no group have tested a pair of which another has hit a node, and let every pair with nodes hit by several groups
// have a clearance that exceeds the sum of the deviations of its nodes. Then the groups together give the result of one event
// loop, to the last bit. Proof: an impact reads and writes only nodes of its contact, and causes new checks only of contacts of
// those nodes. Every test of a group used the true paths of all its nodes (nodes of the group, or nodes without impacts). Tests
// were skipped only where deviations add up to less than the clearance, where one loop skips them too. So the sequence of a
// group is that of one loop, restricted to the group: ties are broken by the number of the contact in both. Impacts of
// different groups have disjoint nodes and commute.
//
//     1. Contacts that act if no other impact occurs are united if they share a node, or if a pair that is not clear has nodes
//        of both: these are the initial groups.
//     2. Each group runs the event loop on its own contacts. Before a test it marks the nodes of the contact as read, before an
//        impact as owned. If a mark of another group conflicts, it stops.
//     3. A group that stopped is united with the other group, and so are groups that together exceed the clearance of a pair.
//        They are undone and run again; the others keep their results. Repeat until none stops.
//     4. Hits, flights and touched nodes are merged in the order of one loop, by the time and contact of the next impact of
//        each group.
//
// Threads set marks (group_marks.c) in any order, so it depends on timing which of two groups stops; the result does not. Nodes
// that are restrained in all directions belong to no group.
#include "contact/impact/drift_groups.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/disjoint_sets.h"
#include "carom/threads.h"
#include "contact/impact/drift_check.h"
#include "contact/impact/drift_groups_inside.h"
#include "parallel/parallel.h"

enum {
    // Limit of rounds, after which one loop resolves the drift: by then most groups have been united.
    MAX_ROUNDS = 12,
    FREE = CAROM_MARK_FREE,
    READ_BY_MANY = CAROM_MARK_READ_BY_MANY,
    // Smallest number of starts for which groups are tried: with fewer the threads wait longer for each other than they work.
    // The 76 solid cubes of docs/performance.md have 10 to 80 impacts in a step; groups made no measurable difference there.
    MIN_STARTS = 64,
    // Largest number of listed contacts per start for which groups are tried: uniting seeds reads all contacts.
    CONTACTS_PER_START = 256,
    // Largest number of drifts before groups are tried again after they were slower; the number doubles each time.
    MAX_PAUSE = 63
};

// Groups are faster than one loop if the number of impacts that one thread resolves in sequence, with repetitions, is below
// this fraction of all.
static const double paying_cost_ratio = 0.6;

bool carom_groups_pay(carom_drift_space *space, int starts, int contacts, const carom_together *together) {
    bool shared = together != NULL;
    if (shared && together->always && space->grouping == CAROM_DRIFT_WHERE_IT_PAYS)
        return true;
    if (space->grouping != CAROM_DRIFT_WHERE_IT_PAYS)
        return space->grouping != CAROM_DRIFT_NEVER;
    // processes may have different numbers of threads, but must decide identically
    if (starts < MIN_STARTS || (int64_t)starts * CONTACTS_PER_START < contacts || (carom_threads() == 1 && !shared))
        return false;
    return ++space->waited > space->pause;
}

// Sets the next pause: none if groups were faster than one loop, else about twice the last one.
static void note_payoff(carom_drift_space *space, bool paid) {
    int longer = 2 * space->pause + 1;
    space->pause = paid ? 0 : longer < MAX_PAUSE ? longer : MAX_PAUSE;
    space->waited = 0;
}

bool carom_groups_is_free(const carom_drifting *drift, int node) {
    const carom_restraint *restraint = carom_restraint_of(drift->interval->mobility.restraints, node);
    return !(restraint && restraint->count == 3);
}

void carom_groups_unite(carom_groups *all, int a, int b) {
    a = carom_disjoint_find(all->parent, a);
    b = carom_disjoint_find(all->parent, b);
    if (a == b)
        return;
    int root = carom_disjoint_join(all->parent, a, b), other = root == a ? b : a;
    carom_group *united = &all->items[root], *absorbed = &all->items[other];
    all->next[united->last_start] = absorbed->first_start;
    united->last_start = absorbed->last_start;
    united->start_count += absorbed->start_count;
}

// Unites the groups of starts that share a node, or a pair that is not clear.
static void unite_seeds(carom_groups *all) {
    const carom_drifting *drift = all->drift;
    const carom_neighbours *neighbours = &drift->interval->neighbours;
    int contacts = carom_neighbours_count(neighbours);
    for (int s = 0; s < all->count; s++) {
        int node[4], n = carom_neighbours_nodes(neighbours, all->starts[s], node);
        for (int k = 0; k < n; k++)
            if (carom_groups_is_free(drift, node[k])) {
                if (all->seed[node[k]] >= 0)
                    carom_groups_unite(all, all->seed[node[k]], s);
                all->seed[node[k]] = s;
            }
    }
    for (int i = 0; i < contacts && drift->space->grouping <= CAROM_DRIFT_ALWAYS; i++) {
        if (drift->space->firsts[i].gap > 0)
            continue;
        int node[4], n = carom_neighbours_nodes(neighbours, i, node), last = -1;
        for (int k = 0; k < n; k++) {
            int seed = all->seed[node[k]];
            if (seed >= 0 && last >= 0)
                carom_groups_unite(all, last, seed);
            last = seed >= 0 ? seed : last;
        }
    }
}

// Restores the state before a group was run.
static void undo(carom_group *group) {
    const carom_drifting *drift = group->all->drift;
    const carom_contact_interval *interval = drift->interval;
    const carom_pair_list *pairs = interval->neighbours.pairs;
    carom_drift_space *space = drift->space;
    carom_impacts *impacts = &group->impacts;
    carom_impacts_undo(impacts, 0, drift->set_b, drift->set_w);
    for (int f = 0; f < impacts->flight_count; f++) {
        int node = impacts->flights[f].node;
        if (!carom_groups_is_free(drift, node))
            continue;
        space->version[node] = space->rapid[node] = impacts->flight_of[node] = 0;
        space->last[node] = interval->begin - interval->step;
        space->deviation[node] = 0;
        // deviations are measured from the first flight again
        for (int j = pairs ? pairs->rows[node].begin : 0; pairs && j < pairs->rows[node].end; j++) {
            double gap = space->firsts[interval->neighbours.fixed->count + pairs->of_node[j]].gap;
            space->limits[pairs->of_node[j]] = gap > 0 ? gap : -HUGE_VAL;
        }
    }
    impacts->flight_count = 0;
    carom_clusters_clear(&impacts->clusters);
    group->space.events.count = 0;
    group->log_count = group->exceeded_count = 0;
    impacts->outran = impacts->crossed = false;
}

// Runs the event loop of one group.
static void run(carom_group *group) {
    carom_drifting drift = *group->all->drift;
    group->gave_up = false;
    drift.space = &group->space;
    drift.impacts = &group->impacts;
    drift.group = group;
    group->conflict_node = -1;
    group->memory = true;
    for (int s = group->first_start; s >= 0 && group->memory; s = group->all->next[s])
        group->memory = carom_drift_push_first(&drift, group->all->starts[s]);
    group->memory = group->memory && carom_drift_resolve(&drift);
}

// Unites a group that stopped with the group of the conflicting mark; if several groups read the node, with all groups that own
// nodes of its contacts.
static void unite_around(carom_groups *all, const carom_group *group) {
    const carom_neighbours *neighbours = &all->drift->interval->neighbours;
    int mark = atomic_load(&all->marks[group->conflict_node]);
    if (mark > READ_BY_MANY)
        carom_groups_unite(all, group->number, (mark - 2) / 2);
    for (int j = 0, i; mark == READ_BY_MANY && (i = carom_neighbours_of_node(neighbours, group->conflict_node, j)) >= 0; j++) {
        int node[4], n = carom_neighbours_nodes(neighbours, i, node);
        for (int k = 0; k < n; k++) {
            int other = carom_groups_is_free(all->drift, node[k]) ? atomic_load(&all->marks[node[k]]) : FREE;
            if (carom_mark_is_owned(other))
                carom_groups_unite(all, group->number, (other - 2) / 2);
        }
    }
    // the conflicting marks may be those of groups that were undone
    atomic_store(&all->marks[group->conflict_node], carom_mark_owning(group));
}

// Finds the pairs of a group whose clearance the deviations by several groups exceed, although none has tested them.
static void find_exceeded(carom_group *group) {
    const carom_drifting *drift = group->all->drift;
    const carom_pair_list *pairs = drift->interval->neighbours.pairs;
    const double *deviation = drift->space->deviation;
    const int n = pairs && drift->interval->neighbours.surface->corners == 2 ? 3 : 4;
    group->exceeded_count = 0;
    for (int f = 0; f < group->impacts.flight_count && pairs; f++) {
        int node = group->impacts.flights[f].node;
        for (int j = pairs->rows[node].begin; j < pairs->rows[node].end && carom_groups_is_free(drift, node); j++) {
            int p = pairs->of_node[j];
            const int *nodes = pairs->nodes[p];
            double sum = deviation[nodes[0]] + deviation[nodes[1]] + deviation[nodes[2]] + (n == 4 ? deviation[nodes[3]] : 0);
            if (sum < drift->space->firsts[drift->interval->neighbours.fixed->count + p].gap)
                continue;
            bool several = false;
            for (int k = 0; k < n; k++) {
                int mark = atomic_load_explicit(&group->all->marks[nodes[k]], memory_order_relaxed);
                several = several || (deviation[nodes[k]] > 0 && carom_mark_is_owned(mark) && !carom_mark_is_own(group, mark));
            }
            int *used =
                several ? carom_grow(group->exceeded, group->exceeded_count, &group->exceeded_capacity, sizeof *used) : NULL;
            group->memory = group->memory && (!several || used);
            if (used) {
                group->exceeded = used;
                used[group->exceeded_count++] = p;
            }
        }
    }
}

// Unites the groups that together exceed the clearance of a pair.
static void unite_exceeded(carom_groups *all, const carom_group *group) {
    for (int64_t u = 0; u < group->exceeded_count; u++) {
        const int *nodes = all->drift->interval->neighbours.pairs->nodes[group->exceeded[u]];
        for (int k = 0; k < 4; k++) {
            int mark = nodes[k] >= 0 ? atomic_load(&all->marks[nodes[k]]) : FREE;
            if (carom_mark_is_owned(mark))
                carom_groups_unite(all, group->number, (mark - 2) / 2);
        }
    }
}

// After a round: unites conflicting groups and undoes them. False if no group must be run again.
static bool prepare_next_round(carom_groups *all) {
    bool again = false;
    for (int g = 0; g < all->count; g++)
        if (all->items[g].due && all->items[g].conflict_node >= 0)
            unite_around(all, &all->items[g]);
    for (int g = 0; g < all->count; g++)
        if (all->root[g] == g)
            unite_exceeded(all, &all->items[g]);
    for (int g = 0; g < all->count; g++) {
        int root = carom_disjoint_find(all->parent, g);
        // roots of groups that stopped or were united in this round
        if (root != all->root[g] || (all->items[g].due && all->items[g].conflict_node >= 0))
            all->items[root].conflict_node = 0;
    }
    for (int g = 0; g < all->count; g++) {
        carom_group *group = &all->items[g];
        int root = carom_disjoint_find(all->parent, g);
        bool repeated = all->items[root].conflict_node >= 0 && all->root[g] == g;
        if (repeated)
            undo(group);
        group->due = repeated && root == g;
        again = again || group->due;
    }
    for (int g = 0; g < all->count; g++) {
        all->root[g] = carom_disjoint_find(all->parent, g);
        all->items[g].conflict_node = -1;
    }
    return again;
}

// Appends the lists of a group, from one logged impact to the next, to those of the drift. False if memory is short.
static bool append(const carom_drifting *drift, const carom_group *group, int64_t event) {
    carom_impacts *to = drift->impacts;
    const carom_impacts *from = &group->impacts;
    const carom_group_impact *log = &group->log[event];
    bool last = event + 1 == group->log_count;
    for (int h = log->hits; h < (last ? from->hits.count : log[1].hits); h++)
        carom_hits_add(&to->hits, &from->hits.items[h]);
    for (int f = log->flights; f < (last ? from->flight_count : log[1].flights); f++) {
        const carom_first_flight *flight = &from->flights[f];
        // several groups may hit an obstacle
        if (!carom_groups_is_free(drift, flight->node) && to->flight_of[flight->node])
            continue;
        to->flights[to->flight_count++] = *flight;
        to->flight_of[flight->node] = to->flight_count;
    }
    for (int k = log->touched; k < (last ? from->clusters.count : log[1].touched); k++)
        to->clusters.touched[to->clusters.count++] = from->clusters.touched[k];
    return !to->hits.failed;
}

// Merges the impacts of all groups in the order of one loop. False if memory is short.
static bool merge(carom_groups *all) {
    const carom_drifting *drift = all->drift;
    carom_impacts *impacts = drift->impacts;
    carom_events *heads = &drift->space->events;
    int *next = all->starts; // no longer needed
    bool memory = true;
    heads->count = 0;
    for (int g = 0; g < all->count && memory; g++) {
        const carom_group *group = &all->items[g];
        next[g] = 0;
        if (all->root[g] == g && group->log_count)
            memory = carom_events_push(heads, (carom_impact){group->log[0].time, HUGE_VAL, group->log[0].contact, g});
        if (all->root[g] != g)
            continue;
        drift->space->groups++;
        impacts->outran = impacts->outran || group->impacts.outran;
        if (group->impacts.crossed && !impacts->crossed)
            memcpy(impacts->crossing, group->impacts.crossing, sizeof impacts->crossing);
        impacts->crossed = impacts->crossed || group->impacts.crossed;
    }
    while (heads->count && memory) {
        int g = carom_events_pop(heads).version;
        const carom_group *group = &all->items[g];
        memory = append(drift, group, next[g]++);
        if (memory && next[g] < group->log_count)
            memory =
                carom_events_push(heads, (carom_impact){group->log[next[g]].time, HUGE_VAL, group->log[next[g]].contact, g});
    }
    heads->count = 0;
    return memory;
}

static void release(carom_groups *all) {
    for (int g = 0; g < all->count && all->items; g++) {
        carom_group *group = &all->items[g];
        carom_events_release(&group->space.events);
        carom_contact_solve_release(&group->space.collapse);
        carom_hits_release(&group->impacts.hits);
        free(group->impacts.flights);
        free(group->impacts.clusters.touched);
        free(group->log);
        free(group->exceeded);
        free(group->marked);
    }
    carom_arena_release(all->arena);
}

// Creates a group for every start. False if memory is short.
static bool create(carom_groups *all) {
    const carom_drifting *drift = all->drift;
    const carom_drift_space *space = drift->space;
    int contacts = carom_neighbours_count(&drift->interval->neighbours), count = 0;
    double end = carom_contact_interval_end(drift->interval);
    for (int i = 0; i < contacts; i++)
        count += space->firsts[i].time <= end;
    carom_arena *arena = all->arena = carom_arena_create();
    bool enough = arena;
    all->items = carom_arena_reserve(arena, count, sizeof *all->items, &enough);
    all->parent = carom_arena_reserve(arena, count, sizeof *all->parent, &enough);
    all->root = carom_arena_reserve(arena, count, sizeof *all->root, &enough);
    all->marks = carom_arena_reserve(arena, space->node_count, sizeof *all->marks, &enough);
    all->starts = carom_arena_reserve(arena, count, sizeof *all->starts, &enough);
    all->next = carom_arena_reserve(arena, count, sizeof *all->next, &enough);
    all->seed = carom_arena_reserve(arena, space->node_count, sizeof *all->seed, &enough);
    all->order = carom_arena_reserve(arena, count, sizeof *all->order, &enough);
    all->noted = carom_arena_reserve(arena, all->together ? space->node_count : 0, sizeof *all->noted, &enough);
    all->runner = carom_arena_reserve(arena, count, sizeof *all->runner, &enough);
    all->load = carom_arena_reserve(arena, carom_parallel_size(), sizeof *all->load, &enough);
    if (!enough)
        return false;
    for (int i = 0; i < contacts; i++) {
        if (!(space->firsts[i].time <= end))
            continue;
        int g = all->count++;
        all->starts[g] = i;
        all->next[g] = -1;
        carom_group *group = &all->items[g];
        *group =
            (carom_group){.all = all, .number = g, .first_start = g, .last_start = g, .start_count = 1, .conflict_node = -1};
    }
    int pairs = contacts - drift->interval->neighbours.fixed->count;
    for (int p = 0; p < pairs && space->grouping == CAROM_DRIFT_FAULT_LEAVES_OUT; p += 4)
        space->limits[p] = HUGE_VAL;
    carom_disjoint_start(all->parent, count);
    for (int k = 0; k < space->node_count; k++)
        all->seed[k] = -1;
    unite_seeds(all);
    for (int g = 0; g < count; g++) {
        all->root[g] = carom_disjoint_find(all->parent, g);
        all->items[g].due = all->root[g] == g;
    }
    return true;
}

// Prepares a group for its next run.
static void prepare(carom_groups *all, carom_group *group) {
    const carom_drifting *drift = all->drift;
    carom_events events = group->space.events;
    carom_impacts old = group->impacts;
    group->space = *drift->space;
    group->space.events = events;
    group->space.collapse = (carom_contact_solve){0};
    group->space.largest_deviation = 0;
    all->runs++;
    group->impacts = *drift->impacts;
    group->impacts.obstacles = drift->interval->mobility.restraints;
    group->impacts.hits = old.hits;
    group->impacts.flights = old.flights;
    group->impacts.flight_count = 0;
    group->impacts.flight_capacity = old.flight_capacity;
    group->impacts.clusters.touched = old.clusters.touched;
    group->impacts.clusters.count = 0;
    group->impacts.clusters.capacity = old.clusters.capacity;
    group->marked_count = 0;
}

static int compare_orders(const void *a, const void *b) {
    int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

// Runs all groups that are due, in threads and processes, the largest ones first for load balance. False if memory is short in
// any process.
static bool run_due(carom_groups *all) {
    int count = 0, rank = carom_parallel_rank();
    for (int g = 0; g < all->count; g++)
        if (all->items[g].due) {
            prepare(all, &all->items[g]);
            all->order[count++] = (-(int64_t)all->items[g].start_count) * INT32_MAX + g;
        }
    qsort(all->order, (size_t)count, sizeof *all->order, compare_orders);
    for (int k = 0; k < count; k++) {
        all->order[k] %= INT32_MAX;
        all->order[k] += all->order[k] < 0 ? INT32_MAX : 0;
    }
    if (all->together)
        carom_groups_distribute(all, count);
#pragma omp parallel for schedule(dynamic, 1)
    for (int k = 0; k < count; k++)
        if (!all->together || all->runner[all->order[k]] == rank)
            run(&all->items[all->order[k]]);
    if (all->together && !carom_groups_exchange(all))
        return false;
        // with the deviations of all groups, also of those that were not run now
#pragma omp parallel for schedule(dynamic, 1)
    for (int g = 0; g < all->count; g++)
        if (all->root[g] == g)
            find_exceeded(&all->items[g]);
    return true;
}

// Repeats rounds until no group stops. *done: all impacts are resolved.
static bool run_rounds(carom_groups *all, bool *done) {
    bool memory = true, gave_up = false, again = true,
         always = all->drift->space->grouping != CAROM_DRIFT_WHERE_IT_PAYS || (all->together && all->together->always);
    double cost = 0;
    for (int round = 0; round < MAX_ROUNDS && memory && !gave_up && again; round++) {
        if (!run_due(all))
            return false;
        int64_t kept = 0, made = 0, largest = 0;
        for (int g = 0; g < all->count; g++) {
            const carom_group *group = &all->items[g];
            memory = memory && (!group->due || group->memory);
            kept += all->root[g] == g ? group->log_count : 0;
            made += group->due ? group->log_count : 0;
            largest = group->due && group->log_count > largest ? group->log_count : largest;
            // events remain if there are too many or an interrupt was requested; one loop reports this
            bool left = group->due && group->space.events.count && group->conflict_node < 0 && !group->impacts.outran;
            gave_up = gave_up || (group->due && (group->gave_up || group->impacts.crossed || left));
        }
        cost += fmax((double)largest, (double)made / (all->together ? carom_parallel_size() : carom_threads()));
        if (all->drift->space->grouping == CAROM_DRIFT_FAULT_IGNORES)
            again = false;
        else if (memory && !gave_up)
            again = prepare_next_round(all);
        bool paid = cost < paying_cost_ratio * (double)kept;
        gave_up = gave_up || (again && !paid && !always);
        if (!always && (gave_up || !again))
            note_payoff(all->drift->space, paid && !gave_up);
    }
    *done = memory && !gave_up && !again;
    return memory;
}

bool carom_groups_run(const carom_drifting *drift, bool *done) {
    carom_groups all = {.drift = drift, .together = drift->interval->together};
    *done = false;
    carom_drift_check_closer(drift);
    bool memory = create(&all);
    // all processes continue, or none
    if (all.together && CAROM_PARALLEL_AGREE(memory ? CAROM_OK : CAROM_NO_MEMORY, NULL))
        memory = false;
    if (memory && all.count) {
        carom_impacts_clear(drift->impacts);
        drift->space->began = true;
        memory = run_rounds(&all, done);
        drift->space->group_runs = (int)all.runs;
        if (*done)
            memory = merge(&all);
        for (int g = 0; g < all.count && !*done; g++)
            if (all.root[g] == g)
                undo(&all.items[g]);
    }
    release(&all);
    return memory;
}
