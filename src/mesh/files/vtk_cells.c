// SPDX-License-Identifier: MIT
// Cells of VTK's formats, by the numbers of vtkCellType. Cells of higher order are reduced to their corners, which come
// first; strips and polygons are cut into triangles.
#include "mesh/files/vtk_cells.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/files/polygon.h"

typedef enum vtk_type {
    VTK_VERTEX = 1,
    VTK_POLY_VERTEX,
    VTK_LINE,
    VTK_POLY_LINE,
    VTK_TRIANGLE,
    VTK_TRIANGLE_STRIP,
    VTK_POLYGON,
    VTK_PIXEL,
    VTK_QUAD,
    VTK_TETRA,
    VTK_VOXEL,
    VTK_HEXAHEDRON,
    VTK_WEDGE,
    VTK_PYRAMID,
    VTK_QUADRATIC_EDGE = 21,
    VTK_QUADRATIC_TRIANGLE,
    VTK_QUADRATIC_QUAD,
    VTK_QUADRATIC_TETRA,
    VTK_QUADRATIC_HEXAHEDRON,
    VTK_QUADRATIC_WEDGE,
    VTK_QUADRATIC_PYRAMID,
    VTK_BIQUADRATIC_QUAD,
    VTK_TRIQUADRATIC_HEXAHEDRON,
    VTK_QUADRATIC_LINEAR_WEDGE = 31,
    VTK_BIQUADRATIC_QUADRATIC_WEDGE,
    VTK_BIQUADRATIC_TRIANGLE = 34,
    VTK_TRIQUADRATIC_PYRAMID = 37,
    VTK_LAGRANGE_CURVE = 68,
    VTK_LAGRANGE_TRIANGLE,
    VTK_LAGRANGE_QUAD,
    VTK_LAGRANGE_TETRA,
    VTK_LAGRANGE_HEXAHEDRON,
    VTK_LAGRANGE_WEDGE,
    VTK_LAGRANGE_PYRAMID,
} vtk_type;

void carom_vtk_cells_release(carom_vtk_cells *cells) {
    free(cells->points);
    free(cells->ends);
    free(cells->types);
    *cells = (carom_vtk_cells){0};
}

// Room for one more item, by half as much again.
static void *grow(void *array, int64_t count, int64_t *capacity, size_t size) {
    if (count < *capacity)
        return array;
    int64_t larger = count + count / 2 + 16;
    void *moved = realloc(array, (size_t)larger * size);
    if (moved)
        *capacity = larger;
    return moved;
}

bool carom_vtk_cells_add_point(carom_reader *reader, carom_vtk_cells *cells, int64_t point) {
    int *moved = grow(cells->points, cells->point_count, &cells->point_capacity, sizeof *moved);
    if (!moved)
        return carom_scan_no_memory(&reader->scan);
    cells->points = moved;
    // Numbers that cannot be points are stored as -1, and refused with the cell that has them.
    cells->points[cells->point_count++] = point < 0 || point > INT_MAX ? -1 : (int)point;
    return true;
}

bool carom_vtk_cells_add_end(carom_reader *reader, carom_vtk_cells *cells, int64_t end) {
    int *moved = grow(cells->ends, cells->count, &cells->capacity, sizeof *moved);
    if (!moved)
        return carom_scan_no_memory(&reader->scan);
    cells->ends = moved;
    // An end that is no index becomes -1 and fails the check of rising ends below.
    cells->ends[cells->count++] = end < 0 || end > INT_MAX ? -1 : (int)end;
    return true;
}

bool carom_vtk_cells_add_type(carom_reader *reader, carom_vtk_cells *cells, int64_t type) {
    unsigned char *moved = grow(cells->types, cells->type_count, &cells->type_capacity, 1);
    if (!moved)
        return carom_scan_no_memory(&reader->scan);
    cells->types = moved;
    // Types are bytes; a number beyond them becomes 0, the empty cell, which may have no points.
    cells->types[cells->type_count++] = type < 0 || type > UCHAR_MAX ? 0 : (unsigned char)type;
    return true;
}

static bool add_cell(carom_reader *reader, carom_draft_type type, const int *points, int64_t first) {
    int *nodes = carom_reader_cell(reader, type);
    for (int i = 0; nodes && i < carom_draft_size(type); i++)
        nodes[i] = (int)(points[i] + first);
    return nodes;
}

// Keeps the corners of a cell of higher order; its other points are extra nodes.
static bool reduce(carom_reader *reader, carom_draft_type type, const int *points, int64_t size, int64_t first) {
    reader->draft.blocks[type].reduced++;
    // Corners come first in all of VTK's types of higher order.
    for (int64_t i = carom_draft_size(type); i < size; i++)
        if (!carom_reader_extra_node(reader, (int)(points[i] + first)))
            return false;
    return add_cell(reader, type, points, first);
}

// carom_reader_polygon takes node indices, which begin at `first` in a later piece.
static bool add_polygon(carom_reader *reader, const int *points, int64_t size, int64_t first) {
    int *corners = carom_allocate(size, sizeof *corners);
    if (!corners)
        return carom_scan_no_memory(&reader->scan);
    for (int64_t i = 0; i < size; i++)
        corners[i] = (int)(points[i] + first);
    // Quadrilaterals stay whole, larger polygons are cut into triangles.
    bool good = carom_reader_polygon(reader, corners, size);
    free(corners);
    return good;
}

// The least number of points of a cell of this type; 0 if carom has no cell for it.
static int least_points(int type) {
    switch (type) {
    case VTK_VERTEX:
    case VTK_POLY_VERTEX: return 1;
    case VTK_LINE:
    case VTK_POLY_LINE:
    // The lowest order decides: a Lagrange cell has at least its corners.
    case VTK_LAGRANGE_CURVE: return 2;
    case VTK_QUADRATIC_EDGE:
    case VTK_TRIANGLE:
    case VTK_TRIANGLE_STRIP:
    case VTK_POLYGON:
    case VTK_LAGRANGE_TRIANGLE: return 3;
    case VTK_PIXEL:
    case VTK_QUAD:
    case VTK_TETRA:
    case VTK_LAGRANGE_QUAD:
    case VTK_LAGRANGE_TETRA: return 4;
    case VTK_PYRAMID:
    case VTK_LAGRANGE_PYRAMID: return 5;
    case VTK_WEDGE:
    case VTK_LAGRANGE_WEDGE:
    case VTK_QUADRATIC_TRIANGLE: return 6;
    // Corners, middles of the sides, and the centre.
    case VTK_BIQUADRATIC_TRIANGLE: return 7;
    case VTK_VOXEL:
    case VTK_HEXAHEDRON:
    case VTK_QUADRATIC_QUAD:
    case VTK_LAGRANGE_HEXAHEDRON: return 8;
    case VTK_BIQUADRATIC_QUAD: return 9;
    case VTK_QUADRATIC_TETRA: return 10;
    case VTK_QUADRATIC_LINEAR_WEDGE: return 12;
    case VTK_QUADRATIC_PYRAMID: return 13;
    case VTK_QUADRATIC_WEDGE: return 15;
    case VTK_BIQUADRATIC_QUADRATIC_WEDGE: return 18;
    case VTK_TRIQUADRATIC_PYRAMID: return 19;
    case VTK_QUADRATIC_HEXAHEDRON: return 20;
    // All points of a lattice of three along each axis.
    case VTK_TRIQUADRATIC_HEXAHEDRON: return 27;
    }
    return 0;
}

// Pixels and voxels count their corners row by row, quadrilaterals and hexahedra around.
static bool draft_cell(carom_reader *reader, int type, const int *p, int64_t size, int64_t first) {
    switch (type) {
    case VTK_VERTEX:
    case VTK_POLY_VERTEX:
        for (int64_t i = 0; i < size; i++)
            if (!add_cell(reader, CAROM_CELL_POINT, p + i, first))
                return false;
        return true;
    case VTK_LINE:
    case VTK_POLY_LINE:
        // A line of n points has n - 1 segments; VTK_LINE is the case n = 2.
        for (int64_t i = 0; i + 1 < size; i++)
            if (!add_cell(reader, CAROM_CELL_LINE2, p + i, first))
                return false;
        return true;
    case VTK_TRIANGLE: return add_cell(reader, CAROM_CELL_TRI3, p, first);
    case VTK_TRIANGLE_STRIP:
        // Every second triangle of a strip runs the other way round.
        for (int64_t i = 0; i + 2 < size; i++)
            if (!add_cell(reader, CAROM_CELL_TRI3, (const int[]){p[i + i % 2], p[i + 1 - i % 2], p[i + 2]}, first))
                return false;
        return true;
    case VTK_POLYGON: return add_polygon(reader, p, size, first);
    // Row by row: the last two corners change places.
    case VTK_PIXEL: return add_cell(reader, CAROM_CELL_QUAD4, (const int[]){p[0], p[1], p[3], p[2]}, first);
    case VTK_QUAD: return add_cell(reader, CAROM_CELL_QUAD4, p, first);
    case VTK_TETRA: return add_cell(reader, CAROM_CELL_TET4, p, first);
    case VTK_VOXEL:
        return add_cell(reader, CAROM_CELL_HEX8, (const int[]){p[0], p[1], p[3], p[2], p[4], p[5], p[7], p[6]}, first);
    case VTK_HEXAHEDRON: return add_cell(reader, CAROM_CELL_HEX8, p, first);
    case VTK_WEDGE: return add_cell(reader, CAROM_DRAFT_PRISM, p, first);
    case VTK_PYRAMID: return add_cell(reader, CAROM_DRAFT_PYRAMID, p, first);
    case VTK_QUADRATIC_EDGE:
    case VTK_LAGRANGE_CURVE: return reduce(reader, CAROM_CELL_LINE2, p, size, first);
    case VTK_QUADRATIC_TRIANGLE:
    case VTK_BIQUADRATIC_TRIANGLE:
    case VTK_LAGRANGE_TRIANGLE: return reduce(reader, CAROM_CELL_TRI3, p, size, first);
    case VTK_QUADRATIC_QUAD:
    case VTK_BIQUADRATIC_QUAD:
    case VTK_LAGRANGE_QUAD: return reduce(reader, CAROM_CELL_QUAD4, p, size, first);
    case VTK_QUADRATIC_TETRA:
    case VTK_LAGRANGE_TETRA: return reduce(reader, CAROM_CELL_TET4, p, size, first);
    case VTK_QUADRATIC_WEDGE:
    case VTK_QUADRATIC_LINEAR_WEDGE:
    case VTK_BIQUADRATIC_QUADRATIC_WEDGE:
    case VTK_LAGRANGE_WEDGE: return reduce(reader, CAROM_DRAFT_PRISM, p, size, first);
    case VTK_QUADRATIC_PYRAMID:
    case VTK_TRIQUADRATIC_PYRAMID:
    case VTK_LAGRANGE_PYRAMID: return reduce(reader, CAROM_DRAFT_PYRAMID, p, size, first);
    // What least_points admits and no case above takes: hexahedra of higher order.
    default: return reduce(reader, CAROM_CELL_HEX8, p, size, first);
    }
}

// Lagrange cells have any order.
static bool has_fixed_size(int type) {
    return type != VTK_POLY_VERTEX && type != VTK_POLY_LINE && type != VTK_TRIANGLE_STRIP && type != VTK_POLYGON &&
           type < VTK_LAGRANGE_CURVE;
}

// Names of shapes for messages.
static const char *shape_of(int type) {
    switch (type) {
    case 15: return " (pentagonal prism)";
    case 16: return " (hexagonal prism)";
    case 41:
    case 42: return " (polyhedron)";
    default: return "";
    }
}

// Everything is checked here, when all arrays of a grid are known, since they may come in any order.
bool carom_vtk_cells_draft(carom_reader *reader, const carom_vtk_cells *cells, int64_t first, const unsigned char *place) {
    carom_scan *scan = &reader->scan;
    // Points of a later piece are numbered from its own first node.
    int64_t nodes = reader->draft.node_count - first, begin = 0;
    bool numbered = cells->ids;
    if (cells->type_count != cells->count)
        return carom_scan_fail(scan, place, "%lld cells, but %lld types of cells", (long long)cells->count,
                               (long long)cells->type_count);
    for (int64_t c = 0; c < cells->count; c++) {
        // Sizes are checked before any point is read through them.
        int type = cells->types[c], least = least_points(type);
        int64_t end = cells->ends[c], size = end - begin;
        // Ends rise and stay within the connectivity, so every cell lies within it.
        if (end < begin || end > cells->point_count)
            return carom_scan_fail(scan, place, "cell %lld ends at %lld, expected %lld to %lld", (long long)c, (long long)end,
                                   (long long)begin, (long long)cells->point_count);
        if (type != 0 && least == 0)
            return carom_scan_fail(scan, place, "cell %lld has VTK type %d%s, for which carom has no cell", (long long)c, type,
                                   shape_of(type));
        // VTK_EMPTY_CELL.
        if (type == 0 && size == 0)
            continue;
        // Lagrange cells, lines, strips and polygons have at least `least` points, all others exactly so many.
        if (type == 0 || size < least || (has_fixed_size(type) && size != least))
            return carom_scan_fail(scan, place, "cell %lld has VTK type %d and %lld points, expected %d", (long long)c, type,
                                   (long long)size, least);
        for (int64_t i = begin; i < end; i++)
            // Points are checked within their cell, so that the message can name it.
            if (cells->points[i] < 0 || cells->points[i] >= nodes)
                return carom_scan_fail(scan, place, "cell %lld has point %d, which is not one of the %lld points (from 0)",
                                       (long long)c, cells->points[i], (long long)nodes);
        // Counts before the cell tell afterwards which types it became.
        int64_t before[CAROM_DRAFT_TYPE_COUNT];
        for (int t = 0; t < CAROM_DRAFT_TYPE_COUNT; t++)
            before[t] = reader->draft.blocks[t].count;
        if (!draft_cell(reader, type, cells->points + begin, size, first))
            return false;
        for (int t = 0; numbered && t < CAROM_DRAFT_TYPE_COUNT; t++) {
            int64_t more = reader->draft.blocks[t].count - before[t];
            // A cell that becomes several cannot pass its id on.
            numbered = more <= 1;
            if (more == 1 && !carom_reader_cell_id(reader, (carom_draft_type)t, cells->ids[c]))
                return false;
        }
        begin = end;
    }
    // Ids are kept for all cells or for none.
    for (int t = 0; !numbered && t < CAROM_DRAFT_TYPE_COUNT; t++) {
        free(reader->draft.blocks[t].ids);
        reader->draft.blocks[t].ids = NULL;
        reader->draft.blocks[t].id_capacity = 0;
    }
    return true;
}
