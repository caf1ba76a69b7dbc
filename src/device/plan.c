// SPDX-License-Identifier: MIT
// Selects the kernel of each block of a model on a device.
#include <stdio.h>
#include <string.h>

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

// The number of a law without Lame's constants: j2 has batched formulas, others have plain ones. -1: not supported by devices.
static int flow_law_of(const carom_material *material, const void *params) {
    carom_law law = carom_law_of(material);
    if (law == CAROM_LAW_J2)
        return ((const carom_j2_params *)params)->hardening;
    return law < (carom_law)CAROM_KERNEL_NONE || law == CAROM_LAW_OTHER ? -1 : CAROM_THREAD_LAW + (int)law;
}

// Bricks of full integration, or of one point.
static bool is_brick(const carom_block *block, carom_thread_block *made) {
    const carom_hex8_params *params = block->params;
    made->kind = params->integration == CAROM_HEX8_FULL ? CAROM_THREAD_HEX8 : CAROM_THREAD_HEX8_ONE_POINT;
    made->factor = 0.5 * params->hourglass * made->m.mu;
    made->stores = 1;
    return true;
}

// Neo-Hookean plane stress is not supported: the Newton iteration of the thickness runs until the slowest of eight elements has
// converged, and a thread has only one.
static bool is_sheet(const carom_block *block, carom_thread_kind kind, carom_thread_block *made) {
    bool stress = ((const carom_plane_element_params *)block->params)->plane == CAROM_PLANE_STRESS;
    made->kind = kind;
    made->sheet = carom_sheet_of(block, (carom_kernel_law)made->law, stress);
    return !stress || made->law != CAROM_KERNEL_NEO_HOOKEAN;
}

static bool is_shell(const carom_block *block, carom_thread_block *made) {
    if (!carom_shell_is_batched(block))
        return false;
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
    return true;
}

// Cells of `nodal` are ordinary elements with a fraction of the law, its patches have the rest.
static bool is_nodal(const carom_block *block, carom_thread_block *made) {
    bool patch = block->element == &carom_nodal_patch;
    carom_elastic_params law = patch ? carom_nodal_patch_law(block) : carom_nodal_cell_law(block);
    made->kind = patch                                         ? CAROM_THREAD_PATCH
                 : block->element == &carom_nodal_tet4.element ? CAROM_THREAD_TET4
                                                               : CAROM_THREAD_HEX8;
    made->m = carom_elastic_lame(&law);
    if (carom_nodal_is_open(block))
        made->law = CAROM_KERNEL_OPEN;
    return true;
}

// The logarithmic strain is not supported: it needs carom_log, which devices lack.
static bool is_bar(const carom_block *block, carom_thread_block *made) {
    const carom_bar_params *params = block->params;
    made->kind = CAROM_THREAD_BAR;
    made->factor = params->area;
    made->green = params->strain == CAROM_BAR_GREEN;
    if (block->point_count || block->material->uniaxial != carom_elastic_uniaxial)
        return false;
    made->young = ((const carom_elastic_params *)block->material_params)->young;
    return params->strain != CAROM_BAR_LOG;
}

// Elements that average volumes, with laws that are split into shape and volume.
static bool is_averaged(const carom_block *block, carom_thread_block *made) {
    made->flow_law = flow_law_of(block->material, block->material_params);
    made->kind = block->element == &carom_dilated_hex8.element  ? CAROM_THREAD_HEX8_DILATED
                 : block->element == &carom_volume_tet4.element ? CAROM_THREAD_TET4_VOLUME
                                                                : CAROM_THREAD_VOLUME;
    made->law = CAROM_KERNEL_FLOW;
    made->point_count = block->point_count;
    made->history_size = block->history_size;
    if (block->material->bulk)
        made->factor = block->material->bulk(block->material_params);
    return made->flow_law >= 0 && block->material->bulk;
}

// Laws evaluated point by point: rubbers in ordinary elements, and `nodal` with laws that are split into shape and volume.
static bool is_pointwise(const carom_block *block, carom_thread_block *made) {
    const carom_element *element = block->element;
    bool tet = element == &carom_element_tet4.element || element == &carom_nodal_tet4.element;
    bool brick = element == &carom_element_hex8.element || element == &carom_nodal_hex8.element;
    bool patch = element == &carom_nodal_patch, wedge = element == &carom_element_wedge6.element;
    made->flow_law = flow_law_of(block->material, block->material_params);
    made->law = CAROM_KERNEL_FLOW;
    made->kind = patch   ? CAROM_THREAD_PATCH_POINT
                 : tet   ? CAROM_THREAD_TET4_POINTS
                 : wedge ? CAROM_THREAD_WEDGE6_POINTS
                         : CAROM_THREAD_HEX8_POINTS;
    made->point_count = patch ? 1 : tet ? 1 : wedge ? carom_shape_wedge6.point_count : carom_shape_hex8.point_count;
    made->history_size = block->history_size;
    if (made->flow_law < 0 || !(tet || brick || wedge || patch) || carom_solid_is_one_point(block))
        return false;
    made->splits = patch || element == &carom_nodal_tet4.element || element == &carom_nodal_hex8.element;
    if (made->splits) {
        carom_nodal_part part = carom_nodal_part_of(block);
        made->shape = part.shape;
        made->bulk = part.bulk;
    }
    return true;
}

// Laws with history in three dimensions.
static bool is_flow(const carom_block *block, carom_thread_block *made) {
    made->flow_law = flow_law_of(block->material, block->material_params);
    if (block->form != CAROM_POINT_SOLID || made->flow_law < 0)
        return false;
    made->law = CAROM_KERNEL_FLOW;
    made->point_count = block->point_count;
    made->history_size = block->history_size;
    made->m = carom_flow_lame(block);
    if (block->element == &carom_element_tet4.element || block->element == &carom_element_wedge6.element) {
        made->kind = block->node_count == 4 ? CAROM_THREAD_TET4 : CAROM_THREAD_WEDGE6;
        return true;
    }
    bool brick = block->element == &carom_element_hex8.element && is_brick(block, made);
    made->stores = 0;
    return brick;
}

static bool is_known(const carom_block *block, carom_thread_block *made) {
    const carom_element *element = block->element;
    // no forces: rigid bodies move as a whole, obstacles have prescribed motion
    if (element == &carom_element_point_mass || carom_element_is_rigid(element) || carom_element_is_obstacle(element))
        return true;
    if (element == &carom_element_bar)
        return is_bar(block, made);
    if (element == &carom_element_loop_shell)
        return is_shell(block, made);
    if (element == &carom_dilated_hex8.element || element == &carom_volume_tet4.element || element == &carom_volume_patch)
        return is_averaged(block, made);
    bool nodal = element == &carom_nodal_patch || element == &carom_nodal_tet4.element || element == &carom_nodal_hex8.element;
    if (block->point_count && !nodal)
        return is_flow(block, made);
    if (!block->material)
        return false;
    if (made->law == CAROM_KERNEL_NONE)
        return is_pointwise(block, made);
    made->m = made->whole = carom_elastic_lame(block->material_params);
    if (element == &carom_element_tet4.element || element == &carom_element_wedge6.element) {
        made->kind = block->node_count == 4 ? CAROM_THREAD_TET4 : CAROM_THREAD_WEDGE6;
        made->stores = 1;
        return true;
    }
    if (element == &carom_element_hex8.element)
        return is_brick(block, made);
    if (element == &carom_element_tri3.element)
        return is_sheet(block, CAROM_THREAD_TRI3, made);
    if (element == &carom_element_quad4.element)
        return is_sheet(block, CAROM_THREAD_QUAD4, made);
    return nodal && is_nodal(block, made);
}

bool carom_device_block(const carom_block *block, carom_thread_block *made, char *what, size_t size) {
    *made = (carom_thread_block){
        .kind = CAROM_THREAD_NOTHING,
        .law = block->material ? carom_kernel_law_of(block->material) : CAROM_KERNEL_NONE,
        .count = block->count,
        .node_count = block->node_count,
        .data_size = block->data_size,
    };
    if (is_known(block, made)) {
        bool solid = made->kind == CAROM_THREAD_TET4 || made->kind == CAROM_THREAD_HEX8 ||
                     made->kind == CAROM_THREAD_HEX8_ONE_POINT || made->kind == CAROM_THREAD_WEDGE6;
        made->solid = solid ? carom_solid_shape_of(block) : NULL;
        return true;
    }
    bool stress = carom_element_is_solid(block->element) && block->element->plane &&
                  ((const carom_plane_element_params *)block->params)->plane == CAROM_PLANE_STRESS;
    // another element of the same name
    bool acting = block->element->acting && carom_element_acting(block->element, block->params) != block->element;
    snprintf(what, size, "%s%s%s%s%s", block->element->kind.name, stress ? " in plane stress" : "",
             acting || carom_element_number(block->element) > 0 ? " as it averages volumes" : "", block->material ? " of " : "",
             block->material ? block->material->kind.name : "");
    return false;
}

carom_status carom_device_accepts(const carom_model *model, carom_error *error) {
    char what[3 * CAROM_NAME_MAX];
    if (model->R)
        return carom_fail(error, CAROM_BAD_INPUT, "beams are not on the device yet");
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        carom_thread_block made;
        if (!carom_device_block(block, &made, what, sizeof what))
            return carom_fail(error, CAROM_BAD_INPUT, "body '%s': %s is not on the device yet", model->bodies[block->body].name,
                              what);
    }
    return CAROM_OK;
}
