// SPDX-License-Identifier: MIT
// St. Venant-Kirchhoff: the linear law in terms of Green's strain, invariant under any rotation. The law softens in strong
// compression (a bar compressed to 1/sqrt(3) of its length has no stiffness left) and is meant for large rotations with
// moderate strains.
//
//     E = (F^T F - I)/2,   W = lambda/2 (tr E)^2 + mu E:E,   S = lambda (tr E) I + 2 mu E,   P = F S
//     A_iJkL = d_ik S_JL + lambda F_iJ F_kL + mu (F_iL F_kJ + (F F^T)_ik d_JL)
#include <math.h>

#define CAROM_REAL double
#include "material/elastic.h"
#include "material/finite_text.h"
#include "material/material.h"

static double solid(const void *params, const double F[9], double P[9], double A[81]) {
    double energy;
    carom_text_st_venant_kirchhoff(carom_elastic_lame(params), F, P, A, &energy);
    return energy;
}

// Plane stress in closed form: 0 = S_33 = (lambda + 2 mu) E_33 + lambda (E_11 + E_22), f^2 = 1 + 2 E_33. The law is undefined
// for a sheet stretched so far that f^2 would be negative.
static double thinning(const void *params, const double F[4]) {
    carom_lame m = carom_elastic_lame(params);
    double twice = F[0] * F[0] + F[1] * F[1] + F[2] * F[2] + F[3] * F[3] - 2;
    double square = 1 - m.lambda / (m.lambda + 2 * m.mu) * twice;
    return square > 0 ? sqrt(square) : NAN;
}

// A shell at one height, ordered 11, 22, 12 with strain[2] = 2 E_12:
//     S^ab = H^abcd E_cd,   E_33 = -nu/(1 - nu) G^ab E_ab
//     H^abcd = E/(1 - nu^2) (nu G^ab G^cd + (1 - nu)/2 (G^ac G^bd + G^ad G^bc))
static double sheet(const void *params, const double metric[3], const double strain[3], double stress[3], double tangent[3][3],
                    double *thinning_) {
    const carom_elastic_params *p = params;
    double det = metric[0] * metric[1] - metric[2] * metric[2], nu = p->poisson, modulus = p->young / (1 - nu * nu);
    double g11 = metric[1] / det, g22 = metric[0] / det, g12 = -metric[2] / det;
    double H[3][3];
    H[0][0] = modulus * g11 * g11;
    H[1][1] = modulus * g22 * g22;
    H[2][2] = 0.5 * modulus * ((1 - nu) * g11 * g22 + (1 + nu) * g12 * g12);
    H[0][1] = H[1][0] = modulus * (nu * g11 * g22 + (1 - nu) * g12 * g12);
    H[0][2] = H[2][0] = modulus * g11 * g12;
    H[1][2] = H[2][1] = modulus * g22 * g12;
    double energy = 0;
    for (int a = 0; a < 3; a++) {
        double S = H[a][0] * strain[0] + H[a][1] * strain[1] + H[a][2] * strain[2];
        energy += 0.5 * S * strain[a];
        if (stress)
            stress[a] = S;
        for (int b = 0; tangent && b < 3; b++)
            tangent[a][b] = H[a][b];
    }
    if (thinning_)
        *thinning_ = sqrt(fmax(1 - 2 * nu / (1 - nu) * (g11 * strain[0] + g22 * strain[1] + g12 * strain[2]), 0));
    return energy;
}

const carom_material carom_material_st_venant_kirchhoff = {
    .kind =
        CAROM_ELASTIC_KIND("st-venant-kirchhoff", "The linear law in Green's strain: large rotations, moderate strains.", ""),
    .nonnegative = true,
    .quadratic = true,
    .stiffens = true,
    .density = carom_elastic_density,
    .young = carom_elastic_young,
    .uniaxial = carom_elastic_uniaxial,
    .shear = carom_elastic_shear,
    .solid = solid,
    .thinning = thinning,
    .sheet = sheet,
};
