// SPDX-License-Identifier: MIT
// Upper bounds of the stiffness, for stable steps, of deformed solids, eight elements at a time (point_bound.h has the
// formulas, stiffness_bound.h the stiffness of tetrahedra and bricks).
//
// Every quadrature point is bounded like a separate element with the volumes V_q N_a of its nodes: its stiffness is K <= k
// diag(V_q N_a), and the sum of k V_q N_a at a node divided by the mass of the node bounds omega^2
// (src/model/watch/frequency_bound.c). k is a function of F and of G = sum_a g_a g_a^T/N_a. With the reference map Y = dX/dr,
// the present one y = dx/dr and the constant matrix M = sum_a dN_a dN_a^T/N_a of the point (1.5 I for bricks),
//
//     G = Y^-T M Y^-1,   F = y Y^-1,   grad u = (du/dr) y^-1   for velocities u,
//
// so no data are stored. A brick with one point has one G, of its mean gradients, and hourglass modes, whose stiffness kappa
// sum_m gamma_m gamma_m^T is bounded by its trace relative to the volumes of the nodes.
#include "element/bound.h"
#include "element/element.h"
#include "element/solid/solid_batch.h"
#include "element/solid/solid_kernel.h"
#include "element/solid/solid_point.h"
#include "element/solid/stiffness_bound.h"

bool carom_solid_stiffens(const carom_block *block) {
    return !block->material->small;
}

// A law without kernels: measures, which depend on the motion alone, by the kernel of another law, shares by the stiffness
// matrix.
static void bound_without_kernel(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                                 double *measures) {
    static const carom_elastic_params any = {.young = 1, .poisson = 0.3, .density = 1};
    carom_block own = *block;
    own.material = carom_law_material(CAROM_LAW_NEO_HOOKEAN);
    own.material_params = &any;
    carom_solid_bound(&own, begin, end, motion, share, measures);
    carom_plain_bound(block, begin, end, motion, share, NULL);
}

// Loops with constant bounds keep all numbers in registers: a check takes little more time than a force, and after an impact
// every kick requires one.
CAROM_INLINE void tetrahedra(const carom_element_batch *at, const carom_kinematics *motion, carom_kernel_law law,
                             carom_bounds *bounds) {
    carom_lanes q[CAROM_TET4_DOFS], B[9], U[9], A[9], inverse[9], J;
    carom_tet4_share(at, law, B, inverse, &J, &bounds->share[0]);
    for (int n = 1; n < 4; n++)
        bounds->share[n] = bounds->share[0];
    carom_kernel_gather(at->block, 4, at->e, motion->v, q);
    carom_tet4_map(q, B, U);
    carom_kernel_gather(at->block, 4, at->e, motion->a, q);
    carom_tet4_map(q, B, A);
    carom_bounds_take(3, U, A, inverse, &J, bounds);
}

// The compression and stretch of a point by a field u with the map U = du/dr: grad u = U c^T/d with the cofactors c and the
// determinant d of the present map.
CAROM_INLINE void squeeze(const carom_lanes U[9], const carom_hex8_place *present, carom_lanes *rate, carom_lanes *stretch) {
    carom_lanes L[9], over = 1.0 / present->det;
    carom_hex8_product(U, present->C, L);
    for (int i = 0; i < 9; i++)
        L[i] *= over;
    carom_bound_squeeze(3, L, rate, stretch);
}

// All points of bricks.
CAROM_INLINE void points(const carom_element_batch *at, const carom_kinematics *motion, carom_kernel_law law,
                         carom_bounds *bounds) {
    const double(*fields[CAROM_BOUND_FIELDS])[3] = {motion->X, motion->x, motion->v, motion->a};
    carom_lanes d[CAROM_BOUND_FIELDS][3][4][3], k[8];
    // not unrolled: that would only lengthen the compilation
    CAROM_ROLLED
    for (int f = 0; f < CAROM_BOUND_FIELDS; f++) {
        carom_lanes u[CAROM_HEX8_DOFS];
        carom_kernel_gather(at->block, 8, at->e, fields[f], u);
        carom_hex8_derivatives(u, d[f]);
    }
    CAROM_ROLLED
    for (int q = 0; q < 8; q++) {
        int which[3];
        carom_hex8_point(q, which);
        carom_hex8_place reference, present;
        carom_hex8_take_map(d[CAROM_BOUND_REFERENCE], which, &reference);
        carom_hex8_take_map(d[CAROM_BOUND_PRESENT], which, &present);
        carom_lanes J = present.det / reference.det, U[9], rate, push, stretch, unused;
        carom_hex8_stiffness(law, at->m, &reference, &present, &J, &k[q]);
        k[q] *= carom_hex8_cube * reference.det;
        carom_hex8_map_at(d[CAROM_BOUND_VELOCITY], which, U);
        squeeze(U, &present, &rate, &stretch);
        carom_hex8_map_at(d[CAROM_BOUND_ACCELERATION], which, U);
        squeeze(U, &present, &push, &unused);
        carom_bounds_compress(bounds, &rate, &push, &stretch, &J);
    }
    carom_hex8_distribute(k, bounds->share);
}

// Bricks with one point.
CAROM_INLINE void one_point(const carom_element_batch *at, const carom_kinematics *motion, carom_kernel_law law,
                            carom_bounds *bounds) {
    const double(*fields[2])[3] = {motion->v, motion->a};
    carom_hex8_mean s;
    carom_lanes maps[2][9], inverse[9], J;
    carom_hex8_share_mean(at, law, &s, inverse, &J, bounds->share);
    CAROM_ROLLED
    for (int f = 0; f < 2; f++) {
        carom_lanes u[CAROM_HEX8_DOFS], c[8][3];
        carom_kernel_gather(at->block, 8, at->e, fields[f], u);
        carom_hex8_coefficients(u, c);
        carom_hex8_mean_map(c, s.b, &s.over, maps[f]);
    }
    carom_bounds_take(3, maps[0], maps[1], inverse, &J, bounds);
}

// Any shape: G = Y^-T M Y^-1 at each point.
CAROM_INLINE void shape_points(const carom_element_batch *at, const carom_kinematics *motion, carom_kernel_law law, int n,
                               carom_bounds *bounds) {
    const double(*fields[CAROM_BOUND_FIELDS])[3] = {motion->X, motion->x, motion->v, motion->a};
    const carom_solid_shape *shape = at->solid;
    carom_lanes u[CAROM_BOUND_FIELDS][3 * CAROM_SOLID_NODES];
    for (int f = 0; f < CAROM_BOUND_FIELDS; f++)
        carom_kernel_gather(at->block, n, at->e, fields[f], u[f]);
    CAROM_ROLLED
    for (int q = 0; q < shape->point_count; q++) {
        carom_lanes maps[CAROM_BOUND_FIELDS][9], Y_inverse[9], y_inverse[9], det, now, M[6] = {{0}}, G[6], F[9], inverse[9], k;
        CAROM_ROLLED
        for (int f = 0; f < CAROM_BOUND_FIELDS; f++)
            carom_shape_map(shape, n, q, u[f], maps[f]);
        carom_kernel_invert(maps[CAROM_BOUND_REFERENCE], Y_inverse, &det);
        carom_kernel_invert(maps[CAROM_BOUND_PRESENT], y_inverse, &now);
        for (int c = 0; c < 6; c++)
            for (int a = 0; a < n; a++)
                M[c] += shape->dN[q][a][carom_sym3_row[c]] * shape->dN[q][a][carom_sym3_column[c]] / shape->N[q][a];
        carom_bound_congruence(M, Y_inverse, G);
        carom_bound_multiply(maps[CAROM_BOUND_PRESENT], Y_inverse, F);
        carom_bound_multiply(maps[CAROM_BOUND_REFERENCE], y_inverse, inverse);
        carom_lanes J = now / det;
        carom_point_stiffness(law, at->m, G, F, inverse, &J, &k);
        k *= shape->weight[q] * det;
        for (int a = 0; a < n; a++)
            bounds->share[a] += shape->N[q][a] * k;
        carom_bounds_take(3, maps[CAROM_BOUND_VELOCITY], maps[CAROM_BOUND_ACCELERATION], y_inverse, &J, bounds);
    }
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                        double *measures, carom_kernel_law law, int nodes) {
    carom_element_batch at = carom_batch_of(block, begin, end, motion->x, motion->X);
    CAROM_BATCHES(at) {
        carom_bounds bounds;
        carom_bounds_clear(&bounds, nodes);
        if (nodes == 4)
            tetrahedra(&at, motion, law, &bounds);
        else if (nodes != 8)
            shape_points(&at, motion, law, nodes, &bounds);
        else if (law != CAROM_KERNEL_OPEN && at.one_point)
            one_point(&at, motion, law, &bounds);
        else
            points(&at, motion, law, &bounds);
        carom_bounds_store(&bounds, nodes, at.e, begin, end, share, measures);
    }
}

// The laws include `open-neo-hookean` of the cells of `nodal`, which have full integration.
#define KERNELS(name, nodes)                                                                                        \
    CAROM_KERNEL_SOME_LAWS(CAROM_BOUNDED_LAWS, name, range(block, begin, end, motion, share, measures, law, nodes), \
                           CAROM_BOUND_KERNEL, CAROM_BOUND_GIVEN)

CAROM_SOLIDS(KERNELS)

void carom_solid_bound CAROM_BOUND_KERNEL {
    carom_kernel_law law = carom_kernel_law_of(block->material);
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    if (law == CAROM_KERNEL_NONE)
        bound_without_kernel CAROM_BOUND_GIVEN;
    else if (law == CAROM_KERNEL_LINEAR)
        carom_plain_bound CAROM_BOUND_GIVEN;
#define CALL(name, nodes) else if (shape == &carom_shape_##name) name CAROM_BOUND_GIVEN;
    CAROM_SOLIDS(CALL)
    else carom_plane_bound CAROM_BOUND_GIVEN;
}
