// SPDX-License-Identifier: MIT
// Reads a mesh from a file of any format: recognises the format and converts the bytes to a mesh.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/platform.h"
#include "carom/file.h"
#include "mesh/files/draft.h"

// Limit of the memory of sets, in addition to the arrays of nodes and cells:
enum {
    SET_BYTES = 6,        // so many bytes for each byte of the file,
    SET_SPARE = 32 << 20, // plus 32 MiB, because a few bytes can define a large range
};

typedef struct format {
    const char *name, *ending;
    bool (*read)(carom_reader *reader);
} format;

// In the order of carom_mesh_format.
static const format formats[] = {
    [CAROM_MESH_MSH] = {"Gmsh", ".msh", carom_read_msh}, [CAROM_MESH_INP] = {"Abaqus", ".inp", carom_read_inp},
    [CAROM_MESH_STL] = {"STL", ".stl", carom_read_stl},  [CAROM_MESH_OBJ] = {"OBJ", ".obj", carom_read_obj},
    [CAROM_MESH_PLY] = {"PLY", ".ply", carom_read_ply},  [CAROM_MESH_VTU] = {"VTU", ".vtu", carom_read_vtu},
    [CAROM_MESH_VTK] = {"VTK", ".vtk", carom_read_vtk},  [CAROM_MESH_MEDIT] = {"MEDIT", ".mesh", carom_read_medit},
    [CAROM_MESH_UNV] = {"UNV", ".unv", carom_read_unv},
};

enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

static bool begins(const char *text, size_t size, const char *word) {
    return size >= strlen(word) && strncasecmp(text, word, strlen(word)) == 0;
}

// A binary STL has no signature, but its size follows from its count.
static bool is_binary_stl(const unsigned char *bytes, size_t size) {
    // 80 bytes of text and the count.
    if (size < 84)
        return false;
    // Little endian on every machine.
    uint64_t count = bytes[80] | (uint64_t)bytes[81] << 8 | (uint64_t)bytes[82] << 16 | (uint64_t)bytes[83] << 24;
    return size == 84 + 50 * count;
}

// Recognises a format by the first bytes that are not blank. OBJ has no signature.
static carom_mesh_format by_content(const unsigned char *bytes, size_t size) {
    // Checked first: the 80 free bytes of a binary STL may contain any word, even the signature of another format.
    if (is_binary_stl(bytes, size))
        return CAROM_MESH_STL;
    carom_scan scan = carom_scan_start("", bytes, size, NULL);
    carom_scan_mark(&scan);
    const char *text = (const char *)scan.at;
    size = (size_t)carom_scan_left(&scan);
    while (size && strchr(" \t\r\n", *text) && *text)
        text++, size--;
    if (begins(text, size, "$MeshFormat") || begins(text, size, "$Comments"))
        return CAROM_MESH_MSH;
    if (begins(text, size, "# vtk DataFile"))
        return CAROM_MESH_VTK;
    if (begins(text, size, "<?xml") || begins(text, size, "<VTKFile"))
        return CAROM_MESH_VTU;
    if (size > 3 && memcmp(text, "ply", 3) == 0 && strchr(" \r\n", text[3]))
        return CAROM_MESH_PLY;
    // Not "solid" alone, which may begin a name in a file of another kind.
    if (begins(text, size, "solid ") || begins(text, size, "solid\n") || begins(text, size, "solid\r"))
        return CAROM_MESH_STL;
    if (begins(text, size, "MeshVersionFormatted"))
        return CAROM_MESH_MEDIT;
    if (begins(text, size, "-1") && size > 2 && strchr(" \r\n", text[2]))
        return CAROM_MESH_UNV;
    if (begins(text, size, "**") || begins(text, size, "*HEADING") || begins(text, size, "*NODE"))
        return CAROM_MESH_INP;
    return CAROM_MESH_AUTO;
}

static carom_mesh_format by_name(const char *name) {
    const char *dot = strrchr(name, '.');
    for (int f = CAROM_MESH_MSH; dot && f < FORMAT_COUNT; f++)
        if (strcasecmp(dot, formats[f].ending) == 0)
            return (carom_mesh_format)f;
    return CAROM_MESH_AUTO;
}

// These files are meshed or converted by `carom mesh` through gmsh; here they only get a helpful message.
bool carom_path_is_cad(const char *path) {
    static const char *const endings[] = {".step", ".stp", ".iges", ".igs", ".brep", ".geo", ".med"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(dot, endings[i]) == 0)
            return true;
    return false;
}

carom_mesh_read_def carom_default_mesh_read_def(void) {
    return (carom_mesh_read_def){.format = CAROM_MESH_AUTO};
}

bool carom_path_is_mesh(const char *path) {
    return by_name(path) != CAROM_MESH_AUTO;
}

// The content decides before the name, since files are renamed more often than their first bytes change.
static carom_status parse(const void *bytes, size_t size, const char *name, const char *path, const carom_mesh_read_def *def,
                          carom_mesh *mesh, carom_error *error) {
    static const carom_mesh_read_def plain = {0};
    *mesh = (carom_mesh){0};
    carom_reader reader = {.scan = carom_scan_start(name, bytes, size, error), .def = def ? def : &plain, .path = path};
    // Counted down by every set; a file that names more than this is refused.
    reader.draft.budget = SET_BYTES * (int64_t)size + SET_SPARE;
    carom_mesh_format chosen = reader.def->format;
    if (size == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: the file is empty", name);
    if (chosen == CAROM_MESH_AUTO)
        chosen = by_content(bytes, size);
    if (chosen == CAROM_MESH_AUTO)
        chosen = by_name(name);
    if (chosen == CAROM_MESH_AUTO && carom_path_is_cad(name))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s: gmsh reads such files, not carom; `carom mesh %s -o part.msh` makes a mesh", name, name);
    if (chosen == CAROM_MESH_AUTO)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "%s: expected a mesh (.msh, .inp, .mesh, .unv, .stl, .obj, .ply, .vtu, .vtk), found a file of another kind", name);

    // The byte order mark is no part of a text; but a binary STL may begin with any bytes, even those of the mark.
    if (chosen != CAROM_MESH_STL)
        carom_scan_mark(&reader.scan);
    carom_status status;
    if (formats[chosen].read(&reader))
        status = carom_reader_finish(&reader, mesh);
    else
        status = reader.scan.status;
    carom_draft_release(&reader.draft);
    return status;
}

carom_status carom_mesh_parse(const void *bytes, size_t size, const char *name, const carom_mesh_read_def *def,
                              carom_mesh *mesh, carom_error *error) {
    return parse(bytes, size, name, NULL, def, mesh, error);
}

// Reads the whole file at once, because readers require random access.
carom_status carom_read_bytes(const char *path, unsigned char **bytes, size_t *size, carom_error *error) {
    *bytes = NULL;
    // Non-blocking: a named pipe must not block before it is refused as no plain file.
    int fd = open(path, O_RDONLY | CAROM_OPEN_PRIVATE | CAROM_OPEN_AT_ONCE);
    if (fd < 0)
        return carom_fail(error, CAROM_IO, "cannot read %s: %s", path, strerror(errno));
    struct stat info;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        close(fd);
        return carom_fail(error, CAROM_IO, "cannot read %s: not a plain file", path);
    }
    // The size at the time of opening. A file that grows meanwhile is read up to there.
    size_t file_size = (size_t)info.st_size, got = 0;
    unsigned char *buffer = malloc(file_size + 1);
    if (!buffer) {
        close(fd);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the %lld bytes of %s", (long long)info.st_size, path);
    }
    // A file that shrinks meanwhile is read to its new end.
    while (got < file_size) {
        ssize_t n = read(fd, buffer + got, file_size - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            carom_fail(error, CAROM_IO, "cannot read %s: %s", path, strerror(errno));
            free(buffer);
            close(fd);
            return CAROM_IO;
        }
        if (n == 0)
            break;
        got += (size_t)n;
    }
    close(fd);
    *bytes = buffer;
    *size = got;
    return CAROM_OK;
}

carom_status carom_mesh_read(const char *path, const carom_mesh_read_def *def, carom_mesh *mesh, carom_error *error) {
    *mesh = (carom_mesh){0};
    unsigned char *bytes;
    size_t size;
    carom_status status = carom_read_bytes(path, &bytes, &size, error);
    if (!status)
        // The path is that of the file itself, for the files that it includes.
        status = parse(bytes, size, path, path, def, mesh, error);
    free(bytes);
    return status;
}
