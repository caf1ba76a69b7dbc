// SPDX-License-Identifier: MIT
// Computes measure, gap and slip of a pair of simplices, with gradients (simplex.h). The slip: let P_k be weights of the nodes
// such that c1 - c2 = sum_k P_k x_k = h n is the vector between the feet of the two sides, and t a tangent. Then
//
//       D_k = P_k t + h a_k n,   sum a_k = 0,   sum a_k x_k = t.
//
// The first term moves the feet; the second removes the moment of the slip: sum x_k x D_k = h n x t + h t x
// n = 0. For a face a_k = t.grad N_k; for two edges t = a_2 (x2 - x1) + a_4 (x4 - x3). This is the slip of
// the energy-momentum method (quadrature/tractions.c) for flat faces.
#include "contact/simplex/simplex.h"

#include <math.h>
#include <string.h>

#include "math/functions.h"
#include "math/vec3.h"

// Planes and ends: a distance along a normal that does not change.
static bool is_fixed(const carom_simplex *pair) {
    return pair->kind == CAROM_CONTACT_NODE_PLANE || pair->kind == CAROM_CONTACT_END_END;
}

// The vectors of a measure g = (a x b).r. In the plane a is the segment, and b is replaced by the third axis.
typedef struct parts {
    double a[3], b[3], r[3];
    double normal[3]; // n = a x b
} parts;

// For a face 123 and node P: a = 2 - 1, b = 3 - 1, r = P - 1; for edges: a = 2 - 1, b = 4 - 3, r = 3 - 1.
static void find_vectors(const carom_simplex *pair, const double (*x)[3], parts *p) {
    const int *n = pair->node;
    memset(p, 0, sizeof *p);
    switch (pair->kind) {
    case CAROM_CONTACT_NODE_SEGMENT:
        for (int i = 0; i < 2; i++) {
            p->a[i] = x[n[2]][i] - x[n[1]][i];
            p->r[i] = x[n[0]][i] - x[n[1]][i];
        }
        p->normal[0] = p->a[1];
        p->normal[1] = -p->a[0];
        return;
    case CAROM_CONTACT_EDGE_EDGE:
        carom_difference(x[n[1]], x[n[0]], p->a);
        carom_difference(x[n[3]], x[n[2]], p->b);
        carom_difference(x[n[2]], x[n[0]], p->r);
        break;
    default:
        carom_difference(x[n[2]], x[n[1]], p->a);
        carom_difference(x[n[3]], x[n[1]], p->b);
        carom_difference(x[n[0]], x[n[1]], p->r);
    }
    carom_cross(p->a, p->b, p->normal);
}

// Chain rule: derivatives by a, b and r become derivatives by the nodes. Each column sums to zero, so that
// the gradient has no resultant.
static void distribute(const carom_simplex *pair, const double a[3], const double b[3], const double r[3],
                       double (*gradient)[3]) {
    for (int i = 0; i < 3; i++)
        switch (pair->kind) {
        case CAROM_CONTACT_NODE_SEGMENT:
            gradient[0][i] = r[i];
            gradient[2][i] = a[i];
            gradient[1][i] = -(r[i] + a[i]);
            break;
        case CAROM_CONTACT_EDGE_EDGE:
            gradient[0][i] = -(a[i] + r[i]);
            gradient[1][i] = a[i];
            gradient[2][i] = r[i] - b[i];
            gradient[3][i] = b[i];
            break;
        default:
            gradient[0][i] = r[i];
            gradient[1][i] = -(a[i] + b[i] + r[i]);
            gradient[2][i] = a[i];
            gradient[3][i] = b[i];
        }
}

// g = sum w_k n.x_k - offset - thickness.
static double fixed_measure(const carom_simplex *pair, const double (*x)[3], double (*gradient)[3]) {
    double g = -pair->offset - pair->thickness;
    for (int k = 0; k < pair->count; k++) {
        g += pair->weight[k] * carom_dot(pair->normal, x[pair->node[k]]);
        for (int i = 0; i < 3 && gradient; i++)
            gradient[k][i] = pair->weight[k] * pair->normal[i];
    }
    return g;
}

// g and its gradient: dg/da = b x r, dg/db = r x a, dg/dr = a x b.
static double signed_measure(const carom_simplex *pair, const parts *p, double (*gradient)[3]) {
    if (gradient) {
        double by_a[3], by_b[3], by_r[3];
        carom_cross(p->b, p->r, by_a);
        carom_cross(p->r, p->a, by_b);
        // the derivative of the turned segment
        if (pair->kind == CAROM_CONTACT_NODE_SEGMENT)
            by_a[0] = -p->r[1], by_a[1] = p->r[0];
        for (int i = 0; i < 3; i++) {
            by_a[i] *= pair->sign;
            by_b[i] *= pair->sign;
            by_r[i] = pair->sign * p->normal[i];
        }
        distribute(pair, by_a, by_b, by_r, gradient);
    }
    return pair->sign * carom_dot(p->normal, p->r);
}

// |a x b| and its gradient, with n the unit normal: d/da = b x n, d/db = n x a.
static double size_of(const carom_simplex *pair, const parts *p, double (*gradient)[3]) {
    double n[3], by_a[3], by_b[3], zero[3] = {0};
    carom_copy(p->normal, n);
    double size = carom_normalize(n);
    if (gradient) {
        carom_cross(p->b, n, by_a);
        carom_cross(n, p->a, by_b);
        if (pair->kind == CAROM_CONTACT_NODE_SEGMENT)
            by_a[0] = -n[1], by_a[1] = n[0];
        distribute(pair, by_a, by_b, zero, gradient);
    }
    return size;
}

// gradient += s other
static void add_gradient(const carom_simplex *pair, double s, double (*other)[3], double (*gradient)[3]) {
    for (int k = 0; k < pair->count; k++)
        carom_add_scaled(s, other[k], gradient[k]);
}

double carom_simplex_measure(const carom_simplex *pair, const double (*x)[3], double (*gradient)[3]) {
    if (is_fixed(pair))
        return fixed_measure(pair, x, gradient);
    parts p;
    double by_size[4][3];
    find_vectors(pair, x, &p);
    double g = signed_measure(pair, &p, gradient);
    // measure = g - thickness |a x b|
    if (!(pair->thickness > 0))
        return g;
    g -= pair->thickness * size_of(pair, &p, gradient ? by_size : NULL);
    if (gradient)
        add_gradient(pair, -pair->thickness, by_size, gradient);
    return g;
}

double carom_simplex_size(const carom_simplex *pair, const double (*x)[3]) {
    if (is_fixed(pair))
        return 1;
    parts p;
    find_vectors(pair, x, &p);
    return size_of(pair, &p, NULL);
}

double carom_simplex_gap(const carom_simplex *pair, const double (*x)[3], double (*gradient)[3]) {
    if (is_fixed(pair))
        return fixed_measure(pair, x, gradient);
    parts p;
    double by_size[4][3];
    find_vectors(pair, x, &p);
    // grad(g/s) = (grad g - (g/s) grad s)/s
    double size = size_of(pair, &p, gradient ? by_size : NULL), distance = signed_measure(pair, &p, gradient) / size;
    if (gradient) {
        add_gradient(pair, -distance, by_size, gradient);
        for (int k = 0; k < pair->count; k++)
            for (int i = 0; i < 3; i++)
                gradient[k][i] /= size;
    }
    return distance - pair->thickness;
}

// Two orthonormal vectors normal to n, by means of the axis least aligned with it; for planes of
// two-dimensional models one of them is e_z.
static void across(const double n[3], double t[2][3]) {
    double least[3] = {0}, planar = carom_hypot(n[0], n[1]);
    if (planar > 0.5)
        least[2] = 1;
    else
        least[fabs(n[0]) > fabs(n[1])] = 1;
    carom_cross(least, n, t[0]);
    carom_normalize(t[0]);
    carom_cross(n, t[0], t[1]);
    carom_normalize(t[1]);
}

// Coefficients of a vector in the plane of a and b: v = c[0] a + c[1] b, by Cramer's rule.
static void coefficients(const parts *p, const double v[3], double c[2]) {
    double w[3], square = carom_dot(p->normal, p->normal);
    carom_cross(v, p->b, w);
    c[0] = carom_dot(w, p->normal) / square;
    carom_cross(p->a, v, w);
    c[1] = carom_dot(w, p->normal) / square;
}

// The node slips along the plane. A plane has no nodes, so only the first term of D remains.
static int plane_slip(const carom_simplex *pair, double D[2][4][3]) {
    double t[2][3];
    across(pair->normal, t);
    for (int a = 0; a < 2; a++)
        for (int i = 0; i < 3; i++)
            D[a][0][i] = pair->weight[0] * t[a][i];
    return 2;
}

int carom_simplex_slip(const carom_simplex *pair, const double (*x)[3], double D[2][4][3]) {
    memset(D, 0, 2 * sizeof *D);
    if (pair->kind == CAROM_CONTACT_END_END)
        return 0;
    if (pair->kind == CAROM_CONTACT_NODE_PLANE)
        return plane_slip(pair, D);
    parts p;
    double n[3], t[2][3], P[4], c[2];
    find_vectors(pair, x, &p);
    carom_copy(p.normal, n);
    if (!(carom_normalize(n) > 0))
        return 0;
    carom_copy(p.a, t[0]);
    carom_normalize(t[0]);
    carom_cross(n, t[0], t[1]);
    carom_normalize(t[1]);

    // weights P of the feet, and the height h of the first foot above the second
    double h = carom_dot(n, p.r), square = carom_dot(p.a, p.a);
    switch (pair->kind) {
    case CAROM_CONTACT_NODE_SEGMENT:
        c[0] = carom_dot(p.a, p.r) / square;
        P[0] = 1, P[1] = -(1 - c[0]), P[2] = -c[0], P[3] = 0;
        break;
    case CAROM_CONTACT_EDGE_EDGE:
        coefficients(&p, p.r, c);
        // r = c0 a + c1 b + h n is the vector from node 1 to node 3: the feet are at c0 and -c1, and the first one
        // is below
        P[0] = 1 - c[0], P[1] = c[0], P[2] = -(1 + c[1]), P[3] = c[1];
        h = -h;
        break;
    default: coefficients(&p, p.r, c); P[0] = 1, P[1] = -(1 - c[0] - c[1]), P[2] = -c[0], P[3] = -c[1];
    }
    // t_0 along a, t_1 = n x t_0
    int tangents = pair->kind == CAROM_CONTACT_NODE_SEGMENT ? 1 : 2;
    for (int d = 0; d < tangents; d++) {
        double zero[3] = {0}, turn[4][3];
        if (tangents == 1) {
            c[0] = carom_dot(p.a, t[0]) / square;
            c[1] = 0;
        } else {
            coefficients(&p, t[d], c);
        }
        // the moment-free part h a_k n, distributed like a derivative by a and b
        double along[3] = {h * c[0] * n[0], h * c[0] * n[1], h * c[0] * n[2]};
        double other[3] = {h * c[1] * n[0], h * c[1] * n[1], h * c[1] * n[2]};
        distribute(pair, along, other, zero, turn);
        for (int k = 0; k < pair->count; k++)
            for (int i = 0; i < 3; i++)
                D[d][k][i] = P[k] * t[d][i] + turn[k][i];
    }
    return tangents;
}
