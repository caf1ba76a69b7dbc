// SPDX-License-Identifier: MIT
// The force of one tetrahedron, for asynchronous steps (tet4_body.h has the equations). The neo-Hookean stress is written
// with one division,
//     P = mu F + (lambda ln J - mu)/J cof F.
#include "element/solid/solid_kernel.h"
#include "math/functions.h"
#include "math/vec3.h"

static void prepare(const carom_block *block, int e, const double (*X)[3], double *data) {
    (void)X;
    for (int k = 0; k < CAROM_TET4_DATA; k++)
        data[k] = block->data[carom_lane(e, k, CAROM_TET4_DATA)];
}

// First Piola-Kirchhoff stress; false if the law has no answer. P first holds the cofactors of F, row by row.
static bool stress(const carom_block *block, const double F[9], double P[9]) {
    carom_kernel_law law = carom_kernel_law_of(block->material);
    bool open = law == CAROM_KERNEL_OPEN;
    if (law != CAROM_KERNEL_NEO_HOOKEAN && !open)
        return block->material->solid(block->material_params, F, P, NULL) < HUGE_VAL;
    carom_lame m = carom_elastic_lame(block->material_params);
    carom_cross(&F[3], &F[6], &P[0]);
    carom_cross(&F[6], &F[0], &P[3]);
    carom_cross(&F[0], &F[3], &P[6]);
    double J = carom_dot(&F[0], &P[0]), scale = (m.lambda * carom_log(J) - m.mu) / J;
    if (open && J < CAROM_OPEN_VOLUME)
        return block->material->solid(block->material_params, F, P, NULL) < HUGE_VAL;
    for (int a = 0; a < 9; a++)
        P[a] = m.mu * F[a] + scale * P[a];
    return J > 0;
}

// As in the batched kernel, but with scalars.
static void force(const carom_block *block, const double *data, const double (*q)[3], double (*f)[3]) {
    const double *B = data, V = data[9];
    double F[9], P[9];
    for (int i = 0; i < 3; i++) {
        double d0 = q[1][i] - q[0][i], d1 = q[2][i] - q[0][i], d2 = q[3][i] - q[0][i];
        for (int j = 0; j < 3; j++)
            F[3 * i + j] = d0 * B[j] + d1 * B[3 + j] + d2 * B[6 + j];
    }
    double scale = stress(block, F, P) ? -V : NAN;
    for (int i = 0; i < 3; i++) {
        for (int a = 0; a < 3; a++)
            f[a + 1][i] = scale * carom_dot(&P[3 * i], &B[3 * a]);
        f[0][i] = -(f[1][i] + f[2][i] + f[3][i]);
    }
}

const carom_single *carom_tet4_single(const carom_block *block) {
    static const carom_single single = {CAROM_TET4_DATA, prepare, force};
    // events of laws with history go through the element
    return block->point_count ? NULL : &single;
}
