// SPDX-License-Identifier: MIT
// The file has an XML head that lists the arrays with their offsets, followed by the arrays as raw bytes,
// each after its size as a 64-bit integer. One table, list_arrays, serves the head, the data and the
// estimate of the size.
#include "output/vtu.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "output/file.h"
#include "output/number.h"

// The content of an array, which decides where its bytes come from.
typedef enum array_content {
    POINT_FIELD, // a vector of all points, see `field`
    POINT_BODY,
    CONTACT_STATE,
    MASS,
    NODE_NUMBER,
    CELL_NUMBER,
    CELL_BODY,
    FIELD, // an element field, see `field`
    NODAL, // an element field averaged to the nodes, see `field`
    POINTS,
    CONNECTIVITY,
    OFFSETS,
    TYPES,
} array_content;

typedef enum array_section { POINT_DATA, CELL_DATA, POINT_COORDINATES, CELLS, SECTION_COUNT } array_section;

// An array of the file.
typedef struct array {
    array_content content;
    int field;
    array_section section;
    const char *type, *name;
    int components;
    uint64_t bytes;
} array;

// Element fields and their nodal means, and the fixed arrays.
enum { ARRAYS_MAX = 2 * CAROM_GRID_FIELDS_MAX + 16 };

// Sections of a piece, in the order that VTK itself writes.
static const char *const section_names[SECTION_COUNT] = {"PointData", "CellData", "Points", "Cells"};

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
static const char byte_order[] = "BigEndian";
#else
static const char byte_order[] = "LittleEndian";
#endif

// Lists all arrays in the order of the file, with their sizes in bytes. Arrays of a section stand together.
static int list_arrays(const carom_grid *grid, array arrays[ARRAYS_MAX]) {
    uint64_t n = (uint64_t)grid->point_count, cells = (uint64_t)grid->cell_count;
    int count = 0;
    for (int f = 0; f < grid->point_field_count; f++)
        arrays[count++] =
            (array){POINT_FIELD, f, POINT_DATA, "Float64", carom_point_field_name(grid, grid->point_fields[f]), 3, 24 * n};
    arrays[count++] = (array){POINT_BODY, 0, POINT_DATA, "Int32", "body", 1, 4 * n};
    arrays[count++] = (array){CONTACT_STATE, 0, POINT_DATA, "Int32", "contact_state", 1, 4 * n};
    arrays[count++] = (array){MASS, 0, POINT_DATA, "Float64", "mass", 1, 8 * n};
    if (grid->numbered)
        arrays[count++] = (array){NODE_NUMBER, 0, POINT_DATA, "Int64", "number", 1, 8 * n};
    for (int f = 0; f < grid->nodal_count; f++) {
        int components = grid->fields[grid->nodal[f]].components;
        arrays[count++] =
            (array){NODAL, f, POINT_DATA, "Float64", grid->nodal_names[f], components, 8 * n * (uint64_t)components};
    }
    arrays[count++] = (array){CELL_BODY, 0, CELL_DATA, "Int32", "body", 1, 4 * cells};
    if (grid->numbered)
        arrays[count++] = (array){CELL_NUMBER, 0, CELL_DATA, "Int64", "number", 1, 8 * cells};
    for (int f = 0; f < grid->field_count; f++) {
        int components = grid->fields[f].components;
        arrays[count++] =
            (array){FIELD, f, CELL_DATA, "Float64", grid->fields[f].name, components, 8 * cells * (uint64_t)components};
    }
    arrays[count++] = (array){POINTS, 0, POINT_COORDINATES, "Float64", "position", 3, 24 * n};
    arrays[count++] = (array){CONNECTIVITY, 0, CELLS, "Int64", "connectivity", 1, 8 * (uint64_t)grid->connectivity_count};
    arrays[count++] = (array){OFFSETS, 0, CELLS, "Int64", "offsets", 1, 8 * cells};
    arrays[count++] = (array){TYPES, 0, CELLS, "UInt8", "types", 1, cells};
    return count;
}

static void write_head(FILE *stream, const carom_grid *grid, const array *arrays, int count, double time) {
    char number[CAROM_NUMBER_MAX];
    carom_number_print(time, number);
    fprintf(stream,
            "<?xml version=\"1.0\"?>\n"
            "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"%s\" header_type=\"UInt64\">\n"
            "  <UnstructuredGrid>\n"
            "    <FieldData>\n"
            "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">%s</DataArray>\n"
            "    </FieldData>\n"
            "    <Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n",
            byte_order, number, grid->point_count, grid->cell_count);
    // offsets count from the '_' that begins the appended data, each array preceded by its size
    uint64_t offset = 0;
    for (int i = 0; i < count; i++) {
        const array *a = &arrays[i];
        if (i == 0 || arrays[i - 1].section != a->section)
            fprintf(stream, "      <%s>\n", section_names[a->section]);
        fprintf(stream, "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" ", a->type,
                a->name, a->components);
        fprintf(stream, "offset=\"%" PRIu64 "\"/>\n", offset);
        if (i + 1 == count || arrays[i + 1].section != a->section)
            fprintf(stream, "      </%s>\n", section_names[a->section]);
        offset += sizeof offset + a->bytes;
    }
    fputs("    </Piece>\n"
          "  </UnstructuredGrid>\n"
          "  <AppendedData encoding=\"raw\">\n"
          "_",
          stream);
}

// Bytes of an array.
static const void *array_bytes(const carom_grid *grid, const carom_frame *frame, const array *a) {
    switch (a->content) {
    case POINT_FIELD: return frame->point_fields[a->field];
    case POINT_BODY: return grid->point_body;
    case CONTACT_STATE: return frame->contact_state;
    case MASS: return grid->point_mass;
    case CELL_BODY: return grid->cell_body;
    case NODE_NUMBER: return grid->node_number;
    case CELL_NUMBER: return grid->cell_number;
    case FIELD: return frame->fields[a->field];
    case NODAL: return frame->nodal[a->field];
    case POINTS: return frame->positions;
    case CONNECTIVITY: return grid->connectivity;
    // VTK wants the end of each cell, without the leading 0
    case OFFSETS: return grid->offsets + 1;
    case TYPES: return grid->types;
    }
    return NULL;
}

carom_status carom_vtu_write(const char *path, const carom_grid *grid, const carom_frame *frame, carom_error *error) {
    array arrays[ARRAYS_MAX];
    int count = list_arrays(grid, arrays);
    FILE *stream;
    carom_status status = carom_file_begin(path, &stream, error);
    if (status)
        return status;

    // stop at the first failure, while errno still holds its reason
    errno = 0;
    write_head(stream, grid, arrays, count, frame->time);
    for (int i = 0; i < count && !ferror(stream); i++) {
        // the size of each array in bytes, as header_type says
        fwrite(&arrays[i].bytes, sizeof arrays[i].bytes, 1, stream);
        fwrite(array_bytes(grid, frame, &arrays[i]), 1, (size_t)arrays[i].bytes, stream);
    }
    if (!ferror(stream))
        fputs("\n  </AppendedData>\n</VTKFile>\n", stream);
    return carom_file_commit(path, stream, error);
}

int64_t carom_vtu_size(const carom_grid *grid) {
    array arrays[ARRAYS_MAX];
    int count = list_arrays(grid, arrays);
    // the XML: about a kilobyte, and a line for each array
    int64_t size = 1024;
    for (int i = 0; i < count; i++)
        size += (int64_t)arrays[i].bytes + 128;
    return size;
}
