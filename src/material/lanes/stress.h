// SPDX-License-Identifier: MIT
// The elastic laws, lane by lane: first Piola-Kirchhoff stress P from the deformation gradient F. The formulas are those of
// src/material; the conformance tests compare the two. Batches (law.h) and threads of a device (src/device) share them. C and
// C++.
#ifndef CAROM_MATERIAL_LANES_STRESS_H
#define CAROM_MATERIAL_LANES_STRESS_H

#include "material/lame.h"
#include "material/laws.h"
#include "math/cofactor.h"
#include "math/lanes.h"
#include "math/sym3.h"

CAROM_COFACTOR_FUNCTIONS(carom_lanes, CAROM_INLINE, carom_kernel)
CAROM_SYM3_FUNCTIONS(carom_lanes, CAROM_INLINE, carom_kernel)

CAROM_INLINE void carom_kernel_linear(carom_lame m, const carom_lanes F[9], carom_lanes P[9]) {
    carom_lanes pressure = m.lambda * (F[0] + F[4] + F[8] - 3.0);
    P[0] = pressure + 2 * m.mu * (F[0] - 1.0);
    P[4] = pressure + 2 * m.mu * (F[4] - 1.0);
    P[8] = pressure + 2 * m.mu * (F[8] - 1.0);
    P[1] = P[3] = m.mu * (F[1] + F[3]);
    P[2] = P[6] = m.mu * (F[2] + F[6]);
    P[5] = P[7] = m.mu * (F[5] + F[7]);
}

CAROM_INLINE void carom_kernel_st_venant_kirchhoff(carom_lame m, const carom_lanes F[9], carom_lanes P[9]) {
    // S = lambda tr(E) I + 2 mu E
    carom_lanes S[6];
    carom_kernel_gram(F, S);
    for (int c = 0; c < 3; c++)
        S[c] = S[c] - 1.0;
    carom_lanes pressure = 0.5 * m.lambda * (S[0] + S[1] + S[2]);
    for (int c = 0; c < 6; c++)
        S[c] *= m.mu;
    for (int c = 0; c < 3; c++)
        S[c] += pressure;
    carom_kernel_right(F, S, P);
}

// NaN if a volume is not positive, 0 otherwise. Added to a result, it marks the lanes in which the law is undefined and needs
// no branch.
CAROM_INLINE void carom_kernel_forbid(const carom_lanes *volume, carom_lanes *answer) {
    carom_lanes_bits nan = (*volume <= 0.0) & INT64_C(0x7ff8000000000000);
    memcpy(answer, &nan, sizeof *answer);
}

// Replaces `slope` by U'(J) of the law `open-neo-hookean` (material/laws.h) in lanes with J < CAROM_OPEN_VOLUME.
CAROM_INLINE void carom_kernel_open(carom_lame m, const carom_lanes *J, carom_lanes *slope) {
    carom_open_law open = carom_open_law_of(m);
    for (int l = 0; l < CAROM_ABREAST; l++)
        if ((*J)[l] < CAROM_OPEN_VOLUME)
            (*slope)[l] = open.slope + open.curvature * ((*J)[l] - CAROM_OPEN_VOLUME);
}

CAROM_INLINE void carom_kernel_neo_hookean(bool open, carom_lame m, const carom_lanes F[9], carom_lanes P[9]) {
    carom_lanes C[9], J, log_J, answer;
    carom_kernel_cofactor(F, C, &J);
    carom_lanes_log(&J, &log_J);
    carom_kernel_forbid(&J, &answer);
    carom_lanes scale = (m.lambda * log_J - m.mu) / J + answer;
    if (open)
        carom_kernel_open(m, &J, &scale);
    for (int a = 0; a < 9; a++)
        P[a] = m.mu * F[a] + scale * C[a];
}

// The same for an element with the map y = dx/dr and the cofactors C and determinant j of the reference map dX/dr,
// without forming F:
//     P C = (mu/j) y C^T C + (lambda ln J - mu) (j/det y) cof y,   J = det y/j.
CAROM_INLINE void carom_kernel_neo_hookean_mapped(bool open, carom_lame m, const carom_lanes y[9], const carom_lanes C[9],
                                                  const carom_lanes *j, carom_lanes Q[9]) {
    carom_lanes D[9], det, log_J, answer;
    carom_kernel_cofactor(y, D, &det);
    // one division for 1/j, J and j/det
    carom_lanes inverse = 1.0 / (*j * det), over_j = det * inverse, J = det * over_j;
    carom_lanes_log(&J, &log_J);
    carom_kernel_forbid(&J, &answer);
    carom_lanes scale = (m.lambda * log_J - m.mu) * (*j * *j * inverse) + answer, mu = m.mu * over_j;
    if (open)
        carom_kernel_open(m, &J, &scale);
    carom_lanes G[6];
    carom_kernel_gram(C, G);
    for (int c = 0; c < 6; c++)
        G[c] *= mu;
    carom_kernel_right(y, G, Q);
    for (int a = 0; a < 9; a++)
        Q[a] += scale * D[a];
}

// Maximum number of Newton iterations, as in material/neo_hookean.c.
enum { CAROM_KERNEL_ITERATIONS = 60 };

// z = F_33^2 of the neo-Hookean law without stress across the plane, for the determinant J in the plane.
CAROM_INLINE void carom_kernel_thinning(double mu, double lambda, const carom_lanes *J, carom_lanes *z) {
    carom_lanes log_J, log_z, start;
    carom_lanes_log(J, &log_J);
    carom_lanes_fill(1, &start);
    *z = start;
    for (int i = 0; i < CAROM_KERNEL_ITERATIONS; i++) {
        carom_lanes_log(z, &log_z);
        carom_lanes step = (mu * (1.0 - *z) - lambda * (log_J + 0.5 * log_z)) / (mu + 0.5 * lambda / *z);
        // The step is limited to half of z, which keeps z positive.
        carom_lanes most = -0.5 * *z;
        for (int l = 0; l < CAROM_ABREAST; l++)
            step[l] = step[l] < most[l] ? most[l] : step[l];
        *z += step;
        // All lanes iterate until the slowest one has converged; a converged lane changes by rounding only. A NaN counts as
        // converged.
        bool done = true;
        for (int l = 0; l < CAROM_ABREAST; l++)
            done = done && !(step[l] > 1e-15 * (*z)[l] || step[l] < -1e-15 * (*z)[l]);
        if (done)
            break;
    }
}

// Callers pass the law as a constant, so that the compiler keeps one branch only.
CAROM_INLINE void carom_kernel_stress(carom_kernel_law law, carom_lame m, const carom_lanes F[9], carom_lanes P[9]) {
    if (law == CAROM_KERNEL_LINEAR)
        carom_kernel_linear(m, F, P);
    else if (law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF)
        carom_kernel_st_venant_kirchhoff(m, F, P);
    else
        carom_kernel_neo_hookean(law == CAROM_KERNEL_OPEN, m, F, P);
}

// F of y = F dX/dr, from the cofactors and the determinant of dX/dr.
CAROM_INLINE void carom_kernel_unmap(const carom_lanes y[9], const carom_lanes C[9], const carom_lanes *j, carom_lanes F[9]) {
    carom_lanes scale = 1.0 / *j;
    for (int i = 0; i < 9; i += 3)
        for (int k = 0; k < 3; k++)
            F[i + k] = scale * (y[i] * C[3 * k] + y[i + 1] * C[3 * k + 1] + y[i + 2] * C[3 * k + 2]);
}

// P C
CAROM_INLINE void carom_kernel_conjugate(const carom_lanes P[9], const carom_lanes C[9], carom_lanes Q[9]) {
    for (int i = 0; i < 9; i += 3)
        for (int k = 0; k < 3; k++)
            Q[i + k] = P[i] * C[k] + P[i + 1] * C[3 + k] + P[i + 2] * C[6 + k];
}

// P C for y = F dX/dr and the cofactors and determinant of dX/dr.
CAROM_INLINE void carom_kernel_mapped(carom_kernel_law law, carom_lame m, const carom_lanes y[9], const carom_lanes C[9],
                                      const carom_lanes *j, carom_lanes Q[9]) {
    if (law == CAROM_KERNEL_NEO_HOOKEAN || law == CAROM_KERNEL_OPEN) {
        carom_kernel_neo_hookean_mapped(law == CAROM_KERNEL_OPEN, m, y, C, j, Q);
        return;
    }
    carom_lanes F[9], P[9];
    carom_kernel_unmap(y, C, j, F);
    carom_kernel_stress(law, m, F, P);
    carom_kernel_conjugate(P, C, Q);
}

#endif
