// SPDX-License-Identifier: MIT
// Finds what is drawn of the bodies in a frame that was read back. Cells of the frame become faces (triangles and
// quadrilaterals), fans (polygons), lines or points. Each body shows its cells of the highest kind: a beam with an outline
// shows the outline and not its axis. Solids show only faces that belong to a single cell. The stages run in the order of
// carom_cell_surface_create; a frame may come from an untrusted source, so `load` checks every number before it is used as an
// index.
#include "output/back/surface_cells.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/cell.h"
#include "mesh/mesh.h"
#include "mesh/topology.h"

// Numbers of cell types as VTK defines them.
enum {
    VTK_VERTEX = 1,
    VTK_LINE = 3,
    VTK_TRIANGLE = 5,
    VTK_POLYGON = 7,
    VTK_QUAD = 9,
    VTK_TETRA = 10,
    VTK_HEXAHEDRON = 12,
    VTK_WEDGE = 13
};

// The grid of a frame and intermediate results.
typedef struct maker {
    const carom_vtu_file *frame;
    int64_t *connectivity, *ends;
    uint8_t *types;
    int32_t *body;
    int facet_count;
    carom_facet *facets; // `cell` is the cell of the frame
    int *point_body;     // the body that shows each point, -1: none
    int *node_of;        // the node of each point, -1: none
    carom_cell_surface *surface;
} maker;

// Dimension of a cell type; -1 for types that carom does not write.
static int dimension_of(int type) {
    switch (type) {
    case VTK_VERTEX: return 0;
    case VTK_LINE: return 1;
    case VTK_TRIANGLE:
    case VTK_POLYGON:
    case VTK_QUAD: return 2;
    case VTK_TETRA:
    case VTK_HEXAHEDRON:
    case VTK_WEDGE: return 3;
    default: return -1;
    }
}

// Number of nodes of a cell type; 0 for polygons, which have three or more.
static int size_of(int type) {
    static const int sizes[] = {[VTK_VERTEX] = 1, [VTK_LINE] = 2,       [VTK_TRIANGLE] = 3, [VTK_QUAD] = 4,
                                [VTK_TETRA] = 4,  [VTK_HEXAHEDRON] = 8, [VTK_WEDGE] = 6};
    return sizes[type];
}

// Solids by type.
enum { TETS, BRICKS, WEDGES, SOLIDS };
static int solid_of(int type) {
    return type == VTK_TETRA ? TETS : type == VTK_HEXAHEDRON ? BRICKS : WEDGES;
}

static int64_t begin_of(const maker *m, int cell) {
    return cell ? m->ends[cell - 1] : 0;
}

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for the surface of the bodies");
}

static carom_status load(maker *m, carom_error *error) {
    const carom_vtu_file *f = m->frame;
    const carom_vtu_array *connectivity = carom_vtu_find(f, CAROM_VTU_CELLS, "connectivity");
    int64_t count = carom_vtu_count(f, connectivity);
    if (count < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "%s has no readable cells", f->path);
    // check that the file contains as much as its head states before memory is allocated: a damaged count could request
    // terabytes
    if (carom_vtu_count(f, carom_vtu_find(f, CAROM_VTU_POINTS, "position")) != 3 * (int64_t)f->point_count ||
        carom_vtu_count(f, carom_vtu_find(f, CAROM_VTU_CELLS, "offsets")) != f->cell_count)
        return carom_fail(error, CAROM_BAD_INPUT, "%s does not contain the points and cells announced in its head", f->path);
    // `ends` are the offsets of VTK: cell c ends where cell c + 1 begins
    m->connectivity = carom_allocate(count, sizeof *m->connectivity);
    m->ends = carom_allocate(f->cell_count, sizeof *m->ends);
    m->types = carom_allocate(f->cell_count, sizeof *m->types);
    m->body = carom_allocate(f->cell_count, sizeof *m->body);
    if (!m->connectivity || !m->ends || !m->types || !m->body)
        return no_memory(error);
    const struct {
        carom_vtu_section section;
        const char *name, *type;
        int64_t count;
        void *values;
    } arrays[] = {{CAROM_VTU_CELLS, "connectivity", "Int64", count, m->connectivity},
                  {CAROM_VTU_CELLS, "offsets", "Int64", f->cell_count, m->ends},
                  {CAROM_VTU_CELLS, "types", "UInt8", f->cell_count, m->types},
                  {CAROM_VTU_CELL_DATA, "body", "Int32", f->cell_count, m->body}};
    for (int i = 0; i < 4; i++) {
        carom_status status = carom_vtu_read(f, carom_vtu_find(f, arrays[i].section, arrays[i].name), arrays[i].name,
                                             arrays[i].type, arrays[i].count, arrays[i].values, error);
        if (status)
            return status;
    }

    // offsets must not decrease, sizes must fit the types, indices must be in range
    int64_t begin = 0;
    for (int c = 0; c < f->cell_count; c++) {
        int dimension = dimension_of(m->types[c]);
        int64_t end = m->ends[c], size = end - begin;
        bool good = dimension >= 0 && end >= begin && end <= count && m->body[c] >= 0 && m->body[c] < f->cell_count;
        good = good && (m->types[c] == VTK_POLYGON ? size >= 3 : size == size_of(m->types[c]));
        for (int64_t i = begin; good && i < end; i++)
            good = m->connectivity[i] >= 0 && m->connectivity[i] < f->point_count;
        if (!good)
            return carom_fail(error, CAROM_BAD_INPUT, "%s: cell %d is not valid", f->path, c);
        if (m->body[c] >= m->surface->body_count)
            m->surface->body_count = m->body[c] + 1;
        begin = end;
    }
    return CAROM_OK;
}

// The kinds of cells of a body decide how it is shown. A beam has lines and the polygons of its outline:
// its dimension is 1, its shape triangles.
static carom_status classify(maker *m, carom_error *error) {
    carom_cell_surface *surface = m->surface;
    surface->bodies = carom_allocate(surface->body_count, sizeof *surface->bodies);
    bool(*has)[4] = carom_allocate(surface->body_count, sizeof *has);
    if (!surface->bodies || !has) {
        free(has);
        return no_memory(error);
    }
    for (int c = 0; c < m->frame->cell_count; c++)
        has[m->body[c]][dimension_of(m->types[c])] = true;
    for (int b = 0; b < surface->body_count; b++) {
        carom_cell_surface_body *body = &surface->bodies[b];
        // cells of dimension 2 in a body with lines are the outline of a beam, so lines decide before faces
        body->dimension = has[b][3] ? 3 : has[b][1] ? 1 : has[b][2] ? 2 : 0;
        body->shape = has[b][3] || has[b][2] ? CAROM_CELL_SURFACE_TRIANGLES
                      : has[b][1]            ? CAROM_CELL_SURFACE_LINES
                                             : CAROM_CELL_SURFACE_POINTS;
    }
    free(has);
    return CAROM_OK;
}

// The surface of all solids: faces that belong to one cell only. A temporary mesh with one block of each type of solids lets
// the code for meshes find them.
static carom_status find_solid_faces(maker *m, carom_facet **facets, int *count, carom_error *error) {
    int counts[SOLIDS] = {0}, *cells[SOLIDS] = {NULL};
    *facets = NULL;
    *count = 0;
    for (int c = 0; c < m->frame->cell_count; c++)
        if (dimension_of(m->types[c]) == 3)
            counts[solid_of(m->types[c])]++;
    // no solids: no surface to search for
    if (counts[TETS] + counts[BRICKS] + counts[WEDGES] == 0)
        return CAROM_OK;
    carom_mesh mesh = {0};
    carom_status status = carom_mesh_allocate(&mesh, m->frame->point_count, CAROM_CELL_TET4, counts[TETS], error);
    if (!status)
        status = carom_mesh_add_block(&mesh, CAROM_CELL_HEX8, counts[BRICKS], error);
    if (!status)
        status = carom_mesh_add_block(&mesh, CAROM_CELL_WEDGE6, counts[WEDGES], error);
    for (int kind = 0; kind < SOLIDS; kind++) {
        cells[kind] = carom_allocate(counts[kind], sizeof *cells[kind]);
        if (!status && !cells[kind])
            status = no_memory(error);
    }
    int filled[SOLIDS] = {0};
    for (int c = 0; !status && c < m->frame->cell_count; c++) {
        if (dimension_of(m->types[c]) != 3)
            continue;
        // `cells` leads from the temporary mesh back to the frame
        int block = solid_of(m->types[c]), size = size_of(m->types[c]);
        for (int i = 0; i < size; i++)
            mesh.blocks[block].nodes[(int64_t)filled[block] * size + i] = (int)m->connectivity[begin_of(m, c) + i];
        cells[block][filled[block]++] = c;
    }
    if (!status)
        status = carom_mesh_surface(&mesh, facets, count, error);
    for (int i = 0; !status && i < *count; i++)
        (*facets)[i].cell = cells[(*facets)[i].block][(*facets)[i].cell];
    for (int kind = 0; kind < SOLIDS; kind++)
        free(cells[kind]);
    carom_mesh_release(&mesh);
    return status;
}

// True if a plane cell is shown itself; solids show the surface of their cells instead.
static bool is_face(const maker *m, int cell) {
    return dimension_of(m->types[cell]) == 2 && m->surface->bodies[m->body[cell]].dimension != 3;
}

// Collects all faces with at most four nodes: the surface of solids, then plane cells.
static carom_status collect_facets(maker *m, carom_error *error) {
    carom_facet *solid = NULL;
    int solid_count = 0, plane_count = 0;
    carom_status status = find_solid_faces(m, &solid, &solid_count, error);
    for (int c = 0; c < m->frame->cell_count; c++)
        plane_count += is_face(m, c) && m->types[c] != VTK_POLYGON;
    m->facets = status ? NULL : carom_allocate((int64_t)solid_count + plane_count, sizeof *m->facets);
    if (!status && !m->facets)
        status = no_memory(error);
    if (!status) {
        if (solid_count)
            memcpy(m->facets, solid, (size_t)solid_count * sizeof *solid);
        m->facet_count = solid_count;
        for (int c = 0; c < m->frame->cell_count; c++) {
            if (!is_face(m, c) || m->types[c] == VTK_POLYGON)
                continue;
            carom_facet *f = &m->facets[m->facet_count++];
            *f = (carom_facet){.nodes = {-1, -1, -1, -1}, .cell = c};
            for (int64_t i = begin_of(m, c), k = 0; i < m->ends[c]; i++, k++)
                f->nodes[k] = (int)m->connectivity[i];
        }
    }
    free(solid);
    return status;
}

// True if a line or point is shown: its body has nothing of higher dimension.
static bool is_shown(const maker *m, int cell) {
    carom_cell_surface_shape shape = m->surface->bodies[m->body[cell]].shape;
    int dimension = dimension_of(m->types[cell]);
    return (shape == CAROM_CELL_SURFACE_LINES && dimension == 1) || (shape == CAROM_CELL_SURFACE_POINTS && dimension == 0);
}

// A polygon, which is split into a fan of triangles around its first node.
static bool is_fan(const maker *m, int cell) {
    return is_face(m, cell) && m->types[cell] == VTK_POLYGON;
}

// Points belong to one body each, since bodies share no nodes.
static void claim(maker *m, int body, int64_t point) {
    m->point_body[point] = body;
}

// Numbers the points inside solids, body after body, after all that are shown.
static void number_inner(maker *m) {
    carom_cell_surface *surface = m->surface;
    // marks them by -2 - body in `node_of`
    for (int c = 0; c < m->frame->cell_count; c++)
        for (int64_t i = begin_of(m, c); dimension_of(m->types[c]) == 3 && i < m->ends[c]; i++) {
            int64_t k = m->connectivity[i];
            if (m->node_of[k] != -1)
                continue;
            m->node_of[k] = -2 - m->body[c];
            surface->bodies[m->body[c]].inner_count++;
        }
    for (int b = 0; b < surface->body_count; b++) {
        surface->bodies[b].inner_begin = surface->node_count;
        surface->node_count += surface->bodies[b].inner_count;
        surface->bodies[b].inner_count = 0;
    }
    for (int k = 0; k < m->frame->point_count; k++) {
        if (m->node_of[k] >= -1)
            continue;
        carom_cell_surface_body *body = &surface->bodies[-2 - m->node_of[k]];
        m->node_of[k] = body->inner_begin + body->inner_count++;
        surface->points[m->node_of[k]] = k;
    }
}

// Numbers the points that are shown, body after body: count, sum up, assign.
static carom_status number_nodes(maker *m, carom_error *error) {
    carom_cell_surface *surface = m->surface;
    int points = m->frame->point_count;
    m->point_body = carom_allocate(points, sizeof *m->point_body);
    m->node_of = carom_allocate(points, sizeof *m->node_of);
    if (!m->point_body || !m->node_of)
        return no_memory(error);
    for (int k = 0; k < points; k++)
        m->point_body[k] = m->node_of[k] = -1;
    for (int f = 0; f < m->facet_count; f++)
        for (int i = 0; i < carom_facet_size(m->facets[f].nodes); i++)
            claim(m, m->body[m->facets[f].cell], m->facets[f].nodes[i]);
    for (int c = 0; c < m->frame->cell_count; c++)
        for (int64_t i = begin_of(m, c); (is_shown(m, c) || is_fan(m, c)) && i < m->ends[c]; i++)
            claim(m, m->body[c], m->connectivity[i]);

    for (int k = 0; k < points; k++)
        if (m->point_body[k] >= 0)
            surface->bodies[m->point_body[k]].node_count++;
    for (int b = 0; b < surface->body_count; b++) {
        surface->bodies[b].node_begin = surface->node_count;
        surface->node_count += surface->bodies[b].node_count;
        surface->bodies[b].node_count = 0;
    }
    surface->shown_count = surface->node_count;
    // one entry for every point: those inside solids are not counted yet
    surface->points = carom_allocate(points, sizeof *surface->points);
    if (!surface->points)
        return no_memory(error);
    for (int k = 0; k < points; k++) {
        if (m->point_body[k] < 0)
            continue;
        carom_cell_surface_body *body = &surface->bodies[m->point_body[k]];
        m->node_of[k] = body->node_begin + body->node_count++;
        surface->points[m->node_of[k]] = k;
    }
    number_inner(m);
    return CAROM_OK;
}

// Returns the place of the next cell of a body and increments the number of its cells.
static int *next_cell(carom_cell_surface *surface, carom_cell_surface_body *body, int size) {
    return &surface->cells[body->place + (int64_t)size * body->cell_count++];
}

// Adds a triangle, given by points of the frame.
static void put_triangle(maker *m, int body, int64_t a, int64_t b, int64_t c) {
    int *cell = next_cell(m->surface, &m->surface->bodies[body], 3);
    cell[0] = m->node_of[a];
    cell[1] = m->node_of[b];
    cell[2] = m->node_of[c];
}

// A face of n nodes is split into n - 2 triangles around its first node.
static int triangles_of(const carom_facet *facet) {
    return carom_facet_size(facet->nodes) - 2;
}

// Counts the cells of each body and sums up the counts to places in `cells`.
static carom_status place_cells(maker *m, carom_error *error) {
    carom_cell_surface *surface = m->surface;
    int64_t *counts = carom_allocate(surface->body_count, sizeof *counts), place = 0, begin = 0;
    if (!counts)
        return no_memory(error);
    for (int f = 0; f < m->facet_count; f++)
        counts[m->body[m->facets[f].cell]] += triangles_of(&m->facets[f]);
    for (int c = 0; c < m->frame->cell_count; c++)
        counts[m->body[c]] += is_fan(m, c) ? m->ends[c] - begin_of(m, c) - 2 : is_shown(m, c);
    for (int b = 0; b < surface->body_count; b++) {
        surface->bodies[b].place = place;
        surface->bodies[b].cell_begin = (int)begin;
        begin += counts[b];
        // shape + 1 is the number of nodes of a cell
        place += counts[b] * ((int)surface->bodies[b].shape + 1);
    }
    free(counts);
    // cells are numbered by int in the page
    if (begin > INT_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "the bodies have more faces than a page can hold");
    surface->cells = carom_allocate(place, sizeof *surface->cells);
    return surface->cells ? CAROM_OK : no_memory(error);
}

// Writes the cells of all bodies at the places found by place_cells.
static carom_status make_cells(maker *m, carom_error *error) {
    carom_status status = place_cells(m, error);
    if (status)
        return status;
    for (int f = 0; f < m->facet_count; f++) {
        const int *n = m->facets[f].nodes;
        for (int i = 0; i < triangles_of(&m->facets[f]); i++)
            put_triangle(m, m->body[m->facets[f].cell], n[0], n[i + 1], n[i + 2]);
    }
    for (int c = 0; c < m->frame->cell_count; c++) {
        const int64_t *n = &m->connectivity[begin_of(m, c)];
        int64_t size = m->ends[c] - begin_of(m, c);
        for (int64_t i = 0; is_fan(m, c) && i < size - 2; i++)
            put_triangle(m, m->body[c], n[0], n[i + 1], n[i + 2]);
        if (!is_shown(m, c))
            continue;
        int *cell = next_cell(m->surface, &m->surface->bodies[m->body[c]], (int)size);
        for (int64_t i = 0; i < size; i++)
            cell[i] = m->node_of[n[i]];
    }
    return CAROM_OK;
}

// A side of a face with its smaller node first, so that both faces at an edge give the same side.
typedef struct side {
    int low, high, face;
} side;

// By nodes, then by face: the order does not depend on the sorting algorithm.
static int compare_sides(const void *a_, const void *b_) {
    const side *a = a_, *b = b_;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return a->face < b->face ? -1 : a->face > b->face;
}

// Finds the sides of all faces, each once, by sorting and removing repetitions. Returns their number, or -1
// if memory is short.
static int find_sides(const maker *m, side **sides) {
    int count = 0, kept = 0;
    *sides = carom_allocate(4 * (int64_t)m->facet_count, sizeof **sides);
    if (!*sides)
        return -1;
    for (int f = 0; f < m->facet_count; f++) {
        const int *n = m->facets[f].nodes;
        int size = carom_facet_size(n);
        for (int i = 0; i < size; i++) {
            int a = n[i], b = n[(i + 1) % size];
            (*sides)[count++] = (side){a < b ? a : b, a < b ? b : a, f};
        }
    }
    qsort(*sides, (size_t)count, sizeof **sides, compare_sides);
    for (int i = 0; i < count; i++)
        if (kept == 0 || (*sides)[i].low != (*sides)[kept - 1].low || (*sides)[i].high != (*sides)[kept - 1].high)
            (*sides)[kept++] = (*sides)[i];
    return kept;
}

// The edges that the page draws. Polygons contribute none: their sides are sides of neighbouring faces.
static carom_status make_edges(maker *m, carom_error *error) {
    carom_cell_surface *surface = m->surface;
    side *sides = NULL;
    int count = find_sides(m, &sides), total = 0;
    for (int e = 0; e < count; e++)
        surface->bodies[m->body[m->facets[sides[e].face].cell]].edge_count++;
    for (int b = 0; b < surface->body_count; b++) {
        surface->bodies[b].edge_begin = total;
        total += surface->bodies[b].edge_count;
        surface->bodies[b].edge_count = 0;
    }
    surface->edges = carom_allocate(total, sizeof *surface->edges);
    for (int e = 0; surface->edges && e < count; e++) {
        carom_cell_surface_body *body = &surface->bodies[m->body[m->facets[sides[e].face].cell]];
        int *edge = surface->edges[body->edge_begin + body->edge_count++];
        edge[0] = m->node_of[sides[e].low];
        edge[1] = m->node_of[sides[e].high];
    }
    free(sides);
    return surface->edges && count >= 0 ? CAROM_OK : no_memory(error);
}

// The cells around each node, in compressed rows, for means of cell fields.
static carom_status find_around(maker *m, carom_error *error) {
    carom_cell_surface *surface = m->surface;
    int64_t total = m->frame->cell_count ? m->ends[m->frame->cell_count - 1] : 0, used = 0;
    surface->around_begin = carom_allocate((int64_t)surface->node_count + 2, sizeof *surface->around_begin);
    if (!surface->around_begin)
        return no_memory(error);
    // counts are kept one place ahead: filling increments each begin to the begin of the next node
    int64_t *next = surface->around_begin + 1;
    for (int64_t i = 0; i < total; i++)
        if (m->node_of[m->connectivity[i]] >= 0) {
            next[m->node_of[m->connectivity[i]] + 1]++;
            used++;
        }
    for (int k = 0; k < surface->node_count; k++)
        next[k + 1] += next[k];
    surface->around = carom_allocate(used, sizeof *surface->around);
    if (!surface->around)
        return no_memory(error);
    for (int c = 0; c < m->frame->cell_count; c++)
        for (int64_t i = begin_of(m, c); i < m->ends[c]; i++)
            if (m->node_of[m->connectivity[i]] >= 0)
                surface->around[next[m->node_of[m->connectivity[i]]]++] = c;
    return CAROM_OK;
}

// The solid cells of each body, from which the page computes sections; wedges are written as hexahedra.
static carom_status make_solids(maker *m, carom_error *error) {
    carom_cell_surface *surface = m->surface;
    int total[2] = {0};
    for (int c = 0; c < m->frame->cell_count; c++)
        if (dimension_of(m->types[c]) == 3)
            surface->bodies[m->body[c]].solid_count[m->types[c] != VTK_TETRA]++;
    for (int b = 0; b < surface->body_count; b++)
        for (int kind = 0; kind < 2; kind++) {
            surface->bodies[b].solid_begin[kind] = total[kind];
            total[kind] += surface->bodies[b].solid_count[kind];
            surface->bodies[b].solid_count[kind] = 0;
        }
    surface->solids[0] = carom_allocate(4 * (int64_t)total[0], sizeof *surface->solids[0]);
    surface->solids[1] = carom_allocate(8 * (int64_t)total[1], sizeof *surface->solids[1]);
    if (!surface->solids[0] || !surface->solids[1])
        return no_memory(error);
    for (int c = 0; c < m->frame->cell_count; c++) {
        if (dimension_of(m->types[c]) != 3)
            continue;
        bool wedge = m->types[c] == VTK_WEDGE;
        int kind = m->types[c] != VTK_TETRA, size = kind ? 8 : 4;
        carom_cell_surface_body *body = &surface->bodies[m->body[c]];
        int *cell = &surface->solids[kind][(int64_t)size * (body->solid_begin[kind] + body->solid_count[kind]++)];
        for (int i = 0; i < size; i++)
            cell[i] = m->node_of[m->connectivity[begin_of(m, c) + (wedge ? carom_wedge_as_hex[i] : i)]];
    }
    return CAROM_OK;
}

// Each stage relies on the ones before; after a failure the surface is released and empty.
carom_status carom_cell_surface_create(const carom_vtu_file *frame, carom_cell_surface *surface, carom_error *error) {
    static carom_status (*const stages[])(maker * m, carom_error * error) = {
        load, classify, collect_facets, number_nodes, make_cells, make_edges, make_solids, find_around};
    *surface = (carom_cell_surface){.point_count = frame->point_count, .cell_count = frame->cell_count};
    maker m = {.frame = frame, .surface = surface};
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < sizeof stages / sizeof *stages && !status; i++)
        status = stages[i](&m, error);
    free(m.connectivity);
    free(m.ends);
    free(m.types);
    free(m.body);
    free(m.facets);
    free(m.point_body);
    free(m.node_of);
    if (status)
        carom_cell_surface_release(surface);
    return status;
}

void carom_cell_surface_release(carom_cell_surface *surface) {
    free(surface->bodies);
    free(surface->points);
    free(surface->cells);
    free(surface->edges);
    free(surface->solids[0]);
    free(surface->solids[1]);
    free(surface->around_begin);
    free(surface->around);
    *surface = (carom_cell_surface){0};
}

void carom_cell_surface_hollow(carom_cell_surface *surface) {
    surface->node_count = surface->shown_count;
    for (int b = 0; b < surface->body_count; b++)
        surface->bodies[b].inner_count = surface->bodies[b].solid_count[0] = surface->bodies[b].solid_count[1] = 0;
}
