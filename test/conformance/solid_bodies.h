// SPDX-License-Identifier: MIT
// What bodies of solids fulfil whose elements overlap, for any element: forces, stiffness, motions without energy.
#ifndef CAROM_TEST_SOLID_BODIES_H
#define CAROM_TEST_SOLID_BODIES_H

#include "../solids.h"

static inline double solid_energy(const carom_model *model, const double (*x)[3]) {
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

static inline void solid_shake(const carom_model *model, double most, bool plane, uint64_t *seed, double (*x)[3]) {
    for (int k = 0; k < 3 * model->node_count; k++)
        x[k / 3][k % 3] = model->X[k / 3][k % 3] + (plane && k % 3 == 2 ? 0 : random_real(seed, -most, most));
}

// Rotates and moves all places.
static inline void solid_turn(int count, const double axis[3], double angle, const double shift[3], const double (*from)[3],
                              double (*to)[3]) {
    for (int k = 0; k < count; k++) {
        double c[3], along = carom_dot(axis, from[k]);
        carom_cross(axis, from[k], c);
        for (int i = 0; i < 3; i++)
            to[k][i] = from[k][i] * cos(angle) + c[i] * sin(angle) + axis[i] * along * (1 - cos(angle)) + shift[i];
    }
}

// Tolerances: of forces as derivatives of the energy, of their sum and moment, of forces of a body that has only been moved,
// and of those of a deformed body that is rotated.
typedef struct solid_limits {
    double gradient, sum, moment, moved, rotated;
} solid_limits;

// Force is minus the gradient of the energy, and has no resultant and no moment, for the linear law about the reference.
static inline void solid_check_gradient(const carom_model *model, bool plane, bool rotates, solid_limits limits, double (*x)[3],
                                        const double (*f)[3]) {
    double sum[3] = {0}, moment[3] = {0}, h = 1e-5;
    for (int k = 0; k < model->node_count; k++) {
        double turn[3];
        carom_cross(rotates ? x[k] : model->X[k], f[k], turn);
        carom_add_scaled(1, f[k], sum);
        carom_add_scaled(1, turn, moment);
        for (int i = 0; i < (plane ? 2 : 3); i++) {
            double e[4], at = x[k][i], d[4] = {-2 * h, -h, h, 2 * h};
            for (int j = 0; j < 4; j++)
                x[k][i] = at + d[j], e[j] = solid_energy(model, (const double(*)[3])x);
            x[k][i] = at;
            assert_near(f[k][i], -(e[0] - 8 * e[1] + 8 * e[2] - e[3]) / (12 * h), limits.gradient);
        }
    }
    assert_true(carom_norm(sum) < limits.sum && carom_norm(moment) < limits.moment);
}

// Gradient and resultants as above; a body that is moved has no forces, and a rotated one has rotated forces. `rotates`: by any
// angle, otherwise (the linear law) only a small one costs nothing.
static inline void solid_check_forces(const carom_model *model, bool plane, bool rotates, solid_limits limits, uint64_t *seed) {
    int n = model->node_count;
    double(*x)[3] = solid_reserve(n, sizeof *x), (*y)[3] = solid_reserve(n, sizeof *y);
    double(*f)[3] = solid_reserve(n, sizeof *f), (*g)[3] = solid_reserve(n, sizeof *g);
    const double(*now)[3] = (const double(*)[3])x, (*turned)[3] = (const double(*)[3])y;
    solid_shake(model, 0.05, plane, seed, x);
    solid_force(model, now, f);
    solid_check_gradient(model, plane, rotates, limits, x, (const double(*)[3])f);

    double axis[3] = {plane ? 0 : 0.3, plane ? 0 : -0.5, 0.7}, angle = rotates ? 2.1 : 1e-7;
    carom_normalize(axis);
    solid_turn(n, axis, angle, VECTOR(3, -1, plane ? 0 : 2), (const double(*)[3])model->X, y);
    solid_force(model, turned, g);
    for (int k = 0; k < n; k++)
        assert_true(carom_norm(g[k]) < limits.moved);
    assert_true(solid_energy(model, turned) < 1e-14);

    solid_turn(n, axis, angle, VECTOR(0, 0, 0), now, y);
    solid_force(model, turned, g);
    solid_turn(n, axis, angle, VECTOR(0, 0, 0), (const double(*)[3])f, y);
    for (int k = 0; k < n && rotates; k++)
        for (int i = 0; i < 3; i++)
            assert_near(g[k][i], y[k][i], limits.rotated);
    free(x);
    free(y);
    free(f);
    free(g);
}

// The stiffness of element e at x is the derivative of its force, and symmetric.
static inline void solid_check_stiffness(const carom_block *block, int e, bool plane, double (*x)[3], const double (*X)[3]) {
    int n = block->node_count, dofs = 3 * n, count = (int)carom_lanes_size(block->count, dofs);
    const double(*now)[3] = (const double(*)[3])x;
    double *plus = solid_reserve(count, sizeof *plus), *minus = solid_reserve(count, sizeof *minus);
    double *K = solid_reserve((int64_t)block->count * dofs * dofs, sizeof *K), h = 1e-6;
    block->element->stiffness(block, e, e + 1, now, X, K);
    const double *own = K + (int64_t)dofs * dofs * e;
    for (int j = 0; j < dofs; j++) {
        if (plane && j % 3 == 2)
            continue;
        double *at = &x[block->nodes[n * e + j / 3]][j % 3], old = *at;
        *at = old + h, block->element->force(block, e, e + 1, now, X, plus);
        *at = old - h, block->element->force(block, e, e + 1, now, X, minus);
        *at = old;
        for (int i = 0; i < dofs; i++) {
            int64_t slot = carom_lane(e, i, dofs);
            assert_near(own[dofs * i + j], (minus[slot] - plus[slot]) / (2 * h), 1e-8);
            assert_near(own[dofs * i + j], own[dofs * j + i], 1e-14);
        }
    }
    free(plus);
    free(minus);
    free(K);
}

// Ranges write only what they were asked for; an element by itself has the same forces (slot `single`).
static inline void solid_check_range(const carom_block *block, int e, const double (*x)[3], const double (*X)[3]) {
    int n = block->node_count, dofs = 3 * n, count = (int)carom_lanes_size(block->count, dofs);
    double *all = solid_reserve(count, sizeof *all), *one = solid_reserve(count, sizeof *one);
    block->element->force(block, 0, block->count, x, X, all);
    for (int i = 0; i < count; i++)
        one[i] = 77;
    block->element->force(block, e, e + 1, x, X, one);
    for (int i = 0; i < block->count * dofs; i++) {
        int64_t at = carom_lane(i / dofs, i % dofs, dofs);
        assert_true(one[at] == (i / dofs == e ? all[at] : 77));
    }
    if (block->element->single) {
        const carom_single *single = block->element->single(block);
        double *data = solid_reserve(single->data_size, sizeof *data), q[64][3], f[64][3];
        single->prepare(block, e, X, data);
        for (int a = 0; a < n; a++)
            carom_copy(x[block->nodes[n * e + a]], q[a]);
        single->force(block, data, (const double(*)[3])q, f);
        for (int i = 0; i < dofs; i++)
            assert_near(f[i / 3][i % 3], all[carom_lane(e, i, dofs)], 1e-15);
        free(data);
    }
    free(all);
    free(one);
}

// One element of each block of a shaken body.
static inline void solid_check_elements(const carom_model *model, bool plane, uint64_t *seed) {
    double(*x)[3] = solid_reserve(model->node_count, sizeof *x);
    const double(*X)[3] = (const double(*)[3])model->X;
    solid_shake(model, 0.05, plane, seed, x);
    for (int b = 0; b < model->block_count; b++) {
        int e = model->blocks[b].count / 2;
        solid_check_range(&model->blocks[b], e, (const double(*)[3])x, X);
        solid_check_stiffness(&model->blocks[b], e, plane, x, X);
    }
    free(x);
}

// The stiffness without strain, dense, of blocks of cells or of others.
static inline double *solid_stiffness(const carom_model *model, bool cells, bool others) {
    int n = 3 * model->node_count;
    double *A = solid_reserve((int64_t)n * n, sizeof *A);
    const double(*X)[3] = (const double(*)[3])model->X;
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        int m = block->node_count, dofs = 3 * m;
        if (carom_block_has_cells(block) ? !cells : !others)
            continue;
        double *K = solid_reserve((int64_t)block->count * dofs * dofs, sizeof *K);
        block->element->stiffness(block, 0, block->count, X, X, K);
        for (int64_t i = 0; i < (int64_t)block->count * dofs * dofs; i++) {
            const int *nodes = &block->nodes[i / (dofs * dofs) * m];
            int r = (int)(i / dofs % dofs), k = (int)(i % dofs);
            A[(int64_t)n * (3 * nodes[r / 3] + r % 3) + 3 * nodes[k / 3] + k % 3] += K[i];
        }
        free(K);
    }
    return A;
}

// Motions that cost nothing: unknowns less the rank of the stiffness, by Cholesky's method with the largest pivot first.
static inline int solid_free_motions(const carom_model *model, bool cells, bool others) {
    int n = 3 * model->node_count, rank = 0;
    double *A = solid_stiffness(model, cells, others), *row = solid_reserve(n, sizeof *row), most = 0;
    for (; rank < n; rank++) {
        int p = 0;
        for (int i = 1; i < n; i++)
            p = A[(int64_t)(n + 1) * i] > A[(int64_t)(n + 1) * p] ? i : p;
        double pivot = A[(int64_t)(n + 1) * p];
        most = fmax(most, pivot);
        if (pivot < 1e-11 * most)
            break;
        memcpy(row, &A[(int64_t)n * p], (size_t)n * sizeof *row);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                A[(int64_t)n * i + j] -= row[i] * row[j] / pivot;
    }
    free(row);
    free(A);
    return n - rank;
}

// The shortest stable step of an element by itself.
static inline double solid_shortest_step(const carom_model *model) {
    const double(*X)[3] = (const double(*)[3])model->X;
    double shortest = HUGE_VAL;
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        double *step = solid_reserve(block->count, sizeof *step);
        block->element->stable_step(block, 0, block->count, X, X, step);
        for (int e = 0; e < block->count; e++)
            shortest = fmin(shortest, step[e]);
        free(step);
    }
    return shortest;
}

#endif
