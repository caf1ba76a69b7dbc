// SPDX-License-Identifier: MIT
// An upper bound of the largest eigenvalue of a symmetric matrix A with spectral radius r: the Frobenius norm of A^p lies
// between r^p and sqrt(n) r^p, so its p-th root bounds r from above, and tightly for large p. A^64 takes six squarings. The
// matrix is scaled before each of them to prevent overflow.
#include "element/largest_eigenvalue.h"

#include <math.h>
#include <string.h>

#include "math/functions.h"

enum {
    SQUARINGS = 6,  // p = 64: the bound is within n^(1/128), three percent for n = 45
    SIZE_MAX_ = 45, // a shell of three points with 15 derivatives each
};

static double norm(const double *A, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += A[i] * A[i];
    return sqrt(sum);
}

double carom_largest_eigenvalue(double *matrix, int size) {
    double square[SIZE_MAX_ * SIZE_MAX_], first = 0, log_scale = 0;
    for (int s = 0; s <= SQUARINGS; s++) {
        double scale = norm(matrix, size * size);
        if (!(scale > 0))
            return scale;
        // The bound is the product of scale_s^(1/2^s). All but the first are numbers without unit, summed as logarithms: the
        // bound scales exactly with units that are powers of two.
        if (s == 0)
            first = scale;
        else
            log_scale += carom_log(scale) / (1 << s);
        if (s == SQUARINGS)
            break;
        for (int i = 0; i < size * size; i++)
            matrix[i] /= scale;
        memset(square, 0, sizeof *square * (size_t)(size * size));
        for (int i = 0; i < size; i++)
            for (int k = 0; k < size; k++)
                for (int j = 0; j < size; j++)
                    square[size * i + j] += matrix[size * i + k] * matrix[size * k + j];
        memcpy(matrix, square, sizeof *matrix * (size_t)(size * size));
    }
    // The margin covers the rounding of the squarings, so that the bound holds in floating point.
    return first * carom_exp(log_scale) * (1 + 1e-12);
}
