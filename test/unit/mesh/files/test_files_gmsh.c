// SPDX-License-Identifier: MIT
// Tests src/mesh/files.
// Features of the formats of Gmsh.
#include "formats.h"

// Files as written by IPC and PolyFEM: no $Entities, an additional section, numbers with gaps.
static void msh(void **state) {
    (void)state;
    carom_mesh mesh =
        parse("a.msh",
              "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 5 1 4000000000\n3 0 0 5\n7\n3\n4000000000\n1\n9\n0 0 0\n1 0 0\n"
              "0 1 0\n0 0 1\n5 5 5\n$EndNodes\n$Surface\n1 2 3\n$EndSurface\n$Elements\n1 1 1 1\n3 0 4 1\n1 7 3 4000000000 1\n"
              "$EndElements\n",
              NULL);
    // a node without a cell is kept, so that the mesh check reports it
    assert_int_equal(mesh.node_count, 5);
    assert_true(carom_mesh_node_id(&mesh, 2) == INT64_C(4000000000));
    carom_mesh_faults faults;
    assert_ok(carom_mesh_check(&mesh, &faults, error));
    assert_int_equal(faults.count[CAROM_FAULT_UNUSED], 1);
    assert_int_equal(faults.example[CAROM_FAULT_UNUSED][0][0], 9);
    carom_mesh_release(&mesh);

    // parametric nodes; a group without a name; the centre of an arc, used by a point cell only, is removed
    mesh = parse("a.msh",
                 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n1 0 1 0\n1 0 0 0 0\n1 0 0 0 1 1 "
                 "0 1 -12 0\n$EndEntities\n$Nodes\n2 4 1 4\n"
                 "0 1 0 1\n4\n0.5 0.5 0\n2 1 1 3\n1\n2\n3\n0 0 0 0 0\n1 0 0 1 0\n0 1 0 0 "
                 "1\n$EndNodes\n$Elements\n2 2 1 2\n0 1 15 1\n1 4\n"
                 "2 1 2 1\n2 1 2 3\n$EndElements\n",
                 NULL);
    assert_int_equal(mesh.node_count, 3);
    assert_int_equal(carom_mesh_cell_set(&mesh, "12")->count, 1);
    assert_near(area(&mesh), 0.5, 1e-15);
    carom_mesh_release(&mesh);
}

// Format 2.2 lists a cell once for each of its groups; a cell repeated in the same group, or without one, is a duplicate.
static void msh_twice(void **state) {
    (void)state;
    const char head[] =
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n2\n";
    const struct { int first, second, cells; } cases[] = {{1, 2, 1}, {1, 1, 2}, {0, 0, 2}};
    for (int i = 0; i < 3; i++) {
        char text[512];
        snprintf(text, sizeof text, "%s1 4 2 %d 1 1 2 3 4\n2 4 2 %d 1 1 2 3 4\n$EndElements\n", head, cases[i].first,
                 cases[i].second);
        carom_mesh mesh = parse("a.msh", text, NULL);
        assert_int_equal(mesh.blocks[0].count, cases[i].cells);
        carom_mesh_faults faults;
        assert_ok(carom_mesh_check(&mesh, &faults, error));
        assert_int_equal(faults.count[CAROM_FAULT_OVERLAP] > 0, cases[i].cells == 2);
        carom_mesh_release(&mesh);
    }
    // a cell of higher order in two groups is one cell
    remarks r = {0};
    carom_mesh mesh =
        parse("a.msh",
              "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0.5 0 0\n$EndNodes\n$Elements\n2\n"
              "1 8 2 1 1 1 2 3\n2 8 2 2 1 1 2 3\n$EndElements\n",
              &r);
    assert_string_equal(r.last, "a.msh: 1 cell of higher order is reduced to its corners");
    carom_mesh_release(&mesh);
}

// A negative tag of the group reverses the cells of its entity; edges of a plane mesh have the orientation of its cells.
static void msh_turned(void **state) {
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        char text[1024];
        snprintf(text, sizeof text,
                 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 1 1 0\n1 0 0 0 1 0 0 1 %d "
                 "0\n1 0 0 0 1 1 0 1 %d 0\n$EndEntities\n"
                 "$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n$Elements\n2 2 1 2\n1 1 1 1\n1 1 2\n"
                 "2 1 2 1\n2 1 2 3\n$EndElements\n",
                 sign * 5, sign * 7);
        carom_mesh mesh = parse("a.msh", text, NULL);
        const int *nodes = mesh.blocks[0].nodes, *edge = carom_mesh_face_set(&mesh, "5")->nodes[0];
        assert_int_equal(nodes[1], sign > 0 ? 1 : 2);
        assert_int_equal(edge[0], sign > 0 ? 0 : 1);
        assert_int_equal(edge[1], sign > 0 ? 1 : 0);
        carom_mesh_release(&mesh);
    }
}

// Groups with the same name and different dimensions below that of the body are reported.
static void msh_same_name(void **state) {
    (void)state;
    remarks r = {0};
    carom_mesh mesh =
        parse("a.msh",
              "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n0 1 \"dup\"\n1 2 \"dup\"\n$EndPhysicalNames\n"
              "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n$Elements\n3\n1 15 2 1 1 3\n2 1 2 2 1 1 2\n"
              "3 2 2 0 1 1 2 3\n$EndElements\n",
              &r);
    assert_int_equal(r.count, 1);
    assert_string_equal(r.last, "a.msh: groups of several dimensions are called 'dup': their nodes become one set");
    assert_int_equal(carom_mesh_set(&mesh, "dup")->count, 3);
    carom_mesh_release(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(msh),
        cmocka_unit_test(msh_twice),
        cmocka_unit_test(msh_turned),
        cmocka_unit_test(msh_same_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
