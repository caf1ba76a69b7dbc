// SPDX-License-Identifier: MIT
// Tests src/contact/surface.c.
// The surface of contact: counts by Euler's formula, owners, neighbours, open and closed bodies, refused input.
#include "../../support.h"
#include "contact/surface.h"

// The six sides of a cube as two triangles each, all turned outward.
static const int cube[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
static const double cube_x[8][3] = {{0, 0, 0}, {2, 0, 0}, {2, 3, 0}, {0, 3, 0}, {0, 0, 5}, {2, 0, 5}, {2, 3, 5}, {0, 3, 5}};

static carom_surface build(int corners, int nodes, int bodies, int faces, const int *list, const int *body) {
    carom_surface s = {0};
    carom_surface_def def = {corners, nodes, bodies, faces, list, body};
    assert_ok(carom_surface_build(&def, &s, error));
    return s;
}

// Each node and each edge has one owner, and that is the first of its faces.
static void check_owners(const carom_surface *s) {
    int nodes = 0, edges = 0;
    for (int f = 0; f < s->face_count; f++)
        for (int i = 0; i < 3; i++) {
            int k = s->faces[f][i];
            if (s->owned[f] & 1 << i) {
                assert_int_equal(s->node_faces[s->node_faces_begin[k]], f);
                nodes++;
            }
            if (s->owned[f] & 8 << i) {
                int e = s->face_edges[f][i];
                assert_int_equal(s->edge_faces[s->edge_faces_begin[e]], f);
                edges++;
            }
        }
    assert_int_equal(nodes, s->vertex_count);
    assert_int_equal(edges, s->edge_count);
}

static void box(void **state) {
    (void)state;
    // two cubes, nodes of the second from 10 on; nodes 8 and 9 are inside bodies
    int faces[24][3], body[24];
    for (int f = 0; f < 24; f++) {
        body[f] = f / 12;
        for (int i = 0; i < 3; i++)
            faces[f][i] = cube[f % 12][i] + 10 * (f / 12);
    }
    carom_surface s = build(3, 18, 3, 24, &faces[0][0], body);
    assert_int_equal(s.face_count, 24);
    assert_int_equal(s.vertex_count, 16);
    // V - E + F = 2 for each
    assert_int_equal(s.edge_count, 16 + 24 - 4);
    check_owners(&s);
    for (int e = 0; e < s.edge_count; e++) {
        assert_true(s.edges[e][0] < s.edges[e][1]);
        assert_true(e == 0 || s.edges[e - 1][0] < s.edges[e][0] ||
                    (s.edges[e - 1][0] == s.edges[e][0] && s.edges[e - 1][1] < s.edges[e][1]));
        assert_int_equal(s.edge_faces_begin[e + 1] - s.edge_faces_begin[e], 2);
    }
    for (int f = 0; f < 24; f++)
        for (int i = 0; i < 3; i++) {
            const int *edge = s.edges[s.face_edges[f][i]];
            int a = s.faces[f][i], b = s.faces[f][(i + 1) % 3];
            assert_true((edge[0] == a && edge[1] == b) || (edge[0] == b && edge[1] == a));
        }
    assert_int_equal(s.vertices[7], 7);
    assert_int_equal(s.vertices[8], 10);
    assert_int_equal(s.node_body[8], -1);
    assert_int_equal(s.node_body[17], 1);
    // closed, closed, and a body without faces
    assert_false(s.open[0] || s.open[1]);
    assert_true(s.open[2]);
    carom_surface_release(&s);
    assert_null(s.faces);
}

static void open_bodies(void **state) {
    (void)state;
    static const int body[14] = {0};
    int faces[14][3];
    memcpy(faces, cube, sizeof cube);
    // a side is missing
    carom_surface s = build(3, 8, 1, 11, &faces[0][0], body);
    assert_true(s.open[0]);
    check_owners(&s);
    carom_surface_release(&s);
    // one face is turned
    faces[5][1] = cube[5][2], faces[5][2] = cube[5][1];
    s = build(3, 8, 1, 12, &faces[0][0], body);
    assert_true(s.open[0]);
    carom_surface_release(&s);
    // a fin on an edge: the edge branches
    memcpy(faces, cube, sizeof cube);
    faces[12][0] = 0, faces[12][1] = 1, faces[12][2] = 8;
    s = build(3, 9, 1, 13, &faces[0][0], body);
    assert_true(s.open[0]);
    assert_int_equal(s.edge_count, 18 + 2);
    check_owners(&s);
    carom_surface_release(&s);
    // a face between two corners only has no area: left out, and the rest stays closed
    faces[12][2] = 1;
    s = build(3, 9, 1, 13, &faces[0][0], body);
    assert_int_equal(s.face_count, 12);
    assert_false(s.open[0]);
    carom_surface_release(&s);
    // and the others remember where they came from
    for (int i = 0; i < 3; i++)
        faces[0][i] = 4;
    s = build(3, 9, 1, 12, &faces[0][0], body);
    assert_int_equal(s.face_count, 11);
    assert_int_equal(s.source[0], 1);
    assert_int_equal(s.source[10], 11);
    carom_surface_release(&s);
}

static void plane(void **state) {
    (void)state;
    // a triangle, a triangle with one side turned, an open line
    static const int segments[8][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {3, 5}, {6, 7}, {7, 8}};
    static const int body[8] = {0, 0, 0, 1, 1, 1, 2, 2};
    static const double x[9][3] = {{0, 0, 0}, {3, 0, 9}, {0, 4, 0}, {0, 0, 0},  {3, 0, 0},
                                   {0, 4, 0}, {0, 0, 0}, {7, 0, 0}, {8.5, 0, 0}};
    carom_surface s = build(2, 9, 3, 8, &segments[0][0], body);
    assert_int_equal(s.face_count, 8);
    assert_int_equal(s.edge_count, 0);
    assert_int_equal(s.vertex_count, 9);
    assert_false(s.open[0]);
    assert_true(s.open[1] && s.open[2]);
    int owned = 0;
    for (int f = 0; f < 8; f++)
        owned += (s.owned[f] & 1) + (s.owned[f] >> 1 & 1);
    assert_int_equal(owned, 9);
    assert_near(carom_surface_shortest_side(&s, NULL, x), 1.5, 0);
    carom_surface_release(&s);
}

static void sizes(void **state) {
    (void)state;
    static const int body[12] = {0};
    carom_surface s = build(3, 8, 1, 12, &cube[0][0], body);
    assert_near(carom_surface_shortest_side(&s, NULL, cube_x), 2, 0);
    carom_surface_release(&s);
    s = build(3, 8, 0, 0, NULL, NULL);
    assert_near(carom_surface_shortest_side(&s, NULL, cube_x), 0, 0);
    assert_int_equal(s.vertex_count, 0);
    carom_surface_release(&s);
}

static void lines_and_points(void **state) {
    (void)state;
    // a cube, a bar of two lines at nodes 8 to 10, and a point mass at node 11
    int body[12] = {0};
    const int thin[3][2] = {{8, 9}, {9, 10}, {11, 11}}, thin_body[3] = {1, 1, 2};
    carom_surface_def def = {3, 12, 3, 12, &cube[0][0], body, 3, thin, thin_body};
    carom_surface s, full;
    assert_ok(carom_surface_build(&def, &s, error));
    assert_int_equal(s.full_count, 12);
    assert_int_equal(s.face_count, 15);
    assert_int_equal(s.vertex_count, 12);
    assert_int_equal(s.edge_count, 18 + 2);
    assert_true(s.thin[1] && s.thin[2] && !s.thin[0]);
    assert_true(s.open[1] && s.open[2] && !s.open[0]);
    // each node is owned once, each line owns one edge, the point none
    int nodes = 0;
    for (int f = 0; f < s.face_count; f++)
        for (int i = 0; i < 3; i++)
            nodes += (s.owned[f] >> i) & 1;
    assert_int_equal(nodes, 12);
    assert_int_equal(s.owned[12] >> 3, 1);
    assert_int_equal(s.owned[13] >> 3, 1);
    assert_int_equal(s.owned[14], 1);
    assert_int_equal(s.node_faces_begin[10] - s.node_faces_begin[9], 2);
    assert_false(carom_surface_face_has_interior(&s, 12));
    assert_true(carom_surface_face_has_interior(&s, 11));
    // without them it is the cube alone
    assert_ok(carom_surface_copy(&s, NULL, false, &full, error));
    assert_int_equal(full.face_count, 12);
    assert_int_equal(full.vertex_count, 8);
    assert_memory_equal(full.faces, s.faces, 12 * sizeof *s.faces);
    carom_surface_release(&full);
    // of some bodies, with the lines and points of these
    assert_ok(carom_surface_copy(&s, (const bool[]){true, true, false}, true, &full, error));
    assert_int_equal(full.full_count, 12);
    assert_int_equal(full.face_count, 14);
    assert_int_equal(full.body[12] + full.body[13], 2);
    assert_memory_equal(full.faces, s.faces, 14 * sizeof *s.faces);
    assert_true(full.thin[1] && !full.thin[0] && !full.thin[2]);
    carom_surface_release(&full);
    carom_surface_release(&s);
}

static void refused(void **state) {
    (void)state;
    int faces[12][3], body[12] = {0};
    carom_surface s = {0};
    carom_surface_def def = {3, 8, 1, 12, &faces[0][0], body};
    memcpy(faces, cube, sizeof cube);
    faces[7][2] = 8;
    assert_refused(carom_surface_build(&def, &s, error), CAROM_BAD_INPUT, "face 7 has node 8 of 8");
    assert_null(s.arena);
    faces[7][2] = -1;
    assert_refused(carom_surface_build(&def, &s, error), CAROM_BAD_INPUT, "face 7 has node -1");
    memcpy(faces, cube, sizeof cube);
    body[3] = 1;
    assert_refused(carom_surface_build(&def, &s, error), CAROM_BAD_INPUT, "face 3 belongs to body 1 of 1");
    def.body_count = 2;
    assert_refused(carom_surface_build(&def, &s, error), CAROM_BAD_INPUT, "bodies 0 and 1");
    def.face_count = INT32_MAX;
    assert_refused(carom_surface_build(&def, &s, error), CAROM_BAD_INPUT, "too many");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box),   cmocka_unit_test(open_bodies), cmocka_unit_test(plane),
        cmocka_unit_test(sizes), cmocka_unit_test(refused),     cmocka_unit_test(lines_and_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
