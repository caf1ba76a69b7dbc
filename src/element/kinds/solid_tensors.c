// SPDX-License-Identifier: MIT
// Means over the volume of each element of the Cauchy stress sigma = P F^T / det F and of Green's strain, eight elements at a
// time. The linear law does not distinguish P from sigma. Maps and laws are those of the kernels of forces and energies; F is
// I + H with H made of displacements, and Green's strain is (H + H^T + H^T H)/2, which keeps the digits of a small strain.
#include <math.h>
#include <string.h>

#include "element/average/mean_dilatation.h"
#include "element/average/volumes.h"
#include "element/solid/hex8_lanes.h"
#include "element/solid/solid_point.h"

enum { TET4_DOFS = 12 };

// Indices of xx, yy, zz, xy, yz, xz.
static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};

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
    // A state for which the law has no answer is shown without stress: lanes that are no number become zero.
    carom_lanes_bits known = P[0] == P[0];
    for (int i = 1; i < 9; i++)
        known &= P[i] == P[i];
    for (int c = 0; c < 6; c++) {
        int r = row[c], k = column[c];
        carom_lanes stress = P[3 * r + k];
        if (law != CAROM_KERNEL_LINEAR)
            stress = P[3 * r] * F[3 * k] + P[3 * r + 1] * F[3 * k + 1] + P[3 * r + 2] * F[3 * k + 2];
        stress = scale * stress;
        sum[c] += (carom_lanes)(known & (carom_lanes_bits)stress);
        carom_lanes right = H[3 * r + k] + H[3 * k + r] + (H[r] * H[k] + H[3 + r] * H[3 + k] + H[6 + r] * H[6 + k]);
        sum[6 + c] += *volume * (0.5 * right);
    }
}

CAROM_INLINE void put(const carom_lanes sum[CAROM_SOLID_TENSORS], const carom_lanes *volume, double *tensors) {
    carom_lanes scale = 1.0 / *volume;
    for (int c = 0; c < CAROM_SOLID_TENSORS; c++) {
        carom_lanes mean = scale * sum[c];
        carom_lanes_store(&mean, tensors + CAROM_LANES * c);
    }
}

// One point: H = (u1 - u0, u2 - u0, u3 - u0) B (tet4_kernel.c has B). The volume cancels.
CAROM_INLINE void tet4_batch(const carom_block *block, int e0, const double (*x)[3], const double (*X)[3], double *tensors,
                             carom_kernel_law law, carom_lame m) {
    carom_lanes q[TET4_DOFS], u[TET4_DOFS], B[9], H[9], one, sum[CAROM_SOLID_TENSORS];
    const double *data = block->data + carom_lane(e0, 0, CAROM_TET4_DATA);
    memset(sum, 0, sizeof sum);
    carom_lanes_fill(1, &one);
    carom_kernel_gather(block, 4, e0, X, q);
    carom_kernel_gather(block, 4, e0, x, u);
    for (int c = 0; c < TET4_DOFS; c++)
        u[c] = u[c] - q[c];
    for (int k = 0; k < 9; k++)
        carom_lanes_load(data + CAROM_LANES * k, &B[k]);
    for (int i = 0; i < 3; i++) {
        carom_lanes d0 = u[3 + i] - u[i], d1 = u[6 + i] - u[i], d2 = u[9 + i] - u[i];
        for (int j = 0; j < 3; j++)
            H[3 * i + j] = d0 * B[j] + d1 * B[3 + j] + d2 * B[6 + j];
    }
    add_point(law, m, H, &one, sum);
    put(sum, &one, tensors);
}

// Reference positions of eight bricks, and their displacements.
CAROM_INLINE void displacements(const carom_block *block, int e0, const double (*x)[3], const double (*X)[3], carom_lanes *q,
                                carom_lanes *u) {
    carom_kernel_gather(block, 8, e0, X, q);
    carom_kernel_gather(block, 8, e0, x, u);
    for (int d = 0; d < CAROM_HEX8_DOFS; d++)
        u[d] = u[d] - q[d];
}

// H = (du/dr) C^T / j at the eight points (hex8_kernel.c has the maps). The volume of a point is j up to a factor, which
// cancels.
CAROM_INLINE void hex8_batch(const carom_block *block, int e0, const double (*x)[3], const double (*X)[3], double *tensors,
                             carom_kernel_law law, carom_lame m) {
    carom_lanes q[CAROM_HEX8_DOFS], u[CAROM_HEX8_DOFS], dX[3][4][3], du[3][4][3], sum[CAROM_SOLID_TENSORS], volume = {0};
    memset(sum, 0, sizeof sum);
    displacements(block, e0, x, X, q, u);
    carom_hex8_derivatives(q, dX);
    carom_hex8_derivatives(u, du);
    // eight copies of this loop take the compiler long and gain nothing
#pragma GCC unroll 1
    for (int point = 0; point < 8; point++) {
        carom_lanes Y[9], U[9], C[9], H[9], j;
        int at[3];
        carom_hex8_point(point, at);
        carom_hex8_map_at(dX, at, Y);
        carom_hex8_map_at(du, at, U);
        carom_kernel_cofactor(Y, C, &j);
        carom_lanes scale = 1.0 / j;
        for (int i = 0; i < 9; i += 3)
            for (int k = 0; k < 3; k++)
                H[i + k] = scale * (U[i] * C[3 * k] + U[i + 1] * C[3 * k + 1] + U[i + 2] * C[3 * k + 2]);
        add_point(law, m, H, &j, sum);
        volume += j;
    }
    put(sum, &volume, tensors);
}

// The mean gradient of bricks with one point.
CAROM_INLINE void one_point_batch(const carom_block *block, int e0, const double (*x)[3], const double (*X)[3], double *tensors,
                                  carom_kernel_law law, carom_lame m) {
    carom_lanes q[CAROM_HEX8_DOFS], u[CAROM_HEX8_DOFS], R[8][3], c[8][3], b[7][3], j, H[9], one, sum[CAROM_SOLID_TENSORS];
    memset(sum, 0, sizeof sum);
    carom_lanes_fill(1, &one);
    displacements(block, e0, x, X, q, u);
    carom_hex8_coefficients(q, R);
    carom_hex8_coefficients(u, c);
    carom_hex8_mean_gradients(R, b, &j);
    carom_lanes scale = 1.0 / j;
    carom_hex8_mean_map(c, b, &scale, H);
    add_point(law, m, H, &one, sum);
    put(sum, &one, tensors);
}

typedef enum shape_kind { TET4, HEX8, HEX8_ONE_POINT, OTHER } shape_kind;

CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *tensors, carom_kernel_law law, shape_kind kind) {
    carom_lame m = carom_elastic_lame(block->material_params);
    for (int e0 = begin; e0 < end; e0 += CAROM_LANES, tensors += CAROM_LANES * CAROM_SOLID_TENSORS) {
        if (kind == TET4)
            tet4_batch(block, e0, x, X, tensors, law, m);
        else if (kind == HEX8)
            hex8_batch(block, e0, x, X, tensors, law, m);
        else
            one_point_batch(block, e0, x, X, tensors, law, m);
    }
}

#define PARAMETERS (const carom_block *block, int begin, int end, const double(*x)[3], const double(*X)[3], double *tensors)
#define ARGUMENTS (block, begin, end, x, X, tensors)
CAROM_KERNEL_LAWS(tet4, range(block, begin, end, x, X, tensors, law, TET4), PARAMETERS, ARGUMENTS)
CAROM_KERNEL_LAWS(hex8, range(block, begin, end, x, X, tensors, law, HEX8), PARAMETERS, ARGUMENTS)
CAROM_KERNEL_LAWS(one_point, range(block, begin, end, x, X, tensors, law, HEX8_ONE_POINT), PARAMETERS, ARGUMENTS)

void carom_solid_add_tensors(const carom_block *block, double volume, const double F[9], const double P[9], double stress[6],
                             double strain[6]) {
    static const double none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double *G = block->material->small ? none : F;
    double J = G[0] * (G[4] * G[8] - G[5] * G[7]) - G[1] * (G[3] * G[8] - G[5] * G[6]) + G[2] * (G[3] * G[7] - G[4] * G[6]);
    for (int c = 0; c < 6; c++) {
        const double *Pr = &P[3 * row[c]], *Gc = &G[3 * column[c]];
        stress[c] += volume * (Pr[0] * Gc[0] + Pr[1] * Gc[1] + Pr[2] * Gc[2]) / J;
        double right = F[row[c]] * F[column[c]] + F[3 + row[c]] * F[3 + column[c]] + F[6 + row[c]] * F[6 + column[c]];
        strain[c] += volume * 0.5 * (right - (row[c] == column[c]));
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
        // A state for which the law has no answer is shown without stress.
        if (!(carom_solid_law(shape, block, (carom_solid_spot){e, q, p.volume}, F, P, NULL) < HUGE_VAL))
            memset(P, 0, sizeof P);
        // Plane strain has a stress across the plane, which the plane form of the law leaves out.
        if (shape->dimension == 2 && !block->history)
            block->material->solid(block->material_params, F, P, NULL);
        carom_solid_add_tensors(block, p.volume, F, P, stress, strain);
        volume += p.volume;
    }
    for (int c = 0; c < 6; c++)
        stress[c] /= volume, strain[c] /= volume;
}

static void plain(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *tensors) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    for (int e = begin; e < end; e++) {
        double stress[6], strain[6];
        mean_tensors(shape, block, e, x, X, stress, strain);
        carom_solid_put_tensors(e - begin, stress, strain, tensors);
    }
}

static shape_kind kind_of(const carom_block *block) {
    if (carom_kernel_law_of(block->material) == CAROM_KERNEL_NONE)
        return OTHER;
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    if (shape == &carom_shape_hex8)
        return carom_solid_is_one_point(block) ? HEX8_ONE_POINT : HEX8;
    return shape == &carom_shape_tet4 ? TET4 : OTHER;
}

void carom_solid_tensors(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                         double *tensors) {
    switch (kind_of(block)) {
    case TET4: tet4(block, begin, end, x, X, tensors); break;
    case HEX8: hex8(block, begin, end, x, X, tensors); break;
    case HEX8_ONE_POINT: one_point(block, begin, end, x, X, tensors); break;
    case OTHER: plain(block, begin, end, x, X, tensors); break;
    }
}
