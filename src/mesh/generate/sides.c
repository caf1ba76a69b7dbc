// SPDX-License-Identifier: MIT
// Naming of the sides of a generated mesh. Generators provide for each node the sides on which it lies; a facet lies on a side
// if all of its nodes do.
#include "mesh/generate/sides.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/mesh.h"

carom_status carom_mesh_rim(const carom_mesh *mesh, carom_facet **edges, int *count, carom_error *error) {
    *edges = NULL;
    *count = 0;
    carom_boundary faces;
    int side_count, *sides = NULL;
    carom_status status = carom_boundary_create(&faces, mesh, NULL, NULL, error);
    if (!status)
        status = carom_boundary_edges(&faces, &sides, &side_count, error);
    carom_facet *found = status ? NULL : carom_allocate(side_count, sizeof *found);
    if (!status && !found)
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the rim of a mesh");
    for (int i = 0, end; found && i < side_count; i = end) {
        // An edge of one face alone is on the rim.
        end = carom_edge_run(sides, side_count, i);
        if (end - i > 1)
            continue;
        carom_edge edge = carom_boundary_edge(&faces, sides[i]);
        carom_facet face = carom_boundary_facet(&faces, edge.face);
        // The direction of the face is kept, with the face on its left.
        found[(*count)++] = (carom_facet){{edge.from, edge.to, -1, -1}, face.block, face.cell};
    }
    carom_boundary_release(&faces);
    free(sides);
    *edges = found;
    return status;
}

// The facets whose nodes all share a bit of `wanted`; all facets if there are no bits.
static int choose(const carom_facet *facets, int count, const uint8_t *bits, unsigned wanted, carom_facet *chosen) {
    int kept = 0;
    for (int f = 0; f < count; f++) {
        unsigned common = wanted;
        for (int i = 0; i < carom_facet_size(facets[f].nodes) && bits; i++)
            // A facet across a corner of the body may have all of its nodes on some side, but not all on the same one.
            common &= bits[facets[f].nodes[i]];
        if (common)
            chosen[kept++] = facets[f];
    }
    return kept;
}

carom_status carom_mesh_add_sides(carom_mesh *mesh, const carom_facet *facets, int count, const uint8_t *bits,
                                  const char *const *names, carom_error *error) {
    carom_facet *chosen = carom_allocate(count, sizeof *chosen);
    carom_status status = CAROM_OK;
    if (!chosen)
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the sides of a mesh");
    for (int s = 0; !status && names[s]; s++) {
        // A name that has been given already was treated with its first occurrence.
        if (carom_mesh_set(mesh, names[s]))
            continue;
        // Several sides may have the same name: they form one set.
        unsigned wanted = 0;
        for (int t = s; names[t]; t++)
            if (strcmp(names[t], names[s]) == 0)
                wanted |= 1u << t;
        status = carom_mesh_add_facets(mesh, names[s], chosen, choose(facets, count, bits, wanted, chosen), error);
    }
    free(chosen);
    return status;
}

carom_status carom_mesh_finish_solid(carom_mesh *mesh, bool split, const uint8_t *bits, const char *const *names,
                                     carom_error *error) {
    // Splitting comes first, so that face sets hold the faces of the final cells.
    carom_status status = split ? carom_mesh_split(mesh, error) : CAROM_OK;
    carom_facet *facets = NULL;
    int count;
    if (!status)
        status = carom_mesh_surface(mesh, &facets, &count, error);
    if (!status)
        status = carom_mesh_add_sides(mesh, facets, count, bits, names, error);
    if (!status)
        status = carom_mesh_add_facets(mesh, "surface", facets, count, error);
    free(facets);
    return status;
}

carom_status carom_mesh_finish_plane(carom_mesh *mesh, bool split, const uint8_t *bits, const char *const *names,
                                     carom_error *error) {
    carom_status status = split ? carom_mesh_split(mesh, error) : CAROM_OK;
    carom_facet *edges = NULL;
    int count;
    if (!status)
        status = carom_mesh_rim(mesh, &edges, &count, error);
    if (!status)
        status = carom_mesh_add_sides(mesh, edges, count, bits, names, error);
    free(edges);
    return status;
}

// For bodies without plane sides: a sphere has one outermost node, or a few, along each axis.
carom_status carom_mesh_add_extremes(carom_mesh *mesh, carom_error *error) {
    static const char *const names[3][2] = {{"xmin", "xmax"}, {"ymin", "ymax"}, {"zmin", "zmax"}};
    int *nodes = carom_allocate(mesh->node_count, sizeof *nodes);
    if (!nodes)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the sets of a mesh");
    carom_status status = CAROM_OK;
    double low[3], high[3];
    carom_mesh_bounds(mesh, low, high);
    for (int axis = 0; axis < 3; axis++)
        for (int end = 0; end < 2 && !status; end++) {
            int count = 0;
            for (int k = 0; k < mesh->node_count; k++)
                // Nodes of a sphere are normalised, so the outermost ones agree only up to rounding. 1e-12 of the extent is
                // far below the size of any cell.
                if (fabs(mesh->nodes[k][axis] - (end ? high : low)[axis]) <= 1e-12 * (high[axis] - low[axis]))
                    nodes[count++] = k;
            status = carom_mesh_add_set(mesh, names[axis][end], nodes, count, error);
        }
    free(nodes);
    return status;
}
