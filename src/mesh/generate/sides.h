// SPDX-License-Identifier: MIT
// The last steps of a generator: cells are split if simplices are requested, the sides of the body are found and named.
#ifndef CAROM_MESH_GENERATE_SIDES_H
#define CAROM_MESH_GENERATE_SIDES_H

#include <stdint.h>

#include "carom/mesh.h"
#include "mesh/topology.h"

// Splits every quadrilateral into two triangles and every hexahedron into six tetrahedra. Faces are cut by the diagonal from
// their smallest node, so that neighbours fit. Cell sets and face sets must not have been made yet.
carom_status carom_mesh_split(carom_mesh *mesh, carom_error *error);

// Edges that belong to one face only, in the direction of that face. Free with free().
carom_status carom_mesh_rim(const carom_mesh *mesh, carom_facet **edges, int *count, carom_error *error);

// Sides are numbered from 0; bit s of bits[k] is set if node k is on side s. For each different name in `names`, which ends
// with NULL, adds a face set of the facets whose nodes are all on one side of that name, and a node set of their nodes.
carom_status carom_mesh_add_sides(carom_mesh *mesh, const carom_facet *facets, int count, const uint8_t *bits,
                                  const char *const *names, carom_error *error);
// Ends a generator of a solid or of a closed surface: splits cells with `split`, names the sides, adds `surface`.
carom_status carom_mesh_finish_solid(carom_mesh *mesh, bool split, const uint8_t *bits, const char *const *names,
                                     carom_error *error);
// Ends a generator of an open plane mesh: splits cells with `split`, names its edges.
carom_status carom_mesh_finish_plane(carom_mesh *mesh, bool split, const uint8_t *bits, const char *const *names,
                                     carom_error *error);

// Adds the sets xmin, xmax, ymin, ymax, zmin, zmax of the outermost nodes.
carom_status carom_mesh_add_extremes(carom_mesh *mesh, carom_error *error);

#endif
