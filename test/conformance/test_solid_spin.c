// SPDX-License-Identifier: MIT
// Free bodies of solids that spin and are strained by it: momenta stay to rounding, energy is bounded, its error is of second
// order.
#include "../solids.h"
#include "carom/threads.h"

// Largest energy error over some turns; momenta are checked on the way.
static double spin(const solid_case *c, const char *material, double safety) {
    static const double size[3] = {2, 1, 0.5};
    uint64_t seed = 21;
    solid s;
    carom_body_def *body = solid_start(&s, c, size, (const int[]){6, 3, 2}, material,
                                       (carom_elastic_params){.young = 1, .poisson = 0.3, .density = 1});
    solid_distort(&s, size, c->plane, 0.05, &seed);
    memcpy(body->velocity, VECTOR(0.3, -0.2, c->plane ? 0 : 0.1), sizeof body->velocity);
    memcpy(body->spin, c->plane ? VECTOR(0, 0, 0.3) : VECTOR(0.1, 0.15, 0.3), sizeof body->spin);
    bench_build(&s.b);
    double step = safety * carom_model_stable_step(s.b.model);
    bench_simulate(&s.b, 25, 25 / ceil(25 / step));
    carom_ledger_row start = bench_ledger(&s.b);
    double most = 0, p = carom_norm(start.momentum), l = carom_norm(start.angular_momentum), strained = 0;
    while (!carom_sim_done(s.b.sim)) {
        assert_ok(carom_sim_step(s.b.sim, error));
        carom_ledger_row now = bench_ledger(&s.b);
        most = fmax(most, fabs(now.total - start.total) / start.total);
        strained = fmax(strained, now.internal / start.total);
        for (int i = 0; i < 3; i++) {
            assert_near(now.momentum[i], start.momentum[i], 1e-14 * p);
            assert_near(now.angular_momentum[i], start.angular_momentum[i], 1e-12 * l);
        }
    }
    assert_true(strained > 1e-3);
    bench_end(&s.b);
    return most;
}

static void spinning(void **state) {
    (void)state;
    static const char *const laws[2] = {"st-venant-kirchhoff", "neo-hookean"};
    for (int c = 0; c < SOLID_CASES; c++)
        for (int m = 0; m < 2; m++) {
            double coarse = spin(&solid_cases[c], laws[m], 0.5), fine = spin(&solid_cases[c], laws[m], 0.25);
            double order = log2(coarse / fine);
            if (!(coarse < 1e-3 && order > 1.85 && order < 2.15))
                fail_msg("%s, %s: energy errors %g, %g, order %g", solid_cases[c].name, laws[m], coarse, fine, order);
        }
}

int main(void) {
    carom_set_threads(1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(spinning)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
