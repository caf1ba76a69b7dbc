// SPDX-License-Identifier: MIT
// Tests src/contact/restraint.c.
// Restrained directions of a node: an orthonormal basis of the given directions, and velocities with every prescribed speed.
#include "../../support.h"
#include "contact/restraint.h"
#include "math/vec3.h"

static void random_vector(uint64_t *seed, double size, double v[3]) {
    for (int i = 0; i < 3; i++)
        v[i] = random_real(seed, -size, size);
}

static double determinant(double a[3][3]) {
    double c[3];
    carom_cross(a[0], a[1], c);
    return carom_dot(c, a[2]);
}

static void check_orthonormal(const carom_restraint *r) {
    for (int i = 0; i < r->count; i++)
        for (int j = 0; j <= i; j++)
            assert_near(carom_dot(r->direction[i], r->direction[j]), i == j, 1e-15);
}

// Random independent directions of any length, with random speeds.
static void oblique(void **state) {
    (void)state;
    uint64_t seed = 12;
    for (int trial = 0; trial < 20000; trial++) {
        double d[3][3], speed[3], v[3], change[3];
        do
            for (int i = 0; i < 3; i++) {
                random_vector(&seed, 1, d[i]);
                speed[i] = random_real(&seed, -2, 2);
                carom_normalize(d[i]);
            }
        while (fabs(determinant(d)) < 0.05);

        int count = 1 + trial % 3;
        double length = exp(random_real(&seed, -5, 5));
        carom_restraint r = {.node = 0};
        for (int i = 0; i < count; i++) {
            double scaled[3] = {length * d[i][0], length * d[i][1], length * d[i][2]};
            assert_ok(carom_restraint_add(&r, scaled, speed[i], error));
            assert_int_equal(r.count, i + 1);
        }
        check_orthonormal(&r);

        // the imposed velocity has each prescribed speed, whatever it was before
        random_vector(&seed, 3, v);
        double before[3];
        carom_copy(v, before);
        carom_restraint_impose(&r, v);
        for (int i = 0; i < count; i++)
            assert_near(carom_dot(v, d[i]), speed[i], 2e-14);
        // it changes only along the restrained directions
        carom_difference(v, before, change);
        carom_restraint_project(&r, change);
        assert_true(carom_norm(change) <= 1e-15 * (10 + carom_norm(r.velocity)));

        // the projection removes the components along these directions only
        double p[3], again[3];
        random_vector(&seed, 1, p);
        carom_copy(p, again);
        carom_restraint_project(&r, p);
        for (int i = 0; i < count; i++)
            assert_near(carom_dot(p, d[i]), 0, 1e-14);
        if (count == 3)
            assert_true(carom_norm(p) == 0);
        if (count == 1) {
            carom_add_scaled(-carom_dot(again, d[0]), d[0], again);
            carom_difference(again, p, again);
            assert_true(carom_norm(again) <= 1e-15);
        }
    }
}

// A repeated direction, reversed or longer, changes nothing; nor does one that follows from the others.
static void repeated(void **state) {
    (void)state;
    carom_restraint r = {.node = 3};
    assert_ok(carom_restraint_add(&r, VECTOR(1, 2, 2), 0.6, error));
    carom_restraint once = r;
    assert_ok(carom_restraint_add(&r, VECTOR(1, 2, 2), 0.6, error));
    assert_ok(carom_restraint_add(&r, VECTOR(-3, -6, -6), -0.6, error));
    assert_memory_equal(&r, &once, sizeof r);

    // a combination of two others: the velocity along it is determined already
    assert_ok(carom_restraint_add(&r, VECTOR(0, 1, 0), -0.2, error));
    double along = carom_dot(r.velocity, VECTOR(1, 1, 2)) / sqrt(6);
    carom_restraint twice = r;
    assert_int_equal(r.count, 2);
    assert_ok(carom_restraint_add(&r, VECTOR(1, 1, 2), along, error));
    assert_memory_equal(&r, &twice, sizeof r);
    assert_ok(carom_restraint_add(&r, VECTOR(1, 0, 0), 0, error));
    assert_int_equal(r.count, 3);
    assert_ok(carom_restraint_add(&r, VECTOR(5, -4, 3), carom_dot(r.velocity, VECTOR(5, -4, 3)) / sqrt(50), error));
    assert_int_equal(r.count, 3);
}

// A speed of zero that follows from the others up to rounding is no contradiction.
static void implied_rest(void **state) {
    (void)state;
    uint64_t seed = 8;
    for (int trial = 0; trial < 2000; trial++) {
        carom_restraint r = {.node = 0};
        double v[3], d[3], c[3];
        random_vector(&seed, 1, v);
        for (int i = 0; i < 3; i++)
            assert_ok(carom_restraint_add(&r, VECTOR(i == 0, i == 1, i == 2), v[i], error));
        random_vector(&seed, 1, c);
        carom_cross(v, c, d);
        assert_ok(carom_restraint_add(&r, d, 0, error));
    }
}

static void conflicts(void **state) {
    (void)state;
    carom_restraint r = {.node = 0};
    assert_ok(carom_restraint_add(&r, VECTOR(0, 0, 2), 1, error));
    carom_restraint before = r;
    assert_refused(carom_restraint_add(&r, VECTOR(0, 0, 1), 2, error), CAROM_BAD_INPUT,
                   "restrained twice along (0, 0, 1), with velocities 1 and 2");
    assert_refused(carom_restraint_add(&r, VECTOR(0, 0, -1), 1, error), CAROM_BAD_INPUT, "with velocities -1 and 1");
    assert_refused(carom_restraint_add(&r, VECTOR(0, 0, 1), 0, error), CAROM_BAD_INPUT, "with velocities 1 and 0");
    assert_refused(carom_restraint_add(&r, VECTOR(0, 0, 0), 1, error), CAROM_BAD_INPUT, "a restrained direction is zero");
    assert_refused(carom_restraint_add(&r, VECTOR(0, NAN, 0), 1, error), CAROM_BAD_INPUT, "a restrained direction is zero");
    assert_memory_equal(&r, &before, sizeof r);

    // a combination of two others, with another speed
    assert_ok(carom_restraint_add(&r, VECTOR(0, 1, 0), 1, error));
    assert_refused(carom_restraint_add(&r, VECTOR(0, 3, 4), 1, error), CAROM_BAD_INPUT, "with velocities 1.4 and 1");
}

// Two directions at a small angle: both speeds are satisfied.
static void nearly_parallel(void **state) {
    (void)state;
    for (double angle = 1e-1; angle > 1e-7; angle /= 3) {
        carom_restraint r = {.node = 0};
        double d[3] = {cos(angle), sin(angle), 0}, v[3] = {7, 7, 7};
        assert_ok(carom_restraint_add(&r, VECTOR(1, 0, 0), 0.3, error));
        assert_ok(carom_restraint_add(&r, d, 0.3 * cos(angle) - 0.1 * sin(angle), error));
        assert_int_equal(r.count, 2);
        check_orthonormal(&r);
        carom_restraint_impose(&r, v);
        assert_near(v[0], 0.3, 1e-15);
        assert_near(v[1], -0.1, 1e-15 / angle);
        assert_near(v[2], 7, 1e-15);
    }
}

static void lookup(void **state) {
    (void)state;
    carom_restraint items[2] = {{.node = 1}, {.node = 3}};
    carom_restraints all = {2, items, (int[]){-1, 0, -1, 1}}, none = {0};
    assert_null(carom_restraint_of(NULL, 0));
    assert_null(carom_restraint_of(&none, 2));
    assert_null(carom_restraint_of(&all, 0));
    assert_ptr_equal(carom_restraint_of(&all, 1), &items[0]);
    assert_null(carom_restraint_of(&all, 2));
    assert_ptr_equal(carom_restraint_of(&all, 3), &items[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oblique),   cmocka_unit_test(repeated),        cmocka_unit_test(implied_rest),
        cmocka_unit_test(conflicts), cmocka_unit_test(nearly_parallel), cmocka_unit_test(lookup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
