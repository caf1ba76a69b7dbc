// SPDX-License-Identifier: MIT
// Theory: docs/theory/solids.md
// Isoparametric solids by quadrature.
//
//     F = sum_a x_a (x) g_a,   g_a = dN_a/dX = J^-T dN_a/dr,   J = sum_a X_a (x) dN_a/dr
//     E = sum_q V_q W(F_q),   f_a = -sum_q V_q P_q g_a,   K_(ai)(bk) = sum_q V_q g_aJ A_iJkL g_bL,   V_q = w_q det J_q
//
// W is the energy density of the law, P = dW/dF, A = dP/dF; w_q are quadrature weights. A plane element has F_13 = F_23 = 0 and
// F_31 = F_32 = 0; F_33 is 1 (plane strain) or makes P_33 vanish (plane stress). Forces along z are zero.
#include "element/solid.h"
#include "element/batch.h"
#include "element/points_body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "element/body_step.h"
#include "element/element.h"
#include "element/largest_eigenvalue.h"
#include "element/solid/solid_point.h"
#include "math/vec3.h"

// Any law in three dimensions is accepted, also in plane strain and plane stress.
carom_status carom_solid_accepts(const void *params, const carom_material *material, carom_error *error) {
    (void)params;
    return material->solid ? CAROM_OK
                           : carom_fail(error, CAROM_BAD_INPUT, "material '%s' has no law for solids", material->kind.name);
}

// The lumped masses of one element: row sums of the consistent mass matrix, m_a = rho sum_q V_q N_a.
static void element_masses(const carom_block *block, int e, const double (*X)[3], double *mass) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    double density = block->material->density(block->material_params);
    for (int a = 0; a < shape->node_count; a++)
        mass[a] = 0;
    for (int q = 0; q < shape->point_count; q++) {
        double volume = carom_solid_volume_at(shape, block, &block->nodes[shape->node_count * e], q, X);
        for (int a = 0; a < shape->node_count; a++)
            mass[a] += density * volume * shape->N[q][a];
    }
}

// Masses of RUN elements are computed in parallel, and then added by one thread in the order of the elements. RUN elements take
// about 100 us; shorter blocks are processed by one thread.
enum { RUN = 4096 };

void carom_solid_masses(const carom_block *block, const double (*X)[3], double *mass) {
    int n = block->element->node_count;
    double(*share)[CAROM_SOLID_NODES] = block->count > RUN ? carom_allocate(RUN, sizeof *share) : NULL;
    double one[1][CAROM_SOLID_NODES];
    // if memory for a run is short, elements are processed one by one
    int run = share ? RUN : 1;
    for (int begin = 0; begin < block->count; begin += run) {
        int end = begin + run < block->count ? begin + run : block->count;
        double(*of)[CAROM_SOLID_NODES] = share ? share : one;
#pragma omp parallel for schedule(static) if (run > 1)
        for (int e = begin; e < end; e++)
            element_masses(block, e, X, of[e - begin]);
        for (int e = begin; e < end; e++)
            for (int a = 0; a < n; a++)
                mass[block->nodes[n * e + a]] += of[e - begin][a];
    }
    free(share);
}

// The volume of the mean point is the sum over all quadrature points, also for elements with one-point integration.
void carom_solid_volume(const carom_block *block, int begin, int end, const double (*X)[3], double *volume) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    for (int e = begin; e < end; e++)
        volume[e] = carom_solid_mean_point(shape, block, &block->nodes[shape->node_count * e], X).volume;
}

// A plane element has the same z at all nodes, up to the rounding of a rotated mesh.
static bool is_level(const carom_solid_shape *shape, const int *nodes, const double (*X)[3]) {
    double size = 0, rise = 0;
    for (int a = 1; a < shape->node_count; a++) {
        double edge[3];
        carom_difference(X[nodes[a]], X[nodes[0]], edge);
        size = fmax(size, carom_norm(edge));
        rise = fmax(rise, fabs(edge[2]));
    }
    return shape->dimension == 3 || rise <= 1e-9 * size;
}

// True if all volumes of an element are positive numbers.
static bool has_volume(const carom_solid_shape *shape, const carom_block *block, const int *nodes, const double (*X)[3]) {
    bool good = true;
    for (int q = 0; q < shape->point_count; q++) {
        double volume = carom_solid_volume_at(shape, block, nodes, q, X);
        good = good && volume > 0 && isfinite(volume);
    }
    return good;
}

carom_status carom_solid_prepare(const carom_block *block, const double (*X)[3], double *mass, carom_error *error) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    // The message names the first faulty element, for any number of threads.
    int first = block->count;
#pragma omp parallel for schedule(static) reduction(min : first) if (block->count > RUN)
    for (int e = 0; e < block->count; e++) {
        const int *nodes = &block->nodes[shape->node_count * e];
        if (e < first && !(is_level(shape, nodes, X) && has_volume(shape, block, nodes, X)))
            first = e;
    }
    if (first < block->count) {
        long long id = carom_block_id(block, first);
        if (!is_level(shape, &block->nodes[shape->node_count * first], X))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "element %lld does not lie in the x-y plane: a body of '%s' must be in a plane z = const", id,
                              block->element->kind.name);
        return carom_fail(error, CAROM_BAD_INPUT, "element %lld is inverted or has no volume", id);
    }
    carom_solid_masses(block, X, mass);
    return CAROM_OK;
}

// If the law is undefined at a point, the forces on all nodes of the element are NaN.
void carom_solid_force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                       double *force) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    int n = shape->node_count;
    for (int e = begin; e < end; e++) {
        const int *nodes = &block->nodes[n * e];
        double f[CAROM_SOLID_NODES][3] = {{0}};
        for (int q = 0; q < shape->point_count; q++) {
            carom_solid_point p = carom_solid_point_of(shape, block, nodes, q, X);
            double F[9], P[9];
            carom_solid_deformation(shape, nodes, &p, x, X, F);
            // NaN forces indicate to the integrator that the element is inverted.
            if (!(carom_solid_law(shape, block, (carom_solid_spot){e, q, p.volume}, F, P, NULL) < HUGE_VAL))
                for (int i = 0; i < 9; i++)
                    P[i] = NAN;
            for (int a = 0; a < n; a++)
                carom_points_push(p.volume, P, p.g[a], f[a]);
        }
        for (int a = 0; a < n; a++)
            for (int i = 0; i < 3; i++)
                force[carom_lane(e, 3 * a + i, 3 * n)] = f[a][i];
    }
}

void carom_points_add_stiffness(int n, double volume, const double (*g)[3], const double A[81], double *K) {
    for (int a = 0; a < n; a++)
        for (int i = 0; i < 3; i++) {
            // B_kL = V g_aJ A_iJkL
            double B[9];
            for (int kl = 0; kl < 9; kl++)
                B[kl] = volume * (g[a][0] * A[27 * i + kl] + g[a][1] * A[27 * i + 9 + kl] + g[a][2] * A[27 * i + 18 + kl]);
            for (int b = 0; b < n; b++)
                for (int k = 0; k < 3; k++)
                    K[(3 * a + i) * 3 * n + 3 * b + k] += carom_dot(&B[3 * k], g[b]);
        }
}

void carom_solid_add_stiffness(const carom_solid_shape *shape, const carom_solid_point *p, const double A[81], double *K) {
    carom_points_add_stiffness(shape->node_count, p->volume, p->g, A, K);
}

// The exact derivative of the force, material and geometric part together, since A is the derivative of P.
void carom_solid_stiffness(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                           double *stiffness) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    int dofs = 3 * shape->node_count;
    for (int e = begin; e < end; e++) {
        const int *nodes = &block->nodes[shape->node_count * e];
        double *K = stiffness + (ptrdiff_t)dofs * dofs * e;
        memset(K, 0, sizeof *K * (size_t)(dofs * dofs));
        for (int q = 0; q < shape->point_count; q++) {
            carom_solid_point p = carom_solid_point_of(shape, block, nodes, q, X);
            double F[9], P[9], A[81];
            carom_solid_deformation(shape, nodes, &p, x, X, F);
            carom_solid_law(shape, block, (carom_solid_spot){e, q, p.volume}, F, P, A);
            carom_solid_add_stiffness(shape, &p, A, K);
        }
    }
}

void carom_solid_stable_step(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                             double *step) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    int n = shape->node_count, dofs = 3 * n;
    for (int e = begin; e < end; e++) {
        // 2/omega of a separate element bounds that of the body from below (Irons' theorem).
        carom_block one = carom_block_at(block, e, 1);
        double K[9 * CAROM_SOLID_NODES * CAROM_SOLID_NODES], mass[CAROM_SOLID_NODES];
        block->element->stiffness(&one, 0, 1, x, X, K);
        element_masses(block, e, X, mass);
        for (int r = 0; r < dofs; r++)
            for (int c = 0; c < dofs; c++)
                K[dofs * r + c] /= sqrt(mass[r / 3] * mass[c / 3]);
        step[e] = 2 / sqrt(carom_largest_eigenvalue(K, dofs));
    }
}

double carom_solid_body_step(const carom_block *blocks, int block_count, const double (*X)[3]) {
    // Other laws may have any tangent, and without a kernel their forces are too expensive for matrix products.
    for (int b = 0; b < block_count; b++)
        if (carom_kernel_law_of(blocks[b].material) == CAROM_KERNEL_NONE)
            return 0;
    if (block_count == 0)
        return 0;
    return carom_body_step_elastic(blocks, block_count, carom_solid_shape_of(blocks)->dimension, carom_solid_masses, X);
}

bool carom_solid_turns_freely(const carom_block *block) {
    return !block->material->small;
}
