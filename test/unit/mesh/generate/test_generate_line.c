// SPDX-License-Identifier: MIT
// Tests src/mesh/generate/line.c, src/mesh/generate/point.c.
// Generators: nodes, cells and sets of lines and points.
#include "../../../support.h"

static carom_pick pick(const char *generator, const void *params) {
    return (carom_pick){carom_catalogue_find(carom_generators(), generator), params};
}

static void line_topology(void **state) {
    (void)state;
    const int counts[] = {1, 2, 7, 1000};
    for (int c = 0; c < 4; c++) {
        int n = counts[c];
        carom_line_params params = {.from = {-1, 2, 0.5}, .to = {3, -2, 0.25}, .elements = n};
        carom_mesh mesh;
        assert_ok(carom_mesh_generate(pick("line", &params), &mesh, error));
        assert_int_equal(mesh.node_count, n + 1);
        assert_int_equal(mesh.block_count, 1);
        assert_int_equal(mesh.blocks[0].type, CAROM_CELL_LINE2);
        assert_int_equal(mesh.blocks[0].count, n);
        for (int e = 0; e < n; e++) {
            assert_int_equal(mesh.blocks[0].nodes[2 * e], e);
            assert_int_equal(mesh.blocks[0].nodes[2 * e + 1], e + 1);
        }

        // sets of the two ends only
        const carom_node_set *start = carom_mesh_set(&mesh, "start"), *end = carom_mesh_set(&mesh, "end");
        assert_int_equal(mesh.set_count, 2);
        assert_non_null(start);
        assert_non_null(end);
        assert_true(start->count == 1 && start->nodes[0] == 0);
        assert_true(end->count == 1 && end->nodes[0] == n);
        assert_null(carom_mesh_set(&mesh, "middle"));
        assert_null(carom_mesh_set(&mesh, ""));
        carom_mesh_release(&mesh);
    }
    assert_int_equal(carom_cell_size(CAROM_CELL_POINT), 1);
    assert_int_equal(carom_cell_size(CAROM_CELL_LINE2), 2);
}

// Cells are equal, the ends exact, and a line with exchanged ends has the same points in reverse order.
static void line_positions(void **state) {
    (void)state;
    uint64_t seed = 4;
    for (int trial = 0; trial < 2000; trial++) {
        carom_line_params there = {.elements = 1 + (int)random_real(&seed, 0, 50)}, back = there;
        double span[3], scale = 0;
        for (int i = 0; i < 3; i++) {
            back.to[i] = there.from[i] = random_real(&seed, -10, 10);
            back.from[i] = there.to[i] = random_real(&seed, -10, 10);
            span[i] = there.to[i] - there.from[i];
            scale = fmax(scale, fabs(there.from[i]) + fabs(there.to[i]));
        }
        int n = there.elements;
        carom_mesh a, b;
        assert_ok(carom_mesh_generate(pick("line", &there), &a, error));
        assert_ok(carom_mesh_generate(pick("line", &back), &b, error));
        assert_memory_equal(a.nodes[0], there.from, sizeof there.from);
        assert_memory_equal(a.nodes[n], there.to, sizeof there.to);
        for (int k = 0; k <= n; k++) {
            assert_memory_equal(a.nodes[k], b.nodes[n - k], sizeof a.nodes[k]);
            for (int i = 0; i < 3; i++)
                assert_near(a.nodes[k][i], there.from[i] + span[i] * k / n, 4e-16 * scale);
        }
        carom_mesh_release(&a);
        carom_mesh_release(&b);
    }
}

// A line that is symmetric about the origin has symmetric nodes, bit for bit.
static void line_mirror(void **state) {
    (void)state;
    for (int n = 1; n < 200; n++) {
        carom_line_params params = {.from = {-0.7, 0, 0.1}, .to = {0.7, 0, -0.1}, .elements = n};
        carom_mesh mesh;
        assert_ok(carom_mesh_generate(pick("line", &params), &mesh, error));
        for (int k = 0; k <= n; k++)
            for (int i = 0; i < 3; i++)
                assert_true(mesh.nodes[k][i] == -mesh.nodes[n - k][i]);
        carom_mesh_release(&mesh);
    }
}

static void point(void **state) {
    (void)state;
    carom_point_params params = {.at = {0.1, -2, 1e10}};
    carom_mesh mesh;
    assert_ok(carom_mesh_generate(pick("point", &params), &mesh, error));
    assert_int_equal(mesh.node_count, 1);
    assert_memory_equal(mesh.nodes[0], params.at, sizeof params.at);
    assert_int_equal(mesh.block_count, 1);
    assert_int_equal(mesh.blocks[0].type, CAROM_CELL_POINT);
    assert_int_equal(mesh.blocks[0].count, 1);
    assert_int_equal(mesh.blocks[0].nodes[0], 0);
    const carom_node_set *set = carom_mesh_set(&mesh, "point");
    assert_non_null(set);
    assert_true(set->count == 1 && set->nodes[0] == 0);
    carom_mesh_release(&mesh);
}

// Parameters from which no mesh can be generated are refused with a message, and the mesh is empty.
static void refusals(void **state) {
    (void)state;
    const struct {
        carom_line_params params;
        const char *message;
    } lines[] = {
        {{.from = {1, 2, 3}, .to = {1, 2, 3}, .elements = 5}, "line: `from` and `to` are the same point"},
        {{.to = {1, 0, 0}, .elements = 0}, "line.elements: expected a whole number from 1 to 100000000, found 0"},
        {{.to = {1, 0, 0}, .elements = -3}, "line.elements: expected a whole number from 1 to 100000000, found -3"},
        {{.to = {1, 0, 0}, .elements = 100000001}, "line.elements"},
        {{.to = {1, NAN, 0}, .elements = 1}, "line.to: expected three numbers [x, y, z], found [1, nan, 0]"},
        {{.from = {-HUGE_VAL, 0, 0}, .elements = 1}, "line.from: expected three numbers [x, y, z], found [-inf, 0, 0]"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        carom_mesh mesh;
        memset(&mesh, 0xa5, sizeof mesh);
        assert_refused(carom_mesh_generate(pick("line", &lines[i].params), &mesh, error), CAROM_BAD_INPUT, lines[i].message);
        assert_true(mesh.node_count == 0 && !mesh.nodes && mesh.block_count == 0 && mesh.set_count == 0);
        carom_mesh_release(&mesh);
        assert_int_equal(carom_mesh_generate(pick("line", &lines[i].params), &mesh, NULL), CAROM_BAD_INPUT);
    }
    carom_point_params nowhere = {.at = {0, 0, NAN}};
    carom_mesh mesh;
    assert_refused(carom_mesh_generate(pick("point", &nowhere), &mesh, error), CAROM_BAD_INPUT, "point.at: expected three");
}

// A mesh can be released twice and used again.
static void release(void **state) {
    (void)state;
    carom_mesh mesh = {0};
    carom_mesh_release(&mesh);
    carom_point_params params = {.at = {1, 2, 3}};
    for (int i = 0; i < 3; i++) {
        assert_ok(carom_mesh_generate(pick("point", &params), &mesh, error));
        carom_mesh_release(&mesh);
        assert_true(!mesh.nodes && !mesh.blocks && !mesh.sets && mesh.node_count == 0);
        assert_null(carom_mesh_set(&mesh, "point"));
        carom_mesh_release(&mesh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_topology), cmocka_unit_test(line_positions), cmocka_unit_test(line_mirror),
        cmocka_unit_test(point),         cmocka_unit_test(refusals),       cmocka_unit_test(release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
