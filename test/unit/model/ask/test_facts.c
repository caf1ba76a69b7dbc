// SPDX-License-Identifier: MIT
// Tests src/model/ask/facts.c.
// Masses, bounding boxes, inertia and wave speeds against closed forms. Masses are lumped at nodes: a length a of n equal cells
// contributes the moment m a^2/12 (1 + 2/n^2) about its middle.
#include "carom/facts.h"

#include "../../../solids.h"

static const carom_elastic_params law = {.young = 210, .poisson = 0.3, .density = 7.5};

// The moment of inertia of a length a of n cells, over its mass.
static double side(double a, int n) {
    return a * a / 12 * (1 + 2.0 / (n * n));
}

static void test_box(void **state) {
    (void)state;
    const solid_case hex = {"hex8", "hex8", CAROM_HEX8_FULL, false};
    solid s;
    solid_start(&s, &hex, VECTOR(1, 2, 4), (const int[]){4, 5, 6}, "linear", law);
    bench_build(&s.b);
    carom_facts f = carom_model_facts(s.b.model, 0);
    double m = 7.5 * 8, x = side(1, 4), y = side(2, 5), z = side(4, 6);
    assert_int_equal(f.nodes, 5 * 6 * 7);
    assert_int_equal(f.elements, 120);
    assert_true(f.lumped);
    assert_near(f.mass, m, 1e-12 * m);
    for (int i = 0; i < 3; i++) {
        assert_near(f.low[i], 0, 0);
        assert_near(f.high[i], VECTOR(1, 2, 4)[i], 0);
        assert_near(f.center[i], VECTOR(0.5, 1, 2)[i], 1e-14);
    }
    assert_near(f.moments[0], m * (x + y), 1e-11);
    assert_near(f.moments[1], m * (x + z), 1e-11);
    assert_near(f.moments[2], m * (y + z), 1e-11);
    // lambda + 2 mu = E (1 - nu) / ((1 + nu) (1 - 2 nu))
    assert_near(f.longitudinal, sqrt(210 * 0.7 / (1.3 * 0.4) / 7.5), 1e-12);
    assert_near(f.shear, sqrt(210 / 2.6 / 7.5), 1e-12);
    assert_near(f.stable_step, carom_model_stable_step(s.b.model), 0);
    bench_end(&s.b);
}

// A rotated box has the same principal moments.
static void test_turned(void **state) {
    (void)state;
    const solid_case tet = {"tet4", "tet4", 0, false};
    carom_facts f[2];
    for (int k = 0; k < 2; k++) {
        solid s;
        carom_body_def *body = solid_start(&s, &tet, VECTOR(1, 2, 4), (const int[]){3, 3, 3}, "neo-hookean", law);
        carom_placement turn = {
            .scale = {1, 1, 1}, .axis = {1, 2, 3}, .angle = 40 * k, .translate = {5, 0, -7}, .copies = {1, 1, 1}};
        carom_mesh_place((carom_mesh *)body->mesh, &turn, 0);
        bench_build(&s.b);
        f[k] = carom_model_facts(s.b.model, 0);
        bench_end(&s.b);
    }
    for (int i = 0; i < 3; i++)
        assert_near(f[1].moments[i], f[0].moments[i], 1e-11 * f[0].moments[2]);
    assert_true(f[0].moments[0] < f[0].moments[1] && f[0].moments[1] < f[0].moments[2]);
    // of a material without a function for its shear modulus
    assert_near(f[0].shear, sqrt(210 / 2.6 / 7.5), 1e-12);
}

// The moment of a ball is 2/5 m r^2, up to the square of the element size.
static void test_ball(void **state) {
    (void)state;
    double miss[2];
    for (int k = 0; k < 2; k++) {
        bench b;
        bench_start(&b);
        carom_ball_params ball = {.center = {1, 2, 3}, .radius = 2, .divisions = 4 << k, .layers = 2 << k};
        carom_body_def *body = bench_add(&b, "ball", &ball, VECTOR(0, 0, 0));
        carom_hex8_params hex = {.integration = CAROM_HEX8_FULL, .hourglass = 0.1};
        body->element = (carom_pick){carom_catalogue_find(carom_elements(), "hex8"), &hex};
        body->material = (carom_pick){carom_catalogue_find(carom_materials(), "linear"), &law};
        bench_build(&b);
        carom_facts f = carom_model_facts(b.model, 0);
        for (int i = 0; i < 3; i++) {
            assert_near(f.center[i], VECTOR(1, 2, 3)[i], 1e-13);
            assert_near(f.moments[i], f.moments[0], 1e-12 * f.mass);
        }
        miss[k] = fabs(f.moments[0] / (0.4 * f.mass * 4) - 1);
        bench_end(&b);
    }
    assert_true(miss[0] < 0.2 && miss[1] < miss[0] / 3);
}

// Two bodies: masses add up, moments by the parallel axis theorem.
static void test_two_bodies(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(10, 0, 0), 10, VECTOR(0, 0, 0), CAROM_BAR_SMALL);
    bench_add_point(&b, VECTOR(5, 8, 0), 30, VECTOR(0, 0, 0));
    b.materials[0].young = 4;
    bench_build(&b);
    carom_facts bar = carom_model_facts(b.model, 0), point = carom_model_facts(b.model, 1),
                all = carom_model_facts(b.model, -1);
    assert_near(bar.mass, 10, 1e-14);
    assert_near(bar.moments[0], 0, 0);
    assert_near(bar.moments[2], 10 * side(10, 10), 1e-12);
    assert_near(bar.longitudinal, 2, 1e-15);
    assert_true(isnan(point.longitudinal) && isnan(point.shear) && isinf(point.stable_step));
    assert_near(point.moments[2], 0, 0);
    assert_near(all.mass, 40, 1e-14);
    assert_near(all.center[1], 6, 1e-14);
    // reduced mass 10 * 30 / 40 at a distance of 8
    double apart = 7.5 * 64, own = 10 * side(10, 10);
    assert_near(all.moments[0], own, 1e-11);
    assert_near(all.moments[1], apart, 1e-11);
    assert_near(all.moments[2], own + apart, 1e-11);
    assert_near(all.high[1], 8, 0);
    bench_end(&b);
}

// Wave speeds of plane elements.
static void test_plane(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        const solid_case quad = {"quad4", "quad4", k ? CAROM_PLANE_STRESS : CAROM_PLANE_STRAIN, true};
        solid s;
        solid_start(&s, &quad, VECTOR(1, 2, 0), (const int[]){2, 2, 1}, "linear", law);
        bench_build(&s.b);
        carom_facts f = carom_model_facts(s.b.model, 0);
        assert_near(f.longitudinal, sqrt((k ? 210 / 0.91 : 210 * 0.7 / (1.3 * 0.4)) / 7.5), 1e-12);
        bench_end(&s.b);
    }
}

// The shortest cell of three bars is found, with its number and position.
static void test_shortest(void **state) {
    (void)state;
    const solid_case hex = {"hex8", "hex8", CAROM_HEX8_FULL, false};
    solid s;
    carom_body_def *body = solid_start(&s, &hex, VECTOR(8, 1, 1), (const int[]){8, 1, 1}, "linear", law);
    // the cell from x = 5 to x = 6 becomes thin
    for (int k = 0; k < body->mesh->node_count; k++)
        if (body->mesh->nodes[k][0] == 6)
            ((carom_mesh *)body->mesh)->nodes[k][0] = 5.1;
    bench_build(&s.b);
    carom_shortest found = carom_model_shortest(s.b.model);
    assert_int_equal(found.body, 0);
    assert_int_equal(found.element, 5);
    assert_near(found.center[0], 5.05, 1e-14);
    assert_true(found.step > 0 && found.step <= carom_model_stable_step(s.b.model));
    bench_end(&s.b);

    bench b;
    bench_start(&b);
    bench_add_point(&b, VECTOR(0, 0, 0), 1, VECTOR(0, 0, 0));
    bench_build(&b);
    assert_int_equal(carom_model_shortest(b.model).body, -1);
    bench_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box),        cmocka_unit_test(test_turned), cmocka_unit_test(test_ball),
        cmocka_unit_test(test_two_bodies), cmocka_unit_test(test_plane),  cmocka_unit_test(test_shortest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
