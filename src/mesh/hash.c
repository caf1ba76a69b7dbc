// SPDX-License-Identifier: MIT
// Computes the hash of a mesh, by which two meshes can be compared, as a set of shapes. A node is its position, and a cell is
// the positions of its nodes. The keys of all of them are summed, so that neither the numbers of nodes and cells nor the order
// of blocks and sets matters: a renumbered mesh has the same hash. Faces may begin at any of their nodes.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "mesh/mesh.h"
#include "mesh/topology.h"

// Keys of the nodes. -0 and 0 are the same place.
static uint64_t *node_keys(const carom_mesh *mesh) {
    uint64_t *keys = carom_allocate(mesh->node_count, sizeof *keys);
    for (int k = 0; keys && k < mesh->node_count; k++) {
        double x[3];
        for (int i = 0; i < 3; i++)
            x[i] = mesh->nodes[k][i] == 0 ? 0 : mesh->nodes[k][i];
        keys[k] = carom_hash(CAROM_HASH_START, x, sizeof x);
    }
    return keys;
}

// The key of a cell or face. The nodes of a plane one are read from the node with the smallest key on, so that the key does not
// depend on the first node, but on the orientation.
static uint64_t cell_key(const uint64_t *keys, const int *nodes, int size, bool cyclic) {
    int first = 0;
    // The order of nodes of solid cells is kept as it is: the same shape in another order of nodes is
    // another mesh to the elements.
    for (int i = 1; cyclic && i < size; i++)
        if (keys[nodes[i]] < keys[nodes[first]])
            first = i;
    uint64_t of_node[CAROM_CELL_NODES_MAX];
    for (int i = 0; i < size; i++)
        of_node[i] = keys[nodes[(first + i) % size]];
    return carom_hash((uint64_t)size, of_node, (size_t)size * sizeof *of_node);
}

// The kinds 1 to 5 distinguish nodes, cells, node sets, cell sets and face sets that would otherwise have equal keys.
static uint64_t set_hash(uint64_t kind, const char *name, uint64_t sum, int count) {
    uint64_t content[3] = {kind, sum, (uint64_t)count};
    return carom_hash(carom_hash(CAROM_HASH_START, name, strlen(name)), content, sizeof content);
}

// Cell keys are kept for the cell sets.
static uint64_t hash_cells(const carom_mesh *mesh, const uint64_t *keys, uint64_t *cell_keys) {
    uint64_t total = 0;
    for (int k = 0; k < mesh->node_count; k++)
        // Sums of keys commute, which makes the hash independent of all orders. Each key is hashed before it is added, so
        // that the structure of coordinates cannot cancel.
        total += carom_hash(1, &keys[k], sizeof keys[k]);
    int64_t cell = 0;
    for (int b = 0; b < mesh->block_count; b++) {
        const carom_cell_block *block = &mesh->blocks[b];
        int size = carom_cell_size(block->type);
        bool cyclic = carom_cell_dimension(block->type) == 2;
        for (int e = 0; e < block->count; e++, cell++) {
            uint64_t key[2] = {(uint64_t)block->type, cell_key(keys, &block->nodes[(int64_t)e * size], size, cyclic)};
            cell_keys[cell] = carom_hash(2, key, sizeof key);
            total += cell_keys[cell];
        }
    }
    return total;
}

// A set is its name and the sum of the keys of its members, with their number.
static uint64_t hash_sets(const carom_mesh *mesh, const uint64_t *keys, const uint64_t *cell_keys) {
    uint64_t total = 0;
    for (int s = 0; s < mesh->set_count; s++) {
        uint64_t sum = 0;
        for (int i = 0; i < mesh->sets[s].count; i++)
            sum += keys[mesh->sets[s].nodes[i]];
        total += set_hash(3, mesh->sets[s].name, sum, mesh->sets[s].count);
    }
    for (int s = 0; s < mesh->cell_set_count; s++) {
        uint64_t sum = 0;
        for (int i = 0; i < mesh->cell_sets[s].count; i++)
            sum += cell_keys[mesh->cell_sets[s].cells[i]];
        total += set_hash(4, mesh->cell_sets[s].name, sum, mesh->cell_sets[s].count);
    }
    for (int s = 0; s < mesh->face_set_count; s++) {
        const carom_face_set *set = &mesh->face_sets[s];
        uint64_t sum = 0;
        for (int i = 0; i < set->count; i++) {
            int size = carom_facet_size(set->nodes[i]);
            sum += cell_key(keys, set->nodes[i], size, size > 2);
        }
        total += set_hash(5, set->name, sum, set->count);
    }
    return total;
}

// 0 if memory is short, which compares as a different mesh.
uint64_t carom_mesh_hash(const carom_mesh *mesh) {
    uint64_t *keys = node_keys(mesh);
    uint64_t *cell_keys = carom_allocate(carom_mesh_cell_count(mesh), sizeof *cell_keys);
    uint64_t total = 0;
    if (keys && cell_keys)
        total = hash_cells(mesh, keys, cell_keys) + hash_sets(mesh, keys, cell_keys);
    free(keys);
    free(cell_keys);
    return total;
}
