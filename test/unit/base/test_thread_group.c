// SPDX-License-Identifier: MIT
// Tests src/base/thread_group.c.
// The barrier of a thread group: no thread passes before all have reached it, and what was written before it is visible after.
#include "../../support.h"
#include "base/thread_group.h"
#include "carom/threads.h"

enum { MOST_THREADS = 8, STAGES = 500 };

typedef struct board {
    long long written[MOST_THREADS]; // each member writes its own element
    int size;
    atomic_int faults;
} board;

// In every stage each member writes its own element, and reads those of all others after the barrier.
static void work(const carom_thread_group_member *member, void *data) {
    board *r = data;
    if (member->rank == 0)
        r->size = member->size;
    for (int stage = 1; stage <= STAGES; stage++) {
        r->written[member->rank] = 1000LL * stage + member->rank;
        carom_thread_group_barrier(member);
        for (int k = 0; k < member->size; k++)
            if (r->written[k] != 1000LL * stage + k)
                atomic_fetch_add(&r->faults, 1);
        carom_thread_group_barrier(member);
    }
}

static void no_thread_is_ahead(void **state) {
    (void)state;
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
        board r = {0};
        carom_set_threads(threads);
        carom_thread_group_run(work, &r);
        assert_int_equal(atomic_load(&r.faults), 0);
        assert_true(r.size >= 1 && r.size <= threads);
        for (int k = 0; k < r.size; k++)
            assert_true(r.written[k] == 1000LL * STAGES + k);
    }
    carom_set_threads(1);
}

// The shares of the members cover every item exactly once.
static void portions_cover_everything(void **state) {
    (void)state;
    for (int size = 1; size <= MOST_THREADS; size++)
        for (int count = 0; count < 40; count++) {
            int next = 0;
            for (int rank = 0; rank < size; rank++) {
                const carom_thread_group_member member = {NULL, rank, size};
                assert_int_equal(carom_thread_group_first(&member, count), next);
                next = carom_thread_group_last(&member, count);
            }
            assert_int_equal(next, count);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_thread_is_ahead),
        cmocka_unit_test(portions_cover_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
