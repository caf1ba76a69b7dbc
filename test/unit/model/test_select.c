// SPDX-License-Identifier: MIT
// Tests src/model/select.c, src/scene/build/build.c.
// Geometric selections, arrays of bodies and groups, in models and in scenes.
#include "../../support.h"
#include "carom/scene.h"
#include "mesh/mesh.h"
#include "model/model.h"

// Two bars on a line, from 0 to 10 and from 20 to 30, ten cells each, in one group.
static void two_bars(bench *b) {
    bench_start(b);
    bench_add_bar(b, VECTOR(0, 0, 0), VECTOR(10, 0, 0), 10, VECTOR(0, 0, 0), CAROM_BAR_SMALL);
    bench_add_bar(b, VECTOR(20, 0, 0), VECTOR(30, 0, 0), 10, VECTOR(0, 0, 0), CAROM_BAR_SMALL);
    strcpy(b->bodies[0].group, "bars");
    strcpy(b->bodies[1].group, "bars");
    bench_build(b);
}

static void assert_selected(const carom_model *model, const carom_selection *where, const int *expected, int expected_count) {
    int *nodes, count;
    assert_ok(carom_model_select(model, where, &nodes, &count, error));
    assert_int_equal(count, expected_count);
    for (int i = 0; i < count; i++)
        assert_int_equal(nodes[i], expected[i]);
    free(nodes);
}

#define SELECTED(count, ...) assert_selected(b.model, &where, (const int[]){__VA_ARGS__}, count)

static void test_regions(void **state) {
    (void)state;
    bench b;
    two_bars(&b);
    carom_selection where = {.body = "body0", .node = CAROM_AUTO};
    SELECTED(11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);

    // a box includes its boundary, up to rounding
    where.in_box.given = true;
    memcpy(where.in_box.low, VECTOR(2, 0, 0), sizeof where.in_box.low);
    memcpy(where.in_box.high, VECTOR(4 - 1e-10, 0, 0), sizeof where.in_box.high);
    SELECTED(3, 2, 3, 4);
    where.in_box.high[0] = 4 - 1e-7;
    SELECTED(2, 2, 3);
    // several conditions must all be satisfied
    where.in_sphere.given = true;
    memcpy(where.in_sphere.center, VECTOR(5, 0, 0), sizeof where.in_sphere.center);
    where.in_sphere.radius = 2;
    SELECTED(1, 3);
    where.in_box.given = false;
    SELECTED(5, 3, 4, 5, 6, 7);

    // a plane with a normal of any length, and a layer around it
    where.in_sphere.given = false;
    where.on_plane.given = true;
    memcpy(where.on_plane.point, VECTOR(6, 9, 9), sizeof where.on_plane.point);
    memcpy(where.on_plane.normal, VECTOR(-3, 0, 0), sizeof where.on_plane.normal);
    SELECTED(1, 6);
    where.on_plane.within = 1;
    SELECTED(3, 5, 6, 7);
    where.nearest.given = true;
    memcpy(where.nearest.to, VECTOR(100, 0, 0), sizeof where.nearest.to);
    SELECTED(1, 7);
    // of equally near nodes, the first one
    memcpy(where.nearest.to, VECTOR(5.5, 1, 0), sizeof where.nearest.to);
    SELECTED(1, 5);

    // a set within a region, and an empty selection
    where = (carom_selection){.body = "body0", .set = "end", .node = CAROM_AUTO};
    where.in_box.given = true;
    where.in_box.high[0] = 20;
    SELECTED(1, 10);
    where.in_box.high[0] = 9;
    int *nodes, count;
    assert_refused(carom_model_select(b.model, &where, &nodes, &count, error), CAROM_BAD_INPUT, "no node of body 'body0'");
    assert_null(nodes);
    bench_end(&b);
}

static void test_group(void **state) {
    (void)state;
    bench b;
    two_bars(&b);
    carom_selection where = {.body = "bars", .set = "end", .node = CAROM_AUTO};
    SELECTED(2, 10, 21);
    where = (carom_selection){.body = "bars", .node = 3};
    SELECTED(2, 3, 14);
    where = (carom_selection){.body = "bars", .node = CAROM_AUTO};
    where.nearest.given = true;
    where.nearest.to[0] = 19;
    SELECTED(1, 11);
    int *nodes, count;
    where = (carom_selection){.body = "bars", .node = 11};
    assert_refused(carom_model_select(b.model, &where, &nodes, &count, error), CAROM_BAD_INPUT, "has no node 11");
    where = (carom_selection){.body = "bar", .node = CAROM_AUTO};
    assert_refused(carom_model_select(b.model, &where, &nodes, &count, error), CAROM_BAD_INPUT, "there is no body 'bar'");
    bench_end(&b);
}

// A node is selected by its number in the file, also after its mesh was renumbered.
static void test_numbers(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(10, 0, 0), 10, VECTOR(0, 0, 0), CAROM_BAR_SMALL);
    carom_mesh *mesh = &b.meshes[0];
    mesh->node_ids = calloc((size_t)mesh->node_count, sizeof *mesh->node_ids);
    for (int k = 0; k < mesh->node_count; k++)
        mesh->node_ids[k] = 1000 - 3 * k;
    assert_ok(carom_mesh_renumber(mesh, error));
    bench_build(&b);
    for (int k = 0; k < mesh->node_count; k++) {
        carom_selection where = {.body = "body0", .node = 1000 - 3 * k};
        int *nodes, count;
        assert_ok(carom_model_select(b.model, &where, &nodes, &count, error));
        assert_int_equal(count, 1);
        assert_near(carom_model_reference(b.model)[nodes[0]][0], k, 1e-14);
        free(nodes);
    }
    int *nodes, count;
    assert_refused(carom_model_select(b.model, &(carom_selection){.body = "body0", .node = 4}, &nodes, &count, error),
                   CAROM_BAD_INPUT, "has no node of number 4");
    bench_end(&b);
}

// A region includes its boundary also far from the origin, where coordinates are rounded, and in tiny units; the nearest node
// is found also if squares of distances underflow.
static void test_scales(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    // spacing 1e-3 at 1e6, where numbers have steps of 1.2e-10
    bench_add_bar(&b, VECTOR(1e6, 1e6, 0), VECTOR(1e6 + 0.01, 1e6, 0), 10, VECTOR(0, 0, 0), CAROM_BAR_SMALL);
    bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(1e-8, 0, 0), 10, VECTOR(0, 0, 0), CAROM_BAR_SMALL);
    bench_build(&b);
    const double(*X)[3] = carom_model_reference(b.model);
    for (int k = 0; k <= 10; k++) {
        carom_selection where = {.body = "body0", .node = CAROM_AUTO};
        where.on_plane.given = true;
        // off by a further rounding error, with a normal of any length
        memcpy(where.on_plane.point, VECTOR(nextafter(nextafter(X[k][0], 2e6), 2e6), 0, 0), sizeof where.on_plane.point);
        memcpy(where.on_plane.normal, VECTOR(1e-200, 0, 0), sizeof where.on_plane.normal);
        SELECTED(1, k);
        where.on_plane.given = false;
        where.in_sphere.given = true;
        memcpy(where.in_sphere.center, VECTOR(X[k][0] + 1e-3, 1e6, 0), sizeof where.in_sphere.center);
        where.in_sphere.radius = 1e-3 - 2e-10;
        int expected[3] = {k, k + 1, k + 2};
        assert_selected(b.model, &where, expected, k == 10 ? 1 : k == 9 ? 2 : 3);

        // in units of 1e-9 exactly this node is selected
        where = (carom_selection){.body = "body1", .node = CAROM_AUTO};
        where.in_box.given = true;
        memcpy(where.in_box.low, VECTOR(k * 1e-9, 0, 0), sizeof where.in_box.low);
        memcpy(where.in_box.high, VECTOR(k * 1e-9, 0, 0), sizeof where.in_box.high);
        SELECTED(1, 11 + k);
    }
    bench_end(&b);

    // a plane through a node, given by a distant point that is on it up to rounding only; exact along an axis
    bench_start(&b);
    bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(1e-4, 0, 0), 10, VECTOR(0, 0, 0), CAROM_BAR_SMALL);
    bench_build(&b);
    carom_selection far = {.body = "body0", .node = CAROM_AUTO};
    far.on_plane.given = true;
    memcpy(far.on_plane.point, VECTOR(1e9, 1e9 / 3, 0), sizeof far.on_plane.point);
    memcpy(far.on_plane.normal, VECTOR(1, -3, 0), sizeof far.on_plane.normal);
    assert_selected(b.model, &far, (int[]){0}, 1);
    memcpy(far.on_plane.point, VECTOR(2e-5, 1e12, 0), sizeof far.on_plane.point);
    memcpy(far.on_plane.normal, VECTOR(1, 0, 0), sizeof far.on_plane.normal);
    assert_selected(b.model, &far, (int[]){2}, 1);
    bench_end(&b);

    bench_start(&b);
    for (int i = 0; i < 3; i++)
        bench_add_point(&b, VECTOR((3 - i) * 1e-170, 0, 0), 1, VECTOR(0, 0, 0));
    for (int i = 0; i < 3; i++)
        strcpy(b.bodies[i].group, "dust");
    bench_build(&b);
    carom_selection where = {.body = "dust", .node = CAROM_AUTO};
    where.nearest.given = true;
    SELECTED(1, 2);
    bench_end(&b);
}

// A set of cells selects their nodes, unless a node set has the same name. Messages contain the numbers of the file.
static void test_cells(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(10, 0, 0), 10, VECTOR(0, 0, 0), CAROM_BAR_SMALL);
    carom_mesh *mesh = &b.meshes[0];
    assert_ok(carom_mesh_add_cell_set(mesh, "middle", (const int[]){4, 5, 7}, 3, error));
    assert_ok(carom_mesh_add_cell_set(mesh, "end", (const int[]){0}, 1, error));
    int *nodes, count;
    assert_ok(carom_mesh_cell_set_nodes(mesh, carom_mesh_cell_set(mesh, "middle"), &nodes, &count, error));
    assert_int_equal(count, 5);
    assert_memory_equal(nodes, ((const int[]){4, 5, 6, 7, 8}), 5 * sizeof *nodes);
    free(nodes);
    bench_build(&b);
    carom_selection where = {.body = "body0", .set = "middle", .node = CAROM_AUTO};
    SELECTED(5, 4, 5, 6, 7, 8);
    strcpy(where.set, "end");
    SELECTED(1, 10);
    bench_end(&b);
}

static void refuse(const bench *b, const char *message) {
    carom_model *model;
    assert_refused(carom_model_create(&b->def, &model, error), CAROM_BAD_INPUT, message);
}

static void test_numbers_in_messages(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(10, 0, 0), 10, VECTOR(0, 0, 0), CAROM_BAR_SMALL);
    carom_mesh *mesh = &b.meshes[0];
    mesh->node_ids = calloc((size_t)mesh->node_count, sizeof *mesh->node_ids);
    mesh->blocks[0].ids = calloc((size_t)mesh->blocks[0].count, sizeof *mesh->blocks[0].ids);
    for (int k = 0; k <= 10; k++)
        mesh->node_ids[k] = 100 + k;
    for (int e = 0; e < 10; e++)
        mesh->blocks[0].ids[e] = 700 + e;
    mesh->nodes[4][0] = 3;
    refuse(&b, "body 'body0': element 703 has length 0");
    mesh->nodes[4][0] = NAN;
    refuse(&b, "body 'body0': node 104 is not at a finite position");
    mesh->nodes[4][0] = 4;
    mesh->blocks[0].count = 9;
    refuse(&b, "body 'body0': node 110 belongs to no element");
    mesh->blocks[0].count = 10;
    bench_end(&b);
}

static const char grid[] = "integrator: newmark-dcr\n"
                           "time: {end: 1, step: 0.01}\n"
                           "bodies:\n"
                           "  - name: ball\n"
                           "    mesh: {point: {at: [1, 0, 0]}}\n"
                           "    element: {point-mass: {mass: 2}}\n"
                           "    place: {scale: [2, 1, 1], axis: [0, 0, 1], angle: 90, translate: [0, 0, 5]}\n"
                           "    array: {copies: [5, 5, 3], spacing: [1, 2, 3]}\n"
                           "contact: false\n"
                           "restraints:\n"
                           "  - {body: ball, fix: y}\n"
                           "  - {body: ball_7, fix: x}\n"
                           "  - {body: ball, on_plane: {point: [0, 0, 11], normal: [0, 0, 1]}, fix: z}\n"
                           "loads: [{body: ball, nearest: {to: [100, 100, 100]}, force: [0, 0, 4]}]\n"
                           "output: {probes: [{name: all, body: ball}, {name: one, body: ball_74}]}\n";

static carom_scene *load(const char *text) {
    carom_scene *scene;
    carom_error error = {0};
    if (carom_scene_parse(text, strlen(text), "s.yaml", NULL, 0, &scene, NULL, &error))
        fail_msg("%s", error.message);
    return scene;
}

static void test_array(void **state) {
    (void)state;
    carom_scene *scene = load(grid);
    const carom_model *model = carom_scene_model(scene);
    assert_int_equal(carom_model_body_count(model), 75);
    assert_string_equal(carom_model_body_name(model, 0), "ball_0");
    assert_string_equal(carom_model_body_name(model, 74), "ball_74");
    // x varies fastest; positions are (0, 2, 5) + (i, 2 j, 3 k)
    for (int b = 0; b < 75; b++) {
        const double *x = carom_model_reference(model)[carom_model_body_begin(model, b)];
        assert_true(x[0] == b % 5 && x[1] == 2 + 2 * (b / 5 % 5) && x[2] == 5 + 3 * (b / 25));
    }
    // all bodies are fixed along y, one along x, those of the last layer along z; the load is on the last one
    assert_int_equal(model->restraints.count, 75);
    for (int b = 0; b < 75; b++)
        assert_int_equal(model->restraints.items[b].count, 1 + (b == 7) + (b >= 50));
    for (int b = 0; b < 75; b++)
        assert_true(model->load[b][2] == (b == 74 ? 4 : 0));

    // a dump reads back as the same scene
    char *text = carom_scene_text(scene);
    assert_non_null(text);
    assert_non_null(strstr(text, "nearest:"));
    assert_null(strstr(text, "in_box"));
    carom_scene *again = load(text);
    assert_true(carom_scene_model(again)->hash == model->hash);
    free(text);
    carom_scene_release(again);
    carom_scene_release(scene);
}

static void assert_finding(const char *from, const char *to, const char *expected) {
    char text[2048];
    const char *at = strstr(grid, from);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - grid), grid, to, at + strlen(from));
    carom_scene *scene;
    carom_error error = {0};
    assert_int_equal(carom_scene_parse(text, strlen(text), "s.yaml", NULL, 0, &scene, NULL, &error), CAROM_BAD_INPUT);
    if (strcmp(error.message, expected) != 0)
        fail_msg("'%s', expected '%s'", error.message, expected);
}

static void test_findings(void **state) {
    (void)state;
    assert_finding("ball_7,", "ball_75,",
                   "s.yaml:12:12: restraints[1].body: there is no body 'ball_75' (its copies are ball_0 to ball_74)");
    assert_finding("ball_7,", "ball_07,",
                   "s.yaml:12:12: restraints[1].body: there is no body 'ball_07' (its copies are ball_0 to ball_74)");
    assert_finding("[5, 5, 3]", "[5, 0, 3]",
                   "s.yaml:8:25: bodies[0].array.copies[1]: expected a whole number from 1 to 10000, found '0'");
    assert_finding("[5, 5, 3]", "[5, 5.5, 3]",
                   "s.yaml:8:25: bodies[0].array.copies[1]: expected a whole number from 1 to 10000, found '5.5'");
    assert_finding("[5, 5, 3]", "[500, 500, 500]",
                   "s.yaml:8:21: bodies[0].array.copies: 125000000 bodies are too many (at most 1000000)");
    assert_finding("[2, 1, 1]", "[2, -1, 1]", "s.yaml:7:24: bodies[0].place.scale[1]: expected a number > 0, found '-1'");
    assert_finding("[0, 0, 11]", "[0, 0, 12]", "s.yaml:13:5: restraints[2]: no node of body 'ball' is selected");
    assert_finding("ball_74", "ball, in_sphere: {center: [0, 0, 0], radius: 1}",
                   "s.yaml:15:44: output.probes[1]: no node of body 'ball' is selected");
    assert_finding("nearest: {to: [100, 100, 100]}", "nearest: {}", "s.yaml:14:31: loads[0].nearest: missing key 'to'");
    assert_finding("nearest: {to: [100, 100, 100]}", "nearest: [1, 0, 0]",
                   "s.yaml:14:31: loads[0].nearest: expected a map, found a list of 3");
    assert_finding(
        "{point: {at: [1, 0, 0]}}", "{cube: {}}",
        "s.yaml:6:14: bodies[0].element: element 'point-mass' is made of point cells, but mesh 'cube' has tri3 cells");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regions),  cmocka_unit_test(test_group),
        cmocka_unit_test(test_numbers),  cmocka_unit_test(test_array),
        cmocka_unit_test(test_findings), cmocka_unit_test(test_scales),
        cmocka_unit_test(test_cells),    cmocka_unit_test(test_numbers_in_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
