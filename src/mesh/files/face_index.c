// SPDX-License-Identifier: MIT
// Finds the cell that each named face of a file (of a surface or group) bounds, and orients the face. The named faces are put
// into a hash table by their sorted nodes; then the faces of all cells are searched in it, but only those whose nodes all occur
// in some named face.
#include "mesh/files/face_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "mesh/topology.h"

// Open addressing with linear probing; at most half of the slots are used.
typedef struct face_table {
    int (*faces)[4];
    int *slots; // index of a face, -1: empty
    uint64_t mask;
    unsigned char *owners; // cells that a face bounds, up to 2
} face_table;

// The slot of a face, or the empty one where it belongs.
static uint64_t find_slot(const face_table *table, const int face[4]) {
    int sorted[4], other[4];
    // Equal faces have equal sorted nodes, whatever their first node and direction. -1 of a short face sorts first.
    memcpy(sorted, face, sizeof sorted);
    carom_facet_sort(sorted);
    uint64_t slot = carom_hash(CAROM_HASH_START, sorted, sizeof sorted) & table->mask;
    for (; table->slots[slot] >= 0; slot = (slot + 1) & table->mask) {
        memcpy(other, table->faces[table->slots[slot]], sizeof other);
        carom_facet_sort(other);
        if (memcmp(sorted, other, sizeof sorted) == 0)
            break;
    }
    return slot;
}

// Enters all faces once; repetitions are dropped.
static bool fill(face_table *table, int *count) {
    // At most half full, so that probing ends after a few steps.
    uint64_t size = 16;
    while (size < 2 * (uint64_t)*count)
        size *= 2;
    table->mask = size - 1;
    table->slots = carom_allocate((int64_t)size, sizeof *table->slots);
    table->owners = carom_allocate(*count, 1);
    if (!table->slots || !table->owners)
        return false;
    memset(table->slots, 0xff, size * sizeof *table->slots);
    int kept = 0;
    for (int i = 0; i < *count; i++) {
        uint64_t slot = find_slot(table, table->faces[i]);
        if (table->slots[slot] >= 0)
            continue;
        // Kept faces move down over repetitions; the table refers to their new places.
        if (kept != i)
            memcpy(table->faces[kept], table->faces[i], sizeof *table->faces);
        table->slots[slot] = kept++;
    }
    *count = kept;
    return true;
}

// Counts the cells at a named face and notes, for the first cell, whether the face runs against it: owners is 0 (none yet), 1
// (one, the face is right), 3 (one, the face must be reversed) or 2 (two, an inner face that stays as it is).
static void visit(face_table *table, const int face[4], bool turn) {
    int found = table->slots[find_slot(table, face)];
    if (found < 0)
        return;
    int *named = table->faces[found];
    if (table->owners[found] == 0 && turn) {
        // from the same first node on: is the next node another one?
        int n = carom_facet_size(face), start = 0;
        while (face[start] != named[0])
            start++;
        // An edge has only two orientations, so its first node decides.
        bool against = n == 2 ? start == 1 : face[(start + 1) % n] != named[1];
        table->owners[found] = against ? 3 : 1;
    } else {
        // A second owner: the face lies between two cells. A plane cell itself is an owner that never reverses the face.
        table->owners[found] = turn ? 2 : 1;
    }
}

// The first node stays first, except for an edge, which can only be reversed.
static void reverse(int face[4]) {
    int n = carom_facet_size(face);
    int first = n == 2 ? 0 : 1, last = n - 1;
    for (; first < last; first++, last--) {
        int swapped = face[first];
        face[first] = face[last];
        face[last] = swapped;
    }
}

// Faces of cells in the order of the mesh, so that the first owner of a face is the cell with the smaller number.
static void visit_cells(face_table *table, const carom_mesh *mesh, const unsigned char *marked, int dimension) {
    for (int b = 0; b < mesh->block_count; b++) {
        const carom_cell_block *block = &mesh->blocks[b];
        int size = carom_cell_size(block->type), sides = carom_cell_facet_count(block->type);
        for (int c = 0; c < block->count; c++) {
            const int *nodes = block->nodes + (int64_t)c * size;
            for (int s = 0; s < sides; s++) {
                int face[4];
                bool all = true;
                carom_cell_facet(block->type, nodes, s, face);
                // Most faces of a large mesh are in no named face. The marks of their nodes rule them out before any hashing.
                for (int j = 0; j < 4; j++)
                    all = all && (face[j] < 0 || marked[face[j]]);
                if (all)
                    visit(table, face, true);
            }
            // A surface may be named by its own cells.
            if (dimension == 2)
                visit(table, (const int[4]){nodes[0], nodes[1], nodes[2], size > 3 ? nodes[3] : -1}, false);
        }
    }
}

bool carom_face_index_orient(const carom_mesh *mesh, int dimension, int (*faces)[4], int *count, int64_t *strangers) {
    face_table table = {.faces = faces};
    unsigned char *marked = carom_allocate(mesh->node_count, 1);
    bool good = marked && fill(&table, count);
    if (good) {
        for (int i = 0; i < *count; i++)
            for (int j = 0; j < 4; j++)
                if (faces[i][j] >= 0)
                    marked[faces[i][j]] = 1;
        visit_cells(&table, mesh, marked, dimension);
        int kept = 0;
        for (int i = 0; i < *count; i++) {
            // No cell has this face; the caller reports it.
            if (table.owners[i] == 0)
                continue;
            if (table.owners[i] == 3)
                reverse(faces[i]);
            if (kept != i)
                memcpy(faces[kept], faces[i], sizeof *faces);
            kept++;
        }
        *strangers = *count - kept;
        *count = kept;
    }
    free(marked);
    free(table.slots);
    free(table.owners);
    return good;
}
