// SPDX-License-Identifier: MIT
// Makes the patches of a mesh (nodal.h), one for each node, from its cells: nodes, mean gradients, volume. The corner of a
// cell at a node is a quarter of a tetrahedron, which has one gradient, or the octant of a brick at that node: half of the
// range of each natural coordinate. The mean gradients of an octant, by two by two by two points, are exact for any shape of
// the brick, and those of the eight octants add up to the mean of the whole.
//
// For stable steps the mass of a node is shared among the patches that move it, in proportion to k_ab = V_a |g_ab|, the size of
// the area through which they push it: if all patches are alike, these shares w_b minimise the sum of |g_b|^2/w_b.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/arena.h"
#include "element/average/nodal.h"
#include "element/solid/solid_point.h"
#include "math/vec3.h"

// A cell at one of its nodes.
typedef struct corner {
    int block, cell, place;
} corner;

typedef struct builder {
    const carom_patch_design *design;
    const carom_mesh *mesh;
    carom_solid_shape octants[8];
    int *begin; // of the corners of each node
    corner *corners;
    int *local;     // scratch: index of each node in the current patch, -1 if it is not in it
    int *size;      // number of nodes of the patch of each node; 0: the node has no cells
    double *volume; // of each node: its lumped mass over the density
    double *area;   // sum of k_ab over all patches a of each node b
} builder;

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for the patches of nodes");
}

// Shape functions at the Gauss points of the octant of each corner.
static void make_octants(carom_solid_shape *octants) {
    static const double corners[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                         {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    const double g = 0.57735026918962576451;
    for (int o = 0; o < 8; o++) {
        carom_solid_shape *shape = &octants[o];
        *shape = (carom_solid_shape){.dimension = 3, .node_count = 8, .point_count = 8};
        for (int q = 0; q < 8; q++) {
            shape->weight[q] = 1.0 / 8;
            for (int a = 0; a < 8; a++) {
                double N[3];
                for (int i = 0; i < 3; i++)
                    N[i] = 0.5 * (1 + corners[a][i] * 0.5 * (corners[o][i] + g * corners[q][i]));
                shape->N[q][a] = N[0] * N[1] * N[2];
                for (int i = 0; i < 3; i++)
                    shape->dN[q][a][i] = 0.5 * corners[a][i] * N[(i + 1) % 3] * N[(i + 2) % 3];
            }
        }
    }
}

static const int *nodes_of(const builder *b, const corner *c) {
    const carom_cell_block *cells = &b->mesh->blocks[c->block];
    return &cells->nodes[(ptrdiff_t)c->cell * carom_cell_size(cells->type)];
}

// Volume and mean gradients of the corner.
// Octants are integrated by their own points; a quarter of a tetrahedron has the gradients of the whole.
static carom_solid_point point_of(const builder *b, const corner *c) {
    const double(*X)[3] = (carom_const_vectors)b->mesh->nodes;
    if (b->mesh->blocks[c->block].type == CAROM_CELL_HEX8)
        return carom_solid_mean_point(&b->octants[c->place], NULL, nodes_of(b, c), X);
    carom_solid_point p = carom_solid_point_of(&carom_shape_tet4, NULL, nodes_of(b, c), 0, X);
    p.volume /= 4;
    return p;
}

// Lists the corners at each node: those of node k are corners[begin[k]] to corners[begin[k + 1] - 1].
static carom_status list_corners(builder *b, carom_error *error) {
    const carom_mesh *mesh = b->mesh;
    int64_t count = 0;
    for (int k = 0; k < mesh->block_count; k++)
        count += (int64_t)mesh->blocks[k].count * carom_cell_size(mesh->blocks[k].type);
    // Corners are counted in ints.
    b->corners = count < INT32_MAX ? carom_allocate(count, sizeof *b->corners) : NULL;
    if (!b->corners)
        return no_memory(error);
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < mesh->block_count; k++) {
            const carom_cell_block *cells = &mesh->blocks[k];
            int n = carom_cell_size(cells->type);
            for (int i = 0; i < cells->count * n; i++) {
                int *end = &b->begin[cells->nodes[i] + 1];
                if (pass == 1)
                    b->corners[*end] = (corner){k, i / n, i % n};
                ++*end;
            }
        }
        // After counting, begin[k + 1] becomes the beginning of node k, one place late; filling moves it to the end of node k,
        // which is the beginning of node k + 1.
        for (int k = mesh->node_count; k > 0 && pass == 0; k--)
            b->begin[k] = b->begin[k - 1];
        for (int k = 1; k <= mesh->node_count && pass == 0; k++)
            b->begin[k] += b->begin[k - 1];
    }
    return CAROM_OK;
}

// The volume of each node, by the row sums that also give its lumped mass, so that shares of it are shares of the mass.
static carom_status add_volumes(builder *b, carom_error *error) {
    const carom_mesh *mesh = b->mesh;
    const double(*X)[3] = (carom_const_vectors)mesh->nodes;
    for (int k = 0; k < mesh->block_count; k++) {
        const carom_solid_shape *shape = mesh->blocks[k].type == CAROM_CELL_TET4 ? &carom_shape_tet4 : &carom_shape_hex8;
        for (int c = 0; c < mesh->blocks[k].count; c++) {
            const int *nodes = &mesh->blocks[k].nodes[(ptrdiff_t)c * shape->node_count];
            for (int q = 0; q < shape->point_count; q++) {
                double volume = carom_solid_point_of(shape, NULL, nodes, q, X).volume;
                if (!(volume > 0) || !isfinite(volume))
                    return carom_fail(error, CAROM_BAD_INPUT, "element %lld is inverted or has no volume",
                                      (long long)carom_mesh_cell_id(mesh, k, c));
                for (int a = 0; a < shape->node_count; a++)
                    b->volume[nodes[a]] += volume * shape->N[q][a];
            }
        }
    }
    return CAROM_OK;
}

// Collects the nodes of a patch, its own node first, and returns their number. Sets b->local for them; `clear_local` clears it
// again.
static int collect(builder *b, int node, int *nodes) {
    int n = 0;
    nodes[n] = node;
    b->local[node] = n++;
    for (int i = b->begin[node]; i < b->begin[node + 1]; i++) {
        const int *cell = nodes_of(b, &b->corners[i]);
        for (int a = 0; a < carom_cell_size(b->mesh->blocks[b->corners[i].block].type); a++) {
            if (b->local[cell[a]] >= 0)
                continue;
            // The count continues past the limit, so that the message can state it.
            if (n < CAROM_NODAL_NODES_MAX)
                nodes[n] = cell[a];
            b->local[cell[a]] = n++;
        }
    }
    return n;
}

static void clear_local(builder *b, int node) {
    for (int i = b->begin[node]; i < b->begin[node + 1]; i++) {
        const int *cell = nodes_of(b, &b->corners[i]);
        for (int a = 0; a < carom_cell_size(b->mesh->blocks[b->corners[i].block].type); a++)
            b->local[cell[a]] = -1;
    }
}

// The number of nodes of each patch, which decides its group.
static carom_status measure(builder *b, carom_error *error) {
    int nodes[CAROM_NODAL_NODES_MAX];
    for (int k = 0; k < b->mesh->node_count; k++)
        b->local[k] = -1;
    for (int k = 0; k < b->mesh->node_count; k++) {
        if (b->begin[k] == b->begin[k + 1])
            continue;
        b->size[k] = collect(b, k, nodes);
        clear_local(b, k);
        if (b->size[k] > CAROM_NODAL_NODES_MAX)
            return carom_fail(error, CAROM_BAD_INPUT, "node %lld has %d neighbours; element '%s' supports at most %d",
                              (long long)carom_mesh_node_id(b->mesh, k), b->size[k] - 1, b->design->patch->kind.name,
                              CAROM_NODAL_NODES_MAX - 1);
    }
    return CAROM_OK;
}

// The faces opposite to the node in its tetrahedra, by the indices of their nodes in the patch. Seen from the node they turn
// clockwise, so that the triple product of the three positions relative to the node is positive. Unused entries stay zero: a
// face whose three corners are the node itself adds no volume.
static void fill_faces(const builder *b, int node, int e, carom_group *group) {
    // for each node of a tetrahedron the other three, so that the four are an even permutation
    static const int others[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    int place = carom_nodal_size(group->node_count);
    for (int i = b->begin[node]; i < b->begin[node + 1]; i++) {
        const corner *c = &b->corners[i];
        const int *cell = nodes_of(b, c);
        for (int k = 0; k < 3; k++)
            group->data[carom_lane(e, place++, group->data_size)] = b->local[cell[others[c->place][k]]];
    }
}

// Writes nodes, gradients and volume of the patch of a node.
static void fill_patch(builder *b, int node, carom_group *group) {
    int e = group->count++, n = group->node_count, *nodes = &group->nodes[(ptrdiff_t)e * n];
    double g[CAROM_NODAL_NODES_MAX][3] = {{0}}, volume = 0;
    collect(b, node, nodes);
    for (int i = b->begin[node]; i < b->begin[node + 1]; i++) {
        const corner *c = &b->corners[i];
        carom_solid_point p = point_of(b, c);
        const int *cell = nodes_of(b, c);
        volume += p.volume;
        for (int a = 0; a < carom_cell_size(b->mesh->blocks[c->block].type); a++)
            carom_add_scaled(p.volume, p.g[a], g[b->local[cell[a]]]);
    }
    if (b->design->faces)
        fill_faces(b, node, e, group);
    clear_local(b, node);
    for (int a = 0; a < n; a++) {
        for (int i = 0; i < 3 && a > 0; i++)
            group->data[carom_lane(e, 3 * (a - 1) + i, group->data_size)] = g[a][i] / volume;
        // k_ab; share_out turns it into the share when all patches are known.
        double k = carom_norm(g[a]);
        group->data[carom_lane(e, carom_nodal_share(n, a), group->data_size)] = k;
        b->area[nodes[a]] += k;
    }
    group->data[carom_lane(e, carom_nodal_volume(n), group->data_size)] = volume;
}

// Turns k_ab into the share V_b k_ab/(sum_a k_ab) of the volume of each node; `part` is the share of all patches together.
static void share_out(const builder *b, double part, carom_group *group) {
    int n = group->node_count;
    for (int i = 0; i < group->count * n; i++) {
        int node = group->nodes[i];
        double *k = &group->data[carom_lane(i / n, carom_nodal_share(n, i % n), group->data_size)];
        *k *= part * b->volume[node] / b->area[node];
    }
}

static bool reserve(carom_arena *arena, int count, int data_size, carom_group *group) {
    group->data_size = data_size;
    group->nodes = carom_arena_allocate(arena, (int64_t)count * group->node_count, sizeof *group->nodes);
    group->data = carom_arena_allocate(arena, carom_lanes_size(count, data_size), sizeof *group->data);
    return group->nodes && group->data;
}

// The blocks of the mesh become groups of cells as they are; `first` is the number of cells in the blocks before.
static carom_status add_cells(const builder *b, carom_arena *arena, carom_arrangement *arrangement, carom_error *error) {
    const carom_mesh *mesh = b->mesh;
    for (int k = 0, first = 0; k < mesh->block_count; first += mesh->blocks[k++].count) {
        const carom_cell_block *cells = &mesh->blocks[k];
        const carom_element *element = cells->type == CAROM_CELL_TET4 ? b->design->tet4 : b->design->hex8;
        carom_group *group = &arrangement->groups[arrangement->group_count++];
        *group = (carom_group){.element = element, .count = cells->count, .node_count = element->node_count};
        group->cells = carom_arena_allocate(arena, cells->count, sizeof *group->cells);
        if (!group->cells || !reserve(arena, cells->count, element->data_size, group))
            return no_memory(error);
        memcpy(group->nodes, cells->nodes, (size_t)cells->count * (size_t)element->node_count * sizeof *group->nodes);
        for (int c = 0; c < cells->count; c++)
            group->cells[c] = first + c;
    }
    return CAROM_OK;
}

// Patches of equal size form a group.
static carom_status add_patches(builder *b, carom_arena *arena, const int count[], const int faces[],
                                carom_arrangement *arrangement, carom_error *error) {
    carom_group *of[CAROM_NODAL_NODES_MAX + 1] = {NULL};
    for (int n = 1; n <= CAROM_NODAL_NODES_MAX; n++) {
        if (count[n] == 0)
            continue;
        of[n] = &arrangement->groups[arrangement->group_count++];
        *of[n] = (carom_group){.element = b->design->patch, .node_count = n};
        if (!reserve(arena, count[n], carom_nodal_size(n) + (b->design->faces ? 3 * faces[n] : 0), of[n]))
            return no_memory(error);
    }
    for (int k = 0; k < b->mesh->node_count; k++)
        if (b->size[k])
            fill_patch(b, k, of[b->size[k]]);
    for (int n = 1; n <= CAROM_NODAL_NODES_MAX; n++)
        if (of[n])
            share_out(b, b->design->part, of[n]);
    return CAROM_OK;
}

// One group per block of the mesh, and one per size of patch.
static carom_status make_groups(builder *b, carom_arena *arena, carom_arrangement *arrangement, carom_error *error) {
    // patches of each size, and the most cells around a node of one
    int count[CAROM_NODAL_NODES_MAX + 1] = {0}, cells[CAROM_NODAL_NODES_MAX + 1] = {0}, groups = b->mesh->block_count;
    for (int k = 0; k < b->mesh->node_count; k++) {
        int n = b->size[k], own = b->begin[k + 1] - b->begin[k];
        if (n && count[n]++ == 0)
            groups++;
        cells[n] = own > cells[n] ? own : cells[n];
    }
    arrangement->groups = carom_arena_allocate(arena, groups, sizeof *arrangement->groups);
    carom_status status = arrangement->groups ? add_cells(b, arena, arrangement, error) : no_memory(error);
    return status ? status : add_patches(b, arena, count, cells, arrangement, error);
}

// Volumes first, because they refuse inverted cells.
carom_status carom_patches_arrange(const carom_patch_design *design, const carom_mesh *mesh, carom_arena *arena,
                                   carom_arrangement *arrangement, carom_error *error) {
    *arrangement = (carom_arrangement){0};
    builder b = {.design = design, .mesh = mesh};
    make_octants(b.octants);
    b.begin = carom_allocate((int64_t)mesh->node_count + 1, sizeof *b.begin);
    b.local = carom_allocate(mesh->node_count, sizeof *b.local);
    b.size = carom_allocate(mesh->node_count, sizeof *b.size);
    b.volume = carom_allocate(mesh->node_count, sizeof *b.volume);
    b.area = carom_allocate(mesh->node_count, sizeof *b.area);
    bool memory = b.begin && b.local && b.size && b.volume && b.area;
    carom_status status = memory ? add_volumes(&b, error) : no_memory(error);
    if (!status)
        status = list_corners(&b, error);
    if (!status)
        status = measure(&b, error);
    if (!status)
        status = make_groups(&b, arena, arrangement, error);
    free(b.begin);
    free(b.corners);
    free(b.local);
    free(b.size);
    free(b.volume);
    free(b.area);
    return status;
}

carom_status carom_nodal_arrange(const void *params, const carom_mesh *mesh, carom_arena *arena, carom_arrangement *arrangement,
                                 carom_error *error) {
    carom_patch_design design = {&carom_nodal_tet4.element, &carom_nodal_hex8.element, &carom_nodal_patch, false,
                                 1 - carom_nodal_cell_share(params)};
    return carom_patches_arrange(&design, mesh, arena, arrangement, error);
}
