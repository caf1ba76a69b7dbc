// SPDX-License-Identifier: MIT
// Makes a deep copy of a mesh.
#include <stdlib.h>
#include <string.h>

#include "mesh/mesh.h"

// A copy of `size` bytes; at least one byte, so that NULL means failure.
static void *duplicate(const void *bytes, size_t size) {
    void *copy = malloc(size ? size : 1);
    if (copy && size)
        memcpy(copy, bytes, size);
    return copy;
}

static bool copy_blocks(const carom_mesh *from, carom_mesh *to) {
    // block_count counts the complete blocks, so that a release after a failure does not free pointers of `from`
    to->blocks = duplicate(from->blocks, (size_t)from->block_count * sizeof *to->blocks);
    for (; to->blocks && to->block_count < from->block_count; to->block_count++) {
        const carom_cell_block *source = &from->blocks[to->block_count];
        carom_cell_block *block = &to->blocks[to->block_count];
        size_t count = (size_t)source->count;
        block->nodes = duplicate(source->nodes, count * (size_t)carom_cell_size(source->type) * sizeof *block->nodes);
        block->ids = source->ids ? duplicate(source->ids, count * sizeof *block->ids) : NULL;
        // The block is not counted yet, so a release of the mesh would not free it.
        if (!block->nodes || (source->ids && !block->ids)) {
            free(block->nodes);
            free(block->ids);
            return false;
        }
    }
    return to->blocks;
}

// An optional array of one item per node.
static bool copy_optional(const void *from, int count, size_t size, void **to) {
    if (from)
        *to = duplicate(from, (size_t)count * size);
    return !from || *to;
}

carom_status carom_mesh_copy(const carom_mesh *from, carom_mesh *to, carom_error *error) {
    *to = (carom_mesh){.node_count = from->node_count};
    to->nodes = duplicate(from->nodes, (size_t)from->node_count * sizeof *to->nodes);
    int n = from->node_count;
    bool good = to->nodes && copy_optional(from->node_ids, n, sizeof *to->node_ids, (void **)&to->node_ids) &&
                copy_optional(from->frames, n, sizeof *to->frames, (void **)&to->frames) &&
                copy_optional(from->velocities, n, sizeof *to->velocities, (void **)&to->velocities) &&
                copy_optional(from->spins, n, sizeof *to->spins, (void **)&to->spins) && copy_blocks(from, to);
    // Sets are sorted already, so adding them again copies them unchanged.
    for (int s = 0; good && s < from->set_count; s++)
        good = !carom_mesh_add_set(to, from->sets[s].name, from->sets[s].nodes, from->sets[s].count, NULL);
    for (int s = 0; good && s < from->cell_set_count; s++)
        good = !carom_mesh_add_cell_set(to, from->cell_sets[s].name, from->cell_sets[s].cells, from->cell_sets[s].count, NULL);
    for (int s = 0; good && s < from->face_set_count; s++)
        good = !carom_mesh_add_face_set(to, from->face_sets[s].name, (const int(*)[4])from->face_sets[s].nodes,
                                        from->face_sets[s].count, NULL);
    if (good)
        return CAROM_OK;
    carom_mesh_release(to);
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for a mesh of %d nodes", from->node_count);
}
