// SPDX-License-Identifier: MIT
// Tests src/mesh/files.
// Decks of Abaqus: names, sets, instances, included files, and elements that are not cells of the body.
#include <sys/stat.h>
#include <unistd.h>

#include "../../../support.h"

// The tetrahedron of the origin and the unit points of the axes.
#define TET                                                   \
    "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n" \
    "*ELEMENT, TYPE=C3D4, ELSET=ALL\n1, 1, 2, 3, 4\n"

typedef struct remarks {
    int count;
    char text[8][256];
} remarks;

static void keep(void *context, const char *message) {
    remarks *r = context;
    assert_in_range(r->count, 0, 7);
    snprintf(r->text[r->count++], sizeof r->text[0], "%s", message);
}

static carom_mesh parse(const char *text, remarks *r) {
    carom_mesh mesh;
    remarks none = {0};
    carom_mesh_read_def def = {.warn = keep, .context = r ? r : &none};
    assert_ok(carom_mesh_parse(text, strlen(text), "a.inp", &def, &mesh, error));
    if (!r && none.count)
        fail_msg("%s", none.text[0]);
    return mesh;
}

static void refuse(const char *text, const char *message) {
    carom_mesh mesh;
    assert_refused(carom_mesh_parse(text, strlen(text), "a.inp", NULL, &mesh, error), CAROM_BAD_INPUT, message);
}

static void assert_nodes(const carom_mesh *mesh, const char *name, const int *nodes, int count) {
    const carom_node_set *set = carom_mesh_set(mesh, name);
    assert_non_null(set);
    assert_int_equal(set->count, count);
    assert_memory_equal(set->nodes, nodes, (size_t)count * sizeof *nodes);
}

// A node set, an element set and a surface may have the same name and remain different.
static void kinds_of_names(void **state) {
    (void)state;
    carom_mesh mesh =
        parse(TET "*NSET, NSET=A\n4\n*SURFACE, NAME=A\nALL, S1\n*ELSET, ELSET=A\n1\n*SURFACE, NAME=B\n1, S1\n", NULL);
    assert_nodes(&mesh, "A", (int[]){3}, 1);
    assert_nodes(&mesh, "B", (int[]){0, 1, 2}, 3);
    assert_int_equal(carom_mesh_face_set(&mesh, "A")->count, 1);
    assert_int_equal(carom_mesh_cell_set(&mesh, "A")->count, 1);
    carom_mesh_release(&mesh);

    // a set of shells on a face is not added to the surface of the same name
    remarks r = {0};
    mesh = parse(TET "*ELEMENT, TYPE=S3, ELSET=A\n2, 1, 2, 4\n*SURFACE, NAME=A\n1, S1\n", &r);
    assert_nodes(&mesh, "A", (int[]){0, 1, 2}, 3);
    assert_int_equal(carom_mesh_face_set(&mesh, "A")->count, 1);
    carom_mesh_release(&mesh);

    // a node-based surface is a node set: two of the same name are one
    mesh = parse(TET "*NSET, NSET=A\n1, 4\n*SURFACE, NAME=A, TYPE=NODE\nA\n4,\n", NULL);
    assert_nodes(&mesh, "A", (int[]){0, 3}, 2);
    carom_mesh_release(&mesh);
    refuse(TET "*NSET, NSET=A\n1, 4\n*SURFACE, NAME=A, TYPE=NODE\n4,\n2,\n",
           "a.inp:12: surface 'A' has node 2, but node set 'A' does not; rename one");
}

static void nodes_of_elements(void **state) {
    (void)state;
    carom_mesh mesh = parse("*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n5, 1, 1, 1\n6, 2, 2, 2\n*NSET, NSET=N\n6\n"
                            "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n2, 2, 3, 4, 5\n*ELSET, ELSET=Upper\n2\n"
                            "*NSET, NSET=N, ELSET=UPPER\n*NSET, NSET=M, ELSET=Upper\n1\n",
                            NULL);
    assert_nodes(&mesh, "N", (int[]){1, 2, 3, 4, 5}, 5);
    assert_nodes(&mesh, "M", (int[]){0, 1, 2, 3, 4}, 5);
    carom_mesh_release(&mesh);
    refuse(TET "*NSET, NSET=N, ELSET=LOWER\n", "a.inp:8:1: there is no set of elements 'LOWER' above");
}

// Sets whose names differ only beyond 63 bytes are different.
static void long_names(void **state) {
    (void)state;
    char stem[64], text[2048], name[80];
    memset(stem, 'n', sizeof stem);
    stem[63] = 0;
    remarks r = {0};
    snprintf(text, sizeof text,
             TET "*NSET, NSET=%s\n1\n*NSET, NSET=%s_left\n2\n*NSET, NSET=%s_right\n3\n*NSET, NSET=X\n%s_LEFT\n", stem, stem,
             stem, stem);
    carom_mesh mesh = parse(text, &r);
    assert_nodes(&mesh, stem, (int[]){0}, 1);
    snprintf(name, sizeof name, "%.61s~3", stem);
    assert_nodes(&mesh, name, (int[]){1}, 1);
    snprintf(name, sizeof name, "%.61s~4", stem);
    assert_nodes(&mesh, name, (int[]){2}, 1);
    assert_nodes(&mesh, "X", (int[]){1}, 1);
    assert_int_equal(r.count, 2);
    assert_non_null(strstr(r.text[0], "a.inp:10: the name 'n"));
    assert_non_null(strstr(r.text[0], "_left' is shortened to 'n"));
    carom_mesh_release(&mesh);

    // a group is found by its full name as well
    snprintf(text, sizeof text, TET "*ELSET, ELSET=%s_left\n1\n", stem);
    snprintf(name, sizeof name, "%s_left", stem);
    assert_ok(carom_mesh_parse(text, strlen(text), "a.inp", &(carom_mesh_read_def){.group = name}, &mesh, error));
    assert_int_equal(mesh.blocks[0].count, 1);
    carom_mesh_release(&mesh);

    // a name that cannot be shortened to a unique one
    size_t size = (size_t)snprintf(text, sizeof text, TET "*NSET, NSET=%s\n1\n", stem);
    for (int i = 6; i < 9; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "*NSET, NSET=%.61s~%d\n1\n", stem, i);
    snprintf(text + size, sizeof text - size, "*NSET, NSET=%s_left\n2\n", stem);
    refuse(text, "is longer than 63 bytes, and its beginning is the name of another set");

    // a character of two bytes is not split
    memset(&r, 0, sizeof r);
    snprintf(text, sizeof text, TET "*NSET, NSET=%.62s\xc3\xa9\n1\n", stem);
    mesh = parse(text, &r);
    snprintf(name, sizeof name, "%.62s", stem);
    assert_nodes(&mesh, name, (int[]){0}, 1);
    carom_mesh_release(&mesh);
}

static void instances(void **state) {
    (void)state;
    carom_mesh mesh = parse("*PART, NAME=P\n" TET "*END PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, PART=P\n*END INSTANCE\n"
                            "*END ASSEMBLY\n",
                            NULL);
    carom_mesh_release(&mesh);
    refuse(TET "*INSTANCE, NAME=I, PART=P\n*END INSTANCE\n", "a.inp:8:1: there is no *PART 'P' above");
    refuse("*PART, NAME=P\n" TET "*INSTANCE, NAME=I, PART=P\n", "a.inp:1:1: *PART is not closed by *END PART");
    refuse("*PART, NAME=P\n" TET "*END PART\n*INSTANCE, NAME=I, PART=P\n0, x\n",
           "a.inp:11:4: expected a component of a translation");
    refuse("*PART, NAME=P\n" TET "*END PART\n*INSTANCE, NAME=I, PART=P\n0, 0, 0\n1, 1, 1, 1, 1, 1, 90\n",
           "a.inp:12:1: expected two points of an axis of rotation");
    refuse("*PART, NAME=P\n" TET "*END PART\n*INSTANCE, NAME=I, PART=P\n*END INSTANCE\n*INSTANCE, NAME=i, PART=P\n",
           "a.inp:12:1: a second instance has the name 'i'");
    refuse("*PART, NAME=P\n" TET "*END PART\n*INSTANCE, NAME=I, PART=P\n*END INSTANCE\n*NSET, NSET=N, INSTANCE=J\n1\n",
           "a.inp:12:1: there is no *INSTANCE 'J' above");
}

// Two instances of one part and one of another: numbers, names, positions.
static void several_instances(void **state) {
    (void)state;
    static const char deck[] = "*PART, NAME=P\n" TET "*NSET, NSET=TIP\n4\n*SURFACE, NAME=BASE\nALL, S1\n*END PART\n"
                               "*PART, NAME=Q\n*NODE\n1, 5, 0, 0\n2, 6, 0, 0\n3, 5, 1, 0\n4, 5, 0, 1\n"
                               "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n*END PART\n"
                               "*ASSEMBLY, NAME=A\n*INSTANCE, NAME=P-1, PART=P\n*END INSTANCE\n"
                               "*INSTANCE, NAME=P-2, PART=P\n1, 0, 0\n1, 0, 0, 1, 0, 1, 90\n*END INSTANCE\n"
                               "*INSTANCE, NAME=Q-1, PART=Q\n*END INSTANCE\n"
                               "*NODE\n1, 9, 9, 9\n*NSET, NSET=RP\n1\n"
                               "*NSET, NSET=TIPS, INSTANCE=P-1\nTIP\n*NSET, NSET=TIPS, INSTANCE=P-2\nTIP, 1\n"
                               "*ELSET, ELSET=LAST, INSTANCE=Q-1, GENERATE\n1, 1\n*END ASSEMBLY\n";
    remarks r = {0};
    carom_mesh mesh = parse(deck, &r);
    assert_int_equal(r.count, 2);
    assert_string_equal(r.text[0], "a.inp:26: instance 'P-2': its numbers are those of the part plus 10");
    assert_string_equal(r.text[1], "a.inp:30: instance 'Q-1': its numbers are those of the part plus 20");
    assert_int_equal(carom_mesh_cell_set(&mesh, "P-1")->count, 1);
    assert_int_equal(carom_mesh_cell_set(&mesh, "P-2")->cells[0], 1);
    assert_int_equal(carom_mesh_cell_set(&mesh, "Q-1")->cells[0], 2);
    assert_int_equal(carom_mesh_cell_set(&mesh, "LAST")->cells[0], 2);
    assert_int_equal(carom_mesh_cell_set(&mesh, "P-2.ALL")->cells[0], 1);
    assert_int_equal(carom_mesh_set(&mesh, "TIPS")->count, 3);
    assert_int_equal(carom_mesh_set(&mesh, "P-2.TIP")->count, 1);
    assert_int_equal(carom_mesh_face_set(&mesh, "P-2.BASE")->count, 1);
    // node 2 of the part is at (1, 0, 0), moved to (2, 0, 0), rotated about the line x = 1, y = 0 to (1, 1, 0)
    int node = 0;
    while (carom_mesh_node_id(&mesh, node) != 12)
        node++;
    for (int i = 0; i < 3; i++)
        assert_true(mesh.nodes[node][i] == (double)(i < 2));
    carom_mesh_release(&mesh);

    // one of them as a body, with its sets
    assert_ok(carom_mesh_parse(deck, strlen(deck), "a.inp", &(carom_mesh_read_def){.group = "P-2"}, &mesh, error));
    assert_int_equal(mesh.node_count, 4);
    assert_int_equal(carom_mesh_set(&mesh, "TIPS")->count, 2);
    carom_mesh_release(&mesh);
}

// Parts without instances are instances of themselves; a deck with one instance keeps names without a prefix.
static void parts_alone(void **state) {
    (void)state;
    remarks r = {0};
    carom_mesh mesh = parse("*PART, NAME=P\n" TET "*END PART\n*PART, NAME=Q\n" TET "*END PART\n", &r);
    assert_int_equal(carom_mesh_cell_set(&mesh, "Q.ALL")->cells[0], 1);
    assert_int_equal(carom_mesh_cell_set(&mesh, "P")->count, 1);
    carom_mesh_release(&mesh);
    mesh = parse("*PART, NAME=P\n" TET "*END PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, PART=P\n*END INSTANCE\n"
                 "*SURFACE, NAME=S\nI.ALL, S1\n*NODE\n1, 7, 7, 7\n*NSET, NSET=RP\n1\n*END ASSEMBLY\n",
                 NULL);
    assert_int_equal(carom_mesh_face_set(&mesh, "S")->count, 1);
    assert_int_equal(carom_mesh_cell_set(&mesh, "I")->count, 1);
    carom_mesh_release(&mesh);
}

// Elements without a corresponding cell are omitted with one remark for each type; sets and surfaces may refer to them.
static void other_elements(void **state) {
    (void)state;
    remarks r = {0};
    carom_mesh mesh =
        parse("*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n*ELEMENT, TYPE=SpringA, ELSET=springs\n7, 1, 2\n"
              "*ELEMENT, TYPE=MASS\n8, 1\n9, 2\n*ELEMENT, TYPE=C3D4, ELSET=ALL\n1, 1, 2, 3, 4\n"
              "*ELEMENT, TYPE=SPRINGA\n10, 1, 3\n*ELEMENT, TYPE=CONN3D2\n11, 1,\n2\n"
              "12, 1, 2\n*ELEMENT, TYPE=CPS3, ELSET=side\n13, 1, 2, 3\n"
              "*ELSET, ELSET=mixed\nALL, springs, 8\n12\n*SURFACE, NAME=S\nsprings, S1\n7, S1\n1, S1\n",
              &r);
    assert_int_equal(mesh.block_count, 1);
    assert_int_equal(mesh.blocks[0].count, 1);
    assert_int_equal(carom_mesh_cell_set(&mesh, "mixed")->count, 1);
    assert_null(carom_mesh_cell_set(&mesh, "springs"));
    assert_int_equal(carom_mesh_face_set(&mesh, "S")->count, 1);
    assert_int_equal(carom_mesh_face_set(&mesh, "side")->count, 1);
    assert_int_equal(r.count, 4);
    assert_string_equal(r.text[0], "a.inp:6: elements of type SPRINGA (2) are left out: carom has no cell for them");
    assert_string_equal(r.text[1], "a.inp:8: elements of type MASS (2) are left out: carom has no cell for them");
    assert_string_equal(r.text[2], "a.inp:15: elements of type CONN3D2 (2) are left out: carom has no cell for them");
    assert_string_equal(r.text[3], "a.inp:19: elements of type CPS3 (1) are not cells of the body; they only name sets");
    carom_mesh_release(&mesh);

    // nothing remains
    refuse("*NODE\n1, 0\n2, 1\n*ELEMENT, TYPE=SPRINGA\n7, 1, 2\n", "a.inp:4: carom has no cell for elements of type SPRINGA");
    refuse(TET "*ELSET, ELSET=A\n7\n", "a.inp:9: set 'A' has element 7, which is not defined");
}

// Elements of the dimension of the body must not be omitted, nor any elements of a requested group.
static void lost_elements(void **state) {
    (void)state;
    const char prism[] = "*ELEMENT, TYPE=COH3D6, ELSET=W\n7, 1, 2, 3, 4, 1, 2\n";
    char text[1024];
    snprintf(text, sizeof text, "%s%s", TET, prism);
    refuse(text, "a.inp:8: carom has no cell for elements of type COH3D6");
    // surface elements do not replace the body of prisms
    snprintf(text, sizeof text, "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n%s*ELEMENT, TYPE=SFM3D3\n8, 1, 2, 3\n",
             prism);
    refuse(text, "a.inp:6: carom has no cell for elements of type COH3D6");
    refuse("*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n*ELEMENT, TYPE=S3\n1, 1, 2, "
           "3\n*ELEMENT, TYPE=COH3D6\n2, 1, 2, 3, 1, 2, 3\n",
           "a.inp:7: carom has no cell for elements of type COH3D6");

    // if a group is requested, elements of others may be omitted, but none of its own
    snprintf(text, sizeof text, "%s%s*ELSET, ELSET=G, GENERATE\n1, 9\n*ELSET, ELSET=H\nALL, 7\n", TET, prism);
    carom_mesh mesh;
    assert_ok(carom_mesh_parse(text, strlen(text), "a.inp", &(carom_mesh_read_def){.group = "ALL"}, &mesh, error));
    assert_int_equal(carom_mesh_cell_set(&mesh, "ALL")->count, 1);
    carom_mesh_release(&mesh);
    for (int i = 0; i < 2; i++)
        assert_refused(
            carom_mesh_parse(text, strlen(text), "a.inp", &(carom_mesh_read_def){.group = i ? "G" : "H"}, &mesh, error),
            CAROM_BAD_INPUT, "has elements that carom has no cell for");

    // nodes of omitted elements are missing in sets
    remarks r = {0};
    mesh = parse(TET "*ELEMENT, TYPE=SPRINGA, ELSET=P\n7, 1, 2\n*ELSET, ELSET=Q\nP, 1\n*NSET, NSET=N, ELSET=Q\n", &r);
    assert_int_equal(r.count, 2);
    assert_string_equal(r.text[1], "a.inp:13: set 'N' has no nodes of elements of 'Q' that are left out");
    carom_mesh_release(&mesh);
}

// A set may include one that is defined after it; names are case-insensitive; a comma at the end of a keyword line does not
// continue it to the numbers.
static void order_of_sets(void **state) {
    (void)state;
    carom_mesh mesh = parse(TET "*NSET, NSET=A\n1\n*NSET, NSET=B\n2, 3\n*NSET, NSET=C\nA\n*NSET, NSET=a\nb, a\n"
                                "*NSET, NSET=B\nA\n",
                            NULL);
    assert_nodes(&mesh, "A", (int[]){0, 1, 2}, 3);
    assert_nodes(&mesh, "B", (int[]){0, 1, 2}, 3);
    assert_nodes(&mesh, "C", (int[]){0}, 1);
    assert_int_equal(mesh.set_count, 3);
    carom_mesh_release(&mesh);

    mesh = parse(TET "*SURFACE, NAME=top\n1, S1\n*SURFACE, NAME=TOP\n1, S2\n", NULL);
    assert_int_equal(mesh.face_set_count, 1);
    assert_int_equal(carom_mesh_face_set(&mesh, "top")->count, 2);
    carom_mesh_release(&mesh);
    refuse(TET "*NSET, NSET=q\n1, 4\n*SURFACE, NAME=Q, TYPE=NODE\n4,\n2,\n",
           "a.inp:12: surface 'q' has node 2, but node set 'q' does not; rename one");

    mesh = parse(TET "*NSET, NSET=A,\n1, 2\n*NSET,\nNSET=B\n3\n", NULL);
    assert_nodes(&mesh, "A", (int[]){0, 1}, 2);
    assert_nodes(&mesh, "B", (int[]){2}, 1);
    carom_mesh_release(&mesh);
    refuse(TET "*NSET, NSET=A\n1\n*NSET, NSET=B,\nA\n", "a.inp:10:1: 'A' is not a parameter of *NSET");
}

// Surfaces of types that are not supported are ignored with a remark.
static void other_surfaces(void **state) {
    (void)state;
    remarks r = {0};
    carom_mesh mesh = parse(TET "*SURFACE, NAME=C, TYPE=CYLINDER\n0, 0, 0\n*SURFACE, NAME=U, COMBINE=UNION\nS, T\n"
                                "*SURFACE, NAME=F\nALL,\nALL\nI.5, S1\n1, S1\n",
                            &r);
    assert_int_equal(carom_mesh_face_set(&mesh, "F")->count, 1);
    assert_int_equal(mesh.face_set_count, 1);
    assert_int_equal(r.count, 5);
    assert_string_equal(r.text[0], "a.inp:8: surface 'C' is not read: it is neither of elements nor of nodes");
    assert_string_equal(r.text[1], "a.inp:10: surface 'U' is not read: it is made of other surfaces");
    assert_string_equal(r.text[2], "a.inp:13: surface 'F': the free surface of elements is not read, name faces (S1 to S6)");
    assert_string_equal(r.text[4], "a.inp:15: surface 'F': 'I.5' of an instance is not read");
    carom_mesh_release(&mesh);
}

// A midside node that is not defined, in the second of two blocks.
static void missing_middle(void **state) {
    (void)state;
    refuse("*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 2, 0, 0\n4, 3, 0, 0\n5, 4, 0, 0\n*ELEMENT, TYPE=B32\n1, 1, 2, 3\n"
           "*ELEMENT, TYPE=T3D3\n2, 3, 4, 5\n3, 3, 9, 5\n",
           "a.inp:9: element 3 has node 9, which no *NODE defines");
}

// A deck with very many element types: those with cells are read.
static void many_types(void **state) {
    (void)state;
    char text[16384];
    size_t size = (size_t)snprintf(text, sizeof text, "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n");
    for (int i = 0; i < 400; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "*ELEMENT, TYPE=U%d\n%d, 1\n", i, i + 2);
    assert_true(size + 64 < sizeof text);
    snprintf(text + size, sizeof text - size, "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n");
    carom_mesh mesh;
    assert_ok(carom_mesh_parse(text, strlen(text), "a.inp", NULL, &mesh, error));
    assert_int_equal(mesh.blocks[0].count, 1);
    carom_mesh_release(&mesh);
}

static void put(const char *path, const char *text) {
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

static void include_path(const char *path, bool refused) {
    char text[256], message[256];
    carom_mesh mesh;
    snprintf(text, sizeof text, "*INCLUDE, INPUT=%s\n", path);
    put("deck/main.inp", text);
    snprintf(message, sizeof message,
             "deck/main.inp:1:1: *INCLUDE of %s: only files in the folder of the deck and below are read", path);
    if (refused) {
        assert_refused(carom_mesh_read("deck/main.inp", NULL, &mesh, error), CAROM_BAD_INPUT, message);
        return;
    }
    assert_ok(carom_mesh_read("deck/main.inp", NULL, &mesh, error));
    carom_mesh_release(&mesh);
}

// Includes are restricted to the folder of the deck and its subfolders.
static void include_stays(void **state) {
    (void)state;
    mkdir("deck", 0777);
    mkdir("deck/parts", 0777);
    put("deck/tet.inc", TET);
    put("deck/parts/tet.inc", TET);
    put("outside.inc", TET);
    static const char *const good[] = {"tet.inc", "./tet.inc", "parts/tet.inc", "parts/../tet.inc", "parts//tet.inc"};
    static const char *const bad[] = {"../outside.inc", "parts/../../outside.inc", "/etc/passwd", "./../outside.inc"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        include_path(good[i], false);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        include_path(bad[i], true);
    // a symbolic link to another folder is refused as well
    assert_int_equal(symlink("../outside.inc", "deck/link.inc"), 0);
    assert_int_equal(symlink("tet.inc", "deck/inner.inc"), 0);
    include_path("link.inc", true);
    include_path("inner.inc", false);

    // each file is read once, by whatever path it is included
    carom_mesh mesh;
    put("deck/main.inp", "*INCLUDE, INPUT=tet.inc\n*INCLUDE, INPUT=parts/../inner.inc\n");
    assert_refused(carom_mesh_read("deck/main.inp", NULL, &mesh, error), CAROM_BAD_INPUT,
                   "deck/main.inp:2:1: *INCLUDE of parts/../inner.inc: the file was read before");
    static const char *const files[] = {"deck/main.inp", "deck/tet.inc",  "deck/parts/tet.inc",
                                        "outside.inc",   "deck/link.inc", "deck/inner.inc"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
    rmdir("deck/parts");
    rmdir("deck");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_of_names), cmocka_unit_test(nodes_of_elements), cmocka_unit_test(long_names),
        cmocka_unit_test(instances),      cmocka_unit_test(several_instances), cmocka_unit_test(parts_alone),
        cmocka_unit_test(other_elements), cmocka_unit_test(many_types),        cmocka_unit_test(include_stays),
        cmocka_unit_test(lost_elements),  cmocka_unit_test(order_of_sets),     cmocka_unit_test(other_surfaces),
        cmocka_unit_test(missing_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
