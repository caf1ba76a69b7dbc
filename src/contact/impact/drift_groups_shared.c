// SPDX-License-Identifier: MIT
// Distributes the groups of impacts of a drift (drift_groups.h) to several processes and exchanges their results
// (docs/theory/parallel.md). Every process has all contacts and nodes; in each round a group is run by one process, on the copy
// of the nodes of this process. Groups that threads of one process run mark the nodes that they own or read, and a group stops
// at the mark of another one with which it conflicts. Marks of other processes are not visible during a round. So each group
// also records these nodes, and after the round all processes receive the results of each group: impulses, flights, positions
// and velocities of the nodes that its impacts hit, its log, and the recorded nodes. If one group owns a node that another owns
// or reads, the two are united and run again. All processes have the same data after the exchange, and continue identically.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/impact/drift_groups_inside.h"
#include "parallel/parallel.h"

// The header of the message of a group; its lists follow.
typedef struct report {
    int group;
    int conflict_node;
    bool gave_up, outran, crossed; // as in carom_group and carom_impacts
    int crossing[2];
    int events;                              // that remain
    int hits, flights, touched, log, marked; // lengths of the lists
    int64_t bytes;                           // of all that follows
} report;

// The data of a node that impacts of a group have hit, from the arrays of the drift.
typedef struct moved {
    int version, rapid;
    double last, deviation, b[3], w[3];
} moved;

// A growing message buffer; start from {0}.
typedef struct stream {
    char *bytes;
    int64_t count, capacity;
    bool failed;
} stream;

static void put(stream *s, const void *bytes, size_t size) {
    if (s->failed || size == 0)
        return;
    if (s->count + (int64_t)size > s->capacity) {
        int64_t larger = 2 * s->capacity + (int64_t)size + 4096;
        char *grown = realloc(s->bytes, (size_t)larger);
        s->failed = !grown;
        if (!grown)
            return;
        s->bytes = grown;
        s->capacity = larger;
    }
    memcpy(s->bytes + s->count, bytes, size);
    s->count += (int64_t)size;
}

static void take(const char **at, void *bytes, size_t size) {
    if (size)
        memcpy(bytes, *at, size);
    *at += size;
}

void carom_groups_distribute(carom_groups *all, int count) {
    int size = carom_parallel_size();
    memset(all->load, 0, (size_t)size * sizeof *all->load);
    for (int k = 0; k < count; k++) {
        int g = (int)all->order[k], least = 0;
        for (int r = 1; r < size; r++)
            least = all->load[r] < all->load[least] ? r : least;
        all->runner[g] = least;
        all->load[least] += all->items[g].start_count;
    }
}

static moved node_of(const carom_drifting *drift, int node) {
    const carom_drift_space *space = drift->space;
    moved m = {space->version[node], space->rapid[node], space->last[node], space->deviation[node], {0}, {0}};
    carom_copy(drift->b[node], m.b);
    carom_copy(drift->w[node], m.w);
    return m;
}

static void set_node(const carom_drifting *drift, int node, const moved *m) {
    carom_drift_space *space = drift->space;
    space->version[node] = m->version;
    space->rapid[node] = m->rapid;
    space->last[node] = m->last;
    space->deviation[node] = m->deviation;
    carom_copy(m->b, drift->set_b[node]);
    carom_copy(m->w, drift->set_w[node]);
}

// The lists of a group that a report contains.
enum { LISTS = 5 };
typedef struct list {
    void **items;
    int64_t *capacity;
    int count;
    size_t size;
} list;

static void find_lists(carom_group *group, const report *r, list lists[LISTS]) {
    carom_impacts *impacts = &group->impacts;
    carom_hits *hits = &impacts->hits;
    const list all[LISTS] = {
        {(void **)&hits->items, &hits->capacity, r->hits, sizeof *hits->items},
        {(void **)&impacts->flights, &impacts->flight_capacity, r->flights, sizeof *impacts->flights},
        {(void **)&impacts->clusters.touched, &impacts->clusters.capacity, r->touched, sizeof(int)},
        {(void **)&group->log, &group->log_capacity, r->log, sizeof *group->log},
        {(void **)&group->marked, &group->marked_capacity, r->marked, sizeof *group->marked},
    };
    memcpy(lists, all, sizeof all);
}

static void write_group(carom_group *group, stream *s) {
    const carom_drifting *drift = group->all->drift;
    const carom_impacts *impacts = &group->impacts;
    report r = {.group = group->number,
                .conflict_node = group->conflict_node,
                .gave_up = group->gave_up,
                .outran = impacts->outran,
                .crossed = impacts->crossed,
                .crossing = {impacts->crossing[0], impacts->crossing[1]},
                .events = group->space.events.count,
                .hits = impacts->hits.count,
                .flights = impacts->flight_count,
                .touched = impacts->clusters.count,
                .log = (int)group->log_count,
                .marked = (int)group->marked_count};
    list lists[LISTS];
    int64_t begin = s->count;
    put(s, &r, sizeof r);
    find_lists(group, &r, lists);
    for (int i = 0; i < LISTS; i++)
        put(s, *lists[i].items, (size_t)lists[i].count * lists[i].size);
    for (int f = 0; f < r.flights; f++) {
        moved m = node_of(drift, impacts->flights[f].node);
        put(s, &m, sizeof m);
    }
    for (int k = 0; k < r.touched; k++)
        put(s, &impacts->clusters.parent[impacts->clusters.touched[k]], sizeof *impacts->clusters.parent);
    s->failed = s->failed || !group->memory || impacts->hits.failed || impacts->clusters.failed;
    r.bytes = s->count - begin - (int64_t)sizeof r;
    if (!s->failed)
        memcpy(s->bytes + begin, &r, sizeof r);
}

// Copies the lists of a group from a message. False if memory is short.
static bool read_lists(carom_group *group, const report *r, const char **at) {
    list lists[LISTS];
    find_lists(group, r, lists);
    for (int i = 0; i < LISTS; i++) {
        size_t bytes = (size_t)lists[i].count * lists[i].size;
        void *items = *lists[i].items;
        if (lists[i].count > *lists[i].capacity) {
            items = realloc(items, bytes);
            if (!items)
                return false;
            *lists[i].items = items;
            *lists[i].capacity = lists[i].count;
        }
        take(at, items, bytes);
    }
    return true;
}

// Applies the changes of nodes by a group of another process.
static void read_nodes(carom_group *group, const report *r, const char **at) {
    const carom_drifting *drift = group->all->drift;
    carom_impacts *impacts = &group->impacts;
    for (int f = 0; f < r->flights; f++) {
        int node = impacts->flights[f].node;
        moved m;
        take(at, &m, sizeof m);
        // impacts do not move obstacles, and several groups may hit one
        if (!carom_groups_is_free(drift, node))
            continue;
        set_node(drift, node, &m);
        impacts->flight_of[node] = 1 + f;
    }
    for (int k = 0; k < r->touched; k++) {
        int node = impacts->clusters.touched[k];
        take(at, &impacts->clusters.parent[node], sizeof *impacts->clusters.parent);
        impacts->clusters.is_touched[node] = true;
    }
}

static bool read_group(carom_groups *all, const report *r, const char **at) {
    carom_group *group = &all->items[r->group];
    carom_impacts *impacts = &group->impacts;
    if (!read_lists(group, r, at))
        return false;
    group->conflict_node = r->conflict_node;
    group->gave_up = r->gave_up;
    group->memory = true;
    impacts->outran = r->outran;
    impacts->crossed = r->crossed;
    memcpy(impacts->crossing, r->crossing, sizeof r->crossing);
    group->space.events.count = r->events;
    impacts->hits.count = r->hits;
    impacts->flight_count = r->flights;
    impacts->clusters.count = r->touched;
    group->log_count = r->log;
    group->marked_count = r->marked;
    read_nodes(group, r, at);
    return true;
}

// Recomputes the marks of all groups, and unites the conflicting ones.
static void renew_marks(carom_groups *all) {
    int nodes = all->drift->space->node_count;
    for (int k = 0; k < nodes; k++) {
        atomic_store_explicit(&all->marks[k], CAROM_MARK_FREE, memory_order_relaxed);
        atomic_store_explicit(&all->noted[k], 0, memory_order_relaxed);
    }
    bool ignores = all->drift->space->grouping == CAROM_DRIFT_FAULT_IGNORES;
    // owners first: readers are compared with them
    for (int owns = 1; owns >= 0; owns--)
        for (int g = 0; g < all->count; g++)
            for (int64_t i = 0; all->root[g] == g && i < all->items[g].marked_count; i++) {
                int node = all->items[g].marked[i] / 2;
                if (all->items[g].marked[i] % 2 != owns)
                    continue;
                int mark = atomic_load_explicit(&all->marks[node], memory_order_relaxed), next = 2 + owns + 2 * g;
                if (mark > CAROM_MARK_READ_BY_MANY && mark % 2 == 1) {
                    if ((mark - 2) / 2 != g && !ignores)
                        carom_groups_unite(all, (mark - 2) / 2, g);
                    continue;
                }
                if (mark != CAROM_MARK_FREE && mark != next)
                    next = CAROM_MARK_READ_BY_MANY;
                atomic_store_explicit(&all->marks[node], next, memory_order_relaxed);
            }
}

bool carom_groups_exchange(carom_groups *all) {
    stream own = {0};
    int rank = carom_parallel_rank();
    for (int g = 0; g < all->count; g++)
        if (all->items[g].due && all->runner[g] == rank)
            write_group(&all->items[g], &own);
    const void *bytes;
    int64_t total;
    bool good = carom_together_join(all->together, own.bytes, own.failed ? -1 : own.count, 1, &bytes, &total);
    free(own.bytes);
    if (!good)
        return false;
    for (const char *at = bytes, *end = at + total; at < end && good;) {
        report r;
        take(&at, &r, sizeof r);
        if (all->runner[r.group] == rank)
            at += r.bytes;
        else
            good = read_group(all, &r, &at);
    }
    // memory may be short in one process alone
    if (CAROM_PARALLEL_AGREE(good ? CAROM_OK : CAROM_NO_MEMORY, NULL))
        return false;
    renew_marks(all);
    return true;
}
