// SPDX-License-Identifier: MIT
// Reads PLY, the Stanford polygon format (G. Turk, 1994): a header that describes elements and their properties, then their
// rows, in ASCII or binary of either byte order. Read are x, y, z of `vertex` and the list of corners of `face`; all other
// properties are skipped.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/files/polygon.h"

enum {
    PROPERTIES_MAX = 64, // of one element
    ELEMENTS_MAX = 32,   // kinds of rows; usually two
};

// Old and new names of the types, those of whole numbers first.
static const char *const names[] = {"char", "int8",  "uchar", "uint8",  "short", "int16",   "ushort", "uint16",
                                    "int",  "int32", "uint",  "uint32", "float", "float32", "double", "float64"};
static const carom_number_type types[] = {CAROM_INT8,  CAROM_UINT8,  CAROM_INT16,   CAROM_UINT16,
                                          CAROM_INT32, CAROM_UINT32, CAROM_FLOAT32, CAROM_FLOAT64};
enum { NAMES = sizeof names / sizeof *names, WHOLE_NAMES = NAMES - 4 };

typedef enum role { SKIPPED, X, Y, Z, CORNERS } role;

typedef struct property {
    bool is_list;
    carom_number_type count_type, type;
    role role;
} property;

typedef enum element_kind { OTHER, VERTEX, FACE } element_kind;

typedef struct element {
    element_kind kind;
    int64_t count;
    int property_count;
    property properties[PROPERTIES_MAX];
} element;

typedef struct ply {
    carom_reader *reader;
    bool binary;
    int element_count;
    element *elements; // ELEMENTS_MAX
    int *corners;
    int64_t corner_capacity;
} ply;

static bool read_type(carom_scan *scan, carom_number_type *type, bool whole) {
    size_t count = whole ? WHOLE_NAMES : NAMES;
    size_t name = carom_scan_choose(
        scan, names, count, whole ? "a type of whole numbers (uchar, int, ...)" : "a type of numbers (uchar, int, float, ...)");
    *type = name < count ? types[name / 2] : CAROM_NUMBER_TYPES;
    return name < count;
}

// "property TYPE NAME" or "property list COUNT_TYPE TYPE NAME".
static bool read_property(ply *p) {
    carom_scan *scan = &p->reader->scan;
    if (p->element_count == 0)
        return carom_scan_fail(scan, NULL, "expected 'element' before the first property");
    element *e = &p->elements[p->element_count - 1];
    if (e->property_count == PROPERTIES_MAX)
        return carom_scan_fail(scan, NULL, "more than %d properties", PROPERTIES_MAX);
    property *property_ = &e->properties[e->property_count++];
    *property_ = (property){0};
    carom_words name;
    carom_scan_blank(scan);
    // With its blank: a type could begin with the same letters.
    property_->is_list = carom_scan_accept(scan, "list ");
    if (property_->is_list && !read_type(scan, &property_->count_type, true))
        return false;
    if (!read_type(scan, &property_->type, false))
        return false;
    carom_scan_blank(scan);
    if (!carom_scan_rest(scan, &name) || name.size == 0)
        return carom_scan_expected(scan, "the name of a property");
    // Names x, y, z in any order, and among other properties such as normals and colours.
    if (e->kind == VERTEX && !property_->is_list && name.size == 1 && *name.text >= 'x' && *name.text <= 'z')
        property_->role = X + (*name.text - 'x');
    // Both names are in use: `vertex_indices` in most files, `vertex_index` in those of some scanners.
    if (e->kind == FACE && property_->is_list &&
        (carom_scan_same(name, "vertex_indices") || carom_scan_same(name, "vertex_index")))
        property_->role = CORNERS;
    return true;
}

// "element NAME COUNT"; its properties follow.
static bool read_element_line(ply *p) {
    carom_scan *scan = &p->reader->scan;
    carom_words name;
    if (p->element_count == ELEMENTS_MAX)
        return carom_scan_fail(scan, NULL, "more than %d elements", ELEMENTS_MAX);
    element *e = &p->elements[p->element_count++];
    *e = (element){0};
    if (!carom_scan_word(scan, &name))
        return carom_scan_expected(scan, "the name of an element");
    e->kind = carom_scan_same(name, "vertex") ? VERTEX : carom_scan_same(name, "face") ? FACE : OTHER;
    // The size of a row is not known yet; the count is checked when its rows are read.
    return carom_scan_count(scan, "the number of rows of an element", 0, &e->count);
}

// "format ascii 1.0" or a binary one; the version is not checked, there has been only one.
static bool read_format(ply *p) {
    static const char *const forms[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    carom_scan *scan = &p->reader->scan;
    carom_scan ahead = *scan;
    carom_scan_space(&ahead);
    size_t form = carom_scan_choose(scan, forms, 3,
                                    ahead.at < ahead.end ? "ascii, binary_little_endian or binary_big_endian" : "a format");
    p->binary = form > 0;
    scan->swap = p->binary && (form == 2) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    return form < 3;
}

// The header is text in any format and ends with end_header.
static bool read_header(ply *p) {
    carom_scan *scan = &p->reader->scan;
    carom_words word;
    bool format = false;
    carom_scan_space(scan);
    if (!carom_scan_accept(scan, "ply"))
        return carom_scan_expected(scan, "'ply'");
    for (;;) {
        carom_scan_space(scan);
        const unsigned char *place = scan->at;
        if (!carom_scan_word(scan, &word))
            return carom_scan_expected(scan, "'end_header'");
        bool good = true;
        if (carom_scan_same(word, "end_header")) {
            if (!format)
                return carom_scan_fail(scan, place, "the header has no line 'format'");
            // A line feed, or a carriage return and a line feed; binary rows begin right after it.
            carom_scan_accept(scan, "\r");
            return carom_scan_accept(scan, "\n") || carom_scan_expected(scan, "the end of the line");
        }
        if (carom_scan_same(word, "format"))
            // The format must be known before rows are read, not before elements are described.
            good = format = read_format(p);
        else if (carom_scan_same(word, "element"))
            good = read_element_line(p);
        else if (carom_scan_same(word, "property")) {
            if (!read_property(p))
                return false;
            // A property has read its whole line.
            continue;
        } else if (!carom_scan_same(word, "comment") && !carom_scan_same(word, "obj_info")) {
            scan->at = place;
            return carom_scan_expected(scan, "a line of the header (format, element, property, comment, end_header)");
        }
        if (!good)
            return false;
        carom_scan_next_line(scan);
    }
}

// The length of a list, which must fit the rest of the file.
static bool read_length(ply *p, const property *property_, int64_t *length) {
    carom_scan *scan = &p->reader->scan;
    double value;
    if (!carom_scan_next_real(&p->reader->scan, property_->count_type, "the length of a list", &value))
        return false;
    int64_t least = p->binary ? carom_scan_bytes_of(property_->type) : 1;
    // Written so that NaN fails; the quotient bounds the length by the bytes that follow.
    if (value > (double)(carom_scan_left(scan) / least))
        return carom_scan_fail(scan, NULL,
                               "a list of %g does not fit in the remaining %lld bytes: the file is cut off, or the "
                               "number is wrong",
                               value, (long long)carom_scan_left(scan));
    if (!(value >= 0 && value == (double)(int64_t)value))
        return carom_scan_fail(scan, NULL, "expected the length of a list, found %g", value);
    *length = (int64_t)value;
    return true;
}

static bool skip_list(ply *p, const property *property_) {
    int64_t length;
    double value;
    if (!read_length(p, property_, &length))
        return false;
    if (p->binary)
        return carom_scan_take(&p->reader->scan, length * carom_scan_bytes_of(property_->type), "a list");
    for (int64_t i = 0; i < length; i++)
        if (!carom_scan_next_real(&p->reader->scan, property_->type, "a number of a list", &value))
            return false;
    return true;
}

// The corners of a face are counted from 0.
static bool read_corners(ply *p, const property *property_) {
    carom_scan *scan = &p->reader->scan;
    int64_t length, count = p->reader->draft.node_count;
    double value;
    const unsigned char *place = scan->at;
    if (!read_length(p, property_, &length))
        return false;
    // A face of fewer corners is a damaged one, not a line or a point.
    if (length < 3)
        return carom_scan_fail(scan, p->binary ? place : NULL, "expected at least 3 corners of a face, found %lld",
                               (long long)length);
    // The buffer holds the largest face so far; it never shrinks while reading.
    if (length > p->corner_capacity) {
        int *moved = realloc(p->corners, (size_t)length * sizeof *moved);
        if (!moved)
            return carom_scan_no_memory(scan);
        p->corners = moved;
        p->corner_capacity = length;
    }
    for (int64_t i = 0; i < length; i++) {
        if (!carom_scan_next_real(&p->reader->scan, property_->type, "a corner of a face", &value))
            return false;
        // Whole, and within range: a real number is accepted as an index if it is whole.
        if (!(value >= 0 && value < (double)count && value == (double)(int64_t)value))
            return carom_scan_fail(scan, p->binary ? place : NULL, "vertex %g is not one of the %lld vertices (from 0)", value,
                                   (long long)count);
        p->corners[i] = (int)value;
    }
    return carom_reader_polygon(p->reader, p->corners, length);
}

// Properties stand in the order of the header; those without a role are skipped.
static bool read_row(ply *p, const element *e, double x[3]) {
    double value;
    for (int i = 0; i < e->property_count; i++) {
        const property *property_ = &e->properties[i];
        if (property_->role == CORNERS ? !read_corners(p, property_) : property_->is_list && !skip_list(p, property_))
            return false;
        if (property_->is_list)
            continue;
        if (!carom_scan_next_real(&p->reader->scan, property_->type, property_->role ? "a coordinate" : "a property", &value))
            return false;
        if (property_->role)
            x[property_->role - X] = value;
    }
    return true;
}

// The least number of bytes of a row, to check counts against the size of the file.
static int64_t least_bytes(const ply *p, const element *e) {
    int64_t bytes = 0;
    for (int i = 0; i < e->property_count; i++) {
        const property *property_ = &e->properties[i];
        // A list takes at least its count; in text every value takes a digit and a separator.
        bytes += !p->binary           ? 2
                 : property_->is_list ? carom_scan_bytes_of(property_->count_type)
                                      : carom_scan_bytes_of(property_->type);
    }
    return bytes;
}

// Polygons of few bytes may become many triangles. Those of a binary file are counted first, so that exactly the right capacity
// is reserved; the rows of a text file are not worth a second pass.
static bool reserve_faces(ply *p, const element *e) {
    carom_scan *scan = &p->reader->scan;
    const unsigned char *start = scan->at;
    int64_t triangles = 0, quads = 0, length;
    for (int64_t k = 0; p->binary && k < e->count; k++)
        for (int i = 0; i < e->property_count; i++) {
            const property *property_ = &e->properties[i];
            const unsigned char *place = scan->at;
            // A first pass over the rows, which also checks that the file contains all of them.
            if (!property_->is_list && !carom_scan_take(scan, carom_scan_bytes_of(property_->type), "a property"))
                return false;
            if (!property_->is_list)
                continue;
            if (!read_length(p, property_, &length))
                return false;
            scan->at = place;
            if (!skip_list(p, property_))
                return false;
            if (property_->role == CORNERS && length == 4)
                quads++;
            else if (property_->role == CORNERS && length > 2)
                triangles += length - 2;
        }
    scan->at = start;
    return carom_reader_reserve_cells(p->reader, CAROM_CELL_TRI3, triangles, false) &&
           carom_reader_reserve_cells(p->reader, CAROM_CELL_QUAD4, quads, false);
}

// Rows of other elements, such as edges, are skipped.
static bool read_rows(ply *p, const element *e) {
    carom_reader *reader = p->reader;
    carom_scan *scan = &reader->scan;
    // Rows without properties take no bytes, and may be announced in any number.
    if (e->property_count == 0)
        return true;
    const char *what = e->kind == VERTEX ? "the number of vertices"
                       : e->kind == FACE ? "the number of faces"
                                         : "the number of rows";
    if (!carom_scan_check_count(scan, what, least_bytes(p, e), e->count))
        return false;
    // roles[SKIPPED] collects everything else and is not read.
    bool face = e->kind == FACE, corners = false, roles[Z + 1] = {false};
    for (int i = 0; i < e->property_count; i++) {
        if (e->properties[i].role == CORNERS)
            corners = true;
        else
            roles[e->properties[i].role] = true;
    }
    // A file without z is a plane mesh.
    if (e->kind == VERTEX && !(roles[X] && roles[Y]))
        return carom_scan_fail(scan, NULL, "the vertices have no properties x and y");
    if (face && e->count && !corners)
        return carom_scan_fail(scan, NULL, "the faces have no list vertex_indices");
    if (e->kind == VERTEX && !carom_reader_reserve_nodes(reader, e->count, false))
        return false;
    if (face && !reserve_faces(p, e))
        return false;
    for (int64_t i = 0; i < e->count; i++) {
        double x[3] = {0, 0, 0};
        const unsigned char *place = scan->at;
        if (!read_row(p, e, x) || (e->kind == VERTEX && !carom_reader_node(reader, p->binary ? place : NULL, x)))
            return false;
    }
    return true;
}

// The table of elements is too large for the stack.
bool carom_read_ply(carom_reader *reader) {
    ply p = {.reader = reader, .elements = carom_allocate(ELEMENTS_MAX, sizeof(element))};
    if (!p.elements)
        return carom_scan_no_memory(&reader->scan);
    bool good = read_header(&p);
    // The header is text; from here on messages name bytes in a binary file.
    reader->scan.binary = p.binary;
    for (int e = 0; good && e < p.element_count; e++)
        good = read_rows(&p, &p.elements[e]);
    free(p.elements);
    free(p.corners);
    return good;
}
