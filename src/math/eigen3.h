// SPDX-License-Identifier: MIT
// Eigenvalues of a symmetric 3 x 3 matrix.
#ifndef CAROM_MATH_EIGEN3_H
#define CAROM_MATH_EIGEN3_H

#include <math.h>

#include "math/functions.h"

// Eigenvalues, largest first, of the matrix with diagonal a[0..2] and off-diagonals a[3] = xy, a[4] = yz, a[5] = xz. Ten sweeps
// of Jacobi rotations keep the error at the rounding of the largest eigenvalue, even for a double eigenvalue, which the closed
// form splits by the square root of the rounding error.
static inline void carom_eigenvalues3(const double a[6], double values[3]) {
    double A[3][3] = {{a[0], a[3], a[5]}, {a[3], a[1], a[4]}, {a[5], a[4], a[2]}};
    for (int turn = 0; turn < 30; turn++) {
        int i = turn % 3, j = (i + 1) % 3, k = (i + 2) % 3;
        if (A[i][j] == 0)
            continue;
        // The rotation in the plane of i and j that annihilates A_ij; of its two tangents the smaller one, which converges.
        double ratio = (A[j][j] - A[i][i]) / (2 * A[i][j]), t = copysign(1, ratio) / (fabs(ratio) + carom_hypot(ratio, 1));
        double c = 1 / sqrt(t * t + 1), s = t * c, p = A[i][k], q = A[j][k];
        A[i][i] -= t * A[i][j];
        A[j][j] += t * A[i][j];
        A[i][j] = A[j][i] = 0;
        A[i][k] = A[k][i] = c * p - s * q;
        A[j][k] = A[k][j] = s * p + c * q;
    }
    double x = A[0][0], y = A[1][1], z = A[2][2];
    values[0] = fmax(x, fmax(y, z));
    values[2] = fmin(x, fmin(y, z));
    values[1] = fmax(fmin(x, y), fmin(fmax(x, y), z));
}

#endif
