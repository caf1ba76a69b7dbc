// SPDX-License-Identifier: MIT
// Tests src/contact/simplex/violations.c.
// Pairs that a configuration in space violates: boxes, stones and shells, compared with tests of all pairs.
#include "violations.h"

// A box of triangles, rotated about the vertical axis.
static int add_box(scene *s, const double low[3], const double size[3], double turn) {
    int begin = s->node_count;
    s->corners = 3;
    for (int k = 0; k < 8; k++) {
        double r[3];
        for (int i = 0; i < 3; i++)
            r[i] = low[i] + (k >> i & 1) * size[i];
        double middle[2] = {low[0] + size[0] / 2, low[1] + size[1] / 2}, x = r[0] - middle[0], y = r[1] - middle[1];
        add_node(s, middle[0] + cos(turn) * x - sin(turn) * y, middle[1] + sin(turn) * x + cos(turn) * y, r[2]);
    }
    static const int quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int q = 0; q < 6; q++) {
        add_face(s, begin + quads[q][0], begin + quads[q][1], begin + quads[q][2]);
        add_face(s, begin + quads[q][0], begin + quads[q][2], begin + quads[q][3]);
    }
    s->body_count++;
    return begin;
}

// An octahedron-like body around a place, of random shape.
static void add_stone(scene *s, uint64_t *seed, double x, double y, double z) {
    static const double at[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    static const int faces[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    int begin = s->node_count;
    s->corners = 3;
    for (int k = 0; k < 6; k++) {
        double r = random_real(seed, 0.5, 1);
        add_node(s, x + r * at[k][0] + random_real(seed, -0.2, 0.2), y + r * at[k][1] + random_real(seed, -0.2, 0.2),
                 z + r * at[k][2] + random_real(seed, -0.2, 0.2));
    }
    for (int f = 0; f < 8; f++)
        add_face(s, begin + faces[f][0], begin + faces[f][1], begin + faces[f][2]);
    s->body_count++;
}

static carom_violation_worst worst_of(scene *s) {
    carom_violation_worst worst;
    assert_ok(carom_violations_worst(&s->overlaps, (const_vectors)s->x1, &worst, error));
    return worst;
}

// Pairs of triangles of different bodies that have a point in common, by exact predicates.
static int intersections(const scene *s) {
    int count = 0;
    for (int f = 0; f < s->face_count; f++)
        for (int g = 0; g < f; g++) {
            double a[3][3], b[3][3];
            if (s->body[f] == s->body[g])
                continue;
            for (int k = 0; k < 3; k++) {
                carom_copy(s->x1[s->faces[3 * f + k]], a[k]);
                carom_copy(s->x1[s->faces[3 * g + k]], b[k]);
            }
            count += carom_triangles_intersect((const_vectors)a, (const_vectors)b);
        }
    return count;
}

// Crossed bars whose edges intersect faces without a node inside: without an earlier configuration they have a pair only with
// the rule that allows overlaps, which separates them along the shortest displacement.
static void soft_bars_are_seen(void **state) {
    (void)state;
    for (int soft = 0; soft < 2; soft++) {
        scene s = {0};
        add_box(&s, (const double[]){-1, -0.1, -0.1}, (const double[]){2, 0.2, 0.2}, 0);
        add_box(&s, (const double[]){-0.1, -1, 0.09}, (const double[]){0.2, 2, 0.2}, 0);
        carom_violations_def def = crossed;
        def.soft = soft;
        begin(&s, def);
        assert_true((check_again(&s).added > 0) == soft);
        for (int c = 0; c < s.set.count; c++) {
            const carom_simplex *pair = &s.set.items[c];
            double depth =
                -carom_simplex_measure(pair, (const_vectors)s.x1, NULL) / carom_simplex_size(pair, (const_vectors)s.x1);
            assert_near(depth, 0.01, 1e-6);
        }
        end(&s);
    }
}

static void random_stones_come_apart(void **state) {
    (void)state;
    uint64_t seed = 17;
    static scene s;
    int violated = 0, failed = 0, edges = 0;
    for (int trial = 0; trial < 600; trial++) {
        memset(&s, 0, sizeof s);
        add_stone(&s, &seed, 0, 0, 0);
        add_stone(&s, &seed, 2.5, 0, 0);
        begin(&s, trial % 2 ? crossed : closest);
        double push = random_real(&seed, 0.8, 1.9), y = random_real(&seed, -0.5, 0.5), z = random_real(&seed, -0.5, 0.5);
        for (int k = 6; k < 12; k++) {
            s.x1[k][0] -= push + random_real(&seed, 0, 0.05);
            s.x1[k][1] += y;
            s.x1[k][2] += z;
        }
        int before = intersections(&s);
        found f = check_again(&s);
        if (before)
            assert_true(f.added > 0);
        if (f.added && push < 1.6) {
            violated++;
            bool done = project(&s) >= 0;
            failed += !done;
            for (int c = 0; c < s.set.count; c++)
                edges += s.set.items[c].kind == CAROM_CONTACT_EDGE_EDGE;
            if (done) {
                assert_int_equal(intersections(&s), 0);
                assert_near(worst_of(&s).depth, 0, 0);
            }
        }
        end(&s);
    }
    assert_true(violated > 50 && edges > 20);
    assert_true(failed <= violated / 20);
}

// A bar moves through a transverse one, edges through edges and no node of either through the other, by increasing
// displacements; and stones move through stones.
static void nothing_passes_through_in_space(void **state) {
    (void)state;
    static scene s;
    for (double fall = 0.02; fall < 3; fall *= 1.3) {
        memset(&s, 0, sizeof s);
        add_box(&s, (const double[3]){-0.5, -0.05, -0.1}, (const double[3]){1, 0.1, 0.1}, 0);
        add_box(&s, (const double[3]){-0.03, -0.5, 0.01}, (const double[3]){0.1, 1, 0.1}, 0.1);
        begin(&s, crossed);
        shift_body(&s, 1, 0, 0, -fall);
        assert_true(check_again(&s).added > 0);
        end(&s);
    }
    uint64_t seed = 5;
    for (int trial = 0; trial < 300; trial++) {
        memset(&s, 0, sizeof s);
        add_stone(&s, &seed, 0, 0, 0);
        add_stone(&s, &seed, 2.5, 0, 0);
        begin(&s, crossed);
        double push = random_real(&seed, 2, 8), y = random_real(&seed, -0.2, 0.2), z = random_real(&seed, -0.2, 0.2);
        for (int k = 6; k < 12; k++) {
            s.x1[k][0] -= push;
            s.x1[k][1] += y;
            s.x1[k][2] += z;
        }
        assert_true(check_again(&s).added > 0);
        end(&s);
    }
}

// Overlaps of more than rounding lead to a pair: a box moves into another at many degenerate positions.
static void boxes_in_degenerate_places(void **state) {
    (void)state;
    // aligned, shifted by a half, corner over corner, turned, smaller, larger
    static const struct {
        double low[3], size[3], turn;
    } cases[] = {
        {{0, 0, 1.001}, {1, 1, 1}, 0},     {{0.5, 0, 1.001}, {1, 1, 1}, 0},       {{0.5, 0.5, 1.001}, {1, 1, 1}, 0},
        {{0, 0, 1.001}, {1, 1, 1}, 0.785}, {{0.25, 0.25, 1.001}, {.5, .5, 1}, 0}, {{-1, 0.25, 1.001}, {3, .5, 1}, 0},
        {{-1, -1, 1.001}, {3, 3, 1}, 0.3}, {{0.5, 0.5, 1.001}, {1, 1, 1}, 0.785}, {{-0.5, 0, 1.001}, {1, 1, 1}, 0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int sideways = 0; sideways < 2; sideways++) {
            scene s = {0};
            add_box(&s, (const double[]){0, 0, 0}, (const double[]){1, 1, 1}, 0);
            add_box(&s, cases[c].low, cases[c].size, cases[c].turn);
            begin(&s, crossed);
            // in several steps it is pressed down and displaced, with free nodes
            for (int step = 0; step < 5; step++) {
                shift_body(&s, 0, 0, 0, 0);
                shift_body(&s, 1, sideways * 0.01, sideways * 0.003, -0.002);
                bool overlaps = worst_of(&s).depth > 1e-11;
                found f = check_again(&s);
                if (overlaps)
                    assert_true(f.added > 0);
                assert_true(project(&s) >= 0);
                assert_near(worst_of(&s).depth, 0, 0);
                assert_int_equal(intersections(&s), 0);
                memcpy(s.x0, s.x1, sizeof s.x0);
            }
            // it can be lifted without resistance
            shift_body(&s, 0, 0, 0, 0);
            shift_body(&s, 1, 0, 0, 0.01);
            assert_int_equal(check_again(&s).added, 0);
            end(&s);
        }
}

// Two thin shells, and a point mass through one of them.
static void shells_do_not_pass(void **state) {
    (void)state;
    scene s = {.corners = 3};
    for (int b = 0; b < 2; b++) {
        int n = s.node_count;
        for (int k = 0; k < 4; k++)
            add_node(&s, (k == 1 || k == 2) + 0.3 * b, (k >= 2) + 0.2 * b, 0.1 * b);
        add_face(&s, n, n + 1, n + 2);
        add_face(&s, n, n + 2, n + 3);
        s.body_count++;
    }
    int mass = add_node(&s, 0.1, 0.15, 0.05), bodies[1] = {2};
    s.body_count++;
    carom_violations_def def = {.isolated_count = 1, .isolated = &mass, .isolated_body = bodies};
    begin(&s, def);
    assert_true(s.surface.open[0] && s.surface.open[1]);
    shift_body(&s, 1, 0, 0, -0.3);
    assert_true(check_again(&s).added > 0);
    assert_true(project(&s) >= 0);
    assert_int_equal(intersections(&s), 0);
    // from below
    shift_body(&s, 1, 0, 0, 0);
    shift_body(&s, 0, 0, 0, 0.3);
    assert_true(check_again(&s).added > 0);
    // the point mass
    shift_body(&s, 0, 0, 0, 0);
    assert_int_equal(check_again(&s).added, 0);
    s.x1[mass][2] = -2;
    assert_int_equal(check_again(&s).added, 1);
    assert_int_equal(s.set.items[0].node[0], mass);
    assert_true(project(&s) >= 0);
    assert_true(carom_simplex_gap(&s.set.items[0], (const_vectors)s.x1, NULL) > -1e-14);
    end(&s);
}

// A closed shell is hollow: a box in it touches nothing, and is stopped by the wall from within.
static void closed_shells_are_hollow(void **state) {
    (void)state;
    static const bool filled[2] = {false, true};
    scene s = {0};
    add_box(&s, (const double[]){0, 0, 0}, (const double[]){2, 2, 2}, 0);
    add_box(&s, (const double[]){0.7, 0.8, 0.9}, (const double[]){0.5, 0.5, 0.5}, 0.3);
    begin(&s, (carom_violations_def){.filled = filled});
    assert_false(s.surface.open[0]);
    assert_int_equal(check_again(&s).added, 0);
    // to the wall, where it stays for some steps
    for (int step = 0; step < 5; step++) {
        shift_body(&s, 0, 0, 0, 0);
        shift_body(&s, 1, step ? 0.02 : 1.1, 0.1, -0.1);
        assert_true(check_again(&s).added > 0);
        assert_true(project(&s) >= 0);
        assert_int_equal(intersections(&s), 0);
        assert_near(worst_of(&s).depth, 0, 0);
        memcpy(s.x0, s.x1, sizeof s.x0);
    }
    shift_body(&s, 0, 0, 0, 0);
    shift_body(&s, 1, -0.1, 0, 0);
    assert_int_equal(check_again(&s).added, 0);
    end(&s);
}

// A corner of a box goes out through the opposite wall, from within: a hollow one stops it.
static void walls_hold_their_own_corners(void **state) {
    (void)state;
    for (int hollow = 0; hollow < 2; hollow++) {
        bool filled[1] = {!hollow};
        scene s = {0};
        add_box(&s, (const double[]){0, 0, 0}, (const double[]){2, 2, 2}, 0);
        begin(&s, (carom_violations_def){.filled = filled});
        s.x1[0][0] = 2.3;
        s.x1[0][1] = 1.1;
        s.x1[0][2] = 0.9;
        check_again(&s);
        int held = 0;
        for (int c = 0; c < s.set.count; c++)
            held += s.set.items[c].kind == CAROM_CONTACT_NODE_FACE && s.set.items[c].node[0] == 0;
        assert_int_equal(held, hollow);
        end(&s);
    }
}

// A mass crosses a face of a sheet, and a crease beyond which the plane of that face is below it again.
static void nothing_passes_at_a_crease(void **state) {
    (void)state;
    for (int below = 0; below < 2; below++) {
        scene s = {.corners = 3};
        int a = add_node(&s, 0, -1, 0), b = add_node(&s, 0, 1, 0), left = add_node(&s, -1, 0, 0), right = add_node(&s, 1, 0, 0);
        add_face(&s, a, b, left);
        add_face(&s, b, a, right);
        s.body_count++;
        double up = below ? -1 : 1;
        int mass = add_node(&s, -0.3, 0, up * 1e-3), bodies[1] = {1};
        s.body_count++;
        carom_violations_def def = {.isolated_count = 1, .isolated = &mass, .isolated_body = bodies};
        begin(&s, def);
        s.x1[left][2] = up * 2;
        s.x1[mass][0] = 0.3;
        s.x1[mass][2] = up * -0.1;
        assert_true(check_again(&s).added > 0);
        assert_int_equal(s.set.items[0].node[0], mass);
        assert_true(project(&s) >= 0);
        // around the edge of the sheet nothing is in its way
        s.x0[mass][0] = s.x1[mass][0] = 3;
        s.x1[mass][2] = up * -3;
        assert_int_equal(check_again(&s).added, 0);
        end(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soft_bars_are_seen),
        cmocka_unit_test(random_stones_come_apart),
        cmocka_unit_test(nothing_passes_through_in_space),
        cmocka_unit_test(boxes_in_degenerate_places),
        cmocka_unit_test(shells_do_not_pass),
        cmocka_unit_test(closed_shells_are_hollow),
        cmocka_unit_test(walls_hold_their_own_corners),
        cmocka_unit_test(nothing_passes_at_a_crease),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
