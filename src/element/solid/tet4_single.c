// SPDX-License-Identifier: MIT
// The force of one tetrahedron, for methods in which each element has its own step (asynchronous): the formulas of the batch
// of eight (tet4_body.h), compiled for one element.
#define CAROM_LANES_ONE
#include "element/solid/tet4_single.h"

#include "element/solid/tet4_body.h"
#include "material/lanes/law.h"

static void prepare(const carom_block *block, int e, const double (*X)[3], double *data) {
    (void)X;
    for (int k = 0; k < CAROM_TET4_DATA; k++)
        data[k] = block->data[carom_lane(e, k, CAROM_TET4_DATA)];
}

// The stress of a law that has no batched formulas; NaN where the law is undefined.
static void evaluate_law(const carom_block *block, const carom_lanes F[9], carom_lanes P[9]) {
    double f[9], stress[9];
    for (int a = 0; a < 9; a++)
        f[a] = F[a][0];
    bool answer = block->material->solid(block->material_params, f, stress, NULL) < HUGE_VAL;
    for (int a = 0; a < 9; a++)
        carom_lanes_fill(answer ? stress[a] : NAN, &P[a]);
}

static void force(const carom_block *block, const double *data, const double (*q)[3], double (*f)[3]) {
    carom_kernel_law law = carom_kernel_law_of(block->material);
    carom_lanes x[CAROM_TET4_DOFS], B[9], V, F[9], P[9], out[CAROM_TET4_DOFS];
    for (int d = 0; d < CAROM_TET4_DOFS; d++)
        carom_lanes_load(&q[d / 3][d % 3], &x[d]);
    for (int k = 0; k < 9; k++)
        carom_lanes_load(&data[k], &B[k]);
    carom_lanes_load(&data[9], &V);
    carom_tet4_map(x, B, F);
    if (law == CAROM_KERNEL_NONE)
        evaluate_law(block, F, P);
    else
        carom_kernel_stress(law, carom_elastic_lame(block->material_params), F, P);
    carom_tet4_forces(B, &V, P, out);
    for (int d = 0; d < CAROM_TET4_DOFS; d++)
        carom_lanes_store(&out[d], &f[d / 3][d % 3]);
}

const carom_single *carom_tet4_single(const carom_block *block) {
    static const carom_single single = {CAROM_TET4_DATA, prepare, force};
    // none for laws with history: their elements are computed by `force` of the element for a range of one
    return block->point_count ? NULL : &single;
}
