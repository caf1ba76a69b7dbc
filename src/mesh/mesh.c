// SPDX-License-Identifier: MIT
#include "mesh/mesh.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

int carom_cell_size(carom_cell_type type) {
    switch (type) {
    case CAROM_CELL_POINT: return 1;
    case CAROM_CELL_LINE2: return 2;
    case CAROM_CELL_TRI3: return 3;
    case CAROM_CELL_QUAD4: return 4;
    case CAROM_CELL_TET4: return 4;
    case CAROM_CELL_HEX8: return 8;
    case CAROM_CELL_TYPE_COUNT: break;
    }
    return 0;
}

int carom_cell_dimension(carom_cell_type type) {
    static const int dimension[CAROM_CELL_TYPE_COUNT] = {0, 1, 2, 2, 3, 3};
    return dimension[type];
}

void carom_mesh_release(carom_mesh *mesh) {
    for (int b = 0; b < mesh->block_count; b++)
        free(mesh->blocks[b].nodes);
    for (int s = 0; s < mesh->set_count; s++)
        free(mesh->sets[s].nodes);
    free(mesh->nodes);
    free(mesh->blocks);
    free(mesh->sets);
    *mesh = (carom_mesh){0};
}

const carom_node_set *carom_mesh_set(const carom_mesh *mesh, const char *name) {
    for (int s = 0; s < mesh->set_count; s++)
        if (strcmp(mesh->sets[s].name, name) == 0)
            return &mesh->sets[s];
    return NULL;
}

carom_status carom_mesh_allocate(carom_mesh *mesh, int node_count, carom_cell_type type, int cell_count, int set_count,
                                 carom_error *error) {
    *mesh = (carom_mesh){.node_count = node_count};
    mesh->nodes = carom_allocate(node_count, sizeof *mesh->nodes);
    mesh->blocks = carom_allocate(1, sizeof *mesh->blocks);
    mesh->sets = carom_allocate(set_count, sizeof *mesh->sets);
    int *cells = carom_allocate((int64_t)cell_count * carom_cell_size(type), sizeof *cells);
    if (!mesh->nodes || !mesh->blocks || !mesh->sets || !cells) {
        free(cells);
        carom_mesh_release(mesh);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for a mesh of %d nodes", node_count);
    }
    mesh->block_count = 1;
    mesh->blocks[0] = (carom_cell_block){.type = type, .count = cell_count, .nodes = cells};
    return CAROM_OK;
}

carom_status carom_mesh_add_set(carom_mesh *mesh, const char *name, const int *nodes, int count, carom_error *error) {
    carom_node_set *set = &mesh->sets[mesh->set_count];
    set->nodes = carom_allocate(count, sizeof *set->nodes);
    if (!set->nodes)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for a set of %d nodes", count);
    strncpy(set->name, name, CAROM_NAME_MAX - 1);
    memcpy(set->nodes, nodes, (size_t)count * sizeof *nodes);
    set->count = count;
    mesh->set_count++;
    return CAROM_OK;
}
