// SPDX-License-Identifier: MIT
// Finds the part of a grid that is written to frames, such as the outer faces of solids. Outer faces belong to one solid cell
// only. A temporary mesh with one block for each type of solids lets the code for meshes find them; it lists them in the order
// of the cells of a block, so that one pass over the cells of the grid, with a mark in each block, meets all of them in order.
#include "output/frames/surface_cells.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/mesh.h"
#include "mesh/topology.h"

// Numbers of cell types as VTK defines them.
enum { VTK_TRIANGLE = 5, VTK_QUAD = 9, VTK_TETRA = 10, VTK_HEXAHEDRON = 12, VTK_WEDGE = 13 };

// The kinds of solid cells.
enum { TETS, BRICKS, WEDGES, KINDS };
static const int sizes[KINDS] = {4, 8, 6};

// The kind, or KINDS for cells that are written as they are.
static int kind_of(const carom_grid *grid, int cell) {
    switch (grid->types[cell]) {
    case VTK_TETRA: return TETS;
    case VTK_HEXAHEDRON: return BRICKS;
    case VTK_WEDGE: return WEDGES;
    default: return KINDS;
    }
}

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for the surface of the field files");
}

// The solid cells as a mesh.
static carom_status make_mesh(const carom_grid *grid, const int counts[KINDS], carom_mesh *mesh, carom_error *error) {
    carom_status status = carom_mesh_allocate(mesh, grid->point_count, CAROM_CELL_TET4, counts[TETS], error);
    if (!status)
        status = carom_mesh_add_block(mesh, CAROM_CELL_HEX8, counts[BRICKS], error);
    if (!status)
        status = carom_mesh_add_block(mesh, CAROM_CELL_WEDGE6, counts[WEDGES], error);
    int filled[KINDS] = {0};
    for (int c = 0; !status && c < grid->cell_count; c++) {
        int kind = kind_of(grid, c);
        if (kind == KINDS)
            continue;
        int size = sizes[kind];
        for (int i = 0; i < size; i++)
            mesh->blocks[kind].nodes[(int64_t)filled[kind] * size + i] = (int)grid->connectivity[grid->offsets[c] + i];
        filled[kind]++;
    }
    return status;
}

// The arrays of a cover under construction, whose sizes are upper bounds.
typedef struct maker {
    const carom_grid *grid;
    carom_cover *cover;
    int64_t *connectivity, *offsets;
    uint8_t *types;
} maker;

static void add_point(maker *m, int64_t point) {
    m->connectivity[m->cover->connectivity_count++] = point;
}

static void end_cell(maker *m, uint8_t type, int source) {
    carom_cover *cover = m->cover;
    m->types[cover->cell_count] = type;
    cover->cells[cover->cell_count++] = source;
    m->offsets[cover->cell_count] = cover->connectivity_count;
}

// All cells: faces of solids, and others as they are. The points are still those of the grid.
static void fill_cells(maker *m, const carom_boundary *faces) {
    const carom_grid *grid = m->grid;
    // `next` is the first face of each block that was not yet met, `solid` the number of its cells met so far
    int next[KINDS] = {0}, solid[KINDS] = {0};
    for (int kind = 1; kind < KINDS; kind++)
        while (next[kind] < faces->count && carom_boundary_facet(faces, next[kind]).block < kind)
            next[kind]++;
    for (int c = 0; c < grid->cell_count; c++) {
        int kind = kind_of(grid, c);
        for (int64_t i = grid->offsets[c]; kind == KINDS && i < grid->offsets[c + 1]; i++)
            add_point(m, grid->connectivity[i]);
        if (kind == KINDS) {
            end_cell(m, grid->types[c], c);
            continue;
        }
        for (; next[kind] < faces->count; next[kind]++) {
            carom_facet facet = carom_boundary_facet(faces, next[kind]);
            if (facet.block != kind || facet.cell != solid[kind])
                break;
            int size = carom_facet_size(facet.nodes);
            for (int i = 0; i < size; i++)
                add_point(m, facet.nodes[i]);
            end_cell(m, size == 3 ? VTK_TRIANGLE : VTK_QUAD, c);
        }
        solid[kind]++;
    }
}

// Keeps the points that belong to cells, in their order, and renumbers the connectivity.
static bool number_points(maker *m) {
    carom_cover *cover = m->cover;
    int *place = carom_allocate(m->grid->point_count, sizeof *place);
    if (!place)
        return false;
    for (int64_t i = 0; i < cover->connectivity_count; i++)
        place[m->connectivity[i]] = 1;
    for (int k = 0; k < m->grid->point_count; k++)
        if (place[k]) {
            cover->points[cover->point_count] = k;
            place[k] = cover->point_count++;
        }
    for (int64_t i = 0; i < cover->connectivity_count; i++)
        m->connectivity[i] = place[m->connectivity[i]];
    free(place);
    return true;
}

static carom_status make_surface(const carom_grid *grid, const int counts[KINDS], const carom_boundary *faces,
                                 carom_cover *cover, carom_error *error) {
    // a face has at most four nodes; cells that are written as they are have as many as in the grid
    int64_t cells = faces->count + (int64_t)grid->cell_count, entries = 4 * (int64_t)faces->count + grid->connectivity_count;
    for (int kind = 0; kind < KINDS; kind++) {
        cells -= counts[kind];
        entries -= (int64_t)sizes[kind] * counts[kind];
    }
    maker m = {.grid = grid, .cover = cover};
    m.connectivity = cover->memory[0] = carom_allocate(entries, sizeof *m.connectivity);
    m.offsets = cover->memory[1] = carom_allocate(cells + 1, sizeof *m.offsets);
    m.types = cover->memory[2] = carom_allocate(cells, sizeof *m.types);
    cover->cells = carom_allocate(cells, sizeof *cover->cells);
    cover->points = carom_allocate(grid->point_count, sizeof *cover->points);
    if (!m.connectivity || !m.offsets || !m.types || !cover->cells || !cover->points)
        return no_memory(error);
    fill_cells(&m, faces);
    cover->connectivity = m.connectivity;
    cover->offsets = m.offsets;
    cover->types = m.types;
    return number_points(&m) ? CAROM_OK : no_memory(error);
}

carom_status carom_cover_create(const carom_grid *grid, bool surface, carom_cover *cover, carom_error *error) {
    int counts[KINDS] = {0};
    for (int c = 0; surface && c < grid->cell_count; c++)
        if (kind_of(grid, c) != KINDS)
            counts[kind_of(grid, c)]++;
    *cover = (carom_cover){0};
    if (counts[TETS] + counts[BRICKS] == 0) {
        *cover = (carom_cover){.point_count = grid->point_count,
                               .cell_count = grid->cell_count,
                               .connectivity_count = grid->connectivity_count,
                               .connectivity = grid->connectivity,
                               .offsets = grid->offsets,
                               .types = grid->types};
        return CAROM_OK;
    }
    carom_mesh mesh = {0};
    carom_boundary faces = {0};
    carom_status status = make_mesh(grid, counts, &mesh, error);
    if (!status)
        status = carom_boundary_create(&faces, &mesh, NULL, NULL, error);
    if (!status)
        status = make_surface(grid, counts, &faces, cover, error);
    carom_boundary_release(&faces);
    carom_mesh_release(&mesh);
    if (status)
        carom_cover_release(cover);
    return status;
}

void carom_cover_release(carom_cover *cover) {
    for (int i = 0; i < 3; i++)
        free(cover->memory[i]);
    free(cover->points);
    free(cover->cells);
    *cover = (carom_cover){0};
}
