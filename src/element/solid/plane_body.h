// SPDX-License-Identifier: MIT
// Maps, stresses and forces of plane elements (plane_kernel.c has the equations), for batches and for threads of a device.
#ifndef CAROM_ELEMENT_SOLID_PLANE_BODY_H
#define CAROM_ELEMENT_SOLID_PLANE_BODY_H

#include "material/lanes/stress.h"

enum { CAROM_PLANE_DOFS_MAX = 12 }; // a quadrilateral

// 1/sqrt(3), of the two by two Gauss points of quadrilaterals.
#define CAROM_PLANE_GAUSS 0.57735026918962576451

// Constants of a block.
typedef struct carom_sheet {
    carom_kernel_law law;
    bool stress;   // plane stress
    double mu;     // Lame's constants: mu,
    double lambda; // lambda of the plane (plane_kernel.c),
    double full;   // lambda of the law
    double thickness;
} carom_sheet;

// The coefficients c1, c2, c3 of the map of a quadrilateral (plane_kernel.c), for x and then for y: c1 and c2 are halves of the
// mean edges, c3 is the twist.
CAROM_INLINE void carom_plane_coefficients(const carom_lanes *q, carom_lanes c[6]) {
    for (int i = 0; i < 2; i++) {
        carom_lanes below = q[3 + i] - q[i], above = q[6 + i] - q[9 + i];
        c[3 * i] = 0.25 * (above + below);
        c[3 * i + 1] = 0.25 * ((q[6 + i] - q[3 + i]) + (q[9 + i] - q[i]));
        c[3 * i + 2] = 0.25 * (above - below);
    }
}

// The map of a triangle: the edges from its first node.
CAROM_INLINE void carom_plane_edges(const carom_lanes *q, carom_lanes y[4]) {
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            y[2 * i + k] = q[3 * (k + 1) + i] - q[i];
}

// The map of a quadrilateral at (r, t), from its coefficients.
CAROM_INLINE void carom_plane_map_at(const carom_lanes c[6], double r, double t, carom_lanes y[4]) {
    for (int i = 0; i < 2; i++) {
        y[2 * i] = c[3 * i] + t * c[3 * i + 2];
        y[2 * i + 1] = c[3 * i + 1] + r * c[3 * i + 2];
    }
}

// F of y = F Y, and the cofactors and the determinant of Y.
CAROM_INLINE void carom_plane_unmap(const carom_lanes y[4], const carom_lanes Y[4], carom_lanes F[4], carom_lanes C[4],
                                    carom_lanes *j) {
    C[0] = Y[3];
    C[1] = -Y[2];
    C[2] = -Y[1];
    C[3] = Y[0];
    *j = Y[0] * Y[3] - Y[1] * Y[2];
    carom_lanes scale = 1.0 / *j;
    for (int a = 0; a < 4; a++)
        F[a] = scale * (y[a & 2] * C[2 * (a & 1)] + y[(a & 2) + 1] * C[2 * (a & 1) + 1]);
}

// The three laws, as in material/, for the components 11, 12, 21, 22 of the plane.
CAROM_INLINE void carom_plane_linear(const carom_sheet *s, const carom_lanes F[4], carom_lanes P[4]) {
    carom_lanes pressure = s->lambda * (F[0] + F[3] - 2.0);
    P[0] = pressure + 2 * s->mu * (F[0] - 1.0);
    P[3] = pressure + 2 * s->mu * (F[3] - 1.0);
    P[1] = P[2] = s->mu * (F[1] + F[2]);
}

CAROM_INLINE void carom_plane_st_venant_kirchhoff(const carom_sheet *s, const carom_lanes F[4], carom_lanes P[4]) {
    // twice Green's strain, then S
    carom_lanes S0 = F[0] * F[0] + F[2] * F[2] - 1.0, S1 = F[1] * F[1] + F[3] * F[3] - 1.0;
    carom_lanes S01 = s->mu * (F[0] * F[1] + F[2] * F[3]), pressure = 0.5 * s->lambda * (S0 + S1);
    if (s->stress) {
        // undefined where F_33^2 is not positive
        carom_lanes left = 1.0 - s->full / (s->full + 2 * s->mu) * (S0 + S1), answer;
        carom_kernel_forbid(&left, &answer);
        pressure += answer;
    }
    S0 = pressure + s->mu * S0;
    S1 = pressure + s->mu * S1;
    for (int i = 0; i < 4; i += 2) {
        P[i] = F[i] * S0 + F[i + 1] * S01;
        P[i + 1] = F[i] * S01 + F[i + 1] * S1;
    }
}

CAROM_INLINE void carom_plane_neo_hookean(const carom_sheet *s, const carom_lanes F[4], carom_lanes P[4]) {
    carom_lanes J = F[0] * F[3] - F[1] * F[2], log_J, answer, scale;
    carom_kernel_forbid(&J, &answer);
    if (s->stress) {
        carom_lanes z;
        carom_kernel_thinning(s->mu, s->full, &J, &z);
        scale = -s->mu * z / J + answer;
    } else {
        carom_lanes_log(&J, &log_J);
        scale = (s->lambda * log_J - s->mu) / J + answer;
    }
    P[0] = s->mu * F[0] + scale * F[3];
    P[1] = s->mu * F[1] - scale * F[2];
    P[2] = s->mu * F[2] - scale * F[1];
    P[3] = s->mu * F[3] + scale * F[0];
}

// Q = w t P C for the maps y and Y of the element, each as [x or y][r or s].
CAROM_INLINE void carom_plane_conjugate(const carom_sheet *s, double weight, const carom_lanes y[4], const carom_lanes Y[4],
                                        carom_lanes Q[4]) {
    carom_lanes C[4], F[4], P[4], j;
    carom_plane_unmap(y, Y, F, C, &j);
    if (s->law == CAROM_KERNEL_LINEAR)
        carom_plane_linear(s, F, P);
    else if (s->law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF)
        carom_plane_st_venant_kirchhoff(s, F, P);
    else
        carom_plane_neo_hookean(s, F, P);
    double factor = weight * s->thickness;
    for (int a = 0; a < 4; a++)
        Q[a] = factor * (P[a & 2] * C[a & 1] + P[(a & 2) + 1] * C[2 + (a & 1)]);
}

// A triangle has one point of weight 1/2. The three forces add up to zero.
CAROM_INLINE void carom_plane_triangle(const carom_sheet *s, const carom_lanes *q, const carom_lanes *q0, carom_lanes *f) {
    carom_lanes y[4], Y[4], Q[4];
    carom_plane_edges(q, y);
    carom_plane_edges(q0, Y);
    carom_plane_conjugate(s, 0.5, y, Y, Q);
    for (int i = 0; i < 2; i++) {
        f[3 + i] = -Q[2 * i];
        f[6 + i] = -Q[2 * i + 1];
        f[i] = Q[2 * i] + Q[2 * i + 1];
    }
}

// A quadrilateral has two by two Gauss points of weight 1; h are the forces conjugate to the coefficients.
CAROM_INLINE void carom_plane_quadrilateral(const carom_sheet *s, const carom_lanes *q, const carom_lanes *q0, carom_lanes *f) {
    const double g = CAROM_PLANE_GAUSS;
    carom_lanes c[6], C[6], h[6] = {{0}};
    carom_plane_coefficients(q, c);
    carom_plane_coefficients(q0, C);
    for (int point = 0; point < 4; point++) {
        double r = point & 1 ? g : -g, t = point & 2 ? g : -g;
        carom_lanes y[4], Y[4], Q[4];
        carom_plane_map_at(c, r, t, y);
        carom_plane_map_at(C, r, t, Y);
        carom_plane_conjugate(s, 1, y, Y, Q);
        for (int i = 0; i < 2; i++) {
            h[3 * i] += Q[2 * i];
            h[3 * i + 1] += Q[2 * i + 1];
            h[3 * i + 2] += t * Q[2 * i] + r * Q[2 * i + 1];
        }
    }
    for (int i = 0; i < 2; i++) {
        carom_lanes sum = 0.25 * (h[3 * i] + h[3 * i + 1]), difference = 0.25 * (h[3 * i] - h[3 * i + 1]),
                    twist = 0.25 * h[3 * i + 2];
        f[i] = sum - twist;
        f[3 + i] = twist - difference;
        f[6 + i] = -sum - twist;
        f[9 + i] = difference + twist;
    }
}

#endif
