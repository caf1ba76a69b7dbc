// SPDX-License-Identifier: MIT
// Coulomb's law of one impact, by all methods that have friction: a body with the tangential velocity vt meets a plane and
// leaves it with vt max(0, 1 - mu P/(m |vt|)), where P is the normal impulse that the method has found. Tables of coefficients,
// angles of approach, directions of sliding, planes and fractions of the step at which the impact happens.
#include "../../collision.h"

static const struct test_case {
    const char *name, *method, *contact;
    double tolerance; // of the tangential velocity, relative to the speed
} cases[] = {
    {"newmark-dcr", "newmark-dcr", "restitution: 0.6", 1e-12},
    {"newmark-dcr, no restitution", "newmark-dcr", "restitution: 0", 1e-12},
    {"newmark-dcr, projection", "newmark-dcr", "restitution: 0.6, resolve: projection", 1e-12},
    {"asynchronous", "asynchronous", "restitution: 0.6", 1e-12},
    {"nonsmooth-newmark", "nonsmooth-newmark", "restitution: 0", 1e-12},
    {"nonsmooth-newmark, end", "{nonsmooth-newmark: {gradients: end}}", "restitution: 0", 1e-12},
    {"nonsmooth-newmark, gap", "{nonsmooth-newmark: {measure: gap}}", "restitution: 0", 1e-12},
    {"nonsmooth-newmark, implicit", "{nonsmooth-newmark: {beta: 0.25}}", "restitution: 0", 1e-12},
    {"energy-momentum", "energy-momentum", "restitution: 1", 1e-12},
};
enum { CASES = sizeof cases / sizeof *cases };

static const double mass = 0.43, step = 0.01;

// A point mass that meets a plane after `steps` steps, with speed 2.3 along the normal and `slide` along the tangent.
static void meet(const struct test_case *t, double mu, double slide, const double n[3], const double tangent[3], double steps,
                 double before[3], double after[3]) {
    char text[1024];
    double at[3];
    for (int i = 0; i < 3; i++) {
        before[i] = slide * tangent[i] - 2.3 * n[i];
        at[i] = -steps * step * before[i];
    }
    snprintf(
        text, sizeof text,
        "integrator: %s\ntime: {end: 0.2, step: %g}\nbodies:\n  - name: mass\n    mesh: {point: {at: [%.17g, %.17g, %.17g]}}\n"
        "    element: {point-mass: {mass: %g}}\n    velocity: [%.17g, %.17g, %.17g]\n"
        "contact: {%s, friction: %g, planes: [{name: wall, normal: [%.17g, %.17g, %.17g]}]}\n",
        t->method, step, at[0], at[1], at[2], mass, before[0], before[1], before[2], t->contact, mu, n[0], n[1], n[2]);
    collision c;
    collision_parse(&c, text);
    double energy = 0.5 * mass * (slide * slide + 2.3 * 2.3), lost = 0;
    while (!carom_sim_done(c.sim)) {
        assert_ok(carom_sim_step(c.sim, error));
        carom_ledger_row row = carom_sim_ledger(c.sim);
        // friction takes energy in every step, and all that is lost is in the ledger
        assert_true(row.friction >= lost - 1e-15 * energy);
        assert_near(row.residual, 0, 1e-13 * energy);
        lost = row.friction;
    }
    carom_copy(carom_state_velocities(carom_sim_state(c.sim))[0], after);
    collision_end(&c);
}

static void one_impact(void **state) {
    (void)state;
    static const double coefficients[] = {0, 0.1, 0.3, 1, 5}, slides[] = {0.01, 0.7, 3, 40}, phases[] = {5.05, 5.5, 5.9};
    static const double normals[][3] = {{0, 0, 1}, {0.6, 0, 0.8}, {0.36, -0.48, 0.8}};
    static const double tangents[][3] = {{0, 1, 0}, {0.8, 0, -0.6}, {0.8, 0.6, 0}};
    for (int i = 0; i < CASES; i++) {
        double worst = 0;
        int sticks = 0;
        for (int k = 0; k < 5 * 4 * 3 * 3; k++) {
            double mu = coefficients[k % 5], slide = slides[k / 5 % 4], before[3], after[3], other[3], tangent[3];
            const double *n = normals[k / 20 % 3], *along = tangents[k / 20 % 3];
            // between the tangent and the one across it
            carom_cross(n, along, other);
            for (int a = 0; a < 3; a++)
                tangent[a] = cos(0.7 * k) * along[a] + sin(0.7 * k) * other[a];
            meet(&cases[i], mu, slide, n, tangent, phases[k / 60], before, after);
            double impulse = carom_dot(n, after) - carom_dot(n, before), expected = fmax(0, slide - mu * impulse), off = 0;
            assert_true(carom_dot(n, after) >= -1e-12 && impulse <= 2 * 2.3 * (1 + 1e-12));
            for (int a = 0; a < 3; a++)
                off = fmax(off, fabs(after[a] - carom_dot(n, after) * n[a] - expected * tangent[a]));
            worst = fmax(worst, off / hypot(slide, 2.3));
            sticks += expected == 0;
        }
        print_message("%s: off by %.2g of the speed, %d of 180 stick\n", cases[i].name, worst, sticks);
        assert_true(sticks > 30 && sticks < 150);
        assert_true(worst <= cases[i].tolerance);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_impact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
