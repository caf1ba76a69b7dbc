// SPDX-License-Identifier: MIT
// The tangent dP/dF of an isotropic law, from its principal stresses and their derivatives (principal.c).
#ifndef CAROM_MATERIAL_PRINCIPAL_H
#define CAROM_MATERIAL_PRINCIPAL_H

#include <math.h>

#include "base/kernel.h"
#include "math/functions.h"

// A law by its principal values: Kirchhoff stresses and their derivatives with respect to the logarithmic strains e_A.
typedef struct carom_principal {
    double axes[3][3];     // rows: the principal directions n_A in space
    double strain[3];      // e_A
    double stress[3];      // tau_A
    double slope[3][3];    // d tau_A/d e_B, symmetric
    double secant[3][3];   // (tau_A - tau_B)/(e_A - e_B) for A != B, its limit where the two strains agree
    const double *inverse; // F^-1
} carom_principal;

// A[9 (3 i + J) + 3 k + L] = dP_iJ/dF_kL; added to A if `more`.
void carom_principal_tangent(const carom_principal *law, int more, double A[81]);

// h_AB of the tangent (principal.c), the stiffness against rotation of the principal axes a and b.
double carom_principal_turning(const carom_principal *law, int a, int b);

// exp(y) - 1 - y, relatively accurate.
CAROM_LOCAL double carom_exp_rest(double y) {
    if (fabs(y) > 0.5)
        return carom_exp(y) - 1 - y;
    double sum = 1;
    for (int k = 15; k > 2; k--)
        sum = 1 + sum * y / k;
    return 0.5 * y * y * sum;
}

// (exp(y) - 1)/y, 1 for y = 0, relatively accurate.
CAROM_LOCAL double carom_relative_exp(double y) {
    if (fabs(y) > 0.5)
        return (carom_exp(y) - 1) / y;
    // the first term left out is below 0.5^14/15! = 5e-17
    double sum = 1;
    for (int k = 14; k > 1; k--)
        sum = 1 + sum * y / k;
    return sum;
}

#endif
