// SPDX-License-Identifier: MIT
// Generates a flat ring, and the tube extruded from it.
#include "mesh/generate/plan.h"
#include "mesh/mesh.h"
#include "mesh/rows.h"

static const carom_param ring_params[] = {
    CAROM_ROW_POINT(carom_ring_params, center, "[0, 0, 0]", "Centre of the ring."),
    CAROM_ROW_LENGTH(carom_ring_params, inner, NULL, "Inner radius."),
    CAROM_ROW_LENGTH(carom_ring_params, outer, NULL, "Outer radius."),
    CAROM_ROW_COUNT(carom_ring_params, around, 3, NULL, "Cells around."),
    CAROM_ROW_COUNT(carom_ring_params, layers, 1, "1", "Cells between the radii."),
    CAROM_ROW_PLANE_CELLS(carom_ring_params),
};

static const carom_param tube_params[] = {
    CAROM_ROW_POINT(carom_tube_params, center, "[0, 0, 0]", "Centre of the bottom."),
    CAROM_ROW_LENGTH(carom_tube_params, inner, NULL, "Inner radius."),
    CAROM_ROW_LENGTH(carom_tube_params, outer, NULL, "Outer radius."),
    CAROM_ROW_LENGTH(carom_tube_params, height, NULL, "Extent along z."),
    CAROM_ROW_COUNT(carom_tube_params, around, 3, NULL, "Cells around."),
    CAROM_ROW_COUNT(carom_tube_params, layers, 1, "1", "Cells between the radii."),
    CAROM_ROW_COUNT(carom_tube_params, slices, 1, NULL, "Cells along z."),
    CAROM_ROW_SOLID_CELLS(carom_tube_params),
};

static double ring_cell_count(const void *params) {
    const carom_ring_params *p = params;
    return (double)p->around * p->layers * (p->cells == CAROM_PLANE_TRI3 ? 2 : 1);
}

static double tube_cell_count(const void *params) {
    const carom_tube_params *p = params;
    return (double)p->around * p->layers * p->slices * (p->cells == CAROM_SOLID_TET4 ? 6 : 1);
}

// The table checks each radius separately; this checks them together.
static carom_status plan_ring(const char *name, const double center[3], double inner, double outer, int around, int layers,
                              carom_plan *plan, carom_error *error) {
    if (outer > inner)
        return carom_plan_ring(center, inner, outer, around, layers, plan, error);
    return carom_fail(error, CAROM_BAD_INPUT, "%s: `outer` (%g) must be larger than `inner` (%g)", name, outer, inner);
}

static carom_status generate_ring(const void *params, carom_mesh *mesh, carom_error *error) {
    static const char *const names[] = {"inner", "outer", NULL};
    const carom_ring_params *p = params;
    carom_plan plan;
    carom_status status = plan_ring("ring", p->center, p->inner, p->outer, p->around, p->layers, &plan, error);
    if (status)
        return status;
    return carom_plan_finish(&plan, p->cells == CAROM_PLANE_TRI3, names, mesh, error);
}

static carom_status generate_tube(const void *params, carom_mesh *mesh, carom_error *error) {
    static const char *const names[] = {"inner", "outer", "bottom", "top", NULL};
    const carom_tube_params *p = params;
    carom_plan plan;
    carom_status status = plan_ring("tube", p->center, p->inner, p->outer, p->around, p->layers, &plan, error);
    if (status)
        return status;
    return carom_plan_finish_solid(&plan, 2, p->height, p->slices, p->cells == CAROM_SOLID_TET4, names, mesh, error);
}

const carom_generator carom_generator_ring = {
    CAROM_GENERATOR_KIND("ring", carom_ring_params, ring_params, "A flat ring across z. Sets: inner, outer.", ""),
    .cell_count = ring_cell_count,
    .generate = generate_ring,
};

const carom_generator carom_generator_tube = {
    CAROM_GENERATOR_KIND("tube", carom_tube_params, tube_params,
                         "A solid tube along z. Sets: bottom, top, inner, outer, surface.", ""),
    .cell_count = tube_cell_count,
    .generate = generate_tube,
};
