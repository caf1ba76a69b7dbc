// SPDX-License-Identifier: MIT
// The tangent of an isotropic law W(e_1, e_2, e_3), e_A the logarithms of the principal stretches l_A, with Kirchhoff stresses
// tau_A = dW/de_A. With n_A the axes in space and m_A = F^-1 n_A, in terms of the dyads D_AB = n_A m_B:
//
//     dP/dF = sum_AB (dtau_A/de_B - 2 tau_A d_AB) D_AA D_BB + sum_{A != B} h_AB D_AB (D_AB + D_BA) + sum_AB tau_A D_BA D_BA
//     h_AB = (tau_A l_B^2 - tau_B l_A^2)/(l_A^2 - l_B^2) = y/(exp(y) - 1) s_AB/2 - tau_B,   y = 2 (e_A - e_B)
//
// where s_AB = (tau_A - tau_B)/(e_A - e_B): this form has no difference of nearly equal numbers, so that equal stretches are no
// special case. J. C. Simo: Algorithms for static and dynamic multiplicative plasticity that preserve the classical return
// mapping schemes of the infinitesimal theory. Computer Methods in Applied Mechanics and Engineering 99 (1992) 61-112.
#include "material/principal.h"

double carom_principal_turning(const carom_principal *law, int a, int b) {
    return 0.5 * law->secant[a][b] / carom_relative_exp(2 * (law->strain[a] - law->strain[b])) - law->stress[b];
}

void carom_principal_tangent(const carom_principal *law, int more, double A[81]) {
    double D[3][3][9];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            for (int i = 0; i < 9; i++) {
                const double *row = &law->inverse[3 * (i % 3)], *n = law->axes[b];
                D[a][b][i] = law->axes[a][i / 3] * (row[0] * n[0] + row[1] * n[1] + row[2] * n[2]);
            }
    for (int i = 0; i < 81 && !more; i++)
        A[i] = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            double along = law->slope[a][b] - (a == b ? law->stress[a] : 0), cross = 0, twice = 0;
            if (a != b) {
                cross = carom_principal_turning(law, a > b ? a : b, a > b ? b : a);
                twice = cross + law->stress[b];
            }
            for (int i = 0; i < 81; i++)
                A[i] += along * D[a][a][i / 9] * D[b][b][i % 9] +
                        D[a][b][i / 9] * (twice * D[a][b][i % 9] + cross * D[b][a][i % 9]);
        }
}
