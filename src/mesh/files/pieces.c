// SPDX-License-Identifier: MIT
// Cuts solid cells of a file into tetrahedra where the body cannot keep them. Pyramids become tetrahedra, since carom has no
// element for them. Prisms and hexahedra of the same body are cut as well: a whole one would not fit the triangles of its
// neighbour, and all cells of a body have one type. A body of prisms alone keeps them, unless cutting is requested. Every face
// with four nodes is cut by the diagonal from its smallest node (cone.h), so that neighbouring cells of any types fit; named
// faces are cut by the same rule. All cells of a type give the same number of pieces, so that a run of cells becomes a run of
// pieces.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/cell.h"
#include "mesh/cone.h"
#include "mesh/files/draft.h"
#include "mesh/topology.h"

// The solids that are cut, and how many tetrahedra they give.
typedef struct recipe {
    carom_draft_type type;
    int pieces;
    int swaps[2][2]; // nodes to be exchanged to reverse the cell
    const char *one, *many;
} recipe;

static const recipe recipes[] = {
    {CAROM_DRAFT_PRISM, 3, {{1, 2}, {4, 5}}, "prism", "prisms"},
    {CAROM_DRAFT_PYRAMID, 2, {{1, 3}, {0, 0}}, "pyramid", "pyramids"},
    {CAROM_CELL_HEX8, 6, {{0, 0}, {0, 0}}, "hexahedron", "hexahedra"},
};

static const int pyramid_faces[5][4] = {{0, 3, 2, 1}, {0, 1, 4, -1}, {1, 2, 4, -1}, {2, 3, 4, -1}, {3, 0, 4, -1}};

enum { RECIPES = sizeof recipes / sizeof *recipes };

typedef struct cutter {
    carom_reader *reader;
    carom_draft *draft;
    unsigned char **picked;
    int64_t next_id; // above all numbers of cells
    int64_t turned;  // prisms and pyramids that were inverted
} cutter;

static bool no_memory(const cutter *c) {
    return carom_scan_no_memory(&c->reader->scan);
}

// Cells of a type that belong to the body.
static int64_t count_picked(const cutter *c, carom_draft_type type) {
    int64_t count = c->draft->blocks[type].count, picked = 0;
    for (int64_t e = 0; c->picked[type] && e < count; e++)
        picked += c->picked[type][e];
    return c->picked[type] ? picked : count;
}

// If a number of a cell is as large as this, there are no further numbers for pieces, and all numbers are dropped.
#define ID_MAX (INT64_MAX / 2)

static void find_next_id(cutter *c) {
    for (int t = 0; t < CAROM_DRAFT_TYPE_COUNT; t++)
        for (int64_t e = 0; c->draft->blocks[t].ids && e < c->draft->blocks[t].count; e++)
            if (c->draft->blocks[t].ids[e] >= c->next_id)
                c->next_id = c->draft->blocks[t].ids[e] < ID_MAX ? c->draft->blocks[t].ids[e] + 1 : ID_MAX;
    for (int t = 0; t < CAROM_DRAFT_TYPE_COUNT && c->next_id == ID_MAX; t++) {
        free(c->draft->blocks[t].ids);
        c->draft->blocks[t].ids = NULL;
        c->draft->blocks[t].id_capacity = 0;
    }
    if (c->next_id == ID_MAX)
        c->next_id = 0;
}

// Allocates `more` cells of a type for the pieces.
static bool extend(cutter *c, carom_draft_type type, int64_t more) {
    carom_draft_block *block = &c->draft->blocks[type];
    if (block->count + more > CAROM_MESH_CELLS_MAX)
        return carom_reader_refuse(c->reader, "more than %d cells", CAROM_MESH_CELLS_MAX);
    if (!carom_reader_reserve_cells(c->reader, type, more, c->next_id > 0))
        return false;
    if (!c->picked[type] && !c->picked[CAROM_DRAFT_PRISM] && !c->picked[CAROM_DRAFT_PYRAMID])
        return true;
    unsigned char *picked = realloc(c->picked[type], (size_t)(block->count + more) + 1);
    if (!picked)
        return no_memory(c);
    c->picked[type] = picked;
    return true;
}

// The first piece keeps the number of the cell, the others have numbers that no cell has.
static void number_pieces(cutter *c, carom_draft_type to, int64_t id, int pieces) {
    carom_draft_block *block = &c->draft->blocks[to];
    for (int i = 0; i < pieces && c->next_id > 0; i++)
        block->ids[block->count + i] = i ? c->next_id++ : id;
}

static double volume_of(const cutter *c, int count, int tets[][4]) {
    double sum = 0;
    for (int t = 0; t < count; t++) {
        double x[4][3];
        for (int i = 0; i < 4; i++)
            memcpy(x[i], c->draft->nodes[tets[t][i]], sizeof x[i]);
        sum += carom_cell_measure(CAROM_CELL_TET4, (const double(*)[3])x);
    }
    return sum;
}

static void report_turned(const cutter *c) {
    if (c->turned)
        carom_reader_warn(c->reader, NULL, "%lld prisms and pyramids were inverted and have been reversed",
                          (long long)c->turned);
}

// Programs disagree on the order of the nodes of a prism (the first triangle of VTK's faces outward by its documentation,
// inward by its figures), so inverted prisms and pyramids are reversed. An inverted hexahedron remains a fault.
static void turn(cutter *c, const recipe *r, int *nodes) {
    c->turned++;
    for (int s = 0; s < 2; s++) {
        int kept = nodes[r->swaps[s][0]];
        nodes[r->swaps[s][0]] = nodes[r->swaps[s][1]];
        nodes[r->swaps[s][1]] = kept;
    }
}

static void cut_cell(cutter *c, const recipe *r, int *nodes, int tets[CAROM_CONE_MAX][4]) {
    int size = carom_draft_size(r->type), face_count = sizeof pyramid_faces / sizeof *pyramid_faces;
    const int(*faces)[4] =
        r->type == CAROM_DRAFT_PYRAMID ? pyramid_faces : carom_cell_facets((carom_cell_type)r->type, &face_count);
    for (int attempt = 0; attempt < 2; attempt++) {
        int count = carom_cut_cell(nodes, size, faces, face_count, tets);
        // A cell that has one node twice gives fewer pieces; empty ones replace the missing pieces and are a fault.
        for (; count < r->pieces; count++)
            for (int i = 0; i < 4; i++)
                tets[count][i] = nodes[0];
        if (attempt || r->type == CAROM_CELL_HEX8 || volume_of(c, r->pieces, tets) >= 0)
            return;
        turn(c, r, nodes);
    }
}

// Reverses the inverted prisms of a body that keeps its prisms.
static void turn_prisms(cutter *c) {
    const carom_draft_block *block = &c->draft->blocks[CAROM_DRAFT_PRISM];
    for (int64_t e = 0; e < block->count; e++) {
        double x[6][3];
        int *nodes = block->nodes + 6 * e;
        for (int k = 0; k < 6; k++)
            memcpy(x[k], c->draft->nodes[nodes[k]], sizeof x[k]);
        if (carom_cell_measure(CAROM_CELL_WEDGE6, (const double(*)[3])x) < 0)
            turn(c, &recipes[0], nodes);
    }
    report_turned(c);
}

// Cuts all cells of a type; returns where their pieces begin among the tetrahedra, -1 after a failure.
static int64_t cut_solids(cutter *c, const recipe *r) {
    carom_draft_block *from = &c->draft->blocks[r->type], *to = &c->draft->blocks[CAROM_CELL_TET4];
    int64_t begin = to->count;
    if (!extend(c, CAROM_CELL_TET4, r->pieces * from->count))
        return -1;
    int size = carom_draft_size(r->type);
    for (int64_t e = 0; e < from->count; e++) {
        int tets[CAROM_CONE_MAX][4];
        cut_cell(c, r, from->nodes + e * size, tets);
        memcpy(to->nodes + 4 * to->count, tets, (size_t)r->pieces * sizeof *tets);
        number_pieces(c, CAROM_CELL_TET4, from->ids ? from->ids[e] : 0, r->pieces);
        if (c->picked[CAROM_CELL_TET4])
            memset(c->picked[CAROM_CELL_TET4] + to->count, !c->picked[r->type] || c->picked[r->type][e], (size_t)r->pieces);
        to->count += r->pieces;
    }
    to->reduced += from->reduced;
    from->count = from->reduced = 0;
    return begin;
}

// Cuts all quadrilaterals, which are faces of solids, into triangles; returns the index of the first, -1 after a failure.
static int64_t cut_quads(cutter *c) {
    carom_draft_block *from = &c->draft->blocks[CAROM_CELL_QUAD4], *to = &c->draft->blocks[CAROM_CELL_TRI3];
    int64_t begin = to->count;
    if (!carom_reader_reserve_cells(c->reader, CAROM_CELL_TRI3, 2 * from->count, c->next_id > 0))
        return -1;
    for (int64_t e = 0; e < from->count; e++) {
        carom_cut_quad(from->nodes + 4 * e, (int(*)[3])(to->nodes + 3 * to->count));
        number_pieces(c, CAROM_CELL_TRI3, from->ids ? from->ids[e] : 0, 2);
        to->count += 2;
    }
    from->count = from->reduced = 0;
    return begin;
}

// Runs of cells that were cut are runs of their pieces.
static void move_runs(cutter *c, carom_draft_type from, carom_draft_type to, int64_t begin, int pieces) {
    for (int64_t r = 0; r < c->draft->run_count; r++) {
        carom_draft_run *run = &c->draft->runs[r];
        if (run->content != CAROM_DRAFT_CELLS || run->type != from)
            continue;
        run->type = to;
        run->begin = (int)(begin + (int64_t)run->begin * pieces);
        run->count *= pieces;
    }
}

// Cuts the faces of surfaces with four nodes into two triangles.
static bool cut_faces(cutter *c) {
    carom_draft *draft = c->draft;
    int64_t count = 0;
    int *place = carom_allocate(draft->face_count + 1, sizeof *place);
    if (!place)
        return no_memory(c);
    for (int64_t i = 0; i < draft->face_count; i++) {
        place[i] = (int)count;
        count += draft->faces[i][3] >= 0 ? 2 : 1;
    }
    place[draft->face_count] = (int)count;
    int(*faces)[4] = carom_allocate(count, sizeof *faces);
    for (int64_t i = 0; faces && i < draft->face_count; i++) {
        int triangles[2][3];
        if (draft->faces[i][3] < 0) {
            memcpy(faces[place[i]], draft->faces[i], sizeof *faces);
            continue;
        }
        carom_cut_quad(draft->faces[i], triangles);
        for (int t = 0; t < 2; t++)
            memcpy(faces[place[i] + t], (const int[4]){triangles[t][0], triangles[t][1], triangles[t][2], -1}, sizeof *faces);
    }
    for (int64_t r = 0; faces && r < draft->run_count; r++) {
        carom_draft_run *run = &draft->runs[r];
        if (run->content != CAROM_DRAFT_FACES)
            continue;
        run->count = place[run->begin + run->count] - place[run->begin];
        run->begin = place[run->begin];
    }
    free(place);
    if (!faces)
        return no_memory(c);
    free(draft->faces);
    draft->faces = faces;
    draft->face_count = draft->face_capacity = count;
    return true;
}

// Remarks, for example: "2 prisms and 1 pyramid are cut into 8 tetrahedra".
static void mention(const cutter *c, const int64_t counts[RECIPES]) {
    char text[200] = "";
    size_t size = 0;
    int64_t cells = 0, pieces = 0;
    int kinds = 0, shown = 0;
    for (int r = 0; r < RECIPES; r++)
        kinds += counts[r] > 0;
    for (int r = 0; r < RECIPES; r++) {
        if (!counts[r])
            continue;
        const char *joint = shown == 0 ? "" : shown == kinds - 1 ? " and " : ", ";
        size += (size_t)snprintf(text + size, sizeof text - size, "%s%lld %s", joint, (long long)counts[r],
                                 counts[r] == 1 ? recipes[r].one : recipes[r].many);
        shown++;
        cells += counts[r];
        pieces += counts[r] * recipes[r].pieces;
    }
    carom_reader_warn(c->reader, NULL, "%s %s cut into %lld tetrahedra", text, cells == 1 ? "is" : "are", (long long)pieces);
    report_turned(c);
}

bool carom_reader_cut(carom_reader *reader, unsigned char *picked[CAROM_DRAFT_TYPE_COUNT]) {
    cutter c = {.reader = reader, .draft = &reader->draft, .picked = picked};
    int64_t prisms = count_picked(&c, CAROM_DRAFT_PRISM), pyramids = count_picked(&c, CAROM_DRAFT_PYRAMID);
    bool alone = !count_picked(&c, CAROM_CELL_TET4) && !count_picked(&c, CAROM_CELL_HEX8);
    if (prisms + pyramids == 0)
        return true;
    if (!pyramids && alone && !reader->def->cut_prisms) {
        turn_prisms(&c);
        return true;
    }
    find_next_id(&c);
    int64_t counts[RECIPES];
    for (int r = 0; r < RECIPES; r++) {
        counts[r] = count_picked(&c, recipes[r].type);
        int64_t begin = cut_solids(&c, &recipes[r]);
        if (begin < 0)
            return false;
        move_runs(&c, recipes[r].type, CAROM_CELL_TET4, begin, recipes[r].pieces);
    }
    int64_t begin = cut_quads(&c);
    if (begin < 0 || !cut_faces(&c))
        return false;
    move_runs(&c, CAROM_CELL_QUAD4, CAROM_CELL_TRI3, begin, 2);
    mention(&c, counts);
    return true;
}
