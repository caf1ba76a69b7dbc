// SPDX-License-Identifier: MIT
// Reads VTK's XML files of unstructured grids (.vtu), as ParaView, meshio and carom write them ("VTK XML formats" in the VTK
// User's Guide). Only tags and attributes of the XML matter: the arrays within Points and Cells of each Piece are read, and the
// numbers of nodes and cells that carom writes as `id`; everything else is skipped.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/files/vtk_cells.h"
#include "mesh/files/xml_array.h"

enum {
    ATTRIBUTES_MAX = 32,     // of a tag; VTK writes a handful
    UNPACK_FACTOR = 16,      // limit of unpacked arrays: so many bytes for each byte of the file,
    UNPACK_SPARE = 40 << 20, // plus 40 MiB, because the mesh of a regular grid is compressed very well
};

typedef struct tag {
    const unsigned char *place;
    carom_words name; // "/Piece" closes
    bool closed;      // ends with "/>"
    int count;
    carom_words keys[ATTRIBUTES_MAX], values[ATTRIBUTES_MAX];
} tag;

typedef enum section { NOWHERE, POINTS, CELLS, POINT_DATA, CELL_DATA } section;

typedef struct vtu {
    carom_reader *reader;
    carom_xml_form form;
    section section;
    bool have_file, have_piece, have_grid, have_points;
    int64_t points, cell_count, first; // of the piece; nodes before it
    carom_vtk_cells cells;
    const unsigned char *cells_place;
    int64_t *ids[2]; // of nodes and of cells, or NULL
    int pieces;
} vtu;

static bool is_name(unsigned char c) {
    return c > 0x20 && c != '=' && c != '>' && c != '/' && c != '"' && c != '\'' && c != '<';
}

// key="value" or key='value'. Entities such as &lt; occur in names only, which are not read.
static bool read_attribute(carom_scan *scan, tag *t) {
    const unsigned char *first = scan->at;
    while (scan->at < scan->end && is_name(*scan->at))
        scan->at++;
    if (scan->at == first)
        return carom_scan_expected(scan, "an attribute or the end of the tag");
    carom_words key = {(const char *)first, (size_t)(scan->at - first)};
    carom_scan_space(scan);
    if (!carom_scan_accept(scan, "="))
        return carom_scan_expected(scan, "'=' after an attribute");
    carom_scan_space(scan);
    unsigned char quote = scan->at < scan->end ? *scan->at : 0;
    if (quote != '"' && quote != '\'')
        return carom_scan_expected(scan, "a value in quotes");
    first = ++scan->at;
    const unsigned char *last = first;
    // A value contains no '<': quotes that are open up to there were not closed.
    while (last < scan->end && *last != quote && *last != '<')
        last++;
    if (last == scan->end || *last != quote)
        return carom_scan_fail(scan, first, "the quotes of this value are not closed");
    scan->at = last + 1;
    // Attributes beyond the limit are skipped: VTK writes far fewer.
    if (t->count < ATTRIBUTES_MAX) {
        t->keys[t->count] = key;
        t->values[t->count++] = (carom_words){(const char *)first, (size_t)(last - first)};
    }
    return true;
}

static bool skip_to(carom_scan *scan, const char *end, const unsigned char *place) {
    size_t size = strlen(end);
    // Comments and declarations are short; byte by byte is fast enough.
    for (; (size_t)carom_scan_left(scan) >= size; scan->at++)
        if (memcmp(scan->at, end, size) == 0) {
            scan->at += size;
            return true;
        }
    return carom_scan_fail(scan, place, "expected '%s' to close this", end);
}

// Reads the next tag, past any text. False at the end of the file, which is not a failure. Comments, declarations and
// processing instructions are skipped.
static bool read_tag(carom_scan *scan, tag *t) {
    for (;;) {
        const unsigned char *open = scan->at < scan->end ? memchr(scan->at, '<', (size_t)carom_scan_left(scan)) : NULL;
        if (!open) {
            scan->at = scan->end;
            return false;
        }
        scan->at = open + 1;
        *t = (tag){.place = open};
        if (carom_scan_accept(scan, "!--")) {
            if (!skip_to(scan, "-->", open))
                return false;
            continue;
        }
        if (carom_scan_accept(scan, "?") || carom_scan_accept(scan, "!")) {
            if (!skip_to(scan, ">", open))
                return false;
            continue;
        }
        break;
    }
    const unsigned char *first = scan->at;
    // A closing tag keeps its slash as part of the name.
    carom_scan_accept(scan, "/");
    while (scan->at < scan->end && is_name(*scan->at))
        scan->at++;
    t->name = (carom_words){(const char *)first, (size_t)(scan->at - first)};
    for (;;) {
        carom_scan_space(scan);
        if (carom_scan_accept(scan, ">"))
            return true;
        if (carom_scan_accept(scan, "/>"))
            return t->closed = true;
        if (!read_attribute(scan, t))
            return false;
    }
}

static bool is_tag(const tag *t, const char *name) {
    return carom_scan_same(t->name, name);
}

static const carom_words *attribute(const tag *t, const char *key) {
    for (int i = 0; i < t->count; i++)
        if (carom_scan_same(t->keys[i], key))
            return &t->values[i];
    return NULL;
}

static bool attribute_is(const tag *t, const char *key, const char *value) {
    const carom_words *a = attribute(t, key);
    return a && carom_scan_same(*a, value);
}

// A nonnegative whole number in an attribute.
static bool attribute_count(carom_scan *scan, const tag *t, const char *key, int64_t least, int64_t *count) {
    const carom_words *a = attribute(t, key);
    if (!a)
        return carom_scan_fail(scan, t->place, "expected the attribute %s", key);
    // A scan of its own, over the value alone: the message is written by the caller, who knows the place of the tag.
    carom_scan inner = carom_scan_start(scan->name, a->text, a->size, NULL);
    if (!carom_scan_whole(&inner, key, count) || inner.at != inner.end || *count < 0)
        return carom_scan_fail(scan, t->place, "expected a whole number as %s, found '%.*s'", key,
                               a->size > 24 ? 24 : (int)a->size, a->text);
    return carom_scan_check_count(scan, key, least, *count);
}

static bool open_file(vtu *v, const tag *t) {
    carom_scan *scan = &v->reader->scan;
    v->have_file = true;
    // The XML formats of images, polygonal data and collections have the same root tag.
    if (!attribute_is(t, "type", "UnstructuredGrid"))
        return carom_scan_fail(scan, t->place, "expected a VTKFile of type UnstructuredGrid");
    // Without byte_order the file is little endian, without header_type lengths have four bytes: the defaults of VTK.
    bool big = attribute_is(t, "byte_order", "BigEndian");
    scan->swap = big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    v->form.header_bytes = attribute_is(t, "header_type", "UInt64") ? 8 : 4;
    const carom_words *compressor = attribute(t, "compressor");
    v->form.packed = compressor && compressor->size > 0;
    if (v->form.packed && !attribute_is(t, "compressor", "vtkZLibDataCompressor"))
        return carom_scan_fail(
            scan, t->place,
            "the arrays are packed by %.*s, and carom unpacks vtkZLibDataCompressor only: save it again with zlib, or "
            "without compression",
            compressor->size > 60 ? 60 : (int)compressor->size, compressor->text);
    // Limit of all unpacked arrays, so that a small file cannot fill the memory.
    v->form.unpack_left = UNPACK_FACTOR * (scan->end - scan->begin) + UNPACK_SPARE;

    // Arrays refer to the appended data at the end of the file, which are therefore found before the first array is read.
    static const char word[] = "<AppendedData";
    carom_scan ahead = *scan;
    for (; carom_scan_left(&ahead) >= (int64_t)sizeof word; ahead.at++) {
        ahead.at = memchr(ahead.at, '<', (size_t)carom_scan_left(&ahead));
        if (!ahead.at || (size_t)carom_scan_left(&ahead) < sizeof word)
            break;
        if (memcmp(ahead.at, word, sizeof word - 1) != 0)
            continue;
        tag appended;
        // A '<' within raw data may resemble the tag; a failure there means only that it is not one.
        ahead.error = NULL;
        if (!read_tag(&ahead, &appended))
            break;
        // Without the attribute the data are base64, the default of VTK.
        v->form.appended_base64 = !attribute_is(&appended, "encoding", "raw");
        carom_scan_space(&ahead);
        if (!carom_scan_accept(&ahead, "_"))
            return carom_scan_fail(scan, ahead.at, "expected '_' at the beginning of the appended data");
        v->form.appended = ahead.at;
        break;
    }
    return true;
}

// A file may have several pieces, as parallel programs write them; their nodes are numbered one after another.
static bool open_piece(vtu *v, const tag *t) {
    carom_scan *scan = &v->reader->scan;
    v->have_piece = true;
    v->have_points = false;
    v->pieces++;
    v->first = v->reader->draft.node_count;
    if (!attribute_count(scan, t, "NumberOfPoints", 0, &v->points) ||
        !attribute_count(scan, t, "NumberOfCells", 0, &v->cell_count))
        return false;
    // Arrays of the piece before have become cells already.
    carom_vtk_cells_release(&v->cells);
    return true;
}

// The numbers of an array: as text, read one after another up to the next tag, or as bytes.
typedef struct numbers {
    carom_xml_array array;
    bool text;
    int64_t taken;
} numbers;

static carom_number_type type_of(const tag *t) {
    const carom_words *name = attribute(t, "type");
    return name ? carom_xml_find_type(*name) : CAROM_NUMBER_TYPES;
}

// DataArray: text, or bytes within the tag in base64, or bytes in the appended data at an offset.
static bool open_array(vtu *v, const tag *t, numbers *n) {
    carom_scan *scan = &v->reader->scan;
    carom_number_type type = type_of(t);
    *n = (numbers){.text = false};
    if (type == CAROM_NUMBER_TYPES)
        return carom_scan_fail(scan, t->place, "expected a type of numbers (Int64, Float64, ...) for this array");
    // Text is not loaded: the numbers are read in place.
    if (attribute_is(t, "format", "ascii")) {
        n->text = true;
        n->array.type = type;
        return true;
    }
    if (attribute_is(t, "format", "binary"))
        return carom_xml_array_load(v->reader, &v->form, scan->at, true, type, &n->array);
    if (!attribute_is(t, "format", "appended"))
        return carom_scan_fail(scan, t->place, "expected the format ascii, binary or appended for this array");
    int64_t offset;
    const carom_words *a = attribute(t, "offset");
    carom_scan inner = carom_scan_start(scan->name, a ? a->text : "", a ? a->size : 0, NULL);
    if (!carom_scan_whole(&inner, "offset", &offset) || offset < 0)
        return carom_scan_fail(scan, t->place, "expected a whole number as offset of this array");
    if (!v->form.appended)
        return carom_scan_fail(scan, t->place, "this array is appended, but the file has no AppendedData");
    if (offset >= scan->end - v->form.appended)
        return carom_scan_fail(scan, t->place, "the offset %lld is beyond the end of the file", (long long)offset);
    return carom_xml_array_load(v->reader, &v->form, v->form.appended + offset, v->form.appended_base64, type, &n->array);
}

// True if there is another number.
static bool more(vtu *v, const numbers *n) {
    carom_scan *scan = &v->reader->scan;
    if (!n->text)
        // Bytes are counted, text ends at the closing tag.
        return n->taken < n->array.count;
    carom_scan_space(scan);
    return scan->at < scan->end && *scan->at != '<';
}

// Reals do not occur in arrays of cells; carom_xml_array_whole returns -1 for them, which is refused later.
static bool next_whole(vtu *v, numbers *n, const char *what, int64_t *value) {
    if (n->text)
        return carom_scan_whole(&v->reader->scan, what, value);
    *value = carom_xml_array_whole(&v->reader->scan, &n->array, n->taken++);
    return true;
}

// Points always have three components; the name of the array is free.
static bool read_points(vtu *v, const tag *t) {
    carom_reader *reader = v->reader;
    carom_scan *scan = &reader->scan;
    numbers n;
    if (v->have_points)
        return carom_scan_fail(scan, t->place, "a second array of points");
    v->have_points = true;
    // Plane meshes have a third component of zero in VTK as well.
    if (!attribute_is(t, "NumberOfComponents", "3"))
        return carom_scan_fail(scan, t->place, "expected points with NumberOfComponents=\"3\"");
    if (!open_array(v, t, &n))
        return false;
    bool good = true;
    // The count of a binary array is known beforehand, that of text only at its end.
    if (!n.text && n.array.count != 3 * v->points)
        good = carom_scan_fail(scan, t->place, "the points have %lld numbers, expected %lld", (long long)n.array.count,
                               (long long)(3 * v->points));
    good = good && (!n.text || carom_scan_check_count(scan, "NumberOfPoints", 6, v->points)) &&
           carom_reader_reserve_nodes(reader, v->points, false);
    for (int64_t k = 0; good && k < v->points; k++) {
        double x[3];
        for (int i = 0; good && i < 3; i++) {
            if (n.text)
                good = carom_scan_number(scan, "a coordinate", &x[i]);
            else
                x[i] = carom_xml_array_real(scan, &n.array, 3 * k + i);
        }
        good = good && carom_reader_node(reader, n.text ? NULL : t->place, x);
    }
    if (good && n.text && more(v, &n))
        good = carom_scan_fail(scan, NULL, "expected %lld coordinates, as NumberOfPoints is %lld, found more",
                               (long long)(3 * v->points), (long long)v->points);
    carom_xml_array_release(&n.array);
    return good;
}

// connectivity holds the points of all cells, offsets the end of each cell in it, types the numbers of vtkCellType. They may
// come in any order.
static bool read_cell_array(vtu *v, const tag *t) {
    carom_reader *reader = v->reader;
    carom_vtk_cells *cells = &v->cells;
    // Arrays are identified by name alone, since they may come in any order.
    bool connectivity = attribute_is(t, "Name", "connectivity"), offsets = attribute_is(t, "Name", "offsets"),
         types = attribute_is(t, "Name", "types");
    // Other arrays of cells, such as faces of polyhedra, are not read; cells that need them are refused by type.
    if (!connectivity && !offsets && !types)
        return true;
    if (connectivity)
        v->cells_place = t->place;
    carom_vtk_numbers *list = connectivity ? &cells->points : offsets ? &cells->ends : &cells->types;
    if (list->count)
        return carom_scan_fail(&reader->scan, t->place, "a second array of this name");
    numbers n;
    if (!open_array(v, t, &n))
        return false;
    bool good = true;
    int64_t value, count = 0;
    while (good && more(v, &n)) {
        good = next_whole(v, &n, "a whole number", &value) && carom_vtk_cells_add(reader, list, value);
        count++;
    }
    // connectivity has a length of its own, which the offsets are checked against.
    if (good && !connectivity && count != v->cell_count)
        good = carom_scan_fail(&reader->scan, t->place, "this array has %lld numbers, expected one for each of %lld cells",
                               (long long)count, (long long)v->cell_count);
    carom_xml_array_release(&n.array);
    return good;
}

// True if all numbers are different and none is negative, so that they can serve as ids.
static bool are_distinct(carom_reader *reader, const int64_t *ids, int64_t count, bool *good) {
    carom_id_map map;
    int64_t twice = -1;
    bool distinct = true;
    for (int64_t i = 0; i < count && distinct; i++)
        distinct = ids[i] >= 0;
    // The map is made only to find repetitions.
    *good = !distinct || carom_id_map_create(&map, ids, count, &twice) || carom_scan_no_memory(&reader->scan);
    if (distinct && *good)
        carom_id_map_release(&map);
    return distinct && twice < 0;
}

// Ids of the nodes or cells. Another program may mean something else by an array of that name; it is then ignored.
static bool read_ids(vtu *v, const tag *t, bool cells) {
    carom_scan *scan = &v->reader->scan;
    const carom_words *width = attribute(t, "NumberOfComponents");
    int64_t count = cells ? v->cell_count : v->points;
    // Real numbers, several components, and ids of several pieces are not used as ids.
    if (!attribute_is(t, "Name", "id") || type_of(t) >= CAROM_FLOAT32 || v->ids[cells] || v->pieces > 1 || count == 0 ||
        (width && !attribute_is(t, "NumberOfComponents", "1")))
        return true;
    numbers n;
    if (!open_array(v, t, &n))
        return false;
    bool good = !n.text || carom_scan_check_count(scan, "the number of ids", 2, count);
    int64_t *ids = good && (n.text || n.array.count == count) ? carom_allocate(count, sizeof *ids) : NULL;
    if (good && !ids && (n.text || n.array.count == count))
        good = carom_scan_no_memory(scan);
    for (int64_t i = 0; ids && good && i < count; i++)
        good = next_whole(v, &n, "a number of a node or cell", &ids[i]);
    carom_xml_array_release(&n.array);
    if (ids && good && are_distinct(v->reader, ids, count, &good))
        v->ids[cells] = ids;
    else
        free(ids);
    return good;
}

static void drop_ids(vtu *v) {
    for (int i = 0; i < 2; i++) {
        free(v->ids[i]);
        v->ids[i] = NULL;
    }
}

// The three arrays of a piece are complete only here.
static bool close_piece(vtu *v, const tag *t) {
    carom_scan *scan = &v->reader->scan;
    v->have_piece = false;
    // A piece without points and cells is allowed: parallel programs write empty ones.
    if (!v->have_points && v->points)
        return carom_scan_fail(scan, t->place, "this piece has no points");
    if (v->cells.ends.count != v->cell_count)
        return carom_scan_fail(scan, t->place, "this piece has no array of offsets");
    if (v->cell_count && !v->cells.points.items)
        return carom_scan_fail(scan, t->place, "this piece has no array of connectivity");
    // At least one complete piece makes a grid.
    v->have_grid = true;
    carom_draft *draft = &v->reader->draft;
    // Ids of one piece may repeat in the next one, so a file of several pieces has none.
    if (v->pieces > 1) {
        drop_ids(v);
        free(draft->node_ids);
        draft->node_ids = NULL;
        for (int b = 0; b < CAROM_CELL_TYPE_COUNT; b++) {
            free(draft->blocks[b].ids);
            draft->blocks[b].ids = NULL;
        }
    }
    // The draft owns the ids from here on.
    if (v->ids[0]) {
        draft->node_ids = v->ids[0];
        v->ids[0] = NULL;
    }
    // Cells refer to them only while the piece is read.
    v->cells.ids = v->ids[1];
    return carom_vtk_cells_draft(v->reader, &v->cells, v->first, v->cells_place ? v->cells_place : t->place);
}

// The section that a tag opens, or closes if `before` is "/".
static section section_of(carom_words name, const char *before) {
    static const char *const names[] = {
        [POINTS] = "Points", [CELLS] = "Cells", [POINT_DATA] = "PointData", [CELL_DATA] = "CellData"};
    size_t skipped = strlen(before);
    if (name.size <= skipped || memcmp(name.text, before, skipped) != 0)
        return NOWHERE;
    for (section s = POINTS; s <= CELL_DATA; s++)
        if (carom_scan_same((carom_words){name.text + skipped, name.size - skipped}, names[s]))
            return s;
    return NOWHERE;
}

static bool read_tags(vtu *v) {
    carom_scan *scan = &v->reader->scan;
    tag t;
    while (read_tag(scan, &t)) {
        bool good = true;
        if (is_tag(&t, "VTKFile") && !v->have_file)
            good = open_file(v, &t);
        else if (!v->have_file)
            good = carom_scan_fail(scan, t.place, "expected the tag VTKFile");
        else if (is_tag(&t, "Piece") && !t.closed)
            good = open_piece(v, &t);
        else if (is_tag(&t, "/Piece") && v->have_piece)
            good = close_piece(v, &t);
        else if (section_of(t.name, "") != NOWHERE)
            v->section = t.closed ? NOWHERE : section_of(t.name, "");
        else if (section_of(t.name, "/") != NOWHERE)
            v->section = NOWHERE;
        else if (is_tag(&t, "DataArray") && v->have_piece && v->section)
            good = v->section == POINTS  ? read_points(v, &t)
                   : v->section == CELLS ? read_cell_array(v, &t)
                                         : read_ids(v, &t, v->section == CELL_DATA);
        // Raw data follow, which must not be scanned for tags.
        else if (is_tag(&t, "AppendedData"))
            break;
        if (!good)
            return false;
    }
    if (scan->status)
        return false;
    // A file that was cut off while it was written ends here.
    if (v->have_piece)
        return carom_scan_fail(scan, NULL, "expected </Piece>, found the end of the file");
    return v->have_grid || carom_scan_fail(scan, NULL, "the file has no Piece");
}

bool carom_read_vtu(carom_reader *reader) {
    vtu v = {.reader = reader};
    bool good = read_tags(&v);
    carom_vtk_cells_release(&v.cells);
    drop_ids(&v);
    return good;
}
