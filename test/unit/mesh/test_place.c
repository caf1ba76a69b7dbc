// SPDX-License-Identifier: MIT
// Tests src/mesh/place.c, src/mesh/center.c, src/scene/build/placing.c.
// Centres of mass of meshes against closed forms, and the effect of each step of a placement.
#include <math.h>

#include "../../support.h"
#include "carom/scene.h"
#include "mesh/mesh.h"
#include "mesh/steps.h"

static void make(const char *text, carom_mesh *mesh) {
    *mesh = (carom_mesh){0};
    assert_ok(carom_scene_mesh(text, NULL, 0, mesh, NULL, error));
}

static void assert_at(const double found[3], const double expected[3], double tolerance) {
    for (int i = 0; i < 3; i++)
        if (!(fabs(found[i] - expected[i]) <= tolerance))
            fail_msg("component %d is %.17g instead of %.17g", i, found[i], expected[i]);
}

static void assert_center(const char *text, const double expected[3], double tolerance) {
    carom_mesh mesh;
    double center[3];
    make(text, &mesh);
    carom_mesh_center(&mesh, center);
    assert_at(center, expected, tolerance);
    carom_mesh_release(&mesh);
}

static void test_centers(void **state) {
    (void)state;
    // cells are weighted by volume, area or length; the error is the rounding of coordinates
    assert_center("box: {from: [1, 2, 3], to: [3, 5, 7], elements: [3, 2, 2], grading: [2, 1, 3]}", VECTOR(2, 3.5, 5), 1e-14);
    assert_center("box: {from: [1, 2, 3], to: [3, 5, 7], elements: [3, 2, 2], cells: tet4}", VECTOR(2, 3.5, 5), 1e-14);
    assert_center("line: {from: [0, 0, 0], to: [4, 0, 0], elements: 5, grading: start}", VECTOR(2, 0, 0), 1e-15);
    assert_center("rectangle: {from: [-1, -1, 0], to: [1, 1, 0], columns: 3, rows: 2}", VECTOR(0, 0, 0), 1e-15);
    assert_center("ball: {radius: 2, divisions: 2, layers: 2}", VECTOR(0, 0, 0), 1e-15);
    assert_center("sphere: {radius: 1, faces: 128}", VECTOR(0, 0, 0), 1e-15);
    assert_center("point: {at: [1, 2, 3]}", VECTOR(1, 2, 3), 0);
}

// A frustum of a pyramid: a hexahedron with inclined sides. The integrals of z (1 - z/2)^2 and (1 - z/2)^2 over z from 0
// to 1 give 11/28.
static void test_center_of_frustum(void **state) {
    (void)state;
    carom_mesh mesh;
    double center[3];
    make("box: {from: [-1, -1, 0], to: [1, 1, 1], elements: [1, 1, 1]}", &mesh);
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < 2; i++)
            mesh.nodes[k][i] *= 1 - 0.5 * mesh.nodes[k][2];
    carom_mesh_center(&mesh, center);
    assert_at(center, VECTOR(0, 0, 11.0 / 28), 1e-15);
    carom_mesh_release(&mesh);
}

// The box around a mesh.
static void find_box(const carom_mesh *mesh, double low[3], double high[3]) {
    for (int i = 0; i < 3; i++) {
        low[i] = HUGE_VAL, high[i] = -HUGE_VAL;
        for (int k = 0; k < mesh->node_count; k++) {
            low[i] = fmin(low[i], mesh->nodes[k][i]);
            high[i] = fmax(high[i], mesh->nodes[k][i]);
        }
    }
}

static void test_steps(void **state) {
    (void)state;
    carom_mesh mesh;
    carom_placement placement = carom_default_placement();
    double low[3], high[3], center[3];
    // 4 x 2 x 1, rotated upright about its centre, the centre moved to (0, 0, 10), then to a gap of 1/2 above the plane z = 1
    const carom_place_step steps[] = {
        {.action = CAROM_PLACE_SCALE, .vector = {2, 2, 1}},
        {.action = CAROM_PLACE_TURN_ABOUT_CENTER, .vector = {0, 3, 0}, .angle = 90},
        {.action = CAROM_PLACE_CENTER, .vector = {0, 0, 10}},
        {.action = CAROM_PLACE_MOVE, .vector = {5, 0, 0}},
        {.action = CAROM_PLACE_ON_PLANE, .vector = {0, 0, 2}, .point = {7, 7, 1}, .gap = 0.5},
    };
    make("box: {from: [0, 0, 0], to: [2, 1, 1], elements: [2, 2, 2]}", &mesh);
    carom_mesh_place_steps(&mesh, &placement, steps, 2, 0);
    find_box(&mesh, low, high);
    // rotated about (2, 1, 0.5)
    assert_at(low, VECTOR(1.5, 0, -1.5), 1e-15);
    assert_at(high, VECTOR(2.5, 2, 2.5), 1e-15);
    carom_mesh_place_steps(&mesh, &placement, steps + 2, 2, 0);
    carom_mesh_center(&mesh, center);
    assert_at(center, VECTOR(5, 0, 10), 1e-14);
    carom_mesh_place_steps(&mesh, &placement, steps + 4, 1, 0);
    find_box(&mesh, low, high);
    assert_at(low, VECTOR(4.5, -1, 1.5), 1e-14);
    carom_mesh_release(&mesh);

    // copies keep their spacing
    placement.copies[2] = 3;
    placement.spacing[2] = 5;
    make("box: {from: [0, 0, 0], to: [2, 1, 1], elements: [2, 2, 2]}", &mesh);
    carom_mesh_place_steps(&mesh, &placement, steps, 5, 2);
    find_box(&mesh, low, high);
    assert_at(low, VECTOR(4.5, -1, 11.5), 1e-14);
    carom_mesh_release(&mesh);
}

// An oblique plane: the nearest node is on it up to the rounding of coordinates.
static void test_oblique_plane(void **state) {
    (void)state;
    carom_mesh mesh;
    carom_placement placement = carom_default_placement();
    const carom_place_step steps[] = {
        {.action = CAROM_PLACE_TURN, .vector = {1, 2, 3}, .angle = 37, .point = {1, 1, 1}},
        {.action = CAROM_PLACE_ON_PLANE, .vector = {1, 1, 1}, .point = {0, 0, 3}},
    };
    make("box: {from: [0, 0, 0], to: [2, 1, 1], elements: [2, 2, 2]}", &mesh);
    carom_mesh_place_steps(&mesh, &placement, steps, 2, 0);
    double least = HUGE_VAL;
    for (int k = 0; k < mesh.node_count; k++)
        least = fmin(least, (mesh.nodes[k][0] + mesh.nodes[k][1] + mesh.nodes[k][2] - 3) / sqrt(3));
    assert_true(fabs(least) < 1e-15 * 8);
    carom_mesh_release(&mesh);
}

// A rotation about the centre of mass does not move it; a map and a list of steps are equivalent.
static void test_scene(void **state) {
    (void)state;
    static const char form[] = "integrator: newmark-dcr\n"
                               "time: {end: 0.01}\n"
                               "contact: {planes: [{name: floor, normal: [0, 0, 1]}]}\n"
                               "bodies:\n"
                               "  - name: part\n"
                               "    mesh: {box: {from: [0, 0, 0], to: [2, 1, 1], elements: [2, 1, 1]}}\n"
                               "    place: %s\n"
                               "    element: hex8\n"
                               "    material: {linear: {young: 1, poisson: 0.3, density: 1}}\n";
    static const char *const places[] = {
        "{scale: [1, 2, 1], axis: [1, 1, 0], angle: 30, about: center, translate: [1, 2, 3], on: floor, gap: 0.25}",
        "[{scale: [1, 2, 1]}, {axis: [1, 1, 0], angle: 30, about: center}, {translate: [1, 2, 3]}, {on: floor, gap: 0.25}]",
    };
    uint64_t hash[3];
    char *dump = NULL;
    for (int i = 0; i < 3; i++) {
        char text[1024];
        carom_scene *scene;
        snprintf(text, sizeof text, form, places[i % 2]);
        // the last scene is the dump of the list, read back
        const char *read = i == 2 ? dump : text;
        assert_ok(carom_scene_parse(read, strlen(read), "place.yaml", NULL, 0, &scene, NULL, error));
        const carom_model *model = carom_scene_model(scene);
        hash[i] = carom_model_hash(model);
        double least = HUGE_VAL;
        for (int k = 0; k < carom_model_node_count(model); k++)
            least = fmin(least, carom_model_reference(model)[k][2]);
        assert_true(fabs(least - 0.25) < 1e-15);
        if (i == 1)
            dump = carom_scene_text(scene);
        carom_scene_release(scene);
    }
    carom_free(dump);
    assert_true(hash[0] == hash[1]);
    assert_true(hash[1] == hash[2]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_centers), cmocka_unit_test(test_center_of_frustum),
        cmocka_unit_test(test_steps),   cmocka_unit_test(test_oblique_plane),
        cmocka_unit_test(test_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
