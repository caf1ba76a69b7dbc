// SPDX-License-Identifier: MIT
// The von Mises stress of shells with the St. Venant-Kirchhoff law in batches, one element per lane. Runs ask for it at every
// step (model/peaks.h). The operations are those of loop_shell_field.c, one by one, and so are the bits; where a lane meets
// numbers that have a branch of their own there, the batch is left to it.
#include <math.h>

#include "carom/material.h"
#include "element/kernel_law.h"
#include "element/loop_shell_lanes.h"

// Normals with larger or smaller components are scaled before their length is taken (carom_normalize).
static const double plain_least = 1e-140, plain_most = 1e140;

// What the faces of a point share.
typedef struct sheet {
    carom_lanes y[6];         // a_1, a_2
    carom_lanes strain[6];    // of the middle surface and of bending
    carom_lanes H[6];         // stiffness 11, 22, 33, 12, 13, 23
    carom_lanes up[3];        // G^11, G^22, G^12
    carom_lanes growth;       // of the area
    double thickness, across; // 2 nu/(1 - nu)
} sheet;

// S^ab = H^abcd E_cd, as the law has it.
CAROM_INLINE void find_stiffness(const carom_elastic_params *p, const carom_lanes G[3], sheet *s) {
    double nu = p->poisson, modulus = p->young / (1 - nu * nu);
    carom_lanes det = G[0] * G[1] - G[2] * G[2], g11 = G[1] / det, g22 = G[0] / det, g12 = -G[2] / det;
    s->H[0] = modulus * g11 * g11;
    s->H[1] = modulus * g22 * g22;
    s->H[2] = (0.5 * modulus) * ((1 - nu) * g11 * g22 + (1 + nu) * g12 * g12);
    s->H[3] = modulus * (nu * g11 * g22 + (1 - nu) * g12 * g12);
    s->H[4] = modulus * g11 * g12;
    s->H[5] = modulus * g22 * g12;
    s->up[0] = g11;
    s->up[1] = g22;
    s->up[2] = g12;
    s->across = 2 * nu / (1 - nu);
}

// The von Mises stress at the face z = side t/2; `good` loses the lanes in which the law has no answer.
CAROM_INLINE void face_stress(const sheet *s, double side, carom_lanes *stress, carom_lanes_bits *good) {
    static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};
    const carom_lanes *H = s->H, *a1 = s->y, *a2 = s->y + 3;
    carom_lanes E[3], S[3], energy = {0}, square, thinning, t[6];
    for (int k = 0; k < 3; k++)
        E[k] = s->strain[k] + 0.5 * side * s->thickness * s->strain[3 + k];
    S[0] = H[0] * E[0] + H[3] * E[1] + H[4] * E[2];
    S[1] = H[3] * E[0] + H[1] * E[1] + H[5] * E[2];
    S[2] = H[4] * E[0] + H[5] * E[1] + H[2] * E[2];
    for (int k = 0; k < 3; k++)
        energy += 0.5 * S[k] * E[k];
    square = 1.0 - s->across * (s->up[0] * E[0] + s->up[1] * E[1] + s->up[2] * E[2]);
    *good &= (energy < HUGE_VAL) & (square > 0.0);
    carom_lanes_sqrt(&square, &thinning);
    carom_lanes factor = 1.0 / (s->growth * thinning);
    for (int c = 0; c < 6; c++) {
        int i = row[c], j = column[c];
        t[c] = factor * (S[0] * a1[i] * a1[j] + S[1] * a2[i] * a2[j] + S[2] * (a1[i] * a2[j] + a2[i] * a1[j]));
    }
    carom_lanes a = t[0] - t[1], b = t[1] - t[2], c = t[2] - t[0];
    square = 0.5 * (a * a + b * b + c * c) + 3.0 * (t[3] * t[3] + t[4] * t[4] + t[5] * t[5]);
    carom_lanes_sqrt(&square, stress);
}

// Base vectors, strains and growth of a point.
CAROM_INLINE void find_sheet(const carom_shell_surface *y, const double *data, const carom_elastic_params *p, sheet *s,
                             carom_lanes_bits *good) {
    const carom_lanes *a1 = y->y, *a2 = y->y + 3;
    carom_lanes G[3], B[3], g[3], b[3], normal[3], square, J, det, root;
    for (int k = 0; k < 3; k++) {
        carom_lanes_load(data + CAROM_LANES * (CAROM_SHELL_METRIC + k), &G[k]);
        carom_lanes_load(data + CAROM_LANES * (CAROM_SHELL_CURVATURE + k), &B[k]);
    }
    normal[0] = a1[1] * a2[2] - a1[2] * a2[1];
    normal[1] = a1[2] * a2[0] - a1[0] * a2[2];
    normal[2] = a1[0] * a2[1] - a1[1] * a2[0];
    carom_lanes_bits above = {0}, below = (normal[0] == normal[0]);
    for (int i = 0; i < 3; i++) {
        above |= (normal[i] > plain_least) | (normal[i] < -plain_least);
        below &= (normal[i] < plain_most) & (normal[i] > -plain_most);
    }
    *good &= above & below;
    carom_shell_dot(normal, normal, &square);
    carom_lanes_sqrt(&square, &J);
    for (int i = 0; i < 3; i++)
        normal[i] /= J;
    carom_shell_dot(a1, a1, &g[0]);
    carom_shell_dot(a2, a2, &g[1]);
    carom_shell_dot(a1, a2, &g[2]);
    for (int k = 0; k < 3; k++) {
        carom_shell_dot(y->y + 6 + 3 * k, normal, &b[k]);
        s->strain[k] = (k == 2 ? 1 : 0.5) * (g[k] - G[k]);
        s->strain[3 + k] = (k == 2 ? 2.0 : 1) * (b[k] - B[k]);
    }
    for (int i = 0; i < 6; i++)
        s->y[i] = y->y[i];
    det = G[0] * G[1] - G[2] * G[2];
    carom_lanes_sqrt(&det, &root);
    s->growth = J / root;
    find_stiffness(p, G, s);
}

// The mean over the points of eight elements. False if a lane is left to others.
CAROM_INLINE bool batch(const carom_shell *s, int variant, int e0, const double (*x)[3], carom_lanes *mean) {
    enum { ROOM = 3 * CAROM_SHELL_NODES_MAX };
    int n = variant == CAROM_SHELL_REGULAR ? CAROM_LOOP_REGULAR : s->n;
    carom_lanes at[ROOM], area = {0}, sum = {0};
    carom_lanes_bits good = area == area;
    carom_kernel_gather(s->block, n, e0, x, at);
    for (int q = 0; q < s->point_count; q++) {
        const double *data;
        carom_shell_weights w = carom_shell_weights_of(s, e0, q, &data);
        carom_shell_surface y;
        carom_lanes own, stress[2];
        sheet here = {.thickness = s->thickness};
        carom_shell_derive(&w, variant, at, &y);
        find_sheet(&y, data, s->block->material_params, &here, &good);
        face_stress(&here, 1, &stress[0], &good);
        face_stress(&here, -1, &stress[1], &good);
        carom_lanes_max(&stress[0], &stress[1], &stress[0]);
        carom_lanes_load(data + CAROM_LANES * CAROM_SHELL_AREA, &own);
        area += own;
        sum += own * stress[0];
    }
    *mean = sum / area;
    good &= *mean < HUGE_VAL;
    bool all = true;
    for (int l = 0; l < CAROM_LANES; l++)
        all = all && good[l];
    return all;
}

CAROM_INLINE void range(const carom_shell *s, int variant, int begin, int end, const double (*x)[3], double *values,
                        bool *left) {
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        carom_lanes mean;
        bool all = batch(s, variant, e0, x, &mean);
        for (int e = e0 > begin ? e0 : begin; e < end && e < e0 + CAROM_LANES; e++)
            values[e] = all ? mean[e - e0] : NAN;
        *left = *left || !all;
    }
}

CAROM_KERNEL(regular, (const carom_shell *s, int begin, int end, const double (*x)[3], double *values, bool *left),
             (s, begin, end, x, values, left), range(s, CAROM_SHELL_REGULAR, begin, end, x, values, left))

CAROM_KERNEL(stored, (const carom_shell *s, int begin, int end, const double (*x)[3], double *values, bool *left),
             (s, begin, end, x, values, left), range(s, CAROM_SHELL_STORED, begin, end, x, values, left))

CAROM_KERNEL(affine, (const carom_shell *s, int begin, int end, const double (*x)[3], double *values, bool *left),
             (s, begin, end, x, values, left), range(s, CAROM_SHELL_AFFINE, begin, end, x, values, left))

bool carom_shell_kernel_von_mises(const carom_block *block, int begin, int end, const double (*x)[3], double *values) {
    carom_shell s = carom_shell_of(block);
    bool left = false;
    switch (block->variant) {
    case CAROM_SHELL_REGULAR: regular(&s, begin, end, x, values, &left); break;
    case CAROM_SHELL_STORED: stored(&s, begin, end, x, values, &left); break;
    default: affine(&s, begin, end, x, values, &left); break;
    }
    return !left;
}
