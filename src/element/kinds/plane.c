// SPDX-License-Identifier: MIT
// The plane elements tri3 and quad4. They lie in a plane z = const and share all functions of solids. quad4 with the change of
// volume averaged is another element (mean_dilatation.c).
#include <math.h>
#include <stddef.h>

#include "base/param.h"
#include "element/average/balanced_volume.h"
#include "element/average/isochoric.h"
#include "element/average/mean_dilatation.h"
#include "element/bound.h"
#include "element/element.h"
#include "element/solid/balanced.h"
#include "element/solid/solid_kernel.h"
#include "element/solid/solid_point.h"

static const char *const planes[] = {"strain", "stress", NULL};

#define PLANE_ROWS                                                                                                         \
    CAROM_ROW(carom_plane_element_params, plane, CAROM_PARAM_CHOICE, "", .initial = "strain", .choices = planes,           \
              .doc = "`strain`: the thickness does not change. `stress`: no stress across the plane."),                    \
        CAROM_ROW(carom_plane_element_params, thickness, CAROM_PARAM_REAL, "length", .initial = "1", CAROM_RANGE_POSITIVE, \
                  .doc = "Thickness across the plane.")

static const carom_param plane_params[] = {PLANE_ROWS};

static const char *const integrations[] = {"full", "mean-dilatation", NULL};

static const carom_param quad4_params[] = {
    PLANE_ROWS,
    CAROM_ROW(carom_plane_element_params, integration, CAROM_PARAM_CHOICE, "", .initial = "full", .choices = integrations,
              .doc = "`full`: four points. `mean-dilatation`: the change of volume is averaged over the quadrilateral, for "
                     "materials that keep their volume; plane strain, with a law that splits."),
};

static double section(const void *params) {
    return ((const carom_plane_element_params *)params)->thickness;
}

#define PLANE_PARAMS(table) CAROM_PARAMS(table, carom_plane_element_params)

static const carom_element *acting(const void *params) {
    const carom_plane_element_params *p = params;
    return p->integration == CAROM_QUAD4_MEAN_DILATATION ? &carom_dilated_quad4.element : &carom_element_quad4.element;
}

static carom_status accepts_tri3(const void *params, const carom_material *material, carom_error *error) {
    const carom_plane_element_params *p = params;
    carom_status status = carom_solid_accepts(params, material, error);
    return status || p->plane == CAROM_PLANE_STRESS
               ? status
               : carom_split_refuse_flow("quadrilaterals with {quad4: {integration: mean-dilatation}}", material, error);
}

static carom_status accepts(const void *params, const carom_material *material, carom_error *error) {
    const carom_plane_element_params *p = params;
    carom_status status = carom_solid_accepts(params, material, error);
    if (status || (p->integration == CAROM_QUAD4_FULL && p->plane == CAROM_PLANE_STRESS))
        return status;
    if (p->integration == CAROM_QUAD4_FULL)
        return carom_split_refuse_flow("{quad4: {integration: mean-dilatation}}", material, error);
    if (p->plane == CAROM_PLANE_STRESS)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "mean dilatation is for plane strain, and `plane: stress` does not lock: remove `integration: mean-dilatation`");
    return carom_split_accepts("integration: mean-dilatation", material, error);
}

#define COMMON                                                                                                    \
    .nonnegative = true, .section = section, .needs_material = true, .plane = true, .fields = CAROM_SOLID_FIELDS, \
    .points = carom_solid_points, .prepare = carom_solid_prepare, .stable_step = carom_solid_stable_step,         \
    .stiffens = carom_solid_stiffens, .turns_freely = carom_solid_turns_freely, .volume = carom_solid_volume,     \
    .field = carom_solid_field, .show = carom_solid_fields

#define FULL                                                                                              \
    COMMON, .energy = carom_plane_energy, .force = carom_plane_force, .stiffness = carom_solid_stiffness, \
            .body_step = carom_solid_body_step, .bound = carom_solid_bound, .single = carom_solid_single, \
            .balanced = carom_solid_balanced

const carom_solid_element carom_element_tri3 = {
    .element = {.kind = {.name = "tri3",
                         .summary = "Three-node triangle in the x-y plane, constant strain.",
                         .reference = "",
                         PLANE_PARAMS(plane_params)},
                .cell = CAROM_CELL_TRI3,
                .node_count = 3,
                .accepts = accepts_tri3,
                FULL},
    .shape = &carom_shape_tri3,
};

#define QUAD4                                                                                             \
    .kind = {.name = "quad4",                                                                             \
             .summary = "Four-node quadrilateral in the x-y plane: full integration or mean dilatation.", \
             .reference = "",                                                                             \
             PLANE_PARAMS(quad4_params)},                                                                 \
    .cell = CAROM_CELL_QUAD4, .node_count = 4, .accepts = accepts

const carom_solid_element carom_element_quad4 = {
    .element = {QUAD4, FULL, .acting = acting},
    .shape = &carom_shape_quad4,
};

const carom_solid_element carom_dilated_quad4 = {
    .element = {QUAD4, COMMON, .energy = carom_dilated_energy, .force = carom_dilated_force,
                .stiffness = carom_dilated_stiffness, .body_step = carom_dilated_body_step, .bound = carom_dilated_bound,
                .balanced = carom_dilated_balanced},
    .shape = &carom_shape_quad4,
};
