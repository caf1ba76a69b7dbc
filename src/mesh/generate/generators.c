// SPDX-License-Identifier: MIT
// The catalogue of mesh generators, and the call of one with checked parameters.
#include <stdlib.h>

#include "base/catalogue.h"
#include "mesh/mesh.h"

#define KINDS                                                                                                              \
    &carom_generator_curve.kind, &carom_generator_line.kind, &carom_generator_point.kind, &carom_generator_rectangle.kind, \
        &carom_generator_box.kind, &carom_generator_plate.kind, &carom_generator_ring.kind, &carom_generator_disc.kind,    \
        &carom_generator_hexagonal_disc.kind, &carom_generator_cylinder.kind, &carom_generator_tube.kind,                  \
        &carom_generator_sphere.kind, &carom_generator_ball.kind, &carom_generator_cube.kind, &carom_generator_file.kind

static const carom_kind *kinds[CAROM_CATALOGUE_MAX] = {KINDS};
static carom_catalogue catalogue = {"mesh", sizeof((const carom_kind *[]){KINDS}) / sizeof *kinds, kinds};

const carom_catalogue *carom_generators(void) {
    return &catalogue;
}

carom_status carom_register_generator(const carom_generator *generator, carom_error *error) {
    if (!generator->generate)
        return carom_fail(error, CAROM_BAD_INPUT, "a generator needs a function `generate`");
    return carom_catalogue_add(&catalogue, kinds, &generator->kind, error);
}

// Parameters are checked here too, since a C program may fill them by itself.
carom_status carom_mesh_generate(carom_pick generator, carom_mesh *mesh, carom_error *error) {
    *mesh = (carom_mesh){0};
    void *params;
    carom_status status = carom_pick_copy(&generator, &params, error);
    if (status)
        return status;
    const carom_generator *g = (const carom_generator *)generator.kind;
    double cells = g->cell_count ? g->cell_count(params) : 0;
    if (cells > CAROM_MESH_CELLS_MAX)
        status = carom_fail(error, CAROM_BAD_INPUT, "%s: %.0f cells are too many (at most %d)", g->kind.name, cells,
                            CAROM_MESH_CELLS_MAX);
    else
        status = g->generate(params, mesh, error);
    free(params);
    if (status)
        carom_mesh_release(mesh);
    return status;
}
