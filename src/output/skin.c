// SPDX-License-Identifier: MIT
// Cells of the frame become faces (of at most four nodes), fans (polygons), lines or points. Each body shows the highest kind that it has:
// a beam that brings its outline shows that and not its axis.
#include "output/skin.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/mesh.h"
#include "mesh/topology.h"

enum { VTK_VERTEX = 1, VTK_LINE = 3, VTK_TRIANGLE = 5, VTK_POLYGON = 7, VTK_QUAD = 9, VTK_TETRA = 10, VTK_HEXAHEDRON = 12 };

// The grid of a frame, and what is made of it.
typedef struct maker {
    const carom_vtu_file *frame;
    int64_t *connectivity, *ends;
    uint8_t *types;
    int32_t *body;
    int facet_count;
    carom_facet *facets; // `cell` is the cell of the frame
    int *point_body;     // the body that shows a point, -1: none does
    int *node_of;        // the node of each point, -1: none
    carom_skin *skin;
} maker;

static int dimension_of(int type) {
    switch (type) {
    case VTK_VERTEX: return 0;
    case VTK_LINE: return 1;
    case VTK_TRIANGLE:
    case VTK_POLYGON:
    case VTK_QUAD: return 2;
    case VTK_TETRA:
    case VTK_HEXAHEDRON: return 3;
    default: return -1;
    }
}

// Nodes that a cell of that type must have; 0: any number from 3 on.
static int size_of(int type) {
    static const int sizes[] = {
        [VTK_VERTEX] = 1, [VTK_LINE] = 2, [VTK_TRIANGLE] = 3, [VTK_QUAD] = 4, [VTK_TETRA] = 4, [VTK_HEXAHEDRON] = 8};
    return sizes[type];
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
        return carom_fail(error, CAROM_BAD_INPUT, "%s has no cells that can be read", f->path);
    // the file must be long enough for what its head promises, before memory is asked for
    if (carom_vtu_count(f, carom_vtu_find(f, CAROM_VTU_POINTS, "position")) != 3 * (int64_t)f->point_count ||
        carom_vtu_count(f, carom_vtu_find(f, CAROM_VTU_CELLS, "offsets")) != f->cell_count)
        return carom_fail(error, CAROM_BAD_INPUT, "%s does not have the points and cells that its head promises", f->path);
    m->connectivity = carom_allocate(count, sizeof *m->connectivity);
    m->ends = carom_allocate(f->cell_count, sizeof *m->ends);
    m->types = carom_allocate(f->cell_count, sizeof *m->types);
    m->body = carom_allocate(f->cell_count, sizeof *m->body);
    if (!m->connectivity || !m->ends || !m->types || !m->body)
        return no_memory(error);
    carom_status status = carom_vtu_read(f, connectivity, "connectivity", "Int64", count, m->connectivity, error);
    if (!status)
        status =
            carom_vtu_read(f, carom_vtu_find(f, CAROM_VTU_CELLS, "offsets"), "offsets", "Int64", f->cell_count, m->ends, error);
    if (!status)
        status =
            carom_vtu_read(f, carom_vtu_find(f, CAROM_VTU_CELLS, "types"), "types", "UInt8", f->cell_count, m->types, error);
    if (!status)
        status =
            carom_vtu_read(f, carom_vtu_find(f, CAROM_VTU_CELL_DATA, "body"), "body", "Int32", f->cell_count, m->body, error);
    if (status)
        return status;

    // all numbers must be ones that can be used
    int64_t begin = 0;
    for (int c = 0; c < f->cell_count; c++) {
        int dimension = dimension_of(m->types[c]);
        int64_t end = m->ends[c], size = end - begin;
        bool good = dimension >= 0 && end >= begin && end <= count && m->body[c] >= 0 && m->body[c] < f->cell_count;
        good = good && (m->types[c] == VTK_POLYGON ? size >= 3 : size == size_of(m->types[c]));
        for (int64_t i = begin; good && i < end; i++)
            good = m->connectivity[i] >= 0 && m->connectivity[i] < f->point_count;
        if (!good)
            return carom_fail(error, CAROM_BAD_INPUT, "%s: cell %d makes no sense", f->path, c);
        if (m->body[c] >= m->skin->body_count)
            m->skin->body_count = m->body[c] + 1;
        begin = end;
    }
    return CAROM_OK;
}

// Which kinds of cells the bodies have decides how they are shown.
static carom_status classify(maker *m, carom_error *error) {
    carom_skin *skin = m->skin;
    skin->bodies = carom_allocate(skin->body_count, sizeof *skin->bodies);
    bool(*has)[4] = carom_allocate(skin->body_count, sizeof *has);
    if (!skin->bodies || !has) {
        free(has);
        return no_memory(error);
    }
    for (int c = 0; c < m->frame->cell_count; c++)
        has[m->body[c]][dimension_of(m->types[c])] = true;
    for (int b = 0; b < skin->body_count; b++) {
        carom_skin_body *body = &skin->bodies[b];
        body->dimension = has[b][3] ? 3 : has[b][1] ? 1 : has[b][2] ? 2 : 0;
        body->shape = has[b][3] || has[b][2] ? CAROM_SKIN_TRIANGLES : has[b][1] ? CAROM_SKIN_LINES : CAROM_SKIN_POINTS;
    }
    free(has);
    return CAROM_OK;
}

// The faces of solids that belong to one cell only.
static carom_status find_solid_faces(maker *m, carom_facet **facets, int *count, carom_error *error) {
    int counts[2] = {0}, *cells[2] = {NULL};
    *facets = NULL;
    *count = 0;
    for (int c = 0; c < m->frame->cell_count; c++)
        if (dimension_of(m->types[c]) == 3)
            counts[m->types[c] == VTK_HEXAHEDRON]++;
    if (counts[0] + counts[1] == 0)
        return CAROM_OK;
    carom_mesh mesh = {0};
    carom_status status = carom_mesh_allocate(&mesh, m->frame->point_count, CAROM_CELL_TET4, counts[0], error);
    if (!status)
        status = carom_mesh_add_block(&mesh, CAROM_CELL_HEX8, counts[1], error);
    cells[0] = carom_allocate(counts[0], sizeof *cells[0]);
    cells[1] = carom_allocate(counts[1], sizeof *cells[1]);
    if (!status && (!cells[0] || !cells[1]))
        status = no_memory(error);
    int filled[2] = {0};
    for (int c = 0; !status && c < m->frame->cell_count; c++) {
        if (dimension_of(m->types[c]) != 3)
            continue;
        int block = m->types[c] == VTK_HEXAHEDRON, size = size_of(m->types[c]);
        for (int i = 0; i < size; i++)
            mesh.blocks[block].nodes[(int64_t)filled[block] * size + i] = (int)m->connectivity[begin_of(m, c) + i];
        cells[block][filled[block]++] = c;
    }
    if (!status)
        status = carom_mesh_surface(&mesh, facets, count, error);
    for (int i = 0; !status && i < *count; i++)
        (*facets)[i].cell = cells[(*facets)[i].block][(*facets)[i].cell];
    free(cells[0]);
    free(cells[1]);
    carom_mesh_release(&mesh);
    return status;
}

// True if a plane cell is shown as it is; those of solids are not.
static bool is_face(const maker *m, int cell) {
    return dimension_of(m->types[cell]) == 2 && m->skin->bodies[m->body[cell]].dimension != 3;
}

// All faces of at most four nodes.
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

// Whether a cell of the frame is itself shown: a line or point of a body that has nothing better.
static bool is_shown(const maker *m, int cell) {
    carom_skin_shape shape = m->skin->bodies[m->body[cell]].shape;
    int dimension = dimension_of(m->types[cell]);
    return (shape == CAROM_SKIN_LINES && dimension == 1) || (shape == CAROM_SKIN_POINTS && dimension == 0);
}

static bool is_fan(const maker *m, int cell) {
    return is_face(m, cell) && m->types[cell] == VTK_POLYGON;
}

static void claim(maker *m, int body, int64_t point) {
    m->point_body[point] = body;
}

// Numbers the points that are shown, body after body.
static carom_status number_nodes(maker *m, carom_error *error) {
    carom_skin *skin = m->skin;
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
            skin->bodies[m->point_body[k]].node_count++;
    for (int b = 0; b < skin->body_count; b++) {
        skin->bodies[b].node_begin = skin->node_count;
        skin->node_count += skin->bodies[b].node_count;
        skin->bodies[b].node_count = 0;
    }
    skin->points = carom_allocate(skin->node_count, sizeof *skin->points);
    if (!skin->points)
        return no_memory(error);
    for (int k = 0; k < points; k++) {
        if (m->point_body[k] < 0)
            continue;
        carom_skin_body *body = &skin->bodies[m->point_body[k]];
        m->node_of[k] = body->node_begin + body->node_count++;
        skin->points[m->node_of[k]] = k;
    }
    return CAROM_OK;
}

// Where the next cell of a body goes; counts it.
static int *next_cell(carom_skin *skin, carom_skin_body *body, int size) {
    return &skin->cells[body->place + (int64_t)size * body->cell_count++];
}

static void put_triangle(maker *m, int body, int64_t a, int64_t b, int64_t c) {
    int *cell = next_cell(m->skin, &m->skin->bodies[body], 3);
    cell[0] = m->node_of[a];
    cell[1] = m->node_of[b];
    cell[2] = m->node_of[c];
}

static int triangles_of(const carom_facet *facet) {
    return carom_facet_size(facet->nodes) - 2;
}

// Counts the cells of each body, which become places.
static carom_status place_cells(maker *m, carom_error *error) {
    carom_skin *skin = m->skin;
    int64_t *counts = carom_allocate(skin->body_count, sizeof *counts), place = 0, begin = 0;
    if (!counts)
        return no_memory(error);
    for (int f = 0; f < m->facet_count; f++)
        counts[m->body[m->facets[f].cell]] += triangles_of(&m->facets[f]);
    for (int c = 0; c < m->frame->cell_count; c++)
        counts[m->body[c]] += is_fan(m, c) ? m->ends[c] - begin_of(m, c) - 2 : is_shown(m, c);
    for (int b = 0; b < skin->body_count; b++) {
        skin->bodies[b].place = place;
        skin->bodies[b].cell_begin = (int)begin;
        begin += counts[b];
        place += counts[b] * ((int)skin->bodies[b].shape + 1);
    }
    free(counts);
    if (begin > INT_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "the bodies have more faces than a page can hold");
    skin->cells = carom_allocate(place, sizeof *skin->cells);
    return skin->cells ? CAROM_OK : no_memory(error);
}

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
        int *cell = next_cell(m->skin, &m->skin->bodies[m->body[c]], (int)size);
        for (int64_t i = 0; i < size; i++)
            cell[i] = m->node_of[n[i]];
    }
    return CAROM_OK;
}

// A side of a face, its smaller node first.
typedef struct side {
    int low, high, face;
} side;

static int compare_sides(const void *a_, const void *b_) {
    const side *a = a_, *b = b_;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return a->face < b->face ? -1 : a->face > b->face;
}

// The sides of all faces, each once; returns how many, -1 if memory is short.
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

// Sides of faces, each once. Fans close what other faces bound.
static carom_status make_edges(maker *m, carom_error *error) {
    carom_skin *skin = m->skin;
    side *sides = NULL;
    int count = find_sides(m, &sides), total = 0;
    for (int e = 0; e < count; e++)
        skin->bodies[m->body[m->facets[sides[e].face].cell]].edge_count++;
    for (int b = 0; b < skin->body_count; b++) {
        skin->bodies[b].edge_begin = total;
        total += skin->bodies[b].edge_count;
        skin->bodies[b].edge_count = 0;
    }
    skin->edges = carom_allocate(total, sizeof *skin->edges);
    for (int e = 0; skin->edges && e < count; e++) {
        carom_skin_body *body = &skin->bodies[m->body[m->facets[sides[e].face].cell]];
        int *edge = skin->edges[body->edge_begin + body->edge_count++];
        edge[0] = m->node_of[sides[e].low];
        edge[1] = m->node_of[sides[e].high];
    }
    free(sides);
    return skin->edges && count >= 0 ? CAROM_OK : no_memory(error);
}

static carom_status find_around(maker *m, carom_error *error) {
    carom_skin *skin = m->skin;
    int64_t total = m->frame->cell_count ? m->ends[m->frame->cell_count - 1] : 0, used = 0;
    skin->around_begin = carom_allocate((int64_t)skin->node_count + 2, sizeof *skin->around_begin);
    if (!skin->around_begin)
        return no_memory(error);
    // counted one place ahead, so that filling leaves the begins behind
    int64_t *next = skin->around_begin + 1;
    for (int64_t i = 0; i < total; i++)
        if (m->node_of[m->connectivity[i]] >= 0) {
            next[m->node_of[m->connectivity[i]] + 1]++;
            used++;
        }
    for (int k = 0; k < skin->node_count; k++)
        next[k + 1] += next[k];
    skin->around = carom_allocate(used, sizeof *skin->around);
    if (!skin->around)
        return no_memory(error);
    for (int c = 0; c < m->frame->cell_count; c++)
        for (int64_t i = begin_of(m, c); i < m->ends[c]; i++)
            if (m->node_of[m->connectivity[i]] >= 0)
                skin->around[next[m->node_of[m->connectivity[i]]]++] = c;
    return CAROM_OK;
}

carom_status carom_skin_create(const carom_vtu_file *frame, carom_skin *skin, carom_error *error) {
    *skin = (carom_skin){.point_count = frame->point_count, .cell_count = frame->cell_count};
    maker m = {.frame = frame, .skin = skin};
    carom_status status = load(&m, error);
    if (!status)
        status = classify(&m, error);
    if (!status)
        status = collect_facets(&m, error);
    if (!status)
        status = number_nodes(&m, error);
    if (!status)
        status = make_cells(&m, error);
    if (!status)
        status = make_edges(&m, error);
    if (!status)
        status = find_around(&m, error);
    free(m.connectivity);
    free(m.ends);
    free(m.types);
    free(m.body);
    free(m.facets);
    free(m.point_body);
    free(m.node_of);
    if (status)
        carom_skin_release(skin);
    return status;
}

void carom_skin_release(carom_skin *skin) {
    free(skin->bodies);
    free(skin->points);
    free(skin->cells);
    free(skin->edges);
    free(skin->around_begin);
    free(skin->around);
    *skin = (carom_skin){0};
}
