// SPDX-License-Identifier: MIT
// Stiffness damping of an element at positions x and velocities w (docs/theory/loads_and_damping.md), for the processor
// (damping.c) and for devices:
//
//     d = -b Q K Q w,   Q removes the velocities that the element could have as a rigid body at x,
//     K u = -(f(x + e u) - f(x))/e,   e |u| = 1e-7 of the element's size.
//
// Of a material with history both forces are read at the history as it is: K is the elastic stiffness. The forces of the kick
// will not do for f(x): they belong to the end of a step that flows or relaxes, and the difference would be divided by e.
//
// Q = Q^T takes away mean velocity and mean rotation, so d has no resultant and no moment, and a body that only moves and turns
// feels nothing, whatever its stress. Where K would give energy (u.K u < 0, an element about to buckle) the element has no
// damping.
#ifndef CAROM_MODEL_MOTION_DAMPING_BODY_H
#define CAROM_MODEL_MOTION_DAMPING_BODY_H

#include <math.h>
#include <stdbool.h>

#include "math/vec3.h"

// The step of the difference quotient: an error of about 1e-7 by the curvature of f, and one of about 1e-9 by rounding.
#define CAROM_DAMPING_DIFFERENCE 1e-7

// Positions about the centre of an element, and the Cholesky factor of their inertia sum (r.r I - r r^T), which is made regular
// for the axis of a bar.
typedef struct carom_damping_rigid {
    int count;
    double (*r)[3];
    double L[3][3];
    double size; // mean distance from the centre
} carom_damping_rigid;

CAROM_LOCAL void carom_damping_rigid_of(const int *nodes, int count, const double (*x)[3], double (*place)[3],
                                        carom_damping_rigid *body) {
    double centre[3] = {0, 0, 0}, square = 0, I[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    body->count = count;
    body->r = place;
    for (int a = 0; a < count; a++)
        // The plain mean: damping needs no masses, and Q is then symmetric.
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
        // The small addition makes the inertia of a bar about its own axis positive. The turn about it moves no node, so
        // the value does not matter.
        I[i][i] += square * (1 + 1e-12);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            double sum = I[i][j];
            for (int k = 0; k < j; k++)
                sum -= body->L[i][k] * body->L[j][k];
            body->L[i][j] = i == j ? sqrt(sum) : sum / body->L[j][j];
        }
}

// u becomes Q u.
CAROM_LOCAL void carom_damping_remove(const carom_damping_rigid *body, double (*u)[3]) {
    // The mean velocity first: the moment is then that of the rest about the centre.
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

// The length e of the disturbance e u, for u free of rigid motion. Equal lengths of the disturbance for all elements, relative
// to their size; none for an element that moves as a rigid body.
CAROM_LOCAL double carom_damping_length(const carom_damping_rigid *body, const double (*u)[3]) {
    double square = 0;
    for (int a = 0; a < body->count; a++)
        square += carom_dot(u[a], u[a]);
    return square > 0 ? CAROM_DAMPING_DIFFERENCE * body->size / sqrt(square / body->count) : 0;
}

// From velocities u of the nodes to those without rigid motion; returns the length of the disturbance. `place` has room for the
// nodes.
CAROM_LOCAL double carom_damping_open(const int *nodes, int count, const double (*x)[3], double (*place)[3], double (*u)[3],
                                      carom_damping_rigid *body) {
    carom_damping_rigid_of(nodes, count, x, place, body);
    carom_damping_remove(body, u);
    return carom_damping_length(body, u);
}

// -b K u of one component, from forces with and without the disturbance.
CAROM_LOCAL double carom_damping_quotient(double b, double length, double f, double still) {
    return length > 0 ? b * (f - still) / length : 0;
}

// Makes a force d free of resultant and moment, which the difference quotient is only to first order. True if it takes power
// from u: negative stiffness would feed energy in.
CAROM_LOCAL bool carom_damping_close(const carom_damping_rigid *body, const double (*u)[3], double (*d)[3]) {
    double power = 0;
    carom_damping_remove(body, d);
    for (int a = 0; a < body->count; a++)
        power -= carom_dot(d[a], u[a]);
    return power > 0;
}

#endif
