// SPDX-License-Identifier: MIT
// The orientation predicates are signs of determinants of differences. They are evaluated in floating point first, with a bound
// on the error (forward analysis as in Shewchuk 1997, section 4: each difference, product and sum adds one relative rounding
// u). If the bound cannot exclude zero, they are evaluated exactly: a difference is the sum of two doubles, and a product of
// differences is a sum of products of these.
#include "math/predicates.h"

#include <float.h>
#include <math.h>

#include "math/expansion.h"

// Error bounds relative to the sum of the moduli of the products. To first order 4 u and 8 u suffice, with u = DBL_EPSILON/2;
// twice as much covers higher orders, at the cost of a few more exact evaluations.
static const double error2 = 4 * DBL_EPSILON; // of a 2 x 2 determinant
static const double error3 = 8 * DBL_EPSILON; // of a 3 x 3 determinant

// Larger and smaller differences are scaled before the rounded evaluation, so that products of three neither overflow nor
// underflow.
static const double largest_size = 0x1p200;
static const double smallest_size = 0x1p-200;

static double size_of(const double *difference, int count) {
    double size = 0;
    for (int i = 0; i < count; i++)
        size = fmax(size, fabs(difference[i]));
    return size;
}

// A power of two by which `size` becomes about one; scaling by it is exact.
static double scale_for(double size) {
    int exponent;
    frexp(size, &exponent);
    return ldexp(1, -exponent);
}

// The exact sign of (a - c) x (b - c): each difference is high + low, so the determinant is the sum of eight products.
static int orient2d_exact(const double a[2], const double b[2], const double c[2], double scale) {
    double high[2][2], low[2][2];
    for (int i = 0; i < 2; i++) {
        high[0][i] = carom_two_sum(scale * a[i], -scale * c[i], &low[0][i]);
        high[1][i] = carom_two_sum(scale * b[i], -scale * c[i], &low[1][i]);
    }
    carom_expansion sum;
    sum.count = 0;
    for (int s = -1; s <= 1; s += 2) {
        int i = s > 0 ? 0 : 1, j = 1 - i;
        carom_expansion_add_product(&sum, s * low[0][i], low[1][j]);
        carom_expansion_add_product(&sum, s * low[0][i], high[1][j]);
        carom_expansion_add_product(&sum, s * high[0][i], low[1][j]);
        carom_expansion_add_product(&sum, s * high[0][i], high[1][j]);
    }
    return carom_expansion_sign(&sum);
}

int carom_orient2d(const double a[2], const double b[2], const double c[2]) {
    double d[4] = {a[0] - c[0], a[1] - c[1], b[0] - c[0], b[1] - c[1]}, size = size_of(d, 4);
    if (size == 0)
        return 0;
    if (size > largest_size || size < smallest_size) {
        double scale = scale_for(size);
        for (int i = 0; i < 4; i++)
            d[i] *= scale;
    }
    double left = d[0] * d[3], right = d[1] * d[2], determinant = left - right;
    if (fabs(determinant) > error2 * (fabs(left) + fabs(right)) + DBL_MIN)
        return determinant > 0 ? 1 : -1;
    return orient2d_exact(a, b, c, scale_for(size));
}

static int orient3d_exact(const double *const points[3], const double d[3], double scale) {
    static const int cyclic[3][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}};
    double part[2][3][3]; // low and high parts of the differences
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            part[1][k][i] = carom_two_sum(scale * points[k][i], -scale * d[i], &part[0][k][i]);
    carom_expansion sum;
    sum.count = 0;
    for (int p = 0; p < 8; p++) {
        const double *A = part[p & 1][0], *B = part[p >> 1 & 1][1], *C = part[p >> 2 & 1][2];
        for (int c = 0; c < 3; c++) {
            int i = cyclic[c][0], j = cyclic[c][1], k = cyclic[c][2];
            carom_expansion_add_triple(&sum, A[i], B[j], C[k]);
            carom_expansion_add_triple(&sum, -A[i], B[k], C[j]);
        }
    }
    return -carom_expansion_sign(&sum);
}

int carom_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]) {
    double A[9];
    for (int i = 0; i < 3; i++)
        A[i] = a[i] - d[i], A[3 + i] = b[i] - d[i], A[6 + i] = c[i] - d[i];
    double size = size_of(A, 9);
    if (size == 0)
        return 0;
    if (size > largest_size || size < smallest_size) {
        double scale = scale_for(size);
        for (int i = 0; i < 9; i++)
            A[i] *= scale;
    }
    const double *B = A + 3, *C = A + 6;

    // (a - d).((b - d) x (c - d)) is negative if d lies above the plane
    double determinant = 0, moduli = 0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double left = B[j] * C[k], right = B[k] * C[j];
        determinant += A[i] * (left - right);
        moduli += fabs(A[i]) * (fabs(left) + fabs(right));
    }
    if (fabs(determinant) > error3 * moduli + DBL_MIN)
        return determinant > 0 ? -1 : 1;
    const double *const points[3] = {a, b, c};
    return orient3d_exact(points, d, scale_for(size));
}
