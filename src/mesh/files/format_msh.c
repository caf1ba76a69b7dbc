// SPDX-License-Identifier: MIT
// Reads Gmsh MSH, formats 2.2 and 4.1: the header, the sections, the physical groups. The format is described in the Gmsh
// reference manual, chapter "File formats". Written by Gmsh and meshio.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/files/msh.h"

// Advice for a header that carom does not read.
#define SAVE_AGAIN " (save it again with `gmsh -format msh41`)"

// Element types by Gmsh's numbers, of all orders and both families: complete ones, and serendipity ones without nodes inside
// faces and cells. Each row has the nodes of types whose numbers follow each other. Corners come first in every type.
static const struct {
    int first; // number
    carom_draft_type cell;
    short nodes[8]; // ends with 0
} types[] = {
    {1, CAROM_CELL_LINE2, {2}},
    {2, CAROM_CELL_TRI3, {3}},
    {3, CAROM_CELL_QUAD4, {4}},
    {4, CAROM_CELL_TET4, {4}},
    {5, CAROM_CELL_HEX8, {8}},
    {6, CAROM_DRAFT_PRISM, {6}},
    {7, CAROM_DRAFT_PYRAMID, {5}},
    {8, CAROM_CELL_LINE2, {3}},
    {9, CAROM_CELL_TRI3, {6}},
    {10, CAROM_CELL_QUAD4, {9}},
    {11, CAROM_CELL_TET4, {10}},
    {12, CAROM_CELL_HEX8, {27}},
    {13, CAROM_DRAFT_PRISM, {18}},
    {14, CAROM_DRAFT_PYRAMID, {14}},
    {15, CAROM_CELL_POINT, {1}},
    {16, CAROM_CELL_QUAD4, {8}},
    {17, CAROM_CELL_HEX8, {20}},
    {18, CAROM_DRAFT_PRISM, {15}},
    {19, CAROM_DRAFT_PYRAMID, {13}},
    {20, CAROM_CELL_TRI3, {9, 10, 12, 15, 15, 21}},
    {26, CAROM_CELL_LINE2, {4, 5, 6}},
    {29, CAROM_CELL_TET4, {20, 35, 56, 22, 28}},
    {36, CAROM_CELL_QUAD4, {16, 25, 36, 12, 16, 20}},
    {42, CAROM_CELL_TRI3, {28, 36, 45, 55, 66}},
    {47, CAROM_CELL_QUAD4, {49, 64, 81, 100, 121}},
    {52, CAROM_CELL_TRI3, {18, 21, 24, 27, 30}},
    {57, CAROM_CELL_QUAD4, {24, 28, 32, 36, 40}},
    {62, CAROM_CELL_LINE2, {7, 8, 9, 10, 11}},
    {71, CAROM_CELL_TET4, {84, 120, 165, 220, 286}},
    {79, CAROM_CELL_TET4, {34, 40, 46, 52, 58}},
    {90, CAROM_DRAFT_PRISM, {40, 75}},
    {92, CAROM_CELL_HEX8, {64, 125, 216, 343, 512, 729, 1000}},
    {99, CAROM_CELL_HEX8, {32, 44, 56, 68, 80, 92, 104}},
    {118, CAROM_DRAFT_PYRAMID, {30, 55}},
    {137, CAROM_CELL_TET4, {16}},
};

bool carom_msh_find_type(int64_t number, carom_msh_type *type) {
    // Polygons and polyhedra have any number of nodes and are not read.
    *type = (carom_msh_type){1, CAROM_CELL_POINT, number == 34 ? "polygon" : number == 35 ? "polyhedron" : NULL};
    for (size_t i = 0; i < sizeof types / sizeof *types && !type->unread; i++)
        for (int k = 0; types[i].nodes[k]; k++)
            if (types[i].first + k == number) {
                *type = (carom_msh_type){types[i].nodes[k], types[i].cell, NULL};
                return true;
            }
    return type->unread;
}

int carom_msh_number(carom_draft_type cell) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].cell == cell)
            return types[i].first;
    return 0;
}

// Groups of different dimensions may have the same tag, and the same name.
static bool add_physical(carom_msh *msh, int dimension, int64_t tag, carom_words name, const unsigned char *place) {
    int group = -1;
    // The group of cells without a set, which carom itself writes, becomes no set again. Both tag and name must agree: a user
    // may have used either of them.
    if (tag != CAROM_MSH_NO_SET || !carom_scan_same(name, CAROM_MSH_NO_SET_NAME)) {
        group = carom_reader_group(msh->reader, place, name);
        if (group < 0)
            return false;
    }
    if (!carom_reader_grow(msh->reader, (void **)&msh->physicals, msh->physical_count, &msh->physical_capacity,
                           sizeof *msh->physicals))
        return false;
    msh->physicals[msh->physical_count++] = (carom_msh_physical){dimension, tag, group};
    return true;
}

static const carom_msh_physical *find_physical(const carom_msh *msh, int dimension, int64_t tag) {
    // The tag alone is not enough: Gmsh numbers the groups of each dimension from 1.
    for (int64_t i = 0; i < msh->physical_count; i++)
        if (msh->physicals[i].dimension == dimension && msh->physicals[i].tag == tag)
            return &msh->physicals[i];
    return NULL;
}

// Files have a handful of physical groups, so a linear search suffices.
bool carom_msh_group_cells(carom_msh *msh, int dimension, int64_t tag, carom_draft_type type, int64_t count) {
    const carom_draft_block *block = &msh->reader->draft.blocks[type];
    // Negative tags mean the opposite orientation of the same group.
    tag = llabs(tag);
    const carom_msh_physical *physical = find_physical(msh, dimension, tag);
    if (!physical) {
        // A group without a name is named by its number.
        char number[24];
        snprintf(number, sizeof number, "%lld", (long long)tag);
        if (!add_physical(msh, dimension, tag, carom_words_of(number), NULL))
            return false;
        physical = &msh->physicals[msh->physical_count - 1];
    }
    if (physical->group < 0)
        return true;
    // Node sets that carom has written as points of this range of tags become node sets again, not cells.
    if (type == CAROM_CELL_POINT && tag > CAROM_MSH_NODE_SETS && tag < CAROM_MSH_NO_SET)
        return carom_reader_group_nodes(msh->reader, physical->group, block->nodes + block->count - count, count);
    return carom_reader_group_cells(msh->reader, physical->group, type, block->count - count, count);
}

bool carom_msh_cell(carom_msh *msh, const carom_msh_type *type, int64_t id, const int64_t *tags, const unsigned char *place) {
    carom_reader *reader = msh->reader;
    int nodes[CAROM_MSH_NODES_MAX];
    if (id < 0 || id > CAROM_MSH_TAG_MAX)
        return carom_scan_fail(&reader->scan, place, "%lld is not the tag of an element", (long long)id);
    for (int i = 0; i < type->nodes; i++) {
        nodes[i] = carom_id_map_find(&msh->map, tags[i]);
        if (nodes[i] < 0)
            return carom_scan_fail(&reader->scan, place, "element %lld has node %lld, which $Nodes does not define",
                                   (long long)id, (long long)tags[i]);
    }
    // Corners come first in all types of Gmsh.
    return carom_reader_reduce(reader, type->cell, nodes, type->nodes, NULL) && carom_reader_cell_id(reader, type->cell, id);
}

// Makes the map of node tags when all nodes are known; tags may be sparse and in any order.
static bool map_nodes(carom_msh *msh) {
    carom_draft *draft = &msh->reader->draft;
    int64_t twice;
    if (!carom_id_map_create(&msh->map, draft->node_ids, draft->node_count, &twice))
        return carom_scan_no_memory(&msh->reader->scan);
    if (draft->node_count && (msh->map.low < 0 || msh->map.high > CAROM_MSH_TAG_MAX))
        return carom_scan_fail(&msh->reader->scan, NULL, "%lld is not the tag of a node",
                               (long long)(msh->map.low < 0 ? msh->map.low : msh->map.high));
    if (twice >= 0)
        return carom_scan_fail(&msh->reader->scan, NULL, "node %lld is defined twice", (long long)draft->node_ids[twice]);
    return true;
}

// $MeshFormat: version, 0 or 1 for text or binary, size of a real number; then the int 1 in binary files.
static bool read_format(carom_msh *msh, int *version) {
    carom_scan *scan = &msh->reader->scan;
    carom_words word;
    carom_scan_space(scan);
    const unsigned char *place = scan->at;
    if (!carom_scan_word(scan, &word))
        return carom_scan_expected(scan, "the version of the format");
    // 2, 2.1 and 2.2 differ only in details that are not read. 4.0 orders its blocks otherwise and is not supported.
    if (word.text[0] == '2' && (word.size == 1 || word.text[1] == '.'))
        *version = 2;
    else if (carom_scan_same(word, "4.1"))
        *version = 4;
    else
        return carom_scan_fail(scan, place, "expected format 2.2 or 4.1, found %.*s" SAVE_AGAIN,
                               word.size > 16 ? 16 : (int)word.size, word.text);
    int64_t mode, width;
    if (!carom_scan_whole(scan, "0 (ASCII) or 1 (binary)", &mode) || !carom_scan_whole(scan, "the size of numbers, 8", &width))
        return false;
    if (mode != 0 && mode != 1)
        return carom_scan_fail(scan, NULL, "expected 0 (ASCII) or 1 (binary), found %lld", (long long)mode);
    // The size of a double in format 2.2, of a size_t in format 4.1.
    if (width != 8)
        return carom_scan_fail(scan, NULL, "expected 8 as the size of numbers, found %lld" SAVE_AGAIN, (long long)width);
    msh->binary = mode == 1;
    if (!msh->binary)
        return true;

    // the number 1 shows the byte order
    carom_scan_next_line(scan);
    const unsigned char *one = carom_scan_take(scan, 4, "the mark of the byte order");
    if (!one)
        return false;
    // If this is not 1, the byte order is swapped; if it is not 1 then either, the file is damaged.
    if (carom_scan_whole_at(scan, one, CAROM_INT32) != 1) {
        scan->swap = true;
        if (carom_scan_whole_at(scan, one, CAROM_INT32) != 1)
            return carom_scan_fail(scan, one, "expected the number 1 as the mark of the byte order, found %d" SAVE_AGAIN,
                                   (int)carom_scan_whole_at(scan, one, CAROM_INT32));
    }
    return true;
}

// $PhysicalNames: dimension, tag and name in quotes per line, as text in binary files too. Names may contain quotes: the last
// one of the line closes them.
static bool read_physical_names(carom_msh *msh) {
    carom_scan *scan = &msh->reader->scan;
    int64_t count;
    // The shortest line: a dimension, a tag, quotes and a letter, with blanks and a line feed.
    if (!carom_scan_count(scan, "the number of physical names", 7, &count))
        return false;
    for (int64_t i = 0; i < count; i++) {
        int64_t dimension, tag;
        if (!carom_scan_whole(scan, "the dimension of a physical group", &dimension) ||
            !carom_scan_whole(scan, "the tag of a physical group", &tag))
            return false;
        if (dimension < 0 || dimension > 3)
            return carom_scan_fail(scan, NULL, "expected a dimension from 0 to 3, found %lld", (long long)dimension);
        carom_scan_blank(scan);
        const unsigned char *open = scan->at;
        if (open == scan->end || *open != '"')
            return carom_scan_expected(scan, "the name of the group in quotes");
        carom_words rest;
        carom_scan_rest(scan, &rest);
        if (rest.size < 2 || rest.text[rest.size - 1] != '"')
            return carom_scan_fail(scan, open, "the quotes of this name are not closed");
        if (rest.size == 2)
            return carom_scan_fail(scan, open, "expected the name of the group, found nothing between the quotes");
        if (!add_physical(msh, (int)dimension, llabs(tag), (carom_words){rest.text + 1, rest.size - 2}, open))
            return false;
    }
    return true;
}

// Moves the cursor from the first line of a section to behind its last line. Binary sections may contain a '$', so the whole
// closing word is searched for.
static bool skip_section(carom_scan *scan, carom_words name, const unsigned char *opening) {
    // memchr goes from '$' to '$', which is fast even in a binary section of gigabytes.
    for (const unsigned char *c = scan->at; c < scan->end; c++) {
        c = memchr(c, '$', (size_t)(scan->end - c));
        if (!c)
            break;
        if ((size_t)(scan->end - c) >= name.size + 4 && memcmp(c, "$End", 4) == 0 && memcmp(c + 4, name.text, name.size) == 0) {
            scan->at = c + 4 + name.size;
            return true;
        }
    }
    // The opening line is text in a binary file too, so its line can be named.
    scan->binary = false;
    return carom_scan_fail(scan, opening, "the section $%.*s is not closed by $End%.*s", name.size > 40 ? 40 : (int)name.size,
                           name.text, name.size > 40 ? 40 : (int)name.size, name.text);
}

// The cursor must be at the closing line: anything else means that a count was wrong.
static bool close_section(carom_scan *scan, carom_words name) {
    carom_scan_space(scan);
    const unsigned char *place = scan->at;
    if (carom_scan_accept(scan, "$End") && (size_t)carom_scan_left(scan) >= name.size &&
        memcmp(scan->at, name.text, name.size) == 0) {
        scan->at += name.size;
        return true;
    }
    scan->at = place;
    char what[64];
    snprintf(what, sizeof what, "$End%.*s", name.size > 40 ? 40 : (int)name.size, name.text);
    return carom_scan_expected(scan, what);
}

// Order and number of the sections are checked here; sections that are not known are skipped.
static bool read_section(carom_msh *msh, carom_words name, int version, const unsigned char *opening) {
    carom_scan *scan = &msh->reader->scan;
    bool nodes = carom_scan_same(name, "Nodes"), elements = carom_scan_same(name, "Elements");
    if (nodes && msh->have_nodes)
        return carom_scan_fail(scan, opening, "a second section $Nodes");
    if (elements && msh->have_elements)
        return carom_scan_fail(scan, opening, "a second section $Elements");
    if (carom_scan_same(name, "ParametricNodes"))
        return carom_scan_fail(scan, opening,
                               "$ParametricNodes is not read: save the mesh with `gmsh -setnumber Mesh.SaveParametric 0`");
    if (elements && !msh->have_nodes)
        return carom_scan_fail(scan, opening, "expected $Nodes before $Elements");
    if (carom_scan_same(name, "PhysicalNames"))
        return read_physical_names(msh) && close_section(scan, name);
    // Headers of sections are text; their content may be binary.
    scan->binary = msh->binary;
    if (nodes) {
        msh->have_nodes = true;
        return (version == 2 ? carom_msh2_nodes(msh) : carom_msh4_nodes(msh)) && map_nodes(msh) && close_section(scan, name);
    }
    if (elements) {
        msh->have_elements = true;
        return (version == 2 ? carom_msh2_elements(msh) : carom_msh4_elements(msh)) && close_section(scan, name);
    }
    // A second $Entities is skipped; the first one has been read.
    if (version == 4 && carom_scan_same(name, "Entities") && !msh->entities)
        return carom_msh4_entities(msh) && close_section(scan, name);
    return skip_section(scan, name, opening);
}

// $MeshFormat comes first; only $Comments may precede it.
static bool read_sections(carom_msh *msh) {
    carom_scan *scan = &msh->reader->scan;
    int version = 0;
    for (carom_scan_space(scan); scan->at < scan->end; carom_scan_space(scan)) {
        const unsigned char *opening = scan->at;
        carom_words line;
        // lines after the header may belong to a binary file; a section opens with text all the same
        scan->binary = msh->binary;
        // Fluent's meshes have the same ending.
        if (*opening == '(' && !version)
            return carom_scan_fail(scan, opening,
                                   "this is a mesh of ANSYS Fluent; meshio writes one of Gmsh if asked for the format gmsh");
        if (*opening != '$')
            return carom_scan_expected(scan, "a section ($Nodes, $Elements, ...)");
        carom_scan_rest(scan, &line);
        line.text++, line.size--;
        if (carom_scan_same(line, "MeshFormat")) {
            if (version)
                return carom_scan_fail(scan, opening, "a second section $MeshFormat");
            if (!read_format(msh, &version) || !close_section(scan, carom_words_of("MeshFormat")))
                return false;
            continue;
        }
        if (!version && !carom_scan_same(line, "Comments"))
            return carom_scan_fail(scan, opening, "expected $MeshFormat first");
        if (!read_section(msh, line, version, opening))
            return false;
    }
    scan->binary = false;
    if (!version)
        return carom_scan_fail(scan, NULL, "expected $MeshFormat, found the end of the file");
    if (!msh->have_nodes || !msh->have_elements)
        return carom_scan_fail(scan, NULL, "expected $%s, found the end of the file", msh->have_nodes ? "Elements" : "Nodes");
    return true;
}

bool carom_read_msh(carom_reader *reader) {
    carom_msh msh = {.reader = reader, .map = {.high = -1}};
    bool good = read_sections(&msh);
    carom_id_map_release(&msh.map);
    free(msh.physicals);
    free(msh.entities);
    free(msh.entity_tags);
    return good;
}
