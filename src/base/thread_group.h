// SPDX-License-Identifier: MIT
// Threads that work off a sequence of short stages together and meet after each.
//
// A parallel region for every stage wakes its threads by the operating system, some ten microseconds. A crew is one region for
// the whole sequence; between stages its members wait for each other by a counter in memory, well below a microsecond if every
// member has a core of its own. If not, they sleep, and the next crews have one member until some time has passed: short
// stages are slow on cores that others use.
#ifndef CAROM_BASE_THREAD_GROUP_H
#define CAROM_BASE_THREAD_GROUP_H

#include <pthread.h>
#include <stdatomic.h>

// The two counters are apart: members spin on the one while the others count in the other.
typedef struct carom_thread_group {
    _Alignas(64) atomic_int arrived;
    _Alignas(64) atomic_int stage; // changes when all have arrived
    _Alignas(64) atomic_int sleepers;
    atomic_int naps; // how often a member has slept
    pthread_mutex_t lock;
    pthread_cond_t go;
} carom_thread_group;

// One of `size` members of a crew.
typedef struct carom_thread_group_member {
    carom_thread_group *group;
    int rank, size;
} carom_thread_group_member;

// Calls work(member, data) for all members of a crew, one per thread, and returns when all have ended.
void carom_thread_group_run(void work(const carom_thread_group_member *member, void *data), void *data);

// Returns when all members have called it. All that members have written before is visible to all members after.
void carom_thread_group_meet(const carom_thread_group_member *member);

// Where the portion of a member begins, of `count` entries; that of the next one ends it.
static inline int carom_thread_group_first(const carom_thread_group_member *member, int count) {
    return (int)((long long)count * member->rank / member->size);
}

static inline int carom_thread_group_last(const carom_thread_group_member *member, int count) {
    return (int)((long long)count * (member->rank + 1) / member->size);
}

#endif
