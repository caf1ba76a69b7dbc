// SPDX-License-Identifier: MIT
// Eigenvalues of a symmetric 3 x 3 matrix.
#ifndef CAROM_MATH_EIGEN3_H
#define CAROM_MATH_EIGEN3_H

#include <math.h>

// Of the matrix with diagonal a[0..2] and off-diagonals a[3] = xy, a[4] = yz, a[5] = xz; largest first. Closed form by the angle of the
// deviator's third invariant (O. K. Smith, Communications of the ACM 4 (1961) 168).
static inline void carom_eigenvalues3(const double a[6], double values[3]) {
    double mean = (a[0] + a[1] + a[2]) / 3, x = a[0] - mean, y = a[1] - mean, z = a[2] - mean;
    double q = sqrt((x * x + y * y + z * z + 2 * (a[3] * a[3] + a[4] * a[4] + a[5] * a[5])) / 6);
    double det = x * (y * z - a[4] * a[4]) - a[3] * (a[3] * z - a[4] * a[5]) + a[5] * (a[3] * a[4] - y * a[5]);
    double cosine = q > 0 ? det / (2 * q * q * q) : 1;
    double angle = acos(fmin(fmax(cosine, -1), 1)) / 3, third = 2.0943951023931954923;
    values[0] = mean + 2 * q * cos(angle);
    values[2] = mean + 2 * q * cos(angle + third);
    values[1] = 3 * mean - values[0] - values[2];
}

#endif
