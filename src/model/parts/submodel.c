// SPDX-License-Identifier: MIT
// Copies nodes, restraints, bodies and settings of some nodes of a model into a model of its own (submodel.h).
#include "model/parts/submodel.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"

bool carom_submodel_start(carom_submodel *sub, const carom_model *whole) {
    *sub = (carom_submodel){.whole = whole, .part = carom_model_allocate()};
    sub->local = carom_allocate(whole->node_count, sizeof *sub->local);
    for (int k = 0; sub->local && k < whole->node_count; k++)
        sub->local[k] = -1;
    return sub->part && sub->local;
}

void carom_submodel_end(carom_submodel *sub) {
    free(sub->local);
    carom_model_release(sub->part);
    *sub = (carom_submodel){0};
}

// Numbers the marked nodes that belong to the process (`own`), or the other ones.
static void number_nodes(carom_submodel *sub, const int *owner, int rank, bool own) {
    carom_model *part = sub->part;
    for (int k = 0; k < sub->whole->node_count; k++) {
        if (sub->local[k] < 0 || (!owner || owner[k] == rank) != own)
            continue;
        sub->local[k] = part->node_count;
        sub->global[part->node_count++] = k;
    }
}

bool carom_submodel_number(carom_submodel *sub, const int *owner, int rank) {
    int count = 0;
    for (int k = 0; k < sub->whole->node_count; k++)
        count += sub->local[k] >= 0;
    sub->global = carom_arena_allocate(sub->part->arena, count, sizeof *sub->global);
    if (!sub->global)
        return false;
    number_nodes(sub, owner, rank, true);
    sub->part->part.owned_count = sub->part->node_count;
    number_nodes(sub, owner, rank, false);
    return true;
}

// Copies the rows of the kept nodes of an array over nodes.
static void *take(const carom_submodel *sub, const void *of_whole, size_t size, bool *enough) {
    char *rows = carom_arena_reserve(sub->part->arena, sub->part->node_count, size, enough);
    for (int k = 0; *enough && k < sub->part->node_count; k++)
        memcpy(rows + (size_t)k * size, (const char *)of_whole + (size_t)sub->global[k] * size, size);
    return rows;
}

// Motions are few: the submodel has all of them, with the same numbers.
static bool take_motions(const carom_submodel *sub) {
    const carom_drives *from = &sub->whole->drives;
    carom_drives *to = &sub->part->drives;
    bool enough = true;
    to->motion_count = from->motion_count;
    to->motions = carom_arena_reserve(sub->part->arena, from->motion_count, sizeof *to->motions, &enough);
    for (int i = 0; enough && i < from->motion_count; i++)
        enough = carom_motion_copy(sub->part->arena, &from->motions[i], &to->motions[i]);
    return enough;
}

// Copies the restraints of the kept nodes, ascending by their new numbers.
static bool take_restraints(const carom_submodel *sub) {
    const carom_model *whole = sub->whole;
    carom_model *part = sub->part;
    if (!whole->restraints.of_node)
        return true;
    bool enough = true, driven = whole->drives.of_restraint != NULL;
    carom_restraints *to = &part->restraints;
    to->of_node = carom_arena_reserve(part->arena, part->node_count, sizeof *to->of_node, &enough);
    for (int k = 0; enough && k < part->node_count; k++)
        to->of_node[k] = whole->restraints.of_node[sub->global[k]] < 0 ? -1 : to->count++;
    to->items = carom_arena_reserve(part->arena, to->count, sizeof *to->items, &enough);
    if (driven)
        part->drives.of_restraint = carom_arena_reserve(part->arena, to->count, sizeof *part->drives.of_restraint, &enough);
    for (int k = 0; enough && k < part->node_count; k++) {
        int r = to->of_node[k], from = whole->restraints.of_node[sub->global[k]];
        if (r < 0)
            continue;
        to->items[r] = whole->restraints.items[from];
        to->items[r].node = k;
        if (driven)
            part->drives.of_restraint[r] = whole->drives.of_restraint[from];
    }
    return enough && (!driven || take_motions(sub));
}

bool carom_submodel_copy_nodes(carom_submodel *sub) {
    const carom_model *whole = sub->whole;
    carom_model *part = sub->part;
    bool enough = true;
    part->X = take(sub, whole->X, sizeof *whole->X, &enough);
    part->mass = take(sub, whole->mass, sizeof *whole->mass, &enough);
    part->v0 = take(sub, whole->v0, sizeof *whole->v0, &enough);
    part->load = take(sub, whole->load, sizeof *whole->load, &enough);
    if (whole->mass_damping)
        part->mass_damping = take(sub, whole->mass_damping, sizeof *whole->mass_damping, &enough);
    return enough && take_restraints(sub);
}

// The owned nodes and the ghosts ascend by their numbers in the whole model, and so are ordered body after body.
static void find_ranges(const carom_submodel *sub) {
    int owned = sub->part->part.owned_count;
    for (int b = 0, node = 0, ghost = owned; b < sub->whole->body_count; b++) {
        carom_body *body = &sub->part->bodies[b];
        int end = sub->whole->bodies[b].node_begin + sub->whole->bodies[b].node_count;
        body->node_begin = node;
        while (node < owned && sub->global[node] < end)
            node++;
        body->node_count = node - body->node_begin;
        body->ghost_begin = ghost;
        while (ghost < sub->part->node_count && sub->global[ghost] < end)
            ghost++;
        body->ghost_count = ghost - body->ghost_begin;
    }
}

bool carom_submodel_copy_bodies(carom_submodel *sub) {
    const carom_model *whole = sub->whole;
    carom_model *part = sub->part;
    part->body_count = whole->body_count;
    part->bodies = carom_arena_allocate(part->arena, whole->body_count, sizeof *part->bodies);
    if (!part->bodies)
        return false;
    find_ranges(sub);
    for (int b = 0; b < whole->body_count; b++) {
        const carom_body *from = &whole->bodies[b];
        carom_body *to = &part->bodies[b];
        memcpy(to->name, from->name, sizeof to->name);
        memcpy(to->group, from->group, sizeof to->group);
        to->mass = from->mass;
        to->damping = from->damping;
        int64_t *ids = carom_arena_allocate(part->arena, (int64_t)to->node_count + to->ghost_count, sizeof *ids);
        if (!ids)
            return false;
        // Nodes without numbers of their own were counted; the count has gaps here.
        for (int i = 0; i < to->node_count; i++)
            ids[i] = carom_body_node_id(from, sub->global[to->node_begin + i]);
        for (int i = 0; i < to->ghost_count; i++)
            ids[to->node_count + i] = carom_body_node_id(from, sub->global[to->ghost_begin + i]);
        to->node_ids = ids;
    }
    return true;
}

void *carom_submodel_copy(carom_arena *arena, const void *items, int64_t count, size_t size, bool *enough) {
    void *copied = carom_arena_reserve(arena, count, size, enough);
    if (*enough && count)
        memcpy(copied, items, (size_t)count * size);
    return copied;
}

static bool copy_contact(const carom_submodel *sub) {
    const carom_model *whole = sub->whole;
    carom_model *part = sub->part;
    bool enough = true;
    part->contact = whole->contact;
    part->contact.planes = carom_submodel_copy(part->arena, whole->contact.planes, whole->contact.plane_count,
                                               sizeof *whole->contact.planes, &enough);
    part->laws = whole->laws;
    part->laws.exceptions =
        carom_submodel_copy(part->arena, whole->laws.exceptions, whole->laws.count, sizeof *whole->laws.exceptions, &enough);
    if (whole->filled)
        part->filled = carom_submodel_copy(part->arena, whole->filled, whole->body_count, sizeof *whole->filled, &enough);
    if (whole->immovable)
        part->immovable =
            carom_submodel_copy(part->arena, whole->immovable, whole->body_count, sizeof *whole->immovable, &enough);
    part->surface_length = whole->surface_length;
    part->contact_length = whole->contact_length;
    // seams contain node numbers of the whole model: models with ties are not divided (sim/share.c)
    return enough && carom_exclusions_copy(&whole->exclusions, &part->exclusions);
}

bool carom_submodel_copy_constants(carom_submodel *sub) {
    const carom_model *whole = sub->whole;
    carom_model *part = sub->part;
    bool enough = true;
    part->loaded = whole->loaded;
    part->damped = whole->damped;
    part->skip_peaks = whole->skip_peaks;
    part->hash = whole->hash;
    part->block_step =
        carom_submodel_copy(part->arena, whole->block_step, whole->block_count, sizeof *whole->block_step, &enough);
    part->part.whole_nodes = whole->part.whole_nodes;
    part->part.whole_elements = whole->part.whole_elements;
    part->part.whole_restraints = whole->part.whole_restraints;
    part->part.whole_live_nodes = whole->part.whole_live_nodes;
    part->part.extent = whole->part.extent;
    return enough && copy_contact(sub);
}

int carom_submodel_find_space(const carom_model *whole, int *number) {
    int count = 0;
    for (int k = 0; k < whole->node_count; k++)
        number[k] = carom_model_can_touch(whole, k) ? count++ : -1;
    return count;
}
