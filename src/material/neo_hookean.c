// SPDX-License-Identifier: MIT
// Compressible neo-Hookean material for large strains. The energy becomes infinite as a volume is compressed to zero.
//
//     J = det F,   W = mu/2 (F:F - 3) - mu ln J + lambda/2 (ln J)^2
//     P = mu (F - F^-T) + lambda ln J F^-T
//     A_iJkL = mu d_ik d_JL + lambda F^-1_Ji F^-1_Lk + (mu - lambda ln J) F^-1_Jk F^-1_Li
//
// The form is that of T. Belytschko, W. K. Liu, B. Moran: Nonlinear Finite Elements for Continua and Structures (2000), section
// 5.4.
#include <math.h>

#define CAROM_REAL double
#include "material/elastic.h"
#include "material/finite_text.h"
#include "material/material.h"
#include "math/functions.h"

// Limit of Newton iterations. Each may halve z at most: enough for a thinning of 2^-30; usual strains need a few.
enum { ITERATIONS = 60 };

static double solid(const void *params, const double F[9], double P[9], double A[81]) {
    carom_lame m = carom_elastic_lame(params);
    double G[9], J, excess, growth;
    carom_text_invert(F, G, &J);
    if (!(J > 0))
        return HUGE_VAL;
    double log_J = carom_log(J);
    carom_text_neo_hookean(m, F, G, &log_J, P, A);
    carom_text_excess(F, &excess, &growth);
    return m.mu * (excess - carom_log1p(growth)) + 0.5 * m.lambda * log_J * log_J;
}

// The law `open-neo-hookean` below J0 = CAROM_OPEN_VOLUME: U(J) = lambda/2 (ln J)^2 - mu ln J is continued by its Taylor
// polynomial of second order at J0,
//     P = mu F + U'(J) cof F,   A_iJkL = mu d_ik d_JL + U'' cof_iJ cof_kL + U' e_ikm e_JLN F_mN.
static double open_solid(const void *params, const double F[9], double P[9], double A[81]) {
    carom_lame m = carom_elastic_lame(params);
    carom_open_law open = carom_open_law_of(m);
    double C[9], J, square = 0;
    carom_mat_cofactor(F, C, &J);
    for (int a = 0; a < 9; a++)
        square += F[a] * F[a];
    double d = J - CAROM_OPEN_VOLUME, slope = open.slope + open.curvature * d;
    if (!(J < CAROM_OPEN_VOLUME))
        return solid(params, F, P, A);
    for (int a = 0; P && a < 9; a++)
        P[a] = m.mu * F[a] + slope * C[a];
    for (int a = 0; A && a < 81; a++) {
        int i = a / 27, j = a / 9 % 3, k = a / 3 % 3, l = a % 3;
        A[a] = m.mu * (i == k && j == l) + open.curvature * C[3 * i + j] * C[3 * k + l];
        // e_ikm e_jln F_mn: of the three numbers in a permutation the third is known from two
        int sign = (k - i + 3) % 3 == (l - j + 3) % 3 ? 1 : -1;
        if (i != k && j != l)
            A[a] += sign * slope * F[3 * (3 - i - k) + 3 - j - l];
    }
    double log_J = carom_log(CAROM_OPEN_VOLUME);
    return 0.5 * m.mu * (square - 3) - m.mu * log_J + 0.5 * m.lambda * log_J * log_J +
           (open.slope + 0.5 * open.curvature * d) * d;
}

// Plane stress: 0 = g(z) = mu (z - 1) + lambda (ln J + ln z/2) with z = f^2 and J the determinant in the plane. g is increasing
// and concave, so that Newton's method from below never passes the root; a step down is limited to half of z, which keeps z
// positive.
static double square_of_thinning(carom_lame m, double log_J) {
    double z = 1;
    for (int i = 0; i < ITERATIONS; i++) {
        double step = (m.mu * (1 - z) - m.lambda * (log_J + 0.5 * carom_log(z))) / (m.mu + 0.5 * m.lambda / z);
        step = fmax(step, -0.5 * z);
        z += step;
        // Written so that a NaN ends the iteration.
        if (!(fabs(step) > 1e-15 * z))
            break;
    }
    return z;
}

static double thinning(const void *params, const double F[4]) {
    double J = F[0] * F[3] - F[1] * F[2];
    return J > 0 ? sqrt(square_of_thinning(carom_elastic_lame(params), carom_log(J))) : NAN;
}

// A shell at one height. With g_ab = G_ab + 2 E_ab and C_33 = z:
//     S^ab = mu G^ab + (lambda ln J - mu) g^ab,   dS^ab = (c g^ab g^cd - (lambda ln J - mu) (g^ac g^bd + g^ad g^bc)) dE_cd
// where c = 2 lambda mu z/(2 mu z + lambda), since z changes so as to keep S^33 zero. Components are ordered 11, 22, 12, and
// strain[2] is 2 E_12.
static double sheet(const void *params, const double metric[3], const double strain[3], double stress[3], double tangent[3][3],
                    double *thinning_) {
    carom_lame m = carom_elastic_lame(params);
    double now[3] = {metric[0] + 2 * strain[0], metric[1] + 2 * strain[1], metric[2] + strain[2]};
    double start_det = metric[0] * metric[1] - metric[2] * metric[2], det = now[0] * now[1] - now[2] * now[2];
    if (!(det > 0) || !(now[0] > 0))
        return HUGE_VAL;
    double area = 0.5 * carom_log(det / start_det), z = square_of_thinning(m, area), log_J = area + 0.5 * carom_log(z);
    double G[3] = {metric[1] / start_det, metric[0] / start_det, -metric[2] / start_det};
    double g[3] = {now[1] / det, now[0] / det, -now[2] / det};
    double scale = m.lambda * log_J - m.mu, volume = 2 * m.lambda * m.mu * z / (2 * m.mu * z + m.lambda);
    for (int a = 0; stress && a < 3; a++)
        stress[a] = m.mu * G[a] + scale * g[a];
    if (tangent) {
        const double pairs[3][3] = {{2 * g[0] * g[0], 2 * g[2] * g[2], 2 * g[0] * g[2]},
                                    {2 * g[2] * g[2], 2 * g[1] * g[1], 2 * g[1] * g[2]},
                                    {2 * g[0] * g[2], 2 * g[1] * g[2], g[0] * g[1] + g[2] * g[2]}};
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                tangent[a][b] = volume * g[a] * g[b] - scale * pairs[a][b];
    }
    if (thinning_)
        *thinning_ = sqrt(z);
    // The trace of the right Cauchy-Green tensor minus its value 3 without strain, without cancellation.
    double growth = 2 * (G[0] * strain[0] + G[1] * strain[1] + G[2] * strain[2]) + z - 1;
    return 0.5 * m.mu * growth - m.mu * log_J + 0.5 * m.lambda * log_J * log_J;
}

const carom_material carom_material_neo_hookean = {
    .kind = CAROM_ELASTIC_KIND(
        "neo-hookean", "Compressible rubber-like law with ln J: large strains.",
        "T. Belytschko, W. K. Liu, B. Moran: Nonlinear Finite Elements for Continua and Structures. Wiley, 2000."),
    .nonnegative = true,
    .barrier = true,
    .density = carom_elastic_density,
    .young = carom_elastic_young,
    .solid = solid,
    .thinning = thinning,
    .sheet = sheet,
};

const carom_material carom_material_open_neo_hookean = {
    .kind = {.name = "open-neo-hookean", .summary = "The neo-Hookean law without a barrier."},
    .nonnegative = true,
    .density = carom_elastic_density,
    .young = carom_elastic_young,
    .solid = open_solid,
};
