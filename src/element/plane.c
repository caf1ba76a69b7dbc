// SPDX-License-Identifier: MIT
// The plane elements tri3 and quad4. They lie in a plane z = const and share all functions of solids.
#include <math.h>
#include <stddef.h>

#include "base/param.h"
#include "element/balanced.h"
#include "element/bound.h"
#include "element/element.h"
#include "element/solid_kernel.h"
#include "element/solid_point.h"

static const char *const planes[] = {"strain", "stress", NULL};

static const carom_param plane_params[] = {
    CAROM_ROW(carom_plane_element_params, plane, CAROM_PARAM_CHOICE, "", .initial = "strain", .choices = planes,
              .doc = "`strain`: the thickness does not change. `stress`: no stress across the plane."),
    CAROM_ROW(carom_plane_element_params, thickness, CAROM_PARAM_REAL, "length", .initial = "1", CAROM_RANGE_POSITIVE,
              .doc = "Thickness across the plane."),
};

static double section(const void *params) {
    return ((const carom_plane_element_params *)params)->thickness;
}

#define PLANE_PARAMS                                                                   \
    .params = plane_params, .param_count = sizeof plane_params / sizeof *plane_params, \
    .params_size = sizeof(carom_plane_element_params)

#define SOLID_FUNCTIONS                                                                                                       \
    .section = section, .needs_material = true, .plane = true, .fields = CAROM_SOLID_FIELDS, .accepts = carom_solid_accepts,  \
    .points = carom_solid_points, .prepare = carom_solid_prepare, .energy = carom_plane_energy, .force = carom_plane_force,   \
    .stiffness = carom_solid_stiffness, .stable_step = carom_solid_stable_step, .body_step = carom_solid_body_step,           \
    .stiffens = carom_solid_stiffens, .bound = carom_solid_bound, .volume = carom_solid_volume, .single = carom_plane_single, \
    .field = carom_solid_field, .show = carom_solid_fields, .balanced = carom_solid_balanced

const carom_solid_element carom_element_tri3 = {
    .element = {.kind = {.name = "tri3",
                         .summary = "Three-node triangle in the x-y plane, constant strain.",
                         .reference = "",
                         PLANE_PARAMS},
                .nonnegative = true,
                .cell = CAROM_CELL_TRI3,
                .node_count = 3,
                SOLID_FUNCTIONS},
    .shape = &carom_shape_tri3,
};

const carom_solid_element carom_element_quad4 = {
    .element = {.kind = {.name = "quad4",
                         .summary = "Four-node quadrilateral in the x-y plane, four points.",
                         .reference = "",
                         PLANE_PARAMS},
                .nonnegative = true,
                .cell = CAROM_CELL_QUAD4,
                .node_count = 4,
                SOLID_FUNCTIONS},
    .shape = &carom_shape_quad4,
};
