// SPDX-License-Identifier: MIT
// Cirak & West, section 5.1: two point masses, closed form (54) and its extension to any restitution.
#include "../support.h"

static void closed_form(void **state) {
    (void)state;
    const double restitutions[3] = {0, 0.5, 1};
    uint64_t seed = 5;
    for (int trial = 0; trial < 300; trial++) {
        double e = restitutions[trial % 3], mA = exp(random_real(&seed, -3, 3)), mB = exp(random_real(&seed, -3, 3));
        double vA = random_real(&seed, 0.5, 2), vB = random_real(&seed, -2, 0.4), gap = random_real(&seed, 0.01, 0.4);
        bench b;
        bench_start(&b);
        b.def.contact.restitution = e;
        b.def.contact.resolve = trial % 2;
        bench_add_point(&b, VECTOR(-gap, 0, 0), mA, VECTOR(vA, 0, 0));
        bench_add_point(&b, VECTOR(0, 0, 0), mB, VECTOR(vB, 0, 0));
        bench_simulate(&b, 5, 0.1);
        double start = bench_ledger(&b).kinetic;
        bench_run(&b);

        // p+ = p - (1 + e) p_norm with p_norm = (mB pA - mA pB)/(mA + mB) (1, -1)
        double p_norm = (mB * mA * vA - mA * mB * vB) / (mA + mB);
        const double(*v)[3] = carom_state_velocities(carom_sim_state(b.sim));
        double scale = fabs(vA) + fabs(vB) + (1 + e) * p_norm * (1 / mA + 1 / mB);
        assert_near(v[0][0], vA - (1 + e) * p_norm / mA, 1e-14 * scale);
        assert_near(v[1][0], vB + (1 + e) * p_norm / mB, 1e-14 * scale);
        carom_ledger_row row = bench_ledger(&b);
        assert_near(row.residual, 0, 1e-14 * start);
        assert_near(row.restitution, 0.5 * (1 - e * e) * p_norm * p_norm * (1 / mA + 1 / mB), 1e-14 * start);
        bench_end(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_form)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
