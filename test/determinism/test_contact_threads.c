// SPDX-License-Identifier: MIT
// Collisions of surfaces give the same bits for any number of threads and across a restart: every such scene of the gallery,
// until something has been hit.
#include "../collision.h"
#include "carom/threads.h"

static const struct {
    const char *name, *end;
} scenes[] = {
    {"gallery/cradle_of_balls", "time.end=0.25"},  {"gallery/cubes_corner_to_corner", "time.end=3"},
    {"gallery/cubes_edge_to_edge", "time.end=3"},  {"gallery/dominoes", "time.end=0.3"},
    {"gallery/dropped_part", "time.end=0.45"},     {"gallery/fast_plate", "time.end=0.0008"},
    {"gallery/folding_strip", "time.end=24"},      {"gallery/pile", "time.end=0.25"},
    {"verify/spinning_collision", "time.end=2.5"}, {"verify/units_si", "time.end=1.5e-5"},
};

// The hash at the end; with a file, saved half-way and gone on with in a new simulation.
static uint64_t run(int scene, int threads, const char *file) {
    carom_set_threads(threads);
    collision c;
    collision_load(&c, scenes[scene].name, (const char *const[]){scenes[scene].end, NULL});
    int64_t steps = carom_sim_step_count(c.sim);
    while (!carom_sim_done(c.sim)) {
        assert_ok(carom_sim_step(c.sim, error));
        if (file && carom_state_step(carom_sim_state(c.sim)) == steps * 3 / 4) {
            assert_ok(carom_sim_save(c.sim, file, error));
            carom_sim_release(c.sim);
            collision_simulate(&c);
            assert_ok(carom_sim_load(c.sim, file, error));
        }
    }
    assert_true(carom_state_contact_events(carom_sim_state(c.sim)) > 0);
    uint64_t hash = carom_state_hash(carom_sim_state(c.sim));
    collision_end(&c);
    return hash;
}

static void same_bits(void **state) {
    (void)state;
    for (int s = 0; s < (int)(sizeof scenes / sizeof *scenes); s++) {
        uint64_t one = run(s, 1, NULL);
        for (int t = 0; t < 3; t++)
            if (run(s, (const int[]){2, 3, 8}[t], NULL) != one)
                fail_msg("%s: other bits with %d threads", scenes[s].name, (const int[]){2, 3, 8}[t]);
        if (run(s, 2, "contact_threads.carom") != one)
            fail_msg("%s: other bits across a restart", scenes[s].name);
    }
    remove("contact_threads.carom");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
