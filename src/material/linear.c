// SPDX-License-Identifier: MIT
// Isotropic linear elasticity for small strains.
//
//     e = (F + F^T)/2 - I,   W = lambda/2 (tr e)^2 + mu e:e,   P = lambda (tr e) I + 2 mu e
//
// The law is not invariant under finite rotations and is meant for small ones only. Bars have W = E e^2/2 with the strain
// measure e of their element.
#include "material/elastic.h"
#include "material/material.h"

static double solid(const void *params, const double F[9], double P[9], double A[81]) {
    carom_lame m = carom_elastic_lame(params);
    double trace = F[0] + F[4] + F[8] - 3, square = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double e = 0.5 * (F[3 * i + j] + F[3 * j + i]) - (i == j);
            square += e * e;
            if (P)
                P[3 * i + j] = 2 * m.mu * e + (i == j ? m.lambda * trace : 0);
        }
    for (int a = 0; A && a < 81; a++) {
        int i = a / 27, j = a / 9 % 3, k = a / 3 % 3, l = a % 3;
        A[a] = m.lambda * (i == j && k == l) + m.mu * ((i == k && j == l) + (i == l && j == k));
    }
    return 0.5 * m.lambda * trace * trace + m.mu * square;
}

// Plane stress in closed form: 0 = P_33 = (lambda + 2 mu) (f - 1) + lambda (F_11 + F_22 - 2).
static double thinning(const void *params, const double F[4]) {
    carom_lame m = carom_elastic_lame(params);
    return 1 - m.lambda / (m.lambda + 2 * m.mu) * (F[0] + F[3] - 2);
}

const carom_material carom_material_linear = {
    .kind = CAROM_ELASTIC_KIND("linear", "Isotropic linear elasticity of small strains.", ""),
    .nonnegative = true,
    .small = true,
    .density = carom_elastic_density,
    .young = carom_elastic_young,
    .uniaxial = carom_elastic_uniaxial,
    .solid = solid,
    .thinning = thinning,
    .shear = carom_elastic_shear,
};
