// SPDX-License-Identifier: MIT
#include "mesh/generate/extrude.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/mesh.h"

void carom_plan_release(carom_plan *plan) {
    carom_mesh_release(&plan->mesh);
    free(plan->bits);
    plan->bits = NULL;
}

carom_status carom_plan_extrude(const carom_plan *plan, int side_count, double height, int slices, carom_plan *solid,
                                carom_error *error) {
    *solid = (carom_plan){0};
    int64_t nodes = plan->mesh.node_count, quads = plan->mesh.blocks[0].count;
    carom_status status = carom_mesh_allocate(&solid->mesh, nodes * (slices + 1), CAROM_CELL_HEX8, quads * slices, error);
    if (status)
        return status;
    solid->bits = carom_allocate(nodes * (slices + 1), sizeof *solid->bits);
    if (!solid->bits) {
        carom_plan_release(solid);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the sides of a mesh");
    }

    for (int s = 0; s <= slices; s++)
        for (int64_t k = 0; k < nodes; k++) {
            double *x = solid->mesh.nodes[s * nodes + k];
            memcpy(x, plan->mesh.nodes[k], sizeof solid->mesh.nodes[0]);
            x[2] += height * s / slices;
            unsigned ends = (s == 0 ? 1u : 0u) | (s == slices ? 2u : 0u);
            solid->bits[s * nodes + k] = (uint8_t)(plan->bits[k] | ends << side_count);
        }
    for (int s = 0; s < slices; s++)
        for (int64_t q = 0; q < quads; q++)
            for (int i = 0; i < 8; i++)
                solid->mesh.blocks[0].nodes[8 * (s * quads + q) + i] =
                    plan->mesh.blocks[0].nodes[4 * q + i % 4] + (int)((s + i / 4) * nodes);
    return CAROM_OK;
}
