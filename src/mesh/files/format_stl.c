// SPDX-License-Identifier: MIT
// Reads STL: triangles without shared nodes, in ASCII or in binary (little endian: 80 bytes of text, a count, 50 bytes per
// triangle: normal, three corners, two unused bytes). Corners are welded if they are equal, then if they differ by no more than
// the rounding of single precision. The name of a solid becomes a set if there are several.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/files/draft.h"
#include "mesh/mend/weld.h"

enum {
    HEAD_BYTES = 80,  // free text of a binary file
    FACET_BYTES = 50, // 12 floats and two bytes for attributes
};

static bool read_binary(carom_reader *reader) {
    carom_scan *scan = &reader->scan;
    scan->binary = true;
    scan->swap = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    if (!carom_scan_take(scan, HEAD_BYTES, "the head of the file"))
        return false;
    const unsigned char *place = carom_scan_take(scan, 4, "the number of triangles");
    if (!place)
        return false;
    int64_t count = carom_scan_whole_at(scan, place, CAROM_UINT32);
    // The product cannot overflow: the count has 32 bits.
    if (count * FACET_BYTES > carom_scan_left(scan))
        return carom_scan_fail_short(scan, place, "the number of triangles", count, carom_scan_left(scan));
    // Some programs append colours or a signature.
    int64_t more = carom_scan_left(scan) - count * FACET_BYTES;
    if (more > 0)
        carom_reader_warn(reader, NULL, "the number of triangles is %lld, %lld bytes after them are not read", (long long)count,
                          (long long)more);
    if (!carom_reader_reserve_nodes(reader, 3 * count, false))
        return false;
    for (int64_t f = 0; f < count; f++) {
        // Cannot fail: the count has been compared with the bytes left.
        const unsigned char *facet = carom_scan_take(scan, FACET_BYTES, "a triangle");
        for (int i = 0; i < 3; i++) {
            // The normal comes first. It is not read: the order of the corners gives it.
            const unsigned char *corner = facet + 12 * (i + 1);
            double x[3];
            for (int j = 0; j < 3; j++)
                x[j] = carom_scan_real_at(scan, corner + 4 * j, CAROM_FLOAT32);
            if (!carom_reader_node(reader, corner, x))
                return false;
        }
    }
    return true;
}

// Keywords may stand anywhere on a line.
static bool expect(carom_scan *scan, const char *word) {
    carom_scan_space(scan);
    if (carom_scan_accept(scan, word))
        return true;
    char what[32];
    snprintf(what, sizeof what, "'%s'", word);
    return carom_scan_expected(scan, what);
}

// facet normal x y z / outer loop / three times vertex x y z / endloop / endfacet
static bool read_facet(carom_reader *reader) {
    carom_scan *scan = &reader->scan;
    double x[3];
    if (!expect(scan, "normal"))
        return false;
    // exporters write arbitrary words for a normal that they have not computed
    carom_scan_next_line(scan);
    if (!expect(scan, "outer") || !expect(scan, "loop"))
        return false;
    for (int i = 0; i < 3; i++) {
        if (!expect(scan, "vertex") || !carom_scan_next_point(scan, CAROM_NUMBER_TYPES, "a coordinate", x) ||
            !carom_reader_node(reader, NULL, x))
            return false;
    }
    return expect(scan, "endloop") && expect(scan, "endfacet");
}

// Puts the triangles since `begin` into the set of that name.
static bool name_solid(carom_reader *reader, carom_words name, int64_t begin) {
    int64_t count = reader->draft.node_count / 3 - begin;
    if (name.size == 0 || count == 0)
        return true;
    int group = carom_reader_group(reader, NULL, name);
    return group >= 0 && carom_reader_group_cells(reader, group, CAROM_CELL_TRI3, begin, count);
}

// A file may hold several solids, one after another.
static bool read_text(carom_reader *reader) {
    carom_scan *scan = &reader->scan;
    int solids = 0;
    for (carom_scan_space(scan); scan->at < scan->end; carom_scan_space(scan)) {
        if (!expect(scan, "solid"))
            return false;
        int64_t begin = reader->draft.node_count / 3;
        carom_words name = {"", 0};
        carom_scan_rest(scan, &name);
        for (;;) {
            carom_scan_space(scan);
            if (carom_scan_accept(scan, "endsolid"))
                break;
            if (!carom_scan_accept(scan, "facet"))
                return carom_scan_expected(scan, "'facet' or 'endsolid'");
            if (!read_facet(reader))
                return false;
        }
        // The name after `endsolid` repeats that of `solid`, or is missing.
        carom_scan_next_line(scan);
        solids++;
        if (!name_solid(reader, name, begin))
            return false;
    }
    // The name of a single solid is a title, often that of the program.
    if (solids == 1)
        carom_reader_drop_groups(reader);
    return true;
}

// A few units in the last place of single precision, but never so much that a triangle could collapse; 0 if that is below the
// rounding of double precision.
static double tolerance(const carom_draft *draft, const int *corners, int64_t count) {
    double largest = 0, shortest = HUGE_VAL;
    for (int64_t k = 0; k < draft->node_count; k++)
        for (int i = 0; i < 3; i++)
            largest = fmax(largest, fabs(draft->nodes[k][i]));
    for (int64_t f = 0; f < count; f++)
        for (int i = 0; i < 3; i++) {
            const double *a = draft->nodes[corners[3 * f + i]], *b = draft->nodes[corners[3 * f + (i + 1) % 3]];
            double length = fmax(fabs(a[0] - b[0]), fmax(fabs(a[1] - b[1]), fabs(a[2] - b[2])));
            if (length > 0)
                shortest = fmin(shortest, length);
        }
    // A quarter of the shortest edge: two ends of an edge can then never be merged, not even through a third corner.
    double limit = fmin(4 * FLT_EPSILON * largest, shortest / 4);
    return limit > 4 * DBL_EPSILON * largest ? limit : 0;
}

// Welds corners in two passes: equal ones first, which leaves about a sixth of them, then nearly equal ones with a tolerance
// that depends on the shortest edge.
static bool weld_corners(carom_reader *reader) {
    carom_draft *draft = &reader->draft;
    int64_t corner_count = draft->node_count, count = corner_count / 3;
    int *place = carom_allocate(corner_count, sizeof *place);
    if (!place || !carom_reader_reserve_cells(reader, CAROM_CELL_TRI3, count, false)) {
        free(place);
        return carom_scan_no_memory(&reader->scan);
    }
    carom_draft_block *block = &draft->blocks[CAROM_CELL_TRI3];
    // The weld writes the corners of all cells at once, so their count is set here.
    block->count = count;
    // Exact repetitions first: most programs write a shared corner with the same bits.
    int64_t kept = carom_weld(draft->nodes, corner_count, 0, block->nodes);
    if (kept >= 0) {
        draft->node_count = kept;
        double limit = tolerance(draft, block->nodes, count);
        if (limit > 0)
            kept = carom_weld(draft->nodes, draft->node_count, limit, place);
        if (limit > 0 && kept >= 0) {
            draft->node_count = kept;
            for (int64_t i = 0; i < corner_count; i++)
                block->nodes[i] = place[block->nodes[i]];
        }
    }
    free(place);
    return kept >= 0 || carom_scan_no_memory(&reader->scan);
}

// The size of a binary file is determined by its count, which a text file matches only by accident.
static bool fits_binary(const carom_scan *scan) {
    carom_scan little = {.swap = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__};
    int64_t size = carom_scan_left(scan) - HEAD_BYTES - 4;
    return size >= 0 && size == FACET_BYTES * carom_scan_whole_at(&little, scan->at + HEAD_BYTES, CAROM_UINT32);
}

// Binary files may begin with "solid" too, but text has no zero bytes.
static bool is_text(carom_scan scan) {
    // The exact size is the strongest sign. Failing that, a zero byte among the first 84 identifies a binary file.
    if (fits_binary(&scan) ||
        memchr(scan.at, 0, carom_scan_left(&scan) < HEAD_BYTES + 4 ? (size_t)carom_scan_left(&scan) : HEAD_BYTES + 4))
        return false;
    carom_scan_mark(&scan);
    carom_scan_space(&scan);
    return carom_scan_accept(&scan, "solid");
}

// All corners are read as nodes, three per triangle, and then welded.
bool carom_read_stl(carom_reader *reader) {
    carom_scan *scan = &reader->scan;
    bool binary = !is_text(*scan);
    if (!binary)
        carom_scan_mark(scan);
    return (binary ? read_binary(reader) : read_text(reader)) && weld_corners(reader);
}
