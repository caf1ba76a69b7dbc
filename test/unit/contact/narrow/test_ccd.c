// SPDX-License-Identifier: MIT
// Tests src/contact/narrow/ccd.c.
// Continuous collision detection: closed forms, degenerate motions, and the guarantees of its interface. Many queries are
// compared with exact results in test_ccd_truth.
#include "../../../support.h"
#include "carom/contact.h"

typedef bool ask(const double x0[4][3], const double x1[4][3], double tolerance, double *toi);

static const double face[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

static bool node_on_face(const double from[3], const double to[3], double *toi) {
    double x0[4][3], x1[4][3];
    memcpy(x0[0], from, sizeof x0[0]);
    memcpy(x1[0], to, sizeof x1[0]);
    memcpy(x0[1], face, sizeof face);
    memcpy(x1[1], face, sizeof face);
    return carom_ccd_node_face((const double(*)[3])x0, (const double(*)[3])x1, 1e-9, toi);
}

// The call finds a contact at the expected time or slightly before it, and stores it in `time`.
#define assert_time(call, time, expected)                                            \
    do {                                                                             \
        bool found_ = (call);                                                        \
        double expected_ = (expected);                                               \
        assert_true(found_);                                                         \
        if (!(time <= expected_ && time >= expected_ - 1e-13))                       \
            fail_msg("toi = %.17g, expected %.17g or just before", time, expected_); \
    } while (0)

// A node that moves to a face at rest: perpendicularly, obliquely, on an edge, on a corner, and just outside of it.
static void falling_node(void **state) {
    (void)state;
    double toi = -1;
    assert_time(node_on_face(VECTOR(0.25, 0.25, 1), VECTOR(0.25, 0.25, -1), &toi), toi, 0.5);
    assert_time(node_on_face(VECTOR(0.25, 0.25, -1), VECTOR(0.25, 0.25, 2), &toi), toi, 1.0 / 3);
    assert_time(node_on_face(VECTOR(1.25, 0.25, 2), VECTOR(0.25, 0.25, 0), &toi), toi, 1);
    assert_time(node_on_face(VECTOR(0.5, 0.5, 1), VECTOR(0.5, 0.5, -3), &toi), toi, 0.25);
    assert_time(node_on_face(VECTOR(1, 0, 4), VECTOR(1, 0, -4), &toi), toi, 0.5);
    assert_false(node_on_face(VECTOR(0.5 + 1e-14, 0.5 + 1e-14, 1), VECTOR(0.5 + 1e-14, 0.5 + 1e-14, -1), &toi));
    assert_near(toi, 1, 0);
    assert_false(node_on_face(VECTOR(0.25, 0.25, 1), VECTOR(0.25, 0.25, 1e-15), &toi));
    assert_false(node_on_face(VECTOR(0.25, 0.25, 1e-15), VECTOR(0.25, 0.25, 1), &toi));
    // from any small distance to the plane
    for (int power = -300; power < 0; power += 20) {
        double z = pow(10, power);
        assert_true(node_on_face(VECTOR(0.25, 0.25, z), VECTOR(0.25, 0.25, -z), &toi));
        assert_true(toi <= 0.5);
        assert_true(node_on_face(VECTOR(0.25, 0.25, 3 * z), VECTOR(0.25, 0.25, -1), &toi));
        assert_true(toi <= 3 * z);
        assert_false(node_on_face(VECTOR(0.25, 0.25, z), VECTOR(0.25, 0.25, 3 * z), &toi));
    }
    // through the plane outside of the face: no contact
    assert_false(node_on_face(VECTOR(-1, 0.25, 1), VECTOR(0.5, 0.25, -2), &toi));
}

// A node in the plane of the face that moves towards an edge, within the face, or out of the plane.
static void in_the_plane(void **state) {
    (void)state;
    double toi;
    assert_time(node_on_face(VECTOR(-1, 0.25, 0), VECTOR(1, 0.25, 0), &toi), toi, 0.5);
    assert_time(node_on_face(VECTOR(-1, 0, 0), VECTOR(3, 0, 0), &toi), toi, 0.25);
    assert_time(node_on_face(VECTOR(2, -1, 0), VECTOR(-1, 2, 0), &toi), toi, 1.0 / 3);
    assert_false(node_on_face(VECTOR(-1, 0.25, 0), VECTOR(-1e-15, 0.25, 0), &toi));
    assert_false(node_on_face(VECTOR(-1, -1e-15, 0), VECTOR(3, -1e-15, 0), &toi));
    // it slides on the face
    assert_time(node_on_face(VECTOR(0.1, 0.1, 0), VECTOR(0.3, 0.1, 0), &toi), toi, 0);
    // it leaves the face
    assert_time(node_on_face(VECTOR(0.1, 0.1, 0), VECTOR(0.1, 0.1, 1), &toi), toi, 0);
}

// A face that turns about an axis below a resting node; by linear motion the corner (2 s, 0, 0) -> (0, 0, 2 s) passes (s, 0, s)
// at 1/2.
static void turning_face(void **state) {
    (void)state;
    double toi;
    const double x0[4][3] = {{0.5, 0, 0.5}, {0, -1, 0}, {0, 1, 0}, {2, 0, 0}};
    const double x1[4][3] = {{0.5, 0, 0.5}, {0, -1, 0}, {0, 1, 0}, {0, 0, 2}};
    // the plane through y and (2 - 2 t, 0, 2 t) contains (1, 0, 1)/2 when t = 1/2
    assert_time(carom_ccd_node_face(x0, x1, 1e-9, &toi), toi, 0.5);
}

static void edges(void **state) {
    (void)state;
    double toi;
    // crossing, at different speeds
    assert_time(carom_ccd_edge_edge((const double[4][3]){{-1, 0, 0}, {1, 0, 0}, {0, -1, 1}, {0, 1, 1}},
                                    (const double[4][3]){{-1, 0, 0}, {1, 0, 0}, {0, -1, -1}, {0, 1, -1}}, 1e-9, &toi),
                toi, 0.5);
    // parallel and collinear edges: one falls on the other, they meet end to end, or pass each other
    assert_time(carom_ccd_edge_edge((const double[4][3]){{0, 0, 0}, {1, 0, 0}, {0.5, 0, 1}, {3, 0, 1}},
                                    (const double[4][3]){{0, 0, 0}, {1, 0, 0}, {0.5, 0, -3}, {3, 0, -3}}, 1e-9, &toi),
                toi, 0.25);
    assert_time(carom_ccd_edge_edge((const double[4][3]){{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}},
                                    (const double[4][3]){{0, 0, 0}, {1, 0, 0}, {0, 0, 0}, {1, 0, 0}}, 1e-9, &toi),
                toi, 0.5);
    assert_false(carom_ccd_edge_edge((const double[4][3]){{0, 0, 0}, {1, 0, 0}, {2, 1e-15, 0}, {3, 1e-15, 0}},
                                     (const double[4][3]){{0, 0, 0}, {1, 0, 0}, {0, 1e-15, 0}, {1, 1e-15, 0}}, 1e-9, &toi));
    // edges of zero length: a point meets an edge, a point meets a point
    assert_time(carom_ccd_edge_edge((const double[4][3]){{0, 0, 1}, {0, 0, 1}, {-1, 0, 0}, {1, 0, 0}},
                                    (const double[4][3]){{0, 0, -1}, {0, 0, -1}, {-1, 0, 0}, {1, 0, 0}}, 1e-9, &toi),
                toi, 0.5);
    assert_time(carom_ccd_edge_edge((const double[4][3]){{0, 0, 1}, {0, 0, 1}, {0, 0, 0}, {0, 0, 0}},
                                    (const double[4][3]){{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, 1e-9, &toi),
                toi, 1);
    // an edge that rotates about its end: the line through the origin and (1 - t, 0, -4 t) meets x = 1/2, z = -1 when t = 1/3
    assert_time(carom_ccd_edge_edge((const double[4][3]){{0, 0, 0}, {1, 0, 0}, {0.5, -1, -1}, {0.5, 1, -1}},
                                    (const double[4][3]){{0, 0, 0}, {0, 0, -4}, {0.5, -1, -1}, {0.5, 1, -1}}, 1e-9, &toi),
                toi, 1.0 / 3);
}

static void in_two_dimensions(void **state) {
    (void)state;
    double toi;
    assert_time(carom_ccd_node_segment((const double[3][3]){{0.5, 1, 7}, {0, 0, -2}, {1, 0, 3}},
                                       (const double[3][3]){{0.5, -3, 1}, {0, 0, 4}, {1, 0, 3}}, 1e-9, &toi),
                toi, 0.25);
    assert_time(carom_ccd_node_segment((const double[3][3]){{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}},
                                       (const double[3][3]){{1, 0, 0}, {0, 0, 0}, {1, 0, 0}}, 1e-9, &toi),
                toi, 0.5);
    assert_false(carom_ccd_node_segment((const double[3][3]){{1 + 1e-14, 1, 0}, {0, 0, 0}, {1, 0, 0}},
                                        (const double[3][3]){{1 + 1e-14, -1, 0}, {0, 0, 0}, {1, 0, 0}}, 1e-9, &toi));
}

// Input that is not finite is reported as a contact at time 0, never as no contact.
static void not_finite(void **state) {
    (void)state;
    for (int bad = 0; bad < 24; bad++)
        for (int kind = 0; kind < 2; kind++) {
            double x[2][4][3] = {{{9, 9, 9}, {8, 7, 6}, {1, 2, 3}, {3, 2, 4}}, {{9, 9, 9}, {8, 7, 6}, {1, 2, 3}, {3, 2, 4}}};
            x[bad / 12][bad / 3 % 4][bad % 3] = kind == 0 ? NAN : INFINITY;
            double toi = 2;
            assert_true(carom_ccd_node_face((const double(*)[3])x[0], (const double(*)[3])x[1], 0, &toi));
            assert_near(toi, 0, 0);
            assert_true(carom_ccd_edge_edge((const double(*)[3])x[0], (const double(*)[3])x[1], 0, &toi));
            assert_near(toi, 0, 0);
        }
}

// Random motions in other units, by factors from 1e-140 to 1e140, and with another order of the vertices: contacts and their
// times agree.
static void other_units(void **state) {
    (void)state;
    ask *const queries[2] = {carom_ccd_node_face, carom_ccd_edge_edge};
    uint64_t seed = 9;
    int hits = 0;
    for (int trial = 0; trial < 20000; trial++) {
        double x[2][4][3], y[2][4][3], toi, other;
        for (int end = 0; end < 2; end++)
            for (int k = 0; k < 4; k++)
                for (int i = 0; i < 3; i++)
                    x[end][k][i] = random_real(&seed, -1, 1);
        ask *query = queries[trial % 2];
        bool found = query((const double(*)[3])x[0], (const double(*)[3])x[1], 0, &toi);
        hits += found;
        for (int variant = 0; variant < 4; variant++) {
            static const double scales[4] = {1e-3, 1e3, 1e-140, 1e140};
            static const int orders[2][4] = {{0, 2, 3, 1}, {3, 2, 0, 1}};
            for (int end = 0; end < 2; end++)
                for (int k = 0; k < 4; k++)
                    for (int i = 0; i < 3; i++)
                        y[end][k][i] = scales[variant] * x[end][orders[trial % 2][k]][i];
            bool again = query((const double(*)[3])y[0], (const double(*)[3])y[1], 0, &other);
            assert_int_equal(again, found);
            if (found)
                assert_near(other, toi, 1e-7);
        }
    }
    assert_true(hits > 2000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falling_node), cmocka_unit_test(in_the_plane),      cmocka_unit_test(turning_face),
        cmocka_unit_test(edges),        cmocka_unit_test(in_two_dimensions), cmocka_unit_test(not_finite),
        cmocka_unit_test(other_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
