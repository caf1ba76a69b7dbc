// SPDX-License-Identifier: MIT
// Theory: docs/theory/energy_momentum.md
// Energy-conserving forces of elements whose change of volume is averaged. The isochoric energy has a discrete gradient at each
// point q, as in balanced.c. That of the volumetric energy V U(j), U = kappa/2 (ln j)^2, j = sum_q w_q J_q, w_q = V_q/V, is a
// chain of two discrete gradients. 0 and 1 are the ends of the step, m is their mean, D = C1 - C0, C = F^T F:
//
//     U(j1) - U(j0) = u (j1 - j0),     u = kappa (ln j0 + ln j1)/2 ln(j1/j0)/(j1 - j0)
//     J1 - J0 = T:D/2,                 T = 2 (cof C_m + k D)/(J0 + J1),   k = det D/(4 D:D)
//     f_a = -sum_q V_q F_m (S_iso + u T)_q g_a
//
// The second line holds because det C is a cubic polynomial, det C1 - det C0 = cof C_m:D + det D/4, and J1^2 - J0^2 is that
// difference. Neither formula for u and T subtracts nearly equal numbers. T is symmetric, so the forces have no torque about
// the mean positions. Derivatives with respect to the end of the step give the tangent K:
//
//     dT = N:dC1,   N = 2 (cof'(C_m)/2 + k I + D (x) dk)/(J0 + J1) - T (x) cof C1/(2 J1 (J0 + J1))
//     dk = (cof D/4 - 2 k D)/(D:D)
//     K  = (tangents of the points with stress S_iso + u T and derivative M_iso + u N) + V du/dj1 a (x) b
//     a  = sum_q w_q (F_m T g)_q,   b = dj1/dx1 = sum_q w_q (cof F1 g)_q
#include "element/average/balanced_volume.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "element/average/isochoric.h"
#include "element/solid/balanced.h"
#include "math/functions.h"
#include "math/log_quotient.h"
#include "math/vec3.h"

// Cofactors of a symmetric matrix, which are symmetric.
static void cofactors(const double C[9], double cof[9]) {
    for (int i = 0; i < 3; i++)
        carom_cross(&C[3 * ((i + 1) % 3)], &C[3 * ((i + 2) % 3)], &cof[3 * i]);
}

void carom_balanced_growth(const double F0[9], const double F1[9], double J0, double J1, double T[9], double N[81]) {
    double C0[9], C1[9], Cm[9], D[9], cof_m[9], cof_D[9], cof_1[9], size = 0, sum = J0 + J1;
    carom_balanced_square(F0, C0);
    carom_balanced_square(F1, C1);
    for (int a = 0; a < 9; a++) {
        Cm[a] = 0.5 * (C0[a] + C1[a]);
        D[a] = C1[a] - C0[a];
        size += D[a] * D[a];
    }
    cofactors(Cm, cof_m);
    cofactors(D, cof_D);
    double k = size > 0 ? 0.25 * carom_dot(D, cof_D) / size : 0;
    for (int a = 0; a < 9; a++)
        T[a] = 2 * (cof_m[a] + k * D[a]) / sum;
    if (!N)
        return;
    memset(N, 0, 81 * sizeof *N);
    carom_split_add_curvature(1 / sum, Cm, N);
    // dC1 is symmetric, so N is made symmetric in k and l; as C_m is symmetric, it then is symmetric in i and j
    for (int ij = 0; ij < 9; ij++)
        for (int n = 0; n < 3; n++) {
            int kl = 3 * (n / 2) + 1 + (n + 1) / 2, lk = 3 * (kl % 3) + kl / 3;
            N[9 * ij + kl] = N[9 * ij + lk] = 0.5 * (N[9 * ij + kl] + N[9 * ij + lk]);
        }
    cofactors(C1, cof_1);
    for (int ij = 0; ij < 9; ij++)
        for (int kl = 0; kl < 9; kl++) {
            double identity = 0.5 * ((ij == kl) + (ij / 3 == kl % 3 && ij % 3 == kl / 3));
            double dk = size > 0 ? (0.25 * cof_D[kl] - 2 * k * D[kl]) / size : 0;
            N[9 * ij + kl] += 2 * (k * identity + D[ij] * dk) / sum - T[ij] * cof_1[kl] / (2 * J1 * sum);
        }
}

double carom_balanced_pressure(double bulk, const double growth[2], double *slope) {
    double J0 = 1 + growth[0], J1 = 1 + growth[1], change;
    if (!(J0 > 0 && J1 > 0))
        return *slope = NAN;
    double mean = 0.5 * (carom_log1p(growth[0]) + carom_log1p(growth[1])), r = carom_log_quotient(J0, J1, &change);
    *slope = bulk * (0.5 * r / J1 + mean * change);
    return bulk * mean * r;
}

// An element at both ends of a step.
typedef struct step_state {
    const carom_solid_shape *shape;
    carom_solid_point at[CAROM_SOLID_POINTS];
    double F[2][CAROM_SOLID_POINTS][9], J[2][CAROM_SOLID_POINTS];
    double volume;          // V
    double pressure, slope; // u and du/dj1
} step_state;

static void evaluate(const carom_block *block, int e, const double (*const x[2])[3], const double (*X)[3], step_state *s) {
    s->shape = carom_solid_shape_of(block);
    const int *nodes = &block->nodes[(ptrdiff_t)s->shape->node_count * e];
    double growth[2] = {0}, unused[9];
    bool whole = true;
    s->volume = 0;
    for (int q = 0; q < s->shape->point_count; q++) {
        s->at[q] = carom_solid_point_of(s->shape, block, nodes, q, X);
        s->volume += s->at[q].volume;
        for (int end = 0; end < 2; end++) {
            carom_solid_deformation(s->shape, nodes, &s->at[q], x[end], X, s->F[end][q]);
            double own = carom_split_growth(s->F[end][q], unused);
            s->J[end][q] = 1 + own;
            growth[end] += s->at[q].volume * own;
            whole = whole && own > -1;
        }
    }
    for (int end = 0; end < 2; end++)
        growth[end] = whole ? growth[end] / s->volume : NAN;
    s->pressure = carom_balanced_pressure(block->material->bulk(block->material_params), growth, &s->slope);
}

// Adds force and tangent of point q, and its terms of a and b; false if the law is undefined there.
static bool add_point(const carom_block *block, int e, const step_state *s, int q, double (*f)[3], double *K, double *a,
                      double *b) {
    const carom_solid_point *p = &s->at[q];
    const double *F0 = s->F[0][q], *F1 = s->F[1][q];
    double S[9], M[81], T[9], N[81], P[9], A[81], cof[9], w = p->volume / s->volume;
    carom_balanced_source from = {s->shape, block, {e, q, p->volume}, true};
    if (!carom_balanced_point_stress(&from, F0, F1, S, K ? M : NULL))
        return false;
    carom_balanced_growth(F0, F1, s->J[0][q], s->J[1][q], T, K ? N : NULL);
    if (K) {
        carom_balanced_push(F0, F1, T, NULL, P, NULL);
        carom_split_growth(F1, cof);
        for (int n = 0; n < s->shape->node_count; n++)
            for (int i = 0; i < s->shape->dimension; i++) {
                a[3 * n + i] += w * carom_dot(&P[3 * i], p->g[n]);
                b[3 * n + i] += w * carom_dot(&cof[3 * i], p->g[n]);
            }
    }
    for (int i = 0; i < 9; i++)
        S[i] += s->pressure * T[i];
    for (int i = 0; K && i < 81; i++)
        M[i] += s->pressure * N[i];
    carom_balanced_push(F0, F1, S, M, P, K ? A : NULL);
    for (int n = 0; n < s->shape->node_count; n++)
        for (int i = 0; i < s->shape->dimension; i++)
            f[n][i] -= p->volume * carom_dot(&P[3 * i], p->g[n]);
    if (K)
        carom_solid_add_stiffness(s->shape, p, A, K);
    return true;
}

void carom_dilated_balanced(const carom_block *block, int begin, int end, const double (*x0)[3], const double (*x1)[3],
                            const double (*X)[3], double *force, double *tangent) {
    int n = block->node_count, dofs = 3 * n;
    const double(*const x[2])[3] = {x0, x1};
    for (int e = begin; e < end; e++) {
        step_state s;
        double f[CAROM_SOLID_NODES][3] = {{0}}, a[3 * CAROM_SOLID_NODES] = {0}, b[3 * CAROM_SOLID_NODES] = {0};
        double *K = tangent ? tangent + (ptrdiff_t)dofs * dofs * (e - begin) : NULL;
        evaluate(block, e, x, X, &s);
        if (K)
            memset(K, 0, sizeof *K * (size_t)(dofs * dofs));
        // an inverted element has no pressure
        bool answer = !isnan(s.pressure);
        for (int q = 0; q < s.shape->point_count && answer; q++)
            answer = add_point(block, e, &s, q, f, K, a, b);
        for (int i = 0; K && i < dofs * dofs; i++)
            K[i] += s.volume * s.slope * a[i / dofs] * b[i % dofs];
        for (int i = 0; i < dofs; i++)
            force[carom_lane(e, i, dofs)] = answer ? f[i / 3][i % 3] : NAN;
    }
}
