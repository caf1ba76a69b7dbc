// SPDX-License-Identifier: MIT
// Plane forms of any law. In plane stress the thinning f = F_33 is the root of P_33(f) = 0, given by the law in closed form or
// found by Newton's method; the tangent is condensed statically, A_ab - A_a3 A_3b/A_33.
#include <math.h>

#include "material/material.h"

enum { ITERATIONS = 50 }; // usual strains need a few; initial values far from the root need more

// The components 11, 12, 21, 22 of the plane among the nine of a row-major tensor.
static const int in_plane[4] = {0, 1, 3, 4};

static double evaluate(const carom_material *material, const void *params, const double F[4], double thinning, double P[9],
                       double A[81]) {
    const double full[9] = {F[0], F[1], 0, F[2], F[3], 0, 0, 0, thinning};
    return material->solid(params, full, P, A);
}

// Finds the thinning that leaves no stress across the plane; NaN if there is none.
static double relax(const carom_material *material, const void *params, const double F[4], double thinning) {
    for (int i = 0; i < ITERATIONS; i++) {
        double P[9], A[81];
        if (!(evaluate(material, params, F, thinning, P, A) < HUGE_VAL) || !(A[80] > 0))
            return NAN;
        double step = -P[8] / A[80];
        // The step is limited to half of the thinning, which keeps the thickness positive.
        if (step < -0.5 * thinning)
            step = -0.5 * thinning;
        thinning += step;
        if (fabs(step) <= 1e-14 * thinning)
            return thinning;
    }
    return NAN;
}

double carom_material_plane(const carom_material *material, const void *params, carom_plane plane, const double F[4],
                            double *thinning, double P[4], double A[16]) {
    double full_P[9], full_A[81];
    double f = 1;
    if (plane == CAROM_PLANE_STRESS)
        f = material->thinning ? material->thinning(params, F) : relax(material, params, F, *thinning > 0 ? *thinning : 1);
    *thinning = f;
    if (isnan(f))
        return HUGE_VAL;
    double energy = evaluate(material, params, F, f, P || A ? full_P : NULL, A ? full_A : NULL);
    if (!(energy < HUGE_VAL))
        return HUGE_VAL;
    for (int a = 0; P && a < 4; a++)
        P[a] = full_P[in_plane[a]];
    for (int a = 0; A && a < 16; a++) {
        int row = in_plane[a / 4], column = in_plane[a % 4];
        A[a] = full_A[9 * row + column];
        if (plane == CAROM_PLANE_STRESS)
            A[a] -= full_A[9 * row + 8] * full_A[9 * 8 + column] / full_A[80];
    }
    return energy;
}
