// SPDX-License-Identifier: MIT
#include "contact/cones/system.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/vec3.h"

// What is left of a softness where restraints take all of it.
static const double stuck_part = 1e-14;

static double *dense_entry(const carom_cone_system *system, int i, int a, int j, int b) {
    return &system->W[((int64_t)3 * i + a) * 3 * system->count + 3 * j + b];
}

static double held_softness(const carom_cone_system *system, const carom_cone_row *row, int a) {
    return system->hold > 0 ? system->hold * (a ? row->grip : row->block[0][0]) : 0;
}

void carom_cone_system_block(const carom_cone_system *system, int i, int j, double block[3][3]) {
    const carom_cone_row *row = &system->rows[i], *other = &system->rows[j];
    memset(block, 0, 9 * sizeof(double));
    for (int a = 0; a < row->size && i == j; a++)
        block[a][a] = held_softness(system, row, a);
    if (system->W) {
        for (int a = 0; a < row->size; a++)
            for (int b = 0; b < other->size; b++)
                block[a][b] += *dense_entry(system, i, a, j, b);
        return;
    }
    for (int k = 0; k < row->count; k++)
        for (int l = 0; l < other->count; l++)
            if (row->node[k] == other->node[l])
                for (int a = 0; a < row->size; a++)
                    for (int b = 0; b < other->size; b++)
                        block[a][b] += carom_dot(row->feel[a][k], other->move[b][l]);
    if (i == j)
        block[0][0] += row->softness;
}

void carom_cone_row_prepare(const carom_cone_system *system, int i, double softest) {
    carom_cone_row *row = &system->rows[i];
    carom_cone_system_block(system, i, i, row->block);
    row->stuck = !(row->block[0][0] > stuck_part * softest);
    double a = row->size > 1 ? row->block[1][1] : 0, c = row->size > 2 ? row->block[2][2] : 0;
    double b = row->size > 2 ? 0.5 * (row->block[1][2] + row->block[2][1]) : 0;
    row->grip = 0.5 * (a + c) + hypot(0.5 * (a - c), b);
    if (!(row->grip > stuck_part * softest))
        row->grip = row->block[0][0];
}

void carom_cone_system_change(carom_cone_system *system, int i, const double dx[3]) {
    carom_cone_row *row = &system->rows[i];
    for (int b = 0; b < row->size; b++) {
        if (dx[b] == 0)
            continue;
        row->x[b] += dx[b];
        if (!system->W) {
            for (int k = 0; k < row->count; k++)
                carom_add_scaled(dx[b], row->move[b][k], system->p[row->node[k]]);
            continue;
        }
        for (int j = 0; j < system->count; j++)
            for (int a = 0; a < system->rows[j].size; a++)
                system->u[j][a] += *dense_entry(system, j, a, i, b) * dx[b];
    }
}

void carom_cone_system_refresh(carom_cone_system *system) {
    for (int i = 0; i < system->count; i++) {
        const carom_cone_row *row = &system->rows[i];
        if (system->W)
            carom_copy(row->w, system->u[i]);
        for (int k = 0; k < row->count && !system->W; k++)
            memset(system->p[row->node[k]], 0, 3 * sizeof(double));
    }
    for (int i = 0; i < system->count; i++) {
        carom_cone_row *row = &system->rows[i];
        double x[3];
        carom_copy(row->x, x);
        memset(row->x, 0, sizeof row->x);
        carom_cone_system_change(system, i, x);
    }
}

void carom_cone_system_value(const carom_cone_system *system, int i, double u[3]) {
    const carom_cone_row *row = &system->rows[i];
    carom_copy(system->W ? system->u[i] : row->w, u);
    for (int a = 0; a < row->size && !system->W; a++)
        for (int k = 0; k < row->count; k++)
            u[a] += carom_dot(row->feel[a][k], system->p[row->node[k]]);
    if (!system->W)
        u[0] += row->softness * row->x[0];
    for (int a = 0; a < row->size && system->hold > 0; a++)
        u[a] += held_softness(system, row, a) * (row->x[a] - row->held[a]);
}

// Cuts a tangential force back to the cone.
static void cut(double y[2], double limit) {
    double size = hypot(y[0], y[1]);
    if (size > limit) {
        y[0] *= limit / size;
        y[1] *= limit / size;
        // not even by rounding
        while (hypot(y[0], y[1]) > limit) {
            y[0] *= 1 - DBL_EPSILON;
            y[1] *= 1 - DBL_EPSILON;
        }
    }
}

void carom_cone_system_project(carom_cone_system *system) {
    for (int i = 0; i < system->count; i++) {
        carom_cone_row *row = &system->rows[i];
        row->x[0] = row->stuck ? 0 : fmax(0, row->x[0]);
        cut(row->x + 1, row->friction * row->x[0]);
    }
}

static double relax(carom_cone_system *system, int i) {
    carom_cone_row *row = &system->rows[i];
    if (row->stuck)
        return 0;
    double u[3], dx[3] = {0}, moved;
    carom_cone_system_value(system, i, u);
    dx[0] = fmax(0, row->x[0] - u[0] / row->block[0][0]) - row->x[0];
    moved = fabs(dx[0]) * row->block[0][0];
    carom_cone_system_change(system, i, dx);
    if (row->size == 1)
        return moved;

    carom_cone_system_value(system, i, u);
    double y[2] = {row->x[1] - u[1] / row->grip, row->size > 2 ? row->x[2] - u[2] / row->grip : 0};
    cut(y, row->friction * row->x[0]);
    dx[0] = 0;
    dx[1] = y[0] - row->x[1];
    dx[2] = y[1] - row->x[2];
    carom_cone_system_change(system, i, dx);
    return fmax(moved, hypot(dx[1], dx[2]) * row->grip);
}

double carom_cone_system_sweep(carom_cone_system *system) {
    double moved = 0;
    for (int i = 0; i < system->count; i++)
        moved = fmax(moved, relax(system, i));
    return moved;
}

// The size of the terms that make up u.
static double size_of_terms(const carom_cone_system *system, int i, int a) {
    const carom_cone_row *row = &system->rows[i];
    double size = fabs(row->w[a]) + row->block[0][0] * fabs(row->x[0]);
    for (int k = 0; k < row->count && !system->W; k++)
        for (int c = 0; c < 3; c++)
            size += fabs(row->feel[a][k][c] * system->p[row->node[k]][c]);
    for (int j = 0; j < system->count && system->W; j++)
        for (int b = 0; b < system->rows[j].size; b++)
            size += fabs(*dense_entry(system, i, a, j, b) * system->rows[j].x[b]);
    return size;
}

// What is not a number is the worst.
static double worse(double a, double b) {
    return isnan(a) || a >= b ? a : b;
}

carom_cone_lack carom_cone_system_lack(const carom_cone_system *system) {
    carom_cone_lack lack = {0};
    for (int i = 0; i < system->count; i++) {
        const carom_cone_row *row = &system->rows[i];
        double u[3];
        carom_cone_system_value(system, i, u);
        double normal = row->stuck ? fmax(0, -u[0]) : fabs(fmin(u[0], row->block[0][0] * row->x[0]));
        lack.gap = fmax(lack.gap, fabs(row->w[0]));
        lack.rounding = fmax(lack.rounding, size_of_terms(system, i, 0));
        if (row->barred)
            lack.depth = worse(lack.depth, -u[0]);
        else
            lack.normal = worse(lack.normal, normal);
        if (row->size == 1 || row->stuck || row->barred || system->frozen)
            continue;
        double y[2] = {row->x[1] - u[1] / row->grip, row->size > 2 ? row->x[2] - u[2] / row->grip : 0};
        cut(y, row->friction * fmax(0, row->x[0]));
        double tangential = row->grip * hypot(y[0] - row->x[1], y[1] - row->x[2]);
        lack.tangential = worse(lack.tangential, tangential);
        for (int a = 1; a < row->size; a++) {
            lack.slip = fmax(lack.slip, fabs(row->w[a]));
            lack.rounding = fmax(lack.rounding, size_of_terms(system, i, a) + row->grip * fabs(row->x[a]));
        }
    }
    lack.rounding *= 4 * DBL_EPSILON;
    return lack;
}
