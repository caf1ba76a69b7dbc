// SPDX-License-Identifier: MIT
// Scenes of nodes and faces, and the distances of their features in extended precision.
#ifndef CAROM_TEST_DISTANCES_H
#define CAROM_TEST_DISTANCES_H

#include "../support.h"
#include "carom/threads.h"
#include "contact/broad/list.h"

typedef struct scene {
    int corners, node_count, face_count, body_count;
    int faces[4096][3], body[4096];
    double x[8192][3], x1[8192][3];
    bool moves;
} scene;

static inline int add_node(scene *s, double x, double y, double z) {
    double *p = s->x[s->node_count];
    p[0] = x, p[1] = y, p[2] = z;
    memcpy(s->x1[s->node_count], p, sizeof s->x1[0]);
    return s->node_count++;
}

static inline void add_face(scene *s, int a, int b, int c, int body) {
    int *face = s->faces[s->face_count];
    face[0] = a, face[1] = b, face[2] = c;
    s->body[s->face_count++] = body;
    s->body_count = body >= s->body_count ? body + 1 : s->body_count;
}

static inline int pick(uint64_t *seed, int count) {
    int i = (int)random_real(seed, 0, count);
    return i < count ? i : count - 1;
}

// Around c, by at most r in each direction.
static inline int add_random_node(scene *s, uint64_t *seed, const double c[3], double r) {
    double x[3];
    for (int i = 0; i < 3; i++)
        x[i] = c[i] + random_real(seed, -r, r);
    return add_node(s, x[0], x[1], x[2]);
}

static inline void scale_by(scene *s, double scale, const double offset[3]) {
    for (int k = 0; k < s->node_count; k++)
        for (int i = 0; i < 3; i++) {
            s->x[k][i] = offset[i] + scale * s->x[k][i];
            s->x1[k][i] = offset[i] + scale * s->x1[k][i];
        }
}

typedef long double real;

static inline real dot(const real a[3], const real b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline real point_segment(const real p[3], const real a[3], const real b[3]) {
    real u[3], r[3];
    for (int i = 0; i < 3; i++)
        u[i] = b[i] - a[i], r[i] = p[i] - a[i];
    real uu = dot(u, u), t = uu > 0 ? dot(r, u) / uu : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int i = 0; i < 3; i++)
        r[i] -= t * u[i];
    return sqrtl(dot(r, r));
}

static inline void cross(const real a[3], const real b[3], real c[3]) {
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

// The smallest of the distances to the sides and, above the inside, to the plane.
static inline real node_face(real p[4][3]) {
    real best = point_segment(p[0], p[1], p[2]), n[3], u[3], v[3], r[3], c[3];
    best = fminl(best, point_segment(p[0], p[2], p[3]));
    best = fminl(best, point_segment(p[0], p[3], p[1]));
    for (int i = 0; i < 3; i++)
        u[i] = p[2][i] - p[1][i], v[i] = p[3][i] - p[1][i];
    cross(u, v, n);
    real nn = dot(n, n);
    bool inside = nn > 0;
    for (int e = 0; e < 3; e++) {
        const real *a = p[1 + e], *b = p[1 + (e + 1) % 3];
        for (int i = 0; i < 3; i++)
            u[i] = b[i] - a[i], r[i] = p[0][i] - a[i];
        cross(u, r, c);
        inside = inside && dot(c, n) >= 0;
    }
    for (int i = 0; i < 3; i++)
        r[i] = p[0][i] - p[1][i];
    return inside ? fminl(best, fabsl(dot(r, n)) / sqrtl(nn)) : best;
}

// The smallest of the distances from the four ends and, where the feet on the common normal are inside both, between the lines.
static inline real edge_edge(real p[4][3]) {
    real best = fminl(point_segment(p[0], p[2], p[3]), point_segment(p[1], p[2], p[3])), n[3], u[3], v[3], r[3], c[3];
    best = fminl(best, fminl(point_segment(p[2], p[0], p[1]), point_segment(p[3], p[0], p[1])));
    for (int i = 0; i < 3; i++)
        u[i] = p[1][i] - p[0][i], v[i] = p[3][i] - p[2][i], r[i] = p[2][i] - p[0][i];
    cross(u, v, n);
    real nn = dot(n, n);
    if (!(nn > 0))
        return best;
    cross(r, v, c);
    real s = dot(c, n) / nn;
    cross(r, u, c);
    real t = dot(c, n) / nn;
    return s >= 0 && s <= 1 && t >= 0 && t <= 1 ? fminl(best, fabsl(dot(r, n)) / sqrtl(nn)) : best;
}

// The smallest distance on the way, at some times; kind 0: node-face, 1: edge-edge, 2: node-segment in the plane.
static inline real smallest(const scene *s, int kind, const int nodes[4]) {
    real best = HUGE_VALL;
    int steps = s->moves ? 24 : 0;
    for (int t = 0; t <= steps; t++) {
        real p[4][3] = {{0}}, w = steps ? (real)t / steps : 0;
        for (int k = 0; k < (kind == 2 ? 3 : 4); k++)
            for (int i = 0; i < (kind == 2 ? 2 : 3); i++)
                p[k][i] = (1 - w) * (real)s->x[nodes[k]][i] + w * (real)s->x1[nodes[k]][i];
        real d = kind == 0 ? node_face(p) : kind == 1 ? edge_edge(p) : point_segment(p[0], p[1], p[2]);
        best = fminl(best, d);
    }
    return best;
}

#endif
