// SPDX-License-Identifier: MIT
// Tests src/integrator/asynchronous/ticks.c.
// The contact clock of the asynchronous integrator (common time steps of elements near contact): contact as by newmark-dcr,
// elements that join and leave it, energy balance of loads and driven ends.
#include "../../../support.h"
#include "integrator/asynchronous/ticks.h"
#include "model/state/accounts.h"

static const carom_hex8_params hex8 = {.integration = CAROM_HEX8_FULL, .hourglass = 0.1};
static const carom_elastic_params law = {.young = 1, .poisson = 0.2, .density = 1};

// Two blocks of bricks on a line, the second with one more cell across, a gap between them. With a spin, corners and edges meet
// one after another.
static void blocks_start(bench *b, double grading, double speed, double spin) {
    bench_start(b);
    for (int i = 0; i < 2; i++) {
        carom_box_params box = {.from = {i ? 0.001 : -2, 0, 0.03 * i},
                                .to = {i ? 2 : -0.001, 1, 1 + 0.03 * i},
                                .elements = {4, 2 + i, 2 + i},
                                .refine = i ? CAROM_REFINE_FROM : CAROM_REFINE_TO,
                                .grading = {grading, 1, 1}};
        carom_body_def *body = bench_add(b, "box", &box, VECTOR(i ? -speed : speed, i ? 0.02 : 0, 0));
        body->element = (carom_pick){carom_catalogue_find(carom_elements(), "hex8"), &hex8};
        body->material = (carom_pick){carom_catalogue_find(carom_materials(), "st-venant-kirchhoff"), &law};
        body->spin[0] = 0.3 * spin * i, body->spin[1] = 1.1 * spin * i, body->spin[2] = spin * i;
    }
}

// With equal steps of all elements the integrator is newmark-dcr, contact included, up to the accuracy of the solution of
// resting contact. Bounces differ, since newmark-dcr runs a drift with bounces twice.
static void equal_steps(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        bench a, b;
        blocks_start(&a, 1, 0.1, 0.03);
        blocks_start(&b, 1, 0.1, 0.03);
        a.def.contact.friction = b.def.contact.friction = i ? 0.3 : 0;
        carom_asynchronous_params p = {1, 0, CAROM_ASYNCHRONOUS_EXACT, 0.5, true};
        bench_simulate_by(&a, "asynchronous", &p, 2, 0.05);
        bench_simulate_by(&b, "newmark-dcr", NULL, 2, 0.05);
        bench_run(&a);
        bench_run(&b);
        carom_ledger_row one = bench_ledger(&a), other = bench_ledger(&b);
        assert_true(carom_state_contact_events(carom_sim_state(b.sim)) > 20);
        for (int k = 0; k < carom_model_node_count(a.model); k++)
            for (int d = 0; d < 3; d++)
                assert_near(carom_state_positions(carom_sim_state(a.sim))[k][d],
                            carom_state_positions(carom_sim_state(b.sim))[k][d], 1e-6);
        // newmark-dcr corrects the losses of plastic impacts afterwards
        const carom_books *books = &carom_sim_state(b.sim)->books;
        assert_near(one.restitution,
                    carom_accounts_value(&books->booked).restitution - carom_accounts_value(&books->pending).restitution,
                    1e-6 * other.total);
        assert_near(one.friction, other.friction, 1e-6 * other.total);
        assert_near(one.total, other.total, 1e-6 * other.total);
        bench_end(&a);
        bench_end(&b);
    }
}

// Elements join the clock before their bodies touch and leave it after they have separated; momentum is not affected, and the
// energy balance holds.
static void come_and_go(void **state) {
    (void)state;
    for (int elastic = 0; elastic < 2; elastic++) {
        bench b;
        blocks_start(&b, 1.6, 0.05, 0);
        b.def.contact.restitution = elastic;
        carom_asynchronous_params p = {0.1, 8, CAROM_ASYNCHRONOUS_EXACT, 0.5, true};
        bench_simulate_by(&b, "asynchronous", &p, 12, 0.1);
        const double *away = carom_state_find_array(carom_sim_state(b.sim), "on the clock");
        assert_non_null(away);
        int elements = carom_model_element_count(b.model), most = 0, last = 0;
        carom_ledger_row start = bench_ledger(&b);
        double drift = 0, residual = 0;
        while (!carom_sim_done(b.sim)) {
            assert_ok(carom_sim_step(b.sim, error));
            carom_ledger_row row = bench_ledger(&b);
            for (int d = 0; d < 3; d++) {
                drift = fmax(drift, fabs(row.momentum[d] - start.momentum[d]));
                drift = fmax(drift, fabs(row.angular_momentum[d] - start.angular_momentum[d]));
            }
            residual = fmax(residual, fabs(row.residual));
            last = 0;
            for (int i = 0; i < elements; i++)
                last += away[i] > 0;
            most = last > most ? last : most;
        }
        // at least the cells on both sides of the gap, at most half of all
        assert_true(most >= 4 + 9 && most < elements / 2);
        assert_int_equal(last, 0);
        assert_true(carom_state_contact_events(carom_sim_state(b.sim)) > 100);
        assert_true(drift < 1e-13);
        assert_true(residual < 1e-3 * start.total);
        bench_end(&b);
    }
}

// A bar of elements of equal length between two walls, restitution 1, and gravity towards one of them.
static void bouncing_bar_start(bench *b, carom_plane_def walls[2], const carom_asynchronous_params *p, double step) {
    bench_start(b);
    bench_add_bar(b, VECTOR(0, 0, 0), VECTOR(1, 0, 0), 4, VECTOR(0.3, 0, 0), CAROM_BAR_SMALL);
    walls[0] = (carom_plane_def){.name = "left", .point = {-0.3, 0, 0}, .normal = {1, 0, 0}};
    walls[1] = (carom_plane_def){.name = "right", .point = {1.3, 0, 0}, .normal = {-1, 0, 0}};
    b->def.contact.planes = walls;
    b->def.contact.plane_count = 2;
    b->def.contact.restitution = 1;
    b->def.gravity[0] = -0.3;
    bench_simulate_by(b, "asynchronous", p, 120, step);
}

// Energy is conserved over many bounces, for any ratio of the step of the run to those of the elements: the residual is the
// open account of bar and wall, up to amounts that count as rounding. A restart while the account is open continues with the
// same bits.
static void many_bounces(void **state) {
    (void)state;
    const char *path = "bounces.checkpoint";
    int restarts = 0;
    for (int i = 0; i < 6; i++) {
        carom_asynchronous_params p = {i % 2 ? 0.5 : 0.25, i < 2 ? 0 : 8, CAROM_ASYNCHRONOUS_EXACT, 0.5, true};
        double step = (double[]){0.11, 0.17, 0.2}[i / 2], worst = 0, largest = 0;
        bench whole, second;
        carom_plane_def walls[2], others[2];
        bouncing_bar_start(&whole, walls, &p, step);
        carom_ledger_row start = bench_ledger(&whole);
        bool saved = false;
        while (!carom_sim_done(whole.sim)) {
            assert_ok(carom_sim_step(whole.sim, error));
            carom_ledger_row row = bench_ledger(&whole);
            worst = fmax(worst, fabs(row.residual - row.account));
            largest = fmax(largest, fabs(row.residual));
            if (!saved && row.time > 20 && fabs(row.account) > 1e-9 * start.total) {
                assert_ok(carom_sim_save(whole.sim, path, error));
                saved = true;
            }
        }
        assert_true(carom_state_contact_events(carom_sim_state(whole.sim)) > 40);
        assert_true(worst < 1e-9 * start.total);
        assert_true(largest < 0.03 * start.total);
        if (saved) {
            restarts++;
            bouncing_bar_start(&second, others, &p, step);
            assert_ok(carom_sim_load(second.sim, path, error));
            bench_run(&second);
            assert_true(carom_state_hash(carom_sim_state(whole.sim)) == carom_state_hash(carom_sim_state(second.sim)));
            remove(path);
            bench_end(&second);
        }
        bench_end(&whole);
    }
    assert_true(restarts > 1);
}

// A run that starts at rest under a load is not reported as growth of energy, although drift velocities are half a kick ahead.
static void fall_from_rest(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(1, 0, 0), 4, VECTOR(0, 0, 0), CAROM_BAR_SMALL);
    b.def.gravity[0] = -1;
    carom_asynchronous_params p = {0.5, 8, CAROM_ASYNCHRONOUS_EXACT, 0.5, true};
    bench_simulate_by(&b, "asynchronous", &p, 1, 0.125);
    bench_run(&b);
    assert_true(carom_state_events(carom_sim_state(b.sim), CAROM_EVENT_ENERGY_GROWTH) == 0);
    assert_near(carom_state_positions(carom_sim_state(b.sim))[0][0], -0.5, 1e-12);
    bench_end(&b);
}

// A block on a floor under a slowly growing load. Returns the residual at the end.
static double press(double beta) {
    bench b;
    bench_start(&b);
    carom_box_params box = {.to = {1, 1, 1}, .elements = {2, 2, 3}, .grading = {1, 1, 1.3}};
    carom_body_def *body = bench_add(&b, "box", &box, VECTOR(0, 0, 0));
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "hex8"), &hex8};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), "st-venant-kirchhoff"), &law};
    carom_plane_def floor = {.name = "floor", .normal = {0, 0, 1}};
    carom_load_def load = {
        .where = {.body = "body0", .set = "zmax", .node = CAROM_AUTO}, .force = {0, 0, -0.05}, .schedule = {.ramp = 40}};
    b.def.contact.plane_count = 1;
    b.def.contact.planes = &floor;
    b.def.loads = &load;
    b.def.load_count = 1;
    carom_asynchronous_params p = {beta, 8, CAROM_ASYNCHRONOUS_EXACT, 0.5, true};
    bench_simulate_by(&b, "asynchronous", &p, 80, 0.2);
    bench_run(&b);
    carom_ledger_row row = bench_ledger(&b);
    assert_true(row.internal > 1e-3);
    bench_end(&b);
    return fabs(row.residual) / row.internal;
}

// At rest a load does no work, although kicks of elements and loads alternate; the work until then is recorded to second order.
static void load_at_rest(void **state) {
    (void)state;
    double coarse = press(0.1), fine = press(0.05);
    assert_true(coarse < 1e-3);
    assert_true(fine < 0.3 * coarse);
}

// One end of a block is driven back and forth: the work of the prescribed motion explains the energy.
static void driven_to_and_fro(void **state) {
    (void)state;
    double points[16][2];
    for (int i = 0; i < 16; i++) {
        points[i][0] = 0.4 * i;
        points[i][1] = i % 2 ? -1 : 1;
    }
    bench b;
    bench_start(&b);
    carom_box_params box = {.to = {1, 1, 1}, .elements = {2, 2, 3}, .grading = {1, 1, 1.3}};
    carom_body_def *body = bench_add(&b, "box", &box, VECTOR(0, 0, 0));
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "hex8"), &hex8};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), "st-venant-kirchhoff"), &law};
    carom_restraint_def wall = {.where = {.body = "body0", .set = "zmin", .node = CAROM_AUTO},
                                .direction_count = 3,
                                .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                .velocity = {0.1, 0, 0.05},
                                .schedule = {.count = 16, .points = points}};
    b.def.restraints = &wall;
    b.def.restraint_count = 1;
    b.def.contact.enabled = false;
    carom_asynchronous_params p = {0.25, 8, CAROM_ASYNCHRONOUS_EXACT, 0.5, true};
    bench_simulate_by(&b, "asynchronous", &p, 6, 0.05);
    double most = 0, residual = 0;
    while (!carom_sim_done(b.sim)) {
        assert_ok(carom_sim_step(b.sim, error));
        carom_ledger_row row = bench_ledger(&b);
        most = fmax(most, row.kinetic + row.internal);
        residual = fmax(residual, fabs(row.residual));
    }
    assert_true(most > 1e-4);
    assert_true(residual < 0.02 * most);
    bench_end(&b);
}

// The rest of a step of the run is divided into whole ticks, or into equal parts.
static void cuts(void **state) {
    (void)state;
    assert_true(carom_ticks_cut(1, HUGE_VAL, 0.1) == 1);
    assert_near(carom_ticks_cut(0.7, 0.3, 0.1), 0.3, 1e-15);
    assert_near(carom_ticks_cut(0.7, 0.35, 0.1), 0.3, 1e-15);
    assert_near(carom_ticks_cut(0.4, 0.3, 0.1), 0.2, 1e-15);
    assert_near(carom_ticks_cut(0.4, 0.01, 0.1), 0.1, 1e-15);
    assert_near(carom_ticks_cut(1, 0.3, 0), 0.25, 1e-15);
    assert_near(carom_ticks_cut(1, 0.3, 0.3), 0.25, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_steps),    cmocka_unit_test(come_and_go),  cmocka_unit_test(many_bounces),
        cmocka_unit_test(fall_from_rest), cmocka_unit_test(load_at_rest), cmocka_unit_test(driven_to_and_fro),
        cmocka_unit_test(cuts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
