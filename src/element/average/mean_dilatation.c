// SPDX-License-Identifier: MIT
// Theory: docs/theory/volumes.md
// Bricks and quadrilaterals that do not lock in volume: J is averaged over the element.
//
//     E = sum_q V_q W_iso(F_q) + V kappa/2 (ln j)^2,   j = sum_q V_q J_q/V,   V = sum_q V_q
//     f_a = -sum_q V_q (P_iso + p cof F)_q g_qa,   p = kappa ln j/j
//     K = sum_q V_q g (A_iso + p d2J/dF2) g + V kappa (1 - ln j)/j^2 b b^T,   b = dj/dx = sum_q V_q cof F_q g_q/V
//
// V_q and g_qa are the volume and the shape gradients of point q, kappa is the bulk modulus, P = dW/dF, A = d2W/dF2.
// Only j is averaged. A motion that changes J at points but not its mean still has the energy W_iso at each of them, so that
// there are no hourglass modes. All forces are gradients of E. At small strains this is the mean dilatation of J. C. Nagtegaal,
// D. M. Parks, J. R. Rice, Comput. Methods Appl. Mech. Engrg 4 (1974) 153-177.
#include "element/average/mean_dilatation.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/allocate.h"
#include "element/average/isochoric.h"
#include "element/body_step.h"
#include "element/bound.h"
#include "element/element.h"
#include "element/point_law.h"
#include "element/solid/solid_kernel.h"
#include "element/solid/solid_point.h"
#include "math/vec3.h"

// An element at the given positions.
typedef struct element_state {
    const carom_solid_shape *shape;
    carom_solid_point at[CAROM_SOLID_POINTS];
    double F[CAROM_SOLID_POINTS][9], C[CAROM_SOLID_POINTS][9]; // deformation and its cofactors
    double volume;                                             // V
    carom_dilation mean;                                       // U(j) and its derivatives
    bool whole;                                                // no point is inverted
} element_state;

static double bulk_of(const carom_block *block) {
    return block->material->bulk(block->material_params);
}

static void evaluate(const carom_block *block, int e, const double (*x)[3], const double (*X)[3], element_state *s) {
    s->shape = carom_solid_shape_of(block);
    const int *nodes = &block->nodes[(ptrdiff_t)s->shape->node_count * e];
    double growth = 0;
    s->volume = 0;
    s->whole = true;
    for (int q = 0; q < s->shape->point_count; q++) {
        s->at[q] = carom_solid_point_of(s->shape, block, nodes, q, X);
        carom_solid_deformation(s->shape, nodes, &s->at[q], x, X, s->F[q]);
        double own = carom_split_growth(s->F[q], s->C[q]);
        growth += s->at[q].volume * own;
        s->volume += s->at[q].volume;
        s->whole = s->whole && own > -1;
    }
    s->mean = carom_split_dilation(bulk_of(block), growth / s->volume);
}

void carom_dilated_energy(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                          double *energy) {
    for (int e = begin; e < end; e++) {
        element_state s;
        evaluate(block, e, x, X, &s);
        energy[e] = s.volume * s.mean.energy;
        for (int q = 0; q < s.shape->point_count && s.whole; q++)
            energy[e] += s.at[q].volume * carom_point_isochoric(block, e, q, s.at[q].volume, s.F[q], NULL, NULL);
        if (!s.whole)
            energy[e] = HUGE_VAL;
    }
}

void carom_dilated_force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                         double *force) {
    int n = block->node_count;
    for (int e = begin; e < end; e++) {
        element_state s;
        evaluate(block, e, x, X, &s);
        double f[CAROM_SOLID_NODES][3] = {{0}};
        for (int q = 0; q < s.shape->point_count; q++) {
            double P[9];
            // NaN forces indicate to the integrator that the element is inverted.
            double answer = s.whole && carom_point_isochoric(block, e, q, s.at[q].volume, s.F[q], P, NULL) < HUGE_VAL ? 1 : NAN;
            for (int i = 0; i < 9; i++)
                P[i] = answer > 0 ? P[i] + s.mean.slope * s.C[q][i] : NAN;
            for (int a = 0; a < n; a++)
                for (int i = 0; i < s.shape->dimension; i++)
                    f[a][i] -= s.at[q].volume * carom_dot(&P[3 * i], s.at[q].g[a]);
        }
        for (int i = 0; i < 3 * n; i++)
            force[carom_lane(e, i, 3 * n)] = f[i / 3][i % 3];
    }
}

// The tangent of a point without the term with b; for a plane element its components in the plane.
static void tangent_at(const carom_block *block, int e, const element_state *s, int q, double A[81]) {
    double P[9];
    if (!(s->whole && carom_point_isochoric(block, e, q, s->at[q].volume, s->F[q], P, A) < HUGE_VAL))
        for (int a = 0; a < 81; a++)
            A[a] = NAN;
    carom_split_add_curvature(s->mean.slope, s->F[q], A);
    for (int a = 0; a < 81 && s->shape->dimension == 2; a++)
        if (a / 27 == 2 || a / 9 % 3 == 2 || a / 3 % 3 == 2 || a % 3 == 2)
            A[a] = 0;
}

// b = dj/dx, three numbers per node.
static void slope_of(const element_state *s, double *b) {
    memset(b, 0, 3 * (size_t)s->shape->node_count * sizeof *b);
    for (int q = 0; q < s->shape->point_count; q++)
        for (int a = 0; a < s->shape->node_count; a++)
            for (int i = 0; i < s->shape->dimension; i++)
                b[3 * a + i] += s->at[q].volume / s->volume * carom_dot(&s->C[q][3 * i], s->at[q].g[a]);
}

void carom_dilated_stiffness(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                             double *stiffness) {
    int dofs = 3 * block->element->node_count;
    for (int e = begin; e < end; e++) {
        element_state s;
        double b[3 * CAROM_SOLID_NODES], *K = stiffness + (ptrdiff_t)dofs * dofs * e;
        evaluate(block, e, x, X, &s);
        slope_of(&s, b);
        for (int i = 0; i < dofs * dofs; i++)
            K[i] = s.volume * s.mean.curvature * b[i / dofs] * b[i % dofs];
        for (int q = 0; q < s.shape->point_count; q++) {
            double A[81];
            tangent_at(block, e, &s, q, A);
            carom_solid_add_stiffness(s.shape, &s.at[q], A, K);
        }
    }
}

// Each point is bounded like a separate element with the volumes V_q N_a of its nodes (solid_bound.c). The term c b b^T is at
// most diag(c |b_a| sum_d |b_d|), by (sum |b_a| |u_a|)^2 <= sum_d |b_d| sum_a |b_a| |u_a|^2; for a cube this is its largest
// eigenvalue.
static void shares_of(const carom_block *block, int e, const element_state *s, double *share) {
    int n = s->shape->node_count;
    double b[3 * CAROM_SOLID_NODES], sum = 0;
    slope_of(s, b);
    for (int a = 0; a < n; a++)
        sum += carom_norm(&b[3 * a]);
    for (int a = 0; a < n; a++)
        share[a] = s->volume * fmax(s->mean.curvature, 0) * carom_norm(&b[3 * a]) * sum;
    for (int q = 0; q < s->shape->point_count; q++) {
        double A[81], G[3][3] = {{0}};
        const double *N = s->shape->N[q];
        for (int a = 0; a < n; a++)
            for (int i = 0; i < 9; i++)
                G[i / 3][i % 3] += s->at[q].g[a][i / 3] * s->at[q].g[a][i % 3] / N[a];
        tangent_at(block, e, s, q, A);
        double k = carom_split_stiffness(A, (carom_const_vectors)G);
        for (int a = 0; a < n; a++)
            share[a] += k * s->at[q].volume * N[a];
    }
}

void carom_dilated_bound(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                         double *measures) {
    static const carom_hex8_params full = {.integration = CAROM_HEX8_FULL};
    bool brick = block->element == &carom_dilated_hex8.element;
    carom_block own = *block;
    own.element = brick ? &carom_element_hex8.element : &carom_element_quad4.element;
    own.params = brick ? &full : block->params;
    if (carom_split_bound(block, &own, begin, end, motion, share, measures))
        return;
    for (int e = begin; e < end; e++) {
        element_state s;
        double shares[CAROM_SOLID_NODES];
        evaluate(block, e, motion->x, motion->X, &s);
        shares_of(block, e, &s, shares);
        for (int a = 0; a < s.shape->node_count; a++)
            share[carom_lane(e, 3 * a, 3 * s.shape->node_count)] = shares[a];
    }
}

double carom_dilated_body_step(const carom_block *blocks, int block_count, const double (*X)[3]) {
    return carom_body_step_smooth(blocks, block_count, carom_solid_shape_of(blocks)->dimension, 0.05, carom_solid_masses, X);
}

// The Cauchy stress of a point is that of W_iso plus p I.
void carom_dilated_tensors(const carom_block *block, int e, const double (*x)[3], const double (*X)[3], double stress[6],
                           double strain[6]) {
    element_state s;
    evaluate(block, e, x, X, &s);
    for (int c = 0; c < 6; c++)
        stress[c] = strain[c] = 0;
    for (int q = 0; q < s.shape->point_count; q++) {
        double P[9];
        if (!(s.whole && carom_point_isochoric(block, e, q, s.at[q].volume, s.F[q], P, NULL) < HUGE_VAL))
            memset(P, 0, sizeof P);
        carom_solid_add_tensors(block, s.at[q].volume / s.volume, s.F[q], P, stress, strain);
    }
    for (int c = 0; c < 3 && s.whole; c++)
        stress[c] += s.mean.slope;
}
