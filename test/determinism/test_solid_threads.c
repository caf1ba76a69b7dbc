// SPDX-License-Identifier: MIT
// Solids give the same bits for any number of threads, on models large enough for all parallel loops to run.
#include "../solids.h"
#include "carom/threads.h"

// The state after some steps of a model by so many threads.
static uint64_t run(solid *s, double step, int threads, int steps) {
    carom_set_threads(threads);
    bench_simulate(&s->b, step * steps, step);
    bench_run(&s->b);
    uint64_t hash = carom_state_hash(carom_sim_state(s->b.sim));
    carom_sim_release(s->b.sim);
    s->b.sim = NULL;
    return hash;
}

// One model serves all numbers of threads; test_setup_threads.c builds models by several.
static void check(const solid_case *c, const char *material) {
    uint64_t seed = 31;
    static const double size[3] = {1, 1, 1};
    solid s;
    int n = c->plane ? 70 : 18;
    carom_body_def *body = solid_start(&s, c, size, (const int[]){n, n, n}, material,
                                       (carom_elastic_params){.young = 1, .poisson = 0.3, .density = 1});
    solid_distort(&s, size, c->plane, 0.1 / n, &seed);
    memcpy(body->velocity, VECTOR(0.1, 0.2, 0), sizeof body->velocity);
    memcpy(body->spin, VECTOR(0, 0, 1), sizeof body->spin);
    memcpy(s.b.def.gravity, VECTOR(0, -1, 0), sizeof s.b.def.gravity);
    bench_build(&s.b);
    assert_true(s.b.model->element_count > 4096 && s.b.model->node_count > 4096);
    uint64_t one = run(&s, 0.2 / n, 1, 4);
    for (int t = 0; t < 3; t++) {
        int threads = (const int[]){2, 3, 8}[t];
        if (run(&s, 0.2 / n, threads, 4) != one)
            fail_msg("%s, %s: other bits with %d threads", c->name, material, threads);
    }
    assert_true(run(&s, 0.2 / n, 2, 3) != one);
    bench_end(&s.b);
}

static void same_bits(void **state) {
    (void)state;
    for (int c = 0; c < SOLID_CASES; c++)
        // every law of the kernels; one is enough for those without
        for (int m = 0; m < (solid_cases[c].plane ? 1 : ELASTIC_LAWS); m++)
            check(&solid_cases[c], carom_materials()->kinds[m]->name);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
