// SPDX-License-Identifier: MIT
// Bodies moved into each other and projected out again, and tests of all pairs.
#ifndef CAROM_TEST_VIOLATIONS_H
#define CAROM_TEST_VIOLATIONS_H

#include "../../../support.h"
#include "contact/simplex/violations.h"
#include "math/predicates.h"
#include "math/vec3.h"

typedef const double (*const_vectors)[3];

enum { NODES = 256, FACES = 512, PASSES = 400 };

// Bodies given by their faces, with positions before (x0) and after (x1) a step.
typedef struct scene {
    int corners, node_count, face_count, body_count;
    int faces[3 * FACES], body[FACES];
    int node_body[NODES];
    double x0[NODES][3], x1[NODES][3], mass[NODES];
    carom_surface surface;
    carom_violations overlaps;
    carom_violation_set set;
} scene;

static inline int add_node(scene *s, double x, double y, double z) {
    int k = s->node_count++;
    assert_true(k < NODES);
    s->node_body[k] = s->body_count;
    s->mass[k] = 1;
    s->x0[k][0] = x, s->x0[k][1] = y, s->x0[k][2] = z;
    return k;
}

static inline void add_face(scene *s, int a, int b, int c) {
    int nodes[3] = {a, b, c};
    assert_true(s->face_count < FACES);
    for (int i = 0; i < s->corners; i++)
        s->faces[s->corners * s->face_count + i] = nodes[i];
    s->body[s->face_count++] = s->body_count;
}

// A closed polygon, counterclockwise.
static inline int add_polygon(scene *s, int count, const double (*at)[2]) {
    int begin = s->node_count;
    s->corners = 2;
    for (int i = 0; i < count; i++)
        add_node(s, at[i][0], at[i][1], 0);
    for (int i = 0; i < count; i++)
        add_face(s, begin + i, begin + (i + 1) % count, -1);
    s->body_count++;
    return begin;
}

static inline int add_square(scene *s, double left, double bottom, double side) {
    const double at[4][2] = {{left, bottom}, {left + side, bottom}, {left + side, bottom + side}, {left, bottom + side}};
    return add_polygon(s, 4, at);
}

static inline void begin(scene *s, carom_violations_def more) {
    carom_surface_def def = {s->corners, s->node_count, s->body_count, s->face_count, s->faces, s->body};
    assert_ok(carom_surface_build(&def, &s->surface, error));
    more.node_count = s->node_count;
    more.surface = &s->surface;
    more.X = (const_vectors)s->x0;
    assert_ok(carom_violations_create(&more, &s->overlaps, error));
    memcpy(s->x1, s->x0, sizeof s->x1);
}

static inline void end(scene *s) {
    carom_violations_release(&s->overlaps);
    carom_violation_set_release(&s->set);
    carom_surface_release(&s->surface);
}

typedef struct found {
    int added, ambiguous;
} found;

static inline found look(scene *s) {
    found f;
    assert_ok(
        carom_violations_add(&s->overlaps, (const_vectors)s->x0, (const_vectors)s->x1, &s->set, &f.added, &f.ambiguous, error));
    return f;
}

// The nearest configuration (by the masses) to `free` that obeys the pairs of the set as they are linearised at x1:
// Gauss-Seidel on the multipliers.
static inline void obey(scene *s, const_vectors free) {
    static double G[1024][4][3], w[1024], lambda[1024];
    int count = s->set.count;
    assert_true(count <= 1024);
    for (int c = 0; c < count; c++) {
        const carom_simplex *pair = &s->set.items[c];
        double size = carom_simplex_size(pair, (const_vectors)s->x1);
        w[c] = carom_simplex_measure(pair, (const_vectors)s->x1, G[c]) / size;
        lambda[c] = 0;
        for (int k = 0; k < pair->count; k++)
            for (int i = 0; i < 3; i++) {
                G[c][k][i] /= size;
                w[c] -= G[c][k][i] * s->x1[pair->node[k]][i];
            }
    }
    memcpy(s->x1, free, sizeof s->x1);
    for (int sweep = 0; sweep < 20000; sweep++) {
        double change = 0;
        for (int c = 0; c < count; c++) {
            const carom_simplex *pair = &s->set.items[c];
            double g = w[c], Q = 0;
            for (int k = 0; k < pair->count; k++) {
                g += carom_dot(G[c][k], s->x1[pair->node[k]]);
                Q += carom_dot(G[c][k], G[c][k]) / s->mass[pair->node[k]];
            }
            double next = fmax(0, lambda[c] - g / Q), step = next - lambda[c];
            lambda[c] = next;
            change = fmax(change, fabs(step));
            for (int k = 0; k < pair->count; k++)
                carom_add_scaled(step / s->mass[pair->node[k]], G[c][k], s->x1[pair->node[k]]);
        }
        if (change < 1e-16)
            break;
    }
}

// Repeats detection and projection until no pair is added and no node moves; returns the number of passes, or -1.
static inline int project(scene *s) {
    static double free[NODES][3], last[NODES][3];
    memcpy(free, s->x1, sizeof free);
    carom_violation_set_clear(&s->set);
    for (int pass = 0; pass < PASSES; pass++) {
        found f = look(s);
        memcpy(last, s->x1, sizeof last);
        obey(s, (const_vectors)free);
        double change = 0;
        for (int k = 0; k < s->node_count; k++)
            for (int i = 0; i < 3; i++)
                change = fmax(change, fabs(s->x1[k][i] - last[k][i]));
        if (!f.added && change < 1e-14)
            return pass;
    }
    return -1;
}

static inline bool is_own(const scene *s, int node, int face) {
    return s->node_body[node] == s->body[face];
}

// Winding by exact predicates: strictly inside a body, more than `margin` from its border.
static inline bool is_inside(const scene *s, const_vectors x, int node, int body, double margin) {
    int winding = 0;
    for (int f = 0; f < s->face_count; f++) {
        const double *a = x[s->faces[2 * f]], *b = x[s->faces[2 * f + 1]], *p = x[node];
        if (s->body[f] != body)
            continue;
        double d[2] = {b[0] - a[0], b[1] - a[1]}, r[2] = {p[0] - a[0], p[1] - a[1]};
        double t = fmin(fmax((d[0] * r[0] + d[1] * r[1]) / (d[0] * d[0] + d[1] * d[1]), 0), 1);
        if (hypot(r[0] - t * d[0], r[1] - t * d[1]) <= margin)
            return false;
        if ((a[1] <= p[1]) != (b[1] <= p[1])) {
            int side = carom_orient2d(a, b, p);
            if (a[1] <= p[1] ? side > 0 : side < 0)
                winding += a[1] <= p[1] ? 1 : -1;
        }
    }
    return winding != 0;
}

static inline int inside_count(const scene *s, const_vectors x, double margin) {
    int count = 0;
    for (int k = 0; k < s->node_count; k++)
        for (int b = 0; b < s->body_count; b++)
            count += s->node_body[k] != b && is_inside(s, x, k, b, margin);
    return count;
}

// True if a node meets a segment of another body along its path.
static inline bool anything_meets(const scene *s) {
    for (int k = 0; k < s->node_count; k++)
        for (int f = 0; f < s->face_count; f++) {
            double a[3][3], b[3][3], time;
            int nodes[3] = {k, s->faces[2 * f], s->faces[2 * f + 1]};
            if (is_own(s, k, f))
                continue;
            for (int i = 0; i < 3; i++) {
                carom_copy(s->x0[nodes[i]], a[i]);
                carom_copy(s->x1[nodes[i]], b[i]);
            }
            if (carom_ccd_node_segment((const_vectors)a, (const_vectors)b, 0, &time))
                return true;
        }
    return false;
}

static const carom_violations_def crossed = {.rule = CAROM_VIOLATION_CROSSED}, closest = {.rule = CAROM_VIOLATION_CLOSEST};

static inline void shift_body(scene *s, int body, double x, double y, double z) {
    for (int k = 0; k < s->node_count; k++)
        if (s->node_body[k] == body) {
            s->x1[k][0] = s->x0[k][0] + x;
            s->x1[k][1] = s->x0[k][1] + y;
            s->x1[k][2] = s->x0[k][2] + z;
        }
}

// One detection with an empty set.
static inline found check_again(scene *s) {
    carom_violation_set_clear(&s->set);
    return look(s);
}

#endif
