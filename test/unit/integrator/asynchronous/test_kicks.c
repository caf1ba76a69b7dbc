// SPDX-License-Identifier: MIT
// Tests src/integrator/asynchronous/kicks.c, src/integrator/asynchronous/kick_steps.c.
// Kicks of the asynchronous integrator: the steps of elements, and all of them with one step, which is newmark-dcr.
#include "../../../shells.h"
#include "integrator/asynchronous/kicks.h"
#include "model/state.h"

static const carom_hex8_params hex8 = {.integration = CAROM_HEX8_FULL, .hourglass = 0.1};
static const carom_elastic_params law = {.young = 1, .poisson = 0.3, .density = 1};

// A box of bricks or tetrahedra without contact.
static void box_start(bench *b, int tets, double grading) {
    carom_box_params box = {.to = {6, 5, 4}, .elements = {6, 5, 4}, .cells = tets, .grading = {grading, 1, 1}};
    bench_start(b);
    b->def.contact.enabled = false;
    carom_body_def *body = bench_add(b, "box", &box, VECTOR(0, 0, 0));
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), tets ? "tet4" : "hex8"), &hex8};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), "st-venant-kirchhoff"), &law};
    body->spin[0] = 0.02;
    body->spin[2] = 0.03;
}

// The steps of all elements in the body, and those of each element alone.
static void find_steps(const carom_model *model, double beta, double **steps, double **alone) {
    const carom_block *block = &model->blocks[0];
    *steps = carom_kick_steps(model, beta, NULL);
    *alone = calloc((size_t)block->count, sizeof **alone);
    assert_true(*steps && *alone && model->block_count == 1);
    block->element->stable_step(block, 0, block->count, (const double(*)[3])model->X, (const double(*)[3])model->X, *alone);
}

static double least(const double *values, int count) {
    double least = HUGE_VAL;
    for (int i = 0; i < count; i++)
        least = fmin(least, values[i]);
    return least;
}

// A layer of bricks with 1/20 of the thickness of the others shares their nodal masses. In the division of masses on which the
// steps are based, the layer has 1/40 + lent/2 instead of 1/40 at each node of a column, and its neighbours have the rest of
// one half.
static void thin_layer(void **state) {
    (void)state;
    bench b;
    box_start(&b, 0, 1);
    for (int k = 0; k < b.meshes[0].node_count; k++)
        b.meshes[0].nodes[k][2] -= b.meshes[0].nodes[k][2] > 1.5 ? 0.95 : 0;
    bench_build(&b);
    double *steps, *alone;
    find_steps(b.model, 1, &steps, &alone);
    const carom_block *block = &b.model->blocks[0];
    for (int e = 0; e < block->count; e++) {
        // neighbours of the layer have its step, and their neighbours that of the remaining mass
        double low = b.model->X[block->nodes[8 * e]][2], thin = least(alone, block->count);
        assert_near(steps[e], low > 1.5 ? sqrt(0.5) * alone[e] : sqrt(11) * thin, 1e-12);
    }
    // steps stable for each element are stable for the body: that of the body is at most 2.5 percent below the true limit
    double stable = carom_model_stable_step(b.model);
    assert_true(least(steps, block->count) <= stable * 1.026);
    assert_true(least(steps, block->count) > 0.65 * stable);
    free(steps);
    free(alone);
    bench_end(&b);
}

// Tetrahedra of any shape, some of them slivers: steps are never longer than stable for the body. Bricks that grow by a fifth
// from one to the next have half of the steps of each alone.
static void irregular(void **state) {
    (void)state;
    uint64_t seed = 11;
    double *steps, *alone;
    for (int i = 0; i < 10; i++) {
        bench b;
        box_start(&b, 1, 1);
        for (int k = 0; k < b.meshes[0].node_count; k++)
            for (int d = 0; d < 3; d++)
                b.meshes[0].nodes[k][d] += random_real(&seed, -0.2, 0.2);
        bench_build(&b);
        find_steps(b.model, 1, &steps, &alone);
        int count = b.model->element_count;
        assert_true(least(steps, count) <= carom_model_stable_step(b.model) * 1.026);
        assert_true(least(steps, count) >= least(alone, count) * 0.9999);
        free(steps);
        free(alone);
        bench_end(&b);
    }
    bench b;
    box_start(&b, 0, 1.2);
    bench_build(&b);
    find_steps(b.model, 0.5, &steps, &alone);
    for (int e = 0; e < b.model->element_count; e++)
        assert_true(steps[e] == 0.5 * alone[e]);
    free(steps);
    free(alone);
    bench_end(&b);
}

// A bar of elements of length 1 with a thin one, 1/20, in the middle, where nodes of mass 0.525 vibrate with w^2 = 2 20/0.525.
// With `beta` 0.49 its neighbours, with steps of their own, would kick at intervals of 0.49 sqrt(1/2), slightly less than pi/w,
// and the energy would exceed 1e280 at t = 3168. Random velocities excite all modes; those of the long elements change the
// energy by some percent.
static void no_resonance(void **state) {
    (void)state;
    for (int classes = 0; classes <= 8; classes += 8) {
        const carom_asynchronous_params params = {.beta = 0.49, .classes = classes, .alpha = 0.5, .centred = true};
        uint64_t seed = 17;
        bench b;
        bench_start(&b);
        b.def.contact.enabled = false;
        bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(11, 0, 0), 11, VECTOR(0, 0, 0), CAROM_BAR_SMALL);
        for (int k = 0; k < b.meshes[0].node_count; k++)
            b.meshes[0].nodes[k][0] -= b.meshes[0].nodes[k][0] > 5.5 ? 0.95 : 0;
        bench_build(&b);
        for (int k = 0; k < b.model->node_count; k++)
            b.model->v0[k][0] = random_real(&seed, -0.01, 0.01);
        bench_simulate_by(&b, "asynchronous", &params, 5000, 0.5);
        double first = bench_ledger(&b).total, most = 0;
        while (!carom_sim_done(b.sim)) {
            assert_ok(carom_sim_step(b.sim, error));
            if (carom_state_step(carom_sim_state(b.sim)) % 100 == 0)
                most = fmax(most, fabs(bench_ledger(&b).total / first - 1));
        }
        assert_true(most < 0.15);
        bench_end(&b);
    }
}

// The largest difference of two runs in positions and velocities.
static double difference(const bench *a, const bench *b) {
    const carom_state *s = carom_sim_state(a->sim), *t = carom_sim_state(b->sim);
    double most = 0;
    for (int k = 0; k < a->model->node_count; k++)
        for (int d = 0; d < 3; d++) {
            most = fmax(most, fabs(carom_state_positions(s)[k][d] - carom_state_positions(t)[k][d]));
            most = fmax(most, fabs(carom_state_velocities(s)[k][d] - carom_state_velocities(t)[k][d]));
        }
    return most;
}

// If one step of the run is one step of every element, the map is that of newmark-dcr, for solids and shells, with loads and a
// driven end. Reading velocities in between changes nothing.
static void equal_steps(void **state) {
    (void)state;
    const carom_asynchronous_params params = {.beta = 1, .classes = 8, .alpha = 0.5, .centred = true};
    for (int kind = 0; kind < 3; kind++) {
        // the two methods, and the first once more with velocities read in between
        shell runs[3];
        carom_restraint_def end = {.where = {.body = "body0", .set = "xmin", .node = CAROM_AUTO},
                                   .direction_count = 2,
                                   .direction = {{1, 0, 0}, {0, 0, 1}},
                                   .velocity = {0.02, 0, 0}};
        carom_load_def load = {.where = {.body = "body0", .set = "xmax", .node = CAROM_AUTO}, .force = {0, 0.02, 0.01}};
        for (int r = 0; r < 3; r++) {
            bench *b = &runs[r].b;
            if (kind < 2) {
                box_start(b, kind, 1);
            } else {
                shell_start_sphere(&runs[r], 80)->spin[1] = 0.01;
                end.where.set[0] = load.where.set[0] = '\0';
                end.where.node = 3;
                load.where.node = 7;
            }
            b->def.gravity[1] = -0.01;
            b->def.restraints = &end;
            b->def.restraint_count = 1;
            b->def.loads = &load;
            b->def.load_count = 1;
            bench_build(b);
            double step = 0.2 * carom_model_stable_step(b->model);
            bench_simulate_by(b, r == 1 ? "newmark-dcr" : "asynchronous", r == 1 ? NULL : &params, 100 * step, step);
            while (!carom_sim_done(b->sim)) {
                assert_ok(carom_sim_step(b->sim, error));
                if (r == 2)
                    assert_true(isfinite(bench_ledger(b).total));
            }
        }
        assert_near(difference(&runs[0].b, &runs[1].b), 0, 1e-10);
        carom_ledger_row own = bench_ledger(&runs[0].b), other = bench_ledger(&runs[1].b);
        assert_near(own.total, other.total, 1e-10);
        assert_near(own.external, other.external, 1e-10);
        assert_true(carom_state_hash(carom_sim_state(runs[0].b.sim)) == carom_state_hash(carom_sim_state(runs[2].b.sim)));
        for (int r = 0; r < 3; r++)
            bench_end(&runs[r].b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(thin_layer), cmocka_unit_test(irregular),
                                       cmocka_unit_test(no_resonance), cmocka_unit_test(equal_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
