// SPDX-License-Identifier: MIT
// Tests src/mesh/files.
// Features of single formats of mesh files, in small texts.
#include "formats.h"

static void obj(void **state) {
    (void)state;
    carom_mesh mesh = parse("a.obj",
                            "# a square, a triangle\r\nv 0 0 0\r\nv 1 0 0 1\nv 1 1 0 0.5 0.5 0.5\nv 0 1\nvn 0 0 1\nvt 0 0\n"
                            "usemtl grey\ng square\nf 1/1/1 2//1 3/1 \\\n 4\ng tip\nv 0.5 2 0\nf -3 -1 -2 # to the last ones\n",
                            NULL);
    assert_int_equal(mesh.node_count, 5);
    assert_memory_equal(block_of(&mesh, CAROM_CELL_QUAD4)->nodes, ((int[]){0, 1, 2, 3}), 4 * sizeof(int));
    assert_memory_equal(block_of(&mesh, CAROM_CELL_TRI3)->nodes, ((int[]){2, 4, 3}), 3 * sizeof(int));
    assert_int_equal(carom_mesh_cell_set(&mesh, "square")->count, 1);
    assert_int_equal(carom_mesh_cell_set(&mesh, "tip")->count, 1);
    assert_near(area(&mesh), 1.5, 1e-15);
    carom_mesh_release(&mesh);

    // a body of lines and a body of points
    mesh = parse("a.obj", "v 0 0\nv 1 0\nv 2 0\nl 1 2 3\np 1\n", NULL);
    assert_int_equal(mesh.block_count, 1);
    assert_int_equal(block_of(&mesh, CAROM_CELL_LINE2)->count, 2);
    carom_mesh_release(&mesh);
    mesh = parse("a.obj", "v 0 0\nv 1 0\np 1 2\n", NULL);
    assert_int_equal(block_of(&mesh, CAROM_CELL_POINT)->count, 2);
    carom_mesh_release(&mesh);
}

// A polygon that is not convex is cut into triangles that do not overlap, so that its area is the same.
static void polygons(void **state) {
    (void)state;
    const char *const shapes[] = {
        "v 0 0 0\nv 3 0 0\nv 3 3 0\nv 2 3 0\nv 2 1 0\nv 0 1 0\nf 1 2 3 4 5 6\n",                       // an L: 3 + 2
        "v 0 0 0\nv 4 0 0\nv 4 2 0\nv 3 2 0\nv 3 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nf 1 2 3 4 5 6 7 8\n", // a U: 8 - 2
        "v 0 0 0\nv 0 0 2\nv 0 1 0.5\nv 0 2 2\nv 0 2 0\nf 5 4 3 2 1\n",                                // an M across x: 4 - 1.5
    };
    const double areas[] = {5, 6, 2.5};
    const int triangles[] = {4, 6, 3};
    for (int i = 0; i < 3; i++) {
        carom_mesh mesh = parse("a.obj", shapes[i], NULL);
        assert_int_equal(block_of(&mesh, CAROM_CELL_TRI3)->count, triangles[i]);
        assert_near(area(&mesh), areas[i], 1e-14);
        carom_mesh_faults faults;
        assert_ok(carom_mesh_check(&mesh, &faults, error));
        assert_int_equal(faults.count[CAROM_FAULT_ORIENTATION], 0);
        assert_int_equal(faults.count[CAROM_FAULT_NON_MANIFOLD], 0);
        carom_mesh_release(&mesh);
    }
}

// A star as one polygon, with every other corner nearer to the centre. The caller frees the text.
static char *star(int corners, double inner) {
    char *text = malloc(80 * (size_t)corners);
    assert_non_null(text);
    size_t size = 0;
    for (int k = 0; k < corners; k++) {
        double r = k % 2 ? inner : 1, angle = 2 * M_PI * k / corners;
        size += (size_t)sprintf(text + size, "v %.15g %.15g 0\n", r * cos(angle), r * sin(angle));
    }
    size += (size_t)sprintf(text + size, "f");
    for (int k = 1; k <= corners; k++)
        size += (size_t)sprintf(text + size, " %d", k);
    return text;
}

static void large_polygons(void **state) {
    (void)state;
    const struct {
        int corners;
        double inner;
    } cases[] = {{2000, 0.3}, {202, 0.3}, {5000, 0.9}, {20000, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int n = cases[i].corners;
        char *text = star(n, cases[i].inner);
        carom_mesh mesh = parse("a.obj", text, NULL);
        assert_int_equal(block_of(&mesh, CAROM_CELL_TRI3)->count, n - 2);
        assert_near(area(&mesh), 0.5 * n * cases[i].inner * sin(2 * M_PI / n), 1e-10);
        carom_mesh_release(&mesh);
        free(text);
    }
    char *text = star(6000, 0.3);
    refuse("a.obj", text, "a polygon that is not convex has at most 5000 corners, found 6000");
    free(text);
}

static void stl(void **state) {
    (void)state;
    // a tetrahedron; one corner differs by a unit in the last place of single precision
    const char *text =
        "solid t\n"
        " facet normal 0 0 -1\n outer loop\n vertex 0 0 0\n vertex 0 1 0\n vertex 1 0 0\n endloop\n endfacet\n"
        " facet normal 0 -1 0\n outer loop\n vertex 0 0 0\n vertex 1.0000001 0 0\n vertex 0 0 1\n endloop\n endfacet\n"
        " facet normal x y z\n outer loop\n vertex 1 0 0\n vertex 0 1 0\n vertex -0.0 0 1\n endloop\n endfacet\n"
        " FACET NORMAL -1 0 0\n OUTER LOOP\n VERTEX 0 1 0\n VERTEX 0 0 0\n VERTEX 0 0 1\n ENDLOOP\n ENDFACET\n"
        "endsolid t\n";
    carom_mesh mesh = parse("a.stl", text, NULL);
    assert_int_equal(mesh.node_count, 4);
    assert_int_equal(mesh.cell_set_count, 0);
    carom_mesh_facts facts;
    assert_ok(carom_mesh_measure(&mesh, &facts, error));
    assert_true(facts.closed);
    assert_near(facts.volume, 1.0 / 6, 1e-15);
    carom_mesh_release(&mesh);

    // nodes that are near each other, but farther than rounding, are not merged
    mesh = parse("a.stl",
                 "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
                 "0\nendloop\nendfacet\nfacet normal 0 0 1\n"
                 "outer loop\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 1.00001 0\nendloop\nendfacet\nendsolid\n",
                 NULL);
    assert_int_equal(mesh.node_count, 5);
    carom_mesh_release(&mesh);

    // two solids in a file are two sets
    mesh = parse(
        "a.stl",
        "solid one\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid one\n"
        "solid two\nfacet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 1 1 0\nvertex "
        "0 1 0\nendloop\nendfacet\nendsolid two\n",
        NULL);
    assert_int_equal(mesh.node_count, 4);
    assert_memory_equal(carom_mesh_cell_set(&mesh, "one")->cells, ((int[]){0}), sizeof(int));
    assert_memory_equal(carom_mesh_cell_set(&mesh, "two")->cells, ((int[]){1}), sizeof(int));
    carom_mesh_release(&mesh);
}

static void ply(void **state) {
    (void)state;
    carom_mesh mesh = parse(
        "a.ply",
        "ply\r\nformat ascii 1.0\r\ncomment x\r\nelement vertex 5\r\nproperty list uchar int links\r\nproperty float z\r\n"
        "property double x\r\nproperty float y\r\nelement face 2\r\nproperty uchar red\r\n"
        "property list uchar uint vertex_index\r\nelement edge 1\r\nproperty int a\r\nend_header\r\n"
        "0 7 0 0\r\n2 1 2 7 1 0\r\n0 7 1 1\r\n0 7 0 1\r\n0 7 0.5 2\r\n9 4 0 1 2 3\r\n9 3 3 2 4\r\n5\r\n",
        NULL);
    assert_memory_equal(mesh.nodes[4], ((double[]){0.5, 2, 7}), 3 * sizeof(double));
    assert_near(area(&mesh), 1.5, 1e-15);
    carom_mesh_release(&mesh);

    // big endian, 16-bit corners
    char bytes[512];
    int size = snprintf(bytes, sizeof bytes,
                        "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty short x\nproperty short y\n"
                        "element face 1\nproperty list uchar ushort vertex_indices\nend_header\n");
    const unsigned char rows[] = {0, 0, 0, 0, 1, 0, 0, 0, 0xff, 0xff, 0, 2, 3, 0, 0, 0, 1, 0, 2};
    memcpy(bytes + size, rows, sizeof rows);
    assert_ok(carom_mesh_parse(bytes, (size_t)size + sizeof rows, "a.ply", NULL, &mesh, error));
    assert_memory_equal(mesh.nodes, ((double[]){0, 0, 0, 256, 0, 0, -1, 2, 0}), 9 * sizeof(double));
    carom_mesh_release(&mesh);
}

static const char deck[] = "** comment\n*HEADING\n*any text\n"
                           "*Element, type=C3D8R,\n  ELSET=Body\n 10, 1,2,3,4,\n 5,6,7,8\n"
                           "*node, nset=Nall\n1\n2, 1.\n3, 1, 1d0\n4, , 1, 0\n5, 0, 0, 1\n6, 1, 0, 1\n7, 1, 1, 1\n8, 0, 1, 1\n";

static void inp(void **state) {
    (void)state;
    char text[4096];
    remarks r = {0};
    snprintf(text, sizeof text,
             "%s*NSET, NSET=even, GENERATE\n2, 8, 2\n*NSET, NSET=mixed\nEVEN, 1,\n3\n*ELSET, ELSET=\"my set\"\nbody\n"
             "*SURFACE, NAME=lid\nBody, S2\n*SURFACE, NAME=feet, TYPE=NODE\n1, \nEVEN\n*STEP\n*STEP\n*NODE PRINT\nU\n",
             strstr(deck, "*Element"));
    carom_mesh mesh = parse("a.inp", text, &r);
    assert_int_equal(r.count, 1);
    assert_non_null(strstr(r.last, "*NODE PRINT (line "));
    assert_non_null(strstr(r.last, ") are ignored"));
    assert_int_equal(mesh.node_count, 8);
    assert_int_equal(carom_mesh_cell_id(&mesh, 0, 0), 10);
    carom_mesh_facts facts;
    assert_ok(carom_mesh_measure(&mesh, &facts, error));
    assert_near(facts.volume, 1, 1e-15);
    assert_int_equal(carom_mesh_set(&mesh, "Nall")->count, 8);
    assert_memory_equal(carom_mesh_set(&mesh, "even")->nodes, ((int[]){1, 3, 5, 7}), 4 * sizeof(int));
    assert_memory_equal(carom_mesh_set(&mesh, "mixed")->nodes, ((int[]){0, 1, 2, 3, 5, 7}), 6 * sizeof(int));
    assert_memory_equal(carom_mesh_set(&mesh, "feet")->nodes, ((int[]){0, 1, 3, 5, 7}), 5 * sizeof(int));
    assert_int_equal(carom_mesh_cell_set(&mesh, "my set")->count, 1);
    // the face of the upper four nodes, seen from above
    const carom_face_set *lid = carom_mesh_face_set(&mesh, "lid");
    assert_int_equal(lid->count, 1);
    const int *f = lid->nodes[0];
    for (int i = 0; i < 4; i++)
        assert_true(f[i] >= 4);
    const double *a = mesh.nodes[f[0]], *b = mesh.nodes[f[1]], *c = mesh.nodes[f[2]];
    assert_near((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]), 1, 1e-15);
    carom_mesh_release(&mesh);
    // a line that begins with an asterisk is a keyword, also in a title
    refuse("a.inp", "*NODE\n1,0,0,0\n*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n",
           "a.inp:3: element 1 has node 2, which no *NODE defines");
}

// Every face of a tetrahedron and of a hexahedron by its Abaqus label, with an outward normal.
static void inp_faces(void **state) {
    (void)state;
    char text[4096];
    for (int hex = 0; hex < 2; hex++)
        for (int label = 1; label <= (hex ? 6 : 4); label++) {
            snprintf(text, sizeof text,
                     "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n*ELEMENT, TYPE=%s\n"
                     "*SURFACE, NAME=s\n1, S%d\n",
                     hex ? "C3D8\n1,1,2,3,4,5,6,7,8" : "C3D4\n1,1,2,4,5", label);
            carom_mesh mesh = parse("a.inp", text, NULL);
            const carom_face_set *s = carom_mesh_face_set(&mesh, "s");
            assert_int_equal(s->count, 1);
            // the normal points away from the centre of the cell
            const int *f = s->nodes[0];
            double middle = hex ? 0.5 : 0.25, out = 0, n[3], u[3], v[3];
            for (int i = 0; i < 3; i++) {
                u[i] = mesh.nodes[f[1]][i] - mesh.nodes[f[0]][i];
                v[i] = mesh.nodes[f[2]][i] - mesh.nodes[f[0]][i];
            }
            for (int i = 0; i < 3; i++)
                n[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
            for (int i = 0; i < 3; i++)
                out += n[i] * (mesh.nodes[f[0]][i] - middle);
            assert_true(out > 0);
            carom_mesh_release(&mesh);
        }
}

static void put(const char *path, const char *text) {
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

// Included files in the folder of the deck, and the position of an error in them.
static void inp_include(void **state) {
    (void)state;
    mkdir("decks", 0777);
    put("decks/main.inp", "*INCLUDE, INPUT=nodes.inc\n*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n");
    put("decks/nodes.inc", "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n");
    carom_mesh mesh;
    assert_ok(carom_mesh_read("decks/main.inp", NULL, &mesh, error));
    assert_int_equal(mesh.node_count, 4);
    carom_mesh_release(&mesh);
    put("decks/nodes.inc", "*NODE\n1, 0, 0, 0\n2, 1, zero, 0\n");
    assert_refused(carom_mesh_read("decks/main.inp", NULL, &mesh, error), CAROM_BAD_INPUT,
                   "decks/nodes.inc:3:7: expected a coordinate, found 'zero'");
    unlink("decks/main.inp");
    unlink("decks/nodes.inc");
    rmdir("decks");
    refuse("a.inp", "*INCLUDE, INPUT=/etc/passwd\n", "*INCLUDE needs a deck that is read from a file");
}

static void vtk(void **state) {
    (void)state;
    carom_mesh mesh =
        parse("a.vtk",
              "# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET POLYDATA\nFIELD FieldData 1\nTIME 1 1 double\n0.5\n"
              "POINTS 6 float\n0 0 0 1 0 0 0 1 0 1 1 0 0 2 0 1 2 0\n\nMETADATA\nINFORMATION 0\n\n"
              "TRIANGLE_STRIPS 1 5\n4 0 1 2 3\nPOLYGONS 1 5\n4 2 3 5 4\nCELL_DATA 2\nSCALARS x int\n1 2\n",
              NULL);
    assert_near(area(&mesh), 2, 1e-15);
    assert_memory_equal(block_of(&mesh, CAROM_CELL_TRI3)->nodes, ((int[]){0, 1, 2, 2, 1, 3}), 6 * sizeof(int));
    carom_mesh_release(&mesh);

    // pixels and voxels have another order of their corners
    mesh = parse("a.vtk",
                 "# vtk DataFile Version 4.2\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 double\n"
                 "0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1\nCELLS 1 9\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 1\n11\n",
                 NULL);
    carom_mesh_facts facts;
    assert_ok(carom_mesh_measure(&mesh, &facts, error));
    assert_near(facts.volume, 1, 1e-15);
    carom_mesh_release(&mesh);
}

static void vtu(void **state) {
    (void)state;
    // two pieces, a comment, an array that is not used
    const char *piece =
        "<Piece NumberOfPoints='3' NumberOfCells='1'><PointData><DataArray type='Float32' Name='x' format='ascii'>1 2 3"
        "</DataArray></PointData><Points><DataArray type='Float32' NumberOfComponents='3' format='ascii'>"
        "0 0 %d 1 0 %d 0 1 %d</DataArray></Points><Cells><DataArray type='Int32' Name='connectivity' format='ascii'>0 1 2"
        "</DataArray><DataArray type='Int32' Name='offsets' format='ascii'>3</DataArray>"
        "<DataArray type='UInt8' Name='types' format='ascii'>5</DataArray></Cells></Piece>";
    char text[4096];
    int size = snprintf(text, sizeof text, "<VTKFile type='UnstructuredGrid'><!-- <Piece> --><UnstructuredGrid>\n");
    for (int i = 0; i < 2; i++)
        size += snprintf(text + size, sizeof text - (size_t)size, piece, i, i, i);
    snprintf(text + size, sizeof text - (size_t)size, "</UnstructuredGrid></VTKFile>\n");
    carom_mesh mesh = parse("a.vtu", text, NULL);
    assert_int_equal(mesh.node_count, 6);
    assert_memory_equal(mesh.blocks[0].nodes, ((int[]){0, 1, 2, 3, 4, 5}), 6 * sizeof(int));
    carom_mesh_release(&mesh);
}

// Two pieces of quadratic triangles: midside nodes are removed, also those of the second piece.
static void vtu_pieces(void **state) {
    (void)state;
    const char *piece =
        "<Piece NumberOfPoints='6' NumberOfCells='1'><Points><DataArray type='Float32' NumberOfComponents='3' format='ascii'>"
        "0 0 %d 2 0 %d 0 2 %d 1 0 %d 1 1 %d 0 1 %d</DataArray></Points><Cells>"
        "<DataArray type='Int32' Name='connectivity' format='ascii'>0 1 2 3 4 5</DataArray>"
        "<DataArray type='Int32' Name='offsets' format='ascii'>6</DataArray>"
        "<DataArray type='UInt8' Name='types' format='ascii'>22</DataArray></Cells></Piece>";
    char text[8192];
    remarks r = {0};
    int size = snprintf(text, sizeof text, "<VTKFile type='UnstructuredGrid'><UnstructuredGrid>");
    for (int i = 0; i < 3; i++)
        size += snprintf(text + size, sizeof text - (size_t)size, piece, i, i, i, i, i, i);
    snprintf(text + size, sizeof text - (size_t)size, "</UnstructuredGrid></VTKFile>\n");
    carom_mesh mesh = parse("a.vtu", text, &r);
    assert_int_equal(mesh.node_count, 9);
    assert_near(area(&mesh), 6, 1e-15);
    assert_int_equal(r.count, 1);
    assert_string_equal(r.last, "a.vtu: 3 cells of higher order are reduced to their corners");
    carom_mesh_release(&mesh);
}

// Names that are not UTF-8 are read as Latin-1, so that every format can represent them.
static void names_in_latin(void **state) {
    (void)state;
    const struct {
        const char *raw, *name;
    } cases[] = {{"st\xfc"
                  "ck",
                  "st\xc3\xbc"
                  "ck"},
                 {"st\xc3\xbc"
                  "ck",
                  "st\xc3\xbc"
                  "ck"},
                 {"\xed\xa0\x80", "\xc3\xad\xc2\xa0\xc2\x80"},
                 {"a\xe2\x82", "a\xc3\xa2\xc2\x82"},
                 {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        snprintf(text, sizeof text, "v 0 0 0\nv 1 0 0\nv 0 1 0\ng %s\nf 1 2 3\n", cases[i].raw);
        carom_mesh mesh = parse("a.obj", text, NULL);
        assert_int_equal(mesh.cell_set_count, 1);
        assert_string_equal(mesh.cell_sets[0].name, cases[i].name);
        carom_mesh_release(&mesh);
    }
}

// Node and cell numbers that carom writes are read; an array of this name that cannot be numbers is ignored.
static void vtu_numbers(void **state) {
    (void)state;
    const char form[] =
        "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"4\" NumberOfCells=\"2\">"
        "<PointData><DataArray type=\"%s\" Name=\"id\" format=\"ascii\">%s</DataArray></PointData>"
        "<CellData><DataArray type=\"Int64\" Name=\"id\" format=\"ascii\">9 4</DataArray></CellData>"
        "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 1 1 0 0 1 0"
        "</DataArray></Points><Cells><DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">0 1 2 0 2 3"
        "</DataArray><DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">3 6</DataArray><DataArray type=\"UInt8\""
        " Name=\"types\" format=\"ascii\">5 5</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>";
    const struct {
        const char *type, *ids;
        int last;
    } cases[] = {{"Int64", "7 8 1 20", 20}, {"Int64", "7 8 7 20", 3}, {"Int64", "7 -8 1 20", 3}, {"Float64", "7 8 1 20", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1200];
        snprintf(text, sizeof text, form, cases[i].type, cases[i].ids);
        carom_mesh mesh = parse("a.vtu", text, NULL);
        assert_int_equal(carom_mesh_node_id(&mesh, 3), cases[i].last);
        assert_int_equal(carom_mesh_cell_id(&mesh, 0, 0), 9);
        assert_int_equal(carom_mesh_cell_id(&mesh, 0, 1), 4);
        carom_mesh_release(&mesh);
    }
}

// The format is detected from the content, in preference to the name.
static void detection(void **state) {
    (void)state;
    const char *text =
        "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\nPOLYGONS 1 4\n3 0 1 2\n";
    carom_mesh mesh = parse("named.stl", text, NULL);
    carom_mesh_release(&mesh);
    refuse("named.txt", "v 0 0 0\n", "found a file of another kind");
    refuse("named.obj", "v 0 0 0\n", "there are no cells in this file");
    refuse("named", "", "the file is empty");
}

// A byte order mark before text in UTF-8 is skipped.
static void byte_order_mark(void **state) {
    (void)state;
#define MARK "\xef\xbb\xbf"
    static const struct {
        const char *name, *text;
    } files[] = {
        {"a.obj", MARK "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"},
        {"a.inp", MARK "*NODE\n1, 0, 0\n2, 1, 0\n3, 0, 1\n*ELEMENT, TYPE=S3\n1, 1, 2, 3\n"},
        {"a", MARK "*NODE\n1, 0, 0\n2, 1, 0\n3, 0, 1\n*ELEMENT, TYPE=S3\n1, 1, 2, 3\n"},
        {"a",
         MARK "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"
              "property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"},
        {"a", MARK
         "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n"},
        {"a", MARK
         "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n$Elements\n1\n1 2 0 1 2 3\n"
         "$EndElements\n"},
        {"a", MARK
         "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\nPOLYGONS 1 4\n3 0 1 2\n"},
        {"a",
         MARK "<VTKFile type='UnstructuredGrid'><UnstructuredGrid><Piece NumberOfPoints='3' NumberOfCells='1'><Points>"
              "<DataArray type='Float32' NumberOfComponents='3' format='ascii'>0 0 0 1 0 0 0 1 0</DataArray></Points><Cells>"
              "<DataArray type='Int32' Name='connectivity' format='ascii'>0 1 2</DataArray>"
              "<DataArray type='Int32' Name='offsets' format='ascii'>3</DataArray>"
              "<DataArray type='UInt8' Name='types' format='ascii'>5</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>"},
    };
#undef MARK
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        carom_mesh mesh = parse(files[i].name, files[i].text, NULL);
        assert_near(area(&mesh), 0.5, 0);
        carom_mesh_release(&mesh);
    }
}

// A binary file whose count differs from its triangles: a smaller count is read with a remark, a larger one is an error. The
// header may begin as that of a text file.
static void stl_count(void **state) {
    (void)state;
    unsigned char bytes[84 + 2 * 50] = {0};
    const float corners[2][9] = {{0, 0, 0, 1, 0, 0, 0, 1, 0}, {1, 0, 0, 1, 1, 0, 0, 1, 0}};
    for (int f = 0; f < 2; f++)
        memcpy(bytes + 84 + 50 * f + 12, corners[f], sizeof corners[f]);
    for (int head = 0; head < 2; head++)
        for (unsigned char count = 1; count <= 3; count++) {
            strcpy((char *)bytes, head ? "solid by some program" : "some program");
            bytes[80] = count;
            carom_mesh mesh;
            remarks r = {0};
            carom_mesh_read_def def = {.warn = keep, .context = &r};
            if (count == 3) {
                assert_refused(carom_mesh_parse(bytes, sizeof bytes, "a.stl", &def, &mesh, error), CAROM_BAD_INPUT,
                               "a.stl: byte 80: the number of triangles is 3, but only 100 bytes follow: the file is cut "
                               "off, or the number is wrong");
                continue;
            }
            assert_ok(carom_mesh_parse(bytes, sizeof bytes, "a.stl", &def, &mesh, error));
            assert_near(area(&mesh), 0.5 * count, 0);
            assert_int_equal(r.count, count == 1);
            if (count == 1)
                assert_string_equal(r.last, "a.stl: the number of triangles is 1, 50 bytes after them are not read");
            carom_mesh_release(&mesh);
        }
}

// A small deck can define very large sets by references to others; it is refused before memory is exhausted.
static void greedy_sets(void **state) {
    (void)state;
    enum { NODES = 20000, SETS = 2000 };
    size_t room = 64 * (NODES + SETS), size = 0;
    char *text = malloc(room);
    assert_non_null(text);
    size += (size_t)sprintf(text + size, "*NODE\n");
    for (int k = 1; k <= NODES; k++)
        size += (size_t)sprintf(text + size, "%d,%d\n", k, k);
    size += (size_t)sprintf(text + size, "*ELEMENT,TYPE=T3D2\n1,1,2\n");
    for (int s = 0; s < SETS; s++)
        size += (size_t)sprintf(text + size, "*NSET,NSET=n%d,GENERATE\n1,%d\n", s, NODES);
    assert_true(size < room);
    carom_mesh mesh;
    assert_refused(carom_mesh_parse(text, size, "a.inp", NULL, &mesh, error), CAROM_BAD_INPUT,
                   "the sets hold far more than a file of this size can name");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obj),
        cmocka_unit_test(polygons),
        cmocka_unit_test(stl),
        cmocka_unit_test(ply),
        cmocka_unit_test(inp),
        cmocka_unit_test(inp_faces),
        cmocka_unit_test(inp_include),
        cmocka_unit_test(vtk),
        cmocka_unit_test(vtu),
        cmocka_unit_test(detection),
        cmocka_unit_test(vtu_pieces),
        cmocka_unit_test(byte_order_mark),
        cmocka_unit_test(stl_count),
        cmocka_unit_test(greedy_sets),
        cmocka_unit_test(large_polygons),
        cmocka_unit_test(names_in_latin),
        cmocka_unit_test(vtu_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
