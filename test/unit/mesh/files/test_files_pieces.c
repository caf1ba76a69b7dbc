// SPDX-License-Identifier: MIT
// Tests src/mesh/files/pieces.c, src/mesh/cone.c, src/mesh/cell_surface.c.
// Prisms, pyramids and hexahedra with common faces are cut into conforming tetrahedra, for any numbering of the nodes.
#include "../../../support.h"

// A hexahedron with an adjacent prism, a pyramid on top, and a tetrahedron at its side.
static const double corners[12][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1},     {1, 0, 1},
                                      {1, 1, 1}, {0, 1, 1}, {2, 0, 0}, {2, 1, 0}, {0.5, 0.5, 2}, {2, 0.5, 1.5}};
static const int hex[8] = {0, 1, 2, 3, 4, 5, 6, 7}, prism[6] = {1, 5, 8, 2, 6, 9}, pyramid[5] = {4, 5, 6, 7, 10},
                 tet[4] = {5, 11, 6, 10};

#define VOLUME (1 + 1 / 2.0 + 1 / 3.0 + 1.25 / 6)

typedef struct remarks {
    int count;
    char text[8][256];
} remarks;

static void keep(void *context, const char *message) {
    remarks *r = context;
    assert_in_range(r->count, 0, 7);
    snprintf(r->text[r->count++], sizeof r->text[0], "%s", message);
}

static int print_row(char *text, size_t size, const char *head, const int *nodes, int count, const int *number) {
    int end = snprintf(text, size, "%s", head);
    for (int i = 0; i < count; i++)
        end += snprintf(text + end, size - (size_t)end, ", %d", number[nodes[i]]);
    return end + snprintf(text + end, size - (size_t)end, "\n");
}

// Writes the cells as a deck with the node numbers `number`. Nodes are in the order of their numbers.
static void write_deck(char *text, size_t size, const int number[12], const int *prism_nodes) {
    int end = snprintf(text, size, "*NODE\n");
    for (int n = 1; n <= 12; n++)
        for (int k = 0; k < 12; k++)
            if (number[k] == n)
                end += snprintf(text + end, size - (size_t)end, "%d, %g, %g, %g\n", n, corners[k][0], corners[k][1],
                                corners[k][2]);
    end += snprintf(text + end, size - (size_t)end, "*ELEMENT, TYPE=C3D8, ELSET=BLOCK\n");
    end += print_row(text + end, size - (size_t)end, "1", hex, 8, number);
    end += snprintf(text + end, size - (size_t)end, "*ELEMENT, TYPE=C3D6, ELSET=ROOF\n");
    end += print_row(text + end, size - (size_t)end, "2", prism_nodes, 6, number);
    end += snprintf(text + end, size - (size_t)end, "*ELEMENT, TYPE=C3D5, ELSET=TIP\n");
    end += print_row(text + end, size - (size_t)end, "3", pyramid, 5, number);
    end += snprintf(text + end, size - (size_t)end, "*ELEMENT, TYPE=C3D4, ELSET=REST\n");
    end += print_row(text + end, size - (size_t)end, "4", tet, 4, number);
    snprintf(text + end, size - (size_t)end,
             "*SURFACE, NAME=FLOOR\nBLOCK, S1\nROOF, S5\n*ELSET, ELSET=TWO\nBLOCK, TIP\n*SURFACE, NAME=SIDES\nTIP, S2\n");
}

static void shuffle(int number[12], uint64_t *seed) {
    for (int i = 0; i < 12; i++)
        number[i] = i + 1;
    for (int i = 11; i > 0; i--) {
        *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        int j = (int)((*seed >> 33) % (uint64_t)(i + 1)), kept = number[i];
        number[i] = number[j];
        number[j] = kept;
    }
}

static double area_of(const carom_mesh *mesh, const char *name) {
    const carom_face_set *set = carom_mesh_face_set(mesh, name);
    assert_non_null(set);
    double sum = 0;
    for (int f = 0; f < set->count; f++) {
        const int *face = set->nodes[f];
        assert_int_equal(face[3], -1);
        double u[3], v[3], n[3], square = 0;
        for (int i = 0; i < 3; i++) {
            u[i] = mesh->nodes[face[1]][i] - mesh->nodes[face[0]][i];
            v[i] = mesh->nodes[face[2]][i] - mesh->nodes[face[0]][i];
        }
        for (int i = 0; i < 3; i++) {
            n[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
            square += n[i] * n[i];
        }
        sum += sqrt(square) / 2;
    }
    return sum;
}

static void fit(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int trial = 0; trial < 300; trial++) {
        int number[12];
        shuffle(number, &seed);
        char text[2048];
        write_deck(text, sizeof text, number, prism);
        carom_mesh mesh;
        remarks r = {0};
        assert_ok(
            carom_mesh_parse(text, strlen(text), "a.inp", &(carom_mesh_read_def){.warn = keep, .context = &r}, &mesh, error));
        assert_int_equal(r.count, 1);
        assert_string_equal(r.text[0], "a.inp: 1 prism, 1 pyramid and 1 hexahedron are cut into 11 tetrahedra");
        assert_int_equal(mesh.block_count, 1);
        assert_int_equal(mesh.blocks[0].type, CAROM_CELL_TET4);
        assert_int_equal(mesh.blocks[0].count, 12);
        carom_mesh_faults faults;
        carom_mesh_facts facts;
        assert_ok(carom_mesh_check(&mesh, &faults, error));
        assert_false(carom_mesh_is_faulty(&faults));
        assert_ok(carom_mesh_measure(&mesh, &facts, error));
        // a mesh that does not conform has open edges or a larger surface
        assert_true(facts.closed);
        assert_near(facts.volume, VOLUME, 1e-14);
        assert_int_equal(carom_mesh_cell_set(&mesh, "TWO")->count, 8);
        assert_int_equal(carom_mesh_cell_set(&mesh, "ROOF")->count, 3);
        assert_near(area_of(&mesh, "FLOOR"), 2, 1e-14);
        assert_near(area_of(&mesh, "SIDES"), sqrt(1.25) / 2, 1e-14);
        // numbers remain unique
        for (int c = 1; c < 12; c++)
            for (int d = 0; d < c; d++)
                assert_true(carom_mesh_cell_id(&mesh, 0, c) != carom_mesh_cell_id(&mesh, 0, d));
        assert_ok(carom_mesh_name_surface(&mesh, error));
        assert_near(area_of(&mesh, "surface"), facts.area, 1e-13);
        carom_mesh_release(&mesh);
    }
}

// A body of prisms keeps them, reversed if they are inverted, unless cutting is requested.
static void whole(void **state) {
    (void)state;
    static const int backward[6] = {1, 8, 5, 2, 9, 6};
    char text[4000];
    int number[12];
    for (int i = 0; i < 12; i++)
        number[i] = i + 1;
    write_deck(text, sizeof text, number, backward);
    for (int cut = 0; cut < 2; cut++) {
        remarks r = {0};
        carom_mesh mesh = {0};
        carom_mesh_facts facts;
        carom_mesh_read_def def = {.group = "ROOF", .warn = keep, .context = &r, .cut_prisms = cut};
        assert_ok(carom_mesh_parse(text, strlen(text), "a.inp", &def, &mesh, error));
        assert_int_equal(mesh.block_count, 1);
        assert_int_equal(mesh.blocks[0].type, cut ? CAROM_CELL_TET4 : CAROM_CELL_WEDGE6);
        assert_int_equal(mesh.blocks[0].count, cut ? 3 : 1);
        assert_int_equal(r.count, cut ? 2 : 1);
        assert_string_equal(r.text[r.count - 1], "a.inp: 1 prisms and pyramids were inverted and have been reversed");
        assert_ok(carom_mesh_measure(&mesh, &facts, error));
        assert_true(facts.closed);
        assert_near(facts.volume, 0.5, 1e-15);
        carom_mesh_release(&mesh);
    }
}

// A prism with reversed node order is corrected; a group without prisms keeps its hexahedra; its surface consists of triangles.
static void choices(void **state) {
    (void)state;
    static const int other[6] = {1, 8, 5, 2, 9, 6};
    int number[12];
    for (int i = 0; i < 12; i++)
        number[i] = i + 1;
    char text[2048];
    write_deck(text, sizeof text, number, other);
    // the base of a prism is S3 with this node order
    memcpy(strstr(text, "ROOF, S5"), "ROOF, S3", 8);
    carom_mesh mesh;
    carom_mesh_facts facts;
    remarks r = {0};
    carom_mesh_read_def def = {.warn = keep, .context = &r};
    assert_ok(carom_mesh_parse(text, strlen(text), "a.inp", &def, &mesh, error));
    assert_int_equal(r.count, 2);
    assert_string_equal(r.text[1], "a.inp: 1 prisms and pyramids were inverted and have been reversed");
    assert_ok(carom_mesh_measure(&mesh, &facts, error));
    assert_near(facts.volume, VOLUME, 1e-14);
    assert_near(area_of(&mesh, "FLOOR"), 2, 1e-14);
    carom_mesh_release(&mesh);

    def.group = "BLOCK";
    r.count = 0;
    assert_ok(carom_mesh_parse(text, strlen(text), "a.inp", &def, &mesh, error));
    assert_int_equal(mesh.blocks[0].type, CAROM_CELL_HEX8);
    assert_int_equal(r.count, 0);
    carom_mesh_release(&mesh);
    def.group = "TWO";
    assert_ok(carom_mesh_parse(text, strlen(text), "a.inp", &def, &mesh, error));
    assert_int_equal(mesh.blocks[0].count, 8);
    assert_int_equal(mesh.node_count, 9);
    carom_mesh_release(&mesh);

    def.group = "surface";
    assert_ok(carom_mesh_parse(text, strlen(text), "a.inp", &def, &mesh, error));
    assert_int_equal(mesh.block_count, 1);
    assert_int_equal(mesh.blocks[0].type, CAROM_CELL_TRI3);
    assert_ok(carom_mesh_measure(&mesh, &facts, error));
    assert_true(facts.closed);
    assert_near(facts.volume, VOLUME, 1e-14);
    assert_non_null(carom_mesh_set(&mesh, "FLOOR"));
    carom_mesh_release(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fit), cmocka_unit_test(choices), cmocka_unit_test(whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
