// SPDX-License-Identifier: MIT
// Tests src/mesh/mend, src/mesh/mesh.c.
// Cavities, bodies that share edges, nodes with many faces; renumbering, hashes, and placement of meshes.
#include "faults.h"

// A closed surface within another one bounds a cavity, and its faces point inward; one within the cavity points outward again,
// for any initial orientation and order.
static void test_cavity(void **state) {
    (void)state;
    carom_mesh unit;
    carom_mesh_facts facts;
    make_sphere(&unit);
    assert_ok(carom_mesh_measure(&unit, &facts, error));
    double volume = facts.volume;
    carom_mesh_release(&unit);
    // a sphere in another; one in the wall of the first; one outside, with its box inside that of the first
    static const double radius[] = {3, 2, 1, 0.1, 0.2}, place[] = {0, 0, 0, 2.4, 0};
    static const double corner = 2.2;
    for (int trial = 0; trial < 32; trial++) {
        carom_mesh mesh;
        make_sphere(&mesh);
        int first = trial % 3;
        for (int k = 0; k < mesh.node_count; k++)
            for (int i = 0; i < 3; i++)
                mesh.nodes[k][i] *= radius[first];
        for (int e = 0; e < 128 && (trial & 1); e++)
            swap(&mesh.blocks[0].nodes[3 * e], &mesh.blocks[0].nodes[3 * e + 1]);
        for (int s = 0; s < 4; s++)
            if (s != first)
                append_sphere(&mesh, radius[s], place[s], trial >> (s + 1) & 1);
        // moved to the corner of the box of the first, outside it
        int outside = mesh.node_count;
        append_sphere(&mesh, radius[4], 0, trial & 4);
        for (int k = outside; k < mesh.node_count; k++)
            for (int i = 0; i < 3; i++)
                mesh.nodes[k][i] += corner;
        fix(&mesh);
        assert_ok(carom_mesh_measure(&mesh, &facts, error));
        assert_near(facts.volume, volume * (27 - 8 + 1 - 0.001 + 0.008), 1e-12 * 27 * volume);
        carom_mesh_faults changes = fix(&mesh);
        assert_int_equal(changes.count[CAROM_FAULT_ORIENTATION], 0);
        carom_mesh_release(&mesh);
    }
}

// Thousands of faces at one node: edges are classified correctly.
static void test_crowded_node(void **state) {
    (void)state;
    enum { BLADES = 6000 };
    carom_mesh mesh = {0};
    assert_ok(carom_mesh_allocate(&mesh, 2 + BLADES, CAROM_CELL_TRI3, BLADES, error));
    mesh.nodes[1][2] = 1;
    for (int e = 0; e < BLADES; e++) {
        double angle = 6.283185307179586 * e / BLADES;
        mesh.nodes[2 + e][0] = cos(angle), mesh.nodes[2 + e][1] = sin(angle);
        memcpy(&mesh.blocks[0].nodes[3 * e], (const int[]){0, 1, 2 + e}, 3 * sizeof(int));
    }
    // all blades share one edge, and have two of their own
    carom_mesh_faults faults = faults_of(&mesh);
    assert_only(&faults, CAROM_FAULT_NON_MANIFOLD, 1);
    assert_int_equal(faults.example[CAROM_FAULT_NON_MANIFOLD][0][0], 0);
    assert_int_equal(faults.example[CAROM_FAULT_NON_MANIFOLD][0][1], 1);
    assert_int_equal(faults.count[CAROM_FAULT_OPEN], 2 * BLADES);
    for (int i = 0; i < CAROM_FAULT_EXAMPLES; i++) {
        assert_int_equal(faults.example[CAROM_FAULT_OPEN][i][0], 0);
        assert_int_equal(faults.example[CAROM_FAULT_OPEN][i][1], 2 + i);
    }
    // triangles around two apexes: a closed surface, and each edge has two faces
    int *nodes = mesh.blocks[0].nodes = realloc(mesh.blocks[0].nodes, 6 * BLADES * sizeof *nodes);
    mesh.blocks[0].count = 2 * BLADES;
    for (int e = 0; e < BLADES; e++) {
        int here = 2 + e, next = 2 + (e + 1) % BLADES;
        memcpy(&nodes[6 * e], (const int[]){1, here, next, 0, next, here}, 6 * sizeof(int));
    }
    faults = faults_of(&mesh);
    assert_false(carom_mesh_is_faulty(&faults));
    assert_int_equal(faults.count[CAROM_FAULT_OPEN], 0);
    carom_mesh_release(&mesh);
}

static void test_overlap(void **state) {
    (void)state;
    carom_mesh mesh;
    make_box(&mesh, CAROM_SOLID_HEX8);
    number(&mesh);
    // the cell 1002 is given twice, the second time as 1005 instead of the one that was there
    memcpy(&mesh.blocks[0].nodes[8 * 5], &mesh.blocks[0].nodes[8 * 2], 8 * sizeof(int));
    carom_mesh_faults faults = faults_of(&mesh);
    assert_int_equal(faults.count[CAROM_FAULT_OVERLAP], 2);
    // both overlap each other, and the neighbour 1001
    assert_int_equal(faults.example[CAROM_FAULT_OVERLAP][0][0], 1001);
    assert_int_equal(faults.example[CAROM_FAULT_OVERLAP][0][1], 1005);
    assert_int_equal(faults.example[CAROM_FAULT_OVERLAP][1][0], 1002);
    assert_int_equal(faults.example[CAROM_FAULT_OVERLAP][1][1], 1005);
    assert_true(carom_mesh_is_faulty(&faults));
    carom_mesh_release(&mesh);
}

// Two cubes that share an edge only.
static void test_shared_edge(void **state) {
    (void)state;
    carom_mesh mesh;
    carom_box_params p = {.to = {2, 2, 1}, .elements = {2, 2, 1}, .grading = {1, 1, 1}};
    generate("box", &p, &mesh);
    memcpy(&mesh.blocks[0].nodes[8], &mesh.blocks[0].nodes[24], 8 * sizeof(int));
    mesh.blocks[0].count = 2;
    carom_mesh_faults faults = faults_of(&mesh);
    assert_int_equal(faults.count[CAROM_FAULT_NON_MANIFOLD], 1);
    assert_int_equal(faults.example[CAROM_FAULT_NON_MANIFOLD][0][0], 4);
    assert_int_equal(faults.example[CAROM_FAULT_NON_MANIFOLD][0][1], 13);
    carom_mesh_release(&mesh);
}

static void test_renumber(void **state) {
    (void)state;
    for (int cells = CAROM_SOLID_HEX8; cells <= CAROM_SOLID_TET4; cells++) {
        carom_ball_params p = {.radius = 1, .divisions = 4, .layers = 3, .cells = cells};
        carom_mesh mesh, before;
        generate("ball", &p, &mesh);
        assert_ok(carom_mesh_add_cell_set(&mesh, "some", (const int[]){0, 7, 100}, 3, error));
        assert_ok(carom_mesh_copy(&mesh, &before, error));
        assert_ok(carom_mesh_renumber(&mesh, error));
        assert_true(carom_mesh_hash(&mesh) == carom_mesh_hash(&before));

        // ids are the old numbers: position and nodes are those of before
        int size = carom_cell_size(mesh.blocks[0].type), *to = calloc((size_t)before.node_count, sizeof *to), moved = 0;
        for (int k = 0; k < mesh.node_count; k++) {
            int old = (int)carom_mesh_node_id(&mesh, k);
            to[old] = k;
            moved += old != k;
            assert_memory_equal(mesh.nodes[k], before.nodes[old], sizeof mesh.nodes[k]);
        }
        assert_true(moved > mesh.node_count / 2);
        for (int e = 0; e < mesh.blocks[0].count; e++) {
            int64_t old = carom_mesh_cell_id(&mesh, 0, e);
            for (int i = 0; i < size; i++)
                assert_int_equal(mesh.blocks[0].nodes[e * size + i], to[before.blocks[0].nodes[old * size + i]]);
        }
        const carom_cell_set *some = carom_mesh_cell_set(&mesh, "some");
        for (int i = 0; i < 3; i++) {
            int64_t old = carom_mesh_cell_id(&mesh, 0, some->cells[i]);
            assert_true(old == 0 || old == 7 || old == 100);
        }

        // the mean distance of consecutive nodes is shorter than before and near the edge length
        double length[2] = {0, 0};
        for (int k = 1; k < mesh.node_count; k++)
            for (int w = 0; w < 2; w++) {
                const double(*x)[3] = (const double(*)[3])(w ? before.nodes : mesh.nodes);
                length[w] +=
                    sqrt(pow(x[k][0] - x[k - 1][0], 2) + pow(x[k][1] - x[k - 1][1], 2) + pow(x[k][2] - x[k - 1][2], 2));
            }
        assert_true(length[0] < length[1]);
        carom_mesh_facts facts;
        assert_ok(carom_mesh_measure(&mesh, &facts, error));
        assert_true(length[0] / mesh.node_count < facts.longest_edge);

        // a second time changes nothing
        uint64_t first = mesh.node_ids[5];
        assert_ok(carom_mesh_renumber(&mesh, error));
        assert_true((uint64_t)mesh.node_ids[5] == first);
        free(to);
        carom_mesh_release(&mesh);
        carom_mesh_release(&before);
    }
}

static void test_hash(void **state) {
    (void)state;
    carom_mesh mesh, other;
    make_box(&mesh, CAROM_SOLID_TET4);
    uint64_t hash = carom_mesh_hash(&mesh);
    assert_ok(carom_mesh_copy(&mesh, &other, error));
    assert_true(carom_mesh_hash(&other) == hash);

    // the hash depends on each bit of a coordinate, cell orientation, names and members, not on the sign of zero and on numbers
    other.nodes[3][1] = nextafter(other.nodes[3][1], 9);
    assert_true(carom_mesh_hash(&other) != hash);
    other.nodes[3][1] = mesh.nodes[3][1];
    other.nodes[0][0] = -0.0;
    number(&other);
    assert_true(carom_mesh_hash(&other) == hash);
    swap(&other.blocks[0].nodes[0], &other.blocks[0].nodes[1]);
    assert_true(carom_mesh_hash(&other) != hash);
    swap(&other.blocks[0].nodes[0], &other.blocks[0].nodes[1]);
    other.sets[0].name[0] = 'X';
    assert_true(carom_mesh_hash(&other) != hash);
    other.sets[0].name[0] = 'x';
    other.sets[0].count--;
    assert_true(carom_mesh_hash(&other) != hash);
    carom_mesh_release(&mesh);
    carom_mesh_release(&other);
}

static void test_place(void **state) {
    (void)state;
    carom_mesh mesh;
    make_box(&mesh, CAROM_SOLID_HEX8);
    carom_placement place = carom_default_placement();
    uint64_t hash = carom_mesh_hash(&mesh);
    carom_mesh_place(&mesh, &place, 0);
    assert_true(carom_mesh_hash(&mesh) == hash);

    // scaled, rotated, moved: (3, 2, 1) -> (6, 2, 1) -> (-2, 6, 1) -> (8, 6, 1)
    place.scale[0] = 2;
    place.angle = 90;
    place.translate[0] = 10;
    int last = mesh.node_count - 1;
    carom_mesh_place(&mesh, &place, 0);
    assert_true(mesh.nodes[last][0] == 8 && mesh.nodes[last][1] == 6 && mesh.nodes[last][2] == 1);
    carom_mesh_facts facts;
    assert_ok(carom_mesh_measure(&mesh, &facts, error));
    assert_near(facts.volume, 12, 1e-13);
    carom_mesh_release(&mesh);

    // a rotation by 120 degrees about the diagonal exchanges the axes; copies are numbered with x fastest
    make_box(&mesh, CAROM_SOLID_HEX8);
    place =
        (carom_placement){.scale = {1, 1, 1}, .axis = {2, 2, 2}, .angle = 120, .copies = {2, 3, 4}, .spacing = {10, 100, 1000}};
    carom_mesh_place(&mesh, &place, 1 + 2 * (2 + 3 * 3));
    const double expected[3] = {1 + 10, 3 + 200, 2 + 3000};
    for (int i = 0; i < 3; i++)
        assert_near(mesh.nodes[last][i], expected[i], 1e-12);
    carom_mesh_release(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overlap),      cmocka_unit_test(test_shared_edge), cmocka_unit_test(test_renumber),
        cmocka_unit_test(test_hash),         cmocka_unit_test(test_place),       cmocka_unit_test(test_cavity),
        cmocka_unit_test(test_crowded_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
