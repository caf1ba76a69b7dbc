// SPDX-License-Identifier: MIT
// Reads meshes of MEDIT (.mesh) in ASCII, as TetGen, Mmg, Freefem and Gmsh write it (P. Frey, MEDIT: an interactive mesh
// visualization software, INRIA RT-0253, 2001). Keywords are followed by a count and so many rows of numbers, the last of which
// is a reference. References other than 0 become groups: volume_3, surface_1, curve_2. A # begins a comment.
#include <limits.h>
#include <string.h>

#include "mesh/files/draft.h"

enum {
    REFERENCES_MAX = 2000, // groups; if there are more references, they are not groups but other numbers
    NODES_MAX = 27,        // of a cell
};

typedef struct medit {
    carom_reader *reader;
    int dimension;
    bool have_vertices;
} medit;

typedef struct family {
    const char *keyword;
    carom_draft_type type;
    int more; // nodes behind the corners
} family;

static const family families[] = {
    {"Edges", CAROM_CELL_LINE2, 0},       {"Triangles", CAROM_CELL_TRI3, 0},    {"Quadrilaterals", CAROM_CELL_QUAD4, 0},
    {"Quadrangles", CAROM_CELL_QUAD4, 0}, {"Tetrahedra", CAROM_CELL_TET4, 0},   {"Hexahedra", CAROM_CELL_HEX8, 0},
    {"Hexaedra", CAROM_CELL_HEX8, 0},     {"Prisms", CAROM_DRAFT_PRISM, 0},     {"Pentahedra", CAROM_DRAFT_PRISM, 0},
    {"Wedges", CAROM_DRAFT_PRISM, 0},     {"Pyramids", CAROM_DRAFT_PYRAMID, 0}, {"EdgesP2", CAROM_CELL_LINE2, 1},
    {"TrianglesP2", CAROM_CELL_TRI3, 3},  {"TetrahedraP2", CAROM_CELL_TET4, 6}, {"QuadrilateralsQ2", CAROM_CELL_QUAD4, 5},
    {"HexahedraQ2", CAROM_CELL_HEX8, 19},
};

static void skip_comments(carom_scan *scan) {
    for (carom_scan_space(scan); scan->at < scan->end && *scan->at == '#'; carom_scan_space(scan))
        carom_scan_next_line(scan);
}

static bool read_whole(carom_scan *scan, const char *what, int64_t *value) {
    skip_comments(scan);
    return carom_scan_whole(scan, what, value);
}

// A row takes at least two bytes for each of its numbers.
static bool read_count(carom_scan *scan, const char *what, int numbers, int64_t *count) {
    skip_comments(scan);
    return carom_scan_count(scan, what, 2 * numbers - 1, count);
}

static bool read_vertices(medit *m, const unsigned char *place) {
    carom_reader *reader = m->reader;
    carom_scan *scan = &reader->scan;
    int64_t count, reference;
    if (m->have_vertices)
        return carom_scan_fail(scan, place, "a second list of Vertices");
    if (m->dimension == 0)
        return carom_scan_fail(scan, place, "expected Dimension before Vertices");
    m->have_vertices = true;
    if (!read_count(scan, "the number of vertices", m->dimension + 1, &count) ||
        !carom_reader_reserve_nodes(reader, count, true))
        return false;
    for (int64_t i = 0; i < count; i++) {
        double x[3] = {0, 0, 0};
        for (int j = 0; j < m->dimension; j++) {
            skip_comments(scan);
            if (!carom_scan_number(scan, "a coordinate", &x[j]))
                return false;
        }
        if (!read_whole(scan, "the reference of a vertex", &reference) || !carom_reader_node_id(reader, i + 1) ||
            !carom_reader_node(reader, NULL, x))
            return false;
    }
    return true;
}

// The group of a reference; -1 if there are too many, -2 after a failure.
static int group_of(medit *m, carom_draft_type type, int64_t reference) {
    static const char *const kinds[] = {"point", "curve", "surface", "volume"};
    char name[64];
    if (m->reader->draft.group_count >= REFERENCES_MAX)
        return -1;
    snprintf(name, sizeof name, "%s_%lld", kinds[carom_draft_dimension(type)], (long long)reference);
    int group = carom_reader_group(m->reader, NULL, carom_words_of(name));
    return group < 0 ? -2 : group;
}

static bool read_cells(medit *m, const family *f, const unsigned char *place) {
    carom_reader *reader = m->reader;
    carom_scan *scan = &reader->scan;
    int size = carom_draft_size(f->type), group = -1;
    int64_t count, reference, last = 0;
    if (!m->have_vertices)
        return carom_scan_fail(scan, place, "expected Vertices before %s", f->keyword);
    if (!read_count(scan, "the number of cells", size + f->more + 1, &count) ||
        !carom_reader_reserve_cells(reader, f->type, count, true))
        return false;
    for (int64_t i = 0; i < count; i++) {
        int nodes[NODES_MAX];
        for (int j = 0; j < size + f->more; j++) {
            int64_t vertex;
            skip_comments(scan);
            const unsigned char *start = scan->at;
            if (!carom_scan_whole(scan, "the number of a vertex", &vertex))
                return false;
            if (vertex < 1 || vertex > reader->draft.node_count)
                return carom_scan_fail(scan, start, "expected a vertex from 1 to %lld, found %lld",
                                       (long long)reader->draft.node_count, (long long)vertex);
            nodes[j] = (int)vertex - 1;
        }
        if (!carom_reader_reduce(reader, f->type, nodes, size + f->more, NULL) ||
            !carom_reader_cell_id(reader, f->type, reader->draft.blocks[f->type].count) ||
            !read_whole(scan, "the reference of a cell", &reference))
            return false;
        if (reference != last)
            group = reference ? group_of(m, f->type, reference) : -1;
        last = reference;
        if (group == -2 ||
            (group >= 0 && !carom_reader_group_cells(reader, group, f->type, reader->draft.blocks[f->type].count - 1, 1)))
            return false;
    }
    return true;
}

// Numbers up to the next keyword belong to one that is not read.
static void skip_numbers(carom_scan *scan) {
    carom_words word;
    for (skip_comments(scan); scan->at < scan->end; skip_comments(scan)) {
        unsigned char c = *scan->at;
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
            return;
        carom_scan_word(scan, &word);
    }
}

static bool skip(medit *m, carom_words word, const unsigned char *place) {
    // Keywords of Mmg and other programs about the geometry, which are not needed.
    static const char *const silent[] = {"Corners",           "Ridges",     "RequiredVertices", "RequiredEdges",
                                         "RequiredTriangles", "Normals",    "NormalAtVertices", "Tangents",
                                         "TangentAtVertices", "Identifier", "Geometry"};
    carom_scan *scan = &m->reader->scan;
    if (!((*word.text >= 'a' && *word.text <= 'z') || (*word.text >= 'A' && *word.text <= 'Z'))) {
        scan->at = place;
        return carom_scan_expected(scan, "a keyword (Vertices, Tetrahedra, ...)");
    }
    if (carom_scan_find(word, silent, sizeof silent / sizeof *silent) == sizeof silent / sizeof *silent)
        carom_reader_warn(m->reader, place, "'%.*s' is ignored", word.size > 40 ? 40 : (int)word.size, word.text);
    skip_numbers(scan);
    return true;
}

static bool read_dimension(medit *m) {
    int64_t dimension;
    carom_scan *scan = &m->reader->scan;
    if (!read_whole(scan, "the dimension, 2 or 3", &dimension))
        return false;
    if (dimension != 2 && dimension != 3)
        return carom_scan_fail(scan, NULL, "expected the dimension, 2 or 3, found %lld", (long long)dimension);
    m->dimension = (int)dimension;
    return true;
}

bool carom_read_medit(carom_reader *reader) {
    medit m = {.reader = reader};
    carom_scan *scan = &reader->scan;
    carom_words word;
    int64_t version;
    bool ended = false;
    skip_comments(scan);
    if (!carom_scan_accept(scan, "MeshVersionFormatted"))
        return carom_scan_expected(scan, "MeshVersionFormatted (save it again as .mesh in ASCII)");
    if (!read_whole(scan, "the version of the format", &version))
        return false;
    for (skip_comments(scan); scan->at < scan->end; skip_comments(scan)) {
        const unsigned char *place = scan->at;
        carom_scan_word(scan, &word);
        const family *found = NULL;
        for (size_t i = 0; i < sizeof families / sizeof *families; i++)
            if (carom_scan_same(word, families[i].keyword))
                found = &families[i];
        if ((ended = carom_scan_same(word, "End")))
            break;
        bool good = found                                ? read_cells(&m, found, place)
                    : carom_scan_same(word, "Dimension") ? read_dimension(&m)
                    : carom_scan_same(word, "Vertices")  ? read_vertices(&m, place)
                                                         : skip(&m, word, place);
        if (!good)
            return false;
    }
    if (!m.have_vertices)
        return carom_scan_fail(scan, NULL, "expected Vertices, found the end of the file");
    if (!ended)
        carom_reader_warn(reader, NULL, "the file ends without End: it may have been cut off");
    if (reader->draft.group_count >= REFERENCES_MAX) {
        carom_reader_warn(reader, NULL, "more than %d references: they are not read as groups", REFERENCES_MAX);
        carom_reader_drop_groups(reader);
    }
    return true;
}
