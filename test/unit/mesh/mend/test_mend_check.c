// SPDX-License-Identifier: MIT
// Tests src/mesh/mend/check.c, src/mesh/mend.
// Deliberate faults are found with the numbers of their cells and nodes, and repaired; sets and numbers are updated.
#include "faults.h"

static void test_inverted(void **state) {
    (void)state;
    for (int cells = CAROM_SOLID_HEX8; cells <= CAROM_SOLID_TET4; cells++) {
        carom_mesh mesh;
        make_box(&mesh, (carom_solid_cells)cells);
        number(&mesh);
        uint64_t hash = carom_mesh_hash(&mesh);
        int size = carom_cell_size(mesh.blocks[0].type), *cell = &mesh.blocks[0].nodes[4 * size];
        if (cells == CAROM_SOLID_TET4)
            swap(&cell[1], &cell[2]);
        for (int i = 0; cells == CAROM_SOLID_HEX8 && i < 4; i++)
            swap(&cell[i], &cell[i + 4]);
        carom_mesh_faults faults = faults_of(&mesh);
        assert_int_equal(faults.count[CAROM_FAULT_INVERTED], 1);
        assert_int_equal(faults.example[CAROM_FAULT_INVERTED][0][0], 1004);
        assert_true(carom_mesh_is_faulty(&faults));

        carom_mesh_faults changes = fix(&mesh);
        assert_only(&changes, CAROM_FAULT_INVERTED, 1);
        assert_int_equal(changes.example[CAROM_FAULT_INVERTED][0][0], 1004);
        faults = faults_of(&mesh);
        assert_false(carom_mesh_is_faulty(&faults));
        assert_true(carom_mesh_hash(&mesh) == hash);
        carom_mesh_release(&mesh);
    }
}

// A solid with inverted cells: its cells are reversed, and its face sets have outward normals.
static void test_inverted_faces(void **state) {
    (void)state;
    for (int cells = CAROM_SOLID_HEX8; cells <= CAROM_SOLID_TET4; cells++) {
        carom_mesh mesh;
        make_box(&mesh, (carom_solid_cells)cells);
        carom_cell_block *block = &mesh.blocks[0];
        int size = carom_cell_size(block->type);
        for (int e = 0; e < block->count; e++) {
            int *cell = &block->nodes[e * size];
            if (size == 4)
                swap(&cell[1], &cell[2]);
            for (int i = 0; size == 8 && i < 4; i++)
                swap(&cell[i], &cell[i + 4]);
        }
        for (int s = 0; s < mesh.face_set_count; s++)
            for (int f = 0; f < mesh.face_sets[s].count; f++) {
                int *face = mesh.face_sets[s].nodes[f];
                swap(&face[0], &face[2]);
            }
        carom_mesh_faults changes = fix(&mesh);
        assert_only(&changes, CAROM_FAULT_INVERTED, block->count);
        const carom_face_set *set = carom_mesh_face_set(&mesh, "xmin");
        assert_true(set->count >= 2);
        for (int f = 0; f < set->count; f++) {
            const double *a = mesh.nodes[set->nodes[f][0]], *b = mesh.nodes[set->nodes[f][1]],
                         *c = mesh.nodes[set->nodes[f][2]];
            assert_true((b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]) < 0);
        }
        carom_mesh_release(&mesh);
    }
}

static void test_folded(void **state) {
    (void)state;
    // a corner moved beyond the opposite one: positive volume, but inverted at corners; cannot be repaired
    carom_box_params p = {.to = {1, 1, 1}, .elements = {1, 1, 1}, .grading = {1, 1, 1}};
    carom_mesh mesh;
    generate("box", &p, &mesh);
    memcpy(mesh.nodes[7], (double[]){0.2, 0.2, 0.2}, sizeof mesh.nodes[7]);
    carom_mesh_faults faults = faults_of(&mesh);
    assert_only(&faults, CAROM_FAULT_INVERTED, 1);
    carom_mesh_faults changes = fix(&mesh);
    assert_only(&changes, CAROM_FAULT_INVERTED, 0);
    faults = faults_of(&mesh);
    assert_only(&faults, CAROM_FAULT_INVERTED, 1);
    carom_mesh_release(&mesh);

    // a quadrilateral that is not convex
    carom_rectangle_params r = {.to = {1, 1, 0}, .columns = 1, .rows = 1};
    generate("rectangle", &r, &mesh);
    memcpy(mesh.nodes[3], (double[]){0.2, 0.2, 0}, sizeof mesh.nodes[3]);
    faults = faults_of(&mesh);
    assert_only(&faults, CAROM_FAULT_INVERTED, 1);
    carom_mesh_release(&mesh);
}

static void test_degenerate(void **state) {
    (void)state;
    carom_mesh mesh;
    make_sphere(&mesh);
    number(&mesh);
    // two more cells: one node twice; three nodes on a line
    double middle[3];
    int *nodes = mesh.blocks[0].nodes, a = nodes[0], b = nodes[1];
    for (int i = 0; i < 3; i++)
        middle[i] = 0.5 * (mesh.nodes[a][i] + mesh.nodes[b][i]);
    int m = add_node(&mesh, middle);
    uint64_t cells = 130;
    mesh.blocks[0].nodes = nodes = realloc(nodes, 3 * cells * sizeof *nodes);
    mesh.blocks[0].ids = realloc(mesh.blocks[0].ids, cells * sizeof *mesh.blocks[0].ids);
    memcpy(&nodes[3 * 128], (int[]){a, b, b, a, m, b}, 6 * sizeof *nodes);
    mesh.blocks[0].ids[128] = 1128, mesh.blocks[0].ids[129] = 1129;
    mesh.blocks[0].count = 130;
    assert_ok(carom_mesh_add_cell_set(&mesh, "some", (const int[]){5, 128, 129}, 3, error));
    carom_mesh_faults faults = faults_of(&mesh);
    assert_int_equal(faults.count[CAROM_FAULT_DEGENERATE], 2);
    assert_int_equal(faults.example[CAROM_FAULT_DEGENERATE][0][0], 1128);
    assert_int_equal(faults.example[CAROM_FAULT_DEGENERATE][1][0], 1129);

    carom_mesh_faults changes = fix(&mesh);
    assert_only(&changes, CAROM_FAULT_DEGENERATE, 2);
    assert_int_equal(mesh.blocks[0].count, 128);
    assert_int_equal(mesh.node_count, 66);
    assert_int_equal(carom_mesh_cell_set(&mesh, "some")->count, 1);
    assert_int_equal(carom_mesh_cell_set(&mesh, "some")->cells[0], 5);
    faults = faults_of(&mesh);
    assert_only(&faults, CAROM_FAULT_OPEN, 0);
    assert_int_equal(faults.count[CAROM_FAULT_OPEN], 0);
    carom_mesh_release(&mesh);
}

// A distant node that no cell uses does not enlarge the tolerance, by which others would coincide.
static void test_far_unused(void **state) {
    (void)state;
    const double far[] = {1e12, 1e300};
    for (int i = 0; i < 2; i++) {
        carom_mesh mesh;
        make_box(&mesh, CAROM_SOLID_HEX8);
        int cells = mesh.blocks[0].count, nodes = mesh.node_count;
        add_node(&mesh, (double[]){far[i], 0, 0});
        carom_mesh_faults faults = faults_of(&mesh);
        assert_only(&faults, CAROM_FAULT_UNUSED, 1);
        carom_mesh_faults changes = fix(&mesh);
        assert_only(&changes, CAROM_FAULT_UNUSED, 1);
        assert_int_equal(mesh.blocks[0].count, cells);
        assert_int_equal(mesh.node_count, nodes);
        carom_mesh_release(&mesh);
    }
}

// A mesh of flat cells only is refused, not emptied. A wedge written as a hexahedron is kept, and remains a fault.
static void test_kept(void **state) {
    (void)state;
    carom_box_params p = {.to = {1, 1, 1}, .elements = {1, 1, 1}, .grading = {1, 1, 1}};
    carom_mesh mesh;
    carom_mesh_faults changes;
    generate("box", &p, &mesh);
    for (int k = 0; k < mesh.node_count; k++)
        mesh.nodes[k][2] = 0;
    assert_refused(carom_mesh_fix(&mesh, &changes, error), CAROM_BAD_INPUT, "nothing would be left of the mesh");
    carom_mesh_release(&mesh);

    generate("box", &p, &mesh);
    int *cell = mesh.blocks[0].nodes;
    cell[3] = cell[2], cell[7] = cell[6];
    changes = fix(&mesh);
    assert_int_equal(changes.count[CAROM_FAULT_DEGENERATE], 0);
    assert_int_equal(mesh.blocks[0].count, 1);
    carom_mesh_faults faults = faults_of(&mesh);
    assert_int_equal(faults.count[CAROM_FAULT_DEGENERATE], 1);
    carom_mesh_release(&mesh);
}

// Frames, velocities and spins remain with their nodes.
static void test_unused_frames(void **state) {
    (void)state;
    carom_mesh mesh;
    assert_ok(carom_mesh_allocate(&mesh, 4, CAROM_CELL_LINE2, 1, error));
    mesh.frames = calloc(4, sizeof *mesh.frames);
    mesh.velocities = calloc(4, sizeof *mesh.velocities);
    mesh.spins = calloc(4, sizeof *mesh.spins);
    for (int k = 0; k < 4; k++)
        mesh.nodes[k][0] = mesh.frames[k][0][0] = mesh.velocities[k][0] = mesh.spins[k][0] = k;
    mesh.blocks[0].nodes[0] = 1, mesh.blocks[0].nodes[1] = 3;
    assert_ok(carom_mesh_drop_unused(&mesh, error));
    assert_int_equal(mesh.node_count, 2);
    for (int k = 0; k < 2; k++) {
        double x = mesh.nodes[k][0];
        assert_true(x == 1 + 2 * k);
        assert_true(mesh.frames[k][0][0] == x && mesh.velocities[k][0] == x && mesh.spins[k][0] == x);
    }
    carom_mesh_release(&mesh);
}

static void test_unused(void **state) {
    (void)state;
    carom_mesh mesh;
    make_box(&mesh, CAROM_SOLID_HEX8);
    // the first node moves to the end, and a node without a cell takes its place
    int spare = add_node(&mesh, mesh.nodes[0]);
    memcpy(mesh.nodes[0], (double[]){9, 9, 9}, sizeof mesh.nodes[0]);
    for (int i = 0; i < 8 * mesh.blocks[0].count; i++)
        if (mesh.blocks[0].nodes[i] == 0)
            mesh.blocks[0].nodes[i] = spare;
    for (int s = 0; s < mesh.face_set_count; s++)
        for (int i = 0; i < 4 * mesh.face_sets[s].count; i++)
            if (mesh.face_sets[s].nodes[i / 4][i % 4] == 0)
                mesh.face_sets[s].nodes[i / 4][i % 4] = spare;
    carom_mesh_faults faults = faults_of(&mesh);
    assert_only(&faults, CAROM_FAULT_UNUSED, 1);
    assert_int_equal(faults.example[CAROM_FAULT_UNUSED][0][0], 0);
    // this is no reason to refuse the mesh
    assert_false(carom_mesh_is_faulty(&faults));

    carom_mesh_faults changes = fix(&mesh);
    assert_only(&changes, CAROM_FAULT_UNUSED, 1);
    assert_int_equal(mesh.node_count, spare);
    // numbers are kept, indices are compacted; the removed node is removed from sets
    for (int k = 0; k < spare; k++)
        assert_int_equal(carom_mesh_node_id(&mesh, k), k + 1);
    assert_int_equal(carom_mesh_set(&mesh, "xmin")->count, 5);
    assert_int_equal(carom_mesh_face_set(&mesh, "xmin")->count, 2);
    faults = faults_of(&mesh);
    assert_only(&faults, CAROM_FAULT_UNUSED, 0);
    carom_mesh_release(&mesh);
}

static void test_duplicate(void **state) {
    (void)state;
    carom_mesh mesh;
    make_sphere(&mesh);
    uint64_t hash = carom_mesh_hash(&mesh);
    number(&mesh);
    // one cell gets a node of its own at the same place: a slit
    int *cell = &mesh.blocks[0].nodes[3 * 40], old = cell[1];
    double near[3];
    for (int i = 0; i < 3; i++)
        near[i] = mesh.nodes[old][i] + (i == 0 ? 1e-11 : 0);
    cell[1] = add_node(&mesh, near);
    carom_mesh_faults faults = faults_of(&mesh);
    assert_only(&faults, CAROM_FAULT_DUPLICATE, 1);
    assert_int_equal(faults.example[CAROM_FAULT_DUPLICATE][0][0], 100 + old);
    assert_int_equal(faults.example[CAROM_FAULT_DUPLICATE][0][1], 166);
    assert_int_equal(faults.count[CAROM_FAULT_OPEN], 4);
    carom_mesh_faults changes = fix(&mesh);
    assert_only(&changes, CAROM_FAULT_DUPLICATE, 1);
    assert_int_equal(mesh.node_count, 66);
    assert_true(carom_mesh_hash(&mesh) == hash);
    carom_mesh_release(&mesh);

    // farther apart than the tolerance: no duplicate
    make_sphere(&mesh);
    for (int i = 0; i < 3; i++)
        near[i] = mesh.nodes[7][i] + (i == 0 ? 1e-8 : 0);
    mesh.blocks[0].nodes[0] = add_node(&mesh, near);
    faults = faults_of(&mesh);
    assert_int_equal(faults.count[CAROM_FAULT_DUPLICATE], 0);
    carom_mesh_release(&mesh);
}

// Coincidence of nodes does not depend on the boundaries of the search grid.
static void test_coincidence(void **state) {
    (void)state;
    uint64_t seed = 5;
    enum { PAIRS = 2000 };
    carom_mesh mesh;
    assert_ok(carom_mesh_allocate(&mesh, 2 * PAIRS, CAROM_CELL_POINT, 2 * PAIRS, error));
    for (int k = 0; k < PAIRS; k++)
        for (int i = 0; i < 3; i++) {
            mesh.nodes[2 * k][i] = random_real(&seed, -1, 1);
            mesh.nodes[2 * k + 1][i] = mesh.nodes[2 * k][i] + random_real(&seed, -1, 1) * 1.5e-10;
            mesh.blocks[0].nodes[2 * k] = 2 * k, mesh.blocks[0].nodes[2 * k + 1] = 2 * k + 1;
        }
    // the diagonal is 2 sqrt(3) at most, the tolerance 1e-10 of it: all pairs (at most 2.6e-10 apart) are within 3.4e-10
    carom_mesh_faults faults = faults_of(&mesh);
    assert_int_equal(faults.count[CAROM_FAULT_DUPLICATE], PAIRS);
    carom_mesh_release(&mesh);
}

static void test_surface(void **state) {
    (void)state;
    carom_mesh mesh;
    make_sphere(&mesh);
    uint64_t hash = carom_mesh_hash(&mesh);
    // one face reversed: its three edges are faults; an example names the two nodes
    int *cell = &mesh.blocks[0].nodes[3 * 17];
    swap(&cell[1], &cell[2]);
    carom_mesh_faults faults = faults_of(&mesh);
    assert_only(&faults, CAROM_FAULT_ORIENTATION, 3);
    carom_mesh_faults changes = fix(&mesh);
    assert_only(&changes, CAROM_FAULT_ORIENTATION, 1);
    assert_int_equal(changes.example[CAROM_FAULT_ORIENTATION][0][0], 17);
    assert_true(carom_mesh_hash(&mesh) == hash);

    // all faces reversed: consistent, but inside out, which is detected since the surface is closed. The face set is reversed
    // too.
    for (int e = 0; e < 128; e++)
        swap(&mesh.blocks[0].nodes[3 * e], &mesh.blocks[0].nodes[3 * e + 1]);
    carom_face_set *set = &mesh.face_sets[0];
    for (int f = 0; f < set->count; f++)
        swap(&set->nodes[f][0], &set->nodes[f][1]);
    carom_mesh_facts facts;
    assert_ok(carom_mesh_measure(&mesh, &facts, error));
    assert_true(facts.volume < 0);
    changes = fix(&mesh);
    assert_only(&changes, CAROM_FAULT_ORIENTATION, 128);
    assert_ok(carom_mesh_measure(&mesh, &facts, error));
    assert_true(facts.volume > 0);
    assert_true(carom_mesh_hash(&mesh) == hash);

    // one face missing: a hole of three edges, which is no fault
    mesh.blocks[0].count--;
    faults = faults_of(&mesh);
    assert_only(&faults, CAROM_FAULT_OPEN, 0);
    assert_int_equal(faults.count[CAROM_FAULT_OPEN], 3);
    assert_false(carom_mesh_is_faulty(&faults));
    mesh.blocks[0].count++;

    // a fin on an edge: three faces there
    double tip[3] = {0, 0, 3};
    int *nodes = mesh.blocks[0].nodes = realloc(mesh.blocks[0].nodes, 3 * 129 * sizeof(int));
    int t = add_node(&mesh, tip), low = nodes[0] < nodes[1] ? nodes[0] : nodes[1], high = nodes[0] + nodes[1] - low;
    nodes[3 * 128] = nodes[0], nodes[3 * 128 + 1] = nodes[1], nodes[3 * 128 + 2] = t;
    mesh.blocks[0].count = 129;
    faults = faults_of(&mesh);
    assert_only(&faults, CAROM_FAULT_NON_MANIFOLD, 1);
    assert_int_equal(faults.example[CAROM_FAULT_NON_MANIFOLD][0][0], low);
    assert_int_equal(faults.example[CAROM_FAULT_NON_MANIFOLD][0][1], high);
    char text[200], expected[100];
    carom_mesh_faults_print(&faults, text, sizeof text);
    snprintf(expected, sizeof expected, "1 edge with more than two faces: %d-%d", low, high);
    assert_string_equal(text, expected);
    carom_mesh_release(&mesh);
}

// Nodes of a mesh in tiny units are distinguished, and a duplicate one is found.
static void test_tiny(void **state) {
    (void)state;
    for (double unit = 1; unit > 1e-110; unit *= 1e-20) {
        carom_mesh mesh;
        make_sphere(&mesh);
        for (int k = 0; k < mesh.node_count; k++)
            for (int i = 0; i < 3; i++)
                mesh.nodes[k][i] *= unit;
        carom_mesh_faults faults = faults_of(&mesh);
        assert_int_equal(faults.count[CAROM_FAULT_DUPLICATE], 0);
        carom_mesh_facts facts;
        assert_ok(carom_mesh_measure(&mesh, &facts, error));
        assert_true(facts.worst_quality >= 0 && facts.worst_quality <= 1);
        mesh.nodes[7][0] = mesh.nodes[5][0], mesh.nodes[7][1] = mesh.nodes[5][1];
        mesh.nodes[7][2] = mesh.nodes[5][2] + 0.5 * CAROM_COINCIDENCE * unit;
        faults = faults_of(&mesh);
        assert_int_equal(faults.count[CAROM_FAULT_DUPLICATE], 1);
        carom_mesh_release(&mesh);
    }
}

// Sizes at which areas or volumes would not be finite are refused; unused nodes do not count.
static void test_size(void **state) {
    (void)state;
    const double units[] = {1e-101, 1e76, 1e300, 1e-300};
    for (int i = 0; i < 4; i++) {
        carom_mesh mesh;
        carom_mesh_faults faults;
        make_sphere(&mesh);
        for (int k = 0; k < mesh.node_count; k++)
            for (int d = 0; d < 3; d++)
                mesh.nodes[k][d] *= units[i];
        assert_refused(carom_mesh_check(&mesh, &faults, error), CAROM_BAD_INPUT, "choose a unit of length");
        carom_mesh_release(&mesh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inverted),      cmocka_unit_test(test_far_unused),     cmocka_unit_test(test_kept),
        cmocka_unit_test(test_unused_frames), cmocka_unit_test(test_inverted_faces), cmocka_unit_test(test_folded),
        cmocka_unit_test(test_degenerate),    cmocka_unit_test(test_unused),         cmocka_unit_test(test_duplicate),
        cmocka_unit_test(test_coincidence),   cmocka_unit_test(test_surface),        cmocka_unit_test(test_tiny),
        cmocka_unit_test(test_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
