// SPDX-License-Identifier: MIT
// The same bits for any number of threads, on a model large enough for all parallel loops to run.
#include "../support.h"
#include "model/model.h"

static const carom_plane_def planes[2] = {
    {.name = "floor", .normal = {0, 0, 1}},
    {.name = "slope", .point = {0, 0, -10}, .normal = {1, 0, 3}},
};

// Long bars: two that collide end to end, one that falls flat on the floor, one that is held and driven; one mass in between.
static void scene(bench *b, int resolve, double restitution) {
    bench_start(b);
    bench_add_bar(b, VECTOR(0, 0, 2), VECTOR(7, 0, 2), 7000, VECTOR(0.5, 0.01, 0), CAROM_BAR_GREEN);
    bench_add_bar(b, VECTOR(7.0005, 0, 2), VECTOR(15.5, 0, 2), 8501, VECTOR(-0.5, 0, 0.02), CAROM_BAR_GREEN);
    bench_add_bar(b, VECTOR(0, 1, 0.00002), VECTOR(2.5, 1, 0.00001), 2503, VECTOR(0.3, 0, -0.01), CAROM_BAR_SMALL);
    bench_add_bar(b, VECTOR(0, 2, 1), VECTOR(4, 3, 1), 4500, VECTOR(0, 0, 0), CAROM_BAR_GREEN);
    bench_add_point(b, VECTOR(15.5002, 0, 2), 0.01, VECTOR(-0.1, 0, 0));
    memcpy(b->def.gravity, VECTOR(0, 0.1, -9.81), sizeof b->def.gravity);
    static const carom_restraint_def restraints[2] = {
        {.where = {.body = "body3", .set = "start", .node = CAROM_AUTO},
         .direction_count = 3,
         .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
         .velocity = {0.3, 0.2, 0}},
        {.where = {.body = "body0", .node = CAROM_AUTO}, .direction_count = 1, .direction = {{0, 0, 1}}},
    };
    b->def.restraints = restraints;
    b->def.restraint_count = 2;
    b->def.contact.planes = planes;
    b->def.contact.plane_count = 2;
    b->def.contact.restitution = restitution;
    b->def.contact.friction = 0.3;
    b->def.contact.resolve = resolve;
    bench_build(b);
    assert_true(carom_model_element_count(b->model) > 20000);
}

typedef struct outcome {
    uint64_t hash;
    carom_ledger_row row;
    int64_t contact_events;
} outcome;

static outcome run(int threads, int resolve, double restitution, int steps) {
    carom_set_threads(threads);
    assert_int_equal(carom_threads(), threads);
    bench b;
    scene(&b, resolve, restitution);
    bench_simulate(&b, steps * 4e-4, 4e-4);
    bench_run(&b);
    const carom_state *state = carom_sim_state(b.sim);
    outcome o;
    memset(&o, 0, sizeof o);
    o.hash = carom_state_hash(state);
    o.row = carom_sim_ledger(b.sim);
    o.contact_events = carom_state_contact_events(state);
    bench_end(&b);
    return o;
}

static void same_bits(int resolve, double restitution) {
    const int threads[] = {1, 2, 3, 8};
    outcome first = run(threads[0], resolve, restitution, 50);
    // something happened: the bars met, and the flat one hit the floor along its length
    assert_true(first.contact_events > 2500);
    assert_true(first.row.friction > 0);
    for (int t = 1; t < 4; t++) {
        outcome o = run(threads[t], resolve, restitution, 50);
        if (o.hash != first.hash)
            fail_msg("%d threads give the hash %016llx, one gives %016llx", threads[t], (unsigned long long)o.hash,
                     (unsigned long long)first.hash);
        assert_memory_equal(&o, &first, sizeof o);
    }
    // and the hash can tell: one step less is another one
    outcome shorter = run(2, resolve, restitution, 49);
    assert_true(shorter.hash != first.hash);
}

static void drift(void **state) {
    (void)state;
    same_bits(CAROM_RESOLVE_EXACT, 0.5);
}

static void plastic(void **state) {
    (void)state;
    same_bits(CAROM_RESOLVE_EXACT, 0);
}

static void projection(void **state) {
    (void)state;
    same_bits(CAROM_RESOLVE_PROJECTION, 0.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drift),
        cmocka_unit_test(plastic),
        cmocka_unit_test(projection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
