// SPDX-License-Identifier: MIT
// The catalogue of generators. A kind that is added here appears in scenes, `carom info`, the schema and the manual.
#include "mesh/mesh.h"

static const carom_kind *const kinds[] = {
    &carom_generator_curve.kind,     &carom_generator_line.kind, &carom_generator_point.kind,
    &carom_generator_rectangle.kind, &carom_generator_box.kind,  &carom_generator_plate.kind,
    &carom_generator_ring.kind,      &carom_generator_disc.kind, &carom_generator_hexagonal_disc.kind,
    &carom_generator_cylinder.kind,  &carom_generator_tube.kind, &carom_generator_sphere.kind,
    &carom_generator_ball.kind,      &carom_generator_cube.kind, &carom_generator_file.kind,
};

const carom_catalogue *carom_generators(void) {
    static const carom_catalogue catalogue = {"mesh", sizeof kinds / sizeof *kinds, kinds};
    return &catalogue;
}

// Parameters are checked here too, since a C program may fill them by itself.
carom_status carom_mesh_generate(carom_pick generator, carom_mesh *mesh, carom_error *error) {
    *mesh = (carom_mesh){0};
    const carom_generator *g = (const carom_generator *)generator.kind;
    for (int i = 0; i < g->kind.param_count; i++) {
        carom_error reason;
        if (carom_param_check(&g->kind.params[i], generator.params, &reason))
            return carom_fail(error, CAROM_BAD_INPUT, "%s.%s: %s", g->kind.name, g->kind.params[i].name, reason.message);
    }
    // The count is checked before memory is asked for, as a double that cannot overflow.
    double cells = g->cell_count ? g->cell_count(generator.params) : 0;
    if (cells > CAROM_MESH_CELLS_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: %.0f cells are too many (at most %d)", g->kind.name, cells,
                          CAROM_MESH_CELLS_MAX);
    carom_status status = g->generate(generator.params, mesh, error);
    if (status)
        carom_mesh_release(mesh);
    return status;
}
