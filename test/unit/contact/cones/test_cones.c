// SPDX-License-Identifier: MIT
// Tests src/contact/cones.
// Contacts as constraints with cones, most of them without friction: solutions against those by all active sets, closed forms
// and the conditions of contact/cones/cones.h.
#include "cones.h"

static void random_problems(void **state) {
    (void)state;
    fixture f;
    start(&f);
    uint64_t seed = 1;
    int compared = 0;
    for (int trial = 0; trial < 4000; trial++) {
        carom_cone cones[MOST];
        int n = 1 + trial % MOST;
        double turn = trial % 3 == 0 ? 0 : 0.05, Q[MOST][MOST], lambda[MOST];
        for (int k = 0; k < NODES; k++)
            f.mass[k] = exp(random_real(&seed, -2, 2));
        for (int i = 0; i < n; i++) {
            cones[i] = random_cone(&seed, turn);
            cones[i].softness = trial % 5 == 0 ? random_real(&seed, 0, 0.1) : 0;
        }
        matrix(&f, cones, n, Q);
        int solutions;
        if (!enumerate(Q, cones, n, lambda, &solutions))
            continue;
        assert_ok(solve(&f, cones, n, error));
        check(&f, cones, n);
        if (solutions != 1)
            continue;
        compared++;
        double largest = 1;
        for (int i = 0; i < n; i++)
            largest = fmax(largest, lambda[i]);
        for (int i = 0; i < n; i++)
            assert_near(cones[i].lambda, lambda[i], 1e-8 * largest);

        // started from the solution or from arbitrary forces the result is the same
        carom_cone again[MOST];
        memcpy(again, cones, sizeof again);
        for (int i = 0; i < n; i++)
            again[i].lambda *= random_real(&seed, -1, 3);
        assert_ok(solve(&f, again, n, error));
        for (int i = 0; i < n; i++)
            assert_near(again[i].lambda, cones[i].lambda, 1e-9 * largest);
    }
    assert_true(compared > 3000);
    end(&f);
}

// Redundant constraints: repeated rows, rows that depend on others, and different gaps. Displacements are unique.
static void redundant(void **state) {
    (void)state;
    fixture f;
    start(&f);
    for (int copies = 1; copies < 5; copies++) {
        carom_cone cones[MOST];
        for (int i = 0; i < copies; i++)
            cones[i] = on_plane(0, 0, 0, 1, -0.5);
        assert_ok(solve(&f, cones, copies, error));
        check(&f, cones, copies);
        assert_near(f.p[0][2], 0.5, 1e-15);
        // a plane farther away has no effect
        cones[0].gap = -0.25;
        assert_ok(solve(&f, cones, copies, error));
        check(&f, cones, copies);
        assert_near(f.p[0][2], copies > 1 ? 0.5 : 0.25, 1e-15);
    }

    // four planes through one line, from both sides: only two of them are independent
    carom_cone fan[4];
    for (int i = 0; i < 4; i++)
        fan[i] = on_plane(1, cos(0.7 + 0.5 * i), sin(0.7 + 0.5 * i), 0, -0.3 * cos(0.7 + 0.5 * i) - 0.4 * sin(0.7 + 0.5 * i));
    assert_ok(solve(&f, fan, 4, error));
    check(&f, fan, 4);

    // a corner of three planes, each twice, the third pair slightly rotated against each other
    carom_cone room[6];
    for (int i = 0; i < 6; i++)
        room[i] = on_plane(2, i % 3 == 0, i % 3 == 1, i % 3 == 2, -0.1 * (1 + i % 3));
    carom_copy((double[3]){1e-9, 0, 1}, room[5].G[0]);
    carom_copy(room[5].G[0], room[5].F[0]);
    room[5].gap -= 1e-10;
    assert_ok(solve(&f, room, 6, error));
    check(&f, room, 6);
    for (int c = 0; c < 3; c++)
        assert_near(f.p[2][c], 0.1 * (1 + c), 1e-14);
    end(&f);
}

// A node pressed by four coplanar faces of a plate whose nodes move too: the positions do not depend on the initial guess.
static void four_faces(void **state) {
    (void)state;
    fixture f;
    start(&f);
    carom_cone cones[4], again[4];
    for (int i = 0; i < 4; i++) {
        cones[i] = (carom_cone){.count = 4, .node = {0, 1, 2 + i, 2 + (i + 1) % 4}, .gap = -0.01};
        // all four at the middle node of the plate
        const double weight[4] = {1, -1, 0, 0};
        for (int k = 0; k < 4; k++)
            cones[i].G[k][2] = cones[i].F[k][2] = weight[k];
    }
    memcpy(again, cones, sizeof again);
    again[2].lambda = 3;
    assert_ok(solve(&f, cones, 4, error));
    check(&f, cones, 4);
    double first[3];
    carom_copy(f.p[0], first);
    assert_near(first[2], 0.005, 1e-16);
    assert_near(f.p[1][2], -0.005, 1e-16);
    assert_ok(solve(&f, again, 4, error));
    check(&f, again, 4);
    assert_near(f.p[0][2], first[2], 1e-16);
    end(&f);
}

// A node that can move along one line only, on a slope; a node of infinite mass; a restrained node against a free one.
static void restrained(void **state) {
    (void)state;
    fixture f;
    start(&f);
    restrain(&f, 0, 2, (const double[][3]){{1, 1, 0}, {0, 0, 1}});
    hold(&f, 1);
    f.mass[2] = INFINITY;
    f.mass[3] = 4;
    // free direction (1, -1, 0)/sqrt 2; the gap along (0.6, 0.8, 0) closes by -0.2/sqrt 2 per length
    carom_cone slope = on_plane(0, 0.6, 0.8, 0, -0.1);
    assert_ok(solve(&f, &slope, 1, error));
    check(&f, &slope, 1);
    assert_near(f.p[0][0], -0.5, 1e-14);
    assert_near(f.p[0][1], 0.5, 1e-14);
    for (int other = 1; other <= 2; other++) {
        carom_cone pair = {.count = 2, .node = {3, other}, .gap = -0.3};
        pair.G[0][1] = pair.F[0][1] = 1;
        pair.G[1][1] = pair.F[1][1] = -1;
        assert_ok(solve(&f, &pair, 1, error));
        assert_near(f.p[3][1], 0.3, 1e-16);
        assert_near(f.p[other][1], 0, 0);
        assert_near(pair.lambda, 0.3 * 4 / f.compliance, 1e-14);
    }
    end(&f);
}

// Problems without a solution are refused.
static void impossible(void **state) {
    (void)state;
    fixture f;
    start(&f);
    hold(&f, 1);
    // a restrained node with a negative gap
    carom_cone held = on_plane(1, 0, 0, 1, -0.1);
    assert_refused(solve(&f, &held, 1, error), CAROM_NUMERICAL, "node 1 cannot be displaced");
    held.gap = 0.1;
    assert_ok(solve(&f, &held, 1, error));
    assert_near(held.lambda, 0, 0);

    // a free node between two walls whose gap is negative, alone and with others, with friction and without
    for (int rough = 0; rough < 2; rough++)
        for (int count = 2; count < 5; count++) {
            carom_cone walls[4] = {on_plane(0, 0, 0, 1, -0.1), on_plane(0, 0, 0, -1, -0.1), on_plane(0, 1, 0, 0, -0.2),
                                   on_plane(0, 0, 1, 0, 0.2)};
            for (int i = 0; i < count && rough; i++) {
                walls[i].tangents = 1;
                walls[i].friction = 0.3;
                walls[i].D[0][0][i < 2 ? 0 : 2] = 1;
            }
            int64_t before = f.counts.sweeps;
            assert_refused(solve(&f, walls, count, error), CAROM_NUMERICAL, "no position of the nodes satisfies all contacts");
            assert_true(f.counts.sweeps - before < 1000);
        }

    // three half-spaces without a common point
    carom_cone wedge[3];
    for (int i = 0; i < 3; i++)
        wedge[i] = on_plane(0, cos(2.1 * i), sin(2.1 * i), 0, -0.1);
    assert_refused(solve(&f, wedge, 3, error), CAROM_NUMERICAL, "no position of the nodes satisfies all contacts");
    for (int i = 0; i < 3; i++)
        wedge[i].gap = 0.1;
    assert_ok(solve(&f, wedge, 3, error));

    // a force that closes its own gap
    carom_cone back = on_plane(0, 0, 0, 1, -0.1);
    back.F[0][2] = -1;
    assert_refused(solve(&f, &back, 1, error), CAROM_NUMERICAL, "node 0 cannot be displaced");
    // a gap of NaN
    carom_cone nothing = on_plane(0, 0, 0, 1, NAN);
    assert_refused(solve(&f, &nothing, 1, error), CAROM_NUMERICAL, "not finite");
    // with compliance the two opposite walls have a solution
    carom_cone soft[2] = {on_plane(0, 0, 0, 1, -0.1), on_plane(0, 0, 0, -1, -0.1)};
    soft[0].softness = soft[1].softness = 0.5;
    assert_ok(solve(&f, soft, 2, error));
    assert_near(soft[0].lambda, 0.2, 1e-15);
    assert_near(soft[1].lambda, 0.2, 1e-15);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems), cmocka_unit_test(redundant),  cmocka_unit_test(four_faces),
        cmocka_unit_test(restrained),      cmocka_unit_test(impossible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
