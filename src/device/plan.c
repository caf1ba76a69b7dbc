// SPDX-License-Identifier: MIT
// What devices support: a table of elements and their laws. It selects the kernel of each block of a model; refusals with
// advice, and the matrix of the manual, are made from it.
#include <string.h>

#include "base/allocate.h"
#include "carom/text.h"
#include "device/inside.h"
#include "element/average/mean_dilatation.h"
#include "element/average/nodal.h"
#include "element/average/volumes.h"
#include "element/element.h"
#include "element/j2_batch.h"
#include "element/line/obstacle.h"
#include "element/line/rigid.h"
#include "element/shell/loop_shell_faces.h"
#include "element/solid/plane_lanes.h"
#include "element/solid/solid_point.h"
#include "model/model.h"

// The number of a law without Lame's constants: j2 has batched formulas, others have plain ones.
static int flow_law_of(const carom_material *material, const void *params) {
    carom_law law = carom_law_of(material);
    return law == CAROM_LAW_J2 ? ((const carom_j2_params *)params)->hardening : CAROM_THREAD_LAW + (int)law;
}

// Elements of the plane.
static void make_sheet(const carom_block *block, carom_thread_block *made) {
    bool stress = ((const carom_plane_element_params *)block->params)->plane == CAROM_PLANE_STRESS;
    made->kind = block->element == &carom_element_tri3.element ? CAROM_THREAD_TRI3 : CAROM_THREAD_QUAD4;
    made->m = made->whole = carom_elastic_lame(block->material_params);
    made->sheet = carom_sheet_of(block, (carom_kernel_law)made->law, stress);
}

static void make_shell(const carom_block *block, carom_thread_block *made) {
    carom_shell shell = carom_shell_of(block);
    made->kind = block->variant == CAROM_SHELL_REGULAR  ? CAROM_THREAD_SHELL
                 : block->variant == CAROM_SHELL_STORED ? CAROM_THREAD_SHELL_STORED
                                                        : CAROM_THREAD_SHELL_AFFINE;
    made->point_count = shell.point_count;
    made->weight_size = carom_shell_weight_size(block->variant, shell.n);
    made->factor = shell.thickness * shell.thickness / 12;
    carom_shell_faces faces = carom_shell_faces_of(&shell);
    made->thickness = faces.thickness;
    made->young = faces.young;
    made->poisson = faces.poisson;
    made->stores = 1;
}

static void make_bar(const carom_block *block, carom_thread_block *made) {
    const carom_bar_params *params = block->params;
    made->kind = CAROM_THREAD_BAR;
    made->factor = params->area;
    made->green = params->strain == CAROM_BAR_GREEN;
    made->young = ((const carom_elastic_params *)block->material_params)->young;
}

// Elements that average volumes.
static void make_averaged(const carom_block *block, carom_thread_block *made) {
    made->flow_law = flow_law_of(block->material, block->material_params);
    made->kind = block->element == &carom_dilated_hex8.element  ? CAROM_THREAD_HEX8_DILATED
                 : block->element == &carom_volume_tet4.element ? CAROM_THREAD_TET4_VOLUME
                                                                : CAROM_THREAD_VOLUME;
    made->law = CAROM_KERNEL_FLOW;
    made->point_count = block->point_count;
    made->history_size = block->history_size;
    made->factor = block->material->bulk(block->material_params);
}

// Laws evaluated point by point: rubbers in ordinary elements, and `nodal` with laws that are split into shape and volume.
static void make_pointwise(const carom_block *block, carom_thread_block *made) {
    const carom_element *element = block->element;
    bool tet = element == &carom_element_tet4.element || element == &carom_nodal_tet4.element;
    bool patch = element == &carom_nodal_patch, wedge = element == &carom_element_wedge6.element;
    made->flow_law = flow_law_of(block->material, block->material_params);
    made->law = CAROM_KERNEL_FLOW;
    made->kind = patch   ? CAROM_THREAD_PATCH_POINT
                 : tet   ? CAROM_THREAD_TET4_POINTS
                 : wedge ? CAROM_THREAD_WEDGE6_POINTS
                         : CAROM_THREAD_HEX8_POINTS;
    made->point_count = patch ? 1 : tet ? 1 : wedge ? carom_shape_wedge6.point_count : carom_shape_hex8.point_count;
    made->history_size = block->history_size;
    made->splits = patch || element == &carom_nodal_tet4.element || element == &carom_nodal_hex8.element;
    if (made->splits) {
        carom_nodal_part part = carom_nodal_part_of(block);
        made->shape = part.shape;
        made->bulk = part.bulk;
    }
}

// Laws of Lame's constants, and with history, in ordinary elements.
static void make_batched(const carom_block *block, carom_thread_block *made) {
    made->solid = carom_solid_shape_of(block);
    if (block->point_count) {
        made->flow_law = flow_law_of(block->material, block->material_params);
        made->law = CAROM_KERNEL_FLOW;
        made->point_count = block->point_count;
        made->history_size = block->history_size;
        made->m = carom_flow_lame(block);
    } else {
        made->m = made->whole = carom_elastic_lame(block->material_params);
        made->stores = 1;
    }
    if (block->element != &carom_element_hex8.element) {
        made->kind = block->node_count == 4 ? CAROM_THREAD_TET4 : CAROM_THREAD_WEDGE6;
        return;
    }
    const carom_hex8_params *params = block->params;
    made->kind = params->integration == CAROM_HEX8_FULL ? CAROM_THREAD_HEX8 : CAROM_THREAD_HEX8_ONE_POINT;
    made->factor = 0.5 * params->hourglass * made->m.mu;
}

static void make_solid(const carom_block *block, carom_thread_block *made) {
    if (!block->point_count && made->law == CAROM_KERNEL_NONE)
        make_pointwise(block, made);
    else
        make_batched(block, made);
}

// Cells of `nodal` are ordinary elements with a fraction of the law, its patches have the rest.
static void make_nodal(const carom_block *block, carom_thread_block *made) {
    if (made->law == CAROM_KERNEL_NONE) {
        make_pointwise(block, made);
        return;
    }
    bool patch = block->element == &carom_nodal_patch;
    carom_elastic_params law = patch ? carom_nodal_patch_law(block) : carom_nodal_cell_law(block);
    made->kind = patch                                         ? CAROM_THREAD_PATCH
                 : block->element == &carom_nodal_tet4.element ? CAROM_THREAD_TET4
                                                               : CAROM_THREAD_HEX8;
    made->whole = carom_elastic_lame(block->material_params);
    made->m = carom_elastic_lame(&law);
    if (carom_nodal_is_open(block))
        made->law = CAROM_KERNEL_OPEN;
    made->solid = patch ? NULL : carom_solid_shape_of(block);
}

static int strain_of(const carom_block *block) {
    return ((const carom_bar_params *)block->params)->strain;
}

static int plane_of(const carom_block *block) {
    return ((const carom_plane_element_params *)block->params)->plane;
}

static int integration_of(const carom_block *block) {
    return ((const carom_hex8_params *)block->params)->integration;
}

// Sets of laws, as sums of these numbers.
#define BIT(NAME) (1U << CAROM_LAW_##NAME)
#define OR_BIT(NAME, name, ...) | BIT(NAME)
enum {
    ELASTIC = 0 CAROM_LAME_LAWS(OR_BIT, ),
    RUBBERS = 0 CAROM_RUBBER_LAWS(OR_BIT, ),
    HISTORY = 0 CAROM_HISTORY_LAWS(OR_BIT, ),
    UNIAXIAL = BIT(LINEAR) | BIT(ST_VENANT_KIRCHHOFF),
    // without j2, in which these elements lock
    LOCKING = (ELASTIC | RUBBERS | HISTORY) & ~BIT(J2),
};

static const carom_device_row rows[] = {
    {{&carom_element_bar}, "strain: small", strain_of, CAROM_BAR_SMALL, UNIAXIAL, make_bar},
    {{&carom_element_bar}, "strain: green", strain_of, CAROM_BAR_GREEN, UNIAXIAL, make_bar},
    // devices lack carom_log
    {{&carom_element_bar}, "strain: log", strain_of, CAROM_BAR_LOG, 0, NULL},
    {{&carom_element_loop_shell}, NULL, NULL, 0, BIT(ST_VENANT_KIRCHHOFF), make_shell},
    {{&carom_element_tri3.element}, "plane: strain", plane_of, CAROM_PLANE_STRAIN, ELASTIC, make_sheet},
    // the Newton iteration of the thickness runs until the slowest of eight elements has converged, and a thread has only one
    {{&carom_element_tri3.element}, "plane: stress", plane_of, CAROM_PLANE_STRESS, UNIAXIAL, make_sheet},
    {{&carom_element_quad4.element}, "plane: strain", plane_of, CAROM_PLANE_STRAIN, ELASTIC, make_sheet},
    {{&carom_element_quad4.element}, "plane: stress", plane_of, CAROM_PLANE_STRESS, UNIAXIAL, make_sheet},
    {{&carom_dilated_quad4.element}, "integration: mean-dilatation", NULL, 0, 0, NULL},
    {{&carom_element_tet4.element}, NULL, NULL, 0, LOCKING, make_solid},
    {{&carom_volume_tet4.element, &carom_volume_patch}, "volume: nodal", NULL, 0, RUBBERS | HISTORY, make_averaged},
    {{&carom_element_hex8.element}, "integration: full", integration_of, CAROM_HEX8_FULL, LOCKING, make_solid},
    // rubbers have hourglass forces of their own
    {{&carom_element_hex8.element},
     "integration: one-point",
     integration_of,
     CAROM_HEX8_ONE_POINT,
     ELASTIC | HISTORY,
     make_solid},
    {{&carom_dilated_hex8.element}, "integration: mean-dilatation", NULL, 0, RUBBERS | HISTORY, make_averaged},
    {{&carom_element_wedge6.element}, NULL, NULL, 0, LOCKING, make_solid},
    {{&carom_nodal_tet4.element, &carom_nodal_hex8.element, &carom_nodal_patch},
     NULL,
     NULL,
     0,
     ELASTIC | RUBBERS | HISTORY,
     make_nodal},
};
enum { ROWS = sizeof rows / sizeof *rows };

const carom_device_row *carom_device_rows(int *count) {
    *count = ROWS;
    return rows;
}

bool carom_device_row_has(const carom_device_row *row, const carom_material *law) {
    return law && (row->laws & (1U << carom_law_of(law)));
}

// NULL: devices know nothing of that element.
static const carom_device_row *find_row(const carom_block *block) {
    for (int r = 0; r < ROWS; r++)
        for (int i = 0; i < CAROM_DEVICE_ELEMENTS && rows[r].elements[i]; i++)
            if (rows[r].elements[i] == block->element && (!rows[r].setting || rows[r].setting(block) == rows[r].value))
                return &rows[r];
    return NULL;
}

bool carom_device_block(const carom_block *block, carom_thread_block *made) {
    const carom_element *element = block->element;
    *made = (carom_thread_block){
        .kind = CAROM_THREAD_NOTHING,
        .law = block->material ? carom_kernel_law_of(block->material) : CAROM_KERNEL_NONE,
        .count = block->count,
        .node_count = block->node_count,
        .data_size = block->data_size,
    };
    // no forces: rigid bodies move as a whole, obstacles have prescribed motion
    if (element == &carom_element_point_mass || carom_element_is_rigid(element) || carom_element_is_obstacle(element))
        return true;
    const carom_device_row *row = find_row(block);
    if (!row || !carom_device_row_has(row, block->material))
        return false;
    row->make(block, made);
    return true;
}

// Fails with the settings of the same element with which the device supports its law. Plane strain is none instead of plane
// stress: that is another body.
static carom_status refuse(const carom_block *block, const char *body, carom_error *error) {
    const carom_device_row *row = find_row(block);
    const char *name = block->element->kind.name, *instead[ROWS];
    int count = 0;
    for (int r = 0; r < ROWS && row; r++)
        if (strcmp(rows[r].elements[0]->kind.name, name) == 0 && rows[r].with && rows[r].setting != plane_of &&
            carom_device_row_has(&rows[r], block->material))
            instead[count++] = rows[r].with;
    carom_text text = {0};
    carom_text_print(&text, "body '%s': %s", body, name);
    if (row && row->with)
        carom_text_print(&text, " with %s", row->with);
    if (block->material)
        carom_text_print(&text, " of %s", block->material->kind.name);
    carom_text_print(&text, " is not on the device yet");
    for (int i = 0; i < count; i++)
        carom_text_print(&text, "%s%s", i == 0 ? ": use " : i + 1 < count ? ", " : " or ", instead[i]);
    carom_status status =
        text.failed ? carom_no_memory(error, "a message") : carom_fail(error, CAROM_BAD_INPUT, "%s", text.data);
    carom_text_release(&text);
    return status;
}

carom_status carom_device_accepts(const carom_model *model, carom_error *error) {
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        carom_thread_block made;
        if (!carom_device_block(block, &made))
            return refuse(block, model->bodies[block->body].name, error);
    }
    return CAROM_OK;
}
