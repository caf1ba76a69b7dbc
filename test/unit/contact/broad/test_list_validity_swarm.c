// SPDX-License-Identifier: MIT
// Tests src/contact/broad/list_validity.c.
// Many bodies, each much smaller than a cell of the search: lists contain all near pairs while the bodies move through each
// other, and few bodies count as neighbours.
#include "../../../support.h"
#include "contact/broad/list.h"

enum { ROW = 7, BODIES = ROW * ROW * ROW, NODES = 4 * BODIES };

typedef struct swarm {
    double x[NODES][3], w[NODES][3];
    int faces[4 * BODIES][3], body[4 * BODIES];
    carom_surface surface;
    carom_broad broad;
} swarm;

static swarm s;

// Tetrahedra of side 1 on a lattice.
static void make(double spacing) {
    static const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int face[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    for (int b = 0; b < BODIES; b++) {
        const int place[3] = {b % ROW, b / ROW % ROW, b / ROW / ROW};
        for (int a = 0; a < 4; a++) {
            for (int i = 0; i < 3; i++) {
                s.x[4 * b + a][i] = corner[a][i] + spacing * place[i];
                s.faces[4 * b + a][i] = 4 * b + face[a][i];
            }
            s.body[4 * b + a] = b;
        }
    }
    carom_surface_def def = {3, NODES, BODIES, 4 * BODIES, &s.faces[0][0], s.body};
    assert_ok(carom_surface_build(&def, &s.surface, error));
    assert_ok(carom_broad_create(&s.surface, NULL, &s.broad, error));
}

static void drop(void) {
    carom_broad_release(&s.broad);
    carom_surface_release(&s.surface);
}

static bool update(double step, double margin) {
    carom_broad_need need = {(const double(*)[3])s.w, step, 0.001, margin, 0.01};
    bool renewed;
    assert_ok(carom_broad_update(&s.broad, (const double(*)[3])s.x, need, &renewed, error));
    return renewed;
}

// Every pair that is near at present is in the list, in the order of a new list.
static void compare_lists(int step) {
    const carom_pair_list *list = &s.broad.pairs;
    carom_broad fresh = {0};
    assert_ok(carom_broad_create(&s.surface, NULL, &fresh, error));
    assert_ok(carom_broad_search(&fresh, (const double(*)[3])s.x, NULL, 0.01, error));
    for (int i = 0, j = 0; i < fresh.pairs.count; i++) {
        while (j < list->count && memcmp(list->nodes[j], fresh.pairs.nodes[i], sizeof list->nodes[j]) != 0)
            j++;
        if (j == list->count)
            fail_msg("step %d: pair %d of %d was not listed", step, i, fresh.pairs.count);
    }
    carom_broad_release(&fresh);
}

// The bodies move straight through each other. Returns the sum of the numbers of listed pairs; more than half of the steps must
// use the list of an earlier one.
static int fly(int steps) {
    int met = 0, kept = 0;
    for (int step = 0; step < steps; step++) {
        kept += !update(0.02, 0.1);
        for (int k = 0; k < NODES; k++)
            for (int i = 0; i < 3; i++)
                s.x[k][i] += 0.02 * s.w[k][i];
        compare_lists(step);
        met += s.broad.pairs.count;
    }
    assert_true(kept > steps / 2);
    return met;
}

// Every body has its own velocity.
static void all_fly(void **state) {
    (void)state;
    make(1.2);
    uint64_t seed = 5;
    for (int b = 0; b < BODIES; b++)
        for (int i = 0; i < 3; i++) {
            double speed = random_real(&seed, -1, 1);
            for (int a = 0; a < 4; a++)
                s.w[4 * b + a][i] = speed;
        }
    assert_true(fly(60) > 2000);
    drop();
}

// One body among many at rest moves over a gap of 1.2 into its neighbours, by 3 in all.
static void one_flies(void **state) {
    (void)state;
    make(2.2);
    memset(s.w, 0, sizeof s.w);
    for (int a = 0; a < 4; a++)
        s.w[a][0] = 1;
    assert_true(fly(150) > 100);
    drop();
}

// A lattice at rest: a cell is large enough for two bodies and their possible motion, but only bodies whose gap is less than
// that motion are neighbours: those along the axes, with a gap of 0.9 of it, and none at twice that distance.
static void counts_neighbours(void **state) {
    (void)state;
    const double room = 8 * 2 * 0.1;
    for (int wide = 0; wide < 2; wide++) {
        make(wide ? 1 + 2 * room : 1 + 0.9 * room);
        memset(s.w, 0, sizeof s.w);
        assert_true(update(0.02, 0.1));
        assert_int_equal(s.broad.between.pair_count, wide ? 0 : 3 * (ROW - 1) * ROW * ROW);
        drop();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_fly), cmocka_unit_test(one_flies),
                                       cmocka_unit_test(counts_neighbours)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
