// SPDX-License-Identifier: MIT
// Thread groups: barriers by spinning, with sleep if cores are shared with other programs.
#include "base/thread_group.h"

#include <omp.h>
#include <stdbool.h>

// Number of times that a waiting thread polls the counter before it sleeps: 100 to 200 us, longer than stages, and than a
// virtual machine interrupts a core. After this time it is probably waiting for a thread without a core.
enum { SPINS = 4000 };

// If the threads of a group have slept more than NAPS_PER_MEMBER times each plus once per STAGES_PER_NAP barriers, cores are
// overloaded, and the next groups are serial: SERIAL_FIRST of them, then twice as many each time, up to SERIAL_MAX, until a
// group sleeps less. A nap costs about 50 us. On 16 cores of a virtual machine, threads sleep at one in a hundred barriers, and
// a group is still four times as fast as one thread; on two cores with other programs they sleep at every barrier.
enum { NAPS_PER_MEMBER = 2, STAGES_PER_NAP = 32, SERIAL_FIRST = 2, SERIAL_MAX = 1024 };

// Number of groups that are still to be serial, and this number after the next overload. Any thread may change them at any
// time: they affect the time of the work, not its result.
static atomic_int serial_left, next_serial = SERIAL_FIRST;

static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void note_overload(const carom_thread_group *group, int size) {
    int naps = atomic_load_explicit(&group->naps, memory_order_relaxed);
    int stages = atomic_load_explicit(&group->stage, memory_order_relaxed);
    if (naps <= (NAPS_PER_MEMBER + stages / STAGES_PER_NAP) * size) {
        atomic_store_explicit(&next_serial, SERIAL_FIRST, memory_order_relaxed);
        return;
    }
    int count = atomic_load_explicit(&next_serial, memory_order_relaxed);
    atomic_store_explicit(&serial_left, count, memory_order_relaxed);
    atomic_store_explicit(&next_serial, 2 * count < SERIAL_MAX ? 2 * count : SERIAL_MAX, memory_order_relaxed);
}

void carom_thread_group_run(void work(const carom_thread_group_member *member, void *data), void *data) {
    int most = omp_get_num_procs(), asked = omp_get_max_threads(), size = 1;
    carom_thread_group group = {.lock = PTHREAD_MUTEX_INITIALIZER, .go = PTHREAD_COND_INITIALIZER};
    if (asked > most)
        asked = most;
    bool alone = asked < 2;
    if (!alone && atomic_load_explicit(&serial_left, memory_order_relaxed) > 0) {
        atomic_fetch_sub_explicit(&serial_left, 1, memory_order_relaxed);
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
    note_overload(&group, size);
    pthread_mutex_destroy(&group.lock);
    pthread_cond_destroy(&group.go);
}

// The counter is read again with the lock held: the last thread to arrive takes the lock after changing it, so that a sleeping
// thread cannot miss the signal.
static void sleep_until(carom_thread_group *group, int stage) {
    atomic_fetch_add_explicit(&group->naps, 1, memory_order_relaxed);
    pthread_mutex_lock(&group->lock);
    atomic_fetch_add(&group->sleepers, 1);
    while (atomic_load(&group->stage) == stage)
        pthread_cond_wait(&group->go, &group->lock);
    atomic_fetch_sub(&group->sleepers, 1);
    pthread_mutex_unlock(&group->lock);
}

// The last thread to arrive resets the count before it releases the others, so that it is 0 at the next barrier. It changes the
// stage before it reads the number of sleepers, and a sleeper is counted before it reads the stage: one of the two sees the
// other.
void carom_thread_group_barrier(const carom_thread_group_member *member) {
    carom_thread_group *group = member->group;
    if (member->size == 1)
        return;
    int stage = atomic_load_explicit(&group->stage, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&group->arrived, 1, memory_order_acq_rel) == member->size - 1) {
        atomic_store_explicit(&group->arrived, 0, memory_order_relaxed);
        // unsigned: the counter may overflow in long runs
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
