// SPDX-License-Identifier: MIT
// Tests src/contact/narrow/triangles.c, src/math/predicates.c.
// The exact predicates and the exact test of two triangles, against exact integers.
#include "../../../support.h"
#include "carom/contact.h"
#include "math/predicates.h"

typedef __int128 integer;

typedef struct vector {
    integer at[3];
} vector;

static int64_t whole(uint64_t *seed, int64_t low, int64_t high) {
    return (int64_t)floor(random_real(seed, (double)low, (double)high + 1));
}

static vector minus(vector a, vector b) {
    return (vector){{a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2]}};
}

static vector cross(vector a, vector b) {
    vector r;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        r.at[i] = a.at[j] * b.at[k] - a.at[k] * b.at[j];
    }
    return r;
}

static integer dot(vector a, vector b) {
    return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2];
}

static int sign(integer a) {
    return (a > 0) - (a < 0);
}

static vector draw(uint64_t *seed, int64_t range) {
    vector r;
    for (int i = 0; i < 3; i++)
        r.at[i] = whole(seed, -range, range);
    return r;
}

static void to_real(vector a, double scale, double x[3]) {
    for (int i = 0; i < 3; i++)
        x[i] = scale * (double)a.at[i];
}

// Points of 40 bits, most of them nearly or exactly in a plane: the sign against the determinant in integers, in any scale and
// order.
static void predicates(void **state) {
    (void)state;
    uint64_t seed = 3;
    static const int orders[4][4] = {{0, 1, 2, 3}, {1, 2, 0, 3}, {1, 0, 2, 3}, {3, 1, 2, 0}}, signs[4] = {1, 1, -1, -1};
    static const double scales[4] = {1, 0x1p-480, 0x1p+450, 1.0 / 1024};
    int zeros = 0, small = 0;
    for (int trial = 0; trial < 200000; trial++) {
        vector p[4];
        for (int k = 0; k < 3; k++)
            p[k] = draw(&seed, (int64_t)1 << (trial % 3 == 0 ? 39 : 18));
        int64_t u = whole(&seed, -3, 3), v = whole(&seed, -3, 3), off = trial % 2 == 0 ? 0 : 1;
        for (int i = 0; i < 3; i++) {
            p[3].at[i] = p[0].at[i] + whole(&seed, -off, off);
            if (trial % 3 != 0)
                p[3].at[i] += u * (p[1].at[i] - p[0].at[i]) + v * (p[2].at[i] - p[0].at[i]);
        }
        vector a = minus(p[1], p[0]), b = minus(p[2], p[0]), d = minus(p[3], p[0]), n = cross(a, b);
        int truth = sign(dot(d, n)), plane = sign(n.at[2]);
        zeros += truth == 0;
        small += truth != 0;
        for (int s = 0; s < 4; s++) {
            double x[4][3];
            for (int k = 0; k < 4; k++)
                to_real(p[orders[s][k]], scales[s], x[k]);
            assert_int_equal(carom_orient3d(x[0], x[1], x[2], x[3]), signs[s] * truth);
            for (int k = 0; k < 4; k++)
                to_real(p[k], scales[s], x[k]);
            assert_int_equal(carom_orient2d(x[0], x[1], x[2]), plane);
            assert_int_equal(carom_orient2d(x[1], x[0], x[2]), -plane);
        }
    }
    assert_true(zeros > 10000 && small > 10000);
}

// Orientation of points whose coordinates have different exponents, so that differences are not exact.
static void predicates_far_apart(void **state) {
    (void)state;
    uint64_t seed = 4;
    for (int trial = 0; trial < 20000; trial++) {
        double a[3], b[3], c[3], d[3], far = exp(random_real(&seed, -90, 90));
        for (int i = 0; i < 3; i++) {
            a[i] = random_real(&seed, -1, 1);
            b[i] = random_real(&seed, -1, 1) * far;
            c[i] = random_real(&seed, -1, 1);
            d[i] = -c[i];
        }
        // a, -a, c, -c are in one plane with the origin
        double opposite[3] = {-a[0], -a[1], -a[2]};
        assert_int_equal(carom_orient3d(a, opposite, c, d), 0);
        // all even orders agree, all odd ones are opposite
        int s = carom_orient3d(a, b, c, d);
        assert_int_equal(carom_orient3d(b, c, a, d), s);
        assert_int_equal(carom_orient3d(b, a, d, c), s);
        assert_int_equal(carom_orient3d(d, b, c, a), -s);
        assert_int_equal(carom_orient3d(a, b, d, c), -s);
        assert_int_not_equal(s, 0);
        double origin[2] = {0, 0};
        assert_int_equal(carom_orient2d(a, origin, opposite), 0);
    }
}

// True if two triangles, with or without area, are separated, by all directions that can separate them: normals, cross products
// of edges, in-plane normals of edges, along and across segments, between points.
static bool parted(const vector a[3], const vector b[3]) {
    vector d[9], e[6];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            d[3 * i + j] = minus(a[i], b[j]);
        e[i] = minus(a[(i + 1) % 3], a[i]);
        e[3 + i] = minus(b[(i + 1) % 3], b[i]);
    }
    vector n[200];
    int count = 0;
    for (int i = 0; i < 6; i++) {
        n[count++] = e[i];
        for (int j = 0; j < i; j++) {
            vector normal = cross(e[i], e[j]);
            n[count++] = normal;
            n[count++] = cross(e[i], normal);
            n[count++] = cross(e[j], normal);
        }
        for (int k = 0; k < 9; k++)
            n[count++] = cross(e[i], cross(d[k], e[i]));
    }
    for (int k = 0; k < 9; k++)
        n[count++] = d[k];
    for (int c = 0; c < count; c++) {
        int sides[3] = {0};
        for (int k = 0; k < 9; k++)
            sides[1 + sign(dot(n[c], d[k]))]++;
        if (sides[0] == 9 || sides[2] == 9)
            return true;
    }
    return false;
}

// Random triangles on lattices from coarse, where most cases are degenerate, to fine, half of them made to touch.
static void triangles(void **state) {
    (void)state;
    uint64_t seed = 5;
    static const int64_t ranges[6] = {1, 2, 3, 6, 1000, (int64_t)1 << 22};
    int met = 0, apart = 0;
    for (int trial = 0; trial < 300000; trial++) {
        vector a[3], b[3];
        int64_t range = ranges[trial % 6];
        for (int k = 0; k < 3; k++) {
            a[k] = draw(&seed, range);
            b[k] = draw(&seed, range);
        }
        // a point of an edge or of the face of b, at multiples of 1/6, becomes a corner of a or the middle of one of its edges
        if (trial % 2 == 0) {
            int64_t u = whole(&seed, 0, 6), v = whole(&seed, 0, 6 - u);
            for (int i = 0; i < 3; i++) {
                integer point = u * b[0].at[i] + v * b[1].at[i] + (6 - u - v) * b[2].at[i];
                for (int k = 0; k < 3; k++) {
                    a[k].at[i] *= 6;
                    b[k].at[i] *= 6;
                }
                a[0].at[i] = point;
                if (trial % 4 == 0)
                    a[1].at[i] = 2 * point - a[2].at[i];
            }
        }
        // the same with all in one plane
        if (trial % 5 == 0) {
            vector p = draw(&seed, 3), q = draw(&seed, 3);
            for (int k = 0; k < 3; k++)
                for (int i = 0; i < 3; i++) {
                    vector old_a = a[k], old_b = b[k];
                    a[k].at[i] = i < 2 ? old_a.at[i] : (old_a.at[0] * p.at[0] + old_a.at[1] * q.at[0]);
                    b[k].at[i] = i < 2 ? old_b.at[i] : (old_b.at[0] * p.at[0] + old_b.at[1] * q.at[0]);
                }
        }
        bool truth = !parted(a, b);
        met += truth;
        apart += !truth;
        static const double scales[3] = {1, 0x1p-470, 0x1p+400};
        double x[3][3], y[3][3];
        int turn = (int)whole(&seed, 0, 2), flip = (int)whole(&seed, 0, 1);
        for (int k = 0; k < 3; k++) {
            to_real(a[(k + turn) % 3], scales[trial % 3], x[k]);
            to_real(b[flip ? 2 - k : k], scales[trial % 3], y[k]);
        }
        if (carom_triangles_intersect(x, y) != truth || carom_triangles_intersect(y, x) != truth)
            fail_msg("trial %d: expected %d", trial, truth);
    }
    print_message("triangles: %d met, %d apart\n", met, apart);
    assert_true(met > 50000 && apart > 50000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predicates),
        cmocka_unit_test(predicates_far_apart),
        cmocka_unit_test(triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
