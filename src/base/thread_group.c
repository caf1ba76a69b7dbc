// SPDX-License-Identifier: MIT
#include "base/thread_group.h"

#include <omp.h>
#include <stdbool.h>

// Looks at the counter before a waiting member sleeps: some 100 to 200 us, more than the stages of a crew take, and than a
// virtual machine takes a core away for. A member that waits longer waits for one that has no core.
enum { SPINS = 4000 };

// A crew whose members have slept more often than this, each, and at more than one in STAGES_PER_NAP of their meetings, was one
// of too many: the next ones are left out, first a few, then up to LEFT_OUT_MAX in a row as long as it does not get better. A
// nap costs some 50 us. On 16 cores of a virtual machine members nap at one in a hundred meetings, and a crew is still four
// times as fast as one thread; on two cores that others use they nap at every one.
enum { NAPS_PER_MEMBER = 2, STAGES_PER_NAP = 32, LEFT_OUT_FIRST = 2, LEFT_OUT_MAX = 1024 };

// How many crews are still to be left out, and how many the next time. Any thread may change them at any time: they decide
// about the time that work takes, never about its result.
static atomic_int left_out, next_left_out = LEFT_OUT_FIRST;

static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void note_crowd(const carom_thread_group *group, int size) {
    int naps = atomic_load_explicit(&group->naps, memory_order_relaxed);
    int stages = atomic_load_explicit(&group->stage, memory_order_relaxed);
    if (naps <= (NAPS_PER_MEMBER + stages / STAGES_PER_NAP) * size) {
        atomic_store_explicit(&next_left_out, LEFT_OUT_FIRST, memory_order_relaxed);
        return;
    }
    int count = atomic_load_explicit(&next_left_out, memory_order_relaxed);
    atomic_store_explicit(&left_out, count, memory_order_relaxed);
    atomic_store_explicit(&next_left_out, 2 * count < LEFT_OUT_MAX ? 2 * count : LEFT_OUT_MAX, memory_order_relaxed);
}

void carom_thread_group_run(void work(const carom_thread_group_member *member, void *data), void *data) {
    int most = omp_get_num_procs(), asked = omp_get_max_threads(), size = 1;
    carom_thread_group group = {.lock = PTHREAD_MUTEX_INITIALIZER, .go = PTHREAD_COND_INITIALIZER};
    if (asked > most)
        asked = most;
    bool alone = asked < 2;
    if (!alone && atomic_load_explicit(&left_out, memory_order_relaxed) > 0) {
        atomic_fetch_sub_explicit(&left_out, 1, memory_order_relaxed);
        alone = true;
    }
    if (alone) {
        work(&(carom_thread_group_member){&group, 0, 1}, data);
        return;
    }
#pragma omp parallel num_threads(asked)
    {
        const carom_thread_group_member member = {&group, omp_get_thread_num(), omp_get_num_threads()};
        if (member.rank == 0)
            size = member.size;
        work(&member, data);
    }
    note_crowd(&group, size);
    pthread_mutex_destroy(&group.lock);
    pthread_cond_destroy(&group.go);
}

// The counter is looked at once more with the lock held: the last one to arrive takes the lock after changing it, so a sleeper
// cannot miss its call.
static void sleep_until(carom_thread_group *group, int stage) {
    atomic_fetch_add_explicit(&group->naps, 1, memory_order_relaxed);
    pthread_mutex_lock(&group->lock);
    atomic_fetch_add(&group->sleepers, 1);
    while (atomic_load(&group->stage) == stage)
        pthread_cond_wait(&group->go, &group->lock);
    atomic_fetch_sub(&group->sleepers, 1);
    pthread_mutex_unlock(&group->lock);
}

// The last one to arrive resets the count before it lets the others go, so that the next meeting finds it at 0. It changes the
// stage before it asks for sleepers, and a sleeper is counted before it looks at the stage: one of the two sees the other.
void carom_thread_group_meet(const carom_thread_group_member *member) {
    carom_thread_group *group = member->group;
    if (member->size == 1)
        return;
    int stage = atomic_load_explicit(&group->stage, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&group->arrived, 1, memory_order_acq_rel) == member->size - 1) {
        atomic_store_explicit(&group->arrived, 0, memory_order_relaxed);
        // unsigned: a long run may pass the largest number
        atomic_store(&group->stage, (int)((unsigned)stage + 1));
        if (atomic_load(&group->sleepers) > 0) {
            pthread_mutex_lock(&group->lock);
            pthread_cond_broadcast(&group->go);
            pthread_mutex_unlock(&group->lock);
        }
        return;
    }
    for (int spin = 0; spin < SPINS; spin++) {
        if (atomic_load_explicit(&group->stage, memory_order_acquire) != stage)
            return;
        pause_briefly();
    }
    sleep_until(group, stage);
}
