// SPDX-License-Identifier: MIT
// Tests src/contact/impact/nesterov_sweeps.c.
// Gauss-Seidel sweeps with Nesterov's extrapolation converge for a long row in a fraction of the sweeps, keep impulses within
// the friction cones, and restart if an extrapolation has the wrong direction.
#include "../../../support.h"
#include "contact/impact/nesterov_sweeps.h"
#include "math/vec3.h"

enum { ROW = 40, SWEEPS = 200 };

// One Gauss-Seidel sweep for a row of bodies of unit mass that press each other by their weight, 2 P_i - P_i-1 - P_i+1 = 1 with
// P_i >= 0 in units of the softness. Returns the largest error against the exact solution i (n + 1 - i)/2.
static double sweep(carom_swept_contact *row) {
    double error = 0;
    for (int i = 0; i < ROW; i++) {
        double before = i > 0 ? row[i - 1].impulse : 0, after = i + 1 < ROW ? row[i + 1].impulse : 0;
        row[i].impulse = fmax(0, 0.5 * (1 + before + after));
    }
    for (int i = 0; i < ROW; i++)
        error = fmax(error, fabs(row[i].impulse - 0.5 * (i + 1) * (ROW - i)));
    return error;
}

static void test_long_row(void **state) {
    (void)state;
    double error[2] = {0};
    for (int accelerated = 0; accelerated < 2; accelerated++) {
        carom_swept_contact row[ROW] = {0};
        carom_nesterov_contact memory[ROW];
        carom_nesterov_state nesterov = {.theta = 1};
        for (int i = 0; i < ROW; i++) {
            row[i].plain.softness = row[i].plain.softest = 2;
            row[i].plain.normal[2] = 1;
            carom_nesterov_start(&row[i], &memory[i]);
        }
        for (int s = 0; s < SWEEPS; s++) {
            error[accelerated] = sweep(row);
            double more[3];
            carom_nesterov_update(row, memory, ROW, &nesterov);
            for (int i = 0; accelerated && i < ROW; i++)
                carom_nesterov_extrapolate(&row[i], &memory[i], nesterov.beta, more);
        }
    }
    // plain sweeps lose a factor cos^2(pi/(n + 1)) each: 0.3 of 210 is left
    assert_true(error[0] > 50);
    assert_true(error[1] < 1e-4);
}

static void test_cone(void **state) {
    (void)state;
    carom_swept_contact one = {.plain = {.normal = {0, 0, 1}, .friction = 0.5}, .impulse = 2, .tangential = {0.5, 0, 0}};
    carom_nesterov_contact memory;
    double more[3];
    carom_nesterov_start(&one, &memory);
    one.impulse = 3, one.tangential[0] = 1.5;
    // the normal impulse is extrapolated to 4; the tangential one, 2.5 by extrapolation, is reduced to the cone, 2
    assert_true(carom_nesterov_extrapolate(&one, &memory, 1, more));
    assert_true(one.impulse == 4 && one.tangential[0] == 2 && one.tangential[1] == 0);
    assert_true(more[0] == 0.5 && more[1] == 0 && more[2] == 1);
    // an extrapolation to tension is cut off at 0
    one.impulse = 1, one.tangential[0] = 0;
    assert_true(carom_nesterov_extrapolate(&one, &memory, 1, more));
    assert_true(one.impulse == 0 && one.tangential[0] == 0 && more[2] == -1);
    // with beta = 0 there is no extrapolation
    assert_false(carom_nesterov_extrapolate(&one, &memory, 0, more));
}

static void test_fresh_start(void **state) {
    (void)state;
    carom_swept_contact one = {.plain = {.normal = {0, 0, 1}, .softness = 1, .softest = 1}, .impulse = 1};
    carom_nesterov_contact memory = {.sweep_start = {0}, .last = {0}};
    carom_nesterov_state nesterov = {.theta = 1};
    carom_nesterov_update(&one, &memory, 1, &nesterov);
    assert_true(nesterov.beta == 0 && nesterov.theta < 1);
    carom_nesterov_update(&one, &memory, 1, &nesterov);
    assert_true(nesterov.beta > 0 && nesterov.beta < 1);
    // the sweep changed the impulse from 2 to 1, opposite to the extrapolation from 0 to 2: restart
    memory.sweep_start[0] = 2;
    carom_nesterov_update(&one, &memory, 1, &nesterov);
    assert_true(nesterov.beta == 0 && nesterov.theta == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_row),
        cmocka_unit_test(test_cone),
        cmocka_unit_test(test_fresh_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
