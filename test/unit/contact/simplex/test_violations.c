// SPDX-License-Identifier: MIT
// Tests src/contact/simplex/violations.c.
// Pairs that a plane configuration violates: random bodies moved into each other and projected out again, compared with tests
// of all pairs; degenerate cases.
#include "violations.h"

// A star-shaped polygon around a point, not convex.
static void add_star(scene *s, uint64_t *seed, double x, double y) {
    double at[12][2];
    int count = (int)random_real(seed, 3, 12.99);
    double turn = random_real(seed, 0, 6.28);
    for (int i = 0; i < count; i++) {
        double angle = turn + 6.283185307179586 * (i + random_real(seed, -0.2, 0.2)) / count, r = random_real(seed, 0.35, 1);
        at[i][0] = x + r * cos(angle);
        at[i][1] = y + r * sin(angle);
    }
    add_polygon(s, count, (const double(*)[2])at);
}

// Moves a body by a translation and a rotation about a point, with random displacements.
static void move(scene *s, uint64_t *seed, int body, const double shift[2], double turn, double shake, const double about[2]) {
    for (int k = 0; k < s->node_count; k++)
        if (s->node_body[k] == body) {
            double r[2] = {s->x0[k][0] - about[0], s->x0[k][1] - about[1]};
            s->x1[k][0] = about[0] + shift[0] + cos(turn) * r[0] - sin(turn) * r[1] + random_real(seed, -shake, shake);
            s->x1[k][1] = about[1] + shift[1] + sin(turn) * r[0] + cos(turn) * r[1] + random_real(seed, -shake, shake);
        }
}

static void random_polygons_come_apart(void **state) {
    (void)state;
    uint64_t seed = 11;
    static scene s;
    int violated = 0, failed = 0;
    for (int trial = 0; trial < 1500; trial++) {
        memset(&s, 0, sizeof s);
        add_star(&s, &seed, 0, 0);
        add_star(&s, &seed, 2.1, 0);
        if (trial % 3 == 0)
            add_star(&s, &seed, 1, 2.2);
        bool by_way = trial % 2;
        begin(&s, by_way ? crossed : closest);
        double push = random_real(&seed, 0.3, trial % 5 == 0 ? 3 : 1);
        move(&s, &seed, 1, (const double[]){-push, random_real(&seed, -0.2, 0.2)}, random_real(&seed, -0.2, 0.2), 0.02,
             (const double[]){2.1, 0});
        if (s.body_count == 3)
            move(&s, &seed, 2, (const double[]){0, -push}, random_real(&seed, -0.2, 0.2), 0.02, (const double[]){1, 2.2});
        int inside = inside_count(&s, (const_vectors)s.x1, 1e-9);
        bool meets = anything_meets(&s);
        found f = look(&s);
        if (inside)
            assert_true(f.added > 0);
        if (!inside && !meets)
            assert_int_equal(f.added, 0);
        if (f.added && push < 1) {
            violated++;
            int needed = project(&s);
            failed += needed < 0;
            if (needed >= 0) {
                assert_int_equal(inside_count(&s, (const_vectors)s.x1, 1e-10), 0);
                assert_int_equal(look(&s).added, 0);
            }
        }
        end(&s);
    }
    assert_true(violated > 300);
    assert_int_equal(failed, 0);
}

static void touching_is_no_overlap(void **state) {
    (void)state;
    for (int rule = 0; rule < 2; rule++) {
        // one square exactly on another, with a corner on a corner, an edge along an edge
        scene s = {0};
        add_square(&s, 0, 0, 1);
        add_square(&s, 0, 1, 1);
        begin(&s, rule ? closest : crossed);
        assert_int_equal(check_again(&s).added, 0);
        for (int i = -2; i <= 2; i++) {
            shift_body(&s, 1, 0.25 * i, 0, 0);
            assert_int_equal(check_again(&s).added, 0);
        }
        shift_body(&s, 1, 0.1, 1e-14, 0);
        assert_int_equal(check_again(&s).added, 0);
        shift_body(&s, 1, 0.1, -1e-14, 0);
        assert_int_equal(check_again(&s).added, 0);
        shift_body(&s, 1, 0.1, -1e-3, 0);
        assert_int_equal(check_again(&s).added, 2);
        assert_true(project(&s) >= 0);
        assert_int_equal(look(&s).added, 0);
        for (int c = 0; c < s.set.count; c++)
            assert_true(carom_simplex_measure(&s.set.items[c], (const_vectors)s.x1, NULL) >= -1e-15);
        // separating
        shift_body(&s, 1, 0.3, 0.2, 0);
        assert_int_equal(check_again(&s).added, 0);
        // past the corner and down along the side of the other one
        shift_body(&s, 0, 0, 0, 0);
        shift_body(&s, 1, 1, -0.5, 0);
        memcpy(s.x0, s.x1, sizeof s.x0);
        shift_body(&s, 1, 0, -0.7, 0);
        assert_int_equal(check_again(&s).added, 0);
        end(&s);
    }
}

// A tip slides over a floor of many collinear segments.
static void nothing_catches_on_a_flat_floor(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int rule = 0; rule < 2; rule++) {
        scene s = {0};
        double at[34][2];
        const double arrow[3][2] = {{-1.113, 0}, {-0.6, 1}, {-1.6, 1}};
        for (int i = 0; i <= 32; i++)
            at[i][0] = 4 - 0.25 * i, at[i][1] = 0;
        at[33][0] = 0, at[33][1] = -3;
        add_polygon(&s, 34, (const double(*)[2])at);
        int tip = add_polygon(&s, 3, arrow);
        for (int k = 0; k < 34; k++)
            s.mass[k] = 1e9;
        begin(&s, rule ? closest : crossed);
        for (int step = 0; step < 40; step++) {
            // an overlap by rounding: a few units of 1e-16
            shift_body(&s, 0, 0, 0, 0);
            shift_body(&s, 1, 0.05, 0, 0);
            s.x1[tip][1] = random_real(&seed, -4e-16, 4e-16);
            assert_int_equal(check_again(&s).added, 0);
            // pressed: one pair, with the segment at the tip or that before it, without a component against the motion
            double kept[NODES][3];
            memcpy(kept, s.x1, sizeof kept);
            s.x1[tip][1] = -1e-4;
            double free = s.x1[tip][0];
            assert_int_equal(check_again(&s).added, 1);
            assert_true(project(&s) >= 0);
            assert_int_equal(s.set.count, 1);
            assert_near(s.x1[tip][0], free, 1e-6);
            memcpy(s.x0, kept, sizeof s.x0);
        }
        end(&s);
    }
}

static void corner_on_corner_is_ambiguous(void **state) {
    (void)state;
    for (int rule = 0; rule < 2; rule++)
        for (int off = -1; off <= 1; off++) {
            // a wedge of 45 degrees, and another whose tip comes down on its tip
            scene s = {0};
            const double wedge[3][2] = {{-1, -1}, {1, -1}, {0, 0}};
            const double arrow[3][2] = {{off * 1e-9, 0.1}, {0.5, 1.1}, {-0.5, 1.1}};
            add_polygon(&s, 3, wedge);
            int tip = add_polygon(&s, 3, arrow);
            begin(&s, rule ? closest : crossed);
            shift_body(&s, 1, 0, -0.2, 0);
            found f = check_again(&s);
            // each tip is inside the other wedge; by the path one of them comes first
            assert_true(f.added == 2 || (rule == 0 && f.added == 1));
            assert_int_equal(f.ambiguous > 0, off == 0);
            for (int c = 0; c < s.set.count; c++) {
                int face = s.set.items[c].node[1];
                if (s.set.items[c].node[0] == tip && off)
                    assert_int_equal(face, off < 0 ? 2 : 1);
            }
            assert_true(project(&s) >= 0);
            assert_int_equal(inside_count(&s, (const_vectors)s.x1, 1e-12), 0);
            end(&s);
        }
}

static void spikes_and_holes(void **state) {
    (void)state;
    for (int rule = 0; rule < 2; rule++) {
        // a spike enters a notch too deep and to one side of it
        scene s = {0};
        const double block[7][2] = {{-2, -2}, {2, -2}, {2, 0}, {0.5, 0}, {0, -1}, {-0.5, 0}, {-2, 0}};
        const double spike[3][2] = {{0, -0.8}, {0.2, 1}, {-0.2, 1}};
        add_polygon(&s, 7, block);
        add_polygon(&s, 3, spike);
        begin(&s, rule ? closest : crossed);
        shift_body(&s, 1, 0.05, -0.4, 0);
        assert_int_equal(inside_count(&s, (const_vectors)s.x1, 0), 1);
        assert_int_equal(check_again(&s).added, 1);
        assert_true(project(&s) >= 0);
        assert_int_equal(inside_count(&s, (const_vectors)s.x1, 1e-12), 0);
        // pairs with both flanks of the notch
        assert_true(s.set.count >= 2);
        end(&s);
    }
}

// A square of side 0.5 moves through a plate of thickness 0.01 and through a thick body: with the rule CROSSED it is held at
// the upper side; the rule CLOSEST finds no pair once it is past the body.
static void nothing_passes_through(void **state) {
    (void)state;
    for (int rule = 0; rule < 2; rule++)
        for (int thin = 0; thin < 2; thin++) {
            scene s = {0};
            double bottom = thin ? -0.01 : -1;
            const double plate[4][2] = {{-3, bottom}, {3, bottom}, {3, 0}, {-3, 0}};
            add_polygon(&s, 4, plate);
            add_square(&s, 0.1, 0.3, 0.5);
            for (int k = 0; k < 4; k++)
                s.mass[k] = 1e9;
            begin(&s, rule ? closest : crossed);
            shift_body(&s, 1, 0, thin ? -1.5 : -3, 0);
            found f = check_again(&s);
            assert_int_equal(f.added > 0, rule == 0);
            // all pairs are with the upper side
            for (int c = 0; c < s.set.count; c++)
                assert_int_equal(s.set.items[c].node[1], 2);
            if (rule == 0) {
                assert_true(project(&s) >= 0);
                for (int k = 4; k < 8; k++)
                    assert_true(s.x1[k][1] >= fmin(s.x1[2][1], s.x1[3][1]) - 1e-12);
            }
            // also from a start in contact
            shift_body(&s, 0, 0, 0, 0);
            shift_body(&s, 1, 0, -0.3, 0);
            memcpy(s.x0, s.x1, sizeof s.x0);
            shift_body(&s, 1, 0.1, thin ? -0.2 : -1.7, 0);
            shift_body(&s, 0, 0, 0, 0);
            f = check_again(&s);
            assert_true(rule || f.added > 0);
            end(&s);
        }
}

static void planes_ends_and_points(void **state) {
    (void)state;
    scene s = {0};
    add_square(&s, 0, 0, 1);
    int left = add_node(&s, 0.5, 1.2, 0), right = add_node(&s, 3, 1.2, 0);
    s.node_body[right] = 2;
    s.body_count = 3;
    int isolated[2] = {left, right}, bodies[2] = {1, 2};
    carom_contact items[2] = {
        {.kind = CAROM_CONTACT_END_END, .count = 2, .node = {left, right}, .weight = {-1, 1}, .normal = {1}, .body = {1, 2}},
        {.kind = CAROM_CONTACT_NODE_PLANE, .count = 1, .node = {0}, .weight = {1}, .normal = {0, 1}, .body = {0, -1}},
    };
    carom_candidates candidates = {.count = 2, .items = items};
    carom_violations_def def = {.candidates = &candidates, .isolated_count = 2, .isolated = isolated, .isolated_body = bodies};
    begin(&s, def);
    assert_int_equal(check_again(&s).added, 0);

    // the left point moves into the square
    s.x1[left][1] = 0.9;
    assert_int_equal(check_again(&s).added, 1);
    assert_int_equal(s.set.items[0].kind, CAROM_CONTACT_NODE_SEGMENT);
    assert_int_equal(s.set.items[0].node[1], 2);
    assert_int_equal(look(&s).added, 0);
    // and through it
    s.x1[left][1] = -4;
    assert_int_equal(check_again(&s).added, 1);
    // past the other point
    s.x1[left][0] = 3.5;
    s.x1[left][1] = 1.2;
    assert_int_equal(check_again(&s).added, 1);
    assert_int_equal(s.set.items[0].kind, CAROM_CONTACT_END_END);
    assert_near(carom_simplex_measure(&s.set.items[0], (const_vectors)s.x1, NULL), -0.5, 1e-15);
    // a node below the plane
    s.x1[left][0] = 0.5;
    s.x1[0][1] = -0.25;
    assert_int_equal(check_again(&s).added, 1);
    assert_int_equal(s.set.items[0].kind, CAROM_CONTACT_NODE_PLANE);
    assert_near(carom_simplex_measure(&s.set.items[0], (const_vectors)s.x1, NULL), -0.25, 0);
    end(&s);
}

static void some_bodies_do_not_matter(void **state) {
    (void)state;
    for (int why = 0; why < 3; why++) {
        scene s = {0};
        add_square(&s, 0, 0, 1);
        add_square(&s, 0.2, 1.1, 1);
        const int pair[1][2] = {{0, 1}};
        const bool held[2] = {true, why == 1};
        carom_exclusions exclusions = {0};
        assert_ok(carom_exclusions_build(2, pair, why == 2, &exclusions, error));
        carom_violations_def def = {.immovable = held, .exclusions = &exclusions};
        begin(&s, def);
        shift_body(&s, 1, 0, -0.3, 0);
        assert_int_equal(look(&s).added > 0, why == 0);
        end(&s);
        carom_exclusions_release(&exclusions);
    }
}

static void thickness_is_kept(void **state) {
    (void)state;
    for (int rule = 0; rule < 2; rule++) {
        scene s = {0};
        add_square(&s, 0, 0, 1);
        add_square(&s, 0.2, 1.2, 1);
        carom_violations_def def = rule ? closest : crossed;
        def.thickness = 0.1;
        begin(&s, def);
        shift_body(&s, 1, 0, -0.05, 0);
        assert_int_equal(check_again(&s).added, 0);
        shift_body(&s, 1, 0, -0.13, 0);
        assert_int_equal(check_again(&s).added, 2);
        assert_true(project(&s) >= 0);
        for (int c = 0; c < s.set.count; c++) {
            assert_near(s.set.items[c].thickness, 0.1, 0);
            assert_near(carom_simplex_gap(&s.set.items[c], (const_vectors)s.x1, NULL), 0, 1e-14);
        }
        // bodies nearer than the thickness at the start keep that distance
        shift_body(&s, 0, 0, 0, 0);
        shift_body(&s, 1, 0, -0.15, 0);
        memcpy(s.x0, s.x1, sizeof s.x0);
        shift_body(&s, 1, 0, -0.01, 0);
        shift_body(&s, 0, 0, 0, 0);
        assert_int_equal(check_again(&s).added, 2);
        assert_near(s.set.items[0].thickness, 0.05, 1e-15);
        end(&s);
    }
}

// Configurations that overlap from the start, as with penalty methods.
static void soft_overlaps_are_seen(void **state) {
    (void)state;
    for (int rule = 0; rule < 2; rule++) {
        scene s = {0};
        add_square(&s, 0, 0, 1);
        add_square(&s, 0.2, 0.95, 1);
        carom_violations_def def = rule ? closest : crossed;
        def.soft = true;
        begin(&s, def);
        assert_int_equal(check_again(&s).added, 2);
        shift_body(&s, 1, 0, 0.02, 0);
        assert_int_equal(check_again(&s).added, 2);
        shift_body(&s, 1, 0, 0.06, 0);
        assert_int_equal(check_again(&s).added, 0);
        end(&s);
    }
}

// A block that overhangs a plate comes down on it in a step much longer than the distance of its corner from the lateral side
// of the plate: it is held by the upper side, although the lateral side is nearer.
static void nearest_is_not_crossed(void **state) {
    (void)state;
    scene s = {0};
    const double plate[4][2] = {{-1, -1}, {0, -1}, {0, 0}, {-1, 0}},
                 block[4][2] = {{-0.005, 0.001}, {1, 0.001}, {1, 1}, {-0.005, 1}};
    add_polygon(&s, 4, plate);
    add_polygon(&s, 4, block);
    begin(&s, crossed);
    shift_body(&s, 1, 0, -0.05, 0);
    assert_true(check_again(&s).added > 0);
    for (int c = 0; c < s.set.count; c++)
        assert_int_equal(s.set.items[c].node[1], s.set.items[c].node[0] < 4 ? 4 : 2);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_polygons_come_apart),
        cmocka_unit_test(touching_is_no_overlap),
        cmocka_unit_test(nothing_catches_on_a_flat_floor),
        cmocka_unit_test(corner_on_corner_is_ambiguous),
        cmocka_unit_test(spikes_and_holes),
        cmocka_unit_test(nothing_passes_through),
        cmocka_unit_test(nearest_is_not_crossed),
        cmocka_unit_test(planes_ends_and_points),
        cmocka_unit_test(some_bodies_do_not_matter),
        cmocka_unit_test(thickness_is_kept),
        cmocka_unit_test(soft_overlaps_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
