// SPDX-License-Identifier: MIT
// Tests src/mesh/files.
// Truncated files. A file truncated at any byte is refused, unless nothing of its mesh is missing; then it is read as the whole
// file. Decks and OBJ files have no end mark: the part before the cut is read.
#include <ctype.h>
#include <dirent.h>

#include "../../../support.h"

static const char folder[] = CAROM_SOURCE_DIR "/test/meshes_good";

typedef struct content {
    char *bytes;
    size_t size;
} content;

static content load(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    content c = {.bytes = malloc(1 << 16)};
    assert_non_null(c.bytes);
    c.size = fread(c.bytes, 1, 1 << 16, stream);
    assert_true(c.size > 0 && c.size < 1 << 16);
    fclose(stream);
    return c;
}

// The mesh of the first `cut` bytes, in memory of exactly this size. False if they are refused, with a message that names the
// file.
static bool read_cut(const content *c, const char *name, size_t cut, carom_mesh *mesh) {
    char *bytes = malloc(cut + !cut);
    assert_non_null(bytes);
    memcpy(bytes, c->bytes, cut);
    carom_error error = {0};
    carom_status status = carom_mesh_parse(bytes, cut, name, NULL, mesh, &error);
    free(bytes);
    if (!status)
        return true;
    assert_int_equal(status, CAROM_BAD_INPUT);
    if (strncmp(error.message, name, strlen(name)) != 0 || error.message[strlen(name)] != ':')
        fail_msg("%s cut at byte %zu: '%s'", name, cut, error.message);
    return false;
}

static uint64_t bare_hash(carom_mesh mesh) {
    mesh.set_count = mesh.cell_set_count = mesh.face_set_count = 0;
    return carom_mesh_hash(&mesh);
}

static bool ends(const char *name, const char *ending) {
    size_t n = strlen(name), m = strlen(ending);
    return n >= m && strcmp(name + n - m, ending) == 0;
}

// The offset after which a file has no part of its mesh: only line ends, closing tags and words, fields after the cells. The
// list of types in a .vtk file has no fixed length; whether it is complete follows from the mesh.
static size_t harmless(const char *name, const content *c) {
    static const struct {
        const char *ending, *mark; // the last occurrence of this text; NULL: the last byte
        bool behind;
    } rules[] = {
        {".msh", "$EndElements", true},
        {"raw.vtu", "\n  </AppendedData>", false},
        {"raw_zlib.vtu", "\n  </AppendedData>", false},
        {"base64.vtu", "\n  </AppendedData>", false},
        {"base64_zlib.vtu", "\n  </AppendedData>", false},
        {".vtu", "</Piece>", true},
        {".stl", "endsolid", true},
        {".vtk", "CELL_TYPES", true},
        {".ply", NULL, false},
        {".stl", NULL, false},
    };
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        if (!ends(name, rules[r].ending))
            continue;
        if (!rules[r].mark)
            return c->size - 1;
        size_t length = strlen(rules[r].mark);
        for (size_t at = c->size - length; at > 0; at--)
            if (memcmp(c->bytes + at, rules[r].mark, length) == 0)
                return at + (rules[r].behind ? length : 0);
    }
    fail_msg("no rule for %s", name);
    return 0;
}

static void cut_anywhere(void **state) {
    (void)state;
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    int files = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        const char *name = entry->d_name, *dot = strrchr(name, '.');
        // one body for each format
        const char *prefix = !dot ? NULL : strcmp(dot, ".msh") == 0 ? "tet_" : strncmp(dot, ".vt", 3) == 0 ? "hex_" : "shell_";
        if (!prefix || strncmp(name, prefix, strlen(prefix)) != 0 || strcmp(dot, ".inp") == 0 || strcmp(dot, ".obj") == 0)
            continue;
        content c = load(name);
        carom_mesh mesh;
        assert_true(read_cut(&c, name, c.size, &mesh));
        uint64_t whole = bare_hash(mesh);
        carom_mesh_release(&mesh);
        size_t from = harmless(name, &c);
        for (size_t cut = 0; cut < c.size; cut++) {
            if (!read_cut(&c, name, cut, &mesh))
                continue;
            bool same = bare_hash(mesh) == whole;
            carom_mesh_release(&mesh);
            // the first digits of the last type in a .vtk file are a type too: that digits are missing cannot be detected
            if (strcmp(dot, ".vtk") == 0 && isdigit((unsigned char)c.bytes[cut - 1]) && isdigit((unsigned char)c.bytes[cut]))
                continue;
            if (!same || cut < from)
                fail_msg("%s of %zu bytes is read when it is cut at byte %zu", name, c.size, cut);
        }
        free(c.bytes);
        files++;
    }
    closedir(directory);
    assert_true(files >= 35);
}

// A file without an end mark, cut at the end of a line: all cells above are read, and a file without cells is refused.
static void cut_at_lines(void **state) {
    (void)state;
    static const struct {
        const char *name, *row; // a row of a cell begins with this
    } files[] = {{"shell_meshio.obj", "f "}, {"shell_meshio.inp", NULL}};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        content c = load(files[f].name);
        int cells = 0, lines = 0;
        bool elements = false;
        for (size_t begin = 0, end; begin < c.size; begin = end) {
            const char *line = c.bytes + begin, *stop = memchr(line, '\n', c.size - begin);
            end = stop ? (size_t)(stop + 1 - c.bytes) : c.size;
            if (files[f].row)
                cells += strncmp(line, files[f].row, strlen(files[f].row)) == 0;
            else if (*line == '*')
                elements = strncmp(line, "*ELEMENT", 8) == 0;
            else
                cells += elements;
            carom_mesh mesh;
            bool good = read_cut(&c, files[f].name, end, &mesh);
            assert_int_equal(good, cells > 0);
            if (good) {
                assert_int_equal(mesh.blocks[0].count, cells);
                carom_mesh_release(&mesh);
            }
            lines++;
        }
        assert_int_equal(cells, 16);
        assert_true(lines > 16);
        free(c.bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cut_anywhere), cmocka_unit_test(cut_at_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
