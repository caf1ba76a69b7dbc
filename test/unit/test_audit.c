// SPDX-License-Identifier: MIT
// Tests src/contact/pairs/audit.c.
// The audit of surfaces: intersections and distances against closed forms and against all pairs one by one.
#include "../support.h"
#include "carom/contact.h"
#include "carom/run.h"
#include "contact/narrow/narrow.h"
#include "contact/pairs/audit.h"
#include "math/vec3.h"
#include "sim/sim.h"

enum { FACES = 512, NODES = 1536, BODIES = 128 };

// Faces with nodes of their own, unless a test says otherwise.
typedef struct soup {
    int corners, node_count, face_count, body_count;
    int nodes[FACES * 3], body[FACES];
    double x[NODES][3];
    carom_surface surface;
    carom_audit audit;
} soup;

static void soup_add(soup *s, int body, const double (*points)[3]) {
    for (int i = 0; i < s->corners; i++) {
        memcpy(s->x[s->node_count], points[i], sizeof *s->x);
        s->nodes[s->corners * s->face_count + i] = s->node_count++;
    }
    s->body[s->face_count++] = body;
    s->body_count = body >= s->body_count ? body + 1 : s->body_count;
}

static void soup_build(soup *s, const carom_exclusions *exclusions, const bool *held) {
    carom_surface_def def = {s->corners, s->node_count, s->body_count, s->face_count, s->nodes, s->body};
    assert_ok(carom_surface_build(&def, &s->surface, error));
    assert_ok(carom_audit_create(&s->surface, exclusions, held, &s->audit, error));
}

static void soup_end(soup *s) {
    carom_audit_release(&s->audit);
    carom_surface_release(&s->surface);
}

static int64_t crossings(soup *s) {
    int64_t count = -1;
    assert_ok(carom_surface_intersections(&s->audit, (const double(*)[3])s->x, &count, error));
    int64_t listed = 0;
    for (int p = 0; p < CAROM_TREE_PARTS; p++)
        listed += s->audit.tree.parts[p].count;
    assert_int_equal(listed, count);
    return count;
}

static double distance(soup *s, int faces[2]) {
    double d = -1;
    assert_ok(carom_surface_distance(&s->audit, (const double(*)[3])s->x, &d, faces, error));
    return d;
}

static const double flat[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

static void two_triangles(void **state) {
    (void)state;
    for (int i = -4; i <= 4; i++) {
        soup s = {.corners = 3};
        double z = 0.25 * i;
        // an upright triangle whose lowest corner is at height z
        const double upright[3][3] = {{0.2, 0.2, z}, {0.2, 0.1, z + 0.5}, {0.2, 0.3, z + 0.5}};
        soup_add(&s, 0, flat);
        soup_add(&s, 1, upright);
        soup_build(&s, NULL, NULL);
        // touching counts
        bool crosses = z <= 0 && z + 0.5 >= 0;
        assert_int_equal(crossings(&s), crosses);
        int faces[2];
        double d = distance(&s, faces);
        if (!crosses)
            assert_near(d, z > 0 ? z : -(z + 0.5), 1e-15);
        assert_true(faces[0] == 0 && faces[1] == 1);
        soup_end(&s);
    }
}

static void bodies_that_do_not_count(void **state) {
    (void)state;
    const double upright[3][3] = {{0.2, 0.2, -0.1}, {0.2, 0.1, 0.5}, {0.2, 0.3, 0.5}};
    const int pair[1][2] = {{1, 0}};
    carom_exclusions exclusions;
    assert_ok(carom_exclusions_build(2, pair, 1, &exclusions, error));
    const bool held[2] = {true, true}, one_held[2] = {true, false};
    for (int i = 0; i < 4; i++) {
        soup s = {.corners = 3};
        soup_add(&s, 0, flat);
        soup_add(&s, 1, upright);
        soup_build(&s, i == 1 ? &exclusions : NULL, i == 2 ? held : i == 3 ? one_held : NULL);
        bool counts = i == 0 || i == 3;
        assert_int_equal(crossings(&s), counts);
        assert_int_equal(isfinite(distance(&s, NULL)), counts);
        soup_end(&s);
    }
    carom_exclusions_release(&exclusions);
}

// One body, two faces with common nodes: node numbers of the second face, new nodes from 3 on.
static int64_t joined(const int second[3], const double (*more)[3], int more_count) {
    soup s = {.corners = 3};
    soup_add(&s, 0, flat);
    for (int i = 0; i < more_count; i++)
        memcpy(s.x[s.node_count++], more[i], sizeof *s.x);
    memcpy(s.nodes + 3, second, 3 * sizeof *second);
    s.face_count = 2;
    soup_build(&s, NULL, NULL);
    int64_t count = crossings(&s);
    assert_true(isinf(distance(&s, NULL)));
    soup_end(&s);
    return count;
}

static void triangles_with_common_nodes(void **state) {
    (void)state;
    const int one[3] = {0, 3, 4}, two[3] = {3, 1, 0}, turned[3] = {4, 1, 3};
    // one node: away from the face, through it, with a corner in it, flat beside it and flat over it
    assert_int_equal(joined(one, (const double[][3]){{-1, 0, 0}, {0, -1, 1}}, 2), 0);
    assert_int_equal(joined(one, (const double[][3]){{0.3, 0.3, 1}, {0.3, 0.3, -1}}, 2), 1);
    assert_int_equal(joined(one, (const double[][3]){{0.3, 0.3, 0}, {0.3, 0.3, -1}}, 2), 1);
    assert_int_equal(joined(one, (const double[][3]){{-1, 0, 0}, {0, -1, 0}}, 2), 0);
    assert_int_equal(joined(one, (const double[][3]){{2, 1, 0}, {1, 2, 0}}, 2), 1);
    // at another corner, its own short side across the face
    assert_int_equal(joined(turned, (const double[][3]){{0.2, 0.2, 0.5}, {0.2, 0.2, -0.5}}, 2), 1);
    assert_int_equal(joined(turned, (const double[][3]){{0.2, 0.2, 0.5}, {0.2, 0.2, 0.25}}, 2), 0);
    // a common side: open, flat, and folded onto each other in two ways
    assert_int_equal(joined(two, (const double[][3]){{0.2, 0.1, 0.3}}, 1), 0);
    assert_int_equal(joined(two, (const double[][3]){{0.5, -1, 0}}, 1), 0);
    assert_int_equal(joined(two, (const double[][3]){{0.2, 0.2, 0}}, 1), 1);
    assert_int_equal(joined(two, (const double[][3]){{1.5, 0.25, 0}}, 1), 1);
}

// Random triangles with one common corner: those that meet elsewhere do so with the side opposite to it.
static void random_neighbours(void **state) {
    (void)state;
    uint64_t seed = 11;
    int met = 0;
    const int one[3] = {0, 3, 4};
    for (int i = 0; i < 4000; i++) {
        double more[2][3], side[3][3];
        for (int k = 0; k < 2; k++)
            for (int c = 0; c < 3; c++)
                more[k][c] = random_real(&seed, -1, 1) * (c == 2 && i % 3 == 0 ? 0 : 1);
        memcpy(side[0], more[0], sizeof side[0]);
        memcpy(side[1], more[1], sizeof side[0]);
        memcpy(side[2], more[1], sizeof side[0]);
        const double second[3][3] = {{0, 0, 0}, {more[0][0], more[0][1], more[0][2]}, {more[1][0], more[1][1], more[1][2]}};
        const double own[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 1, 0}};
        bool expected = carom_triangles_intersect(flat, (const double(*)[3])side) || carom_triangles_intersect(second, own);
        assert_int_equal(joined(one, (const double(*)[3])more, 2), expected);
        met += expected;
    }
    assert_true(met > 400 && met < 3600);
}

static void segments_in_the_plane(void **state) {
    (void)state;
    const double across[][2][3] = {{{0.5, -1, 9}, {0.5, 1, 9}}, {{0.5, 0.25, 0}, {0.75, 1, 0}}, {{0.5, 0, 0}, {2, 0, 5}}};
    const double base[2][3] = {{0, 0, 3}, {1, 0, -3}};
    const double apart[] = {0, 0.25, 0};
    for (int i = 0; i < 3; i++) {
        soup s = {.corners = 2};
        soup_add(&s, 0, base);
        soup_add(&s, 1, across[i]);
        soup_build(&s, NULL, NULL);
        assert_int_equal(crossings(&s), i != 1);
        // a node-segment distance: that of crossing segments is of their ends
        if (i)
            assert_near(distance(&s, NULL), apart[i], 1e-15);
        soup_end(&s);
    }

    // neighbours in a chain: bent, straight on, folded back
    const double ends[][3] = {{1, 1, 0}, {2, 0, 0}, {0.5, 0, 0}};
    for (int i = 0; i < 3; i++) {
        soup s = {.corners = 2};
        soup_add(&s, 0, base);
        memcpy(s.x[s.node_count++], ends[i], sizeof *s.x);
        s.nodes[2] = 1;
        s.nodes[3] = 2;
        s.face_count = 2;
        soup_build(&s, NULL, NULL);
        assert_int_equal(crossings(&s), i == 2);
        soup_end(&s);
    }
}

static double face_distance(const double (*a)[3], const double (*b)[3]) {
    double best = HUGE_VAL;
    carom_nearest nearest;
    for (int i = 0; i < 3; i++) {
        double x[4][3];
        memcpy(x[0], a[i], sizeof x[0]);
        memcpy(x[1], b, 3 * sizeof x[0]);
        carom_narrow_nearest(CAROM_NARROW_NODE_FACE, (const double(*)[3])x, NULL, &nearest);
        best = fmin(best, nearest.distance);
        memcpy(x[0], b[i], sizeof x[0]);
        memcpy(x[1], a, 3 * sizeof x[0]);
        carom_narrow_nearest(CAROM_NARROW_NODE_FACE, (const double(*)[3])x, NULL, &nearest);
        best = fmin(best, nearest.distance);
        for (int j = 0; j < 3; j++) {
            memcpy(x[0], a[i], sizeof x[0]);
            memcpy(x[1], a[(i + 1) % 3], sizeof x[0]);
            memcpy(x[2], b[j], sizeof x[0]);
            memcpy(x[3], b[(j + 1) % 3], sizeof x[0]);
            carom_narrow_nearest(CAROM_NARROW_EDGE_EDGE, (const double(*)[3])x, NULL, &nearest);
            best = fmin(best, nearest.distance);
        }
    }
    return best;
}

static void agrees_with_all_pairs(void **state) {
    (void)state;
    uint64_t seed = 5;
    int crossed = 0;
    for (int round = 0; round < 40; round++) {
        static soup s;
        s = (soup){.corners = 3};
        // from a thin cloud to a dense one
        double size = 0.02 * (1 + round % 10);
        int faces = 3 + round * 4;
        for (int f = 0; f < faces; f++) {
            double points[3][3], centre[3];
            for (int c = 0; c < 3; c++)
                centre[c] = random_real(&seed, -1, 1);
            for (int i = 0; i < 3; i++)
                for (int c = 0; c < 3; c++)
                    points[i][c] = centre[c] + random_real(&seed, -size, size);
            soup_add(&s, f % 7, (const double(*)[3])points);
        }
        soup_build(&s, NULL, NULL);
        int64_t expected = 0;
        double least = HUGE_VAL;
        for (int f = 0; f < faces; f++)
            for (int g = 0; g < f; g++) {
                const double(*a)[3] = (const double(*)[3])s.x[3 * f], (*b)[3] = (const double(*)[3])s.x[3 * g];
                expected += carom_triangles_intersect(a, b);
                if (s.body[f] != s.body[g])
                    least = fmin(least, face_distance(a, b));
            }
        assert_int_equal(crossings(&s), expected);
        crossed += expected > 0;
        int pair[2];
        assert_near(distance(&s, pair), least, 1e-14);
        assert_true(s.body[pair[0]] < s.body[pair[1]]);
        const double(*a)[3] = (const double(*)[3])s.x[3 * pair[0]], (*b)[3] = (const double(*)[3])s.x[3 * pair[1]];
        assert_near(face_distance(a, b), least, 1e-14);
        soup_end(&s);
    }
    // both kinds occur
    assert_true(crossed > 5 && crossed < 35);
}

static void not_finite_is_an_error(void **state) {
    (void)state;
    soup s = {.corners = 3};
    soup_add(&s, 0, flat);
    soup_build(&s, NULL, NULL);
    s.x[1][2] = NAN;
    int64_t count;
    double d;
    assert_refused(carom_surface_intersections(&s.audit, (const double(*)[3])s.x, &count, error), CAROM_NUMERICAL,
                   "not finite");
    assert_refused(carom_surface_distance(&s.audit, (const double(*)[3])s.x, &d, NULL, error), CAROM_NUMERICAL, "not finite");
    soup_end(&s);
}

static void add_box(bench *b, double z) {
    static const carom_hex8_params params = {.integration = CAROM_HEX8_FULL, .hourglass = 0.1};
    int i = b->def.body_count;
    carom_box_params box = {.from = {0, 0, z}, .to = {1, 1, z + 1}, .elements = {1, 1, 1}, .grading = {1, 1, 1}};
    carom_body_def *body = bench_add(b, "box", &box, VECTOR(0, 0, 0));
    b->materials[i] = (carom_elastic_params){.young = 1, .density = 1};
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "hex8"), &params};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), "linear"), &b->materials[i]};
}

// Bodies a quarter apart; or, against all rules, moved into each other before the first step: that must be seen.
static void run_reports_what_it_sees(void **state) {
    (void)state;
    for (int moved = 0; moved < 2; moved++) {
        bench b;
        bench_start(&b);
        add_box(&b, 0);
        add_box(&b, 1.25);
        bench_simulate(&b, 0.01, 0.01);
        for (int k = 8; k < 16 && moved; k++)
            b.sim->state->x[k][2] -= 0.5;
        carom_run_def def = {0};
        carom_summary summary;
        carom_status status = carom_run(b.sim, &def, &summary, NULL);
        assert_true(status == CAROM_OK || moved);
        assert_true(summary.audits > 0);
        assert_int_equal(summary.intersections > 0, moved);
        assert_near(summary.minimum_distance, moved ? 0 : 0.25, 1e-15);
        carom_summary_release(&summary);
        bench_end(&b);
    }
}

// A point mass inside a closed body, and a line through one of its faces.
static void lines_and_points(void **state) {
    (void)state;
    enum { POINT = 4, LINE = 5 };
    // a tetrahedron, a point and a line
    const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}, body[4] = {0}, thin[2][2] = {{4, 4}, {5, 6}};
    const int thin_body[2] = {1, 2};
    const bool filled[3] = {true, false, false};
    double x[7][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.1, 2}, {0.2, 0.2, 2}, {0.2, 0.2, 3}};
    carom_surface_def def = {3, 7, 3, 4, &faces[0][0], body, 2, thin, thin_body};
    carom_surface s;
    carom_audit audit;
    int64_t count;
    double d;
    assert_ok(carom_surface_build(&def, &s, error));
    assert_ok(carom_audit_create(&s, NULL, NULL, &audit, error));
    audit.filled = filled;
    assert_ok(carom_surface_intersections(&audit, (const double(*)[3])x, &count, error));
    assert_int_equal(count, 0);
    assert_ok(carom_surface_distance(&audit, (const double(*)[3])x, &d, NULL, error));
    // from the upper corner to the point: the line is farther, and lines and points do not count for each other
    assert_near(d, sqrt(1.02), 1e-12);
    x[POINT][2] = 0.1;
    assert_ok(carom_surface_intersections(&audit, (const double(*)[3])x, &count, error));
    assert_int_equal(count, 1);
    // one end of the line comes in: an intersection of the line with a face, and a node inside
    x[LINE][2] = 0.1;
    assert_ok(carom_surface_intersections(&audit, (const double(*)[3])x, &count, error));
    assert_int_equal(count, 3);
    carom_audit_release(&audit);
    carom_surface_release(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_triangles),
        cmocka_unit_test(bodies_that_do_not_count),
        cmocka_unit_test(triangles_with_common_nodes),
        cmocka_unit_test(random_neighbours),
        cmocka_unit_test(segments_in_the_plane),
        cmocka_unit_test(agrees_with_all_pairs),
        cmocka_unit_test(not_finite_is_an_error),
        cmocka_unit_test(run_reports_what_it_sees),
        cmocka_unit_test(lines_and_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
