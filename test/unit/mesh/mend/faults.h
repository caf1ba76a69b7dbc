// SPDX-License-Identifier: MIT
// Meshes with deliberate faults.
#ifndef CAROM_TEST_FAULTS_H
#define CAROM_TEST_FAULTS_H

#include "../../../support.h"
#include "mesh/mend/weld.h"
#include "mesh/mesh.h"

static inline void generate(const char *name, const void *params, carom_mesh *mesh) {
    carom_pick pick = {carom_catalogue_find(carom_generators(), name), params};
    assert_ok(carom_mesh_generate(pick, mesh, error));
}

static inline void make_box(carom_mesh *mesh, carom_solid_cells cells) {
    carom_box_params p = {.to = {3, 2, 1}, .elements = {3, 2, 1}, .grading = {1, 1, 1}, .cells = cells};
    generate("box", &p, mesh);
}

static inline void make_sphere(carom_mesh *mesh) {
    carom_sphere_params p = {.radius = 1, .faces = 128};
    generate("sphere", &p, mesh);
}

static inline carom_mesh_faults faults_of(const carom_mesh *mesh) {
    carom_mesh_faults faults;
    assert_ok(carom_mesh_check(mesh, &faults, error));
    return faults;
}

// Exactly `count` faults of the kind `fault`, and no others except open edges.
static inline void assert_only(const carom_mesh_faults *faults, carom_mesh_fault fault, int64_t count) {
    for (int f = 0; f < CAROM_FAULT_COUNT; f++)
        if (f != CAROM_FAULT_OPEN && faults->count[f] != (f == (int)fault ? count : 0))
            fail_msg("%lld %s", (long long)faults->count[f], carom_mesh_fault_name((carom_mesh_fault)f));
}

static inline carom_mesh_faults fix(carom_mesh *mesh) {
    carom_mesh_faults changes;
    assert_ok(carom_mesh_fix(mesh, &changes, error));
    return changes;
}

static inline void swap(int *a, int *b) {
    int c = *a;
    *a = *b;
    *b = c;
}

// Numbers as in a file: nodes from 100, cells from 1000.
static inline void number(carom_mesh *mesh) {
    mesh->node_ids = calloc((size_t)mesh->node_count, sizeof *mesh->node_ids);
    mesh->blocks[0].ids = calloc((size_t)mesh->blocks[0].count, sizeof *mesh->blocks[0].ids);
    for (int k = 0; k < mesh->node_count; k++)
        mesh->node_ids[k] = 100 + k;
    for (int e = 0; e < mesh->blocks[0].count; e++)
        mesh->blocks[0].ids[e] = 1000 + e;
}

// Adds a node at the end of the list.
static inline int add_node(carom_mesh *mesh, const double at[3]) {
    double x[3] = {at[0], at[1], at[2]};
    int k = mesh->node_count++;
    mesh->nodes = realloc(mesh->nodes, (size_t)mesh->node_count * sizeof *mesh->nodes);
    memcpy(mesh->nodes[k], x, sizeof *mesh->nodes);
    if (mesh->node_ids) {
        mesh->node_ids = realloc(mesh->node_ids, (size_t)mesh->node_count * sizeof *mesh->node_ids);
        mesh->node_ids[k] = 100 + k;
    }
    return k;
}

// Appends the cells of a sphere to a mesh of triangles, reversed or not.
static inline void append_sphere(carom_mesh *mesh, double radius, double x, bool turned) {
    carom_mesh sphere;
    carom_sphere_params p = {.center = {x, 0, 0}, .radius = radius, .faces = 128};
    generate("sphere", &p, &sphere);
    int nodes = mesh->node_count, cells = mesh->blocks[0].count;
    carom_cell_block *block = &mesh->blocks[0];
    mesh->nodes = realloc(mesh->nodes, (size_t)(nodes + sphere.node_count) * sizeof *mesh->nodes);
    block->nodes = realloc(block->nodes, 3 * (size_t)(cells + 128) * sizeof *block->nodes);
    memcpy(mesh->nodes + nodes, sphere.nodes, (size_t)sphere.node_count * sizeof *mesh->nodes);
    for (int e = 0; e < 128; e++) {
        int *cell = &block->nodes[3 * (cells + e)];
        for (int i = 0; i < 3; i++)
            cell[i] = nodes + sphere.blocks[0].nodes[3 * e + i];
        if (turned)
            swap(&cell[1], &cell[2]);
    }
    mesh->node_count += sphere.node_count;
    block->count += 128;
    carom_mesh_release(&sphere);
}

#endif
