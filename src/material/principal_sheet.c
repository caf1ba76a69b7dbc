// SPDX-License-Identifier: MIT
// Stress and tangent of a layer of a shell (a point across its thickness) under plane stress, from the principal values of an
// isotropic law.
//
// G = L L^T is the reference metric, g = G + 2 E the present one. In orthonormal coordinates of the reference the strain is
// L^-1 E L^-T. With C^-1 = K K^T the inner metric, the squares of the elastic stretches are the eigenvalues l_A^2 of K^T g K,
// with eigenvectors r_A; N_A = L^-T K r_A. Then
//
//     S = sum_A tau_A N_A N_A/l_A^2,   dS/dE = sum_AB (a_AB - 2 tau_A d_AB) p_A p_B + h_12 y y
//     p_A = N_A N_A/l_A^2,   y = (N_1 N_2 + N_2 N_1)/(l_1 l_2)
//
// with a_AB the slopes of the law at tau_33 = 0 and h_12 as in principal.c.
#include "material/principal_sheet.h"

#include <math.h>

#include "math/functions.h"

bool carom_sheet_axes_of(const double metric[3], const double strain[3], const double inner[3], carom_sheet_axes *axes) {
    double l11 = sqrt(metric[0]), l21 = metric[2] / l11, l22 = sqrt(metric[1] - l21 * l21);
    // twice the strain in orthonormal coordinates
    double e11 = 2 * strain[0] / metric[0], e12 = (strain[2] / l11 - l21 * e11) / l22;
    double e22 = (2 * strain[1] - l21 * (2 * l22 * e12 + l21 * e11)) / (l22 * l22);
    double k11 = 1, k21 = 0, k22 = 1;
    if (inner) {
        k11 = sqrt(inner[0]), k21 = inner[2] / k11, k22 = sqrt(inner[1] - k21 * k21);
        // K^T (I + 2 e) K - I
        double f11 = 1 + e11, f22 = 1 + e22, x12 = k22 * (k11 * e12 + k21 * f22);
        e11 = k11 * k11 * f11 + 2 * k11 * k21 * e12 + k21 * k21 * f22 - 1;
        e22 = k22 * k22 * f22 - 1;
        e12 = x12;
    }
    // one Jacobi rotation: columns (c, s), (-s, c)
    double c = 1, s = 0;
    if (e12 != 0) {
        double theta = 0.5 * (e22 - e11) / e12, t = 1 / (fabs(theta) + sqrt(theta * theta + 1));
        t = theta < 0 ? -t : t;
        c = 1 / sqrt(t * t + 1);
        s = t * c;
        e11 -= t * e12;
        e22 += t * e12;
    }
    if (!(e11 > -1 && e22 > -1))
        return false;
    axes->square[0] = 1 + e11;
    axes->square[1] = 1 + e22;
    axes->strain[0] = 0.5 * carom_log1p(e11);
    axes->strain[1] = 0.5 * carom_log1p(e22);
    const double r[2][2] = {{c, -s}, {s, c}};
    for (int a = 0; a < 2; a++) {
        double *n = axes->inner[a], *N = axes->axis[a];
        n[0] = k11 * r[a][0];
        n[1] = k21 * r[a][0] + k22 * r[a][1];
        // L^T N = n
        N[1] = n[1] / l22;
        N[0] = (n[0] - l21 * N[1]) / l11;
    }
    return true;
}

// The dyads p_A and y.
typedef struct dyads {
    double p[2][3], y[3];
} dyads;

static void find_dyads(const carom_sheet_axes *axes, bool turning, dyads *d) {
    const double(*N)[2] = axes->axis;
    for (int a = 0; a < 2; a++) {
        double over = 1 / axes->square[a];
        d->p[a][0] = over * N[a][0] * N[a][0];
        d->p[a][1] = over * N[a][1] * N[a][1];
        d->p[a][2] = over * N[a][0] * N[a][1];
    }
    if (!turning)
        return;
    double both = 1 / sqrt(axes->square[0] * axes->square[1]);
    d->y[0] = 2 * both * N[0][0] * N[1][0];
    d->y[1] = 2 * both * N[0][1] * N[1][1];
    d->y[2] = both * (N[0][0] * N[1][1] + N[0][1] * N[1][0]);
}

void carom_sheet_response(const carom_sheet_axes *axes, const carom_principal *law, double stress[3], double tangent[3][3]) {
    dyads d;
    find_dyads(axes, tangent, &d);
    for (int i = 0; stress && i < 3; i++)
        stress[i] = law->stress[0] * d.p[0][i] + law->stress[1] * d.p[1][i];
    if (!tangent)
        return;
    double h = carom_principal_turning(law, 1, 0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            tangent[i][j] = h * d.y[i] * d.y[j];
            for (int a = 0; a < 2; a++)
                for (int b = 0; b < 2; b++) {
                    double slope = law->slope[a][b] - law->slope[a][2] * law->slope[2][b] / law->slope[2][2];
                    tangent[i][j] += (slope - (a == b ? 2 * law->stress[a] : 0)) * d.p[a][i] * d.p[b][j];
                }
        }
}

void carom_sheet_add(const carom_sheet_axes *axes, const carom_principal *law, bool slopes, carom_sheet_sum *sum) {
    dyads d;
    find_dyads(axes, slopes, &d);
    double h = slopes ? carom_principal_turning(law, 1, 0) : 0;
    sum->slope += slopes ? law->slope[2][2] : 0;
    for (int i = 0; i < 3; i++) {
        sum->stress[i] += law->stress[0] * d.p[0][i] + law->stress[1] * d.p[1][i];
        if (!slopes)
            continue;
        sum->across[i] += law->slope[0][2] * d.p[0][i] + law->slope[1][2] * d.p[1][i];
        for (int j = 0; j < 3; j++) {
            sum->tangent[i][j] += h * d.y[i] * d.y[j];
            for (int a = 0; a < 2; a++)
                for (int b = 0; b < 2; b++)
                    sum->tangent[i][j] += (law->slope[a][b] - (a == b ? 2 * law->stress[a] : 0)) * d.p[a][i] * d.p[b][j];
        }
    }
}

void carom_sheet_condense(const carom_sheet_sum *sum, double tangent[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            tangent[i][j] = sum->tangent[i][j] - sum->across[i] * sum->across[j] / sum->slope;
}
