// SPDX-License-Identifier: MIT
// Tests src/contact/pairs/audit.c, src/contact/pairs/distance.c, src/contact/pairs/self_pairs.c,
// src/contact/pairs/vertex_fans.c.
// The audit of surfaces: intersections and distances against closed forms and against tests of all pairs.
#include "../../../support.h"
#include "carom/contact.h"
#include "carom/run.h"
#include "contact/narrow/narrow.h"
#include "contact/pairs/audit.h"
#include "math/vec3.h"
#include "sim/sim.h"

enum { FACES = 512, NODES = 1536, BODIES = 128 };

// Separate triangles or segments: faces have no common nodes, unless a test adds some.
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
    assert_int_equal(s->audit.crossings.count, count);
    return count;
}

static double distance(soup *s, int faces[2]) {
    double d = -1;
    assert_ok(carom_surface_distance(&s->audit, (const double(*)[3])s->x, HUGE_VAL, &d, faces, error));
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
        // touching counts as an intersection
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

static void excluded_bodies(void **state) {
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

// Intersections of faces joined by a seam do not count; those of other faces of the same bodies do.
static void seams(void **state) {
    (void)state;
    const double upright[3][3] = {{0.2, 0.2, -0.1}, {0.2, 0.1, 0.5}, {0.2, 0.3, 0.5}};
    const double beside[3][3] = {{0.3, 0.2, -0.1}, {0.3, 0.1, 0.5}, {0.3, 0.3, 0.5}};
    // node 1 of the flat face with node 5 of the first upright one
    const int pair[1][2] = {{1, 5}};
    for (int i = 0; i < 2; i++) {
        carom_exclusions exclusions = {0};
        soup s = {.corners = 3};
        soup_add(&s, 0, flat);
        soup_add(&s, 1, upright);
        if (i)
            soup_add(&s, 1, beside);
        assert_ok(carom_exclusions_add_seams(s.node_count, pair, 1, &exclusions, error));
        soup_build(&s, &exclusions, NULL);
        assert_int_equal(crossings(&s), i);
        soup_end(&s);
        carom_exclusions_release(&exclusions);
    }
}

// The number of intersections of two faces of one body with common nodes. The first face has the nodes 0, 1, 2; `second` are
// the nodes of the other, of which those from 3 on are at the positions `more`.
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
    // one common node: the second face outside of the first, through it, with a corner in it, coplanar without and with overlap
    assert_int_equal(joined(one, (const double[][3]){{-1, 0, 0}, {0, -1, 1}}, 2), 0);
    assert_int_equal(joined(one, (const double[][3]){{0.3, 0.3, 1}, {0.3, 0.3, -1}}, 2), 1);
    assert_int_equal(joined(one, (const double[][3]){{0.3, 0.3, 0}, {0.3, 0.3, -1}}, 2), 1);
    assert_int_equal(joined(one, (const double[][3]){{-1, 0, 0}, {0, -1, 0}}, 2), 0);
    assert_int_equal(joined(one, (const double[][3]){{2, 1, 0}, {1, 2, 0}}, 2), 1);
    // another common corner, with the side opposite to it through the face
    assert_int_equal(joined(turned, (const double[][3]){{0.2, 0.2, 0.5}, {0.2, 0.2, -0.5}}, 2), 1);
    assert_int_equal(joined(turned, (const double[][3]){{0.2, 0.2, 0.5}, {0.2, 0.2, 0.25}}, 2), 0);
    // a common side: at an angle, flat, and folded onto each other in two ways
    assert_int_equal(joined(two, (const double[][3]){{0.2, 0.1, 0.3}}, 1), 0);
    assert_int_equal(joined(two, (const double[][3]){{0.5, -1, 0}}, 1), 0);
    assert_int_equal(joined(two, (const double[][3]){{0.2, 0.2, 0}}, 1), 1);
    assert_int_equal(joined(two, (const double[][3]){{1.5, 0.25, 0}}, 1), 1);
}

// Random triangles with one common corner: if they have other points in common, the side opposite to the corner of one of them
// intersects the other.
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
        // the distance is that between a node and a segment, also if the segments cross
        if (i)
            assert_near(distance(&s, NULL), apart[i], 1e-15);
        soup_end(&s);
    }

    // two segments with a common node: at an angle, in line, folded back
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
    // some rounds have intersections, others have none
    assert_true(crossed > 5 && crossed < 35);
}

// Reorders the corners of two triangles such that common ones come first, in the same order. Returns their number.
static int common_first(const int f[3], const int g[3], int a[3], int b[3]) {
    int common = 0, rest = 2;
    for (int i = 0; i < 3; i++) {
        bool shared = f[i] == g[0] || f[i] == g[1] || f[i] == g[2];
        a[shared ? common : rest] = f[i];
        common += shared;
        rest -= !shared;
    }
    memcpy(b, a, (size_t)common * sizeof *b);
    for (int i = 0, at = common; i < 3; i++)
        if (g[i] != f[0] && g[i] != f[1] && g[i] != f[2])
            b[at++] = g[i];
    return common;
}

static bool simplices_meet(const double (*x)[3], int a0, int a1, int a2, int b0, int b1, int b2) {
    double a[3][3], b[3][3];
    const int first[3] = {a0, a1, a2}, second[3] = {b0, b1, b2};
    for (int i = 0; i < 3; i++) {
        memcpy(a[i], x[first[i]], sizeof a[i]);
        memcpy(b[i], x[second[i]], sizeof b[i]);
    }
    return carom_triangles_intersect((const double(*)[3])a, (const double(*)[3])b);
}

// The definition of an intersection, by exact predicates: a common point other than the common nodes and side.
static bool faces_meet(const double (*x)[3], const int f[3], const int g[3]) {
    int a[3], b[3];
    switch (common_first(f, g, a, b)) {
    case 0: return simplices_meet(x, a[0], a[1], a[2], b[0], b[1], b[2]);
    case 1:
        return simplices_meet(x, a[0], a[1], a[2], b[1], b[2], b[2]) || simplices_meet(x, a[1], a[2], a[2], b[0], b[1], b[2]);
    case 2:
        return simplices_meet(x, a[0], a[1], a[2], b[2], b[2], b[2]) || simplices_meet(x, a[2], a[2], a[2], b[0], b[1], b[2]) ||
               simplices_meet(x, a[0], a[2], a[2], b[1], b[2], b[2]) || simplices_meet(x, a[1], a[2], a[2], b[0], b[2], b[2]);
    default: return true;
    }
}

enum { CELLS = 9, SHEET_NODES = (CELLS + 1) * (CELLS + 1) };

// Two sheets of triangles as two bodies, the second one above the first.
static void make_sheets(soup *s) {
    *s = (soup){.corners = 3, .node_count = 2 * SHEET_NODES, .body_count = 2};
    for (int b = 0; b < 2; b++)
        for (int i = 0; i < CELLS; i++)
            for (int j = 0; j < CELLS; j++) {
                int k = b * SHEET_NODES + i * (CELLS + 1) + j, right = k + CELLS + 1;
                const int cell[2][3] = {{k, right, k + 1}, {right, right + 1, k + 1}};
                memcpy(s->nodes + 3 * s->face_count, cell, sizeof cell);
                s->body[s->face_count++] = b;
                s->body[s->face_count++] = b;
            }
}

// Positions of sheets rolled up by an angle, rotated as a whole, with random displacements.
static void place_sheets(soup *s, double angle, double turn, double height, double noise, uint64_t *seed) {
    for (int k = 0; k < s->node_count; k++) {
        double u = (double)(k % SHEET_NODES / (CELLS + 1)) / CELLS, v = (double)(k % SHEET_NODES % (CELLS + 1)) / CELLS;
        double p = angle * u, r = angle > 0.01 ? 1 / angle : 0,
               bent[3] = {r > 0 ? r * sin(p) : u, v, r > 0 ? r * (1 - cos(p)) : 0};
        bent[2] += k < SHEET_NODES ? 0 : height;
        double c = cos(turn), d = sin(turn), x[3] = {c * bent[0] - d * bent[1], d * bent[0] + c * bent[1], bent[2]};
        for (int i = 0; i < 3; i++)
            s->x[k][i] = x[i] + (noise > 0 ? random_real(seed, -noise, noise) : 0);
    }
}

// One audit used over a motion that bends and folds two sheets, with random displacements, against tests of all pairs. In some
// frames a node is moved near another one, as only a defect could do: an audit that relied on its old lists would miss it.
static void follows_a_motion(void **state) {
    (void)state;
    static soup s;
    uint64_t seed = 3;
    int crossed = 0, clean = 0, lists_kept = 0;
    make_sheets(&s);
    soup_build(&s, NULL, NULL);
    for (int frame = 0; frame < 120; frame++) {
        double angle = frame % 60 < 20 ? 0.001 * frame : 0.12 * (frame % 60 - 20),
               noise = frame % 60 < 30 ? 0.002 : 0.01 * (frame % 10);
        place_sheets(&s, angle, 0.3 * frame, frame < 60 ? 0.2 : 0.05, noise, &seed);
        if (frame % 7 == 3) {
            double *node = s.x[(int)random_real(&seed, 0, SHEET_NODES)], *other = s.x[(int)random_real(&seed, 0, SHEET_NODES)];
            for (int i = 0; i < 3; i++)
                node[i] = other[i] + random_real(&seed, -0.02, 0.02);
        }
        int64_t expected = 0;
        for (int f = 0; f < s.face_count; f++)
            for (int g = 0; g < f; g++)
                expected += faces_meet((const double(*)[3])s.x, s.surface.faces[f], s.surface.faces[g]);
        lists_kept += s.audit.folds.bodies[0].reach > 0;
        assert_int_equal(crossings(&s), expected);
        crossed += expected > 0;
        clean += expected == 0;
        // with a bound above the distance the result is the distance, with one below it the bound
        double d = distance(&s, NULL), same = -1, bound = -1;
        assert_ok(carom_surface_distance(&s.audit, (const double(*)[3])s.x, 2 * d, &same, NULL, error));
        assert_ok(carom_surface_distance(&s.audit, (const double(*)[3])s.x, 0.5 * d, &bound, NULL, error));
        assert_true(same == d && bound == 0.5 * d);
    }
    soup_end(&s);
    assert_true(crossed > 30 && clean > 20 && lists_kept > 10);
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
    assert_refused(carom_surface_distance(&s.audit, (const double(*)[3])s.x, HUGE_VAL, &d, NULL, error), CAROM_NUMERICAL,
                   "not finite");
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

// Bodies at a distance of 0.25, or moved into each other before the first step: the run must report this.
static void run_reports_intersections(void **state) {
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
    assert_ok(carom_surface_distance(&audit, (const double(*)[3])x, HUGE_VAL, &d, NULL, error));
    // the distance of the upper corner and the point: the line is farther, and distances of lines and points do not count
    assert_near(d, sqrt(1.02), 1e-12);
    x[POINT][2] = 0.1;
    assert_ok(carom_surface_intersections(&audit, (const double(*)[3])x, &count, error));
    assert_int_equal(count, 1);
    // one end of the line is inside: the line intersects a face, and a node is inside
    x[LINE][2] = 0.1;
    assert_ok(carom_surface_intersections(&audit, (const double(*)[3])x, &count, error));
    assert_int_equal(count, 3);
    carom_audit_release(&audit);
    carom_surface_release(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_triangles),
        cmocka_unit_test(excluded_bodies),
        cmocka_unit_test(seams),
        cmocka_unit_test(triangles_with_common_nodes),
        cmocka_unit_test(random_neighbours),
        cmocka_unit_test(segments_in_the_plane),
        cmocka_unit_test(agrees_with_all_pairs),
        cmocka_unit_test(follows_a_motion),
        cmocka_unit_test(not_finite_is_an_error),
        cmocka_unit_test(run_reports_intersections),
        cmocka_unit_test(lines_and_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
