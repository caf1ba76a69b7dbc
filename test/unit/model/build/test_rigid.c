// SPDX-License-Identifier: MIT
// Tests src/model/build/rigid.c, src/element/line/rigid.c.
// Mass, centre of mass and principal moments of rigid bodies, and refusals.
#include "../../../support.h"
#include "math/mat3.h"
#include "model/rigid.h"

static const carom_rigid_params dense = {.density = 1, .mass = NAN}, heavy = {.density = NAN, .mass = 2};

static carom_mesh box_of(const double to[3], int n, int cells) {
    carom_error error;
    carom_box_params box;
    carom_pick pick = carom_pick_of(carom_generators(), "box", &box, &error);
    memcpy(box.to, to, sizeof box.to);
    for (int i = 0; i < 3; i++)
        box.elements[i] = n;
    box.cells = cells;
    carom_mesh mesh = {0};
    assert_int_equal(carom_mesh_generate(pick, &mesh, &error), CAROM_OK);
    return mesh;
}

static carom_mesh triangles(int node_count, const double (*x)[3], int count, const int (*corners)[3]) {
    carom_mesh mesh = {0};
    carom_error error;
    assert_int_equal(carom_mesh_allocate(&mesh, node_count, CAROM_CELL_TRI3, count, &error), CAROM_OK);
    memcpy(mesh.nodes, x, (size_t)node_count * sizeof *x);
    memcpy(mesh.blocks[0].nodes, corners, (size_t)count * sizeof *corners);
    return mesh;
}

// The inertia tensor J in space from the principal moments and axes.
static void matrix_of(const carom_rigid_mass *found, double J[3][3]) {
    for (int i = 0; i < 9; i++) {
        J[i / 3][i % 3] = 0;
        for (int a = 0; a < 3; a++)
            J[i / 3][i % 3] += found->axes[i / 3][a] * found->inertia[a] * found->axes[i % 3][a];
    }
}

// A cube of side 1 and density 1 has mass 1 and moments 1/6, for any cells and position. A brick has M (b^2 + c^2)/12.
static void boxes(void **state) {
    (void)state;
    carom_error error;
    for (int cells = 0; cells < 2; cells++) {
        carom_mesh cube = box_of((const double[3]){1, 1, 1}, 2, cells), brick = box_of((const double[3]){1, 2, 3}, 2, cells);
        for (int k = 0; k < cube.node_count; k++)
            cube.nodes[k][0] += 1000;
        carom_rigid_mass found;
        assert_int_equal(carom_rigid_mass_find(&cube, &dense, &found, &error), CAROM_OK);
        assert_near(found.mass, 1, 1e-12);
        assert_near(found.centre[0], 1000.5, 1e-9);
        assert_near(found.centre[1], 0.5, 1e-14);
        for (int i = 0; i < 3; i++)
            assert_near(found.inertia[i], 1.0 / 6, 1e-12);
        double J[3][3];
        assert_int_equal(carom_rigid_mass_find(&brick, &heavy, &found, &error), CAROM_OK);
        matrix_of(&found, J);
        assert_near(found.mass, 2, 0);
        assert_near(J[0][0], 2 * 13.0 / 12, 1e-13);
        assert_near(J[1][1], 2 * 10.0 / 12, 1e-13);
        assert_near(J[2][2], 2 * 5.0 / 12, 1e-13);
        carom_mesh_release(&cube);
        carom_mesh_release(&brick);
    }
}

static const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int outward[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

// The tetrahedron at the origin: volume 1/6, centre 1/4, int x x = 1/60, int x y = 1/120 about the origin. With
// reversed faces it is the same body.
static void tetrahedron(void **state) {
    (void)state;
    carom_error error;
    carom_mesh mesh = triangles(4, corner, 4, outward);
    for (int turn = 0; turn < 2; turn++) {
        carom_rigid_mass found;
        double J[3][3];
        assert_int_equal(carom_rigid_mass_find(&mesh, &dense, &found, &error), CAROM_OK);
        matrix_of(&found, J);
        assert_near(found.mass, 1.0 / 6, 1e-15);
        for (int i = 0; i < 3; i++) {
            assert_near(found.centre[i], 0.25, 1e-15);
            // int y y + int z z, about the centre of mass
            assert_near(J[i][i], 2.0 / 60 - found.mass * 2 / 16, 1e-15);
            assert_near(J[i][(i + 1) % 3], -1.0 / 120 + found.mass / 16, 1e-15);
        }
        double cross[3], columns[3][3];
        for (int i = 0; i < 9; i++)
            columns[i % 3][i / 3] = found.axes[i / 3][i % 3];
        carom_cross(columns[0], columns[1], cross);
        assert_near(carom_dot(cross, columns[2]), 1, 1e-14);
        for (int f = 0; f < 4; f++) {
            int swap = mesh.blocks[0].nodes[3 * f];
            mesh.blocks[0].nodes[3 * f] = mesh.blocks[0].nodes[3 * f + 1];
            mesh.blocks[0].nodes[3 * f + 1] = swap;
        }
    }
    carom_mesh_release(&mesh);
}

// A square sheet of mass 2: M a^2/12 about axes in its plane, twice that about the normal.
static void sheet(void **state) {
    (void)state;
    carom_error error;
    static const double x[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    static const int faces[2][3] = {{0, 1, 2}, {0, 2, 3}};
    carom_mesh mesh = triangles(4, x, 2, faces);
    carom_rigid_mass found;
    double J[3][3];
    assert_int_equal(carom_rigid_mass_find(&mesh, &heavy, &found, &error), CAROM_OK);
    matrix_of(&found, J);
    assert_near(J[0][0], 1.0 / 6, 1e-15);
    assert_near(J[1][1], 1.0 / 6, 1e-15);
    assert_near(J[2][2], 1.0 / 3, 1e-15);
    assert_int_equal(carom_rigid_mass_find(&mesh, &dense, &found, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "is open"));
    carom_mesh_release(&mesh);
}

// Given masses and moments, and refusal of impossible ones.
static void given(void **state) {
    (void)state;
    carom_error error;
    carom_mesh mesh = triangles(4, corner, 4, outward);
    carom_rigid_mass found;
    double J[3][3];
    carom_rigid_params params = heavy;
    params.offset[2] = 0.5;
    for (int i = 0; i < 3; i++)
        params.inertia[i] = 2 + i;
    params.products[0] = 0.25;
    assert_int_equal(carom_rigid_mass_find(&mesh, &params, &found, &error), CAROM_OK);
    matrix_of(&found, J);
    assert_near(found.centre[2], 0.75, 1e-15);
    assert_near(J[0][0], 2, 1e-14);
    assert_near(J[2][2], 4, 1e-14);
    assert_near(J[0][1], 0.25, 1e-14);
    params.inertia[2] = 5.2;
    assert_int_equal(carom_rigid_mass_find(&mesh, &params, &found, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "impossible principal moments of inertia"));
    params = heavy;
    params.products[1] = 0.1;
    assert_int_equal(carom_rigid_mass_find(&mesh, &params, &found, &error), CAROM_BAD_INPUT);
    params = heavy;
    params.density = 1;
    assert_int_equal(carom_rigid_mass_find(&mesh, &params, &found, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "found both"));
    params.density = params.mass = NAN;
    assert_int_equal(carom_rigid_mass_find(&mesh, &params, &found, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "found neither"));
    carom_mesh_release(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes),
        cmocka_unit_test(tetrahedron),
        cmocka_unit_test(sheet),
        cmocka_unit_test(given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
