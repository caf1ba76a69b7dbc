// SPDX-License-Identifier: MIT
#include "base/crew.h"

#include <omp.h>
#include <sched.h>

// Looks at the counter before a waiting member yields its core: some 20 to 50 us, more than the stages of a crew take. A member
// that waits longer waits for one that has no core.
enum { SPINS = 1000 };

static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

void carom_crew_run(void work(const carom_crew_member *member, void *data), void *data) {
    carom_crew crew = {0};
#pragma omp parallel
    {
        const carom_crew_member member = {&crew, omp_get_thread_num(), omp_get_num_threads()};
        work(&member, data);
    }
}

// The last one to arrive resets the count before it lets the others go, so that the next meeting finds it at 0.
void carom_crew_meet(const carom_crew_member *member) {
    carom_crew *crew = member->crew;
    if (member->size == 1)
        return;
    int stage = atomic_load_explicit(&crew->stage, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&crew->arrived, 1, memory_order_acq_rel) == member->size - 1) {
        atomic_store_explicit(&crew->arrived, 0, memory_order_relaxed);
        // unsigned: a long run may pass the largest number
        atomic_store_explicit(&crew->stage, (int)((unsigned)stage + 1), memory_order_release);
        return;
    }
    for (int spin = 0; atomic_load_explicit(&crew->stage, memory_order_acquire) == stage; spin++) {
        if (spin < SPINS) {
            pause_briefly();
        } else {
            sched_yield();
            spin = SPINS;
        }
    }
}
