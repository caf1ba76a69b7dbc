// SPDX-License-Identifier: MIT
// `nodal` as bodies of patches and cells: what test_elements.c asks of single elements, and modes without energy. The other
// properties of solids are in test_solids.c, test_solid_*.c and test_static.c.
#include "element/average/nodal.h"
#include "solid_bodies.h"

static const carom_elastic_params rubber = {.young = 1.3, .poisson = 0.3, .density = 0.7};
static const double size[3] = {1.5, 1.2, 1};
static const solid_case *const cases[] = {&solid_cases[7], &solid_cases[8]};

enum { CASES = 2 };

// A distorted body of few cells.
static void start(solid *s, const solid_case *c, const char *material, carom_elastic_params law, uint64_t *seed) {
    solid_start(s, c, size, (const int[]){3, 2, 2}, material, law);
    solid_distort(s, size, false, 0.1, seed);
    bench_build(&s->b);
}

// Force is minus the gradient of the energy, has no resultant and no moment; a turned body has turned forces.
static void forces(void **state) {
    (void)state;
    uint64_t seed = 21;
    for (int c = 0; c < CASES; c++)
        for (int m = 0; m < ELASTIC_LAWS; m++) {
            const char *material = carom_materials()->kinds[m]->name;
            solid s;
            start(&s, cases[c], material, rubber, &seed);
            solid_check_forces(s.b.model, false, strcmp(material, "linear") != 0,
                               (solid_limits){1e-9, 1e-14, 1e-14, 1e-13, 1e-13}, &seed);
            bench_end(&s.b);
        }
}

static void elements(void **state) {
    (void)state;
    uint64_t seed = 22;
    for (int c = 0; c < CASES; c++)
        for (int m = 0; m < ELASTIC_LAWS; m++) {
            solid s;
            start(&s, cases[c], carom_materials()->kinds[m]->name, rubber, &seed);
            for (int b = 0; b < s.b.model->block_count; b++)
                assert_non_null(s.b.model->blocks[b].element->single);
            solid_check_elements(s.b.model, false, &seed);
            bench_end(&s.b);
        }
}

// Only rigid motions cost nothing; the cells alone see to that.
static void modes(void **state) {
    (void)state;
    for (int c = 0; c < CASES; c++) {
        solid s;
        solid_start(&s, cases[c], VECTOR(1, 1, 1), (const int[]){3, 3, 3}, "linear", rubber);
        bench_build(&s.b);
        assert_int_equal(solid_free_motions(s.b.model, true, true), 6);
        assert_int_equal(solid_free_motions(s.b.model, true, false), 6);
        bench_end(&s.b);
    }
}

// The shortest own step of a patch or cell is never above the stable step of the body, and not below a third of it; nodes
// have their masses shared out completely.
static void steps(void **state) {
    (void)state;
    uint64_t seed = 23;
    for (int c = 0; c < CASES; c++)
        for (int trial = 0; trial < 12; trial++) {
            static const double ratios[3] = {0, 0.3, 0.499};
            carom_elastic_params law = rubber;
            law.poisson = ratios[trial % 3];
            double flat = trial < 6 ? 1 : 0.1;
            solid s;
            solid_start(&s, cases[c], size, (const int[]){5, 4, 4}, "linear", law);
            s.nodal.stabilisation = trial % 2 ? 0.05 : 0.3;
            if (trial >= 3)
                solid_distort(&s, size, false, 0.05, &seed);
            for (int k = 0; k < s.b.meshes[0].node_count; k++)
                s.b.meshes[0].nodes[k][2] *= flat;
            bench_build(&s.b);
            const carom_model *model = s.b.model;
            double *moves = solid_reserve(model->node_count, sizeof *moves);
            for (int b = 0; b < model->block_count; b++) {
                const carom_block *block = &model->blocks[b];
                int n = block->node_count;
                for (int i = 0; i < block->count * n && !carom_block_has_cells(block); i++)
                    moves[block->nodes[i]] +=
                        law.density * block->data[carom_lane(i / n, carom_nodal_share(n, i % n), block->data_size)];
            }
            double part = carom_nodal_cell_share(&s.nodal), own = solid_shortest_step(model);
            double limit = 2 / sqrt(solid_fastest(model, &seed));
            for (int k = 0; k < model->node_count; k++)
                assert_near(moves[k], (1 - part) * model->mass[k], 1e-15);
            free(moves);
            if (!(own <= limit && own > 0.38 * limit))
                fail_msg("%s, trial %d: shortest step %g, power iteration %g", cases[c]->name, trial, own, limit);
            bench_end(&s.b);
        }
}

// Where the nodes of a shaken, spinning body are after a while; momenta and the largest energy error are looked at on the way.
static void fly(const solid_case *c, double beta, int steps_, double (*x)[3], double *worst) {
    uint64_t seed = 24;
    solid s;
    carom_body_def *body = solid_start(&s, c, size, (const int[]){4, 3, 3}, "st-venant-kirchhoff", rubber);
    solid_distort(&s, size, false, 0.08, &seed);
    carom_mesh *mesh = &s.b.meshes[0];
    mesh->velocities = solid_reserve(mesh->node_count, sizeof *mesh->velocities);
    for (int k = 0; k < mesh->node_count; k++)
        mesh->velocities[k][0] = 0.05 * mesh->nodes[k][0] * mesh->nodes[k][1];
    memcpy(body->spin, VECTOR(0.1, 0.15, 0.2), sizeof body->spin);
    carom_asynchronous_params params;
    const carom_kind *kind = carom_catalogue_find(carom_integrators(), "asynchronous");
    carom_param_defaults(kind->params, kind->param_count, &params);
    params.beta = beta;
    bench_simulate_by(&s.b, beta > 0 ? "asynchronous" : "newmark-dcr", beta > 0 ? &params : NULL, 4, 4.0 / steps_);
    carom_ledger_row start = bench_ledger(&s.b);
    *worst = 0;
    while (!carom_sim_done(s.b.sim)) {
        assert_ok(carom_sim_step(s.b.sim, error));
        carom_ledger_row now = bench_ledger(&s.b);
        *worst = fmax(*worst, fabs(now.total - start.total) / start.total);
        for (int i = 0; i < 3; i++) {
            assert_near(now.momentum[i], start.momentum[i], 1e-14);
            assert_near(now.angular_momentum[i], start.angular_momentum[i], 1e-14);
        }
    }
    memcpy(x, carom_state_positions(carom_sim_state(s.b.sim)), (size_t)s.b.model->node_count * sizeof *x);
    bench_end(&s.b);
}

// Patches and cells with steps of their own: the way of the body is that of tiny common steps, with an error of second order.
static void own_steps(void **state) {
    (void)state;
    for (int c = 0; c < CASES; c++) {
        double exact[80][3], x[80][3], wrong[2] = {0}, energy[2], unused;
        fly(cases[c], 0, 4000, exact, &unused);
        for (int level = 0; level < 2; level++) {
            fly(cases[c], 0.5 / (1 << level), 40, x, &energy[level]);
            for (int k = 0; k < 80; k++)
                for (int i = 0; i < 3; i++)
                    wrong[level] = fmax(wrong[level], fabs(x[k][i] - exact[k][i]));
        }
        assert_true(wrong[1] < 2e-4 && log2(wrong[0] / wrong[1]) > 1.85);
        assert_true(energy[0] < 3e-4 && energy[1] < 0.5 * energy[0]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(forces), cmocka_unit_test(elements), cmocka_unit_test(modes),
                                       cmocka_unit_test(steps), cmocka_unit_test(own_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
