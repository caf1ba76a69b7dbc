// SPDX-License-Identifier: MIT
// Cells of VTK's formats, by the numbers of vtkCellType. Cells of higher order are reduced to their corners, which come
// first; strips and polygons are cut into triangles.
#include "mesh/files/vtk_cells.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/files/polygon.h"

// vtkCellType of cells that are more than their corners.
enum { VTK_POLY_VERTEX = 2, VTK_POLY_LINE = 4, VTK_TRIANGLE_STRIP = 6, VTK_POLYGON = 7, VTK_LAGRANGE_CURVE = 68 };

// For each type: the least number of points, which is the exact one except for Lagrange cells, lines, strips and polygons; the
// cell that it becomes; whether it is of higher order, even if it has only corners; the order of its corners if they are not
// the first points.
static const struct {
    int points; // 0: carom has no cell for it
    carom_draft_type cell;
    bool higher;
    const int *corners;
} shapes[] = {
    [1] = {1, CAROM_CELL_POINT},
    [VTK_POLY_VERTEX] = {1, CAROM_CELL_POINT},
    [3] = {2, CAROM_CELL_LINE2},
    [VTK_POLY_LINE] = {2, CAROM_CELL_LINE2},
    [5] = {3, CAROM_CELL_TRI3},
    [VTK_TRIANGLE_STRIP] = {3, CAROM_CELL_TRI3},
    [VTK_POLYGON] = {3, CAROM_CELL_TRI3},
    // Pixels and voxels count their corners row by row, quadrilaterals and hexahedra around.
    [8] = {4, CAROM_CELL_QUAD4, false, (const int[]){0, 1, 3, 2}},
    [9] = {4, CAROM_CELL_QUAD4},
    [10] = {4, CAROM_CELL_TET4},
    [11] = {8, CAROM_CELL_HEX8, false, (const int[]){0, 1, 3, 2, 4, 5, 7, 6}},
    [12] = {8, CAROM_CELL_HEX8},
    [13] = {6, CAROM_DRAFT_PRISM},
    [14] = {5, CAROM_DRAFT_PYRAMID},
    [21] = {3, CAROM_CELL_LINE2, true},
    [22] = {6, CAROM_CELL_TRI3, true},
    [23] = {8, CAROM_CELL_QUAD4, true},
    [24] = {10, CAROM_CELL_TET4, true},
    [25] = {20, CAROM_CELL_HEX8, true},
    [26] = {15, CAROM_DRAFT_PRISM, true},
    [27] = {13, CAROM_DRAFT_PYRAMID, true},
    [28] = {9, CAROM_CELL_QUAD4, true},
    [29] = {27, CAROM_CELL_HEX8, true},
    [31] = {12, CAROM_DRAFT_PRISM, true},
    [32] = {18, CAROM_DRAFT_PRISM, true},
    [34] = {7, CAROM_CELL_TRI3, true},
    [37] = {19, CAROM_DRAFT_PYRAMID, true},
    [VTK_LAGRANGE_CURVE] = {2, CAROM_CELL_LINE2, true},
    [69] = {3, CAROM_CELL_TRI3, true},
    [70] = {4, CAROM_CELL_QUAD4, true},
    [71] = {4, CAROM_CELL_TET4, true},
    [72] = {8, CAROM_CELL_HEX8, true},
    [73] = {6, CAROM_DRAFT_PRISM, true},
    [74] = {5, CAROM_DRAFT_PYRAMID, true},
};

enum { SHAPES = sizeof shapes / sizeof *shapes };

void carom_vtk_cells_release(carom_vtk_cells *cells) {
    free(cells->points.items);
    free(cells->ends.items);
    free(cells->types.items);
    *cells = (carom_vtk_cells){0};
}

bool carom_vtk_cells_add(carom_reader *reader, carom_vtk_numbers *list, int64_t number) {
    if (!carom_reader_grow(reader, (void **)&list->items, list->count, &list->capacity, sizeof *list->items))
        return false;
    list->items[list->count++] = number < 0 || number > INT_MAX ? -1 : (int)number;
    return true;
}

// Node indices begin at `first` in a later piece; `nodes` are those of the cell.
static bool draft_cell(carom_reader *reader, int type, const int *nodes, int size) {
    carom_draft_type cell = shapes[type].cell;
    bool good = true;
    switch (type) {
    case VTK_POLY_VERTEX:
    case VTK_POLY_LINE:
        // A line of n points has n - 1 segments.
        for (int i = 0; good && i + carom_draft_size(cell) <= size; i++)
            good = carom_reader_reduce(reader, cell, nodes + i, carom_draft_size(cell), NULL);
        return good;
    case VTK_TRIANGLE_STRIP:
        // Every second triangle of a strip has the opposite orientation.
        for (int i = 0; good && i + 2 < size; i++)
            good =
                carom_reader_reduce(reader, cell, (const int[]){nodes[i + i % 2], nodes[i + 1 - i % 2], nodes[i + 2]}, 3, NULL);
        return good;
    // Quadrilaterals stay whole, larger polygons are cut into triangles.
    case VTK_POLYGON: return carom_reader_polygon(reader, nodes, size);
    }
    // A Lagrange cell of first order counts as reduced as well.
    reader->draft.blocks[cell].reduced += shapes[type].higher && size == carom_draft_size(cell);
    return carom_reader_reduce(reader, cell, nodes, size, shapes[type].corners);
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

// Everything is checked here, when all arrays of a grid have been read, since they may come in any order.
bool carom_vtk_cells_draft(carom_reader *reader, const carom_vtk_cells *cells, int64_t first, const unsigned char *place) {
    carom_scan *scan = &reader->scan;
    // Points of a later piece are numbered from its own first node.
    int64_t nodes = reader->draft.node_count - first, begin = 0;
    bool numbered = cells->ids;
    if (cells->types.count != cells->ends.count)
        return carom_scan_fail(scan, place, "%lld cells, but %lld types of cells", (long long)cells->ends.count,
                               (long long)cells->types.count);
    for (int64_t c = 0; c < cells->ends.count; c++) {
        // Sizes are checked before any point is read through them.
        // Types are bytes; a number beyond them is that of the empty cell, which may have no points.
        int type = cells->types.items[c] < 0 || cells->types.items[c] > UCHAR_MAX ? 0 : cells->types.items[c];
        int least = type < SHAPES ? shapes[type].points : 0;
        int64_t end = cells->ends.items[c], size = end - begin;
        // Ends rise and stay within the connectivity, so every cell lies within it.
        if (end < begin || end > cells->points.count)
            return carom_scan_fail(scan, place, "cell %lld ends at %lld, expected %lld to %lld", (long long)c, (long long)end,
                                   (long long)begin, (long long)cells->points.count);
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
            if (cells->points.items[i] < 0 || cells->points.items[i] >= nodes)
                return carom_scan_fail(scan, place, "cell %lld has point %d, which is not one of the %lld points (from 0)",
                                       (long long)c, cells->points.items[i], (long long)nodes);
        // Counts before the cell show afterwards which types it became.
        int64_t before[CAROM_DRAFT_TYPE_COUNT];
        for (int t = 0; t < CAROM_DRAFT_TYPE_COUNT; t++)
            before[t] = reader->draft.blocks[t].count;
        int stack_buffer[32], *moved = size <= 32 ? stack_buffer : carom_allocate(size, sizeof *moved);
        for (int64_t i = 0; moved && i < size; i++)
            moved[i] = (int)(cells->points.items[begin + i] + first);
        bool good = moved ? draft_cell(reader, type, moved, (int)size) : carom_scan_no_memory(scan);
        if (moved != stack_buffer)
            free(moved);
        if (!good)
            return false;
        for (int t = 0; numbered && t < CAROM_DRAFT_TYPE_COUNT; t++) {
            int64_t more = reader->draft.blocks[t].count - before[t];
            // The id of a cell that becomes several is lost.
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
