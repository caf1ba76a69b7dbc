// SPDX-License-Identifier: MIT
// Compares the mean stress and strain of bricks, and of other elements with several points of equal weight, with the recorded
// extremes (peak_values.h). Each point has the map y = dx/dr, its conjugate Q = P C, and the cofactors C and the determinant j
// of the reference map. The weight of a point in the mean is j.
#ifndef CAROM_ELEMENT_SOLID_HEX8_PEAKS_H
#define CAROM_ELEMENT_SOLID_HEX8_PEAKS_H

#include "element/peak_values.h"
#include "element/solid/hex8_body.h"

typedef struct carom_hex8_sum {
    carom_lanes stress[6], volume;
    carom_lanes right[6];      // St. Venant-Kirchhoff: F^T F
    carom_lanes first, second; // linear: |F|^2; neo-Hookean: below
} carom_hex8_sum;

// F and P are computed by the same expressions as in the law, so that the compiler evaluates them only once.
CAROM_INLINE void carom_hex8_sum_add_unmapped(carom_kernel_law law, carom_lame m, const carom_lanes y[9],
                                              const carom_lanes C[9], const carom_lanes *j, carom_hex8_sum *sum) {
    carom_lanes F[9], P[9], stress[6], right[6], det = {0}, square;
    carom_kernel_unmap(y, C, j, F);
    carom_kernel_stress(law, m, F, P);
    carom_extremes_stress(law, F, P, stress, &det);
    for (int c = 0; c < 6; c++)
        sum->stress[c] += *j * stress[c];
    if (law == CAROM_KERNEL_LINEAR) {
        carom_extremes_square(F, &square);
        sum->first += *j * square;
        return;
    }
    carom_kernel_gram(F, right);
    for (int c = 0; c < 6; c++)
        sum->right[c] += *j * right[c];
}

// T = Q y^T = j tau with tau = mu b + s I for b = F F^T and s = lambda ln J - mu, or U'(J) J of the law `open-neo-hookean`
// (material/laws.h). So j times the largest eigenvalue of b, which is that of F^T F, is at most (tr T/3 - j s + q(T))/mu with q
// of peak_values.h. By the Cauchy-Schwarz inequality the sum of eight q is at most the root of eight times the sum of q^2.
CAROM_INLINE void carom_hex8_sum_add_mapped(bool open, carom_lame m, const carom_lanes y[9], const carom_lanes Q[9],
                                            const carom_lanes *j, carom_hex8_sum *sum) {
    carom_lanes D[9], T[6], det, log_J, mean, square;
    carom_kernel_cofactor(y, D, &det);
    carom_lanes inverse = 1.0 / (*j * det), over_j = det * inverse, J = det * over_j;
    carom_lanes_log(&J, &log_J);
    carom_kernel_outer(Q, y, T);
    carom_extremes_circle(T, &mean, &square);
    carom_lanes scale = *j * *j * inverse, shift = m.lambda * log_J - m.mu;
    if (open) {
        carom_lanes slope = shift * scale;
        carom_kernel_open(m, &J, &slope);
        shift = slope * J;
    }
    for (int c = 0; c < 6; c++)
        sum->stress[c] += scale * T[c];
    sum->first += mean - *j * shift;
    sum->second += square;
}

CAROM_INLINE void carom_hex8_sum_add(carom_kernel_law law, carom_lame m, const carom_lanes y[9], const carom_lanes Q[9],
                                     const carom_lanes C[9], const carom_lanes *j, carom_hex8_sum *sum) {
    sum->volume += *j;
    if (law == CAROM_KERNEL_LINEAR || law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF)
        carom_hex8_sum_add_unmapped(law, m, y, C, j, sum);
    else
        carom_hex8_sum_add_mapped(law == CAROM_KERNEL_OPEN, m, y, Q, j, sum);
}

// The mean of F^T F, computed again from the derivatives.
CAROM_INLINE void carom_hex8_mean_right(carom_lanes dx[3][4][3], carom_lanes dX[3][4][3], const carom_lanes *scale,
                                        carom_lanes right[6]) {
    carom_lanes_clear(6, right);
    for (int point = 0; point < 8; point++) {
        carom_lanes C[9], j, F[9], own[6];
        carom_hex8_gradient(dX, dx, point, C, &j, F);
        carom_kernel_gram(F, own);
        for (int c = 0; c < 6; c++)
            right[c] += j * own[c];
    }
    for (int c = 0; c < 6; c++)
        right[c] *= *scale;
}

// Takes the means over `points` points, compares and settles them; true if the strain is to be settled as well. The bound of
// the strain of the linear law is carom_extremes_linear_strain with the mean of |F|^2.
CAROM_INLINE bool carom_hex8_sum_compare(carom_kernel_law law, carom_lame m, int points, carom_hex8_sum *sum, int e0,
                                         carom_extremes *extremes) {
    carom_lanes scale = 1.0 / sum->volume, base, slope, mean, q;
    for (int c = 0; c < 6; c++)
        sum->stress[c] *= scale;
    carom_extremes_circle(sum->stress, &mean, &q);
    carom_lanes_sqrt(&q, &q);
    if (law == CAROM_KERNEL_LINEAR) {
        carom_lanes square = scale * sum->first;
        carom_extremes_linear_strain(m, &mean, &square, &base, &slope);
    } else if (law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF) {
        for (int c = 0; c < 6; c++)
            sum->right[c] *= scale;
        carom_extremes_right_strain(sum->right, &base, &slope);
    } else {
        carom_lanes most = (double)points * sum->second;
        carom_lanes_sqrt(&most, &most);
        base = (sum->first + most) * scale * (0.5 / m.mu) - 0.5;
        carom_lanes_fill(0, &slope);
    }
    return carom_extremes_compare(extremes, e0, sum->stress, &mean, &q, &base, &slope);
}

CAROM_INLINE void carom_hex8_sum_take(carom_kernel_law law, carom_lame m, carom_hex8_sum *sum, carom_lanes dx[3][4][3],
                                      carom_lanes dX[3][4][3], int e0, carom_extremes *extremes) {
    carom_lanes scale = 1.0 / sum->volume, right[6];
    if (!carom_hex8_sum_compare(law, m, 8, sum, e0, extremes))
        return;
    carom_hex8_mean_right(dx, dX, &scale, right);
    carom_extremes_give_right(extremes, e0, right);
}

#endif
