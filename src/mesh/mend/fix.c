// SPDX-License-Identifier: MIT
// Repairs a mesh in the order in which one fault hides another: nodes are welded, flat cells dropped, inverted cells reversed,
// surfaces oriented, and finally unused nodes dropped. Sets are updated; ids keep the numbers of the file.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/functions.h"
#include "math/vec3.h"
#include "mesh/cell.h"
#include "mesh/mend/check.h"
#include "mesh/mend/orient.h"
#include "mesh/mend/weld.h"
#include "mesh/mesh.h"
#include "mesh/topology.h"

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory to mend a mesh");
}

// Nodes at the same place become the first of them; the others are dropped at the end as unused.
static carom_status weld(carom_mesh *mesh, carom_mesh_faults *changes, carom_error *error) {
    int *first;
    carom_status status = carom_mesh_coincide(mesh, &first, error);
    if (status)
        return status;
    for (int k = 0; k < mesh->node_count; k++)
        if (first[k] != k)
            carom_mesh_faults_add(changes, CAROM_FAULT_DUPLICATE, carom_mesh_node_id(mesh, first[k]),
                                  carom_mesh_node_id(mesh, k));
    // Ids and sets are changed only if there are nodes to weld: a mesh without faults is unchanged, bit for bit.
    if (changes->count[CAROM_FAULT_DUPLICATE])
        carom_mesh_rename_nodes(mesh, first, true);
    free(first);
    return CAROM_OK;
}

// Cells without ids get their index as id before any cell is dropped, so that messages still name the cells of the file.
static carom_status keep_cell_ids(carom_mesh *mesh, carom_error *error) {
    int64_t place = 0;
    for (int b = 0; b < mesh->block_count; b++) {
        carom_cell_block *block = &mesh->blocks[b];
        int64_t *ids = block->ids ? block->ids : carom_allocate(block->count, sizeof *ids);
        if (!ids)
            return no_memory(error);
        for (int e = 0; !block->ids && e < block->count; e++)
            ids[e] = place + e;
        block->ids = ids;
        place += block->count;
    }
    return CAROM_OK;
}

// A cell that repeats a node but has a volume is a wedge written as a hexahedron. Dropping it would leave a hole.
static bool has_space(const carom_mesh *mesh, carom_cell_type type, const int *nodes) {
    double x[CAROM_CELL_NODES_MAX][3], longest = 0;
    int size = carom_cell_size(type), dimension = carom_cell_dimension(type);
    if (dimension < 2)
        return false;
    for (int i = 0; i < size; i++) {
        carom_copy(mesh->nodes[nodes[i]], x[i]);
        double d[3];
        carom_difference(x[i], x[0], d);
        longest = fmax(longest, carom_norm(d));
    }
    // Relative to a cube of the longest distance: 1e-12 allows for the rounding of the volume itself.
    return fabs(carom_cell_measure(type, (carom_const_vectors)x)) > 1e-12 * carom_pow(longest, dimension);
}

// The first pass decides and counts, so that a mesh that would lose all cells is refused unchanged.
static carom_status drop_flat_cells(carom_mesh *mesh, carom_mesh_faults *changes, carom_error *error) {
    int *to = carom_allocate(carom_mesh_cell_count(mesh), sizeof *to);
    if (!to)
        return no_memory(error);
    int cell = 0, kept = 0;
    for (int b = 0; b < mesh->block_count; b++) {
        const carom_cell_block *block = &mesh->blocks[b];
        int size = carom_cell_size(block->type);
        for (int e = 0; e < block->count; e++, cell++) {
            const int *nodes = &block->nodes[(int64_t)e * size];
            // A flat cell has neither mass nor stiffness, and dropping it leaves no hole.
            bool flat = carom_cell_examine(mesh, block->type, nodes) == CAROM_CELL_FLAT && !has_space(mesh, block->type, nodes);
            to[cell] = flat ? -1 : kept++;
            if (flat)
                carom_mesh_faults_add(changes, CAROM_FAULT_DEGENERATE, carom_mesh_cell_id(mesh, b, e), -1);
        }
    }
    carom_status status = CAROM_OK;
    if (cell > 0 && kept == 0)
        status = carom_fail(error, CAROM_BAD_INPUT, "all cells are degenerate: nothing would be left of the mesh");
    else if (kept < cell)
        status = keep_cell_ids(mesh, error);
    if (status || kept == cell) {
        free(to);
        return status;
    }
    cell = 0;
    for (int b = 0; b < mesh->block_count; b++) {
        carom_cell_block *block = &mesh->blocks[b];
        int size = carom_cell_size(block->type), left = 0;
        for (int e = 0; e < block->count; e++, cell++) {
            if (to[cell] < 0)
                continue;
            // Cells move down within their block, so the source is never overwritten before it is read.
            memmove(&block->nodes[(int64_t)left * size], &block->nodes[(int64_t)e * size], (size_t)size * sizeof(int));
            block->ids[left++] = block->ids[e];
        }
        block->count = left;
    }
    carom_mesh_rename_cells(mesh, to);
    free(to);
    return CAROM_OK;
}

// Folded cells stay as they are, since no order of their nodes makes them convex.
static void turn_cells(carom_mesh *mesh, carom_mesh_faults *changes) {
    for (int b = 0; b < mesh->block_count; b++) {
        const carom_cell_block *block = &mesh->blocks[b];
        int size = carom_cell_size(block->type);
        for (int e = 0; e < block->count; e++) {
            int *nodes = &block->nodes[(int64_t)e * size];
            if (carom_cell_examine(mesh, block->type, nodes) != CAROM_CELL_INSIDE_OUT)
                continue;
            carom_cell_reverse(block->type, nodes);
            carom_mesh_faults_add(changes, CAROM_FAULT_INVERTED, carom_mesh_cell_id(mesh, b, e), -1);
        }
    }
}

// True if a face with the same nodes as another has the opposite orientation.
static bool runs_against(const int *nodes, const int *other, int size) {
    for (int i = 0; i < size; i++)
        if (other[i] == nodes[0])
            // Equal nodes in the other direction: the neighbour of the first node is then the last one.
            return other[(i + 1) % size] != nodes[1];
    return true;
}

// Faces of sets that lie on a cell take its orientation.
static void orient_set_faces(carom_mesh *mesh, const carom_boundary *surface, const int *face_at, const int *begin) {
    for (int s = 0; s < mesh->face_set_count; s++)
        for (int f = 0; f < mesh->face_sets[s].count; f++) {
            int *nodes = mesh->face_sets[s].nodes[f], size = carom_facet_size(nodes);
            // Only faces at the first node of a face can equal it.
            for (int i = begin[nodes[0]]; size > 2 && i < begin[nodes[0] + 1]; i++) {
                carom_facet face = carom_boundary_facet(surface, face_at[i]);
                int common = 0;
                for (int a = 0; a < size; a++)
                    for (int c = 0; c < size; c++)
                        common += nodes[a] == face.nodes[c];
                // The face of the cell replaces that of the set, also in its first node.
                if (common == size && carom_facet_size(face.nodes) == size && runs_against(nodes, face.nodes, size))
                    memcpy(nodes, face.nodes, sizeof face.nodes);
            }
        }
}

static carom_status update_face_sets(carom_mesh *mesh, const carom_boundary *surface, carom_error *error) {
    int *begin = carom_allocate((int64_t)mesh->node_count + 2, sizeof *begin);
    int *face_at = carom_allocate(4 * (int64_t)surface->count, sizeof *face_at);
    carom_status status = begin && face_at ? CAROM_OK : no_memory(error);
    if (!status) {
        // The faces at each node, by counting. The counts are kept two places ahead, so that filling leaves the beginnings in
        // place.
        for (int f = 0; f < surface->count; f++) {
            carom_facet face = carom_boundary_facet(surface, f);
            for (int i = 0; i < carom_facet_size(face.nodes); i++)
                begin[face.nodes[i] + 2]++;
        }
        for (int k = 0; k < mesh->node_count; k++)
            begin[k + 2] += begin[k + 1];
        for (int f = 0; f < surface->count; f++) {
            carom_facet face = carom_boundary_facet(surface, f);
            for (int i = 0; i < carom_facet_size(face.nodes); i++)
                face_at[begin[face.nodes[i] + 1]++] = f;
        }
        orient_set_faces(mesh, surface, face_at, begin);
    }
    free(begin);
    free(face_at);
    return status;
}

// Orients a plane mesh as a surface. Solid cells have been reversed one by one before.
static carom_status orient(carom_mesh *mesh, carom_mesh_faults *changes, carom_error *error) {
    bool solid = carom_mesh_dimension(mesh) == 3;
    // Solid cells were reversed one by one; only the sets of their faces remain to be updated.
    if (solid && !(changes->count[CAROM_FAULT_INVERTED] && mesh->face_set_count))
        return CAROM_OK;
    carom_boundary surface;
    carom_status status = carom_boundary_create(&surface, mesh, NULL, NULL, error);
    if (solid) {
        if (!status)
            status = update_face_sets(mesh, &surface, error);
        carom_boundary_release(&surface);
        return status;
    }
    // Faces of a plane mesh are its cells, so reversing a face reverses a cell.
    bool *turn = status ? NULL : carom_allocate(surface.count, sizeof *turn);
    if (!status)
        status = turn ? carom_surface_orient(&surface, turn, error) : no_memory(error);
    bool any = false;
    for (int f = 0; !status && f < surface.count; f++) {
        if (!turn[f])
            continue;
        any = true;
        carom_facet face = carom_boundary_facet(&surface, f);
        carom_cell_block *block = &mesh->blocks[face.block];
        carom_cell_reverse(block->type, &block->nodes[(int64_t)face.cell * carom_cell_size(block->type)]);
        carom_mesh_faults_add(changes, CAROM_FAULT_ORIENTATION, carom_mesh_cell_id(mesh, face.block, face.cell), -1);
    }
    if (!status && any && mesh->face_set_count)
        status = update_face_sets(mesh, &surface, error);
    carom_boundary_release(&surface);
    free(turn);
    return status;
}

// Nodes that lost their cells by welding or dropping were reported with those already.
static carom_status drop_unused_nodes(carom_mesh *mesh, const bool *was_used, carom_mesh_faults *changes, carom_error *error) {
    bool *used = carom_mesh_used(mesh);
    int *to = carom_allocate(mesh->node_count, sizeof *to);
    int64_t *ids = mesh->node_ids ? mesh->node_ids : carom_allocate(mesh->node_count, sizeof *ids);
    if (!used || !to || !ids) {
        free(used);
        free(to);
        if (!mesh->node_ids)
            free(ids);
        return no_memory(error);
    }
    int kept = 0;
    for (int k = 0; k < mesh->node_count; k++) {
        int64_t id = carom_mesh_node_id(mesh, k);
        if (!used[k]) {
            to[k] = -1;
            if (!was_used[k])
                carom_mesh_faults_add(changes, CAROM_FAULT_UNUSED, id, -1);
            continue;
        }
        // Nodes move down in place; kept <= k holds throughout.
        memmove(mesh->nodes[kept], mesh->nodes[k], sizeof *mesh->nodes);
        if (mesh->frames)
            memmove(mesh->frames[kept], mesh->frames[k], sizeof *mesh->frames);
        if (mesh->velocities)
            memmove(mesh->velocities[kept], mesh->velocities[k], sizeof *mesh->velocities);
        if (mesh->spins)
            memmove(mesh->spins[kept], mesh->spins[k], sizeof *mesh->spins);
        ids[kept] = id;
        to[k] = kept++;
    }
    if (kept < mesh->node_count) {
        carom_mesh_rename_nodes(mesh, to, true);
        mesh->node_ids = ids;
        mesh->node_count = kept;
    } else if (!mesh->node_ids) {
        // Nothing was dropped: new ids would only repeat the indices.
        free(ids);
    }
    free(used);
    free(to);
    return CAROM_OK;
}

// For readers, which do not report the changes.
carom_status carom_mesh_drop_unused(carom_mesh *mesh, carom_error *error) {
    bool *none = carom_allocate(mesh->node_count, sizeof *none);
    carom_mesh_faults ignored = {0};
    carom_status status = none ? drop_unused_nodes(mesh, none, &ignored, error) : no_memory(error);
    free(none);
    return status;
}

// Nodes that were unused from the beginning are reported as such; others lost their cells during the repair.
carom_status carom_mesh_fix(carom_mesh *mesh, carom_mesh_faults *changes, carom_error *error) {
    *changes = (carom_mesh_faults){0};
    bool *used = carom_mesh_used(mesh);
    if (!used)
        return no_memory(error);
    carom_status status = weld(mesh, changes, error);
    if (!status)
        status = drop_flat_cells(mesh, changes, error);
    if (!status)
        turn_cells(mesh, changes);
    if (!status)
        status = orient(mesh, changes, error);
    if (!status)
        status = drop_unused_nodes(mesh, used, changes, error);
    free(used);
    return status;
}
