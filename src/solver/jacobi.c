// SPDX-License-Identifier: MIT
#include "solver/jacobi.h"

#include <math.h>

// The block of `size` unknowns on the diagonal, filled up to three by the identity.
static void diagonal_block(const carom_sparse *matrix, int begin, int size, double a[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a[i][j] = i == j;
    for (int i = 0; i < size; i++)
        for (int64_t e = matrix->row_begin[begin + i]; e < matrix->row_begin[begin + i + 1]; e++) {
            int j = matrix->column[e] - begin;
            if (j >= 0 && j < size)
                a[i][j] = matrix->value[e];
        }
}

bool carom_jacobi_invert(const carom_sparse *matrix, int begin, int size, double inverse[9]) {
    // By cofactors.
    double a[3][3], c[3][3];
    diagonal_block(matrix, begin, size, a);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c[i][j] = a[(i + 1) % 3][(j + 1) % 3] * a[(i + 2) % 3][(j + 2) % 3] -
                      a[(i + 1) % 3][(j + 2) % 3] * a[(i + 2) % 3][(j + 1) % 3];
    double det = a[0][0] * c[0][0] + a[0][1] * c[0][1] + a[0][2] * c[0][2];
    bool good = isfinite(1 / det);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            inverse[3 * i + j] = good ? c[j][i] / det : i == j;
    // Sylvester: the leading minors are positive.
    return good && a[0][0] > 0 && c[2][2] > 0 && det > 0;
}
