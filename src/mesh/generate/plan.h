// SPDX-License-Identifier: MIT
// Plans of generators: plane meshes of quadrilaterals, used as they are or extruded along z to solids.
#ifndef CAROM_MESH_GENERATE_PLAN_H
#define CAROM_MESH_GENERATE_PLAN_H

#include <stdint.h>

#include "carom/mesh.h"

// A plane mesh of quad4 cells with the sides of its nodes, as carom_mesh_add_sides expects them.
typedef struct carom_plan {
    carom_mesh mesh;
    uint8_t *bits;
} carom_plan;

// A ring about `center`; side 0 is the inner circle, side 1 the outer one.
carom_status carom_plan_ring(const double center[3], double inner, double outer, int around, int layers, carom_plan *plan,
                             carom_error *error);
// A disc about `center`; side 0 is its rim.
carom_status carom_plan_disc(const double center[3], double radius, int divisions, int layers, carom_plan *plan,
                             carom_error *error);

// Convert a plan to the mesh of a generator, plane or extruded: cells are split with `split`, and sides are named as by
// carom_mesh_finish_plane and carom_mesh_finish_solid. They release the plan. On failure the mesh may be incomplete; the caller
// releases it.
carom_status carom_plan_finish(carom_plan *plan, bool split, const char *const *names, carom_mesh *mesh, carom_error *error);
carom_status carom_plan_finish_solid(carom_plan *plan, int side_count, double height, int slices, bool split,
                                     const char *const *names, carom_mesh *mesh, carom_error *error);

#endif
