// SPDX-License-Identifier: MIT
// The von Mises stress at the faces of shells with the St. Venant-Kirchhoff law, one element per lane; C and C++. The
// operations are exactly those of loop_shell_field.c, with bitwise equal results. Lanes with values that take a separate branch
// there are marked, and the caller evaluates them by loop_shell_field.c.
#ifndef CAROM_ELEMENT_SHELL_LOOP_SHELL_FACES_H
#define CAROM_ELEMENT_SHELL_LOOP_SHELL_FACES_H

#include <math.h>

#include "carom/material.h"
#include "element/shell/loop_shell_lanes.h"

// Normals with larger or smaller components are scaled before their length is taken (carom_normalize).
#define CAROM_SHELL_PLAIN_LEAST 1e-140
#define CAROM_SHELL_PLAIN_MOST 1e140

// Data shared by all elements of a block.
typedef struct carom_shell_faces {
    double thickness, young, poisson;
} carom_shell_faces;

static inline carom_shell_faces carom_shell_faces_of(const carom_shell *s) {
    const carom_elastic_params *law = (const carom_elastic_params *)s->block->material_params;
    carom_shell_faces faces = {s->thickness, law->young, law->poisson};
    return faces;
}

// The mean over the points of an element, weighted by their areas.
typedef struct carom_shell_mean {
    carom_lanes area, sum;
    carom_lanes_bits good; // lanes in which the stress is computed here
} carom_shell_mean;

// Data shared by the faces of a point.
typedef struct carom_shell_sheet {
    carom_lanes strain[6]; // of the middle surface and of bending
    carom_lanes H[6];      // stiffness 11, 22, 33, 12, 13, 23
    carom_lanes up[3];     // G^11, G^22, G^12
    carom_lanes growth;    // ratio of the deformed to the reference area
    double across;         // 2 nu/(1 - nu), of the strain across the thickness
} carom_shell_sheet;

// The stiffness H of the law, S^ab = H^abcd E_cd, and the inverse metric.
CAROM_INLINE void carom_shell_find_stiffness(const carom_shell_faces *faces, const carom_lanes G[3], carom_shell_sheet *s) {
    double nu = faces->poisson, modulus = faces->young / (1 - nu * nu);
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

// The von Mises stress at the face z = side t/2; lanes in which the law is undefined are removed from `good`.
CAROM_INLINE void carom_shell_face_stress(const carom_shell_sheet *s, const carom_lanes *y, double thickness, double side,
                                          carom_lanes *stress, carom_lanes_bits *good) {
    const carom_lanes *H = s->H, *a1 = y, *a2 = y + 3;
    carom_lanes E[3], S[3], energy, square, thinning, t[6];
    for (int k = 0; k < 3; k++)
        E[k] = s->strain[k] + 0.5 * side * thickness * s->strain[3 + k];
    S[0] = H[0] * E[0] + H[3] * E[1] + H[4] * E[2];
    S[1] = H[3] * E[0] + H[1] * E[1] + H[5] * E[2];
    S[2] = H[4] * E[0] + H[5] * E[1] + H[2] * E[2];
    carom_lanes_clear(1, &energy);
    for (int k = 0; k < 3; k++)
        energy += 0.5 * S[k] * E[k];
    square = 1.0 - s->across * (s->up[0] * E[0] + s->up[1] * E[1] + s->up[2] * E[2]);
    *good = *good & ((energy < HUGE_VAL) & (square > 0.0));
    carom_lanes_sqrt(&square, &thinning);
    carom_lanes factor = 1.0 / (s->growth * thinning);
    // xx, yy, zz, xy, yz, xz
    for (int c = 0; c < 6; c++) {
        int i = c < 3 ? c : c == 4, j = c < 3 ? c : c == 3 ? 1 : 2;
        t[c] = factor * (S[0] * a1[i] * a1[j] + S[1] * a2[i] * a2[j] + S[2] * (a1[i] * a2[j] + a2[i] * a1[j]));
    }
    carom_lanes a = t[0] - t[1], b = t[1] - t[2], c = t[2] - t[0];
    square = 0.5 * (a * a + b * b + c * c) + 3.0 * (t[3] * t[3] + t[4] * t[4] + t[5] * t[5]);
    carom_lanes_sqrt(&square, stress);
}

// Strains, growth and stiffness of a point. Lanes with extreme normals are removed from `good`.
CAROM_INLINE void carom_shell_find_sheet(const carom_shell_faces *faces, const carom_shell_surface *y, const double *data,
                                         carom_shell_sheet *s, carom_lanes_bits *good) {
    const carom_lanes *a1 = y->y, *a2 = y->y + 3;
    carom_lanes G[3], B[3], g[3], b[3], normal[3], square, J, det, root;
    for (int k = 0; k < 3; k++) {
        carom_lanes_load(data + CAROM_LANES * (CAROM_SHELL_METRIC + k), &G[k]);
        carom_lanes_load(data + CAROM_LANES * (CAROM_SHELL_CURVATURE + k), &B[k]);
    }
    normal[0] = a1[1] * a2[2] - a1[2] * a2[1];
    normal[1] = a1[2] * a2[0] - a1[0] * a2[2];
    normal[2] = a1[0] * a2[1] - a1[1] * a2[0];
    carom_lanes_bits above = {0}, below = {0};
    below = ~below;
    for (int i = 0; i < 3; i++) {
        above |= (normal[i] > CAROM_SHELL_PLAIN_LEAST) | (normal[i] < -CAROM_SHELL_PLAIN_LEAST);
        below = below & ((normal[i] < CAROM_SHELL_PLAIN_MOST) & (normal[i] > -CAROM_SHELL_PLAIN_MOST));
    }
    *good = *good & (above & below);
    carom_shell_dot(normal, normal, &square);
    carom_lanes_sqrt(&square, &J);
    for (int i = 0; i < 3; i++)
        normal[i] = normal[i] / J;
    carom_shell_dot(a1, a1, &g[0]);
    carom_shell_dot(a2, a2, &g[1]);
    carom_shell_dot(a1, a2, &g[2]);
    for (int k = 0; k < 3; k++) {
        carom_shell_dot(y->y + 6 + 3 * k, normal, &b[k]);
        s->strain[k] = (k == 2 ? 1 : 0.5) * (g[k] - G[k]);
        s->strain[3 + k] = (k == 2 ? 2.0 : 1) * (b[k] - B[k]);
    }
    det = G[0] * G[1] - G[2] * G[2];
    carom_lanes_sqrt(&det, &root);
    s->growth = J / root;
    carom_shell_find_stiffness(faces, G, s);
}

CAROM_INLINE void carom_shell_mean_start(carom_shell_mean *mean) {
    carom_lanes_bits none = {0};
    carom_lanes_clear(1, &mean->area);
    carom_lanes_clear(1, &mean->sum);
    mean->good = ~none;
}

// Adds a point with the stress of the face where it is larger.
CAROM_INLINE void carom_shell_mean_add(const carom_shell_faces *faces, const carom_shell_surface *y, const double *data,
                                       carom_shell_mean *mean) {
    carom_shell_sheet here;
    carom_lanes area, stress[2];
    carom_shell_find_sheet(faces, y, data, &here, &mean->good);
    carom_shell_face_stress(&here, y->y, faces->thickness, 1, &stress[0], &mean->good);
    carom_shell_face_stress(&here, y->y, faces->thickness, -1, &stress[1], &mean->good);
    carom_lanes_max(&stress[0], &stress[1], &stress[0]);
    carom_lanes_load(data + CAROM_LANES * CAROM_SHELL_AREA, &area);
    mean->area += area;
    mean->sum += area * stress[0];
}

// The stress of the element. True if it is computed in all lanes.
CAROM_INLINE bool carom_shell_mean_end(carom_shell_mean *mean, carom_lanes *stress) {
    *stress = mean->sum / mean->area;
    mean->good = mean->good & (*stress < HUGE_VAL);
    bool all = true;
    for (int l = 0; l < CAROM_ABREAST; l++)
        all = all && mean->good[l];
    return all;
}

#endif
