// SPDX-License-Identifier: MIT
// Tests src/integrator/asynchronous/element_step_division.c.
// Adaptive steps of elements: which elements divide their step, energy and momentum balance of divided runs, restarts, and a
// deformation for which no division is sufficient.
#include "../../../support.h"
#include "integrator/asynchronous/kicks.h"
#include "model/state.h"

static const carom_elastic_params soft = {.young = 1e5, .poisson = 0.4, .density = 1000};
static const carom_asynchronous_params standard = {0.25, 8, CAROM_ASYNCHRONOUS_EXACT, 0.5, true};
static const carom_plane_def ground = {.name = "ground", .normal = {0, 0, 1}};

// A block of tetrahedra above the ground that falls with the given speed; its unequal sides make it rotate slightly.
static void block_start(bench *b, const char *material, const carom_asynchronous_params *p, double speed, double end) {
    carom_box_params box = {
        .from = {0, 0, 0.01}, .to = {0.3, 0.2, 0.31}, .elements = {3, 2, 4}, .cells = 1, .grading = {1, 1, 1.4}};
    bench_start(b);
    carom_body_def *body = bench_add(b, "box", &box, VECTOR(0.5, 0.1, -speed));
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "tet4"), NULL};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), material), &soft};
    b->def.contact.planes = (carom_plane_def *)&ground;
    b->def.contact.plane_count = 1;
    bench_simulate_by(b, "asynchronous", p, end, NAN);
}

static int divided(const bench *b) {
    const double *levels = carom_state_find_array(carom_sim_state(b->sim), "levels");
    assert_non_null(levels);
    int count = 0;
    for (int i = 0; i < carom_model_element_count(b->model); i++)
        count += levels[CAROM_LEVEL_NUMBERS * i + CAROM_LEVEL] > 0;
    return count;
}

// The masses attributed to elements sum to those of the nodes: the largest frequency of the elements is then a bound for the
// body.
static void masses_add_up(void **state) {
    (void)state;
    bench b;
    block_start(&b, "neo-hookean", &standard, 1, 0.1);
    const carom_model *model = b.model;
    double *mass = calloc((size_t)model->element_node_count, sizeof *mass),
           *sum = calloc((size_t)model->node_count, sizeof *sum);
    double *steps = carom_kick_steps(model, 1, mass);
    assert_true(mass && sum && steps && model->block_count == 1);
    for (int i = 0; i < model->element_node_count; i++) {
        assert_true(mass[i] > 0);
        sum[model->blocks[0].nodes[i]] += mass[i];
    }
    for (int k = 0; k < model->node_count; k++)
        assert_near(sum[k], model->mass[k], 1e-12 * model->mass[k]);
    free(mass);
    free(sum);
    free(steps);
    bench_end(&b);
}

// In a slow fall no step is divided, and adaptive steps do not change a bit.
static void small_strains(void **state) {
    (void)state;
    bench followed, fixed;
    block_start(&followed, "neo-hookean", &standard, 0.5, 0.1);
    block_start(&fixed, "neo-hookean", &standard, 0.5, 0.1);
    carom_sim_release(fixed.sim);
    carom_time_def time = carom_default_time_def();
    time.end = 0.1;
    time.follow = CAROM_FOLLOW_OFF;
    carom_pick pick = {carom_catalogue_find(carom_integrators(), "asynchronous"), &standard};
    assert_ok(carom_sim_create(fixed.model, pick, &time, &fixed.sim, error));
    bench_run(&followed);
    bench_run(&fixed);
    assert_int_equal(carom_sim_division(followed.sim).parts, 0);
    assert_true(carom_state_contact_events(carom_sim_state(fixed.sim)) > 0);
    assert_true(carom_state_hash(carom_sim_state(followed.sim)) == carom_state_hash(carom_sim_state(fixed.sim)));
    bench_end(&followed);
    bench_end(&fixed);
}

// A fall at 0.6 of the wave speed crushes the lower elements, whose steps are divided and later whole again. Momentum along
// the ground is conserved, the energy balance holds, and a restart while steps are divided continues with the same bits.
static void hard_fall(void **state) {
    (void)state;
    const char *path = "levels.checkpoint";
    for (int i = 0; i < 3; i++) {
        carom_asynchronous_params p = standard;
        p.classes = (int[]){0, 1, 8}[i];
        bench whole, second;
        block_start(&whole, "neo-hookean", &p, 9, 0.15);
        carom_ledger_row start = bench_ledger(&whole);
        double residual = 0, drift = 0;
        int most = 0;
        bool saved = false;
        while (!carom_sim_done(whole.sim)) {
            assert_ok(carom_sim_step(whole.sim, error));
            carom_ledger_row row = bench_ledger(&whole);
            residual = fmax(residual, fabs(row.residual));
            for (int d = 0; d < 2; d++)
                drift = fmax(drift, fabs(row.momentum[d] - start.momentum[d]));
            int now = divided(&whole);
            most = now > most ? now : most;
            if (!saved && now > 2) {
                assert_ok(carom_sim_save(whole.sim, path, error));
                saved = true;
            }
        }
        carom_division division = carom_sim_division(whole.sim);
        assert_true(saved && most < carom_model_element_count(whole.model) && divided(&whole) < most);
        assert_true(division.parts > 100 && division.smallest < 0.25 * carom_sim_step_size(whole.sim));
        assert_true(residual < 0.02 * start.total);
        assert_true(drift < 1e-12 * fabs(start.momentum[2]));
        block_start(&second, "neo-hookean", &p, 9, 0.15);
        assert_ok(carom_sim_load(second.sim, path, error));
        bench_run(&second);
        assert_true(carom_state_hash(carom_sim_state(whole.sim)) == carom_state_hash(carom_sim_state(second.sim)));
        remove(path);
        bench_end(&whole);
        bench_end(&second);
    }
}

// A bar with Green's strain is pulled to five lengths: the stiffness grows by a factor of 35 and the steps shrink with it.
static void pulled_bar(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(1, 0, 0), 6, VECTOR(0, 0, 0), CAROM_BAR_GREEN);
    carom_restraint_def ends[2];
    for (int i = 0; i < 2; i++) {
        ends[i] = (carom_restraint_def){.where = {.body = "body0", .node = CAROM_AUTO},
                                        .direction_count = 3,
                                        .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                        .velocity = {0.1 * i, 0, 0}};
        strcpy(ends[i].where.set, i ? "end" : "start");
    }
    b.def.restraints = ends;
    b.def.restraint_count = 2;
    b.def.contact.enabled = false;
    bench_simulate_by(&b, "asynchronous", &standard, 40, NAN);
    bench_run(&b);
    carom_ledger_row row = bench_ledger(&b);
    assert_int_equal(divided(&b), 6);
    assert_near(carom_state_positions(carom_sim_state(b.sim))[6][0], 5, 1e-9);
    assert_true(fabs(row.residual) < 1e-3 * row.internal);
    bench_end(&b);
}

// The law of St. Venant and Kirchhoff has no barrier against inversion: a fall at the wave speed inverts elements, which is
// detected when it happens, with the energy of the start.
static void inside_out(void **state) {
    (void)state;
    bench b;
    block_start(&b, "st-venant-kirchhoff", &standard, 14, 0.1);
    double total = bench_ledger(&b).total;
    carom_status status = CAROM_OK;
    carom_error error = {0};
    while (!status && !carom_sim_done(b.sim))
        status = carom_sim_step(b.sim, &error);
    assert_int_equal(status, CAROM_NUMERICAL);
    assert_true(strstr(error.message, "inside out") != NULL);
    assert_true(bench_ledger(&b).total < 1.01 * total);
    bench_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_add_up), cmocka_unit_test(small_strains), cmocka_unit_test(hard_fall),
        cmocka_unit_test(pulled_bar),    cmocka_unit_test(inside_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
