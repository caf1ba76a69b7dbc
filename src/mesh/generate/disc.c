// SPDX-License-Identifier: MIT
// Generates a flat disc, and the cylinder extruded from it.
#include "mesh/generate/plan.h"
#include "mesh/mesh.h"
#include "mesh/rows.h"

static const carom_param disc_params[] = {
    CAROM_ROW_POINT(carom_disc_params, center, "[0, 0, 0]", "Centre of the disc."),
    CAROM_ROW_LENGTH(carom_disc_params, radius, "1", "Radius."),
    CAROM_ROW_COUNT(carom_disc_params, divisions, 1, NULL,
                    "Cells along a side of the square core; a quarter of those around the rim."),
    CAROM_ROW_COUNT(carom_disc_params, layers, 1, NULL, "Cells between the core and the rim."),
    CAROM_ROW_PLANE_CELLS(carom_disc_params),
};

static const carom_param cylinder_params[] = {
    CAROM_ROW_POINT(carom_cylinder_params, center, "[0, 0, 0]", "Centre of the bottom."),
    CAROM_ROW_LENGTH(carom_cylinder_params, radius, NULL, "Radius."),
    CAROM_ROW_LENGTH(carom_cylinder_params, height, NULL, "Extent along z."),
    CAROM_ROW_COUNT(carom_cylinder_params, divisions, 1, NULL,
                    "Cells along a side of the square core; a quarter of those around the side."),
    CAROM_ROW_COUNT(carom_cylinder_params, layers, 1, NULL, "Cells between the core and the side."),
    CAROM_ROW_COUNT(carom_cylinder_params, slices, 1, NULL, "Cells along z."),
    CAROM_ROW_SOLID_CELLS(carom_cylinder_params),
};

// n^2 cells of the core, and 4 n per layer.
static double disc_cell_count(const void *params) {
    const carom_disc_params *p = params;
    return (double)p->divisions * (p->divisions + 4.0 * p->layers) * (p->cells == CAROM_PLANE_TRI3 ? 2 : 1);
}

static double cylinder_cell_count(const void *params) {
    const carom_cylinder_params *p = params;
    return (double)p->divisions * (p->divisions + 4.0 * p->layers) * p->slices * (p->cells == CAROM_SOLID_TET4 ? 6 : 1);
}

static carom_status generate_disc(const void *params, carom_mesh *mesh, carom_error *error) {
    static const char *const names[] = {"rim", NULL};
    const carom_disc_params *p = params;
    carom_plan plan;
    carom_status status = carom_plan_disc(p->center, p->radius, p->divisions, p->layers, &plan, error);
    if (status)
        return status;
    status = carom_plan_finish(&plan, p->cells == CAROM_PLANE_TRI3, names, mesh, error);

    // The core has a node in the middle if its number of cells is even: that of row and column n/2, n/2 (n + 1) + n/2.
    int middle = p->divisions / 2 * (p->divisions + 2);
    if (!status && p->divisions % 2 == 0)
        status = carom_mesh_add_set(mesh, "center", &middle, 1, error);
    return status;
}

static carom_status generate_cylinder(const void *params, carom_mesh *mesh, carom_error *error) {
    static const char *const names[] = {"side", "bottom", "top", NULL};
    const carom_cylinder_params *p = params;
    carom_plan plan;
    carom_status status = carom_plan_disc(p->center, p->radius, p->divisions, p->layers, &plan, error);
    if (status)
        return status;
    return carom_plan_finish_solid(&plan, 1, p->height, p->slices, p->cells == CAROM_SOLID_TET4, names, mesh, error);
}

const carom_generator carom_generator_disc = {
    CAROM_GENERATOR_KIND("disc", carom_disc_params, disc_params,
                         "A flat disc across z, with a square core. Sets: rim, and center if `divisions` is even.", ""),
    .cell_count = disc_cell_count,
    .generate = generate_disc,
};

const carom_generator carom_generator_cylinder = {
    CAROM_GENERATOR_KIND("cylinder", carom_cylinder_params, cylinder_params,
                         "A solid cylinder along z. Sets: bottom, top, side, surface.", ""),
    .cell_count = cylinder_cell_count,
    .generate = generate_cylinder,
};
