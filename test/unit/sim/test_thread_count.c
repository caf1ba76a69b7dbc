// SPDX-License-Identifier: MIT
// Tests src/sim/thread_count.c.
//
// The choice of the thread count, with simulated times of steps: a serial part, a parallel part, and a cost of each thread. The
// count must be nearly the fastest one, the search must cost little and adapt to changes, and the run must not be slower than
// with one thread.
#include <math.h>

#include "../../support.h"
#include "sim/thread_count.h"

// The time of a step: serial + parallel / n + price * n seconds on n > 1 threads.
typedef struct machine {
    double serial, parallel, price;
    double noise; // relative, of single steps
    uint64_t random;
} machine;

static double uniform(machine *m) {
    m->random = m->random * 6364136223846793005u + 1442695040888963407u;
    return (double)(m->random >> 11) * 0x1p-53;
}

static double cost(machine *m, int threads) {
    double seconds = m->serial + m->parallel / threads + (threads > 1 ? m->price * threads : 0);
    return seconds * (1 + m->noise * (uniform(m) - 0.5));
}

// The time of `steps` steps, with thread counts chosen by measurement.
static double run(carom_thread_count *tuner, machine *m, int64_t steps) {
    double sum = 0;
    for (int64_t i = 0; i < steps; i++) {
        double seconds = cost(m, carom_thread_count_size(tuner));
        carom_thread_count_note(tuner, seconds);
        sum += seconds;
    }
    return sum;
}

// The least time of a step with any of the counts.
static double best(machine *m, const carom_thread_count *tuner) {
    double least = HUGE_VAL, noise = m->noise;
    m->noise = 0;
    for (int i = 0; i < tuner->size_count; i++)
        least = fmin(least, cost(m, tuner->sizes[i]));
    m->noise = noise;
    return least;
}

static void sizes_are_powers_of_two_and_the_limit(void **state) {
    (void)state;
    carom_thread_count tuner = carom_thread_count_start(12, 100, false);
    static const int expected[] = {1, 2, 4, 8, 12};
    assert_int_equal(tuner.size_count, 5);
    for (int i = 0; i < 5; i++)
        assert_int_equal(tuner.sizes[i], expected[i]);
    assert_int_equal(carom_thread_count_start(1, 1000000, false).sizes[0], 1);
    // a limit above the number of powers in the list: the last count is the limit
    carom_thread_count wide = carom_thread_count_start(1 << 20, 100, false);
    assert_int_equal(wide.sizes[wide.size_count - 1], 1 << 20);
}

static void fixed_thread_count_stays(void **state) {
    (void)state;
    machine m = {.serial = 1e-5, .parallel = 0, .price = 1e-5, .random = 1};
    carom_thread_count tuner = carom_thread_count_start(8, 10, true);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(carom_thread_count_size(&tuner), 8);
        assert_false(carom_thread_count_note(&tuner, cost(&m, 8)));
    }
    assert_float_equal(carom_thread_count_mean(&tuner), 8, 1e-12);
}

// Steps from microseconds to a tenth of a second, high and low thread costs, with and without noise. A larger count that saves
// less than a tenth is not chosen, and the search takes time: the time of the whole run is close to that with the best count,
// and closer if this is one thread.
static void comes_close_to_the_best(void **state) {
    (void)state;
    static const double parallels[] = {2e-6, 5e-5, 1e-3, 1e-1}, serials[] = {0, 0.3, 10}, prices[] = {1e-7, 3e-6, 5e-5},
                        noises[] = {0, 0.3};
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 3; b++)
            for (int c = 0; c < 3; c++)
                for (int d = 0; d < 2; d++) {
                    machine m = {serials[b] * parallels[a], parallels[a], prices[c], noises[d], 7};
                    carom_thread_count tuner = carom_thread_count_start(16, 1000, false);
                    double one = m.serial + m.parallel, least = best(&m, &tuner);
                    int64_t steps = (int64_t)(4 / one) + 200;
                    double mean = run(&tuner, &m, steps) / (double)steps;
                    assert_true(mean < 1.15 * least);
                    assert_true(mean < 1.03 * one);
                }
}

// A large model starts with all threads, and uses fewer if other processes occupy the machine.
static void large_model_begins_on_all(void **state) {
    (void)state;
    machine idle = {.serial = 1e-3, .parallel = 0.1, .price = 1e-5, .random = 3};
    carom_thread_count tuner = carom_thread_count_start(16, 1000000, false);
    assert_int_equal(carom_thread_count_size(&tuner), 16);
    double mean = run(&tuner, &idle, 500) / 500;
    assert_true(mean < 1.06 * best(&idle, &tuner));
    machine busy = {.serial = 1e-3, .parallel = 0.1, .price = 2e-2, .random = 3};
    run(&tuner, &busy, 300);
    mean = run(&tuner, &busy, 500) / 500;
    assert_true(mean < 1.1 * best(&busy, &tuner));
}

// Contact begins and ends: the count adapts in both directions.
static void follows_changes(void **state) {
    (void)state;
    machine flight = {.serial = 1e-5, .parallel = 2e-5, .price = 1e-5, .noise = 0.2, .random = 5},
            pile = {.serial = 1e-4, .parallel = 3e-3, .price = 1e-5, .noise = 0.2, .random = 6};
    carom_thread_count tuner = carom_thread_count_start(16, 1000, false);
    for (int turn = 0; turn < 3; turn++) {
        run(&tuner, &flight, 40000);
        assert_true(run(&tuner, &flight, 10000) < 10000 * 1.05 * best(&flight, &tuner));
        run(&tuner, &pile, 2000);
        assert_true(run(&tuner, &pile, 2000) < 2000 * 1.1 * best(&pile, &tuner));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_powers_of_two_and_the_limit),
        cmocka_unit_test(fixed_thread_count_stays),
        cmocka_unit_test(comes_close_to_the_best),
        cmocka_unit_test(large_model_begins_on_all),
        cmocka_unit_test(follows_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
