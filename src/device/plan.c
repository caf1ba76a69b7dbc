// SPDX-License-Identifier: MIT
// Defines which elements and laws devices support, in a table from which messages and the matrix of the manual are made, and
// selects the kernel for each block of a model (device/kinds.h).
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

// An element and its kernels: for laws with batched formulas (`kind`), and for those evaluated point by point (`points`).
// `make` describes a block of the element for threads.
typedef struct element_kernels {
    const carom_element *element;
    void (*make)(const struct element_kernels *of, const carom_block *block, carom_thread_block *made);
    carom_thread_kind kind, points;
} element_kernels;

// A block with a law without Lame's constants: one with history, or a law evaluated point by point.
static void make_flow(const carom_block *block, int point_count, carom_thread_block *made) {
    made->flow_law = flow_law_of(block->material, block->material_params);
    made->law = CAROM_KERNEL_FLOW;
    made->point_count = point_count;
    made->history_size = block->history_size;
}

// Solids. Bricks have full integration or one point; other solids ignore the factor. Rubbers are evaluated point by point.
static void make_solid(const element_kernels *of, const carom_block *block, carom_thread_block *made) {
    bool one_point = carom_solid_is_one_point(block);
    if (!block->point_count && made->law == CAROM_KERNEL_NONE) {
        made->kind = of->points;
        make_flow(block, carom_solid_shape_of(block)->point_count, made);
        return;
    }
    made->kind = one_point ? CAROM_THREAD_HEX8_ONE_POINT : of->kind;
    made->stores = !block->point_count;
    made->m = made->stores ? carom_elastic_lame(block->material_params) : carom_flow_lame(block);
    if (one_point)
        made->factor = 0.5 * ((const carom_hex8_params *)block->params)->hourglass * made->m.mu;
    if (!made->stores)
        make_flow(block, block->point_count, made);
}

static void make_sheet(const element_kernels *of, const carom_block *block, carom_thread_block *made) {
    bool stress = ((const carom_plane_element_params *)block->params)->plane == CAROM_PLANE_STRESS;
    made->kind = of->kind;
    made->m = carom_elastic_lame(block->material_params);
    made->sheet = carom_sheet_of(block, (carom_kernel_law)made->law, stress);
}

#define OF_VARIANT(NAME, VARIANT, ...) [CAROM_SHELL_##VARIANT] = CAROM_THREAD_##NAME,

static void make_shell(const element_kernels *of, const carom_block *block, carom_thread_block *made) {
    static const carom_thread_kind kinds[] = {CAROM_THREAD_SHELLS(OF_VARIANT, )};
    (void)of;
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
}

// Cells and patches of `nodal` with a law that is split into an isochoric and a volumetric part.
static void make_split(const carom_block *block, int point_count, carom_thread_block *made) {
    make_flow(block, point_count, made);
    carom_nodal_part part = carom_nodal_part_of(block);
    made->splits = 1;
    made->shape = part.shape;
    made->bulk = part.bulk;
}

// Cells are ordinary elements with a fraction of the law.
static void make_cell(const element_kernels *of, const carom_block *block, carom_thread_block *made) {
    if (made->law == CAROM_KERNEL_NONE) {
        made->kind = of->points;
        make_split(block, carom_solid_shape_of(block)->point_count, made);
        return;
    }
    carom_elastic_params law = carom_nodal_cell_law(block);
    made->kind = of->kind;
    made->m = carom_elastic_lame(&law);
    if (carom_nodal_is_open(block))
        made->law = CAROM_KERNEL_OPEN;
}

// Patches have the remaining fraction of the law.
static void make_patch(const element_kernels *of, const carom_block *block, carom_thread_block *made) {
    made->kind = of->kind;
    if (made->law == CAROM_KERNEL_NONE) {
        make_split(block, 1, made);
        return;
    }
    carom_elastic_params law = carom_nodal_patch_law(block);
    made->kind = CAROM_THREAD_PATCH;
    made->m = carom_elastic_lame(&law);
    made->whole = carom_elastic_lame(block->material_params);
}

static void make_bar(const element_kernels *of, const carom_block *block, carom_thread_block *made) {
    const carom_bar_params *params = block->params;
    made->kind = of->kind;
    made->factor = params->area;
    made->green = params->strain == CAROM_BAR_GREEN;
    made->young = ((const carom_elastic_params *)block->material_params)->young;
}

// Elements that average volumes, with laws that are split into an isochoric and a volumetric part.
static void make_averaged(const element_kernels *of, const carom_block *block, carom_thread_block *made) {
    made->kind = of->kind;
    made->factor = block->material->bulk(block->material_params);
    make_flow(block, block->point_count, made);
}

#define SOLID(NAME, name, nodes, elements, make) \
    {&elements##name.element, make, CAROM_THREAD_##NAME, CAROM_THREAD_##NAME##_POINTS},
#define SHEET(NAME, name, ...) {&carom_element_##name.element, make_sheet, CAROM_THREAD_##NAME, CAROM_THREAD_NOTHING},
#define SINGLE(NAME, element, nodes, group, ...) {&element, make_##group, CAROM_THREAD_##NAME, CAROM_THREAD_NOTHING},

static const element_kernels kernels[] = {
    CAROM_THREAD_FULL_SOLIDS(SOLID, carom_element_, make_solid) //
    CAROM_THREAD_CELLS(SOLID, carom_nodal_, make_cell)          //
    CAROM_THREAD_SHEETS(SHEET, )                                //
    CAROM_THREAD_SINGLE(SINGLE, )                               //
    {&carom_element_loop_shell, make_shell, CAROM_THREAD_SHELL, CAROM_THREAD_NOTHING},
};

// The kernels of an element; NULL if devices have none.
static const element_kernels *find_kernels(const carom_element *element) {
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (kernels[i].element == element)
            return &kernels[i];
    return NULL;
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
    // without j2: plastic flow is isochoric, so that these elements lock
    LOCKING = (ELASTIC | RUBBERS | HISTORY) & ~BIT(J2),
};

static const carom_device_row rows[] = {
    {{&carom_element_bar}, "strain: small", strain_of, CAROM_BAR_SMALL, UNIAXIAL},
    {{&carom_element_bar}, "strain: green", strain_of, CAROM_BAR_GREEN, UNIAXIAL},
    // devices lack carom_log
    {{&carom_element_bar}, "strain: log", strain_of, CAROM_BAR_LOG, 0},
    {{&carom_element_loop_shell}, NULL, NULL, 0, BIT(ST_VENANT_KIRCHHOFF)},
    {{&carom_element_tri3.element}, "plane: strain", plane_of, CAROM_PLANE_STRAIN, ELASTIC},
    // other laws iterate for the thickness; on the processor the slowest of eight elements determines the number of iterations,
    // on a device each element does, so that the bits would differ
    {{&carom_element_tri3.element}, "plane: stress", plane_of, CAROM_PLANE_STRESS, UNIAXIAL},
    {{&carom_element_quad4.element}, "plane: strain", plane_of, CAROM_PLANE_STRAIN, ELASTIC},
    {{&carom_element_quad4.element}, "plane: stress", plane_of, CAROM_PLANE_STRESS, UNIAXIAL},
    {{&carom_dilated_quad4.element}, "integration: mean-dilatation", NULL, 0, 0},
    {{&carom_element_tet4.element}, NULL, NULL, 0, LOCKING},
    {{&carom_volume_tet4.element, &carom_volume_patch}, "volume: nodal", NULL, 0, RUBBERS | HISTORY},
    {{&carom_element_hex8.element}, "integration: full", integration_of, CAROM_HEX8_FULL, LOCKING},
    // rubbers have hourglass forces of their own
    {{&carom_element_hex8.element}, "integration: one-point", integration_of, CAROM_HEX8_ONE_POINT, ELASTIC | HISTORY},
    {{&carom_dilated_hex8.element}, "integration: mean-dilatation", NULL, 0, RUBBERS | HISTORY},
    {{&carom_element_wedge6.element}, NULL, NULL, 0, LOCKING},
    {{&carom_nodal_tet4.element, &carom_nodal_hex8.element, &carom_nodal_patch}, NULL, NULL, 0, ELASTIC | RUBBERS | HISTORY},
};
enum { ROWS = sizeof rows / sizeof *rows };

const carom_device_row *carom_device_rows(int *count) {
    *count = ROWS;
    return rows;
}

bool carom_device_row_has(const carom_device_row *row, const carom_material *law) {
    return law && (row->laws & (1U << carom_law_of(law)));
}

// The row for the element and the settings of a block; NULL if there is none.
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
    const element_kernels *of = find_kernels(element);
    if (!row || !of || !carom_device_row_has(row, block->material))
        return false;
    of->make(of, block, made);
    carom_thread_kind kind = made->kind;
    made->solid = false CAROM_THREAD_SOLIDS(CAROM_THREAD_IS, ) ? carom_solid_shape_of(block) : NULL;
    return true;
}

// Fails; the message names the settings of the same element with which devices support its law. Plane strain is not suggested
// in place of plane stress, since it is another mechanical problem.
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
