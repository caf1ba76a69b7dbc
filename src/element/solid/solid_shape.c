// SPDX-License-Identifier: MIT
// Shape functions and quadrature points. Nodes are ordered as in VTK: counter-clockwise, and the bottom of a brick before its
// top.
#include "element/solid.h"

// 1/sqrt(3)
#define G 0.57735026918962576451

// Linear simplices: constant gradients, one point.
const carom_solid_shape carom_shape_tri3 = {
    .dimension = 2,
    .node_count = 3,
    .point_count = 1,
    .weight = {1.0 / 2},
    .N = {{1.0 / 3, 1.0 / 3, 1.0 / 3}},
    .dN = {{{-1, -1, 0}, {1, 0, 0}, {0, 1, 0}}},
};

const carom_solid_shape carom_shape_tet4 = {
    .dimension = 3,
    .node_count = 4,
    .point_count = 1,
    .weight = {1.0 / 6},
    .N = {{1.0 / 4, 1.0 / 4, 1.0 / 4, 1.0 / 4}},
    .dN = {{{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
};

// Bilinear: N_a = (1 + r r_a)(1 + s s_a)/4, two by two Gauss points.
#define N4(r, s, ra, sa) ((1 + (r) * (ra)) * (1 + (s) * (sa)) / 4)
#define D4(r, s, ra, sa) \
    { (ra) * (1 + (s) * (sa)) / 4, (sa) * (1 + (r) * (ra)) / 4, 0 }
#define POINT_N4(r, s) \
    { N4(r, s, -1, -1), N4(r, s, 1, -1), N4(r, s, 1, 1), N4(r, s, -1, 1) }
#define POINT_D4(r, s) \
    { D4(r, s, -1, -1), D4(r, s, 1, -1), D4(r, s, 1, 1), D4(r, s, -1, 1) }

const carom_solid_shape carom_shape_quad4 = {
    .dimension = 2,
    .node_count = 4,
    .point_count = 4,
    .weight = {1, 1, 1, 1},
    .N = {POINT_N4(-G, -G), POINT_N4(G, -G), POINT_N4(G, G), POINT_N4(-G, G)},
    .dN = {POINT_D4(-G, -G), POINT_D4(G, -G), POINT_D4(G, G), POINT_D4(-G, G)},
};

// Trilinear: N_a = (1 + r r_a)(1 + s s_a)(1 + t t_a)/8, two by two by two Gauss points.
#define N8(r, s, t, ra, sa, ta) ((1 + (r) * (ra)) * (1 + (s) * (sa)) * (1 + (t) * (ta)) / 8)
#define D8(r, s, t, ra, sa, ta)                                                                         \
    {                                                                                                   \
        (ra) * (1 + (s) * (sa)) * (1 + (t) * (ta)) / 8, (sa) * (1 + (r) * (ra)) * (1 + (t) * (ta)) / 8, \
            (ta) * (1 + (r) * (ra)) * (1 + (s) * (sa)) / 8                                              \
    }
#define POINT8(f, r, s, t)                                                                                                 \
    {                                                                                                                      \
        f(r, s, t, -1, -1, -1), f(r, s, t, 1, -1, -1), f(r, s, t, 1, 1, -1), f(r, s, t, -1, 1, -1), f(r, s, t, -1, -1, 1), \
            f(r, s, t, 1, -1, 1), f(r, s, t, 1, 1, 1), f(r, s, t, -1, 1, 1)                                                \
    }
#define POINTS8(f)                                                                                                    \
    {                                                                                                                 \
        POINT8(f, -G, -G, -G), POINT8(f, G, -G, -G), POINT8(f, G, G, -G), POINT8(f, -G, G, -G), POINT8(f, -G, -G, G), \
            POINT8(f, G, -G, G), POINT8(f, G, G, G), POINT8(f, -G, G, G)                                              \
    }

const carom_solid_shape carom_shape_hex8 = {
    .dimension = 3,
    .node_count = 8,
    .point_count = 8,
    .weight = {1, 1, 1, 1, 1, 1, 1, 1},
    .N = POINTS8(N8),
    .dN = POINTS8(D8),
};

// Linear over the triangle, with L = 1 - r - s, r, s, and along t: N_a = L_a (1 + t t_a)/2. Three points of the triangle, of
// weight 1/6 each, times two Gauss points along t.
#define N6(r, s, t)                                                                                                 \
    {                                                                                                               \
        (1 - (r) - (s)) * (1 - (t)) / 2, (r) * (1 - (t)) / 2, (s) * (1 - (t)) / 2, (1 - (r) - (s)) * (1 + (t)) / 2, \
            (r) * (1 + (t)) / 2, (s) * (1 + (t)) / 2                                                                \
    }
#define D6(r, s, t)                                                                                                         \
    {                                                                                                                       \
        {-(1 - (t)) / 2, -(1 - (t)) / 2, -(1 - (r) - (s)) / 2}, {(1 - (t)) / 2, 0, -(r) / 2}, {0, (1 - (t)) / 2, -(s) / 2}, \
            {-(1 + (t)) / 2, -(1 + (t)) / 2, (1 - (r) - (s)) / 2}, {(1 + (t)) / 2, 0, (r) / 2}, {                           \
            0, (1 + (t)) / 2, (s) / 2                                                                                       \
        }                                                                                                                   \
    }
#define POINTS6(f)                                                                                         \
    {                                                                                                      \
        f(1.0 / 6, 1.0 / 6, -G), f(2.0 / 3, 1.0 / 6, -G), f(1.0 / 6, 2.0 / 3, -G), f(1.0 / 6, 1.0 / 6, G), \
            f(2.0 / 3, 1.0 / 6, G), f(1.0 / 6, 2.0 / 3, G)                                                 \
    }

const carom_solid_shape carom_shape_wedge6 = {
    .dimension = 3,
    .node_count = 6,
    .point_count = 6,
    .weight = {1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6},
    .N = POINTS6(N6),
    .dN = POINTS6(D6),
};
