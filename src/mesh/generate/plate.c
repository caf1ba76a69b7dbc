// SPDX-License-Identifier: MIT
// A thin solid box, given by its centre, extents and thickness as plates are. The four narrow sides are one set, the rim.
#include <stdlib.h>

#include "base/allocate.h"
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

static carom_status generate(const void *params_, carom_mesh *mesh, carom_error *error) {
    // One name for four sides: carom_mesh_add_sides joins them in one set.
    static const char *const names[] = {"rim", "rim", "rim", "rim", "bottom", "top", NULL};
    const carom_plate_params *p = params_;
    int n[3] = {p->columns, p->rows, p->layers};
    double size[3] = {p->length, p->width, p->thickness}, *x[3];
    bool complete = true;
    for (int i = 0; i < 3; i++) {
        x[i] = carom_allocate((int64_t)n[i] + 1, sizeof **x);
        complete = complete && x[i];
        for (int k = 0; x[i] && k <= n[i]; k++)
            // Symmetric about the centre.
            x[i][k] = p->center[i] + size[i] * ((double)k / n[i] - 0.5);
    }
    carom_status status = complete ? carom_mesh_lattice(n, x, p->cells == CAROM_SOLID_TET4, names, mesh, error)
                                   : carom_fail(error, CAROM_NO_MEMORY, "no memory for a plate");
    for (int i = 0; i < 3; i++)
        free(x[i]);
    return status;
}

const carom_generator carom_generator_plate = {
    CAROM_GENERATOR_KIND("plate", carom_plate_params, params,
                         "A thin solid box about its centre. Sets: top, bottom, rim, surface.", ""),
    .cell_count = cell_count,
    .generate = generate,
};
