// SPDX-License-Identifier: MIT
// Tests src/element/shell/loop_shell_layers.c, shells of an elastoplastic material with a history in each layer: forces are
// derivatives of the incremental energy, rigid rotations dissipate nothing, the moment of bending beyond yield is that of the
// layers, the energy ledger closes, and evaluations for output do not change the history.
#include "../support.h"
#include "carom/threads.h"
#include "element/shell/loop_shell.h"
#include "material/flow/j2.h"
#include "material/material.h"
#include "model/model.h"
#include "model/state/history.h"
#include "sim/sim.h"

typedef struct sheet {
    bench b;
    carom_loop_shell_params shell;
    carom_j2_params law;
    const carom_model *model; // bound to the state
    const carom_block *block; // its largest block
    double (*x)[3], *force;
} sheet;

// A rectangle of 6 x 4 cells about the origin; E = rho = 1, yield 0.01, hardening 0.05.
static void sheet_start(sheet *s, int layers, int integration, double length, double thickness) {
    bench_start(&s->b);
    carom_rectangle_params plane = {
        .from = {-length, -length, 0}, .to = {length, length, 0}, .columns = 6, .rows = 4, .cells = CAROM_PLANE_TRI3};
    carom_body_def *body = bench_add(&s->b, "rectangle", &plane, VECTOR(0, 0, 0));
    s->shell = (carom_loop_shell_params){.thickness = thickness, .integration = integration, .layers = layers};
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "loop-shell"), &s->shell};
    body->material = carom_pick_of(carom_materials(), "j2", &s->law, NULL);
    body->material.params = &s->law;
    s->law.elastic = (carom_elastic_params){.young = 1, .poisson = 0.3, .density = 1};
    s->law.yield = 0.01;
    s->law.modulus = 0.05;
    s->b.def.contact.enabled = false;
}

static void sheet_build(sheet *s) {
    bench_simulate(&s->b, 1, 1e-3);
    s->model = carom_sim_state(s->b.sim)->model;
    s->block = &s->model->blocks[0];
    for (int b = 1; b < s->model->block_count; b++)
        if (s->model->blocks[b].count > s->block->count)
            s->block = &s->model->blocks[b];
    s->x = calloc((size_t)s->model->node_count, sizeof *s->x);
    s->force = calloc((size_t)carom_lanes_size(s->block->count, 3 * s->block->node_count), sizeof *s->force);
    assert_true(s->x && s->force && s->block->history);
    memcpy(s->x, s->model->X, (size_t)s->model->node_count * sizeof *s->x);
}

static void sheet_end(sheet *s) {
    free(s->x);
    free(s->force);
    bench_end(&s->b);
}

static size_t history_bytes(const sheet *s) {
    return sizeof(double) * (size_t)carom_lanes_size(s->block->count, s->block->history_size);
}

// Computes the forces of the block; only CAROM_USE_COMMIT stores the new history. s->force is per element.
static void evaluate(sheet *s, carom_use use) {
    const carom_flow flow = {.use = use, .before = 1e-3};
    carom_block own = *s->block;
    own.flow = &flow;
    own.element->force(&own, 0, own.count, (const double(*)[3])s->x, (const double(*)[3])s->model->X, s->force);
}

static double energy_of(sheet *s) {
    double energy[256], sum = 0;
    assert_true(s->block->count <= 256);
    s->block->element->energy(s->block, 0, s->block->count, (const double(*)[3])s->x, (const double(*)[3])s->model->X, energy);
    for (int e = 0; e < s->block->count; e++)
        sum += energy[e];
    return sum;
}

// The incremental energy from the history `start`: the stored energy after the plastic update, plus the plastic work with
// linear hardening in every layer. The history is restored.
static double incremental(sheet *s, const double *start) {
    const carom_block *block = s->block;
    carom_shell shell = carom_shell_of(block);
    evaluate(s, CAROM_USE_COMMIT);
    double sum = energy_of(s);
    for (int e = 0; e < block->count; e++)
        for (int q = 0; q < shell.point_count; q++)
            for (int p = 0; p < shell.layers->count; p++) {
                int64_t at = carom_block_history(block, e, q * shell.layers->count + p, CAROM_J2_SHEET_ALPHA);
                double a = start[at], b = block->history[at];
                double volume = shell.layers->weight[p] * shell.thickness * *carom_shell_data(&shell, e, q, CAROM_SHELL_AREA);
                sum += volume * (b - a) * (s->law.yield + 0.5 * s->law.modulus * (a + b));
            }
    memcpy(block->history, start, history_bytes(s));
    return sum;
}

// Moves all nodes by random displacements.
static void perturb(sheet *s, uint64_t *seed, double size) {
    for (int k = 0; k < s->model->node_count; k++)
        for (int i = 0; i < 3; i++)
            s->x[k][i] += random_real(seed, -size, size);
}

static void force_of_node(const sheet *s, int node, double f[3]) {
    int n = s->block->node_count;
    memset(f, 0, 3 * sizeof *f);
    for (int e = 0; e < s->block->count; e++)
        for (int a = 0; a < n; a++)
            for (int i = 0; s->block->nodes[n * e + a] == node && i < 3; i++)
                f[i] += s->force[carom_lane(e, 3 * a + i, 3 * n)];
}

// The force with plastic flow (CAROM_USE_TRIAL) is minus the derivative of the incremental energy; the force with a frozen
// history (CAROM_USE_READ) is minus the derivative of the stored energy.
static void forces_are_derivatives(void **state) {
    (void)state;
    static const struct {
        int layers, integration;
    } kinds[] = {{2, CAROM_SHELL_ONE_POINT}, {5, CAROM_SHELL_ONE_POINT}, {4, CAROM_SHELL_THREE_POINT}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        sheet s;
        uint64_t seed = 31 + k;
        sheet_start(&s, kinds[k].layers, kinds[k].integration, 1, 0.1);
        sheet_build(&s);
        double *start = malloc(history_bytes(&s)), h = 1e-5;
        assert_non_null(start);
        for (int round = 0; round < 3; round++) {
            perturb(&s, &seed, 0.02);
            evaluate(&s, CAROM_USE_COMMIT);
        }
        perturb(&s, &seed, 0.02);
        memcpy(start, s.block->history, history_bytes(&s));
        for (int frozen = 0; frozen < 2; frozen++) {
            evaluate(&s, frozen ? CAROM_USE_READ : CAROM_USE_TRIAL);
            assert_memory_equal(start, s.block->history, history_bytes(&s));
            double total[3] = {0}, moment[3] = {0}, f[8][3];
            for (int node = 0; node < s.model->node_count; node++) {
                double own[3];
                force_of_node(&s, node, own);
                if (node < 8)
                    memcpy(f[node], own, sizeof own);
                for (int i = 0; i < 3; i++) {
                    int j = (i + 1) % 3, l = (i + 2) % 3;
                    total[i] += own[i];
                    moment[i] += s.x[node][j] * own[l] - s.x[node][l] * own[j];
                }
            }
            for (int i = 0; i < 3; i++) {
                assert_near(total[i], 0, 1e-15);
                assert_near(moment[i], 0, 1e-15);
            }
            for (int node = 0; node < 8; node++)
                for (int i = 0; i < 3; i++) {
                    double W[4], at[4] = {-2 * h, -h, h, 2 * h}, kept = s.x[node][i];
                    for (int j = 0; j < 4; j++) {
                        s.x[node][i] = kept + at[j];
                        W[j] = frozen ? energy_of(&s) : incremental(&s, start);
                    }
                    s.x[node][i] = kept;
                    assert_near(-f[node][i], (W[0] - 8 * W[1] + 8 * W[2] - W[3]) / (12 * h), 1e-9);
                }
        }
        free(start);
        sheet_end(&s);
    }
}

// The kernels for batches of elements give the results of the law evaluated point by point, for every hardening and for ranges
// of elements that begin and end anywhere.
static void batches(void **state) {
    (void)state;
    // the same law at another address has no batches
    const carom_material plain = carom_material_j2;
    for (int kind = 0; kind < 5; kind++) {
        sheet s;
        uint64_t seed = 51;
        sheet_start(&s, 3, kind % 2 ? CAROM_SHELL_THREE_POINT : CAROM_SHELL_ONE_POINT, 1, 0.1);
        s.law.hardening = kind;
        if (kind == CAROM_HARDENING_VOCE)
            s.law.saturation = 0.02, s.law.decay = 5;
        if (kind >= CAROM_HARDENING_JOHNSON_COOK)
            s.law.modulus = 0;
        if (kind == CAROM_HARDENING_JOHNSON_COOK) {
            s.law.strength = 0.01, s.law.exponent = 0.3, s.law.rate = 0.02, s.law.reference_rate = 1, s.law.melting = 1000;
            s.law.heat_capacity = 1e-4;
        }
        if (kind == CAROM_HARDENING_SWIFT)
            s.law.yield = NAN, s.law.strength = 0.03, s.law.exponent = 0.2, s.law.prestrain = 0.004;
        if (kind == CAROM_HARDENING_TABLE)
            s.law.curve = (carom_pairs){3, {{0, 0.01}, {0.05, 0.012}, {1, 0.02}}};
        sheet_build(&s);
        size_t size = (size_t)carom_lanes_size(s.block->count, 3 * s.block->node_count);
        double *other = malloc(history_bytes(&s)), *force = calloc(size, sizeof *force), most = 0;
        double *losses = calloc((size_t)s.block->count * CAROM_BLOCK_LOSSES, sizeof *losses);
        assert_true(other && force && losses);
        memcpy(other, s.block->history, history_bytes(&s));
        for (int round = 0; round < 6; round++) {
            const carom_flow flow = {.use = CAROM_USE_COMMIT, .before = 1e-3};
            carom_block one = *s.block, two = *s.block;
            one.flow = two.flow = &flow;
            two.material = &plain;
            two.history = other;
            two.losses = losses;
            perturb(&s, &seed, 0.01);
            const double(*x)[3] = (const double(*)[3])s.x, (*X)[3] = (const double(*)[3])s.model->X;
            for (int begin = 0, end; begin < one.count; begin = end) {
                end = begin + 5 < one.count ? begin + 5 : one.count;
                one.element->force(&one, begin, end, x, X, s.force);
            }
            two.element->force(&two, 0, two.count, x, X, force);
            for (int e = 0; e < one.count; e++) {
                for (int k = 0; k < 3 * one.node_count; k++) {
                    int64_t at = carom_lane(e, k, 3 * one.node_count);
                    assert_near(s.force[at], force[at], 1e-13);
                    most = fmax(most, fabs(force[at]));
                }
                for (int k = 0; k < one.history_size; k++) {
                    int64_t at = carom_lane(e, k, one.history_size);
                    assert_near(s.block->history[at], other[at], 1e-11 * fmax(1, fabs(other[at])));
                }
                int at = CAROM_BLOCK_LOSSES * e + CAROM_BLOCK_PLASTICITY;
                assert_near(s.block->losses[at], losses[at], 1e-14);
            }
        }
        assert_true(most > 1e-4);
        free(other);
        free(force);
        free(losses);
        sheet_end(&s);
    }
}

// A rigid rotation and translation after plastic flow causes no further flow and changes neither the stored energy nor the
// plastic work.
static void rigid_rotations(void **state) {
    (void)state;
    sheet s;
    uint64_t seed = 41;
    sheet_start(&s, 5, CAROM_SHELL_ONE_POINT, 1, 0.1);
    sheet_build(&s);
    perturb(&s, &seed, 0.03);
    evaluate(&s, CAROM_USE_COMMIT);
    double before = energy_of(&s), plasticity = carom_history_losses(carom_sim_state(s.b.sim), -1).plasticity, f[3], g[3];
    force_of_node(&s, 9, f);
    assert_true(plasticity > before);
    for (int k = 0; k < s.model->node_count; k++) {
        double *x = s.x[k];
        const double next[3] = {0.36 * x[0] - 0.8 * x[1] + 0.48 * x[2] + 3, 0.48 * x[0] + 0.6 * x[1] + 0.64 * x[2] - 7,
                                -0.8 * x[0] + 0.6 * x[2] + 1};
        memcpy(x, next, sizeof next);
    }
    evaluate(&s, CAROM_USE_READ);
    force_of_node(&s, 9, g);
    const double turned[3] = {0.36 * f[0] - 0.8 * f[1] + 0.48 * f[2], 0.48 * f[0] + 0.6 * f[1] + 0.64 * f[2],
                              -0.8 * f[0] + 0.6 * f[2]};
    for (int i = 0; i < 3; i++)
        assert_near(g[i], turned[i], 1e-13);
    assert_near(energy_of(&s) / before, 1, 1e-10);
    // because of rounding a point may lie slightly outside its yield surface
    evaluate(&s, CAROM_USE_COMMIT);
    assert_near(carom_history_losses(carom_sim_state(s.b.sim), -1).plasticity / plasticity, 1, 1e-12);
    sheet_end(&s);
}

// A strip bent without strain across: the moment over yield t^2/4 (docs/theory/loop_shell.md). Nodes on a parabola of small
// curvature make a surface with exactly that curvature; the elements next to the middle line are flat enough.
static void bending_beyond_yield(void **state) {
    (void)state;
    static const double ratios[4] = {1.5, 2, 5, 20};
    static const struct {
        int layers;
        double moment[4];
    } rows[] = {{5, {.9470, 1.0750, 1.0906, 1.0910}}, {7, {.9568, 1.0334, 1.1196, 1.1207}}};
    enum { STEPS = 400 };
    for (int r = 0; r < 2; r++)
        for (int k = 0; k < 4; k++) {
            sheet s;
            double thickness = 1;
            sheet_start(&s, rows[r].layers, CAROM_SHELL_ONE_POINT, 0.5, thickness);
            s.law.yield = 1e-6;
            s.law.modulus = 0;
            sheet_build(&s);
            double bent = ratios[k] * 2 * s.law.yield / thickness;
            for (int step = 1; step <= STEPS; step++) {
                for (int n = 0; n < s.model->node_count; n++)
                    s.x[n][2] = 0.5 * bent * step / STEPS * s.x[n][0] * s.x[n][0];
                evaluate(&s, CAROM_USE_COMMIT);
            }
            double moments[6 * 256];
            s.block->element->field(s.block, 0, s.block->count, (const double(*)[3])s.x, (const double(*)[3])s.model->X, 1,
                                    moments);
            for (int e = 0; e < s.block->count; e++)
                assert_near(fabs(moments[6 * e]) / (s.law.yield * thickness * thickness / 4), rows[r].moment[k], 0.6e-4);
            sheet_end(&s);
        }
}

// A plate with an initial velocity, largest in the middle: returns the largest residual of the ledger over the initial energy.
// Optionally it saves a checkpoint after half of the time, starts from one, and returns the hash of the final state.
static double run(double step, int threads, const char *save, const char *load, uint64_t *hash) {
    sheet s;
    carom_set_threads(threads);
    sheet_start(&s, 5, CAROM_SHELL_ONE_POINT, 1, 0.1);
    bench_build(&s.b);
    double(*v)[3] = calloc((size_t)s.b.model->node_count, sizeof *v);
    assert_non_null(v);
    for (int k = 0; k < s.b.model->node_count; k++) {
        const double *X = s.b.model->X[k];
        v[k][2] = 0.1 * cos(1.57 * X[0]) * cos(1.57 * X[1]);
        v[k][0] = 0.02 * X[0];
    }
    carom_model_release(s.b.model);
    s.b.model = NULL;
    s.b.meshes[0].velocities = v;
    bench_simulate(&s.b, 4, step);
    double start = bench_ledger(&s.b).kinetic, most = 0;
    if (load)
        assert_ok(carom_sim_load(s.b.sim, load, error));
    while (!carom_sim_done(s.b.sim)) {
        assert_ok(carom_sim_step(s.b.sim, error));
        most = fmax(most, fabs(bench_ledger(&s.b).residual));
        if (save && carom_sim_state(s.b.sim)->time > 2) {
            assert_ok(carom_sim_save(s.b.sim, save, error));
            save = NULL;
        }
    }
    assert_true(bench_ledger(&s.b).plasticity > 0.1 * start);
    if (hash)
        *hash = carom_state_hash(carom_sim_state(s.b.sim));
    s.b.meshes[0].velocities = NULL;
    bench_end(&s.b);
    free(v);
    return most / start;
}

static void the_ledger_closes(void **state) {
    (void)state;
    double coarse = run(0.02, 1, NULL, NULL, NULL), fine = run(0.01, 1, NULL, NULL, NULL);
    print_message("residual %g with steps of 0.02, %g with 0.01\n", coarse, fine);
    assert_true(coarse < 1e-5 && coarse / fine > 3.8);
}

static void the_same_bits(void **state) {
    (void)state;
    const char *path = "shell_layers_checkpoint";
    uint64_t one, other;
    run(0.02, 1, path, NULL, &one);
    run(0.02, 1, NULL, path, &other);
    assert_true(one == other);
    remove(path);
    for (int t = 0; t < 3; t++) {
        run(0.02, (const int[]){2, 3, 8}[t], NULL, NULL, &other);
        assert_true(one == other);
    }
}

// The evaluation of energies, fields, stable steps and measures does not change the history.
static void evaluation_changes_nothing(void **state) {
    (void)state;
    sheet s;
    uint64_t seed = 43;
    sheet_start(&s, 6, CAROM_SHELL_ONE_POINT, 1, 0.1);
    sheet_build(&s);
    perturb(&s, &seed, 0.03);
    evaluate(&s, CAROM_USE_COMMIT);
    double *kept = malloc(history_bytes(&s)), values[6 * 256], other[256];
    assert_non_null(kept);
    memcpy(kept, s.block->history, history_bytes(&s));
    const carom_block *block = s.block;
    const double(*x)[3] = (const double(*)[3])s.x, (*X)[3] = (const double(*)[3])s.model->X;
    block->element->split(block, 0, block->count, x, X, values);
    double all = 0;
    for (int e = 0; e < block->count; e++) {
        assert_true(values[2 * e] >= 0 && values[2 * e + 1] >= 0);
        all += values[2 * e] + values[2 * e + 1];
    }
    assert_near(energy_of(&s) / all, 1, 1e-14);
    for (int f = 0; f < CAROM_ELEMENT_FIELDS_MAX && block->element->fields[f].name; f++) {
        block->element->field(block, 0, block->count, x, X, f, values);
        if (strcmp(block->element->fields[f].name, "von_mises") == 0) {
            double most = 0;
            for (int e = 0; e < block->count; e++)
                most = fmax(most, values[e]);
            // where the material yields, it is the flow stress at a plastic strain of at most a few hundredths
            assert_true(most > 0.01 && most < 0.02);
        }
    }
    block->element->stable_step(block, 0, block->count, x, X, values);
    block->element->measure(block, 0, block->count, x, values, other);
    assert_memory_equal(kept, block->history, history_bytes(&s));
    free(kept);
    sheet_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_derivatives),     cmocka_unit_test(batches),           cmocka_unit_test(rigid_rotations),
        cmocka_unit_test(bending_beyond_yield),       cmocka_unit_test(the_ledger_closes), cmocka_unit_test(the_same_bits),
        cmocka_unit_test(evaluation_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
