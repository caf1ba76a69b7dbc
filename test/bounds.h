// SPDX-License-Identifier: MIT
// Bounds of stiffness matrices, for tests of elements.
#ifndef TEST_BOUNDS_H
#define TEST_BOUNDS_H

#include <math.h>
#include <stdbool.h>

// Three for each node of an element.
enum { DOFS_MAX = 3 * 64 };

// True if D - K is positive semidefinite up to rounding, D the diagonal of the shares: its Cholesky factor exists.
static bool is_below(const double *K, const double *D, int n) {
    static double L[DOFS_MAX][DOFS_MAX];
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = -K[n * i + j] + (i == j ? (1 + 1e-9) * D[i / 3] : 0);
            for (int k = 0; k < j; k++)
                sum -= L[i][k] * L[j][k];
            if (i == j && !(sum > 0))
                return false;
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
    return true;
}

#endif
