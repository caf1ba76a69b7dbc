// SPDX-License-Identifier: MIT
// Deformations of a layer under plane stress.
#ifndef CAROM_TEST_UNIT_MATERIAL_LAYERS_H
#define CAROM_TEST_UNIT_MATERIAL_LAYERS_H

#include "../../support.h"

static const double flat[3] = {1, 1, 0};

static void random_step(uint64_t *seed, double size, double F[4]) {
    double s[4];
    for (int a = 0; a < 4; a++)
        s[a] = (a % 3 == 0) + random_real(seed, -size, size);
    const double next[4] = {s[0] * F[0] + s[1] * F[2], s[0] * F[1] + s[1] * F[3], s[2] * F[0] + s[3] * F[2],
                            s[2] * F[1] + s[3] * F[3]};
    memcpy(F, next, sizeof next);
}

// The metric of coordinates with the base vectors A (columns), and the components of the strain of F in them.
static void see(const double A[4], const double F[4], double G[3], double E[3]) {
    const double now[4] = {F[0] * A[0] + F[1] * A[2], F[0] * A[1] + F[1] * A[3], F[2] * A[0] + F[3] * A[2],
                           F[2] * A[1] + F[3] * A[3]};
    G[0] = A[0] * A[0] + A[2] * A[2], G[1] = A[1] * A[1] + A[3] * A[3], G[2] = A[0] * A[1] + A[2] * A[3];
    E[0] = 0.5 * (now[0] * now[0] + now[2] * now[2] - G[0]);
    E[1] = 0.5 * (now[1] * now[1] + now[3] * now[3] - G[1]);
    E[2] = now[0] * now[1] + now[2] * now[3] - G[2];
}

static const double axes[4] = {1, 0, 0, 1};

#endif
