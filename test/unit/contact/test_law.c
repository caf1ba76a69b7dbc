// SPDX-License-Identifier: MIT
// Tests src/contact/law.c, src/contact/cone.h.
//
// Contact laws: the speed-dependent coefficient of friction against the exponential of the C library, the friction cone against
// its definition.
#include "../../support.h"
#include "contact/cone.h"
#include "contact/law.h"

static void coefficients(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 1000; i++) {
        double at_rest = random_real(&seed, 0.1, 2);
        carom_contact_law law = {
            .friction = at_rest, .kinetic = random_real(&seed, 0, 1) * at_rest, .decay = random_real(&seed, 0.01, 10)};
        double v = random_real(&seed, 0, 5), mu = law.kinetic + (at_rest - law.kinetic) * exp(-law.decay * v);
        assert_true(carom_contact_law_varies(&law));
        assert_near(carom_contact_law_friction(&law, v), mu, 1e-15 * at_rest);
        assert_near(carom_contact_law_friction(&law, 0), at_rest, 1e-15 * at_rest);
        assert_near(carom_contact_law_friction(&law, 1e300), law.kinetic, 0);
        // without decay the coefficient does not depend on the speed
        law.decay = 0;
        assert_false(carom_contact_law_varies(&law));
        assert_true(carom_contact_law_friction(&law, v) == at_rest);
    }
}

// Only the tangential part of the relative velocity counts.
static void slip_speed(void **state) {
    (void)state;
    const carom_contact_law law = {.friction = 0.8, .kinetic = 0.2, .decay = 0.7};
    const carom_contact contact = {.count = 2, .node = {0, 1}, .weight = {-1, 1}, .normal = {0, 0, 1}};
    const double v[2][3] = {{1, 0, 5}, {4, 4, -7}};
    assert_near(carom_contact_friction(&law, &contact, v), 0.2 + 0.6 * exp(-0.7 * 5), 1e-15);
}

static void cone(void **state) {
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < 1000; i++) {
        double T[3], cut[3], limit = random_real(&seed, 0, 2);
        for (int k = 0; k < 3; k++)
            cut[k] = T[k] = random_real(&seed, -1, 1);
        carom_cone_cut(cut, limit);
        assert_near(carom_norm(cut), fmin(carom_norm(T), limit), 1e-15);
        assert_near(carom_dot(cut, T), carom_norm(cut) * carom_norm(T), 1e-15);
        // inside the cone the factor is exactly 1
        assert_true(carom_cone_factor(carom_norm(T), limit) == (carom_norm(T) > limit ? limit / carom_norm(T) : 1));
        assert_near(carom_cone_slack(carom_norm(T), limit), limit * limit - carom_dot(T, T), 1e-14);
        assert_int_equal(carom_cone_slips(carom_norm(cut), limit, 1e-12), carom_norm(T) >= limit);
        assert_false(carom_cone_slips(carom_norm(cut), limit * (1 + 1e-9) + 1e-300, 1e-12));
        // an impulse at an instant dissipates the loss of kinetic energy
        double speed = random_real(&seed, 0, 1), softness = random_real(&seed, 0.5, 3), size = fmin(speed / softness, limit);
        double left = speed - softness * size;
        carom_cone_rubbing rubbing = carom_cone_rub(speed, speed, softness, limit);
        assert_near(rubbing.size, size, 1e-15);
        assert_near(rubbing.work, 0.5 * (speed * speed - left * left) / softness, 1e-15);
        assert_int_equal(rubbing.slips, speed / softness > limit);
        // with a smaller mean speed it does not add energy either
        assert_true(carom_cone_rub(speed, random_real(&seed, 0, 1) * speed, softness, limit).work >= -1e-16);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(coefficients), cmocka_unit_test(slip_speed), cmocka_unit_test(cone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
