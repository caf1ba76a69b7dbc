// SPDX-License-Identifier: MIT
// Tests src/mesh/loop_patch.c, src/mesh/loop_rings.c.
// Loop's subdivision scheme: basis functions, patches with nodes of any valence, rings beyond open edges, and refusal of faces
// that are no surface.
#include "../../support.h"
#include "mesh/loop_patch.h"

static const int lattice[CAROM_LOOP_REGULAR][2] = {{0, 0},  {1, 0},  {0, 1},  {1, 1}, {-1, 1}, {1, -1},
                                                   {-1, 0}, {0, -1}, {2, -1}, {2, 0}, {0, 2},  {-1, 2}};

// Values at the barycentre as fractions, from the specification of the element.
static void test_barycentre(void **state) {
    (void)state;
    static const double values[CAROM_LOOP_ROWS][CAROM_LOOP_REGULAR] = {
        {92, 92, 92, 14, 14, 14, 1, 1, 1, 1, 1, 1},    {-78, 78, 0, 30, -30, 0, -5, -4, 4, 5, 1, -1},
        {-78, 0, 78, 30, 0, -30, -4, -5, -1, 1, 5, 4}, {-4, -4, -16, 8, 8, -4, 4, 2, 2, 4, 0, 0},
        {-4, -16, -4, 8, -4, 8, 2, 4, 0, 0, 4, 2},     {4, -8, -8, 10, -2, -2, 3, 3, -1, 1, 1, -1},
    };
    static const double over[CAROM_LOOP_ROWS] = {324, 162, 162, 18, 18, 18};
    double N[1][CAROM_LOOP_ROWS][CAROM_LOOP_REGULAR];
    carom_loop_points(1, N);
    for (int r = 0; r < CAROM_LOOP_ROWS; r++)
        for (int k = 0; k < CAROM_LOOP_REGULAR; k++)
            assert_near(N[0][r][k], values[r][k] / over[r], 1e-14);
}

// Reproduction of 1, i, j, i^2, j^2, ij and their derivatives.
static void test_polynomials(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int trial = 0; trial < 50; trial++) {
        double v = random_real(&seed, 0, 1), w = random_real(&seed, 0, 1 - v), N[CAROM_LOOP_ROWS][CAROM_LOOP_REGULAR];
        carom_loop_basis(v, w, N);
        double sum[CAROM_LOOP_ROWS][6] = {{0}};
        for (int r = 0; r < CAROM_LOOP_ROWS; r++)
            for (int k = 0; k < CAROM_LOOP_REGULAR; k++) {
                double i = lattice[k][0], j = lattice[k][1], p[6] = {1, i, j, i * i, j * j, i * j};
                for (int m = 0; m < 6; m++)
                    sum[r][m] += N[r][k] * p[m];
            }
        const double expected[CAROM_LOOP_ROWS][6] = {{1, v, w, 0, 0, 0}, {0, 1, 0, 2 * v, 0, w}, {0, 0, 1, 0, 2 * w, v},
                                                     {0, 0, 0, 2, 0, 0}, {0, 0, 0, 0, 2, 0},     {0, 0, 0, 0, 0, 1}};
        for (int r = 0; r < CAROM_LOOP_ROWS; r++)
            for (int m = 0; m < (r == 0 ? 3 : 6); m++)
                assert_near(sum[r][m], expected[r][m], 1e-13);
    }
}

// First and second derivatives against central differences.
static void test_derivatives(void **state) {
    (void)state;
    double N[CAROM_LOOP_ROWS][CAROM_LOOP_REGULAR], d[4][CAROM_LOOP_ROWS][CAROM_LOOP_REGULAR], v = 0.23, w = 0.41, h = 1e-5;
    carom_loop_basis(v, w, N);
    carom_loop_basis(v + h, w, d[0]);
    carom_loop_basis(v - h, w, d[1]);
    carom_loop_basis(v, w + h, d[2]);
    carom_loop_basis(v, w - h, d[3]);
    for (int k = 0; k < CAROM_LOOP_REGULAR; k++) {
        assert_near((d[0][0][k] - d[1][0][k]) / (2 * h), N[1][k], 1e-9);
        assert_near((d[2][0][k] - d[3][0][k]) / (2 * h), N[2][k], 1e-9);
        assert_near((d[0][1][k] - d[1][1][k]) / (2 * h), N[3][k], 1e-9);
        assert_near((d[2][2][k] - d[3][2][k]) / (2 * h), N[4][k], 1e-9);
        assert_near((d[2][1][k] - d[3][1][k]) / (2 * h), N[5][k], 1e-9);
    }
}

static void generate(const char *generator, const void *params, carom_mesh *mesh) {
    *mesh = (carom_mesh){0};
    assert_ok(carom_mesh_generate((carom_pick){carom_catalogue_find(carom_generators(), generator), params}, mesh, error));
}

// A regular patch whose ring is completed by ghost nodes is evaluated by subdivision; weights computed directly from the basis
// functions, including ghosts, are the same, since the scheme is refinable. At one and at three points.
static void test_refinement(void **state) {
    (void)state;
    carom_hexagonal_disc_params disc = {.radius = 1, .rings = 3};
    carom_mesh mesh;
    carom_loop_rings rings;
    const carom_loop_ends ends = {0};
    static carom_loop_patch patch;
    static carom_loop_point ring[3][CAROM_LOOP_VALENCE_MAX];
    static const int of[9] = {1, 0, 0, 0, 0, 1, 1, 2, 2}, place[9] = {5, 2, 5, 3, 4, 3, 4, 3, 4};
    int compared = 0;
    generate("hexagonal-disc", &disc, &mesh);
    for (int k = 0; k < mesh.node_count; k++)
        mesh.nodes[k][2] = mesh.nodes[k][0] * mesh.nodes[k][1];
    assert_ok(carom_loop_rings_create(&rings, &mesh, &ends, error));
    for (int f = 0; f < rings.face_count; f++)
        for (int points = 1; points <= 3; points += 2) {
            double N[CAROM_LOOP_POINTS_MAX][CAROM_LOOP_ROWS][CAROM_LOOP_REGULAR], at[CAROM_LOOP_REGULAR][3];
            assert_true(carom_loop_patch_create(&rings, f, points, &patch));
            assert_false(patch.affine);
            if (patch.regular)
                continue;
            compared++;
            carom_loop_points(points, N);
            for (int c = 0; c < 3; c++) {
                assert_int_equal(carom_loop_ring(&rings, f, c, ring[c]), 6);
                memcpy(at[c], mesh.nodes[rings.faces[f][c]], sizeof at[c]);
            }
            for (int k = 0; k < 9; k++)
                for (int i = 0; i < 3; i++) {
                    const carom_loop_point *p = &ring[of[k]][place[k]];
                    at[3 + k][i] = 0;
                    for (int t = 0; t < p->count; t++)
                        at[3 + k][i] += p->weight[t] * mesh.nodes[p->node[t]][i];
                }
            for (int q = 0; q < points; q++)
                for (int i = 0; i < 3; i++) {
                    double one[CAROM_LOOP_ROWS] = {0}, two[CAROM_LOOP_ROWS] = {0};
                    for (int r = 0; r < CAROM_LOOP_ROWS; r++) {
                        for (int k = 0; k < CAROM_LOOP_REGULAR; k++)
                            one[r] += N[q][r][k] * at[k][i];
                        for (int a = 0; a < patch.node_count; a++)
                            two[r] += patch.weight[q][r][i][a] * mesh.nodes[patch.nodes[a]][i];
                    }
                    assert_near(two[0], one[0], 1e-14);
                    // local coordinates of each corner: the first direction is towards the next corner
                    double d1 = one[1], d2 = one[2], d11 = one[3], d22 = one[4], d12 = one[5];
                    double expected[3][5] = {{d1, d2, d11, d22, d12},
                                             {d2 - d1, -d1, d11 - 2 * d12 + d22, d11, d11 - d12},
                                             {-d2, d1 - d2, d22, d11 - 2 * d12 + d22, d22 - d12}};
                    for (int r = 0; r < 5; r++)
                        assert_near(two[1 + r], expected[q][r], 1e-13);
                }
        }
    assert_true(compared > 20);
    carom_loop_rings_release(&rings);
    carom_mesh_release(&mesh);
}

// Points on a sphere remain near it for any valence, and areas sum to that of the sphere.
static void test_irregular(void **state) {
    (void)state;
    static const int faces[] = {4096, 2048, 1280, 1200};
    static carom_loop_patch patch;
    for (int c = 0; c < 4; c++)
        for (int points = 1; points <= 3; points += 2) {
            carom_sphere_params sphere = {.radius = 1, .faces = faces[c]};
            carom_mesh mesh;
            carom_loop_rings rings;
            const carom_loop_ends ends = {0};
            int irregular = 0;
            generate("sphere", &sphere, &mesh);
            assert_ok(carom_loop_rings_create(&rings, &mesh, &ends, error));
            for (int f = 0; f < rings.face_count; f++) {
                assert_true(carom_loop_patch_create(&rings, f, points, &patch));
                if (patch.regular)
                    continue;
                irregular++;
                for (int q = 0; q < points; q++) {
                    double x[3] = {0}, mass = 0;
                    for (int a = 0; a < patch.node_count; a++) {
                        mass += patch.mass[q][a];
                        for (int i = 0; i < 3; i++)
                            x[i] += patch.weight[q][0][i][a] * mesh.nodes[patch.nodes[a]][i];
                    }
                    assert_near(mass, 1, 1e-14);
                    assert_near(sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), 1, 0.015);
                }
            }
            assert_true(irregular >= 12);
            carom_loop_rings_release(&rings);
            carom_mesh_release(&mesh);
        }
}

static carom_status try_faces(const int (*faces)[3], int count, carom_error *error) {
    double nodes[8][3] = {{0}};
    int64_t ids[8] = {10, 20, 30, 40, 50, 60, 70, 80};
    carom_cell_block block = {CAROM_CELL_TRI3, count, (int *)faces, NULL};
    carom_mesh mesh = {.node_count = 8, .nodes = nodes, .node_ids = ids, .block_count = 1, .blocks = &block};
    carom_loop_rings rings = {0};
    const carom_loop_ends ends = {0};
    carom_status status = carom_loop_rings_create(&rings, &mesh, &ends, error);
    carom_loop_rings_release(&rings);
    return status;
}

static void test_no_surface(void **state) {
    (void)state;
    const int good[][3] = {{0, 1, 2}, {2, 1, 3}}, branch[][3] = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};
    const int turned[][3] = {{0, 1, 2}, {1, 2, 3}}, touching[][3] = {{0, 1, 2}, {0, 3, 4}}, twice[][3] = {{0, 1, 0}};
    const int doubled[][3] = {{0, 1, 2}, {0, 2, 1}};
    assert_ok(try_faces(good, 2, error));
    assert_refused(try_faces(branch, 3, error), CAROM_BAD_INPUT, "nodes 10-20");
    assert_refused(try_faces(branch, 3, error), CAROM_BAD_INPUT, "more than two triangles");
    assert_refused(try_faces(turned, 2, error), CAROM_BAD_INPUT, "nodes 20-30) with two triangles of opposite orientation");
    assert_refused(try_faces(touching, 2, error), CAROM_BAD_INPUT, "touch at node 10 only");
    assert_refused(try_faces(twice, 1, error), CAROM_BAD_INPUT, "a node twice");
    assert_refused(try_faces(doubled, 2, error), CAROM_BAD_INPUT, "has 2 triangles around it");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_barycentre), cmocka_unit_test(test_polynomials), cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_refinement), cmocka_unit_test(test_irregular),   cmocka_unit_test(test_no_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
