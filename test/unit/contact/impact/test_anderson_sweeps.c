// SPDX-License-Identifier: MIT
// Tests src/contact/impact/anderson_sweeps.c.
// Sweeps that lead each other on reach the solution of a long row in a fraction of the sweeps, stay within the cones of
// friction, and start afresh where they turn back.
#include "../../../support.h"
#include "contact/impact/anderson_sweeps.h"
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
    for (int hastened = 0; hastened < 2; hastened++) {
        carom_swept_contact row[ROW] = {0};
        carom_hastened_contact memory[ROW];
        carom_hastening hastening = {.theta = 1};
        for (int i = 0; i < ROW; i++) {
            row[i].plain.softness = row[i].plain.softest = 2;
            row[i].plain.normal[2] = 1;
            carom_hasten_note(&row[i], &memory[i]);
        }
        for (int s = 0; s < SWEEPS; s++) {
            error[hastened] = sweep(row);
            double more[3];
            carom_hasten_find(row, memory, ROW, &hastening);
            for (int i = 0; hastened && i < ROW; i++)
                carom_hasten_lead(&row[i], &memory[i], hastening.beta, more);
        }
    }
    // plain sweeps lose a factor cos^2(pi/(n + 1)) each: 0.3 of 210 is left
    assert_true(error[0] > 50);
    assert_true(error[1] < 1e-4);
}

static void test_cone(void **state) {
    (void)state;
    carom_swept_contact one = {.plain = {.normal = {0, 0, 1}, .friction = 0.5}, .impulse = 2, .tangential = {0.5, 0, 0}};
    carom_hastened_contact memory;
    double more[3];
    carom_hasten_note(&one, &memory);
    one.impulse = 3, one.tangential[0] = 1.5;
    // the normal impulse goes on to 4; the tangential one would go on to 2.5 and is cut back to 2
    assert_true(carom_hasten_lead(&one, &memory, 1, more));
    assert_true(one.impulse == 4 && one.tangential[0] == 2 && one.tangential[1] == 0);
    assert_true(more[0] == 0.5 && more[1] == 0 && more[2] == 1);
    // a contact that opens does not pull
    one.impulse = 1, one.tangential[0] = 0;
    assert_true(carom_hasten_lead(&one, &memory, 1, more));
    assert_true(one.impulse == 0 && one.tangential[0] == 0 && more[2] == -1);
    // nothing is pushed without a part to repeat
    assert_false(carom_hasten_lead(&one, &memory, 0, more));
}

static void test_fresh_start(void **state) {
    (void)state;
    carom_swept_contact one = {.plain = {.normal = {0, 0, 1}, .softness = 1, .softest = 1}, .impulse = 1};
    carom_hastened_contact memory = {.begun = {0}, .last = {0}};
    carom_hastening hastening = {.theta = 1};
    carom_hasten_find(&one, &memory, 1, &hastening);
    assert_true(hastening.beta == 0 && hastening.theta < 1);
    carom_hasten_find(&one, &memory, 1, &hastening);
    assert_true(hastening.beta > 0 && hastening.beta < 1);
    // the sweep has led from 2 to 1, and the one before it had ended at 0: it turned back
    memory.begun[0] = 2;
    carom_hasten_find(&one, &memory, 1, &hastening);
    assert_true(hastening.beta == 0 && hastening.theta == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_row),
        cmocka_unit_test(test_cone),
        cmocka_unit_test(test_fresh_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
