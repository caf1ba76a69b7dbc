// SPDX-License-Identifier: MIT
// Shells with viscous branches in their layers (src/material/viscous/viscoelastic.c, src/element/shell/loop_shell_layers.c),
// beside an elastic law and beside one that flows: forces of a frozen history are derivatives of the energy, books close, a
// restart and threads do not show.
#include "../support.h"
#include "carom/threads.h"
#include "material/material.h"
#include "model/model.h"
#include "model/state/history.h"
#include "sim/sim.h"

typedef struct sheet {
    bench b;
    carom_loop_shell_params shell;
    carom_viscoelastic_params law;
} sheet;

// A rectangle of 6 x 4 cells about the origin; E = rho = 1, one branch of half the modulus; yield 0.01, hardening 0.05.
static void sheet_start(sheet *s, int law) {
    bench_start(&s->b);
    carom_rectangle_params plane = {.from = {-1, -1, 0}, .to = {1, 1, 0}, .columns = 6, .rows = 4, .cells = CAROM_PLANE_TRI3};
    carom_body_def *body = bench_add(&s->b, "rectangle", &plane, VECTOR(0, 0, 0));
    s->shell = (carom_loop_shell_params){.thickness = 0.1, .integration = CAROM_SHELL_ONE_POINT, .layers = 3};
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "loop-shell"), &s->shell};
    body->material = carom_pick_of(carom_materials(), "viscoelastic", &s->law, NULL);
    body->material.params = &s->law;
    s->law.law = law;
    s->law.j2.elastic = (carom_elastic_params){.young = 1, .poisson = 0.3, .density = 1};
    if (law == CAROM_VISCOELASTIC_J2) {
        s->law.j2.yield = 0.01;
        s->law.j2.modulus = 0.05;
    }
    s->law.prony = (carom_pairs){1, {{0.5, 0.3}}};
    s->b.def.contact.enabled = false;
}

static double energy_of(const carom_block *block, const double (*x)[3], const double (*X)[3]) {
    double energy[256], sum = 0;
    assert_true(block->count <= 256);
    block->element->energy(block, 0, block->count, x, X, energy);
    for (int e = 0; e < block->count; e++)
        sum += energy[e];
    return sum;
}

static void forces_are_derivatives(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        sheet s;
        uint64_t seed = 81;
        sheet_start(&s, kind ? CAROM_VISCOELASTIC_J2 : CAROM_VISCOELASTIC_HENCKY);
        bench_simulate(&s.b, 1, 1e-3);
        const carom_model *model = carom_sim_state(s.b.sim)->model;
        const double(*X)[3] = (const double(*)[3])model->X;
        double(*x)[3] = calloc((size_t)model->node_count, sizeof *x), h = 1e-5;
        const carom_block *block = &model->blocks[0];
        for (int b = 1; b < model->block_count; b++)
            block = model->blocks[b].count > block->count ? &model->blocks[b] : block;
        double *force = calloc((size_t)carom_lanes_size(block->count, 3 * block->node_count), sizeof *force);
        assert_true(x && force && block->history);
        memcpy(x, X, (size_t)model->node_count * sizeof *x);
        for (int round = 0; round < 4; round++) {
            const carom_flow flow = {round < 3 ? CAROM_USE_COMMIT : CAROM_USE_READ, .before = 0.05, .after = 0.05};
            carom_block own = *block;
            own.flow = &flow;
            for (int k = 0; k < 3 * model->node_count; k++)
                x[k / 3][k % 3] += random_real(&seed, -0.02, 0.02);
            own.element->force(&own, 0, own.count, (const double(*)[3])x, X, force);
        }
        carom_material_losses lost = carom_history_losses(carom_sim_state(s.b.sim), -1);
        assert_true(lost.viscosity > 0 && lost.pending > 0 && (lost.plasticity > 0) == (kind == 1));
        for (int node = 0; node < 6; node++)
            for (int i = 0; i < 3; i++) {
                double W[4], at[4] = {-2 * h, -h, h, 2 * h}, kept = x[node][i], f = 0;
                for (int j = 0; j < 4; j++) {
                    x[node][i] = kept + at[j];
                    W[j] = energy_of(block, (const double(*)[3])x, X);
                }
                x[node][i] = kept;
                for (int n = 0; n < block->count * block->node_count; n++)
                    if (block->nodes[n] == node)
                        f += force[carom_lane(n / block->node_count, 3 * (n % block->node_count) + i, 3 * block->node_count)];
                assert_near(-f, (W[0] - 8 * W[1] + 8 * W[2] - W[3]) / (12 * h), 1e-10);
            }
        free(x);
        free(force);
        bench_end(&s.b);
    }
}

// A plate that is struck in its middle: residual of the books over the energy at the start.
static double run(int law, double step, int threads, const char *save, const char *load, uint64_t *hash) {
    sheet s;
    carom_set_threads(threads);
    sheet_start(&s, law);
    bench_build(&s.b);
    double(*v)[3] = calloc((size_t)s.b.model->node_count, sizeof *v);
    assert_non_null(v);
    for (int k = 0; k < s.b.model->node_count; k++) {
        const double *X = s.b.model->X[k];
        v[k][2] = 0.1 * cos(1.57 * X[0]) * cos(1.57 * X[1]);
        v[k][0] = 0.05 * X[0];
    }
    carom_model_release(s.b.model);
    s.b.model = NULL;
    s.b.meshes[0].velocities = v;
    bench_simulate(&s.b, 2, step);
    double start = bench_ledger(&s.b).kinetic, most = 0;
    if (load)
        assert_ok(carom_sim_load(s.b.sim, load, error));
    while (!carom_sim_done(s.b.sim)) {
        assert_ok(carom_sim_step(s.b.sim, error));
        most = fmax(most, fabs(bench_ledger(&s.b).residual));
        if (save && carom_sim_state(s.b.sim)->time > 1) {
            assert_ok(carom_sim_save(s.b.sim, save, error));
            save = NULL;
        }
    }
    carom_ledger_row row = bench_ledger(&s.b);
    assert_true(row.viscosity > 0.03 * start && (row.plasticity > 0.03 * start) == (law == CAROM_VISCOELASTIC_J2));
    if (hash)
        *hash = carom_state_hash(carom_sim_state(s.b.sim));
    s.b.meshes[0].velocities = NULL;
    bench_end(&s.b);
    free(v);
    return most / start;
}

static void the_books_close(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        int law = kind ? CAROM_VISCOELASTIC_J2 : CAROM_VISCOELASTIC_HENCKY;
        double coarse = run(law, 0.02, 1, NULL, NULL, NULL), fine = run(law, 0.01, 1, NULL, NULL, NULL);
        print_message("residual %g with steps of 0.02, %g with 0.01\n", coarse, fine);
        assert_true(coarse < 1e-3 && coarse / fine > 3.7);
    }
}

static void the_same_bits(void **state) {
    (void)state;
    const char *path = "shell_viscous_checkpoint";
    uint64_t one, other;
    run(CAROM_VISCOELASTIC_J2, 0.02, 1, path, NULL, &one);
    run(CAROM_VISCOELASTIC_J2, 0.02, 1, NULL, path, &other);
    assert_true(one == other);
    remove(path);
    run(CAROM_VISCOELASTIC_J2, 0.02, 3, NULL, NULL, &other);
    assert_true(one == other);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(forces_are_derivatives), cmocka_unit_test(the_books_close),
                                       cmocka_unit_test(the_same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
