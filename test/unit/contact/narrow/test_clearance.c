// SPDX-License-Identifier: MIT
// Tests src/contact/narrow/clearance.c.
// The cheap lower bounds of the narrow phase never exceed the exact distances and times, and make most exact tests unnecessary.
#include "../../../support.h"
#include "contact/narrow/clearance.h"
#include "contact/narrow/narrow.h"
#include "math/vec3.h"

enum { PAIRS = 77, SAMPLES = 16 };

// Pairs of features of four nodes each: of size one, some almost touching, with motions from zero to large.
static void random_pairs(carom_narrow_kind kind, int family, uint64_t *seed, double b[4 * PAIRS][3], double w[4 * PAIRS][3],
                         int nodes[PAIRS][4]) {
    for (int p = 0; p < PAIRS; p++) {
        double near = exp(random_real(seed, -12, 0)), speed = exp(random_real(seed, -12, 1)), common[3];
        for (int i = 0; i < 3; i++)
            common[i] = random_real(seed, -1, 1);
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 3; i++) {
                b[4 * p + k][i] = random_real(seed, -1, 1);
                w[4 * p + k][i] = speed * random_real(seed, -1, 1);
                nodes[p][k] = 4 * p + k;
            }
        int first = kind == CAROM_NARROW_EDGE_EDGE ? 0 : 1, last = kind == CAROM_NARROW_NODE_SEGMENT ? 2 : 3;
        for (int i = 0; i < 3; i++) {
            double *x0 = b[4 * p], *corner = b[4 * p + first], *far = b[4 * p + last];
            // the first node is near the second feature
            if (family >= 1)
                x0[i] = 0.3 * b[4 * p + last - 1][i] + 0.7 * far[i] + near * common[i];
            // slivers, parallel edges, faces without area
            if (family == 2)
                far[i] = b[4 * p + last - 1][i] + (kind == CAROM_NARROW_EDGE_EDGE ? b[4 * p + 1][i] - corner[i] : 0);
            // far from the origin
            if (family == 3)
                for (int k = 0; k < 4; k++)
                    b[4 * p + k][i] += 100;
        }
    }
}

// The distance of pair p at time t, and the time at which the narrow phase finds the level.
static double distance_at(carom_narrow_kind kind, const double b[4][3], const double w[4][3], double t) {
    double x[4][3];
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++)
            x[k][i] = (b[k][i] - b[0][i]) + t * (w[k][i] - w[0][i]);
    carom_nearest nearest;
    carom_narrow_nearest(kind, (const double(*)[3])x, NULL, &nearest);
    return nearest.distance;
}

// No distance is less than its bound; the narrow phase reports no level before the time of the bound.
static void certain(void **state) {
    (void)state;
    static double b[4 * PAIRS][3], w[4 * PAIRS][3];
    static int nodes[PAIRS][4];
    uint64_t seed = 5;
    int clear = 0, missed = 0;
    for (int trial = 0; trial < 300; trial++) {
        carom_narrow_kind kind = trial % 3;
        double gap[PAIRS], part[PAIRS], reach[PAIRS], from = trial % 5 ? random_real(&seed, 0, 1) : 0, to = 1 + from;
        random_pairs(kind, trial / 3 % 4, &seed, b, w, nodes);
        for (int p = 0; p < PAIRS; p++)
            reach[p] = p % 7 ? exp(random_real(&seed, -14, -2)) : 0;
        // lists of all lengths
        int count = trial % PAIRS + 1;
        carom_clearance_find(kind, count, (const int(*)[4])nodes, reach,
                             &(carom_straight_motion){(const double(*)[3])b, (const double(*)[3])w, from, to}, gap, part);
        for (int p = 0; p < count; p++) {
            const double(*x)[3] = (const double(*)[3])b + 4 * p, (*v)[3] = (const double(*)[3])w + 4 * p;
            assert_true(part[p] >= 0 && part[p] <= 1 && (part[p] == 1 || !(gap[p] > 0)));
            for (int s = 0; s <= SAMPLES; s++) {
                double fraction = (double)s / SAMPLES, distance = distance_at(kind, x, v, from + fraction * (to - from));
                if (gap[p] > 0)
                    assert_true(distance >= (reach[p] + gap[p]) * (1 - 1e-13));
                if (fraction < part[p])
                    assert_true(distance >= reach[p] * (1 - 1e-13));
            }
            double y[4][3], u[4][3], time;
            for (int k = 0; k < 4; k++)
                for (int i = 0; i < 3; i++)
                    y[k][i] = x[k][i] - x[0][i], u[k][i] = v[k][i] - v[0][i];
            bool falls = carom_narrow_level(kind, (const double(*)[3])y, (const double(*)[3])u, from, to, reach[p], &time);
            assert_false(falls && gap[p] > 0);
            if (falls)
                assert_true(time >= from + (part[p] - 1e-9) * (to - from));
            clear += gap[p] > 0;
            missed += !falls && !(gap[p] > 0);
        }
    }
    // the bounds are insufficient for less than 5 % of the pairs that remain separated
    assert_true(missed < 0.05 * clear);
    assert_true(clear > 5000);
}

// Pairs at rest: the bound never exceeds the distance, and is as sharp as that for a motion over no time.
static void standing(void **state) {
    (void)state;
    static double b[4 * PAIRS][3], w[4 * PAIRS][3];
    static int nodes[PAIRS][4];
    uint64_t seed = 7;
    int clear = 0;
    for (int trial = 0; trial < 300; trial++) {
        carom_narrow_kind kind = trial % 3;
        double gap[PAIRS], moving[PAIRS], part[PAIRS], reach[PAIRS];
        random_pairs(kind, trial / 3 % 4, &seed, b, w, nodes);
        for (int p = 0; p < PAIRS; p++)
            reach[p] = p % 7 ? exp(random_real(&seed, -14, -2)) : 0;
        int count = trial % PAIRS + 1;
        const double(*x)[3] = (const double(*)[3])b;
        carom_clearance_now(kind, count, (const int(*)[4])nodes, reach, x, gap);
        carom_clearance_find(kind, count, (const int(*)[4])nodes, reach,
                             &(carom_straight_motion){x, (const double(*)[3])w, 0, 0}, moving, part);
        for (int p = 0; p < count; p++) {
            double distance = distance_at(kind, x + 4 * p, (const double(*)[3])w + 4 * p, 0);
            if (gap[p] > 0)
                assert_true(distance >= (reach[p] + gap[p]) * (1 - 1e-13));
            assert_true(gap[p] >= moving[p] - 1e-9 || !(moving[p] > 0));
            clear += gap[p] > 0;
        }
    }
    assert_true(clear > 5000);
}

// Positions that are not finite are never reported as clear.
static void not_finite(void **state) {
    (void)state;
    double b[4][3] = {{0, 0, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, w[4][3] = {{0}};
    const int nodes[1][4] = {{0, 1, 2, 3}};
    const carom_straight_motion motion = {(const double(*)[3])b, (const double(*)[3])w, 0, 1};
    double gap, part, reach = 0.1;
    carom_clearance_find(CAROM_NARROW_NODE_FACE, 1, nodes, &reach, &motion, &gap, &part);
    assert_near(gap, 0.9, 1e-11);
    for (int k = 0; k < 4; k++)
        for (int bad = 0; bad < 2; bad++) {
            double keep = b[k][1];
            b[k][1] = bad ? NAN : HUGE_VAL;
            carom_clearance_find(CAROM_NARROW_NODE_FACE, 1, nodes, &reach, &motion, &gap, &part);
            assert_false(gap > 0);
            assert_true(part == 0);
            carom_clearance_now(CAROM_NARROW_NODE_FACE, 1, nodes, &reach, (const double(*)[3])b, &gap);
            assert_false(gap > 0);
            b[k][1] = keep;
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(certain), cmocka_unit_test(standing), cmocka_unit_test(not_finite)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
