// SPDX-License-Identifier: MIT
// Building a model: bodies laid out one after another, blocks prepared, gather lists, restraints, loads, contact candidates.
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/param.h"
#include "element/element.h"
#include "element/obstacle.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "model/boundary.h"
#include "model/candidates.h"
#include "model/damping.h"
#include "model/definition.h"
#include "model/gather.h"
#include "model/history.h"
#include "model/joints.h"
#include "model/laws.h"
#include "model/linkages.h"
#include "model/loads.h"
#include "model/plan.h"
#include "model/plane_check.h"
#include "model/restraints.h"
#include "model/rigid.h"
#include "model/springs.h"
#include "model/start_check.h"

void carom_model_release(carom_model *model) {
    if (!model)
        return;
    carom_surface_release(&model->surface);
    carom_exclusions_release(&model->exclusions);
    carom_arena_release(model->arena);
}

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for the model");
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static carom_status check_names(const carom_model_def *def, carom_arena *arena, carom_error *error) {
    const char **names = carom_arena_allocate(arena, def->body_count, sizeof *names);
    if (!names)
        return no_memory(error);
    // Sorted, since arrays of bodies make thousands of names.
    for (int b = 0; b < def->body_count; b++)
        names[b] = def->bodies[b].name;
    qsort(names, (size_t)def->body_count, sizeof *names, compare_names);
    for (int b = 1; b < def->body_count; b++)
        if (strcmp(names[b - 1], names[b]) == 0)
            return carom_fail(error, CAROM_BAD_INPUT, "two bodies are named '%s'", names[b]);
    return CAROM_OK;
}

// Counts nodes and blocks, and checks what can be checked without building.
static carom_status survey(const carom_model_def *def, carom_model *model, carom_error *error) {
    int64_t nodes = 0;
    for (int b = 0; b < def->body_count; b++) {
        const carom_body_def *body = &def->bodies[b];
        if (!body->mesh || body->mesh->node_count < 1)
            return carom_fail(error, CAROM_BAD_INPUT, "body '%s' has no mesh", body->name);
        if (!body->element.kind && !body->obstacle)
            return carom_fail(error, CAROM_BAD_INPUT, "body '%s' has no element", body->name);
        // a rigid body has a node at its mass centre, and one at the hub of its joint
        nodes += body->mesh->node_count + carom_body_def_is_rigid(body);
        nodes += carom_model_def_joint(def, body->name) != NULL;
    }
    // Indices of nodes times eight fit an int.
    if (nodes > INT32_MAX / 8)
        return carom_fail(error, CAROM_BAD_INPUT, "%lld nodes are too many", (long long)nodes);
    if (def->body_count < 1)
        return carom_fail(error, CAROM_BAD_INPUT, "a model needs at least one body");
    carom_status status = check_names(def, model->arena, error);
    if (!status)
        status = carom_model_check_joints(def, error);
    if (status)
        return status;
    model->node_count = (int)nodes;
    model->body_count = def->body_count;
    return CAROM_OK;
}

// The common part of all blocks of a body.
static carom_status start_block(carom_model *model, const carom_body_def *def, const carom_pick *material, carom_body *body,
                                carom_block **block, carom_error *error) {
    const carom_element *element = carom_element_acting((const carom_element *)def->element.kind, def->element.params);
    *block = &model->blocks[body->block_begin + body->block_count++];
    **block = (carom_block){
        .element = element,
        .material = (const carom_material *)material->kind,
        .body = (int)(body - model->bodies),
        .node_count = element->node_count,
        .data_size = element->data_size,
        .params = carom_arena_copy(model->arena, def->element.params, def->element.kind->params_size),
        .material_params =
            material->kind ? carom_arena_copy(model->arena, material->params, material->kind->params_size) : NULL,
    };
    const carom_element *own = (const carom_element *)def->element.kind;
    if ((*block)->params && own->settle)
        own->settle((void *)(*block)->params, carom_pick_flows(material));
    return (*block)->params && (!material->kind || (*block)->material_params) ? CAROM_OK : no_memory(error);
}

// Reference data and masses of a block whose nodes are in place.
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
        // Frames that the mesh does not give follow from the elements.
        if (!def->mesh->frames)
            element->framed->frames(block, X, model->R);
        status = element->framed->prepare(block, X, (const double(*)[3][3])model->R, model->mass, model->inertia, &reason);
    } else {
        status = element->prepare(block, X, model->mass, &reason);
    }
    return status ? carom_fail(error, status, "body '%s': %s", def->name, reason.message) : CAROM_OK;
}

// A run of cells.
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
    // Room for whole batches: the last one is filled up with lanes that nobody reads.
    block->data = carom_arena_allocate(model->arena, carom_lanes_size(cells->count, block->data_size), sizeof *block->data);
    if (cells->ids)
        block->ids = carom_arena_copy(model->arena, cells->ids, (size_t)cells->count * sizeof *block->ids);
    if (!nodes || !block->data || (cells->ids && !block->ids))
        return no_memory(error);
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

// Numbers of the elements of a group in the file of the mesh.
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

// A group of elements that `arrange` made, or those of one material; its arrays are in the arena.
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
            return no_memory(error);
    }
    for (int i = 0; i < group->count * group->node_count; i++)
        group->nodes[i] += body->node_begin;
    block->nodes = group->nodes;
    return finish_block(model, def, block, error);
}

// Velocities at the start: those of the body, a rotation about its mass centre, and those of its mesh.
static void set_in_motion(carom_model *model, const carom_body_def *def, const carom_body *body) {
    // About the mass centre, so that a spin adds no momentum.
    double centre[3] = {0};
    for (int k = body->node_begin; k < body->node_begin + body->node_count; k++)
        carom_add_scaled(model->mass[k] / body->mass, model->X[k], centre);
    // or about the hub of a joint
    if (body->node_count > def->mesh->node_count + 1)
        carom_copy(model->X[body->node_begin + body->node_count - 1], centre);
    bool spins = carom_norm(def->spin) > 0;
    for (int i = 0; i < body->node_count; i++) {
        int k = body->node_begin + i;
        double arm[3], turn[3];
        carom_copy(def->velocity, model->v0[k]);
        carom_difference(model->X[k], centre, arm);
        carom_cross(def->spin, arm, turn);
        if (spins)
            carom_add_scaled(1, turn, model->v0[k]);
        if (def->mesh->velocities)
            carom_add_scaled(1, def->mesh->velocities[i], model->v0[k]);
        if (!carom_model_has_frame(model, k))
            continue;
        // Spins are given in space and kept in the axes of the frame.
        carom_mat3_apply_transposed((carom_const_vectors)model->R[k], def->spin, model->spin0[k]);
        if (def->mesh->spins)
            carom_add_scaled(1, def->mesh->spins[i], model->spin0[k]);
    }
}

// Adds a set of nodes, which gets global numbers.
static carom_status add_set(carom_model *model, carom_body *body, const char *name, const int *nodes, int count,
                            carom_error *error) {
    carom_node_set *set = &body->sets[body->set_count++];
    memcpy(set->name, name, sizeof set->name);
    set->count = count;
    set->nodes = carom_arena_copy(model->arena, nodes, (size_t)count * sizeof *nodes);
    if (!set->nodes)
        return no_memory(error);
    for (int i = 0; i < count; i++) {
        if (nodes[i] < 0 || nodes[i] >= body->node_count)
            return carom_fail(error, CAROM_BAD_INPUT, "body '%s': set '%s' names node %d of %d", body->name, name, nodes[i],
                              body->node_count);
        set->nodes[i] += body->node_begin;
    }
    return CAROM_OK;
}

// The sets of the mesh, and the nodes of its cell sets, unless a set of nodes has the name.
static carom_status add_sets(carom_model *model, const carom_mesh *mesh, carom_body *body, carom_error *error) {
    body->sets = carom_arena_allocate(model->arena, (int64_t)mesh->set_count + mesh->cell_set_count + 1, sizeof *body->sets);
    carom_status status = body->sets ? CAROM_OK : no_memory(error);
    // the mass centre of a rigid body
    static const char centre[CAROM_NAME_MAX] = CAROM_CENTRE_SET;
    if (!status && body->node_count > mesh->node_count)
        status = add_set(model, body, centre, &mesh->node_count, 1, error);
    for (int s = 0; s < mesh->set_count && !status; s++)
        status = add_set(model, body, mesh->sets[s].name, mesh->sets[s].nodes, mesh->sets[s].count, error);
    for (int s = 0; s < mesh->cell_set_count && !status; s++) {
        const carom_cell_set *set = &mesh->cell_sets[s];
        int *nodes, count;
        // The set of nodes goes before the nodes of a cell set of the same name.
        if (carom_mesh_set(mesh, set->name))
            continue;
        status = carom_mesh_cell_set_nodes(mesh, set, &nodes, &count, error);
        if (!status)
            status = add_set(model, body, set->name, nodes, count, error);
        free(nodes);
    }
    return status;
}

// Why a node has no mass: it is in no element, or its elements have a mass that is no double.
static carom_status refuse_mass(const carom_model *model, const carom_body *body, int node, carom_error *error) {
    long long id = (long long)carom_body_node_id(body, node);
    for (int b = body->block_begin; b < body->block_begin + body->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        for (int64_t i = 0; i < (int64_t)block->count * block->node_count; i++)
            if (block->nodes[i] == node)
                return carom_fail(error, CAROM_BAD_INPUT,
                                  "body '%s': node %lld has the mass %g: density times volume is out of the range of numbers",
                                  body->name, id, model->mass[node]);
    }
    return carom_fail(error, CAROM_BAD_INPUT, "body '%s': node %lld belongs to no element", body->name, id);
}

// A velocity may be a number whose square is none.
static carom_status check_motion(const carom_model *model, const carom_body *body, carom_error *error) {
    double kinetic = 0;
    for (int k = body->node_begin; k < body->node_begin + body->node_count; k++)
        kinetic += 0.5 * model->mass[k] * carom_dot(model->v0[k], model->v0[k]);
    if (isfinite(kinetic) && isfinite(body->mass))
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "body '%s': its %s exceeds the range of numbers", body->name,
                      isfinite(body->mass) ? "kinetic energy at the start" : "mass");
}

// The blocks of a body as planned.
static carom_status add_blocks(carom_model *model, const carom_body_def *def, const carom_body_plan *plan, carom_body *body,
                               carom_error *error) {
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

// The numbers of the nodes in the file of the mesh. The node at the mass centre of a rigid body has the number behind the last.
static carom_status take_numbers(carom_model *model, const carom_mesh *mesh, carom_body *body, carom_error *error) {
    if (!mesh->node_ids)
        return CAROM_OK;
    int64_t *ids = carom_arena_allocate(model->arena, body->node_count, sizeof *ids);
    if (!ids)
        return no_memory(error);
    memcpy(ids, mesh->node_ids, (size_t)mesh->node_count * sizeof *ids);
    for (int k = mesh->node_count; k < body->node_count; k++)
        for (int i = 0; i < k; i++)
            ids[k] = ids[i] >= ids[k] ? ids[i] + 1 : ids[k];
    body->node_ids = ids;
    return CAROM_OK;
}

// The mass of a body: that of its nodes. A node without any would have no equation of motion.
static carom_status weigh(carom_model *model, const carom_joint_def *joint, const carom_body_def *def, carom_body *body,
                          carom_error *error) {
    if (carom_body_def_is_rigid(def))
        return carom_model_add_rigid(model, joint, def, body, error);
    for (int k = body->node_begin; k < body->node_begin + body->node_count; k++) {
        if (!(model->mass[k] > 0) || !isfinite(model->mass[k]))
            return refuse_mass(model, body, k, error);
        body->mass += model->mass[k];
    }
    return CAROM_OK;
}

static carom_status add_body(carom_model *model, const carom_joint_def *joint, const carom_body_def *def,
                             const carom_body_plan *plan, carom_body *body, carom_error *error) {
    const carom_element *element = (const carom_element *)def->element.kind;
    carom_status status = carom_plan_check_materials(def, error);
    if (status)
        return status;

    // name, nodes, velocity
    memcpy(body->name, def->name, sizeof body->name);
    memcpy(body->group, def->group, sizeof body->group);
    // Damping is a property of bodies; nodes get it from them later.
    body->damping = def->damping;
    model->damped = model->damped || def->damping.mass > 0 || def->damping.stiffness > 0;
    for (int i = 0; i < 3; i++)
        if (!isfinite(def->velocity[i]) || !isfinite(def->spin[i]))
            return carom_fail(error, CAROM_BAD_INPUT, "body '%s': its velocity is not finite", def->name);
    int mesh_nodes = def->mesh->node_count;
    body->node_count = mesh_nodes + carom_model_rigid_nodes(model, def);
    memcpy(model->X[body->node_begin], def->mesh->nodes, (size_t)mesh_nodes * sizeof *model->X);
    if (element->framed && def->mesh->frames)
        memcpy(model->R[body->node_begin], def->mesh->frames, (size_t)body->node_count * sizeof *model->R);
    // A program may hand over any coordinates; readers have refused such files.
    for (int k = 0; k < mesh_nodes; k++)
        for (int i = 0; i < 3; i++)
            if (!isfinite(def->mesh->nodes[k][i]))
                return carom_fail(error, CAROM_BAD_INPUT, "body '%s': node %lld is not at a finite position", def->name,
                                  (long long)carom_mesh_node_id(def->mesh, k));

    status = take_numbers(model, def->mesh, body, error);
    if (status)
        return status;

    status = add_sets(model, def->mesh, body, error);
    if (status)
        return status;
    body->limit = plan->arrangement.limit;
    // The nodes that limit positions are made of get global numbers as well.
    for (int k = 0; body->limit.begin && k < body->limit.begin[body->node_count]; k++)
        body->limit.nodes[k] += body->node_begin;
    status = add_blocks(model, def, plan, body, error);
    if (status)
        return status;

    status = weigh(model, joint, def, body, error);
    if (status)
        return status;
    set_in_motion(model, def, body);
    return check_motion(model, body, error);
}

static uint64_t hash_params(uint64_t h, const carom_kind *kind, const void *params) {
    return carom_param_hash(h, kind->params, kind->param_count, params);
}

// Everything that decides how the model moves.
uint64_t carom_model_find_hash(const carom_model *model) {
    uint64_t h = CAROM_HASH_START;
    // The bits of the input decide, so that a saved state can be matched with its model.
    h = carom_hash(h, model->X, (size_t)model->node_count * sizeof *model->X);
    h = carom_hash(h, model->mass, (size_t)model->node_count * sizeof *model->mass);
    h = carom_hash(h, model->load, (size_t)model->node_count * sizeof *model->load);
    h = carom_hash(h, model->v0, (size_t)model->node_count * sizeof *model->v0);
    if (model->R) {
        h = carom_hash(h, model->R, (size_t)model->node_count * sizeof *model->R);
        h = carom_hash(h, model->inertia, (size_t)model->node_count * sizeof *model->inertia);
        h = carom_hash(h, model->spin0, (size_t)model->node_count * sizeof *model->spin0);
    }
    for (int r = 0; r < model->rigid.count; r++) {
        const carom_carrier *one = &model->rigid.items[r];
        h = carom_hash(h, one->inertia, sizeof one->inertia);
        h = carom_hash(h, one->R, sizeof one->R);
        h = carom_hash(h, one->spin, sizeof one->spin);
        h = carom_hash(h, one->glued, (size_t)one->glued_count * sizeof *one->glued);
        if (one->joint.there) {
            h = carom_hash(h, &one->joint.turns, sizeof one->joint.turns);
            h = carom_hash(h, one->joint.axis, sizeof one->joint.axis);
            h = carom_hash(h, one->joint.slide, sizeof one->joint.slide);
        }
    }
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        h = carom_hash(h, block->element->kind.name, strlen(block->element->kind.name));
        h = hash_params(h, &block->element->kind, block->params);
        // Parameters are hashed row by row: the bytes of a struct include padding.
        if (block->material) {
            h = carom_hash(h, block->material->kind.name, strlen(block->material->kind.name));
            h = hash_params(h, &block->material->kind, block->material_params);
        }
        h = carom_hash(h, block->nodes, (size_t)(block->count * block->node_count) * sizeof *block->nodes);
    }
    h = carom_model_linkages_hash(h, model);
    h = carom_model_springs_hash(h, model);
    h = carom_model_restraints_hash(h, model);
    h = carom_live_loads_hash(h, &model->live);
    for (int b = 0; model->damped && b < model->body_count; b++)
        h = carom_hash(h, &model->bodies[b].damping, sizeof model->bodies[b].damping);
    h = carom_model_laws_hash(h, model);
    for (int c = 0; c < model->candidates.count; c++) {
        const carom_contact *item = &model->candidates.items[c];
        h = carom_hash(h, item->node, sizeof item->node);
        h = carom_hash(h, item->normal, sizeof item->normal);
        h = carom_hash(h, &item->offset, sizeof item->offset);
    }
    return carom_ties_hash(h, &model->ties);
}

static bool has_frames(const carom_model_def *def) {
    bool any = false;
    for (int b = 0; b < def->body_count; b++)
        any = any || ((const carom_element *)def->bodies[b].element.kind)->framed;
    return any;
}

static carom_status allocate_frames(carom_model *model, carom_error *error) {
    model->R = carom_arena_allocate(model->arena, model->node_count, sizeof *model->R);
    model->inertia = carom_arena_allocate(model->arena, model->node_count, sizeof *model->inertia);
    model->spin0 = carom_arena_allocate(model->arena, model->node_count, sizeof *model->spin0);
    if (!model->R || !model->inertia || !model->spin0)
        return no_memory(error);
    // Nodes of other bodies have the identity and are never asked.
    for (int k = 0; k < model->node_count; k++)
        carom_mat3_identity(model->R[k]);
    return CAROM_OK;
}

// The arrays over nodes, bodies and blocks, of which the survey and the arrangement have counted the members.
static carom_status allocate_arrays(carom_model *model, const carom_model_def *def, carom_error *error) {
    carom_arena *arena = model->arena;
    model->X = carom_arena_allocate(arena, model->node_count, sizeof *model->X);
    model->mass = carom_arena_allocate(arena, (int64_t)model->node_count + model->body_count, sizeof *model->mass);
    model->load = carom_arena_allocate(arena, model->node_count, sizeof *model->load);
    model->v0 = carom_arena_allocate(arena, model->node_count, sizeof *model->v0);
    model->bodies = carom_arena_allocate(arena, model->body_count, sizeof *model->bodies);
    model->blocks = carom_arena_allocate(arena, model->block_count, sizeof *model->blocks);
    if (!model->X || !model->mass || !model->load || !model->v0 || !model->bodies || !model->blocks)
        return no_memory(error);
    carom_status status = carom_model_reserve_rigid(model, def, error);
    return status || !has_frames(def) ? status : allocate_frames(model, error);
}

// Bodies one after another. Elements that do not stand for a cell each are arranged first: their blocks are counted by that.
static carom_status add_bodies(carom_model *model, const carom_model_def *def, carom_error *error) {
    carom_body_plan *plans = carom_arena_allocate(model->arena, model->body_count, sizeof *plans);
    carom_status status = plans ? carom_plan_bodies(def, model->arena, plans, &model->block_count, error) : no_memory(error);
    if (!status)
        status = allocate_arrays(model, def, error);
    // Numbers of nodes and blocks run on from body to body.
    for (int b = 0, node = 0, block = 0; !status && b < model->body_count; b++) {
        carom_body *body = &model->bodies[b];
        body->node_begin = node;
        body->block_begin = block;
        const carom_joint_def *joint = carom_model_def_joint(def, def->bodies[b].name);
        status = add_body(model, joint, &def->bodies[b], &plans[b], body, error);
        node += body->node_count;
        block += body->block_count;
    }
    return status;
}

static carom_status check_plane(carom_model *model, const carom_model_def *def, carom_error *error) {
    return carom_model_check_plane(model, def, error);
}

static carom_status check_start(carom_model *model, const carom_model_def *def, carom_error *error) {
    (void)def;
    return carom_model_check_start(model, error);
}

static carom_status find_candidates(carom_model *model, const carom_model_def *def, carom_error *error) {
    return carom_model_find_candidates(model, &def->contact, def->gravity, error);
}

// The parts of a model in the order in which they are built: each may read what the ones before have made.
typedef carom_status (*builder)(carom_model *model, const carom_model_def *def, carom_error *error);

static const builder builders[] = {
    add_bodies,                    // nodes, masses, blocks, sets
    carom_model_glue_rigid,        // nodes that rigid bodies take over
    carom_model_add_linkages,      // rigid bodies that joints hold together
    carom_model_find_gather_lists, // where nodes find their element forces
    carom_model_spread_damping,    // from bodies to nodes
    carom_model_find_chunks,       // what threads take at a time
    carom_model_find_tiles,        // and keep in their caches
    check_plane,                   // plane bodies stay in their plane
    carom_model_add_restraints,    // and prescribed motions
    carom_model_add_loads,         // dead and live
    carom_model_add_ties,          // surfaces glued together
    carom_model_add_springs,       // at rigid bodies
    carom_model_check_rigid,       // what rigid bodies cannot have
    carom_model_find_laws,         // restitution and friction of pairs
    carom_model_find_boundary,     // the surface of all bodies
    find_candidates,               // contacts with fixed normals
    check_start,                   // nothing overlaps at the start
    carom_model_find_steps,        // stable steps
};

// The diagonal of the box around all nodes.
static double extent_of(const carom_model *model) {
    double square = 0;
    for (int i = 0; i < 3; i++) {
        double least = HUGE_VAL, most = -HUGE_VAL;
        for (int k = 0; k < model->node_count; k++) {
            least = fmin(least, model->X[k][i]);
            most = fmax(most, model->X[k][i]);
        }
        square += (most - least) * (most - least);
    }
    return sqrt(square);
}

// Finds what is tied, on a model that has its bodies only; their nodes may be moved.
static carom_status tie(carom_model *model, carom_model_def *def, carom_error *error) {
    if (!def->tie_count && !def->connection_count)
        return CAROM_OK;
    carom_arena *arena = carom_arena_create();
    carom_model *bare = arena ? carom_arena_allocate(arena, 1, sizeof *bare) : NULL;
    carom_status status = bare ? CAROM_OK : no_memory(error);
    if (!status) {
        *bare = (carom_model){.arena = arena, .node_count = model->node_count, .body_count = model->body_count};
        bare->part = (carom_part){.owned_count = model->node_count, .whole_nodes = model->node_count, .space = bare};
        status = add_bodies(bare, def, error);
    }
    if (!status)
        status = carom_model_find_ties(bare, def, model->arena, &model->ties, error);
    carom_arena_release(arena);
    return status;
}

static carom_status build(carom_model *model, const carom_model_def *given, carom_error *error) {
    carom_model_def complete;
    // Counts come first, so that all arrays are allocated once, at their size.
    carom_status status = survey(given, model, error);
    if (!status)
        status = carom_model_def_complete(given, model->arena, &complete, error);
    if (!status)
        status = carom_contact_def_check(&complete.contact, error);
    if (!status)
        status = tie(model, &complete, error);
    // the builders sum over nodes and elements
    model->part = (carom_part){.owned_count = model->node_count, .whole_nodes = model->node_count, .space = model};
    for (size_t i = 0; !status && i < sizeof builders / sizeof *builders; i++)
        status = builders[i](model, &complete, error);
    if (status)
        return status;
    model->part.whole_elements = model->element_count;
    model->part.whole_restraints = model->restraints.count;
    model->part.whole_live_nodes = model->live.node_count;
    model->part.extent = extent_of(model);
    model->hash = carom_model_find_hash(model);
    return CAROM_OK;
}

carom_status carom_model_create(const carom_model_def *def, carom_model **model, carom_error *error) {
    *model = NULL;
    carom_arena *arena = carom_arena_create();
    carom_model *m = arena ? carom_arena_allocate(arena, 1, sizeof *m) : NULL;
    if (!m) {
        carom_arena_release(arena);
        return no_memory(error);
    }
    m->arena = arena;
    m->skip_peaks = def->skip_peaks;
    carom_status status = build(m, def, error);
    if (status)
        carom_model_release(m);
    else
        *model = m;
    return status;
}
