// SPDX-License-Identifier: MIT
// Evaluates the system u = w + W x of the contacts of an island (notation: system.h): gaps and slips u, their change by contact
// forces x, Gauss-Seidel sweeps, and the residual. Without a dense W, a change of x displaces the nodes by C B^T dx, and u = w
// + A p is computed from these displacements. With a dense W, u itself is updated.
#include "contact/cones/system.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/cone.h"
#include "math/functions.h"
#include "math/vec3.h"

// A contact is immobile if restraints leave less than this fraction of its compliance: the rest is rounding.
static const double immobile_part = 1e-14;

// Entry of the dense W.
static double *dense_entry(const carom_cone_system *system, int i, int a, int j, int b) {
    return &system->W[((int64_t)3 * i + a) * 3 * system->count + 3 * j + b];
}

// Compliance of the proximal springs of row a.
static double proximal_softness(const carom_cone_system *system, const carom_cone_row *row, int a) {
    return system->proximal > 0 ? system->proximal * (a ? row->slip_compliance : row->block[0][0]) : 0;
}

// A C B^T over the common nodes of both contacts, plus softness and proximal springs on the diagonal.
void carom_cone_system_block(const carom_cone_system *system, int i, int j, double block[3][3]) {
    const carom_cone_row *row = &system->rows[i], *other = &system->rows[j];
    memset(block, 0, 9 * sizeof(double));
    for (int a = 0; a < row->size && i == j; a++)
        block[a][a] = proximal_softness(system, row, a);
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
                        block[a][b] += carom_dot(row->constraint[a][k], other->response[b][l]);
    if (i == j)
        block[0][0] += row->softness;
}

void carom_cone_row_prepare(const carom_cone_system *system, int i, double softest) {
    carom_cone_row *row = &system->rows[i];
    carom_cone_system_block(system, i, i, row->block);
    row->immobile = !(row->block[0][0] > immobile_part * softest);
    // larger eigenvalue of the symmetric part of the tangential block
    double a = row->size > 1 ? row->block[1][1] : 0, c = row->size > 2 ? row->block[2][2] : 0;
    double b = row->size > 2 ? 0.5 * (row->block[1][2] + row->block[2][1]) : 0;
    row->slip_compliance = 0.5 * (a + c) + carom_hypot(0.5 * (a - c), b);
    // tangentially restrained: any positive scale is valid
    if (!(row->slip_compliance > immobile_part * softest))
        row->slip_compliance = row->block[0][0];
}

// A change of x is applied immediately, as a Gauss-Seidel (not Jacobi) sweep requires.
void carom_cone_system_change(carom_cone_system *system, int i, const double dx[3]) {
    carom_cone_row *row = &system->rows[i];
    for (int b = 0; b < row->size; b++) {
        if (dx[b] == 0)
            continue;
        row->x[b] += dx[b];
        if (!system->W) {
            for (int k = 0; k < row->count; k++)
                carom_add_scaled(dx[b], row->response[b][k], system->p[row->node[k]]);
            continue;
        }
        for (int j = 0; j < system->count; j++)
            for (int a = 0; a < system->rows[j].size; a++)
                system->u[j][a] += *dense_entry(system, j, a, i, b) * dx[b];
    }
}

// Recomputation from x = 0 removes the rounding that many changes accumulate.
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

// w + A p + softness x0, and the proximal springs.
void carom_cone_system_value(const carom_cone_system *system, int i, double u[3]) {
    const carom_cone_row *row = &system->rows[i];
    carom_copy(system->W ? system->u[i] : row->w, u);
    for (int a = 0; a < row->size && !system->W; a++)
        for (int k = 0; k < row->count; k++)
            u[a] += carom_dot(row->constraint[a][k], system->p[row->node[k]]);
    if (!system->W)
        u[0] += row->softness * row->x[0];
    for (int a = 0; a < row->size && system->proximal > 0; a++)
        u[a] += proximal_softness(system, row, a) * (row->x[a] - row->anchor[a]);
}

void carom_cone_row_trial(const carom_cone_row *row, const double u[3], double trial[2]) {
    trial[0] = row->x[1] - u[1] / row->slip_compliance;
    trial[1] = row->size > 2 ? row->x[2] - u[2] / row->slip_compliance : 0;
}

// Projects a friction force onto the disc |y| <= limit.
static void cut(double y[2], double limit) {
    double size = carom_hypot(y[0], y[1]);
    if (size > limit) {
        double factor = carom_cone_factor(size, limit);
        y[0] *= factor;
        y[1] *= factor;
        // in the disc exactly, not only up to rounding
        while (carom_hypot(y[0], y[1]) > limit) {
            y[0] *= 1 - DBL_EPSILON;
            y[1] *= 1 - DBL_EPSILON;
        }
    }
}

// An immobile contact has no force, since it would displace nothing.
void carom_cone_system_project(carom_cone_system *system) {
    for (int i = 0; i < system->count; i++) {
        carom_cone_row *row = &system->rows[i];
        row->x[0] = row->immobile ? 0 : fmax(0, row->x[0]);
        cut(row->x + 1, row->friction * row->x[0]);
    }
    carom_cone_system_refresh(system);
}

// Solves contact i with fixed forces of the others: first the normal force, then friction within the new limit.
// Returns the largest change of its own gap or slip.
static double relax(carom_cone_system *system, int i) {
    carom_cone_row *row = &system->rows[i];
    if (row->immobile)
        return 0;
    double u[3], dx[3] = {0}, moved;
    carom_cone_system_value(system, i, u);
    dx[0] = fmax(0, row->x[0] - u[0] / row->block[0][0]) - row->x[0];
    moved = fabs(dx[0]) * row->block[0][0];
    carom_cone_system_change(system, i, dx);
    if (row->size == 1)
        return moved;

    carom_cone_system_value(system, i, u);
    double y[2];
    carom_cone_row_trial(row, u, y);
    cut(y, row->friction * row->x[0]);
    dx[0] = 0;
    dx[1] = y[0] - row->x[1];
    dx[2] = y[1] - row->x[2];
    carom_cone_system_change(system, i, dx);
    return fmax(moved, carom_hypot(dx[1], dx[2]) * row->slip_compliance);
}

double carom_cone_system_sweep(carom_cone_system *system) {
    double moved = 0;
    for (int i = 0; i < system->count; i++)
        moved = fmax(moved, relax(system, i));
    return moved;
}

// Sum of the magnitudes of the terms of u: the scale of its rounding error.
static double size_of_terms(const carom_cone_system *system, int i, int a) {
    const carom_cone_row *row = &system->rows[i];
    double size = fabs(row->w[a]) + row->block[0][0] * fabs(row->x[0]);
    for (int k = 0; k < row->count && !system->W; k++)
        for (int c = 0; c < 3; c++)
            size += fabs(row->constraint[a][k][c] * system->p[row->node[k]][c]);
    for (int j = 0; j < system->count && system->W; j++)
        for (int b = 0; b < system->rows[j].size; b++)
            size += fabs(*dense_entry(system, i, a, j, b) * system->rows[j].x[b]);
    return size;
}

// The larger value; NaN is larger than any number.
static double worse(double a, double b) {
    return isnan(a) || a >= b ? a : b;
}

// The residual of the complementarity and projection equations. Excluded contacts contribute to `depth` only.
carom_cone_residual carom_cone_system_residual(const carom_cone_system *system) {
    carom_cone_residual residual = {0};
    for (int i = 0; i < system->count; i++) {
        const carom_cone_row *row = &system->rows[i];
        double u[3];
        carom_cone_system_value(system, i, u);
        // complementarity as a length: min(u0, q x0) = 0
        double normal = row->immobile ? fmax(0, -u[0]) : fabs(fmin(u[0], row->block[0][0] * row->x[0]));
        residual.gap = fmax(residual.gap, fabs(row->w[0]));
        residual.rounding = fmax(residual.rounding, size_of_terms(system, i, 0));
        if (row->excluded)
            residual.depth = worse(residual.depth, -u[0]);
        else
            residual.normal = worse(residual.normal, normal);
        if (row->size == 1 || row->immobile || row->excluded || system->frozen)
            continue;
        double y[2];
        carom_cone_row_trial(row, u, y);
        // the fixed-point residual of the projection, as a length
        cut(y, row->friction * fmax(0, row->x[0]));
        double tangential = row->slip_compliance * carom_hypot(y[0] - row->x[1], y[1] - row->x[2]);
        residual.tangential = worse(residual.tangential, tangential);
        for (int a = 1; a < row->size; a++) {
            residual.slip = fmax(residual.slip, fabs(row->w[a]));
            residual.rounding = fmax(residual.rounding, size_of_terms(system, i, a) + row->slip_compliance * fabs(row->x[a]));
        }
    }
    // a few roundings for each term
    residual.rounding *= 4 * DBL_EPSILON;
    return residual;
}
