// SPDX-License-Identifier: MIT
// Writes a mesh in VTK's XML format, with all arrays appended as raw bytes, each after its size in eight bytes. Ids and sets
// are arrays of points and cells.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/files/write.h"
#include "mesh/mesh.h"

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
static const char byte_order[] = "BigEndian";
#else
static const char byte_order[] = "LittleEndian";
#endif

typedef struct writer {
    const carom_mesh *mesh;
    FILE *stream;
    uint64_t offset; // of the next array
    int64_t cells, connectivity;
} writer;

// In attributes, only these characters must be replaced.
static void escape(FILE *stream, const char *text) {
    for (; *text; text++) {
        switch (*text) {
        case '<': fputs("&lt;", stream); break;
        case '&': fputs("&amp;", stream); break;
        case '"': fputs("&quot;", stream); break;
        default: fputc(*text, stream);
        }
    }
}

// Writes the tag of an array with the offset of its bytes.
static void describe(writer *w, const char *type, const char *name, int components, int64_t bytes) {
    // Offsets count from the byte after the underscore, and each array is preceded by its size.
    fprintf(w->stream, "        <DataArray type=\"%s\" Name=\"", type);
    escape(w->stream, name);
    fprintf(w->stream, "\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%" PRIu64 "\"/>\n", components, w->offset);
    w->offset += sizeof(uint64_t) + (uint64_t)bytes;
}

// The arrays are described in the order in which they are written below.
static void write_head(writer *w) {
    const carom_mesh *mesh = w->mesh;
    fprintf(w->stream,
            "<?xml version=\"1.0\"?>\n"
            "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"%s\" header_type=\"UInt64\">\n"
            "  <UnstructuredGrid>\n"
            "    <Piece NumberOfPoints=\"%d\" NumberOfCells=\"%" PRId64 "\">\n"
            "      <PointData>\n",
            byte_order, mesh->node_count, w->cells);
    // Ids are always written, so that a mesh read back has the numbers of its file.
    describe(w, "Int64", "id", 1, 8 * (int64_t)mesh->node_count);
    for (int s = 0; s < mesh->set_count; s++)
        describe(w, "UInt8", mesh->sets[s].name, 1, mesh->node_count);
    fputs("      </PointData>\n      <CellData>\n", w->stream);
    describe(w, "Int64", "id", 1, 8 * w->cells);
    for (int s = 0; s < mesh->cell_set_count; s++)
        describe(w, "UInt8", mesh->cell_sets[s].name, 1, w->cells);
    fputs("      </CellData>\n      <Points>\n", w->stream);
    describe(w, "Float64", "Points", 3, 24 * (int64_t)mesh->node_count);
    fputs("      </Points>\n      <Cells>\n", w->stream);
    describe(w, "Int64", "connectivity", 1, 8 * w->connectivity);
    describe(w, "Int64", "offsets", 1, 8 * w->cells);
    describe(w, "UInt8", "types", 1, w->cells);
    fputs("      </Cells>\n    </Piece>\n  </UnstructuredGrid>\n  <AppendedData encoding=\"raw\">\n_", w->stream);
}

static void put_size(writer *w, int64_t bytes) {
    uint64_t size = (uint64_t)bytes;
    fwrite(&size, sizeof size, 1, w->stream);
}

static void put_int64(writer *w, int64_t value) {
    fwrite(&value, sizeof value, 1, w->stream);
}

// A set as an array of ones at its members and zeros at the others.
static bool put_set(writer *w, const int *members, int count, int64_t size) {
    unsigned char *marks = carom_allocate(size, 1);
    if (!marks)
        return false;
    for (int i = 0; i < count; i++)
        marks[members[i]] = 1;
    put_size(w, size);
    fwrite(marks, 1, (size_t)size, w->stream);
    free(marks);
    return true;
}

static bool write_node_arrays(writer *w) {
    const carom_mesh *mesh = w->mesh;
    put_size(w, 8 * (int64_t)mesh->node_count);
    for (int k = 0; k < mesh->node_count; k++)
        put_int64(w, carom_mesh_node_id(mesh, k));
    for (int s = 0; s < mesh->set_count; s++)
        if (!put_set(w, mesh->sets[s].nodes, mesh->sets[s].count, mesh->node_count))
            return false;
    return true;
}

static bool write_cell_arrays(writer *w) {
    const carom_mesh *mesh = w->mesh;
    put_size(w, 8 * w->cells);
    for (int b = 0; b < mesh->block_count; b++)
        for (int c = 0; c < mesh->blocks[b].count; c++)
            put_int64(w, carom_mesh_cell_id(mesh, b, c));
    for (int s = 0; s < mesh->cell_set_count; s++)
        if (!put_set(w, mesh->cell_sets[s].cells, mesh->cell_sets[s].count, w->cells))
            return false;
    return true;
}

// Coordinates are one array of doubles in memory already.
static void write_geometry(writer *w) {
    const carom_mesh *mesh = w->mesh;
    put_size(w, 24 * (int64_t)mesh->node_count);
    fwrite(mesh->nodes, sizeof *mesh->nodes, (size_t)mesh->node_count, w->stream);
    put_size(w, 8 * w->connectivity);
    for (int b = 0; b < mesh->block_count; b++) {
        const carom_cell_block *block = &mesh->blocks[b];
        for (int64_t i = 0; i < (int64_t)block->count * carom_cell_size(block->type); i++)
            put_int64(w, block->nodes[i]);
    }
    put_size(w, 8 * w->cells);
    // An offset is the end of a cell in the connectivity, counted from 0.
    int64_t end = 0;
    for (int b = 0; b < mesh->block_count; b++)
        for (int c = 0; c < mesh->blocks[b].count; c++)
            put_int64(w, end += carom_cell_size(mesh->blocks[b].type));
    put_size(w, w->cells);
    for (int b = 0; b < mesh->block_count; b++)
        for (int c = 0; c < mesh->blocks[b].count; c++)
            fputc(carom_cell_vtk_type(mesh->blocks[b].type), w->stream);
}

carom_status carom_write_vtu(const carom_mesh *mesh, FILE *stream, carom_error *error) {
    writer w = {.mesh = mesh, .stream = stream, .cells = carom_mesh_cell_count(mesh)};
    for (int b = 0; b < mesh->block_count; b++)
        w.connectivity += (int64_t)mesh->blocks[b].count * carom_cell_size(mesh->blocks[b].type);
    write_head(&w);
    if (!write_node_arrays(&w) || !write_cell_arrays(&w))
        return carom_fail(error, CAROM_NO_MEMORY, "no memory to write the sets");
    write_geometry(&w);
    fputs("\n  </AppendedData>\n</VTKFile>\n", stream);
    return CAROM_OK;
}
