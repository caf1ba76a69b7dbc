// SPDX-License-Identifier: MIT
// Builds a model step by step: bodies, gather lists, restraints, loads, ties, contact candidates; computes its hash.
#include "model/model.h"
#include "base/allocate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/param.h"
#include "model/build/builders.h"
#include "model/build/definition.h"
#include "model/build/joints.h"
#include "model/motion/damping.h"
#include "model/motion/loads.h"
#include "model/motion/restraints.h"
#include "model/motion/springs.h"
#include "model/rigid.h"

void carom_model_release(carom_model *model) {
    if (!model)
        return;
    carom_surface_release(&model->surface);
    carom_exclusions_release(&model->exclusions);
    carom_arena_release(model->arena);
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static carom_status check_names(const carom_model_def *def, carom_arena *arena, carom_error *error) {
    const char **names = carom_arena_allocate(arena, def->body_count, sizeof *names);
    if (!names)
        return carom_no_memory(error, "the model");
    // Sorted, since arrays of bodies produce thousands of names.
    for (int b = 0; b < def->body_count; b++)
        names[b] = def->bodies[b].name;
    qsort(names, (size_t)def->body_count, sizeof *names, compare_names);
    for (int b = 1; b < def->body_count; b++)
        if (strcmp(names[b - 1], names[b]) == 0)
            return carom_fail(error, CAROM_BAD_INPUT, "two bodies are named '%s'", names[b]);
    return CAROM_OK;
}

// Counts nodes and blocks, and makes the checks that do not require a model.
static carom_status survey(const carom_model_def *def, carom_model *model, carom_error *error) {
    int64_t nodes = 0;
    for (int b = 0; b < def->body_count; b++) {
        const carom_body_def *body = &def->bodies[b];
        if (!body->mesh || body->mesh->node_count < 1)
            return carom_fail(error, CAROM_BAD_INPUT, "body '%s' has no mesh", body->name);
        if (!body->element.kind && !body->obstacle)
            return carom_fail(error, CAROM_BAD_INPUT, "body '%s' has no element", body->name);
        // a rigid body has an additional node at its mass centre, and one more if joints connect it
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

static uint64_t hash_params(uint64_t h, const carom_kind *kind, const void *params) {
    return carom_param_hash(h, kind->params, kind->param_count, params);
}

// Hashes everything that determines the motion of the model.
uint64_t carom_model_find_hash(const carom_model *model) {
    uint64_t h = CAROM_HASH_START;
    // The bits of the input are hashed, so that a saved state can be matched with its model.
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
        const carom_rigid_body *one = &model->rigid.items[r];
        h = carom_hash(h, one->inertia, sizeof one->inertia);
        h = carom_hash(h, one->R, sizeof one->R);
        h = carom_hash(h, one->spin, sizeof one->spin);
        h = carom_hash(h, one->tied, (size_t)one->tied_count * sizeof *one->tied);
    }
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        h = carom_hash(h, block->element->kind.name, strlen(block->element->kind.name));
        h = hash_params(h, &block->element->kind, block->params);
        // Parameters are hashed one by one: the bytes of a struct include padding.
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

// The builders in their order: each may read what its predecessors have built.
typedef carom_status (*builder)(carom_model *model, const carom_model_def *def, carom_error *error);

static const builder builders[] = {
    carom_model_add_bodies,        // nodes, masses, blocks, sets
    carom_model_tie_rigid,         // nodes tied to rigid bodies
    carom_model_add_linkages,      // rigid bodies connected by joints
    carom_model_find_gather_lists, // slots of the element forces of each node
    carom_model_spread_damping,    // from bodies to nodes
    carom_model_find_chunks,       // ranges of elements for threads
    carom_model_find_tiles,        // runs of chunks that fit into a cache
    carom_model_check_plane,       // plane bodies stay in their plane
    carom_model_add_restraints,    // and prescribed motions
    carom_model_add_loads,         // dead and live
    carom_model_add_ties,          // tied surfaces
    carom_model_add_springs,       // at rigid bodies
    carom_model_check_rigid,       // features that rigid bodies do not support
    carom_model_find_laws,         // restitution and friction of pairs
    carom_model_find_boundary,     // the surface of all bodies
    carom_model_find_candidates,   // contacts with fixed normals
    carom_model_check_start,       // nothing overlaps at the start
    carom_model_find_steps,        // stable steps
};

// The diagonal of the box around all nodes.
static double extent_of(const carom_model *model) {
    double low[3], high[3], square = 0;
    carom_model_box(model, 0, model->node_count, low, high);
    for (int i = 0; i < 3; i++)
        square += (high[i] - low[i]) * (high[i] - low[i]);
    return sqrt(square);
}

// Finds the ties on a model that has its bodies only; may move nodes of their meshes.
static carom_status tie(carom_model *model, carom_model_def *def, carom_error *error) {
    if (!def->tie_count && !def->connection_count)
        return CAROM_OK;
    carom_model *bare = carom_model_allocate();
    carom_status status = bare ? CAROM_OK : carom_no_memory(error, "the model");
    if (!status) {
        bare->node_count = model->node_count;
        bare->body_count = model->body_count;
        bare->part = (carom_part){.owned_count = model->node_count, .whole_nodes = model->node_count, .space = bare};
        status = carom_model_add_bodies(bare, def, error);
    }
    if (!status)
        status = carom_model_find_ties(bare, def, model->arena, &model->ties, error);
    carom_model_release(bare);
    return status;
}

static carom_status build(carom_model *model, const carom_model_def *given, carom_error *error) {
    carom_model_def complete;
    // Counts come first, so that all arrays are allocated once, with their final size.
    carom_status status = survey(given, model, error);
    if (!status)
        status = carom_model_def_complete(given, model->arena, &complete, error);
    if (!status)
        status = carom_contact_def_check(&complete.contact, error);
    if (!status)
        status = tie(model, &complete, error);
    // the builders use sums over nodes and elements
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
    carom_model *m = carom_model_allocate();
    if (!m)
        return carom_no_memory(error, "the model");
    m->skip_peaks = def->skip_peaks;
    carom_status status = build(m, def, error);
    if (status)
        carom_model_release(m);
    else
        *model = m;
    return status;
}
