// SPDX-License-Identifier: MIT
// Stiffness damping of an element at positions x and velocities w (docs/theory/loads_and_damping.md), for the processor
// (damping.c) and for devices:
//
//     d = -b Q K Q w,   Q removes the velocities that the element could have as a rigid body at x,
//     K u = -(f(x + e u) - f(x))/e,   e |u| = 1e-7 of the element's size.
//
// For a material with history both forces are evaluated with the current history: K is the elastic stiffness. The forces of the
// kick cannot serve as f(x): they belong to the end of a step with plastic flow or relaxation, and the difference would be
// divided by e.
//
// Q = Q^T removes mean velocity and mean rotation, so d has no resultant and no moment, and a body in rigid motion has no
// damping force, whatever its stress. Where K would supply energy (u.K u < 0, an element about to buckle) the element has no
// damping.
#ifndef CAROM_MODEL_MOTION_DAMPING_BODY_H
#define CAROM_MODEL_MOTION_DAMPING_BODY_H

#include <math.h>
#include <stdbool.h>

#include "math/vec3.h"

// The step of the difference quotient: a truncation error of about 1e-7 by the curvature of f, and a rounding error of about
// 1e-9.
#define CAROM_DAMPING_DIFFERENCE 1e-7

// Positions relative to the centre of an element, and the Cholesky factor of their inertia sum (r.r I - r r^T), regularised for
// rotation about the axis of a bar.
typedef struct carom_damping_rigid {
    int count;
    double (*r)[3];
    double L[3][3];
    double size; // root mean square distance of the nodes from the centre
} carom_damping_rigid;

CAROM_LOCAL void carom_damping_rigid_of(const int *nodes, int count, const double (*x)[3], double (*place)[3],
                                        carom_damping_rigid *body) {
    double centre[3] = {0, 0, 0}, square = 0, I[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    body->count = count;
    body->r = place;
    for (int a = 0; a < count; a++)
        // The unweighted mean: damping needs no masses, and Q is then symmetric.
        carom_add_scaled(1.0 / count, x[nodes[a]], centre);
    for (int a = 0; a < count; a++) {
        double *r = body->r[a];
        carom_difference(x[nodes[a]], centre, r);
        square += carom_dot(r, r);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                // The inertia tensor of unit masses, sum (r.r I - r r^T).
                I[i][j] -= r[i] * r[j];
    }
    body->size = sqrt(square / count);
    for (int i = 0; i < 3; i++)
        // The small term makes the inertia of a bar about its own axis positive. That rotation moves no node, so the value does
        // not matter.
        I[i][i] += square * (1 + 1e-12);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            double sum = I[i][j];
            for (int k = 0; k < j; k++)
                sum -= body->L[i][k] * body->L[j][k];
            body->L[i][j] = i == j ? sqrt(sum) : sum / body->L[j][j];
        }
}

// Replaces u by Q u.
CAROM_LOCAL void carom_damping_remove(const carom_damping_rigid *body, double (*u)[3]) {
    // The mean velocity first: the moment is then that of the remainder about the centre.
    double mean[3] = {0, 0, 0}, turn[3] = {0, 0, 0};
    for (int a = 0; a < body->count; a++)
        carom_add_scaled(1.0 / body->count, u[a], mean);
    for (int a = 0; a < body->count; a++) {
        double moment[3];
        carom_add_scaled(-1, mean, u[a]);
        carom_cross(body->r[a], u[a], moment);
        carom_add_scaled(1, moment, turn);
    }
    // Forward and back substitution with the Cholesky factor: turn = I^-1 moment.
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < i; k++)
            turn[i] -= body->L[i][k] * turn[k];
        turn[i] /= body->L[i][i];
    }
    for (int i = 2; i >= 0; i--) {
        for (int k = i + 1; k < 3; k++)
            turn[i] -= body->L[k][i] * turn[k];
        turn[i] /= body->L[i][i];
    }
    for (int a = 0; a < body->count; a++) {
        double v[3];
        carom_cross(turn, body->r[a], v);
        carom_add_scaled(-1, v, u[a]);
    }
}

// The length e of the perturbation e u, for u without rigid motion: the same for all elements relative to their size; zero for
// an element in rigid motion.
CAROM_LOCAL double carom_damping_length(const carom_damping_rigid *body, const double (*u)[3]) {
    double square = 0;
    for (int a = 0; a < body->count; a++)
        square += carom_dot(u[a], u[a]);
    return square > 0 ? CAROM_DAMPING_DIFFERENCE * body->size / sqrt(square / body->count) : 0;
}

// Removes the rigid motion from the velocities u of the nodes; returns the length of the perturbation. `place` has one row per
// node.
CAROM_LOCAL double carom_damping_open(const int *nodes, int count, const double (*x)[3], double (*place)[3], double (*u)[3],
                                      carom_damping_rigid *body) {
    carom_damping_rigid_of(nodes, count, x, place, body);
    carom_damping_remove(body, u);
    return carom_damping_length(body, u);
}

// -b K u of one component, from forces with and without the perturbation.
CAROM_LOCAL double carom_damping_quotient(double b, double length, double f, double still) {
    return length > 0 ? b * (f - still) / length : 0;
}

// Removes resultant and moment of a force d, which the difference quotient does not conserve exactly. True if d takes power
// from u: negative stiffness would supply energy.
CAROM_LOCAL bool carom_damping_close(const carom_damping_rigid *body, const double (*u)[3], double (*d)[3]) {
    double power = 0;
    carom_damping_remove(body, d);
    for (int a = 0; a < body->count; a++)
        power -= carom_dot(d[a], u[a]);
    return power > 0;
}

#endif
