// SPDX-License-Identifier: MIT
// Terms of the nodal sums of ledger and guards, and the effect of mass damping on a node: inline functions for the CPU and for
// device threads, in C and C++.
#ifndef CAROM_MODEL_NODE_TERMS_H
#define CAROM_MODEL_NODE_TERMS_H

#include "base/kernel.h"

CAROM_INLINE double carom_terms_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// (1/2) m |v|^2
CAROM_INLINE double carom_terms_kinetic(double mass, const double v[3]) {
    return 0.5 * mass * carom_terms_dot(v, v);
}

// The potential of a dead load at x, zero at X.
CAROM_INLINE double carom_terms_external(const double load[3], const double x[3], const double X[3]) {
    const double moved[3] = {x[0] - X[0], x[1] - X[1], x[2] - X[2]};
    return -carom_terms_dot(load, moved);
}

// The impulse h f at x, and its moment about the origin.
CAROM_INLINE void carom_terms_impulse(const double x[3], double h, const double f[3], double impulse[3], double moment[3]) {
    const double turn[3] = {x[1] * f[2] - x[2] * f[1], x[2] * f[0] - x[0] * f[2], x[0] * f[1] - x[1] * f[0]};
    for (int d = 0; d < 3; d++) {
        impulse[d] = h * f[d];
        moment[d] = h * turn[d];
    }
}

// The work of a force that acts for the duration h of a kick from w_before to w. It acts at the mean of both velocities, which
// makes its work exact.
CAROM_INLINE double carom_terms_work(double h, const double f[3], const double w_before[3], const double w[3]) {
    double mean[3];
    for (int i = 0; i < 3; i++)
        mean[i] = 0.5 * (w_before[i] + w[i]);
    return h * carom_terms_dot(f, mean);
}

// Mass damping with c = h a/2 > 0 acts at the mean velocity (w_before + w)/2 of the kick: (1 + c) w = w' - c w_before, where w'
// is the velocity without damping.
CAROM_INLINE void carom_terms_slow(double c, const double w_before[3], double w[3]) {
    for (int i = 0; i < 3; i++)
        w[i] = (w[i] - c * w_before[i]) / (1 + c);
}

// The force of mass damping.
CAROM_INLINE void carom_terms_drag(double a, double mass, const double w_before[3], const double w[3], double drag[3]) {
    for (int i = 0; i < 3; i++)
        drag[i] = -0.5 * a * mass * (w_before[i] + w[i]);
}

// The velocity at the time of a kick from `before` to w; the fraction `after` of the kick acts after that time.
CAROM_INLINE void carom_terms_velocity(const double before[3], const double w[3], double after, double v[3]) {
    for (int i = 0; i < 3; i++)
        v[i] = after == 0.5 ? 0.5 * (before[i] + w[i]) : after * before[i] + (1 - after) * w[i];
}

#endif
