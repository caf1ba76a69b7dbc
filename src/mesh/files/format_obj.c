// SPDX-License-Identifier: MIT
// Reads Wavefront OBJ (Wavefront Technologies, "Object Files", appendix B1 of the Advanced Visualizer manual): vertices (v),
// polygons (f), lines (l) and points (p). Texture, normals and materials are skipped. Vertices are counted from 1, or backwards
// from -1. Names of objects (o) and groups (g) become sets of cells.
#include <stdlib.h>
#include <string.h>

#include "mesh/files/polygon.h"

typedef struct obj {
    carom_reader *reader;
    int *corners; // of the face being read
    int64_t corner_count, corner_capacity;
    int groups[2]; // object and group that cells belong to; -1: none
} obj;

static bool at_end_of_line(carom_scan *scan) {
    carom_scan_blank(scan);
    // A backslash joins the next line.
    while (carom_scan_left(scan) >= 2 && scan->at[0] == '\\' && (scan->at[1] == '\n' || scan->at[1] == '\r')) {
        scan->at++;
        carom_scan_space(scan);
    }
    return scan->at >= scan->end || *scan->at == '\n' || *scan->at == '#';
}

// v x y z, with an optional weight that is not read.
static bool read_vertex(obj *o) {
    carom_scan *scan = &o->reader->scan;
    double x[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        if (at_end_of_line(scan)) {
            // Two coordinates are a point of the plane z = 0.
            if (i == 2)
                break;
            return carom_scan_expected(scan, "two or three coordinates");
        }
        if (!carom_scan_number(scan, "a coordinate", &x[i]))
            return false;
    }
    // Ids count from 1, as faces refer to vertices.
    return carom_reader_node_id(o->reader, o->reader->draft.node_count + 1) && carom_reader_node(o->reader, NULL, x);
}

// "7", "7/1", "7//3", "7/1/3", "-2": the vertex, and indices of texture and normal that are ignored.
static bool read_corner(obj *o) {
    carom_scan *scan = &o->reader->scan;
    const unsigned char *place = scan->at;
    int64_t number, count = o->reader->draft.node_count;
    if (!carom_scan_whole(scan, "the number of a vertex", &number))
        return false;
    // Only vertices before the face are valid: negative numbers count back from here.
    if (number == 0 || number > count || number < -count)
        return carom_scan_fail(scan, place, "vertex %lld is not defined: %lld vertices are defined before this line",
                               (long long)number, (long long)count);
    // 7//3 has an empty index of texture, so a slash may follow a slash.
    while (scan->at < scan->end && *scan->at == '/') {
        scan->at++;
        int64_t ignored;
        if (scan->at < scan->end && (*scan->at == '-' || (*scan->at >= '0' && *scan->at <= '9')) &&
            !carom_scan_whole(scan, "a number after '/'", &ignored))
            return false;
    }
    if (!carom_reader_grow(o->reader, (void **)&o->corners, o->corner_count, &o->corner_capacity, sizeof *o->corners))
        return false;
    // -1 is the last vertex read so far.
    o->corners[o->corner_count++] = (int)(number > 0 ? number - 1 : count + number);
    return true;
}

// A cell belongs to its object and to its group.
static bool group_new_cells(obj *o, carom_cell_type type, int64_t begin) {
    int64_t count = o->reader->draft.blocks[type].count - begin;
    for (int g = 0; g < 2 && count > 0; g++)
        if (o->groups[g] >= 0 && !carom_reader_group_cells(o->reader, o->groups[g], type, begin, count))
            return false;
    return true;
}

// f, l or p with any number of corners. Polygons may add cells of several types, so the counts before identify the new ones.
static bool read_cells(obj *o, char kind) {
    carom_reader *reader = o->reader;
    int64_t least = kind == 'f' ? 3 : kind == 'l' ? 2 : 1, begin[CAROM_CELL_TYPE_COUNT];
    o->corner_count = 0;
    while (!at_end_of_line(&reader->scan))
        if (!read_corner(o))
            return false;
    // Fewer corners than the kind needs are an error rather than a degenerate cell.
    if (o->corner_count < least)
        return carom_scan_fail(&reader->scan, NULL, "expected at least %lld vertices, found %lld", (long long)least,
                               (long long)o->corner_count);
    for (int t = 0; t < CAROM_CELL_TYPE_COUNT; t++)
        begin[t] = reader->draft.blocks[t].count;
    if (kind == 'f') {
        if (!carom_reader_polygon(reader, o->corners, o->corner_count))
            return false;
    } else {
        // A line of n vertices is n - 1 cells, a list of points n cells.
        int size = (int)least;
        for (int64_t i = 0; i + size <= o->corner_count; i++)
            if (!carom_reader_reduce(reader, kind == 'l' ? CAROM_CELL_LINE2 : CAROM_CELL_POINT, o->corners + i, size, NULL))
                return false;
    }
    for (int t = 0; t < CAROM_CELL_TYPE_COUNT; t++)
        if (!group_new_cells(o, t, begin[t]))
            return false;
    return true;
}

// One statement per line; comments begin with '#'.
static bool read_lines(obj *o) {
    carom_scan *scan = &o->reader->scan;
    for (carom_scan_space(scan); scan->at < scan->end; carom_scan_space(scan)) {
        const unsigned char *place = scan->at;
        carom_words word;
        if (*place == '#') {
            carom_scan_next_line(scan);
            continue;
        }
        carom_scan_word(scan, &word);
        char kind = word.size == 1 ? word.text[0] : 0;
        if (kind == 'v') {
            if (!read_vertex(o))
                return false;
        } else if (kind == 'f' || kind == 'l' || kind == 'p') {
            if (!read_cells(o, kind))
                return false;
        } else if (kind == 'o' || kind == 'g') {
            carom_words name = {"", 0};
            carom_scan_rest(scan, &name);
            // A statement without a name ends the object or group.
            o->groups[kind == 'g'] = name.size ? carom_reader_group(o->reader, NULL, name) : -1;
            if (scan->status)
                return false;
            continue;
            // Other statements begin with a letter and are skipped with their line; anything else is not an OBJ file.
        } else if (word.text[0] < 'A' || word.text[0] > 'z') {
            scan->at = place;
            return carom_scan_expected(scan, "a line of an OBJ file (v, f, l, p, ...)");
        }
        carom_scan_next_line(scan);
    }
    return true;
}

bool carom_read_obj(carom_reader *reader) {
    obj o = {.reader = reader, .groups = {-1, -1}};
    bool good = read_lines(&o);
    free(o.corners);
    return good;
}
