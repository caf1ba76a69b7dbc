// SPDX-License-Identifier: MIT
// Splits the cells of a generated mesh into simplices: quadrilaterals to triangles, hexahedra to tetrahedra (cone.h).
#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/cone.h"
#include "mesh/generate/sides.h"
#include "mesh/mesh.h"

// Blocks of other types stay as they are.
carom_status carom_mesh_split(carom_mesh *mesh, carom_error *error) {
    for (int b = 0; b < mesh->block_count; b++) {
        carom_cell_block *block = &mesh->blocks[b];
        bool plane = block->type == CAROM_CELL_QUAD4;
        if (!plane && block->type != CAROM_CELL_HEX8)
            continue;
        int face_count, pieces = plane ? 2 : 6, size = plane ? 3 : 4, whole = carom_cell_size(block->type);
        const int(*faces)[4] = carom_cell_facets(block->type, &face_count);
        int64_t count = (int64_t)block->count * pieces;
        // A mesh with more cells than the limit would not fit an int.
        int *nodes = count <= CAROM_MESH_CELLS_MAX ? carom_allocate(count * size, sizeof *nodes) : NULL;
        if (!nodes)
            return carom_fail(error, CAROM_NO_MEMORY, "no memory for %lld cells", (long long)count);
        for (int64_t e = 0; e < block->count; e++) {
            if (plane)
                carom_cut_quad(&block->nodes[e * whole], (int(*)[3]) & nodes[e * pieces * size]);
            else
                carom_cut_cell(&block->nodes[e * whole], whole, faces, face_count, (int(*)[4]) & nodes[e * pieces * size]);
        }
        free(block->nodes);
        *block = (carom_cell_block){.type = plane ? CAROM_CELL_TRI3 : CAROM_CELL_TET4, .count = (int)count, .nodes = nodes};
    }
    return CAROM_OK;
}
