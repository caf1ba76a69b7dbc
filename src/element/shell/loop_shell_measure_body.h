// SPDX-License-Identifier: MIT
// Measures of the deformation of shells, the ratio of areas and the square of the larger principal stretch, for batches and
// for threads of a device. The eigenvalues of G^ac g_cb are the squares of the principal stretches: with the half trace t and
// the determinant d = J^2/det G, the larger one is t + sqrt(t^2 - d), and sqrt(d) is the ratio of areas. C and C++.
#ifndef CAROM_ELEMENT_SHELL_LOOP_SHELL_MEASURE_BODY_H
#define CAROM_ELEMENT_SHELL_LOOP_SHELL_MEASURE_BODY_H

#include "element/shell/loop_shell_lanes.h"

CAROM_INLINE void carom_shell_measure_start(carom_lanes *height, carom_lanes *stretch) {
    carom_lanes_fill(HUGE_VAL, height);
    carom_lanes_clear(1, stretch);
}

// Updates the measures of an element by a point. A law that is linear in strain is defined for all finite strains; where it is
// undefined the height is zero. NaN is ignored, as in fmax and fmin.
CAROM_INLINE void carom_shell_measure_point(const carom_shell_surface *y, const double *data, carom_lanes *height,
                                            carom_lanes *stretch) {
    carom_lanes normal[3], over_J, g[3], strain[6], force[6], G[3], cross[3], zero = {0}, energy = zero, infinite, J, square,
                                                                              root, least;
    carom_lanes_fill(HUGE_VAL, &infinite);
    carom_shell_resultants(y, data, 1, normal, &over_J, g, strain, force);
    for (int k = 0; k < 6; k++)
        energy += force[k] * strain[k];
    for (int k = 0; k < 3; k++)
        carom_lanes_load(data + CAROM_LANES * (CAROM_SHELL_METRIC + k), &G[k]);
    for (int i = 0, j = 1, k = 2; i < 3; j = k, k = i++)
        cross[i] = y->y[j] * y->y[3 + k] - y->y[k] * y->y[3 + j];
    carom_shell_dot(cross, cross, &square);
    carom_lanes_sqrt(&square, &J);
    carom_lanes det = G[0] * G[1] - G[2] * G[2];
    carom_lanes mean = 0.5 * (G[1] * g[0] + G[0] * g[1] - 2.0 * G[2] * g[2]) / det;
    carom_lanes product = J * J / det;
    square = mean * mean - product;
    carom_lanes_max(&square, &zero, &square);
    carom_lanes_sqrt(&square, &root);
    root = mean + root;
    carom_lanes_max(&root, stretch, stretch);
    carom_lanes_bits good = energy < infinite;
    carom_lanes_sqrt(&product, &least);
    carom_lanes_choose(&good, &least, &zero, &least);
    carom_lanes_min(&least, height, height);
}

#endif
