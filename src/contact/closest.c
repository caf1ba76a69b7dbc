// SPDX-License-Identifier: MIT
// Closest points by cases.
//
// Node and triangle: the foot of the perpendicular on the plane of the triangle if it lies inside, else the closest of the points on the
// three sides. Two edges p(s) = p0 + s A, q(t) = q0 + t B: the common perpendicular if both its feet lie inside,
//     s = (b e - c d)/(a c - b^2),  t = (a e - b d)/(a c - b^2),    a = A.A, b = A.B, c = B.B, d = A.r, e = B.r, r = p0 - q0,
// else the closest of the four ends against the other edge. Parallel edges, a c - b^2 ~ 0, always end in the second case.
#include "contact/closest.h"

#include <math.h>

#include "math/vec3.h"

// How far a foot may lie outside and still count as inside, in units of the feature.
static const double slack = 1e-9;

// Edges whose directions differ by a smaller sine are parallel.
static const double parallel = 1e-6;

int carom_closest_count(carom_contact_kind kind) {
    return kind == CAROM_CONTACT_NODE_SEGMENT ? 3 : 4;
}

int carom_closest_split(carom_contact_kind kind) {
    return kind == CAROM_CONTACT_EDGE_EDGE ? 2 : 1;
}

// Writes distance and normal for the weights; a normal that is known (inside) is kept and only turned to the right side.
static void measure(int count, const double x[4][3], carom_closest *closest) {
    double r[3] = {0};
    for (int k = 0; k < count; k++)
        carom_add_scaled(closest->weight[k], x[k], r);
    if (closest->inside) {
        double d = carom_dot(closest->normal, r);
        closest->distance = fabs(d);
        for (int i = 0; i < 3 && d < 0; i++)
            closest->normal[i] = -closest->normal[i];
        return;
    }
    closest->distance = carom_normalize(r);
    for (int i = 0; i < 3; i++)
        closest->normal[i] = closest->distance > 0 ? r[i] : 0;
}

// The parameter in [0, 1] of the point of the edge from a to b that is closest to p.
static double clamp_to_edge(const double p[3], const double a[3], const double b[3]) {
    double edge[3], r[3];
    carom_difference(b, a, edge);
    carom_difference(p, a, r);
    double square = carom_dot(edge, edge);
    return square > 0 ? fmin(1, fmax(0, carom_dot(edge, r) / square)) : 0;
}

static double distance_at(int count, const double x[4][3], const double weight[4]) {
    double r[3] = {0};
    for (int k = 0; k < count; k++)
        carom_add_scaled(weight[k], x[k], r);
    return carom_norm(r);
}

// Takes the candidate if it is closer than the best so far.
static void consider(int count, const double x[4][3], const double weight[4], double *best, carom_closest *closest) {
    double distance = distance_at(count, x, weight);
    if (!(distance < *best))
        return;
    *best = distance;
    for (int k = 0; k < 4; k++)
        closest->weight[k] = weight[k];
}

static bool foot_on_triangle(const double x[4][3], carom_closest *closest) {
    double A[3], B[3], r[3], N[3], rB[3], Ar[3];
    carom_difference(x[2], x[1], A);
    carom_difference(x[3], x[1], B);
    carom_difference(x[0], x[1], r);
    carom_cross(A, B, N);
    double square = carom_dot(N, N);
    if (!(square > parallel * parallel * carom_dot(A, A) * carom_dot(B, B)))
        return false;
    carom_cross(r, B, rB);
    carom_cross(A, r, Ar);
    double u = carom_dot(rB, N) / square, v = carom_dot(Ar, N) / square;
    if (u < -slack || v < -slack || u + v > 1 + slack)
        return false;
    *closest = (carom_closest){.weight = {1, -(1 - u - v), -u, -v}, .inside = true};
    double size = sqrt(square);
    for (int i = 0; i < 3; i++)
        closest->normal[i] = N[i] / size;
    return true;
}

static carom_closest node_face(const double x[4][3]) {
    carom_closest closest = {0};
    if (!foot_on_triangle(x, &closest)) {
        double best = HUGE_VAL;
        for (int i = 0; i < 3; i++) {
            int a = 1 + i, b = 1 + (i + 1) % 3;
            double t = clamp_to_edge(x[0], x[a], x[b]), weight[4] = {1};
            weight[a] = -(1 - t);
            weight[b] = -t;
            consider(4, x, weight, &best, &closest);
        }
    }
    measure(4, x, &closest);
    return closest;
}

static bool common_perpendicular(const double x[4][3], carom_closest *closest) {
    double A[3], B[3], r[3], N[3];
    carom_difference(x[1], x[0], A);
    carom_difference(x[3], x[2], B);
    carom_difference(x[0], x[2], r);
    carom_cross(A, B, N);
    double a = carom_dot(A, A), b = carom_dot(A, B), c = carom_dot(B, B), d = carom_dot(A, r), e = carom_dot(B, r);
    double square = carom_dot(N, N);
    if (!(square > parallel * parallel * a * c))
        return false;
    double s = (b * e - c * d) / square, t = (a * e - b * d) / square;
    if (s < -slack || s > 1 + slack || t < -slack || t > 1 + slack)
        return false;
    *closest = (carom_closest){.weight = {1 - s, s, -(1 - t), -t}, .inside = true};
    double size = sqrt(square);
    for (int i = 0; i < 3; i++)
        closest->normal[i] = N[i] / size;
    return true;
}

static carom_closest edge_edge(const double x[4][3]) {
    carom_closest closest = {0};
    if (!common_perpendicular(x, &closest)) {
        double best = HUGE_VAL;
        for (int i = 0; i < 4; i++) {
            int first = i < 2 ? 2 : 0;
            double t = clamp_to_edge(x[i], x[first], x[first + 1]), side = i < 2 ? 1 : -1, weight[4] = {0};
            weight[i] = side;
            weight[first] = -side * (1 - t);
            weight[first + 1] = -side * t;
            consider(4, x, weight, &best, &closest);
        }
    }
    measure(4, x, &closest);
    return closest;
}

static carom_closest node_segment(const double x[4][3]) {
    double flat[4][3] = {{x[0][0], x[0][1]}, {x[1][0], x[1][1]}, {x[2][0], x[2][1]}};
    const double(*y)[3] = (const double(*)[3])flat;
    double A[3], r[3];
    carom_difference(y[2], y[1], A);
    carom_difference(y[0], y[1], r);
    double square = carom_dot(A, A), t = square > 0 ? carom_dot(A, r) / square : 0;
    carom_closest closest = {.inside = square > 0 && t >= -slack && t <= 1 + slack};
    if (closest.inside) {
        closest.normal[0] = -A[1] / sqrt(square);
        closest.normal[1] = A[0] / sqrt(square);
    } else {
        t = fmin(1, fmax(0, t));
    }
    closest.weight[0] = 1;
    closest.weight[1] = -(1 - t);
    closest.weight[2] = -t;
    measure(3, y, &closest);
    return closest;
}

carom_closest carom_closest_points(carom_contact_kind kind, const double x[4][3]) {
    switch (kind) {
    case CAROM_CONTACT_NODE_FACE: return node_face(x);
    case CAROM_CONTACT_EDGE_EDGE: return edge_edge(x);
    case CAROM_CONTACT_NODE_SEGMENT: return node_segment(x);
    case CAROM_CONTACT_END_END:
    case CAROM_CONTACT_NODE_PLANE: break;
    }
    return (carom_closest){.distance = HUGE_VAL};
}
