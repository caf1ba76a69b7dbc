// SPDX-License-Identifier: MIT
// LU factorisation with partial pivoting of small dense matrices, and forward and back substitution.
#include "solver/dense.h"

#include <math.h>
#include <stdint.h>

bool carom_dense_factorise(int n, double *A, double *pivots) {
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[(int64_t)i * n + k]) > fabs(A[(int64_t)best * n + k]))
                best = i;
        pivots[k] = best;
        double pivot = A[(int64_t)best * n + k];
        if (!(fabs(pivot) > 0) || !isfinite(pivot))
            return false;
        for (int j = 0; j < n && best != k; j++) {
            double swap = A[(int64_t)k * n + j];
            A[(int64_t)k * n + j] = A[(int64_t)best * n + j];
            A[(int64_t)best * n + j] = swap;
        }
        for (int i = k + 1; i < n; i++) {
            double factor = A[(int64_t)i * n + k] / pivot;
            A[(int64_t)i * n + k] = factor;
            // unknowns without a common equation leave many zeros
            if (factor != 0)
                for (int j = k + 1; j < n; j++)
                    A[(int64_t)i * n + j] -= factor * A[(int64_t)k * n + j];
        }
    }
    return true;
}

void carom_dense_substitute(int n, const double *A, const double *pivots, double *b) {
    for (int k = 0; k < n; k++) {
        int from = (int)pivots[k];
        double swap = b[k];
        b[k] = b[from];
        b[from] = swap;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            b[i] -= A[(int64_t)i * n + j] * b[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= A[(int64_t)i * n + j] * b[j];
        b[i] /= A[(int64_t)i * n + i];
    }
}
