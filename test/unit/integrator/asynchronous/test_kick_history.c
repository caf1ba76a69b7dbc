// SPDX-License-Identifier: MIT
// Tests src/integrator/asynchronous/kick_history.c.
// Plastic and viscous bars under kicks of single elements (docs/theory/inelastic.md): energy balance; output does not change
// it.
#include "integrator/asynchronous/kick_history.h"

#include <unistd.h>

#include "../../../flows.h"
#include "integrator/asynchronous/event_loop.h"
#include "model/state/history.h"
#include "sim/sim.h"

static carom_asynchronous_params method;

// Sizes of elements are in the ratio (1 + grading)/(1 - grading).
static void graded_start(bar *s, bool viscous, double grading) {
    bar_start(s, viscous, false);
    carom_pick_of(carom_integrators(), "asynchronous", &method, NULL);
    s->b.def.contact.enabled = false;
    for (int k = 0; k <= ELEMENTS; k++) {
        double u = (double)k / ELEMENTS, x = u + grading * sin(2 * pi * u) / (2 * pi);
        s->b.meshes[0].nodes[k][0] = x;
        s->v[k][0] = 0.06 * cos(pi * x);
    }
}

// The largest residual of all steps, relative to the kinetic energy at the start. Momentum is exact.
static double residual_of(bool viscous, double grading, double beta, double step) {
    bar s;
    graded_start(&s, viscous, grading);
    method.beta = beta;
    bench_simulate_by(&s.b, "asynchronous", &method, 6, step);
    carom_ledger_row row = bench_ledger(&s.b);
    double start = row.kinetic, momentum = row.momentum[0], most = 0;
    while (!carom_sim_done(s.b.sim)) {
        assert_ok(carom_sim_step(s.b.sim, error));
        double before = row.plasticity + row.viscosity;
        row = bench_ledger(&s.b);
        assert_true(row.plasticity + row.viscosity >= before);
        assert_near(row.momentum[0], momentum, 1e-15);
        most = fmax(most, fabs(row.residual));
    }
    assert_true(row.plasticity + row.viscosity > 0.8 * start);
    bar_end(&s);
    return most / start;
}

// With equal steps the method is newmark-dcr, with the same ledger.
static void equal_steps_are_newmark_dcr(void **state) {
    (void)state;
    static const double flows[] = {1.87e-4, 4.50e-5, 1.14e-5}, relaxes[] = {9.87e-4, 2.47e-4, 6.17e-5};
    for (int i = 0; i < 3; i++) {
        assert_near(residual_of(false, 0, 1, 0.016 / (1 << i)) / flows[i], 1, 0.005);
        assert_near(residual_of(true, 0, 1, 0.016 / (1 << i)) / relaxes[i], 1, 0.003);
    }
}

// Elements of sizes 1 to 4 with steps of their own, most of which are not kicked at the time of a row: second order.
static void the_books_of_unequal_steps_close(void **state) {
    (void)state;
    for (int viscous = 0; viscous < 2; viscous++) {
        double last = 0;
        for (int i = 0; i < 3; i++) {
            double now = residual_of(viscous, 0.6, 0.5 / (1 << i), 0.02 / (1 << i));
            assert_true(now < (viscous ? 0.016 : 0.0075) / (1 << 2 * i) * 1.2);
            if (i > 0)
                assert_true(last / now > 3.5 && last / now < 4.5);
            last = now;
        }
    }
}

// Ledger rows advance a copy of the history to their time: kicks are not affected, and a repeated row is the same.
static void rows_change_nothing(void **state) {
    (void)state;
    bar s;
    graded_start(&s, false, 0.6);
    bench_simulate_by(&s.b, "asynchronous", &method, 6, 0.02);
    carom_state *now = s.b.sim->state;
    const carom_block *block = &now->model->blocks[0];
    const double *kicked = carom_state_find_array(now, "history of kicks"), *shown = carom_state_find_array(now, "history");
    // up to a row at which points yield, with larger plastic strain than at their last kicks
    double more = 0;
    while (!(more > 0) && !carom_sim_done(s.b.sim)) {
        assert_ok(carom_sim_step(s.b.sim, error));
        for (int e = 0; e < ELEMENTS; e++) {
            int64_t alpha = carom_block_history(block, e, 0, 1);
            assert_true(shown[alpha] >= kicked[alpha]);
            more += shown[alpha] - kicked[alpha];
        }
    }
    assert_true(more > 0);
    uint64_t hash = carom_state_hash(now);
    block->element->energy(block, 0, ELEMENTS, carom_state_positions(now), (const double(*)[3])now->model->X,
                           now->element_energy);
    carom_ledger_row row = bench_ledger(&s.b);
    s.b.sim->stepper.stale = true;
    assert_ok(carom_sim_synchronize(s.b.sim, error));
    assert_true(carom_state_hash(now) == hash);
    assert_true(bench_ledger(&s.b).plasticity == row.plasticity);
    bar_end(&s);
}

static uint64_t run_to_end(bool viscous, const char *save, const char *load) {
    bar s;
    graded_start(&s, viscous, 0.6);
    bench_simulate_by(&s.b, "asynchronous", &method, 2, 0.02);
    return bar_finish(&s, save, load);
}

// A restart during plastic flow.
static void a_restart_has_the_same_bits(void **state) {
    (void)state;
    for (int viscous = 0; viscous < 2; viscous++) {
        char path[] = "kick_history_XXXXXX";
        int file = mkstemp(path);
        assert_true(file >= 0);
        close(file);
        assert_true(run_to_end(viscous, path, NULL) == run_to_end(viscous, NULL, path));
        remove(path);
    }
}

// A program may set positions before the first step: points yield at once, and the ledger records the energy supplied.
static void a_motion_may_be_set(void **state) {
    (void)state;
    bar s;
    double x[ELEMENTS + 1][3] = {{0}};
    graded_start(&s, false, 0);
    bench_simulate_by(&s.b, "asynchronous", &method, 2, 0.02);
    for (int k = 0; k <= ELEMENTS; k++)
        x[k][0] = 1.2 * carom_state_positions(carom_sim_state(s.b.sim))[k][0];
    assert_ok(carom_sim_set_motion(s.b.sim, (const double(*)[3])x, NULL, error));
    carom_ledger_row row = bench_ledger(&s.b);
    assert_true(row.plasticity > 1e-3);
    assert_near(row.residual, 0, 1e-15);
    bench_run(&s.b);
    assert_near(bench_ledger(&s.b).residual, 0, 2e-6);
    bar_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_steps_are_newmark_dcr), cmocka_unit_test(the_books_of_unequal_steps_close),
        cmocka_unit_test(rows_change_nothing),         cmocka_unit_test(a_restart_has_the_same_bits),
        cmocka_unit_test(a_motion_may_be_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
