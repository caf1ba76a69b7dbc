// SPDX-License-Identifier: MIT
// `nodal` as bodies of patches and cells: what test_elements.c asks of single elements, and modes without energy. The other
// properties of solids are in test_solids.c, test_solid_*.c and test_static.c.
#include "../solids.h"
#include "element/average/nodal.h"

static const carom_elastic_params rubber = {.young = 1.3, .poisson = 0.3, .density = 0.7};
static const double size[3] = {1.5, 1.2, 1};
static const solid_case *const cases[] = {&solid_cases[7], &solid_cases[8]};

enum { CASES = 2 };

static double energy_of(const carom_model *model, const double (*x)[3]) {
    double sum = 0;
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        double *energy = solid_reserve(block->count, sizeof *energy);
        block->element->energy(block, 0, block->count, x, (const double(*)[3])model->X, energy);
        for (int e = 0; e < block->count; e++)
            sum += energy[e];
        free(energy);
    }
    return sum;
}

// A distorted body of few cells.
static void start(solid *s, const solid_case *c, const char *material, carom_elastic_params law, uint64_t *seed) {
    solid_start(s, c, size, (const int[]){3, 2, 2}, material, law);
    solid_distort(s, size, false, 0.1, seed);
    bench_build(&s->b);
}

static void shake(const carom_model *model, double most, uint64_t *seed, double (*x)[3]) {
    for (int k = 0; k < 3 * model->node_count; k++)
        x[k / 3][k % 3] = model->X[k / 3][k % 3] + random_real(seed, -most, most);
}

static void rotate(const double axis[3], double angle, const double a[3], double b[3]) {
    double c[3];
    carom_cross(axis, a, c);
    double along = carom_dot(axis, a);
    for (int i = 0; i < 3; i++)
        b[i] = a[i] * cos(angle) + c[i] * sin(angle) + axis[i] * along * (1 - cos(angle));
}

// Force is minus the gradient of the energy, has no resultant and no moment; a turned body has turned forces.
static void forces(void **state) {
    (void)state;
    uint64_t seed = 21;
    for (int c = 0; c < CASES; c++)
        for (int m = 0; m < ELASTIC_LAWS; m++) {
            const char *material = carom_materials()->kinds[m]->name;
            bool rotates = strcmp(material, "linear") != 0;
            solid s;
            start(&s, cases[c], material, rubber, &seed);
            const carom_model *model = s.b.model;
            int n = model->node_count;
            double(*x)[3] = solid_reserve(n, sizeof *x), (*y)[3] = solid_reserve(n, sizeof *y);
            double(*f)[3] = solid_reserve(n, sizeof *f), (*g)[3] = solid_reserve(n, sizeof *g);
            const double(*now)[3] = (const double(*)[3])x, (*turned)[3] = (const double(*)[3])y;
            shake(model, 0.05, &seed, x);
            solid_force(model, now, f);
            double sum[3] = {0}, moment[3] = {0}, h = 1e-5;
            for (int k = 0; k < n; k++) {
                double turn[3];
                carom_cross(rotates ? x[k] : model->X[k], f[k], turn);
                carom_add_scaled(1, f[k], sum);
                carom_add_scaled(1, turn, moment);
                for (int i = 0; i < 3; i++) {
                    double e[4], at = x[k][i], d[4] = {-2 * h, -h, h, 2 * h};
                    for (int j = 0; j < 4; j++)
                        x[k][i] = at + d[j], e[j] = energy_of(model, now);
                    x[k][i] = at;
                    assert_near(f[k][i], -(e[0] - 8 * e[1] + 8 * e[2] - e[3]) / (12 * h), 1e-9);
                }
            }
            assert_true(carom_norm(sum) < 1e-14 && carom_norm(moment) < 1e-14);

            // any rotation, or a small one of the linear law
            double axis[3] = {0.3, -0.5, 0.7}, angle = rotates ? 2.1 : 1e-7;
            carom_normalize(axis);
            for (int k = 0; k < n; k++) {
                rotate(axis, angle, model->X[k], y[k]);
                carom_add_scaled(1, VECTOR(3, -1, 2), y[k]);
            }
            solid_force(model, turned, g);
            for (int k = 0; k < n; k++)
                assert_true(carom_norm(g[k]) < 1e-13);
            assert_true(energy_of(model, turned) < 1e-14);
            for (int k = 0; k < n; k++)
                rotate(axis, angle, x[k], y[k]);
            solid_force(model, turned, g);
            for (int k = 0; k < n && rotates; k++) {
                double expected[3];
                rotate(axis, angle, f[k], expected);
                for (int i = 0; i < 3; i++)
                    assert_near(g[k][i], expected[i], 1e-13);
            }
            free(x);
            free(y);
            free(f);
            free(g);
            bench_end(&s.b);
        }
}

// Ranges write only what they were asked for; elements by themselves have the same forces; the stiffness is their derivative.
static void elements(void **state) {
    (void)state;
    uint64_t seed = 22;
    for (int c = 0; c < CASES; c++)
        for (int m = 0; m < ELASTIC_LAWS; m++) {
            solid s;
            start(&s, cases[c], carom_materials()->kinds[m]->name, rubber, &seed);
            const carom_model *model = s.b.model;
            double(*x)[3] = solid_reserve(model->node_count, sizeof *x);
            shake(model, 0.05, &seed, x);
            const double(*now)[3] = (const double(*)[3])x, (*X)[3] = (const double(*)[3])model->X;
            for (int b = 0; b < model->block_count; b++) {
                const carom_block *block = &model->blocks[b];
                int n = block->node_count, dofs = 3 * n, e = block->count / 2,
                    count = (int)carom_lanes_size(block->count, dofs);
                double *all = solid_reserve(count, sizeof *all), *one = solid_reserve(count, sizeof *one);
                double *K = solid_reserve((int64_t)block->count * dofs * dofs, sizeof *K);
                block->element->force(block, 0, block->count, now, X, all);
                for (int i = 0; i < count; i++)
                    one[i] = 77;
                block->element->force(block, e, e + 1, now, X, one);
                for (int i = 0; i < block->count * dofs; i++) {
                    int64_t at = carom_lane(i / dofs, i % dofs, dofs);
                    assert_true(one[at] == (i / dofs == e ? all[at] : 77));
                }
                const carom_single *single = block->element->single(block);
                double *data = solid_reserve(single->data_size, sizeof *data), q[64][3], f[64][3];
                single->prepare(block, e, X, data);
                for (int a = 0; a < n; a++)
                    carom_copy(x[block->nodes[n * e + a]], q[a]);
                single->force(block, data, (const double(*)[3])q, f);
                for (int i = 0; i < dofs; i++)
                    assert_near(f[i / 3][i % 3], all[carom_lane(e, i, dofs)], 1e-15);
                free(data);

                block->element->stiffness(block, e, e + 1, now, X, K);
                const double *own = K + (int64_t)dofs * dofs * e, h = 1e-6;
                for (int j = 0; j < dofs; j++) {
                    double *at = &x[block->nodes[n * e + j / 3]][j % 3], old = *at;
                    *at = old + h, block->element->force(block, e, e + 1, now, X, one);
                    *at = old - h, block->element->force(block, e, e + 1, now, X, all);
                    *at = old;
                    for (int i = 0; i < dofs; i++) {
                        int64_t slot = carom_lane(e, i, dofs);
                        assert_near(own[dofs * i + j], (all[slot] - one[slot]) / (2 * h), 1e-8);
                    }
                }
                free(all);
                free(one);
                free(K);
            }
            free(x);
            bench_end(&s.b);
        }
}

// Motions that cost nothing, of some of the blocks: unknowns less the rank of K, by Cholesky's method with the largest
// pivot first.
static int free_motions(const carom_model *model, bool cells, bool patches) {
    int size_ = 3 * model->node_count, rank = 0;
    double *A = solid_reserve((int64_t)size_ * size_, sizeof *A), most = 0;
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        int n = block->node_count, dofs = 3 * n;
        if (carom_block_has_cells(block) ? !cells : !patches)
            continue;
        double *K = solid_reserve((int64_t)block->count * dofs * dofs, sizeof *K);
        block->element->stiffness(block, 0, block->count, (const double(*)[3])model->X, (const double(*)[3])model->X, K);
        for (int64_t i = 0; i < (int64_t)block->count * dofs * dofs; i++) {
            const int *nodes = &block->nodes[i / (dofs * dofs) * n];
            int r = (int)(i / dofs % dofs), k = (int)(i % dofs);
            A[(int64_t)size_ * (3 * nodes[r / 3] + r % 3) + 3 * nodes[k / 3] + k % 3] += K[i];
        }
        free(K);
    }
    for (; rank < size_; rank++) {
        int p = 0;
        for (int i = 1; i < size_; i++)
            p = A[(int64_t)(size_ + 1) * i] > A[(int64_t)(size_ + 1) * p] ? i : p;
        double pivot = A[(int64_t)(size_ + 1) * p];
        most = fmax(most, pivot);
        if (pivot < 1e-11 * most)
            break;
        double *row = solid_reserve(size_, sizeof *row);
        memcpy(row, &A[(int64_t)size_ * p], (size_t)size_ * sizeof *row);
        for (int i = 0; i < size_; i++)
            for (int j = 0; j < size_; j++)
                A[(int64_t)size_ * i + j] -= row[i] * row[j] / pivot;
        free(row);
    }
    free(A);
    return size_ - rank;
}

// Only rigid motions cost nothing; the cells alone see to that.
static void modes(void **state) {
    (void)state;
    for (int c = 0; c < CASES; c++) {
        solid s;
        solid_start(&s, cases[c], VECTOR(1, 1, 1), (const int[]){3, 3, 3}, "linear", rubber);
        bench_build(&s.b);
        assert_int_equal(free_motions(s.b.model, true, true), 6);
        assert_int_equal(free_motions(s.b.model, true, false), 6);
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
            const double(*X)[3] = (const double(*)[3])model->X;
            double own = HUGE_VAL, *moves = solid_reserve(model->node_count, sizeof *moves);
            for (int b = 0; b < model->block_count; b++) {
                const carom_block *block = &model->blocks[b];
                int n = block->node_count;
                double *step = solid_reserve(block->count, sizeof *step);
                block->element->stable_step(block, 0, block->count, X, X, step);
                for (int e = 0; e < block->count; e++)
                    own = fmin(own, step[e]);
                for (int i = 0; i < block->count * n && !carom_block_has_cells(block); i++)
                    moves[block->nodes[i]] +=
                        law.density * block->data[carom_lane(i / n, carom_nodal_share(n, i % n), block->data_size)];
                free(step);
            }
            double part = carom_nodal_cell_share(&s.nodal), limit = 2 / sqrt(solid_fastest(model, &seed));
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
