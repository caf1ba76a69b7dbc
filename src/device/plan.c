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

// An element, and its kernels: for laws with batches, and for those evaluated point by point.
typedef struct element_row {
    const carom_element *element;
    bool (*describe)(const struct element_row *row, const carom_block *block, carom_thread_block *made);
    carom_thread_kind kind, points;
} element_row;

// Bodies without forces: point masses; rigid bodies move as a whole, obstacles have prescribed motion.
static bool is_still(const carom_element *element) {
    return element == &carom_element_point_mass || carom_element_is_rigid(element) || carom_element_is_obstacle(element);
}

// A law of CAROM_KERNEL_FLOW; false if devices do not support it.
static bool is_flow(const carom_block *block, int point_count, carom_thread_block *made) {
    made->flow_law = flow_law_of(block->material, block->material_params);
    made->law = CAROM_KERNEL_FLOW;
    made->point_count = point_count;
    made->history_size = block->history_size;
    return made->flow_law >= 0;
}

// Solids, and cells of `nodal`, whose law is evaluated point by point.
static bool is_pointwise(const element_row *row, const carom_block *block, carom_thread_block *made) {
    made->kind = row->points;
    return is_flow(block, carom_solid_shape_of(block)->point_count, made) && !carom_solid_is_one_point(block);
}

// Solids. Bricks have full integration or one point; other solids ignore the factor.
static bool is_solid(const element_row *row, const carom_block *block, carom_thread_block *made) {
    bool one_point = carom_solid_is_one_point(block);
    if (!block->point_count && made->law == CAROM_KERNEL_NONE)
        return is_pointwise(row, block, made);
    made->kind = one_point ? CAROM_THREAD_HEX8_ONE_POINT : row->kind;
    made->stores = !block->point_count;
    made->m = made->stores ? carom_elastic_lame(block->material_params) : carom_flow_lame(block);
    if (one_point)
        made->factor = 0.5 * ((const carom_hex8_params *)block->params)->hourglass * made->m.mu;
    return made->stores || (block->form == CAROM_POINT_SOLID && is_flow(block, block->point_count, made));
}

// Neo-Hookean plane stress is not supported: the Newton iteration of the thickness runs until the slowest of eight elements has
// converged, and a thread has only one.
static bool is_sheet(const element_row *row, const carom_block *block, carom_thread_block *made) {
    bool stress = ((const carom_plane_element_params *)block->params)->plane == CAROM_PLANE_STRESS;
    if (block->point_count || made->law == CAROM_KERNEL_NONE)
        return false;
    made->kind = row->kind;
    made->m = carom_elastic_lame(block->material_params);
    made->sheet = carom_sheet_of(block, (carom_kernel_law)made->law, stress);
    return !stress || made->law != CAROM_KERNEL_NEO_HOOKEAN;
}

#define OF_VARIANT(NAME, VARIANT, ...) [CAROM_SHELL_##VARIANT] = CAROM_THREAD_##NAME,

static bool is_shell(const element_row *row, const carom_block *block, carom_thread_block *made) {
    static const carom_thread_kind kinds[] = {CAROM_THREAD_SHELLS(OF_VARIANT, )};
    (void)row;
    if (!carom_shell_is_batched(block))
        return false;
    carom_shell shell = carom_shell_of(block);
    made->kind = kinds[block->variant];
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

// Cells and patches of `nodal` with a law that is split into shape and volume.
static bool is_split(const carom_block *block, int point_count, carom_thread_block *made) {
    if (!is_flow(block, point_count, made))
        return false;
    carom_nodal_part part = carom_nodal_part_of(block);
    made->splits = 1;
    made->shape = part.shape;
    made->bulk = part.bulk;
    return true;
}

// Cells are ordinary elements with a fraction of the law.
static bool is_cell(const element_row *row, const carom_block *block, carom_thread_block *made) {
    made->kind = row->kind;
    if (made->law == CAROM_KERNEL_NONE) {
        made->kind = row->points;
        return is_split(block, carom_solid_shape_of(block)->point_count, made);
    }
    carom_elastic_params law = carom_nodal_cell_law(block);
    made->m = carom_elastic_lame(&law);
    if (carom_nodal_is_open(block))
        made->law = CAROM_KERNEL_OPEN;
    return true;
}

// Patches have the rest.
static bool is_patch(const element_row *row, const carom_block *block, carom_thread_block *made) {
    made->kind = row->kind;
    if (made->law == CAROM_KERNEL_NONE)
        return is_split(block, 1, made);
    made->kind = CAROM_THREAD_PATCH;
    carom_elastic_params law = carom_nodal_patch_law(block);
    made->m = carom_elastic_lame(&law);
    made->whole = carom_elastic_lame(block->material_params);
    return true;
}

// The logarithmic strain is not supported: it needs carom_log, which devices lack.
static bool is_bar(const element_row *row, const carom_block *block, carom_thread_block *made) {
    const carom_bar_params *params = block->params;
    made->kind = row->kind;
    made->factor = params->area;
    made->green = params->strain == CAROM_BAR_GREEN;
    if (block->point_count || block->material->uniaxial != carom_elastic_uniaxial)
        return false;
    made->young = ((const carom_elastic_params *)block->material_params)->young;
    return params->strain != CAROM_BAR_LOG;
}

// Elements that average volumes, with laws that are split into shape and volume.
static bool is_averaged(const element_row *row, const carom_block *block, carom_thread_block *made) {
    made->kind = row->kind;
    if (block->material->bulk)
        made->factor = block->material->bulk(block->material_params);
    return is_flow(block, block->point_count, made) && block->material->bulk;
}

#define SOLID(NAME, name, nodes, elements, describe) \
    {&elements##name.element, describe, CAROM_THREAD_##NAME, CAROM_THREAD_##NAME##_POINTS},
#define SHEET(NAME, name, ...) {&carom_element_##name.element, is_sheet, CAROM_THREAD_##NAME, CAROM_THREAD_NOTHING},
#define SINGLE(NAME, element, nodes, group, ...) {&element, is_##group, CAROM_THREAD_##NAME, CAROM_THREAD_NOTHING},

// Selects the kernel of the elements of a block; false if there is none.
static bool is_known(const carom_block *block, carom_thread_block *made) {
    static const element_row rows[] = {
        CAROM_THREAD_FULL_SOLIDS(SOLID, carom_element_, is_solid) //
        CAROM_THREAD_CELLS(SOLID, carom_nodal_, is_cell)          //
        CAROM_THREAD_SHEETS(SHEET, )                              //
        CAROM_THREAD_SINGLE(SINGLE, )                             //
        {&carom_element_loop_shell, is_shell, CAROM_THREAD_SHELL, CAROM_THREAD_NOTHING},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (block->element == rows[i].element)
            return rows[i].describe(&rows[i], block, made);
    return is_still(block->element);
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
        carom_thread_kind kind = made->kind;
        made->solid = false CAROM_THREAD_SOLIDS(CAROM_THREAD_IS, ) ? carom_solid_shape_of(block) : NULL;
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
