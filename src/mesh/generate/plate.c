// SPDX-License-Identifier: MIT
// Generates a plate: a thin solid box, given by its centre, length, width and thickness. The four narrow sides are one set, the
// rim.
#include "mesh/generate/box.h"
#include "mesh/mesh.h"
#include "mesh/rows.h"

static const carom_param params[] = {
    CAROM_ROW_POINT(carom_plate_params, center, "[0, 0, 0]", "Centre of the plate."),
    CAROM_ROW_LENGTH(carom_plate_params, length, NULL, "Extent along x."),
    CAROM_ROW_LENGTH(carom_plate_params, width, NULL, "Extent along y."),
    CAROM_ROW_LENGTH(carom_plate_params, thickness, NULL, "Extent along z."),
    CAROM_ROW_COUNT(carom_plate_params, columns, 1, NULL, "Cells along x."),
    CAROM_ROW_COUNT(carom_plate_params, rows, 1, NULL, "Cells along y."),
    CAROM_ROW_COUNT(carom_plate_params, layers, 1, "1", "Cells through the thickness."),
    CAROM_ROW_SOLID_CELLS(carom_plate_params),
};

static double cell_count(const void *params_) {
    const carom_plate_params *p = params_;
    return (double)p->columns * p->rows * p->layers * (p->cells == CAROM_SOLID_TET4 ? 6 : 1);
}

// Coordinate of the k-th lattice plane along an axis; the planes are symmetric about the centre.
static double plane(const void *params_, int axis, int k) {
    const carom_plate_params *p = params_;
    const double size[3] = {p->length, p->width, p->thickness};
    const int n[3] = {p->columns, p->rows, p->layers};
    return p->center[axis] + size[axis] * ((double)k / n[axis] - 0.5);
}

static carom_status generate(const void *params_, carom_mesh *mesh, carom_error *error) {
    // One name for four sides: carom_mesh_add_sides joins them in one set.
    static const char *const names[] = {"rim", "rim", "rim", "rim", "bottom", "top", NULL};
    const carom_plate_params *p = params_;
    return carom_mesh_lattice((const int[]){p->columns, p->rows, p->layers}, plane, p, p->cells == CAROM_SOLID_TET4, names,
                              mesh, error);
}

const carom_generator carom_generator_plate = {
    CAROM_GENERATOR_KIND("plate", carom_plate_params, params,
                         "A thin solid box about its centre. Sets: top, bottom, rim, surface.", ""),
    .cell_count = cell_count,
    .generate = generate,
};
