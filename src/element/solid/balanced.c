// SPDX-License-Identifier: MIT
// Energy-conserving stresses of solids (docs/theory/energy_momentum.md). Between F0 and F1, with F_m = (F0 + F1)/2, C = F^T F,
// C_m = (C0 + C1)/2 (not F_m^T F_m) and D = C1 - C0,
//
//     f_a = -V F_m S g_a,   S = 2 W'(C_m) + 2 c D,   c = [W(C1) - W(C0) - W'(C_m):D] / (D:D)
//
// Since sym(F_m^T (F1 - F0)) = D/2, the work f.dx equals V (W(C0) - W(C1)) exactly. S is symmetric, so the forces have no
// torque about the mid-step positions and angular momentum is conserved. The formula is the discrete gradient of O. Gonzalez,
// Comput. Methods Appl. Mech. Engrg. 190 (2000) 1763-1783; for the St. Venant-Kirchhoff law c = 0 and S is the stress of J. C.
// Simo, N. Tarnow, Z. angew. Math. Phys. 43 (1992) 757-792. The energy of the linear law is quadratic in F, so P(F_m) already
// conserves it.
//
//     dS = M:dC,   M = CC/4 + 2 c I + 2 D (x) dc,   CC = 4 W''(C_m)
//     dc = [W'(C1) - W'(C_m) - CC:D/8 - 2 c D] / (D:D)
//     A_iJkL = d_ik S_JL/2 + 2 F_m,iI M_IJKL F1_kK
//
// For laws with history, W is the incremental energy of the step (conserving_point.c).
//
// Laws are given as P(F). W' and W'' at C follow from any F with F^T F = C, here the upper triangular one: S = F^-1 P, and
// CC_IJKL = F^-1_Ii F^-1_Kk (A_iJkL - d_ik S_JL).
#include "element/solid/balanced.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "element/conserving_point.h"
#include "element/element.h"
#include "element/point_law.h"
#include "material/material.h"

#define CAROM_REAL double
#define CAROM_REAL_MASK bool
#define CAROM_REAL_SOURCE const carom_balanced_source *
#define CAROM_REAL_ROOT(x) (*(x) = sqrt(*(x)))
#define CAROM_REAL_CHOOSE(mask, a, b, result) (*(result) = *(mask) ? *(a) : *(b))
#define CAROM_REAL_ANY(mask) (*(mask))
#include "element/solid/balanced_text.h"

// Rounding error of the energy of a law that computes it as a difference, in units in the last place of its shear modulus:
// rubber laws subtract 3 from invariants near 3, each with an error of a unit or two.
static const double cancelled_ulps = 16;

void carom_balanced_square(const double F[9], double C[9]) {
    carom_text_square(F, C);
}

static double law_at(const carom_balanced_source *from, double F[9], double P[9], double A[81]) {
    return from->isochoric ? carom_point_isochoric(from->block, from->spot.e, from->spot.q, from->spot.volume, F, P, A)
                           : carom_solid_law(from->shape, from->block, from->spot, F, P, A);
}

CAROM_INLINE void carom_text_law_at(const carom_balanced_source *from, double F[9], bool *good, double *P, double *A,
                                    double *W) {
    double energy = *good ? law_at(from, F, P, A) : HUGE_VAL;
    *good = energy < HUGE_VAL;
    if (!*good) {
        memset(P, 0, 9 * sizeof *P);
        if (A)
            memset(A, 0, 81 * sizeof *A);
    }
    if (W)
        *W = energy;
}

bool carom_balanced_stress(const carom_balanced_source *from, const double C0[9], const double C1[9], double S[9],
                           double M[81]) {
    const carom_material *law = from->block->material;
    bool good = true;
    double rounding = law->cancels ? cancelled_ulps * DBL_EPSILON * law->shear(from->block->material_params) : 0;
    carom_text_stress(from, law->quadratic, from->block->history ? &rounding : NULL, C0, C1, &good, S, M);
    return good;
}

void carom_balanced_push(const double F0[9], const double F1[9], const double S[9], const double M[81], double P[9],
                         double A[81]) {
    carom_text_push(F0, F1, S, M, P, A);
}

// The law of a point at both ends of a step.
typedef struct step_ends {
    carom_balanced_source from;
    const double *F[2];
} step_ends;

static double evaluate_law(const void *context, const carom_block *block, int e, int q, carom_step_end end) {
    step_ends ends = *(const step_ends *)context;
    double F[9];
    memcpy(F, ends.F[end], sizeof F);
    ends.from.block = block;
    ends.from.spot.e = e;
    ends.from.spot.q = q;
    return law_at(&ends.from, F, NULL, NULL);
}

// Adds to M the dependence of S on the plastic strain rate of the step, which depends on the deformation at its end.
static void add_rate(const step_ends *ends, const carom_balanced_source *own, const double C0[9], const double C1[9],
                     const double S[9], carom_point_step *step, double M[81]) {
    const carom_balanced_source *from = &ends->from;
    double gain, S1[9], more[9], more1[9];
    bool good = true;
    carom_text_law(own, C1, &good, S1, NULL, NULL);
    if (!carom_point_step_vary(from->block, from->spot.e, from->spot.q, evaluate_law, ends, step, &gain))
        return;
    good = carom_balanced_stress(own, C0, C1, more, NULL);
    carom_text_law(own, C1, &good, more1, NULL, NULL);
    for (int a = 0; good && a < 81; a++)
        // E = C/2
        M[a] += gain * (more[a / 9] - S[a / 9]) * 0.5 * (more1[a % 9] - S1[a % 9]);
    carom_point_step_unvary(from->block, step);
}

bool carom_balanced_point_stress(const carom_balanced_source *from, const double F0[9], const double F1[9], double S[9],
                                 double M[81]) {
    double C0[9], C1[9], unused[9], det;
    carom_mat_cofactor(F1, unused, &det);
    // C = F^T F does not distinguish an inverted element from an admissible one.
    if (!(det > 0))
        return false;
    carom_balanced_square(F0, C0);
    carom_balanced_square(F1, C1);
    if (!from->block->history)
        return carom_balanced_stress(from, C0, C1, S, M);
    step_ends ends = {*from, {F0, F1}};
    carom_point_step step;
    carom_point_step_open(from->block, from->spot.e, from->spot.q, evaluate_law, &ends, &step);
    carom_balanced_source own = *from;
    own.block = &step.block;
    own.spot.e = step.e;
    own.spot.q = step.q;
    bool answer = carom_balanced_stress(&own, C0, C1, S, M);
    if (answer && M)
        add_rate(&ends, &own, C0, C1, S, &step, M);
    if (answer)
        carom_point_step_close(from->block, from->spot.e, from->spot.q, from->spot.volume, evaluate_law, &ends, &step);
    return answer;
}

// P between F0 and F1 and, if not NULL, its derivative with respect to F1. False if the law is undefined.
static bool balanced_law(const carom_balanced_source *from, const double F0[9], const double F1[9], double P[9], double A[81]) {
    double Fm[9], S[9], M[81];
    if (from->block->material->small) {
        for (int a = 0; a < 9; a++)
            Fm[a] = 0.5 * (F0[a] + F1[a]);
        carom_solid_law(from->shape, from->block, (carom_solid_spot){0}, Fm, P, A);
        // F_m depends on F1 by one half.
        for (int a = 0; A && a < 81; a++)
            A[a] *= 0.5;
        return true;
    }
    if (!carom_balanced_point_stress(from, F0, F1, S, A ? M : NULL))
        return false;
    carom_balanced_push(F0, F1, S, M, P, A);
    return true;
}

void carom_solid_balanced_point(const carom_balanced_source *from, const int *nodes, const carom_solid_point *p,
                                const double (*x0)[3], const double (*x1)[3], const double (*X)[3], double (*f)[3], double *K) {
    const carom_solid_shape *shape = from->shape;
    double F0[9], F1[9], P[9], A[81];
    carom_solid_deformation(shape, nodes, p, x0, X, F0);
    carom_solid_deformation(shape, nodes, p, x1, X, F1);
    if (!balanced_law(from, F0, F1, P, K ? A : NULL)) {
        for (int a = 0; a < shape->node_count; a++)
            f[a][0] = f[a][1] = f[a][2] = NAN;
        return;
    }
    for (int a = 0; a < shape->node_count; a++)
        for (int i = 0; i < shape->dimension; i++)
            f[a][i] -= p->volume * (P[3 * i] * p->g[a][0] + P[3 * i + 1] * p->g[a][1] + P[3 * i + 2] * p->g[a][2]);
    if (K)
        carom_solid_add_stiffness(shape, p, A, K);
}

// Element by element: the sum over all points, as in carom_solid_force.
void carom_balanced_plain(const carom_block *block, int begin, int end, const double (*x0)[3], const double (*x1)[3],
                          const double (*X)[3], double *force, double *tangent) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    int n = shape->node_count, dofs = 3 * n;
    for (int e = begin; e < end; e++) {
        const int *nodes = &block->nodes[n * e];
        double f[CAROM_SOLID_NODES][3] = {{0}};
        double *K = tangent ? tangent + (ptrdiff_t)dofs * dofs * (e - begin) : NULL;
        if (K)
            memset(K, 0, sizeof *K * (size_t)(dofs * dofs));
        for (int q = 0; q < shape->point_count; q++) {
            carom_solid_point p = carom_solid_point_of(shape, block, nodes, q, X);
            carom_balanced_source from = {shape, block, {e, q, p.volume}, false};
            carom_solid_balanced_point(&from, nodes, &p, x0, x1, X, f, K);
        }
        for (int a = 0; a < n; a++)
            for (int i = 0; i < 3; i++)
                force[carom_lane(e, 3 * a + i, dofs)] = f[a][i];
    }
}

void carom_solid_balanced(const carom_block *block, int begin, int end, const double (*x0)[3], const double (*x1)[3],
                          const double (*X)[3], double *force, double *tangent) {
    if (carom_balanced_has_kernel(block))
        carom_balanced_batches(block, begin, end, x0, x1, X, force, tangent);
    else
        carom_balanced_plain(block, begin, end, x0, x1, X, force, tangent);
}
