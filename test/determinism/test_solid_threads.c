// SPDX-License-Identifier: MIT
// Solids give the same bits for any number of threads, on models large enough for all parallel loops to run.
#include "../solids.h"
#include "carom/threads.h"

static uint64_t run(const solid_case *c, const char *material, int threads, int steps) {
    uint64_t seed = 31;
    static const double size[3] = {1, 1, 1};
    carom_set_threads(threads);
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
    double step = 0.2 / n;
    bench_simulate(&s.b, step * steps, step);
    bench_run(&s.b);
    uint64_t hash = carom_state_hash(carom_sim_state(s.b.sim));
    bench_end(&s.b);
    return hash;
}

static void same_bits(void **state) {
    (void)state;
    for (int c = 0; c < SOLID_CASES; c++)
        for (int m = 0; m < ELASTIC_LAWS; m++) {
            // every law of the kernels; one is enough for those without
            if (solid_cases[c].plane && m > 0)
                continue;
            const char *material = carom_materials()->kinds[m]->name;
            uint64_t one = run(&solid_cases[c], material, 1, 4);
            for (int t = 0; t < 3; t++)
                if (run(&solid_cases[c], material, (const int[]){2, 3, 8}[t], 4) != one)
                    fail_msg("%s, %s: other bits with %d threads", solid_cases[c].name, material, (const int[]){2, 3, 8}[t]);
            assert_true(run(&solid_cases[c], material, 2, 3) != one);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
