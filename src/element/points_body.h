// SPDX-License-Identifier: MIT
// Deformation gradient and forces at one quadrature point, for elements whose law is evaluated point by point, without batches
// (solid.c, nodal_isochoric.c); for the processor and for devices.
#ifndef CAROM_ELEMENT_POINTS_BODY_H
#define CAROM_ELEMENT_POINTS_BODY_H

#include "math/functions.h"
#include "math/vec3.h"

// Adds to F - I the term of a node with position x, reference position X and gradient g.
CAROM_LOCAL void carom_points_deform(int dimension, const double x[3], const double X[3], const double g[3], double F[9]) {
    for (int i = 0; i < dimension; i++)
        for (int j = 0; j < dimension; j++)
            F[3 * i + j] += (x[i] - X[i]) * g[j];
}

// The same for a node of a patch with the displacement u; `first` is that of its first node.
CAROM_LOCAL void carom_points_deform_patch(const double u[3], const double first[3], const double g[3], double F[9]) {
    for (int i = 0; i < 9; i++)
        F[i] += (u[i / 3] - first[i / 3]) * g[i % 3];
}

// Adds the force of a point with this volume on a node with the gradient g.
CAROM_LOCAL void carom_points_push(double volume, const double P[9], const double g[3], double f[3]) {
    for (int i = 0; i < 3; i++)
        f[i] -= volume * carom_dot(&P[3 * i], g);
}

// Returns J; also its logarithm, 0 where J is not positive, and the cofactors of F.
CAROM_LOCAL double carom_points_volume(const double F[9], double C[9], double *log_J) {
    for (int i = 0; i < 3; i++)
        carom_cross(&F[3 * ((i + 1) % 3)], &F[3 * ((i + 2) % 3)], &C[3 * i]);
    double J = carom_dot(F, C);
    *log_J = J > 0 ? carom_log(J) : 0;
    return J;
}

// P = shape P_iso + bulk ln J F^-T; C/J is F^-T.
CAROM_LOCAL void carom_points_join(double shape, double bulk, double J, double log_J, const double C[9], double P[9]) {
    for (int a = 0; a < 9; a++)
        P[a] = shape * P[a] + bulk * log_J * C[a] / J;
}

#endif
