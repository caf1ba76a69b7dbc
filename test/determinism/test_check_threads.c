// SPDX-License-Identifier: MIT
// A body that is followed: batches of elements are examined at the same kicks for any number of threads and after a restart, on
// a model large enough for all parallel loops to run.
#include "../solids.h"
#include "carom/threads.h"
#include "model/state.h"
#include "sim/sim.h"

enum { STEPS = 60, MIDDLE = 23 };
static const char path[] = "check_threads.carom";

// A block of bricks that falls onto a floor. What is known of its looks is hashed with the rest.
static void begin(solid *s) {
    static const carom_plane_def floor = {.name = "floor", .normal = {0, 1, 0}, .point = {0, -0.1, 0}};
    static const double size[3] = {1, 1, 1};
    uint64_t seed = 5;
    int n = 17;
    carom_body_def *body = solid_start(s, &solid_cases[5], size, (const int[]){n, n, n}, "neo-hookean",
                                       (carom_elastic_params){.young = 1, .poisson = 0.3, .density = 1});
    solid_distort(s, size, false, 0.1 / n, &seed);
    memcpy(body->velocity, VECTOR(0.05, -0.2, 0), sizeof body->velocity);
    memcpy(body->spin, VECTOR(0, 0, 0.3), sizeof body->spin);
    s->b.def.contact.enabled = true;
    s->b.def.contact.plane_count = 1;
    s->b.def.contact.planes = &floor;
    bench_build(&s->b);
    assert_true(s->b.model->element_count > 4096 && s->b.model->node_count > 4096);
    carom_time_def time = carom_default_time_def();
    time.follow = CAROM_FOLLOW_ON;
    time.step = 0.5 / n;
    time.end = STEPS * time.step;
    carom_pick newmark = {carom_catalogue_find(carom_integrators(), "newmark-dcr"), NULL};
    assert_ok(carom_sim_create(s->b.model, newmark, &time, &s->b.sim, error));
}

static void advance(solid *s, int steps) {
    for (int i = 0; i < steps; i++)
        assert_ok(carom_sim_step(s->b.sim, error));
}

typedef struct mark {
    uint64_t hash;
    double looks; // the sum of the kicks at which batches are due
} mark;

static mark mark_of(const solid *s) {
    const carom_state *state = s->b.sim->state;
    mark m = {carom_state_hash(state), 0};
    for (int a = 0; a < state->array_count; a++)
        for (int64_t i = 0; strcmp(state->arrays[a].name, "examinations due") == 0 && i < state->arrays[a].count; i++)
            m.looks += (double)(i % 97 + 1) * state->arrays[a].values[i];
    return m;
}

static void same_checks(void **unused) {
    (void)unused;
    mark one = {0};
    for (int t = 0; t < 4; t++) {
        int threads = (const int[]){1, 2, 3, 8}[t];
        solid s;
        carom_set_threads(threads);
        begin(&s);
        advance(&s, MIDDLE);
        assert_ok(carom_sim_save(s.b.sim, path, error));
        advance(&s, STEPS - MIDDLE);
        mark end = mark_of(&s);
        bench_end(&s.b);
        one = t ? one : end;
        assert_true(end.hash == one.hash && end.looks == one.looks && end.looks > 0);

        // into one that has gone elsewhere
        begin(&s);
        advance(&s, 3 * t);
        assert_ok(carom_sim_load(s.b.sim, path, error));
        advance(&s, STEPS - MIDDLE);
        end = mark_of(&s);
        bench_end(&s.b);
        assert_true(end.hash == one.hash && end.looks == one.looks);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_checks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
