// SPDX-License-Identifier: MIT
// Builds the element blocks (runs of equal elements) of a body as planned by block_layout.c: from cells of its mesh, from
// groups that an element arranges, or from elements of one material.
#include "base/allocate.h"
#include "model/build/block_layout.h"

#include "element/element.h"
#include "element/line/obstacle.h"
#include "math/vec3.h"
#include "model/build/definition.h"
#include "model/state/history.h"

// Initialises what all blocks of a body have in common.
static carom_status start_block(carom_model *model, const carom_body_def *def, const carom_pick *material, carom_body *body,
                                carom_block **block, carom_error *error) {
    const carom_element *element = carom_element_acting((const carom_element *)def->element.kind, def->element.params);
    const carom_element *own = (const carom_element *)def->element.kind;
    void *params = carom_arena_copy(model->arena, def->element.params, def->element.kind->params_size);
    if (params && own->settle)
        own->settle(params, carom_pick_flows(material));
    *block = &model->blocks[body->block_begin + body->block_count++];
    **block = (carom_block){
        .element = element,
        .material = (const carom_material *)material->kind,
        .body = (int)(body - model->bodies),
        .node_count = element->node_count,
        .data_size = element->data_size,
        .params = params,
        .material_params =
            material->kind ? carom_arena_copy(model->arena, material->params, material->kind->params_size) : NULL,
    };
    return (*block)->params && (!material->kind || (*block)->material_params) ? CAROM_OK : carom_no_memory(error, "the model");
}

// Computes reference data and masses of a block whose nodes are in place.
static carom_status finish_block(carom_model *model, const carom_body_def *def, carom_block *block, carom_error *error) {
    const carom_element *element = block->element;
    carom_error reason;
    carom_status status = carom_block_find_history(block, &reason);
    if (status)
        return carom_fail(error, status, "body '%s': %s", def->name, reason.message);
    // Totals over all blocks, which size the arrays of elements and gather lists.
    model->element_count += block->count;
    model->element_node_count += block->count * block->node_count;
    const double(*X)[3] = (carom_const_vectors)model->X;
    if (element->framed) {
        // Frames that the mesh does not give are computed from the elements.
        if (!def->mesh->frames)
            element->framed->frames(block, X, model->R);
        status = element->framed->prepare(block, X, (const double(*)[3][3])model->R, model->mass, model->inertia, &reason);
    } else {
        status = element->prepare(block, X, model->mass, &reason);
    }
    return status ? carom_fail(error, status, "body '%s': %s", def->name, reason.message) : CAROM_OK;
}

// Adds a block of cells.
static carom_status add_block(carom_model *model, const carom_body_def *def, carom_body *body, const carom_cell_block *cells,
                              carom_error *error) {
    carom_block *block;
    carom_status status = start_block(model, def, &def->material, body, &block, error);
    if (status)
        return status;
    if (def->obstacle) {
        block->element = carom_element_obstacle(cells->type, block->element->plane);
        block->node_count = block->element->node_count;
    }
    block->count = cells->count;
    int slots = cells->count * block->node_count;
    int *nodes = carom_arena_allocate(model->arena, slots, sizeof *nodes);
    // Whole batches are allocated: the unused lanes of the last one are padded.
    block->data = carom_arena_allocate(model->arena, carom_lanes_size(cells->count, block->data_size), sizeof *block->data);
    if (cells->ids)
        block->ids = carom_arena_copy(model->arena, cells->ids, (size_t)cells->count * sizeof *block->ids);
    if (!nodes || !block->data || (cells->ids && !block->ids))
        return carom_no_memory(error, "the model");
    for (int i = 0; i < slots; i++)
        nodes[i] = body->node_begin + cells->nodes[i];
    block->nodes = nodes;
    return finish_block(model, def, block, error);
}

static bool has_cell_ids(const carom_mesh *mesh) {
    bool any = false;
    for (int b = 0; b < mesh->block_count; b++)
        any = any || mesh->blocks[b].ids;
    return any;
}

// Numbers of the elements of a group in the mesh file.
static int64_t *ids_of(const carom_mesh *mesh, const carom_group *group, carom_arena *arena) {
    int64_t *ids = carom_arena_allocate(arena, group->count, sizeof *ids);
    for (int e = 0, block = 0, before = 0; ids && e < group->count; e++) {
        // The cells of a group ascend, so one pass over the blocks finds them all.
        while (group->cells[e] - before >= mesh->blocks[block].count)
            before += mesh->blocks[block++].count;
        ids[e] = carom_mesh_cell_id(mesh, block, group->cells[e] - before);
    }
    return ids;
}

// Adds a group of elements that `arrange` made, or of one material; its arrays are in the arena.
static carom_status add_group(carom_model *model, const carom_body_def *def, const carom_pick *material, carom_body *body,
                              const carom_group *group, carom_error *error) {
    carom_block *block;
    carom_status status = start_block(model, def, material, body, &block, error);
    if (status)
        return status;
    if (group->element)
        block->element = group->element;
    block->count = group->count;
    block->node_count = group->node_count;
    block->data_size = group->data_size;
    block->variant = group->variant;
    block->data = group->data;
    block->cells = group->cells;
    if (group->cells && has_cell_ids(def->mesh)) {
        block->ids = ids_of(def->mesh, group, model->arena);
        if (!block->ids)
            return carom_no_memory(error, "the model");
    }
    for (int i = 0; i < group->count * group->node_count; i++)
        group->nodes[i] += body->node_begin;
    block->nodes = group->nodes;
    return finish_block(model, def, block, error);
}

carom_status carom_model_add_blocks(carom_model *model, const carom_body_def *def, const carom_body_plan *plan,
                                    carom_body *body, carom_error *error) {
    bool arranged = carom_element_acting((const carom_element *)def->element.kind, def->element.params)->arrange;
    carom_status status = CAROM_OK;
    for (int c = 0; c < plan->count && !status; c++) {
        const carom_piece *piece = plan->pieces ? &plan->pieces[c] : NULL;
        if (piece)
            status = add_group(model, def, piece->material, body, &piece->group, error);
        else if (arranged)
            status = add_group(model, def, &def->material, body, &plan->arrangement.groups[c], error);
        else
            status = add_block(model, def, body, &def->mesh->blocks[c], error);
    }
    return status;
}
