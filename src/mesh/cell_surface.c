// SPDX-License-Identifier: MIT
// Adds the surface of a solid mesh to it as named sets, or replaces the mesh by its surface.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/cone.h"
#include "mesh/mesh.h"
#include "mesh/topology.h"

static const char name[] = "surface";

carom_status carom_mesh_add_facets(carom_mesh *mesh, const char *set_name, const carom_facet *facets, int count,
                                   carom_error *error) {
    int(*faces)[4] = carom_allocate(count, sizeof *faces), *nodes = carom_allocate(4 * (int64_t)count, sizeof *nodes);
    int corners = 0;
    carom_status status = CAROM_OK;
    for (int f = 0; faces && nodes && f < count; f++) {
        memcpy(faces[f], facets[f].nodes, sizeof *faces);
        for (int i = 0; i < carom_facet_size(facets[f].nodes); i++)
            nodes[corners++] = facets[f].nodes[i];
    }
    if (!faces || !nodes)
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the sides of a mesh");
    // Repetitions among the nodes are dropped by carom_mesh_add_set.
    if (!status)
        status = carom_mesh_add_set(mesh, set_name, nodes, corners, error);
    if (!status)
        status = carom_mesh_add_face_set(mesh, set_name, (const int(*)[4])faces, count, error);
    free(faces);
    free(nodes);
    return status;
}

carom_status carom_mesh_name_surface(carom_mesh *mesh, carom_error *error) {
    // A cell set of that name selects nodes too, and would be hidden by a node set.
    if (carom_mesh_dimension(mesh) < 3 || carom_mesh_set(mesh, name) || carom_mesh_face_set(mesh, name) ||
        carom_mesh_cell_set(mesh, name))
        return CAROM_OK;
    carom_facet *facets;
    int count;
    carom_status status = carom_mesh_surface(mesh, &facets, &count, error);
    // A mesh of overlapping cells may have no free face at all; other checks report this.
    if (!status && count)
        status = carom_mesh_add_facets(mesh, name, facets, count, error);
    free(facets);
    return status;
}

// The surface consists of triangles, as shells require: quadrilaterals are cut.
static int cut_facets(const carom_facet *facets, int count, int *triangles) {
    int made = 0;
    for (int f = 0; f < count; f++) {
        int halves[2][3];
        if (carom_facet_size(facets[f].nodes) == 4)
            carom_cut_quad(facets[f].nodes, halves);
        else
            memcpy(halves[0], facets[f].nodes, sizeof halves[0]);
        int pieces = carom_facet_size(facets[f].nodes) == 4 ? 2 : 1;
        memcpy(triangles + 3 * made, halves, (size_t)pieces * sizeof *halves);
        made += pieces;
    }
    return made;
}

carom_status carom_mesh_cell_surface(carom_mesh *mesh, carom_error *error) {
    carom_facet *facets;
    int count;
    carom_status status = carom_mesh_surface(mesh, &facets, &count, error);
    if (status)
        return status;
    int *triangles = carom_allocate(6 * (int64_t)count, sizeof *triangles);
    if (!triangles) {
        free(facets);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the surface of a mesh");
    }
    int made = cut_facets(facets, count, triangles);
    free(facets);
    // Cells and their sets are dropped; sets of nodes keep the part that lies on the surface.
    carom_mesh_drop_cells(mesh);
    mesh->block_count = 1;
    mesh->blocks[0] = (carom_cell_block){.type = CAROM_CELL_TRI3, .count = made, .nodes = triangles};
    return carom_mesh_drop_unused(mesh, error);
}
