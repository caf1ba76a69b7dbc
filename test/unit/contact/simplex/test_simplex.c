// SPDX-License-Identifier: MIT
// Tests src/contact/simplex/simplex.c.
// Pairs of simplices: closed forms of the measure, its gradient by differences, resultants and moments, slip of rigid and of
// sliding motions.
#include "../../../support.h"
#include "contact/simplex/simplex.h"
#include "math/vec3.h"

typedef const double (*const_vectors)[3];

enum { KINDS = 5 };

static const carom_contact_kind kinds[KINDS] = {CAROM_CONTACT_NODE_SEGMENT, CAROM_CONTACT_NODE_FACE, CAROM_CONTACT_EDGE_EDGE,
                                                CAROM_CONTACT_NODE_PLANE, CAROM_CONTACT_END_END};

static bool is_fixed(carom_contact_kind kind) {
    return kind == CAROM_CONTACT_NODE_PLANE || kind == CAROM_CONTACT_END_END;
}

// A pair of a kind with random nodes; a plane pair has random heights, which must not matter.
static carom_simplex take(uint64_t *seed, carom_contact_kind kind, double x[4][3]) {
    static const int counts[] = {[CAROM_CONTACT_NODE_SEGMENT] = 3,
                                 [CAROM_CONTACT_NODE_FACE] = 4,
                                 [CAROM_CONTACT_EDGE_EDGE] = 4,
                                 [CAROM_CONTACT_NODE_PLANE] = 1,
                                 [CAROM_CONTACT_END_END] = 2};
    carom_simplex pair = {.kind = kind, .count = counts[kind], .sign = 1, .node = {2, 0, 3, 1}, .weight = {1}};
    if (kind == CAROM_CONTACT_END_END)
        pair.weight[0] = -1, pair.weight[1] = 1;
    if (is_fixed(kind)) {
        for (int i = 0; i < 3; i++)
            pair.normal[i] = random_real(seed, -1, 1);
        carom_normalize(pair.normal);
        pair.offset = random_real(seed, -1, 1);
    } else {
        pair.sign = random_real(seed, -1, 1) < 0 ? -1 : 1;
    }
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++)
            x[k][i] = random_real(seed, 1, 2);
    return pair;
}

static void measures_have_closed_forms(void **state) {
    (void)state;
    const double flat[3][3] = {{0.25, 0.5, 7}, {0, 0, 8}, {2, 0, 9}};
    carom_simplex segment = {.kind = CAROM_CONTACT_NODE_SEGMENT, .count = 3, .node = {0, 1, 2}, .sign = 1};
    // the body is on the left of AB, so that a node above is inside: twice the area of the triangle, -1
    assert_near(carom_simplex_measure(&segment, flat, NULL), -1, 0);
    assert_near(carom_simplex_size(&segment, flat), 2, 0);
    assert_near(carom_simplex_gap(&segment, flat, NULL), -0.5, 0);
    segment.thickness = 0.25;
    assert_near(carom_simplex_measure(&segment, flat, NULL), -1.5, 0);
    assert_near(carom_simplex_gap(&segment, flat, NULL), -0.75, 0);

    // the normal of the face is upwards; the node above it is outside
    const double space[4][3] = {{0.1, 0.2, 0.5}, {0, 0, 0}, {2, 0, 0}, {0, 3, 0}};
    carom_simplex face = {.kind = CAROM_CONTACT_NODE_FACE, .count = 4, .node = {0, 1, 2, 3}, .sign = 1};
    assert_near(carom_simplex_measure(&face, space, NULL), 3, 0);
    assert_near(carom_simplex_size(&face, space), 6, 0);
    face.sign = -1;
    assert_near(carom_simplex_measure(&face, space, NULL), -3, 0);

    // one edge along x, the other along y and half a unit above: six times the volume of their tetrahedron
    const double crossed[4][3] = {{-1, 0, 0}, {1, 0, 0}, {0, -2, 0.5}, {0, 2, 0.5}};
    carom_simplex edges = {.kind = CAROM_CONTACT_EDGE_EDGE, .count = 4, .node = {0, 1, 2, 3}, .sign = 1};
    assert_near(carom_simplex_measure(&edges, crossed, NULL), 4, 0);
    assert_near(carom_simplex_size(&edges, crossed), 8, 0);
}

typedef double (*measure)(const carom_simplex *pair, const double (*x)[3], double (*gradient)[3]);

static const measure measures[2] = {carom_simplex_measure, carom_simplex_gap};

static void gradients_are_those_of_the_measure(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int trial = 0; trial < 4000; trial++) {
        double x[4][3], gradient[4][3];
        carom_simplex pair = take(&seed, kinds[trial % KINDS], x);
        measure g = measures[trial / KINDS % 2];
        pair.thickness = trial / KINDS % 3 == 0 ? 0.1 : 0;
        double size = carom_simplex_size(&pair, (const_vectors)x);
        if (size < 1e-2)
            continue;
        assert_near(carom_simplex_gap(&pair, (const_vectors)x, NULL),
                    carom_simplex_measure(&pair, (const_vectors)x, NULL) / size, 1e-15 / size);
        g(&pair, (const_vectors)x, gradient);
        for (int k = 0; k < pair.count; k++)
            for (int i = 0; i < 3; i++) {
                double *at = &x[pair.node[k]][i], old = *at, h = 1e-5;
                *at = old + h;
                double above = g(&pair, (const_vectors)x, NULL);
                *at = old - h;
                double below = g(&pair, (const_vectors)x, NULL);
                *at = old;
                assert_near(gradient[k][i], (above - below) / (2 * h), 1e-8 / (size * size * size));
            }
    }
}

// Resultant and moment of vectors at the nodes of a pair, relative to the size of the terms.
static double unbalanced(const carom_simplex *pair, const_vectors v, const_vectors x) {
    double sum[3] = {0}, moment[3] = {0}, size = 1e-300;
    for (int k = 0; k < pair->count; k++) {
        double turn[3];
        carom_cross(x[pair->node[k]], v[k], turn);
        carom_add_scaled(1, v[k], sum);
        carom_add_scaled(1, turn, moment);
        size = fmax(size, carom_norm(v[k]));
    }
    return fmax(carom_norm(sum), carom_norm(moment)) / size;
}

static void no_resultant_and_no_moment(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int trial = 0; trial < 3000; trial++) {
        double x[4][3], gradient[4][3], D[2][4][3];
        carom_simplex pair = take(&seed, kinds[trial % 3], x);
        pair.thickness = trial / 3 % 4 == 0 ? 0.1 : 0;
        // for plane pairs the z coordinates do not count
        for (int k = 0; k < 4 && pair.kind == CAROM_CONTACT_NODE_SEGMENT; k++)
            x[k][2] = 0;
        measures[trial / 3 % 2](&pair, (const_vectors)x, gradient);
        assert_true(unbalanced(&pair, (const_vectors)gradient, (const_vectors)x) < 2e-14);
        int tangents = carom_simplex_slip(&pair, (const_vectors)x, D);
        assert_int_equal(tangents, pair.kind == CAROM_CONTACT_NODE_SEGMENT ? 1 : 2);
        for (int a = 0; a < tangents; a++)
            assert_true(unbalanced(&pair, (const_vectors)D[a], (const_vectors)x) < 2e-13);
    }
}

// The second side moves along a tangent of the pair: the slip is of this length and direction.
static void slip_of_a_sliding_motion(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int trial = 0; trial < 3000; trial++) {
        double x[4][3], D[2][4][3], gradient[4][3], tangent[2][3] = {{0}}, normal[3] = {0};
        carom_simplex pair = take(&seed, kinds[trial % 4], x);
        int tangents = carom_simplex_slip(&pair, (const_vectors)x, D), first = pair.kind == CAROM_CONTACT_EDGE_EDGE ? 2 : 1;
        carom_simplex_measure(&pair, (const_vectors)x, gradient);
        // a translation of the first side: the coefficients of its nearest point add up to one
        for (int k = 0; k < first; k++) {
            carom_add_scaled(1, gradient[k], normal);
            for (int a = 0; a < tangents; a++)
                carom_add_scaled(1, D[a][k], tangent[a]);
        }
        carom_normalize(normal);
        for (int a = 0; a < tangents; a++) {
            assert_near(carom_norm(tangent[a]), 1, 1e-11);
            assert_near(carom_dot(tangent[a], normal), 0, 1e-11);
        }
        if (tangents == 2)
            assert_near(carom_dot(tangent[0], tangent[1]), 0, 1e-11);
    }
}

static void slip_of_the_specification(void **state) {
    (void)state;
    // D_C = u, D_A = -(1 - xi) u + q/|AB| n, D_B = -xi u - q/|AB| n with q inside and n outward
    const double x[3][3] = {{0.5, 0.4, 0}, {0, 0, 0}, {2, 0, 0}};
    const double expected[3][2] = {{1, 0}, {-0.75, -0.2}, {-0.25, 0.2}};
    carom_simplex pair = {.kind = CAROM_CONTACT_NODE_SEGMENT, .count = 3, .node = {0, 1, 2}, .sign = 1};
    double D[2][4][3];
    assert_int_equal(carom_simplex_slip(&pair, x, D), 1);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++)
            assert_near(D[0][k][i], expected[k][i], 1e-16);

    // contacts of ends on a line and parallel edges have no slip
    const double parallel[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    carom_simplex ends = {.kind = CAROM_CONTACT_END_END, .count = 2, .node = {0, 1}, .normal = {1}};
    carom_simplex edges = {.kind = CAROM_CONTACT_EDGE_EDGE, .count = 4, .node = {0, 1, 2, 3}, .sign = 1};
    assert_int_equal(carom_simplex_slip(&ends, x, D), 0);
    assert_int_equal(carom_simplex_slip(&edges, parallel, D), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_have_closed_forms), cmocka_unit_test(gradients_are_those_of_the_measure),
        cmocka_unit_test(no_resultant_and_no_moment), cmocka_unit_test(slip_of_a_sliding_motion),
        cmocka_unit_test(slip_of_the_specification),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
