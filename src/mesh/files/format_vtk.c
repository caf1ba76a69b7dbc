// SPDX-License-Identifier: MIT
// Reads legacy VTK files, versions 2.0 to 5.1: unstructured grids and polygonal data, in ASCII or in binary (big endian). The
// formats are those of "VTK File Formats" in the VTK User's Guide. Version 5.1 stores cells as offsets and connectivity,
// earlier ones as rows that begin with their length. Fields are skipped.
#include <string.h>

#include "mesh/files/vtk_cells.h"

typedef struct vtk {
    carom_reader *reader;
    bool binary, have_points;
    carom_vtk_cells cells;
    const unsigned char *cells_place;
} vtk;

// Names of types in legacy files; those of VTK itself appear in version 5.1.
static const char *const names[] = {"double",         "float",        "int",           "unsigned_int", "long",
                                    "unsigned_long",  "vtktypeint64", "vtktypeuint64", "vtkIdType",    "short",
                                    "unsigned_short", "char",         "unsigned_char", "vtktypeint32", "bit"};
static const carom_number_type types[] = {CAROM_FLOAT64, CAROM_FLOAT32, CAROM_INT32,  CAROM_UINT32, CAROM_INT64,
                                          CAROM_UINT64,  CAROM_INT64,   CAROM_UINT64, CAROM_INT64,  CAROM_INT16,
                                          CAROM_UINT16,  CAROM_INT8,    CAROM_UINT8,  CAROM_INT32,  CAROM_NUMBER_TYPES};
enum { TYPES = sizeof types / sizeof *types };

static bool read_type(vtk *v, carom_number_type *type, const char **name) {
    carom_scan *scan = &v->reader->scan;
    size_t found = carom_scan_choose(scan, names, TYPES, "a type of numbers (float, double, int, ...)");
    *type = found < TYPES ? types[found] : CAROM_NUMBER_TYPES;
    *name = found < TYPES ? names[found] : "";
    if (found >= TYPES)
        return false;
    // Numbers of a section begin on the line after its keyword, binary ones right after the line feed.
    carom_scan_next_line(scan);
    scan->binary = v->binary;
    return true;
}

// METADATA ends with an empty line.
static void skip_metadata(carom_scan *scan) {
    carom_words rest;
    carom_scan_next_line(scan);
    while (carom_scan_rest(scan, &rest) && rest.size)
        continue;
}

// POINTS n type
static bool read_points(vtk *v) {
    carom_reader *reader = v->reader;
    carom_scan *scan = &reader->scan;
    int64_t count;
    if (v->have_points)
        return carom_scan_fail(scan, NULL, "a second POINTS");
    // One data set has one list of points, to which all cells refer.
    v->have_points = true;
    // Checked again below, when the form and the type are known; here it bounds the count by the text that is left.
    if (!carom_scan_count(scan, "the number of points", 6, &count))
        return false;
    carom_number_type type;
    const char *name;
    if (!read_type(v, &type, &name))
        return false;
    // Text has no type: numbers are read in any form.
    if (v->binary && type != CAROM_FLOAT32 && type != CAROM_FLOAT64)
        return carom_scan_fail(scan, NULL, "expected points of type float or double, found %s", name);
    if (!carom_scan_check_count(scan, "the number of points", v->binary ? 3 * carom_scan_bytes_of(type) : 6, count) ||
        !carom_reader_reserve_nodes(reader, count, false))
        return false;
    for (int64_t k = 0; k < count; k++) {
        double x[3];
        const unsigned char *place = scan->at;
        if (v->binary && !carom_scan_take(scan, 3 * carom_scan_bytes_of(type), "a point"))
            return false;
        scan->at = place;
        if (!carom_scan_next_point(scan, type, "a coordinate", x) || !carom_reader_node(reader, v->binary ? place : NULL, x))
            return false;
    }
    return true;
}

// OFFSETS and CONNECTIVITY of version 5.1, with one more offset than cells.
static bool read_offsets(vtk *v, int64_t offset_count, int64_t size) {
    carom_reader *reader = v->reader;
    carom_scan *scan = &reader->scan;
    // A second list of polygonal data continues the connectivity of the first; its offsets count from its own beginning.
    int64_t value, first = v->cells.points.count;
    carom_number_type type;
    const char *name;
    if (!read_type(v, &type, &name))
        return false;
    if (!carom_scan_check_count(scan, "the number of offsets", v->binary ? carom_scan_bytes_of(type) : 2, offset_count))
        return false;
    for (int64_t i = 0; i < offset_count; i++) {
        if (!carom_scan_next_whole(scan, type, "an offset", &value))
            return false;
        // The first offset is 0.
        if (i > 0 && !carom_vtk_cells_add(reader, &v->cells.ends, first + value))
            return false;
    }
    // Keywords are text in binary files too.
    scan->binary = false;
    carom_scan_space(scan);
    // Both arrays have a type of their own.
    if (!carom_scan_accept(scan, "CONNECTIVITY"))
        return carom_scan_expected(scan, "CONNECTIVITY");
    if (!read_type(v, &type, &name))
        return false;
    if (!carom_scan_check_count(scan, "the length of the connectivity", v->binary ? carom_scan_bytes_of(type) : 2, size))
        return false;
    for (int64_t i = 0; i < size; i++)
        if (!carom_scan_next_whole(scan, type, "a point of a cell", &value) ||
            !carom_vtk_cells_add(reader, &v->cells.points, value))
            return false;
    return true;
}

// Rows of versions before 5.1: the number of points, then the points. `size` is the length of all rows together.
static bool read_rows(vtk *v, int64_t count, int64_t size) {
    carom_reader *reader = v->reader;
    carom_scan *scan = &reader->scan;
    int64_t length, value, left = size;
    scan->binary = v->binary;
    for (int64_t c = 0; c < count; c++) {
        if (!carom_scan_next_whole(scan, CAROM_INT32, "the number of points of a cell", &length))
            return false;
        // The announced length is the only bound of a row.
        left -= 1 + length;
        if (length < 0 || left < 0)
            return carom_scan_fail(scan, NULL, "cell %lld has %lld points, more than the list holds", (long long)c,
                                   (long long)length);
        for (int64_t i = 0; i < length; i++)
            if (!carom_scan_next_whole(scan, CAROM_INT32, "a point of a cell", &value) ||
                !carom_vtk_cells_add(reader, &v->cells.points, value))
                return false;
        if (!carom_vtk_cells_add(reader, &v->cells.ends, v->cells.points.count))
            return false;
    }
    // Rows that are shorter than announced mean a damaged count.
    return left == 0 || carom_scan_fail(scan, NULL, "the list of cells has %lld numbers, expected %lld",
                                        (long long)(size - left), (long long)size);
}

// A list of cells. `type` is the type of all of them, or 0 if CELL_TYPES gives it.
static bool read_cells(vtk *v, int type) {
    carom_scan *scan = &v->reader->scan;
    int64_t count, size, first = v->cells.ends.count;
    // Messages about cells name the place of their list.
    v->cells_place = scan->at;
    // In version 5.1 the first number is that of the offsets, one more than the cells.
    if (!carom_scan_count(scan, "the number of cells", 2, &count) ||
        !carom_scan_count(scan, "the length of the list of cells", 2, &size))
        return false;
    carom_scan_next_line(scan);
    // White space before OFFSETS is skipped, but a binary row may begin with such a byte: hence the return to `place`.
    const unsigned char *place = scan->at;
    carom_scan_space(scan);
    bool good;
    if (carom_scan_accept(scan, "OFFSETS")) {
        good = read_offsets(v, count, size);
    } else {
        scan->at = place;
        good = carom_scan_check_count(scan, "the length of the list of cells", v->binary ? 4 : 2, size) &&
               read_rows(v, count, size);
    }
    // Lists of polygonal data have one type each: poly-vertex, poly-line, strip, polygon.
    for (int64_t c = first; good && type && c < v->cells.ends.count; c++)
        good = carom_vtk_cells_add(v->reader, &v->cells.types, type);
    return good;
}

// CELL_TYPES n, then a number of vtkCellType for each cell.
static bool read_cell_types(vtk *v) {
    carom_scan *scan = &v->reader->scan;
    int64_t count, value;
    if (!carom_scan_count(scan, "the number of cell types", 2, &count))
        return false;
    carom_scan_next_line(scan);
    scan->binary = v->binary;
    for (int64_t c = 0; c < count; c++)
        if (!carom_scan_next_whole(scan, CAROM_INT32, "the type of a cell", &value) ||
            !carom_vtk_cells_add(v->reader, &v->cells.types, value))
            return false;
    return true;
}

// FIELD before the points: arrays, each with a name, a number of components and of tuples, and a type.
static bool skip_field(vtk *v) {
    carom_scan *scan = &v->reader->scan;
    carom_words word;
    int64_t arrays, components, tuples;
    carom_scan_word(scan, &word);
    if (!carom_scan_count(scan, "the number of arrays of a field", 4, &arrays))
        return false;
    for (int64_t a = 0; a < arrays; a++) {
        scan->binary = false;
        carom_scan_space(scan);
        // Metadata may stand between the arrays.
        if (carom_scan_accept(scan, "METADATA"))
            skip_metadata(scan);
        if (!carom_scan_word(scan, &word))
            return carom_scan_expected(scan, "the name of an array");
        if (!carom_scan_count(scan, "the number of components", 0, &components) ||
            !carom_scan_count(scan, "the number of tuples", 0, &tuples))
            return false;
        carom_number_type type;
        const char *name;
        if (!read_type(v, &type, &name))
            return false;
        // Division instead of a product that could overflow.
        if (components && tuples > carom_scan_left(scan) / components)
            return carom_scan_fail_short(scan, NULL, "the number of tuples of an array", tuples, carom_scan_left(scan));
        if (v->binary && !carom_scan_take(scan, components * tuples * carom_scan_bytes_of(type), "an array"))
            return false;
        for (int64_t i = 0; !v->binary && i < components * tuples; i++)
            if (!carom_scan_word(scan, &word))
                return carom_scan_expected(scan, "a value of an array");
    }
    return true;
}

// The version, a title, the form, the kind of data set.
static bool read_head(vtk *v) {
    static const char *const forms[] = {"ASCII", "BINARY"};
    carom_scan *scan = &v->reader->scan;
    carom_scan_space(scan);
    if (!carom_scan_accept(scan, "# vtk DataFile Version"))
        return carom_scan_expected(scan, "'# vtk DataFile Version'");
    // The rest of the version line, and the title.
    carom_scan_next_line(scan);
    carom_scan_next_line(scan);
    carom_scan_space(scan);
    size_t form = carom_scan_choose(scan, forms, 2, "ASCII or BINARY");
    if (form == 2)
        return false;
    v->binary = form == 1;
    // Legacy binary files are big endian, on any machine.
    scan->swap = v->binary && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    carom_scan_space(scan);
    if (!carom_scan_accept(scan, "DATASET"))
        return carom_scan_expected(scan, "DATASET");
    carom_scan_space(scan);
    // Structured grids have no cells in the file, and are not read.
    if (!carom_scan_accept(scan, "UNSTRUCTURED_GRID") && !carom_scan_accept(scan, "POLYDATA"))
        return carom_scan_expected(scan, "UNSTRUCTURED_GRID or POLYDATA (save it again as one of these)");
    return true;
}

// Sections may come in any order; VERTICES, LINES, POLYGONS and TRIANGLE_STRIPS are those of polygonal data.
static bool read_sections(vtk *v) {
    carom_scan *scan = &v->reader->scan;
    carom_words word;
    if (!read_head(v))
        return false;
    for (;;) {
        scan->binary = false;
        carom_scan_space(scan);
        const unsigned char *place = scan->at;
        if (!carom_scan_word(scan, &word))
            break;
        // only fields come from here to the end of the file; they are not read
        if (carom_scan_same(word, "CELL_DATA") || carom_scan_same(word, "POINT_DATA"))
            break;
        // Lists of polygonal data have the type of their cells, those of a grid come with CELL_TYPES.
        static const char *const lists[] = {"CELLS", "", "VERTICES", "", "LINES", "", "TRIANGLE_STRIPS", "POLYGONS"};
        enum { LISTS = sizeof lists / sizeof *lists };
        int list = (int)carom_scan_find(word, lists, LISTS);
        bool good = true;
        if (list < LISTS)
            good = read_cells(v, list);
        else if (carom_scan_same(word, "POINTS"))
            good = read_points(v);
        else if (carom_scan_same(word, "CELL_TYPES"))
            good = read_cell_types(v);
        else if (carom_scan_same(word, "FIELD"))
            good = skip_field(v);
        else if (carom_scan_same(word, "METADATA"))
            skip_metadata(scan);
        else {
            scan->at = place;
            scan->binary = v->binary;
            good = carom_scan_expected(scan, "a section (POINTS, CELLS, CELL_TYPES, ...)");
        }
        if (!good)
            return false;
    }
    if (!v->have_points)
        return carom_scan_fail(scan, NULL, "the file has no POINTS");
    return carom_vtk_cells_draft(v->reader, &v->cells, 0, v->cells_place);
}

bool carom_read_vtk(carom_reader *reader) {
    vtk v = {.reader = reader};
    bool good = read_sections(&v);
    carom_vtk_cells_release(&v.cells);
    return good;
}
