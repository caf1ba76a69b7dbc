// SPDX-License-Identifier: MIT
// Builds the bodies of a model, one after another in the arrays over nodes: positions, node sets, masses, velocities at the
// start.
#include "base/allocate.h"
#include "model/build/builders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "element/element.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "model/build/block_layout.h"
#include "model/build/definition.h"
#include "model/build/joints.h"
#include "model/rigid.h"

// Initial velocities: that of the body, a rotation about its mass centre or about the point of the joint that holds it (NULL:
// none), and those of its mesh.
static void set_in_motion(carom_model *model, const carom_body_def *def, const carom_joint_def *joint, const carom_body *body) {
    // About the mass centre, so that a spin adds no momentum.
    double centre[3] = {0};
    for (int k = body->node_begin; k < body->node_begin + body->node_count; k++)
        carom_add_scaled(model->mass[k] / body->mass, model->X[k], centre);
    if (joint && !isnan(joint->at[0]))
        carom_copy(joint->at, centre);
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

// Adds a set of nodes with global numbers.
static carom_status add_set(carom_model *model, carom_body *body, const char *name, const int *nodes, int count,
                            carom_error *error) {
    carom_node_set *set = &body->sets[body->set_count++];
    memcpy(set->name, name, sizeof set->name);
    set->count = count;
    set->nodes = carom_arena_copy(model->arena, nodes, (size_t)count * sizeof *nodes);
    if (!set->nodes)
        return carom_no_memory(error, "the model");
    for (int i = 0; i < count; i++) {
        if (nodes[i] < 0 || nodes[i] >= body->node_count)
            return carom_fail(error, CAROM_BAD_INPUT, "body '%s': set '%s' names node %d of %d", body->name, name, nodes[i],
                              body->node_count);
        set->nodes[i] += body->node_begin;
    }
    return CAROM_OK;
}

// Adds the node sets of the mesh, and the nodes of its cell sets unless a node set has the same name.
static carom_status add_sets(carom_model *model, const carom_mesh *mesh, carom_body *body, carom_error *error) {
    body->sets = carom_arena_allocate(model->arena, (int64_t)mesh->set_count + mesh->cell_set_count + 1, sizeof *body->sets);
    carom_status status = body->sets ? CAROM_OK : carom_no_memory(error, "the model");
    // the mass centre of a rigid body
    static const char centre[CAROM_NAME_MAX] = CAROM_CENTRE_SET;
    if (!status && body->node_count > mesh->node_count)
        status = add_set(model, body, centre, &mesh->node_count, 1, error);
    for (int s = 0; s < mesh->set_count && !status; s++)
        status = add_set(model, body, mesh->sets[s].name, mesh->sets[s].nodes, mesh->sets[s].count, error);
    for (int s = 0; s < mesh->cell_set_count && !status; s++) {
        const carom_cell_set *set = &mesh->cell_sets[s];
        int *nodes, count;
        // A node set has priority over a cell set of the same name.
        if (carom_mesh_set(mesh, set->name))
            continue;
        status = carom_mesh_cell_set_nodes(mesh, set, &nodes, &count, error);
        if (!status)
            status = add_set(model, body, set->name, nodes, count, error);
        free(nodes);
    }
    return status;
}

// Reports why a node has no mass: it is in no element, or the mass of its elements overflows or underflows.
static carom_status refuse_mass(const carom_model *model, const carom_body *body, int node, carom_error *error) {
    long long id = (long long)carom_body_node_id(body, node);
    for (int b = body->block_begin; b < body->block_begin + body->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        for (int64_t i = 0; i < (int64_t)block->count * block->node_count; i++)
            if (block->nodes[i] == node)
                return carom_fail(
                    error, CAROM_BAD_INPUT,
                    "body '%s': node %lld has the mass %g: density times volume is outside the range of double precision; "
                    "check the units",
                    body->name, id, model->mass[node]);
    }
    return carom_fail(error, CAROM_BAD_INPUT, "body '%s': node %lld belongs to no element", body->name, id);
}

// The square of a finite velocity may overflow.
static carom_status check_motion(const carom_model *model, const carom_body *body, carom_error *error) {
    double kinetic = 0;
    for (int k = body->node_begin; k < body->node_begin + body->node_count; k++)
        kinetic += 0.5 * model->mass[k] * carom_dot(model->v0[k], model->v0[k]);
    if (isfinite(kinetic) && isfinite(body->mass))
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "body '%s': its %s overflows double precision; check the units", body->name,
                      isfinite(body->mass) ? "kinetic energy at the start" : "mass");
}

// Copies the node numbers of the mesh file. The node at the mass centre of a rigid body has the number behind the last.
static carom_status take_numbers(carom_model *model, const carom_mesh *mesh, carom_body *body, carom_error *error) {
    if (!mesh->node_ids)
        return CAROM_OK;
    int64_t *ids = carom_arena_allocate(model->arena, body->node_count, sizeof *ids);
    if (!ids)
        return carom_no_memory(error, "the model");
    memcpy(ids, mesh->node_ids, (size_t)mesh->node_count * sizeof *ids);
    for (int k = mesh->node_count; k < body->node_count; k++)
        for (int i = 0; i < k; i++)
            ids[k] = ids[i] >= ids[k] ? ids[i] + 1 : ids[k];
    body->node_ids = ids;
    return CAROM_OK;
}

// Sums the mass of a body over its nodes. A node without mass would have no equation of motion.
static carom_status weigh(carom_model *model, const carom_body_def *def, carom_body *body, carom_error *error) {
    if (carom_body_def_is_rigid(def))
        return carom_model_add_rigid(model, def, body, error);
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
    // Damping is a property of bodies; it is copied to nodes later.
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
    // A program may pass any coordinates; readers have refused such files.
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
    // The nodes of limit positions get global numbers as well.
    for (int k = 0; body->limit.begin && k < body->limit.begin[body->node_count]; k++)
        body->limit.nodes[k] += body->node_begin;
    status = carom_model_add_blocks(model, def, plan, body, error);
    if (status)
        return status;

    status = weigh(model, def, body, error);
    if (status)
        return status;
    set_in_motion(model, def, joint, body);
    return check_motion(model, body, error);
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
        return carom_no_memory(error, "the model");
    // Nodes of other bodies get the identity, which is never read.
    for (int k = 0; k < model->node_count; k++)
        carom_mat3_identity(model->R[k]);
    return CAROM_OK;
}

// Allocates the arrays over nodes, bodies and blocks, whose lengths are known from the survey and the arrangement.
static carom_status allocate_arrays(carom_model *model, const carom_model_def *def, carom_error *error) {
    carom_arena *arena = model->arena;
    model->X = carom_arena_allocate(arena, model->node_count, sizeof *model->X);
    model->mass = carom_arena_allocate(arena, (int64_t)model->node_count + model->body_count, sizeof *model->mass);
    model->load = carom_arena_allocate(arena, model->node_count, sizeof *model->load);
    model->v0 = carom_arena_allocate(arena, model->node_count, sizeof *model->v0);
    model->bodies = carom_arena_allocate(arena, model->body_count, sizeof *model->bodies);
    model->blocks = carom_arena_allocate(arena, model->block_count, sizeof *model->blocks);
    if (!model->X || !model->mass || !model->load || !model->v0 || !model->bodies || !model->blocks)
        return carom_no_memory(error, "the model");
    carom_status status = carom_model_reserve_rigid(model, def, error);
    return status || !has_frames(def) ? status : allocate_frames(model, error);
}

bool carom_body_is_called(const carom_body *body, const char *name) {
    return strcmp(body->name, name) == 0 || (body->group[0] && strcmp(body->group, name) == 0);
}

// 1 + the contact plane of that name; 0: there is none.
static int find_plane(const carom_contact_def *contact, const char *name) {
    for (int p = 0; p < contact->plane_count && name[0]; p++)
        if (strcmp(contact->planes[p].name, name) == 0)
            return 1 + p;
    return 0;
}

carom_status carom_model_add_bodies(carom_model *model, const carom_model_def *def, carom_error *error) {
    carom_body_plan *plans = carom_arena_allocate(model->arena, model->body_count, sizeof *plans);
    carom_status status =
        plans ? carom_plan_bodies(def, model->arena, plans, &model->block_count, error) : carom_no_memory(error, "the model");
    if (!status)
        status = allocate_arrays(model, def, error);
    // Nodes and blocks are numbered consecutively over the bodies.
    for (int b = 0, node = 0, block = 0; !status && b < model->body_count; b++) {
        carom_body *body = &model->bodies[b];
        body->node_begin = node;
        body->block_begin = block;
        const carom_joint_def *joint = carom_model_def_hold(def, def->bodies[b].name);
        body->stands_on = find_plane(&def->contact, def->bodies[b].stands_on);
        status = add_body(model, joint, &def->bodies[b], &plans[b], body, error);
        node += body->node_count;
        block += body->block_count;
    }
    return status;
}
