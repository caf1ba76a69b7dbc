// SPDX-License-Identifier: MIT
// A group of threads that processes a sequence of short stages with a barrier after each.
//
// With a parallel region for every stage, the operating system wakes its threads, which takes about ten microseconds. A thread
// group is one region for the whole sequence; its barriers use a counter in memory and take well below a microsecond if every
// thread has its own core. If not, threads sleep, and the next groups are serial for some time: short stages are slow on cores
// that other programs use.
#ifndef CAROM_BASE_THREAD_GROUP_H
#define CAROM_BASE_THREAD_GROUP_H

#include <pthread.h>
#include <stdatomic.h>

// `arrived` and `stage` are in different cache lines: threads spin on `stage` while others increment `arrived`.
typedef struct carom_thread_group {
    _Alignas(64) atomic_int arrived;
    _Alignas(64) atomic_int stage; // changes when all have arrived
    _Alignas(64) atomic_int sleepers;
    atomic_int naps; // number of times that a thread has slept
    pthread_mutex_t lock;
    pthread_cond_t go;
} carom_thread_group;

// One of the `size` threads of a group.
typedef struct carom_thread_group_member {
    carom_thread_group *group;
    int rank, size;
} carom_thread_group_member;

// Calls work(member, data) in every thread of a group, and returns when all have ended.
void carom_thread_group_run(void work(const carom_thread_group_member *member, void *data), void *data);

// Barrier: returns when all members have called it. Data written before the call are visible to all members after it.
void carom_thread_group_barrier(const carom_thread_group_member *member);

// The first entry of the portion of a member of `count` entries; carom_thread_group_last is the end of the portion.
static inline int carom_thread_group_first(const carom_thread_group_member *member, int count) {
    return (int)((long long)count * member->rank / member->size);
}

static inline int carom_thread_group_last(const carom_thread_group_member *member, int count) {
    return (int)((long long)count * (member->rank + 1) / member->size);
}

#endif
