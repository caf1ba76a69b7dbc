// SPDX-License-Identifier: MIT
// Tests src/mesh/files/read.c, src/mesh/files/write.c.
// Files of Gmsh, meshio and VTK: the same mesh in every format; groups as sets; writing and reading back.
#include <dirent.h>
#include <unistd.h>

#include "../../../support.h"

static const char folder[] = CAROM_SOURCE_DIR "/test/meshes_good";

static void count_remark(void *context, const char *message) {
    // Gmsh writes the sides of a body into a deck as elements
    if (strstr(message, ".inp:") && strstr(message, "are not cells of the body; they only name sets"))
        return;
    assert_non_null(strstr(message, "reduced to their corners"));
    ++*(int *)context;
}

static carom_mesh read_good(const char *name, const char *group, int *remarks) {
    char path[512];
    carom_mesh mesh;
    int ignored = 0;
    carom_mesh_read_def def = {.group = group, .warn = count_remark, .context = remarks ? remarks : &ignored};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_ok(carom_mesh_read(path, &def, &mesh, error));
    return mesh;
}

static uint64_t bare_hash(carom_mesh mesh) {
    mesh.set_count = mesh.cell_set_count = mesh.face_set_count = 0;
    return carom_mesh_hash(&mesh);
}

static bool ends(const char *name, const char *ending) {
    size_t n = strlen(name), m = strlen(ending);
    return n >= m && strcmp(name + n - m, ending) == 0;
}

// Every file of the folder contains the body; files in the format of Gmsh also contain its groups.
static void same_hash(void **state) {
    (void)state;
    const struct {
        const char *prefix, *first;
        int files;
    } bodies[] = {{"tet_", "tet_41.msh", 33}, {"hex_", "hex_41.msh", 33}, {"shell_", "shell_41.msh", 41}};
    for (int b = 0; b < 3; b++) {
        carom_mesh first = read_good(bodies[b].first, NULL, NULL);
        DIR *directory = opendir(folder);
        assert_non_null(directory);
        int files = 0;
        for (struct dirent *entry; (entry = readdir(directory));) {
            if (strncmp(entry->d_name, bodies[b].prefix, strlen(bodies[b].prefix)) != 0)
                continue;
            int remarks = 0;
            carom_mesh mesh = read_good(entry->d_name, NULL, &remarks);
            if (bare_hash(mesh) != bare_hash(first))
                fail_msg("%s is not the mesh of %s", entry->d_name, bodies[b].first);
            if (ends(entry->d_name, ".msh") && !strstr(entry->d_name, "meshio") &&
                carom_mesh_hash(&mesh) != carom_mesh_hash(&first))
                fail_msg("%s has other groups than %s", entry->d_name, bodies[b].first);
            // one remark per file, not per cell
            assert_int_equal(remarks, strstr(entry->d_name, "second_order") ? 1 : 0);
            carom_mesh_release(&mesh);
            files++;
        }
        closedir(directory);
        assert_true(files >= bodies[b].files);
        carom_mesh_release(&first);
    }
}

static double face_normal_z(const carom_mesh *mesh, const int *face) {
    const double *a = mesh->nodes[face[0]], *b = mesh->nodes[face[1]], *c = mesh->nodes[face[2]];
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static void groups(void **state) {
    (void)state;
    carom_mesh mesh = read_good("tet_41.msh", NULL, NULL);
    // two boxes of 1 x 1/2 x 3/4, one above the other
    carom_mesh_facts facts;
    assert_ok(carom_mesh_measure(&mesh, &facts, error));
    assert_near(facts.volume, 0.75, 1e-15);
    assert_int_equal(carom_mesh_cell_set(&mesh, "all")->count, mesh.blocks[0].count);
    assert_int_equal(carom_mesh_cell_set(&mesh, "lower half")->count + carom_mesh_cell_set(&mesh, "upper half")->count,
                     mesh.blocks[0].count);
    const carom_node_set *bottom = carom_mesh_set(&mesh, "bottom"), *corner = carom_mesh_set(&mesh, "corner");
    for (int i = 0; i < bottom->count; i++)
        assert_true(mesh.nodes[bottom->nodes[i]][2] == 0);
    assert_int_equal(corner->count, 1);
    for (int i = 0; i < 3; i++)
        assert_true(mesh.nodes[corner->nodes[0]][i] == 0);
    assert_int_equal(carom_mesh_set(&mesh, "edge")->count, 2);
    // normals are outward, down at the bottom and up at the top; the area is that of the box
    const char *const names[2] = {"bottom", "top"};
    for (int side = 0; side < 2; side++) {
        const carom_face_set *faces = carom_mesh_face_set(&mesh, names[side]);
        double area = 0;
        for (int f = 0; f < faces->count; f++) {
            double z = face_normal_z(&mesh, faces->nodes[f]);
            assert_true(side == 0 ? z < 0 : z > 0);
            area += fabs(z) / 2;
        }
        assert_near(area, 0.5, 1e-15);
    }
    // groups of lines and points of a solid are no face sets
    assert_null(carom_mesh_face_set(&mesh, "edge"));
    assert_null(carom_mesh_face_set(&mesh, "corner"));
    carom_mesh_release(&mesh);
}

static void one_group(void **state) {
    (void)state;
    carom_mesh mesh = read_good("tet_41.msh", "upper half", NULL);
    carom_mesh_facts facts;
    assert_ok(carom_mesh_measure(&mesh, &facts, error));
    assert_near(facts.volume, 0.375, 1e-15);
    assert_near(facts.low[2], 0.75, 0);
    assert_non_null(carom_mesh_face_set(&mesh, "top"));
    assert_null(carom_mesh_face_set(&mesh, "bottom"));
    assert_null(carom_mesh_set(&mesh, "corner"));
    // nodes of the other half are removed, and the numbers of the file are kept
    carom_mesh_faults faults;
    assert_ok(carom_mesh_check(&mesh, &faults, error));
    assert_int_equal(faults.count[CAROM_FAULT_UNUSED], 0);
    assert_non_null(mesh.node_ids);
    carom_mesh_release(&mesh);

    // a group of faces is a shell
    mesh = read_good("tet_41.msh", "bottom", NULL);
    assert_int_equal(mesh.blocks[0].type, CAROM_CELL_TRI3);
    assert_ok(carom_mesh_measure(&mesh, &facts, error));
    assert_near(facts.area, 0.5, 1e-15);
    carom_mesh_release(&mesh);

    char path[512];
    snprintf(path, sizeof path, "%s/tet_41.msh", folder);
    assert_refused(carom_mesh_read(path, &(carom_mesh_read_def){.group = "lid"}, &mesh, error), CAROM_BAD_INPUT,
                   "there is no group of cells named 'lid'");
    assert_int_equal(mesh.node_count, 0);
}

// The generator `file` gives the same mesh.
static void generator(void **state) {
    (void)state;
    carom_file_params params = {.group = "upper half"};
    snprintf(params.path, sizeof params.path, "%s/tet_22_binary.msh", folder);
    carom_mesh mesh, other = read_good("tet_41.msh", "upper half", NULL);
    assert_ok(carom_mesh_generate((carom_pick){carom_catalogue_find(carom_generators(), "file"), &params}, &mesh, error));
    assert_true(carom_mesh_hash(&mesh) == carom_mesh_hash(&other));
    carom_mesh_release(&mesh);
    carom_mesh_release(&other);
    strcpy(params.path, "no/such/file.msh");
    assert_refused(carom_mesh_generate((carom_pick){carom_catalogue_find(carom_generators(), "file"), &params}, &mesh, error),
                   CAROM_IO, "cannot read no/such/file.msh");
}

static void write_and_read(void **state) {
    (void)state;
    const char *const names[] = {"tet_41.msh", "hex_22_binary.msh", "shell_41_binary.msh", "tet_gmsh.inp"};
    for (int i = 0; i < 4; i++) {
        carom_mesh mesh = read_good(names[i], NULL, NULL), again;
        assert_ok(carom_mesh_write(&mesh, "written.msh", error));
        assert_ok(carom_mesh_read("written.msh", NULL, &again, error));
        assert_true(carom_mesh_hash(&again) == carom_mesh_hash(&mesh));
        for (int k = 0; k < mesh.node_count; k++)
            assert_true(carom_mesh_node_id(&again, k) == carom_mesh_node_id(&mesh, k) + (mesh.node_ids ? 0 : 1));
        for (int c = 0; c < mesh.blocks[0].count; c++)
            assert_true(carom_mesh_cell_id(&again, 0, c) == carom_mesh_cell_id(&mesh, 0, c) + (mesh.blocks[0].ids ? 0 : 1));
        carom_mesh_release(&again);
        assert_ok(carom_mesh_write(&mesh, "written.vtu", error));
        assert_ok(carom_mesh_read("written.vtu", NULL, &again, error));
        assert_true(bare_hash(again) == bare_hash(mesh));
        carom_mesh_release(&again);
        carom_mesh_release(&mesh);
    }
    unlink("written.msh");
    unlink("written.vtu");
}

// Cells that represent sets need numbers too: if there are none above those of the file, all cells are renumbered.
static void largest_number(void **state) {
    (void)state;
    for (int below = 0; below < 2; below++) {
        carom_mesh mesh = read_good("tet_41.msh", NULL, NULL), again;
        int64_t last = INT64_C(1000000000000000) - 1000 * below;
        mesh.blocks[0].ids[mesh.blocks[0].count - 1] = last;
        assert_ok(carom_mesh_write(&mesh, "largest.msh", error));
        assert_ok(carom_mesh_read("largest.msh", NULL, &again, error));
        assert_true(carom_mesh_hash(&again) == carom_mesh_hash(&mesh));
        int64_t kept = carom_mesh_cell_id(&again, 0, mesh.blocks[0].count - 1);
        assert_true(kept == (below ? last : mesh.blocks[0].count));
        carom_mesh_release(&again);
        carom_mesh_release(&mesh);
    }
    unlink("largest.msh");
}

// A set with the name that is used for cells without a set is preserved.
static void reserved_name(void **state) {
    (void)state;
    carom_mesh mesh = read_good("hex_41.msh", NULL, NULL), again;
    strcpy(mesh.cell_sets[0].name, "(no set)");
    mesh.cell_sets[0].count = 1;
    assert_true(mesh.blocks[0].count > 1);
    assert_ok(carom_mesh_write(&mesh, "reserved.msh", error));
    assert_ok(carom_mesh_read("reserved.msh", NULL, &again, error));
    assert_true(carom_mesh_hash(&again) == carom_mesh_hash(&mesh));
    carom_mesh_release(&again);
    carom_mesh_release(&mesh);
    unlink("reserved.msh");
}

// A node set with the name of a face set keeps its nodes.
static void same_name(void **state) {
    (void)state;
    carom_mesh mesh = read_good("tet_41.msh", NULL, NULL), again;
    for (int s = 0; s < mesh.set_count; s++)
        if (strcmp(mesh.sets[s].name, "bottom") == 0)
            mesh.sets[s].count = 1;
    assert_ok(carom_mesh_write(&mesh, "same.msh", error));
    assert_ok(carom_mesh_read("same.msh", NULL, &again, error));
    assert_int_equal(carom_mesh_set(&again, "bottom")->count, 1);
    assert_true(carom_mesh_hash(&again) == carom_mesh_hash(&mesh));
    carom_mesh_release(&again);
    carom_mesh_release(&mesh);
    unlink("same.msh");
}

static void write_fails(void **state) {
    (void)state;
    carom_mesh mesh = read_good("tet_41.msh", NULL, NULL);
    assert_refused(carom_mesh_write(&mesh, "mesh.stl", error), CAROM_BAD_INPUT, "ends with .vtu or .msh");
    assert_refused(carom_mesh_write(&mesh, "no/such/folder/mesh.vtu", error), CAROM_IO, "cannot write no/such/folder/mesh.vtu");
    carom_mesh_release(&mesh);
}

// Meshes with overlapping face and node sets are the same after writing and reading in the format of Gmsh, except for sets of
// sides of shells, which it cannot represent.
static void generated(void **state) {
    (void)state;
    const struct {
        const char *name, *keys[6], *values[6];
    } meshes[] = {
        {"line", {"to", "elements"}, {"[1, 0, 0]", "7"}},
        {"tube", {"inner", "outer", "height", "around", "slices", "cells"}, {"0.5", "1", "0.3", "7", "2", "tet4"}},
        {"tube", {"inner", "outer", "height", "around", "slices", "cells"}, {"0.5", "1", "0.3", "7", "2", "hex8"}},
        {"cube", {NULL}, {NULL}},
    };
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
        const carom_kind *kind = carom_catalogue_find(carom_generators(), meshes[i].name);
        assert_non_null(kind);
        void *params = default_params(kind);
        for (int k = 0; k < 6 && meshes[i].keys[k]; k++)
            for (int p = 0; p < kind->param_count; p++)
                if (strcmp(kind->params[p].name, meshes[i].keys[k]) == 0)
                    assert_ok(carom_param_parse(&kind->params[p], meshes[i].values[k], params, error));
        carom_mesh mesh, again;
        assert_ok(carom_mesh_generate((carom_pick){kind, params}, &mesh, error));
        assert_true(mesh.set_count > 0);
        assert_ok(carom_mesh_write(&mesh, "generated.msh", error));
        assert_ok(carom_mesh_read("generated.msh", NULL, &again, error));
        carom_mesh expected = mesh;
        if (mesh.blocks[0].type == CAROM_CELL_TRI3)
            expected.face_set_count = 0;
        if (carom_mesh_hash(&again) != carom_mesh_hash(&expected))
            fail_msg("%s is another mesh after writing and reading", meshes[i].name);
        carom_mesh_release(&again);
        carom_mesh_release(&mesh);
        free(params);
    }
    unlink("generated.msh");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_hash), cmocka_unit_test(groups),         cmocka_unit_test(one_group),
        cmocka_unit_test(generator), cmocka_unit_test(write_and_read), cmocka_unit_test(write_fails),
        cmocka_unit_test(generated), cmocka_unit_test(largest_number), cmocka_unit_test(reserved_name),
        cmocka_unit_test(same_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
