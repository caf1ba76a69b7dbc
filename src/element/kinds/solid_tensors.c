// SPDX-License-Identifier: MIT
// Means over the volume of each element of the Cauchy stress sigma = P F^T / det F and of Green's strain, eight elements at a
// time. The linear law does not distinguish P from sigma. Maps and laws are those of the kernels of forces and energies. The
// displacement gradient H = F - I is computed from displacements, and Green's strain as (H + H^T + H^T H)/2, so that a small
// strain has no cancellation.
#include <math.h>
#include <string.h>

#include "element/average/mean_dilatation.h"
#include "element/average/volumes.h"
#include "element/solid/solid_batch.h"
#include "element/solid/solid_kernel.h"
#include "element/solid/solid_point.h"

// Adds the tensors of a point times its volume: six components of stress, six of strain.
CAROM_INLINE void add_point(carom_kernel_law law, carom_lame m, const carom_lanes H[9], const carom_lanes *volume,
                            carom_lanes sum[CAROM_SOLID_TENSORS]) {
    carom_lanes F[9], P[9], C[9], det, scale = *volume;
    for (int i = 0; i < 9; i++)
        F[i] = i % 4 == 0 ? H[i] + 1.0 : H[i];
    carom_kernel_stress(law, m, F, P);
    if (law != CAROM_KERNEL_LINEAR) {
        carom_kernel_cofactor(F, C, &det);
        scale = *volume / det;
    }
    // Where the law is undefined (NaN) the stress counts as zero.
    carom_lanes_bits known = P[0] == P[0];
    for (int i = 1; i < 9; i++)
        known &= P[i] == P[i];
    carom_lanes stress[6], right[6];
    carom_kernel_outer(P, F, stress);
    carom_kernel_gram(H, right);
    for (int c = 0; c < 6; c++) {
        int r = carom_sym3_row[c], k = carom_sym3_column[c];
        carom_lanes own = scale * (law == CAROM_KERNEL_LINEAR ? P[3 * r + k] : stress[c]);
        sum[c] += (carom_lanes)(known & (carom_lanes_bits)own);
        sum[6 + c] += *volume * (0.5 * (H[3 * r + k] + H[3 * k + r] + right[c]));
    }
}

CAROM_INLINE void put(const carom_lanes sum[CAROM_SOLID_TENSORS], const carom_lanes *volume, double *tensors) {
    carom_lanes scale = 1.0 / *volume;
    for (int c = 0; c < CAROM_SOLID_TENSORS; c++) {
        carom_lanes mean = scale * sum[c];
        carom_lanes_store(&mean, tensors + CAROM_LANES * c);
    }
}

// An element with one point; the volume cancels.
CAROM_INLINE void one_point(const carom_element_batch *at, carom_kernel_law law, const carom_lanes H[9], double *tensors) {
    carom_lanes one, sum[CAROM_SOLID_TENSORS];
    carom_lanes_clear(CAROM_SOLID_TENSORS, sum);
    carom_lanes_fill(1, &one);
    add_point(law, at->m, H, &one, sum);
    put(sum, &one, tensors);
}

CAROM_INLINE void tetrahedra(const carom_element_batch *at, carom_kernel_law law, double *tensors) {
    carom_lanes B[9], V, H[9];
    carom_tet4_gradient(at, B, &V, H);
    one_point(at, law, H, tensors);
}

// H = (du/dr) C^T / j at the eight points. The volume of a point is j up to a factor, which cancels.
CAROM_INLINE void bricks(const carom_element_batch *at, carom_kernel_law law, double *tensors) {
    carom_lanes q[CAROM_HEX8_DOFS], u[CAROM_HEX8_DOFS], dX[3][4][3], du[3][4][3], sum[CAROM_SOLID_TENSORS], volume = {0};
    carom_lanes_clear(CAROM_SOLID_TENSORS, sum);
    carom_batch_displace(at, 8, q, u);
    carom_hex8_derivatives(q, dX);
    carom_hex8_derivatives(u, du);
    // not unrolled: that would only lengthen the compilation
    CAROM_ROLLED
    for (int point = 0; point < 8; point++) {
        carom_lanes C[9], H[9], j;
        carom_hex8_gradient(dX, du, point, C, &j, H);
        add_point(law, at->m, H, &j, sum);
        volume += j;
    }
    put(sum, &volume, tensors);
}

// The mean gradient of bricks with one point.
CAROM_INLINE void mean_bricks(const carom_element_batch *at, carom_kernel_law law, double *tensors) {
    carom_lanes q[CAROM_HEX8_DOFS], u[CAROM_HEX8_DOFS], R[8][3], c[8][3], b[7][3], j, scale, H[9];
    carom_batch_displace(at, 8, q, u);
    carom_hex8_mean_gradient(q, u, R, c, b, &j, &scale, H);
    one_point(at, law, H, tensors);
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *tensors, carom_kernel_law law, bool brick) {
    carom_element_batch at = carom_batch_of(block, begin, end, x, X);
    for (at.e = begin; at.e < end; at.e += CAROM_LANES, tensors += CAROM_LANES * CAROM_SOLID_TENSORS) {
        if (!brick)
            tetrahedra(&at, law, tensors);
        else if (at.one_point)
            mean_bricks(&at, law, tensors);
        else
            bricks(&at, law, tensors);
    }
}

CAROM_KERNEL_LAWS(tet4, range(block, begin, end, x, X, values, law, false), CAROM_VALUES, CAROM_VALUES_GIVEN)
CAROM_KERNEL_LAWS(hex8, range(block, begin, end, x, X, values, law, true), CAROM_VALUES, CAROM_VALUES_GIVEN)

void carom_solid_add_tensors(const carom_block *block, double volume, const double F[9], const double P[9], double stress[6],
                             double strain[6]) {
    static const double none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double *G = block->material->small ? none : F;
    double unused[9], J, product[6], right[6];
    carom_mat_cofactor(G, unused, &J);
    carom_sym3_outer(P, G, product);
    carom_sym3_gram(F, right);
    for (int c = 0; c < 6; c++) {
        stress[c] += volume * product[c] / J;
        strain[c] += volume * 0.5 * (right[c] - (c < 3));
    }
}

// Any solid with any law, one element at a time.
static void mean_tensors(const carom_solid_shape *shape, const carom_block *block, int e, const double (*x)[3],
                         const double (*X)[3], double stress[6], double strain[6]) {
    const int *nodes = &block->nodes[shape->node_count * e];
    double volume = 0;
    if (carom_is_dilated(block)) {
        carom_dilated_tensors(block, e, x, X, stress, strain);
        return;
    }
    if (block->element == &carom_volume_tet4.element) {
        carom_volume_tensors(block, e, x, X, stress, strain);
        return;
    }
    for (int c = 0; c < 6; c++)
        stress[c] = strain[c] = 0;
    bool one = carom_solid_is_one_point(block);
    for (int q = 0; q < (one ? 1 : shape->point_count); q++) {
        carom_solid_point p =
            one ? carom_solid_mean_point(shape, block, nodes, X) : carom_solid_point_of(shape, block, nodes, q, X);
        double F[9], P[9];
        carom_solid_deformation(shape, nodes, &p, x, X, F);
        // Where the law is undefined the stress counts as zero.
        if (!(carom_solid_law(shape, block, (carom_solid_spot){e, q, p.volume}, F, P, NULL) < HUGE_VAL))
            memset(P, 0, sizeof P);
        // Plane strain has a stress normal to the plane, which the plane form of the law omits.
        if (shape->dimension == 2 && !block->history)
            block->material->solid(block->material_params, F, P, NULL);
        carom_solid_add_tensors(block, p.volume, F, P, stress, strain);
        volume += p.volume;
    }
    for (int c = 0; c < 6; c++)
        stress[c] /= volume, strain[c] /= volume;
}

static void plain CAROM_VALUES {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    for (int e = begin; e < end; e++) {
        double stress[6], strain[6];
        mean_tensors(shape, block, e, x, X, stress, strain);
        carom_solid_put_tensors(e - begin, stress, strain, values);
    }
}

void carom_solid_tensors CAROM_VALUES {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    bool kernel = carom_kernel_law_of(block->material) != CAROM_KERNEL_NONE;
    if (kernel && shape == &carom_shape_tet4)
        tet4 CAROM_VALUES_GIVEN;
    else if (kernel && shape == &carom_shape_hex8)
        hex8 CAROM_VALUES_GIVEN;
    else
        plain CAROM_VALUES_GIVEN;
}
