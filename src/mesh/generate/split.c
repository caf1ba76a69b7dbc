// SPDX-License-Identifier: MIT
// Quadrilaterals to triangles, hexahedra to tetrahedra. A hexahedron is the cone from its smallest node over the three faces
// that do not touch it, each cut by the diagonal from its own smallest node: six tetrahedra. The faces at the apex are thereby
// cut by the diagonal from the apex, which is their smallest node too. Every face is cut by the same rule, seen from either of
// its two cells, and the tetrahedra of neighbours fit (compare J. Dompierre, P. Labbe, M.-G. Vallet, R. Camarero, 8th
// International Meshing Roundtable (1999) 195-204).
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/generate/sides.h"
#include "mesh/mesh.h"

// Two triangles with the orientation of the quadrilateral.
static void split_quad(const int quad[4], int triangles[2][3]) {
    // The smallest node of a face is the same seen from both of its cells.
    int first = 0;
    for (int i = 1; i < 4; i++)
        if (quad[i] < quad[first])
            first = i;
    for (int t = 0; t < 2; t++) {
        triangles[t][0] = quad[first];
        triangles[t][1] = quad[(first + 1 + t) % 4];
        triangles[t][2] = quad[(first + 2 + t) % 4];
    }
}

static void split_hex(const int hex[8], int tets[6][4]) {
    int apex = hex[0], count = 0;
    for (int i = 1; i < 8; i++)
        apex = hex[i] < apex ? hex[i] : apex;
    for (int f = 0; f < 6; f++) {
        int face[4], triangles[2][3];
        carom_cell_facet(CAROM_CELL_HEX8, hex, f, face);
        // Three of the six faces meet at the apex.
        if (face[0] == apex || face[1] == apex || face[2] == apex || face[3] == apex)
            continue;
        split_quad(face, triangles);
        for (int t = 0; t < 2; t++, count++)
            // Faces point outward, so their nodes are reversed for a tetrahedron with positive volume.
            memcpy(tets[count], (const int[]){triangles[t][0], triangles[t][2], triangles[t][1], apex}, sizeof tets[count]);
    }
}

// Blocks of other types stay as they are.
carom_status carom_mesh_split(carom_mesh *mesh, carom_error *error) {
    for (int b = 0; b < mesh->block_count; b++) {
        carom_cell_block *block = &mesh->blocks[b];
        bool plane = block->type == CAROM_CELL_QUAD4;
        if (!plane && block->type != CAROM_CELL_HEX8)
            continue;
        int pieces = plane ? 2 : 6, size = plane ? 3 : 4, whole = carom_cell_size(block->type);
        int64_t count = (int64_t)block->count * pieces;
        // A mesh with more cells than the limit would not fit an int.
        int *nodes = count <= CAROM_MESH_CELLS_MAX ? carom_allocate(count * size, sizeof *nodes) : NULL;
        if (!nodes)
            return carom_fail(error, CAROM_NO_MEMORY, "no memory for %lld cells", (long long)count);
        for (int64_t e = 0; e < block->count; e++) {
            if (plane)
                split_quad(&block->nodes[e * whole], (int(*)[3]) & nodes[e * pieces * size]);
            else
                split_hex(&block->nodes[e * whole], (int(*)[4]) & nodes[e * pieces * size]);
        }
        free(block->nodes);
        *block = (carom_cell_block){.type = plane ? CAROM_CELL_TRI3 : CAROM_CELL_TET4, .count = (int)count, .nodes = nodes};
    }
    return CAROM_OK;
}
