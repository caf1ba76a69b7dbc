// SPDX-License-Identifier: MIT
// The impulses that return the energy which the contact forces of a step have removed without
// dissipation by friction (docs/theory/energy_momentum.md).
//
// Point l exerts the force F_l on its nodes; an impulse k_l F_l changes velocities by k_l F_l/m. It
// must do the work -c_l:
//
//     k_l (sum_m A_lm k_m + b_l) + c_l = 0,   A_lm = sum F_l.F_m/(2 m),   b_l = sum F_l.v
//
// For c < 0 and k > 0 these are the conditions for the minimum of the strictly convex function k.A k/2 +
// b.k + sum c_l ln k_l: there is exactly one solution.
#ifndef CAROM_CONTACT_QUADRATURE_VELOCITY_UPDATE_H
#define CAROM_CONTACT_QUADRATURE_VELOCITY_UPDATE_H

#include "contact/contact.h"
#include "contact/quadrature/tractions.h"

// Which of the two roots of each equation.
typedef enum carom_root {
    CAROM_ROOT_POSITIVE, // k >= 0: bodies separate
    CAROM_ROOT_SMALLEST, // the one that vanishes with c; if it is not found, the positive one
} carom_root;

// A point and its energy.
typedef struct carom_update_point {
    int count;
    const int *node;
    const double (*force)[3]; // F_l, by the operators at the end of the step
    double energy;            // c_l <= 0: minus the energy to be returned
    double driven;            // work rate of F_l at prescribed velocities, in addition to b_l; 0: these are ignored
    double factor;            // receives k_l, a time
} carom_update_point;

// Finds the factors at the velocities v. *left receives the energy that is not returned, sum over l of
// -(k_l (A k + b)_l + c_l): zero up to rounding, unless a point acts on immovable nodes. Velocities are not
// changed. Fails if memory is short.
carom_status carom_velocity_update(carom_update_point *points, int count, carom_mobility mobility, const double (*v)[3],
                                   carom_root root, double *left, carom_error *error);

#endif
