// SPDX-License-Identifier: MIT
// Tests src/contact/broad/list.c, src/contact/broad/pair_list.c, src/contact/broad/tree.c, src/base/sort.c.
// Lists of near pairs: sorting, the tree, the rule by which a list is renewed, its completeness, and that no memory is
// allocated after some steps.
#include "../../../support.h"
#include "base/sort.h"
#include "contact/broad/list.h"

static void codes(void **state) {
    (void)state;
    // the corners of the cube, and its middle
    assert_int_equal(carom_morton_code(-1, -1, -1), 0);
    assert_true(carom_morton_code(1, 1, 1) == (UINT64_C(1) << 63) - 1);
    assert_true(carom_morton_code(0, -1, -1) == UINT64_C(1) << 62);
    assert_true(carom_morton_code(-1, 0, -1) == UINT64_C(1) << 61);
    assert_true(carom_morton_code(-1, -1, 0) == UINT64_C(1) << 60);
    // one cell of size 2^-20 farther along x
    assert_int_equal(carom_morton_code(-1 + 0x1p-20, -1, -1), 4);
    assert_int_equal(carom_morton_code(-1, -1 + 3 * 0x1p-20, -1), 2 + 16);
    // a point outside has the code of the nearest cell
    assert_true(carom_morton_code(5, -7, 2) == carom_morton_code(1, -1, 1));
    // against interleaving bit by bit
    uint64_t seed = 1;
    for (int t = 0; t < 1000; t++) {
        double x[3];
        uint64_t expected = 0;
        for (int i = 0; i < 3; i++) {
            x[i] = random_real(&seed, -1, 1);
            uint64_t cell = (uint64_t)floor((x[i] + 1) * 0x1p20);
            for (int b = 0; b < 21; b++)
                expected |= (cell >> b & 1) << (3 * b + 2 - i);
        }
        assert_true(carom_morton_code(x[0], x[1], x[2]) == expected);
    }
}

static void sorting(void **state) {
    (void)state;
    enum { COUNT = 5000 };
    static carom_coded items[COUNT], space[COUNT];
    uint64_t seed = 2;
    for (int digits = 0; digits <= 63; digits += 9) {
        for (int i = 0; i < COUNT; i++)
            items[i] = (carom_coded){(uint64_t)random_real(&seed, 0, ldexp(1, digits)) << (digits == 18 ? 40 : 0), i};
        carom_sort_coded(items, space, COUNT);
        for (int i = 1; i < COUNT; i++)
            assert_true(items[i - 1].code < items[i].code ||
                        (items[i - 1].code == items[i].code && items[i - 1].item < items[i].item));
    }
    carom_sort_coded(items, space, 0);
}

// Two grids of cells x cells squares, the second one above the first.
typedef struct grids {
    double x[2 * 21 * 21][3];
    int faces[4 * 20 * 20][3], body[4 * 20 * 20];
    carom_surface surface;
    carom_broad broad;
} grids;

static grids g;

static void make_grids(double height) {
    enum { CELLS = 20, ROW = CELLS + 1 };
    int f = 0;
    for (int b = 0; b < 2; b++)
        for (int i = 0; i < ROW; i++)
            for (int j = 0; j < ROW; j++) {
                int a = (b * ROW + i) * ROW + j;
                g.x[a][0] = i, g.x[a][1] = j, g.x[a][2] = b * height;
                if (i < CELLS && j < CELLS) {
                    const int two[2][3] = {{a, a + ROW, a + ROW + 1}, {a, a + ROW + 1, a + 1}};
                    memcpy(g.faces[f], two, sizeof two);
                    g.body[f] = g.body[f + 1] = b;
                    f += 2;
                }
            }
    carom_surface_def def = {3, 2 * ROW * ROW, 2, f, &g.faces[0][0], g.body};
    assert_ok(carom_surface_build(&def, &g.surface, error));
    assert_ok(carom_broad_create(&g.surface, NULL, &g.broad, error));
}

static void drop_grids(void) {
    carom_broad_release(&g.broad);
    carom_surface_release(&g.surface);
}

static void shift(int first, int count, double x, double y, double z) {
    for (int k = first; k < first + count; k++)
        g.x[k][0] += x, g.x[k][1] += y, g.x[k][2] += z;
}

static double w[2 * 21 * 21][3];

static bool update_for(double step, double allowance, double margin, double thickness) {
    bool renewed;
    carom_broad_need need = {(const double(*)[3])w, step, allowance, margin, thickness};
    assert_ok(carom_broad_update(&g.broad, (const double(*)[3])g.x, need, &renewed, error));
    return renewed;
}

static bool update(double allowance, double margin, double thickness) {
    return update_for(0, allowance, margin, thickness);
}

static int64_t searches(int share) {
    return g.broad.shares[share].searches;
}

static void rule(void **state) {
    (void)state;
    make_grids(1);
    memset(w, 0, sizeof w);
    const double(*x)[3] = (const double(*)[3])g.x;
    int n = g.surface.node_count / 2;
    assert_true(update(0.01, 0.3, 0));
    assert_near(g.broad.terms[1].reach, 0.6, 1e-15);
    assert_near(g.broad.terms[2].reach, 0.6, 1e-15);
    // between bodies at rest the reach is the allowance and a small part of the margin
    assert_near(g.broad.terms[3].reach, 0.075 + 0.02, 1e-15);
    assert_int_equal(g.broad.pairs.count, 0);
    assert_false(update(0.01, 0.3, 0));
    // a common translation uses up no margin
    shift(0, 2 * n, 50, -30, 20);
    assert_false(update(0.0475 - 1e-9, 0.3, 0));
    // a larger allowance needs a longer reach between the bodies; within them the reach suffices
    assert_true(update(0.3 - 1e-9, 0.3, 0));
    assert_near(g.broad.terms[3].reach, 0.075 + 0.6, 1e-8);
    assert_int_equal(searches(CAROM_BROAD_WITHIN), 1);
    assert_int_equal(searches(CAROM_BROAD_BETWEEN), 2);
    // a relative motion of the bodies uses up the margin of the pairs between them only
    shift(n, n, 0, 0, -0.2);
    assert_false(update(0.237, 0.3, 0));
    assert_true(update(0.238, 0.3, 0));
    assert_int_equal(searches(CAROM_BROAD_WITHIN), 1);
    assert_int_equal(searches(CAROM_BROAD_BETWEEN), 3);
    // so does the motion of the step to come
    for (int k = n; k < 2 * n; k++)
        w[k][2] = -2;
    assert_false(update_for(0.005, 0.27, 0.3, 0));
    assert_true(update_for(0.005, 0.28, 0.3, 0));
    assert_near(g.broad.terms[3].reach, 16 * 0.01 + 0.56, 1e-8);
    // for fast bodies, lists are made to last fewer steps
    assert_false(update_for(0.14, 0.219, 0.3, 0));
    assert_true(update_for(0.14, 0.221, 0.3, 0));
    assert_near(g.broad.terms[3].reach, 4 * 0.28 + 0.442, 1e-8);
    // pairs are found, but none of them can meet in this step
    assert_true(g.broad.found_node_pairs > 0);
    assert_int_equal(g.broad.pairs.count, 0);
    // a step longer than the margin: the list has the pairs that can meet during it, and is valid for this step only
    assert_true(update_for(0.9, 0.01, 0.3, 0));
    assert_true(g.broad.pairs.node_pair_count > 0);
    assert_true(update_for(0.2, 0.01, 0.3, 0));
    assert_int_equal(g.broad.pairs.count, 0);
    assert_true(update_for(0.2, 0.01, 0.3, 0));
    assert_int_equal(searches(CAROM_BROAD_WITHIN), 1);
    // a larger thickness than listed needs a new list
    memset(w, 0, sizeof w);
    assert_true(update(0.01, 0.3, 0));
    assert_true(update(0.26, 0.3, 0.1));
    assert_false(update(0.01, 0.3, 0.05));
    // a displacement of one corner relative to its neighbours uses up the margin of the pairs within its body
    int64_t before = searches(CAROM_BROAD_WITHIN);
    g.x[0][0] += 0.5;
    assert_true(update(0.06, 0.3, 0.1));
    assert_int_equal(searches(CAROM_BROAD_WITHIN), before + 1);
    assert_true(g.broad.terms[1].worn && !g.broad.terms[2].worn);
    // the result of a single search cannot be kept as a list
    assert_ok(carom_broad_search(&g.broad, x, NULL, 0.1, error));
    assert_true(update(0.01, 0.3, 0));
    drop_grids();
}

// Positions and velocities that are not finite are refused with the node named, and the list is then empty.
static void lost_nodes(void **state) {
    (void)state;
    make_grids(0.01);
    memset(w, 0, sizeof w);
    const double(*x)[3] = (const double(*)[3])g.x;
    assert_true(update(0.01, 0.3, 0));
    assert_true(g.broad.pairs.count > 0);
    bool renewed;
    carom_broad_need need = {(const double(*)[3])w, 1, 0.01, 0.3, 0};
    w[7][0] = INFINITY;
    assert_refused(carom_broad_update(&g.broad, x, need, &renewed, error), CAROM_NUMERICAL, "node 7");
    g.x[5][1] = NAN;
    assert_refused(carom_broad_update(&g.broad, x, need, &renewed, error), CAROM_NUMERICAL, "node 5");
    assert_int_equal(g.broad.pairs.count, 0);
    drop_grids();
}

// A body that rotates slowly through large angles is searched once.
static void turning(void **state) {
    (void)state;
    make_grids(100);
    memset(w, 0, sizeof w);
    static double flat[2 * 21 * 21][3];
    memcpy(flat, g.x, sizeof flat);
    for (int step = 0; step <= 200; step++) {
        double c = cos(0.03 * step), s = sin(0.03 * step);
        for (int k = 0; k < g.surface.node_count / 2; k++) {
            const double *p = flat[k];
            double y = c * p[1] - s * p[2];
            g.x[k][2] = s * p[1] + c * p[2];
            g.x[k][0] = c * p[0] - s * y;
            g.x[k][1] = s * p[0] + c * y;
        }
        update(0.01, 0.3, 0);
    }
    assert_int_equal(searches(CAROM_BROAD_WITHIN), 1);
    drop_grids();
}

// A sheet that is bent gradually: the relative displacement of vertices is large only if they are far apart, so the list
// remains valid longer than the largest displacement alone would allow.
static void bend(void **state) {
    (void)state;
    make_grids(100);
    memset(w, 0, sizeof w);
    static double flat[2 * 21 * 21][3];
    memcpy(flat, g.x, sizeof flat);
    int lists = 0;
    double farthest = 0;
    for (int step = 0; step <= 100; step++) {
        double angle = 3.5e-3 * step / 100;
        for (int k = 0; k < g.surface.node_count; k++) {
            double s = flat[k][0] * angle, up = flat[k][0] * s / 2;
            g.x[k][2] = flat[k][2] + up;
            farthest = fmax(farthest, up);
        }
        lists += update(0.01, 0.3, 0);
    }
    assert_true(farthest / 2 > 0.3);
    assert_int_equal(lists, 1);
    drop_grids();
}

// Nodes straight above each other: a node of one grid is within 0.6 of the faces around its counterpart and of no other (those
// end at a distance of 1). Of n^2 squares with one diagonal: 6 faces at an inner node, in all 3 corners of each of 2 n^2 faces.
static void counts(void **state) {
    (void)state;
    make_grids(0.6);
    static const int selves[2][2] = {{0, 0}, {1, 1}};
    carom_exclusions exclusions = {0};
    assert_ok(carom_exclusions_build(2, selves, 2, &exclusions, error));
    g.broad.exclusions = &exclusions;
    assert_ok(carom_broad_search(&g.broad, (const double(*)[3])g.x, NULL, 0.6, error));
    enum { N = 20 };
    assert_int_equal(g.broad.pairs.node_pair_count, 2 * 3 * 2 * N * N);
    // pairs of edges that share a node in the projection along z, or coincide in it: ordered pairs of edge ends at each node,
    // with coinciding edges counted twice
    int degree[21 * 21] = {0}, expected = 0;
    for (int e = 0; e < g.surface.edge_count; e++)
        for (int k = 0; k < 2; k++)
            if (g.surface.edges[e][k] < 21 * 21)
                degree[g.surface.edges[e][k]]++;
    for (int k = 0; k < 21 * 21; k++)
        expected += degree[k] * degree[k];
    expected -= g.surface.edge_count / 2;
    assert_int_equal(g.broad.pairs.count - g.broad.pairs.node_pair_count, expected);
    carom_exclusions_release(&exclusions);
    drop_grids();
    assert_refused(carom_exclusions_build(2, (const int[1][2]){{0, 2}}, 1, &exclusions, error), CAROM_BAD_INPUT, "body 2");
}

// A seam of one pair of nodes excludes the pairs of features that have both nodes, on opposite sides, and no others.
static void leaves_out_seams(void **state) {
    (void)state;
    make_grids(0.6);
    enum { PER_GRID = 21 * 21, AT = 10 * 21 + 10 };
    const int pair[1][2] = {{AT, PER_GRID + AT}};
    carom_exclusions exclusions = {0};
    assert_ok(carom_broad_search(&g.broad, (const double(*)[3])g.x, NULL, 0.6, error));
    int nodes = g.broad.pairs.node_pair_count, all = g.broad.pairs.count, expected = 0;
    for (int p = 0; p < all; p++) {
        bool edges = p >= nodes;
        const int *k = g.broad.pairs.nodes[p];
        bool first[2] = {false, false};
        for (int i = 0; i < 4; i++)
            for (int side = 0; side < 2; side++)
                first[side] = first[side] || (k[i] == pair[0][side] && (i < (edges ? 2 : 1)));
        bool second[2] = {false, false};
        for (int i = edges ? 2 : 1; i < 4; i++)
            for (int side = 0; side < 2; side++)
                second[side] = second[side] || k[i] == pair[0][side];
        expected += (first[0] && second[1]) || (first[1] && second[0]);
    }
    assert_true(expected > 12);
    assert_ok(carom_exclusions_add_seams(g.surface.node_count, pair, 1, &exclusions, error));
    g.broad.exclusions = &exclusions;
    assert_ok(carom_broad_search(&g.broad, (const double(*)[3])g.x, NULL, 0.6, error));
    assert_int_equal(g.broad.pairs.count, all - expected);
    carom_exclusions_release(&exclusions);
    drop_grids();
}

// While nodes move at random, straight up to the allowance, a list of any margin contains all pairs that are near at the end of
// the step, in the order of a new list.
static void walk_with(double margin, double speed, int least, int most) {
    make_grids(0.2);
    static double rest[2 * 21 * 21][3];
    memcpy(rest, g.x, sizeof rest);
    uint64_t seed = 3;
    int kept = 0;
    for (int step = 0; step < 60; step++) {
        const carom_pair_list *list = &g.broad.pairs;
        // each node about its initial position, and the bodies relative to each other
        for (int k = 0; k < g.surface.node_count; k++)
            for (int i = 0; i < 3; i++)
                w[k][i] = random_real(&seed, -0.1, 0.1) + rest[k][i] - g.x[k][i] +
                          (k < g.surface.node_count / 2 ? speed : -speed) * (step % 8 < 4 ? 1 : -1) * (i == 0);
        kept += !update_for(0.1, 0.02, margin, 0.05);
        for (int k = 0; k < g.surface.node_count; k++) {
            double way[3], length = 0;
            for (int i = 0; i < 3; i++) {
                way[i] = random_real(&seed, -1, 1);
                length += way[i] * way[i];
            }
            for (int i = 0; i < 3; i++)
                g.x[k][i] += 0.1 * w[k][i] + 0.02 * way[i] / sqrt(length);
        }
        carom_broad fresh = {0};
        assert_ok(carom_broad_create(&g.surface, NULL, &fresh, error));
        assert_ok(carom_broad_search(&fresh, (const double(*)[3])g.x, NULL, 0.05, error));
        for (int i = 0, j = 0; i < fresh.pairs.count; i++) {
            while (j < list->count && memcmp(list->nodes[j], fresh.pairs.nodes[i], sizeof list->nodes[j]) != 0)
                j++;
            if (j == list->count)
                fail_msg("margin %g, step %d: pair %d of %d was not listed", margin, step, i, fresh.pairs.count);
        }
        carom_broad_release(&fresh);
    }
    if (kept < least || kept > most)
        fail_msg("margin %g, speed %g: %d lists kept", margin, speed, kept);
    drop_grids();
}

static void walk(void **state) {
    (void)state;
    walk_with(0.05, 0, 0, 30);
    walk_with(0.2, 0, 20, 59);
    walk_with(0.4, 0, 50, 59);
    walk_with(0.4, 0.5, 20, 59);
    // with bodies that move fast relative to each other
    walk_with(0.1, 2, 0, 0);
}

// A copy of the list of a step.
typedef struct snapshot {
    int count, node_pair_count, features[60000][2], nodes[60000][4], of_node[240000];
    carom_pair_row rows[2 * 21 * 21];
} snapshot;

static void take(snapshot *s) {
    const carom_pair_list *list = &g.broad.pairs;
    assert_true(list->count < 60000);
    size_t count = (size_t)list->count;
    memset(s, 0, sizeof *s);
    s->count = list->count, s->node_pair_count = list->node_pair_count;
    memcpy(s->features, list->features, count * sizeof *list->features);
    memcpy(s->nodes, list->nodes, count * sizeof *list->nodes);
    memcpy(s->of_node, list->of_node, 4 * count * sizeof *list->of_node);
    memcpy(s->rows, list->rows, sizeof s->rows);
}

// Two grids that rest, then slide, separate and meet again: a list that is kept equals a new one, also after a single search in
// between.
static void kept_list_is_a_new_one(void **state) {
    (void)state;
    static snapshot last, kept, fresh;
    make_grids(0.04);
    memset(w, 0, sizeof w);
    int nodes = g.surface.node_count, same = 0, empty = 0;
    for (int step = 0; step < 80; step++) {
        double along = step / 10 % 2 ? 0.013 : 0, up = step >= 40 && step < 60 ? (step < 50 ? 0.03 : -0.03) : 0;
        shift(nodes / 2, nodes / 2, along, 0.3 * along, up);
        if (step % 27 == 26)
            assert_ok(carom_broad_search(&g.broad, (const double(*)[3])g.x, NULL, 0.2, error));
        update_for(0.1, 0.01, 0.2, 0.05);
        take(&kept);
        g.broad.listed = false;
        update_for(0.1, 0.01, 0.2, 0.05);
        take(&fresh);
        assert_memory_equal(&kept, &fresh, sizeof kept);
        same += step > 0 && memcmp(&kept, &last, sizeof kept) == 0;
        empty += kept.count == 0;
        last = kept;
    }
    assert_true(same > 20 && same < 75 && empty > 0);
    drop_grids();
}

// After some lists no array is reallocated.
static void memory(void **state) {
    (void)state;
    make_grids(0.2);
    memset(w, 0, sizeof w);
    const carom_pair_list *list = &g.broad.pairs;
    const void *before[3] = {0};
    for (int step = 0; step < 40; step++) {
        shift(0, g.surface.node_count / 2, step % 2 ? -0.6 : 0.6, 0, 0);
        assert_true(update(0.1, 0.2, 0.05));
        if (step == 20)
            before[0] = list->features, before[1] = list->nodes, before[2] = list->of_node;
    }
    assert_true(list->count > 0);
    assert_ptr_equal(before[0], list->features);
    assert_ptr_equal(before[1], list->nodes);
    assert_ptr_equal(before[2], list->of_node);
    drop_grids();
}

// No faces, one face, and one face more than a block of the tree has.
static void few(void **state) {
    (void)state;
    for (int faces = 0; faces < 20; faces++) {
        static const int body[20] = {0};
        int nodes[20][3];
        double x[60][3];
        for (int k = 0; k < 3 * faces; k++) {
            nodes[k / 3][k % 3] = k;
            x[k][0] = k % 3 == 1, x[k][1] = k % 3 == 2, x[k][2] = 0.1 * (k / 3);
        }
        carom_surface_def def = {3, 3 * faces, 1, faces, &nodes[0][0], body};
        carom_surface surface = {0};
        carom_broad broad = {0};
        assert_ok(carom_surface_build(&def, &surface, error));
        assert_ok(carom_broad_create(&surface, NULL, &broad, error));
        // only neighbours in the stack are near: 3 nodes from each side, and 3 x 3 pairs of edges
        assert_ok(carom_broad_search(&broad, (const double(*)[3])x, NULL, 0.15, error));
        int neighbours = faces > 1 ? faces - 1 : 0;
        assert_int_equal(broad.pairs.node_pair_count, 6 * neighbours);
        assert_int_equal(broad.pairs.count, 15 * neighbours);
        bool renewed;
        carom_broad_need need = {.w = (const double(*)[3])x, .margin = 0.1};
        assert_ok(carom_broad_update(&broad, (const double(*)[3])x, need, &renewed, error));
        assert_true(renewed);
        assert_ok(carom_broad_update(&broad, (const double(*)[3])x, need, &renewed, error));
        assert_false(renewed);
        carom_broad_release(&broad);
        carom_surface_release(&surface);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes),
        cmocka_unit_test(sorting),
        cmocka_unit_test(rule),
        cmocka_unit_test(lost_nodes),
        cmocka_unit_test(counts),
        cmocka_unit_test(leaves_out_seams),
        cmocka_unit_test(walk),
        cmocka_unit_test(few),
        cmocka_unit_test(bend),
        cmocka_unit_test(memory),
        cmocka_unit_test(kept_list_is_a_new_one),
        cmocka_unit_test(turning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
