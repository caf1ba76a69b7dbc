// SPDX-License-Identifier: MIT
// Extracts the subdomain of a process (the part of a shared model that it computes) from the whole model. The batches (elements
// that are evaluated together) with a node of the process are found first; their nodes are the nodes of the subdomain.
// Everything is then copied in the new numbering, which ascends with the old one.
#include "model/parts/extract.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "element/element.h"
#include "material/material.h"
#include "model/motion/loads.h"
#include "model/parts/submodel.h"

// Of a block of the part, until it is complete.
typedef struct block_arrays {
    int *nodes, *cells;
    int64_t *ids;
} block_arrays;

typedef struct extraction {
    carom_submodel sub;
    const int *owner;
    int parts, rank;
    bool *kept;           // per batch of the whole model, block after block
    block_arrays *arrays; // per block
} extraction;

static int batches_of(const carom_block *block) {
    return (block->count + CAROM_LANES - 1) / CAROM_LANES;
}

// The end of a batch, by its number.
static int end_of(const carom_block *block, int batch) {
    int end = (batch + 1) * CAROM_LANES;
    return end < block->count ? end : block->count;
}

static const int *nodes_of(const carom_block *block, int element) {
    return &block->nodes[(ptrdiff_t)element * block->node_count];
}

carom_status carom_model_check_kinds(const carom_model *whole, carom_error *error) {
    for (int b = 0; b < whole->block_count; b++) {
        const carom_block *block = &whole->blocks[b];
        const char *body = whole->bodies[block->body].name;
        if (carom_element_number(block->element) < 0)
            return carom_fail(error, CAROM_BAD_INPUT, "body '%s': element '%s' is in no catalogue and runs on one process",
                              body, block->element->kind.name);
        if (block->material && carom_catalogue_find(carom_materials(), block->material->kind.name) != &block->material->kind)
            return carom_fail(error, CAROM_BAD_INPUT, "body '%s': material '%s' is in no catalogue and runs on one process",
                              body, block->material->kind.name);
    }
    return CAROM_OK;
}

// Checks for functions of a program, which cannot be sent. What else processes lack is refused before (integrator/engines.h).
static carom_status check(const carom_model *whole, const int *owner, int parts, carom_error *error) {
    for (int l = 0; l < whole->live.count; l++)
        if (whole->live.items[l].function || whole->live.items[l].array_function)
            return carom_fail(error, CAROM_BAD_INPUT, "loads given by a function of a program run on one process");
    carom_status status = carom_model_check_kinds(whole, error);
    if (status)
        return status;
    for (int k = 0; k < whole->node_count; k++)
        if (owner[k] < 0 || owner[k] >= parts)
            return carom_fail(error, CAROM_BAD_INPUT, "node %d belongs to process %d of %d", k, owner[k], parts);
    return CAROM_OK;
}

static bool has_own(const extraction *x, const int *nodes, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (x->owner[nodes[i]] == x->rank)
            return true;
    return false;
}

static int face_size(const carom_load_face *face) {
    int size = 0;
    while (size < 4 && face->nodes[size] >= 0)
        size++;
    return size;
}

static bool keeps_face(const extraction *x, const carom_load_face *face) {
    return has_own(x, face->nodes, face_size(face));
}

// Marks batches and nodes of the subdomain. Faces with pressure are faces of elements: their nodes are among these.
static bool mark(extraction *x) {
    const carom_model *whole = x->sub.whole;
    int total = 0, number = 0;
    for (int b = 0; b < whole->block_count; b++)
        total += batches_of(&whole->blocks[b]);
    x->kept = carom_allocate(total, sizeof *x->kept);
    if (!x->kept)
        return false;
    for (int k = 0; k < whole->node_count; k++)
        x->sub.local[k] = x->owner[k] == x->rank ? 0 : -1;
    for (int b = 0; b < whole->block_count; b++) {
        const carom_block *block = &whole->blocks[b];
        for (int i = 0; i < batches_of(block); i++, number++) {
            const int *nodes = nodes_of(block, i * CAROM_LANES);
            int count = (end_of(block, i) - i * CAROM_LANES) * block->node_count;
            x->kept[number] = has_own(x, nodes, count);
            for (int a = 0; x->kept[number] && a < count; a++)
                x->sub.local[nodes[a]] = 0;
        }
    }
    return true;
}

// Allocates a block with kind and parameters of another one, and `count` elements, and sets its arrays.
static bool reserve_block(carom_arena *arena, const carom_block *from, int count, carom_block *to, block_arrays *arrays) {
    bool enough = true;
    *to = *from;
    to->count = count;
    // an element made by `arrange` has the parameters of its kind
    const carom_element *kind = carom_element_find(from->element->kind.name, 0);
    to->params = carom_arena_copy(arena, from->params, kind->kind.params_size);
    enough = to->params != NULL;
    if (from->material) {
        to->material_params = carom_arena_copy(arena, from->material_params, from->material->kind.params_size);
        enough = enough && to->material_params;
    }
    to->nodes = arrays->nodes = carom_arena_reserve(arena, (int64_t)count * from->node_count, sizeof *to->nodes, &enough);
    if (from->data)
        to->data = carom_arena_reserve(arena, carom_lanes_size(count, from->data_size), sizeof *to->data, &enough);
    if (from->ids)
        to->ids = arrays->ids = carom_arena_reserve(arena, count, sizeof *to->ids, &enough);
    if (from->cells || !from->ids)
        to->cells = arrays->cells = carom_arena_reserve(arena, count, sizeof *to->cells, &enough);
    return enough;
}

// Copies a batch to the end of a block that has `count` elements so far. Elements without a number are counted through the
// blocks of their body; `before` elements precede this block.
static void copy_batch(const extraction *x, const carom_block *from, int batch, int before, carom_block *to,
                       const block_arrays *arrays, int count) {
    int begin = batch * CAROM_LANES, n = from->node_count;
    for (int e = begin; e < end_of(from, batch); e++) {
        int place = count + e - begin;
        for (int a = 0; a < n; a++)
            arrays->nodes[(ptrdiff_t)place * n + a] = x->sub.local[nodes_of(from, e)[a]];
        if (arrays->ids)
            arrays->ids[place] = from->ids[e];
        if (arrays->cells)
            arrays->cells[place] = from->cells ? from->cells[e] : before + e;
    }
    if (from->data && from->data_size)
        memcpy(to->data + carom_lane(count, 0, from->data_size), from->data + carom_lane(begin, 0, from->data_size),
               (size_t)carom_lanes_size(1, from->data_size) * sizeof *from->data);
}

// Counts the kept elements of a block; `kept` are its batches.
static int count_kept(const carom_block *block, const bool *kept) {
    int count = 0;
    for (int i = 0; i < batches_of(block); i++)
        count += kept[i] ? end_of(block, i) - i * CAROM_LANES : 0;
    return count;
}

static bool reserve_blocks(extraction *x) {
    const carom_model *whole = x->sub.whole;
    carom_model *part = x->sub.part;
    part->block_count = whole->block_count;
    part->blocks = carom_arena_allocate(part->arena, whole->block_count, sizeof *part->blocks);
    x->arrays = carom_arena_allocate(part->arena, whole->block_count, sizeof *x->arrays);
    if (!part->blocks || !x->arrays)
        return false;
    int number = 0;
    for (int b = 0; b < whole->block_count; number += batches_of(&whole->blocks[b++])) {
        const carom_block *from = &whole->blocks[b];
        int count = count_kept(from, x->kept + number);
        if (!reserve_block(part->arena, from, count, &part->blocks[b], &x->arrays[b]))
            return false;
        part->element_count += count;
        part->element_node_count += count * from->node_count;
    }
    return true;
}

// Copies the elements of all kept batches, with their numbers in the whole model. The process that checks a batch (its home) is
// the owner of the first node of its first element, which always has the batch.
static bool copy_blocks(extraction *x) {
    const carom_model *whole = x->sub.whole;
    carom_model *part = x->sub.part;
    if (!reserve_blocks(x))
        return false;
    int batches = 0, number = 0, element = 0, home = 0;
    for (int b = 0; b < part->block_count; b++)
        batches += batches_of(&part->blocks[b]);
    int *global = carom_arena_allocate(part->arena, part->element_count, sizeof *global);
    int *firsts = carom_arena_allocate(part->arena, whole->block_count, sizeof *firsts);
    bool *homes = carom_arena_allocate(part->arena, batches, sizeof *homes);
    if (!global || !homes || !firsts)
        return false;
    for (int b = 0, first = 0, before = 0; b < whole->block_count; first += whole->blocks[b++].count) {
        const carom_block *from = &whole->blocks[b];
        firsts[b] = first;
        before = b > whole->bodies[from->body].block_begin ? before + whole->blocks[b - 1].count : 0;
        for (int i = 0, count = 0; i < batches_of(from); i++) {
            if (!x->kept[number++])
                continue;
            int begin = i * CAROM_LANES, size = end_of(from, i) - begin;
            copy_batch(x, from, i, before, &part->blocks[b], &x->arrays[b], count);
            count += size;
            for (int e = 0; e < size; e++)
                global[element++] = first + begin + e;
            homes[home++] = x->owner[nodes_of(from, begin)[0]] == x->rank;
        }
    }
    part->part.element_global = global;
    part->part.home = homes;
    part->part.block_first = firsts;
    return true;
}

// Copies a load on the nodes of the process, and on the faces that have one of them.
static bool copy_load(const extraction *x, const carom_live_load *from, carom_live_load *to) {
    carom_arena *arena = x->sub.part->arena;
    bool enough = carom_schedule_copy(arena, &from->schedule, &to->schedule);
    to->pressure = from->pressure;
    to->plane = from->plane;
    // Arrays have the full length: loads are few compared with elements.
    to->nodes = carom_arena_reserve(arena, from->node_count, sizeof *to->nodes, &enough);
    to->force = carom_arena_reserve(arena, from->node_count, sizeof *to->force, &enough);
    to->faces = carom_arena_reserve(arena, from->face_count, sizeof *to->faces, &enough);
    for (int i = 0; enough && i < from->node_count; i++) {
        if (x->owner[from->nodes[i]] != x->rank)
            continue;
        to->nodes[to->node_count] = x->sub.local[from->nodes[i]];
        memcpy(to->force[to->node_count++], from->force[i], sizeof *to->force);
    }
    for (int f = 0; enough && f < from->face_count; f++) {
        if (!keeps_face(x, &from->faces[f]))
            continue;
        carom_load_face *face = &to->faces[to->face_count++];
        *face = from->faces[f];
        for (int a = 0; a < face_size(&from->faces[f]); a++)
            face->nodes[a] = x->sub.local[face->nodes[a]];
    }
    return enough;
}

static bool copy_loads(const extraction *x) {
    const carom_live_loads *from = &x->sub.whole->live;
    carom_live_loads *to = &x->sub.part->live;
    to->count = from->count;
    to->items = carom_arena_allocate(x->sub.part->arena, from->count, sizeof *to->items);
    bool enough = to->items != NULL;
    for (int l = 0; enough && l < from->count; l++)
        enough = copy_load(x, &from->items[l], &to->items[l]);
    return enough;
}

// Finds the owner of each ghost, and its number among the nodes of that process.
static bool find_ghosts(extraction *x) {
    const carom_submodel *sub = &x->sub;
    carom_part *part = &sub->part->part;
    int owned = part->owned_count, ghosts = sub->part->node_count - owned;
    int *of = carom_arena_allocate(sub->part->arena, ghosts, sizeof *of);
    int *place = carom_arena_allocate(sub->part->arena, ghosts, sizeof *place);
    int *next = carom_allocate(x->parts, sizeof *next);
    for (int k = 0; of && place && next && k < sub->whole->node_count; k++) {
        int number = next[x->owner[k]]++;
        if (sub->local[k] < owned)
            continue;
        of[sub->local[k] - owned] = x->owner[k];
        place[sub->local[k] - owned] = number;
    }
    bool enough = of && place && next;
    free(next);
    part->global = sub->global;
    part->ghost_owner = of;
    part->ghost_place = place;
    return enough;
}

static bool find_in_space(const carom_submodel *sub) {
    int *number = carom_allocate(sub->whole->node_count, sizeof *number);
    int *in_space = carom_arena_allocate(sub->part->arena, sub->part->node_count, sizeof *in_space);
    if (number && in_space) {
        carom_submodel_find_space(sub->whole, number);
        for (int k = 0; k < sub->part->node_count; k++)
            in_space[k] = number[sub->global[k]];
    }
    sub->part->part.in_space = in_space;
    bool enough = number && in_space;
    free(number);
    return enough;
}

static carom_status extract(extraction *x, carom_error *error) {
    const carom_model *whole = x->sub.whole;
    carom_model *part = x->sub.part;
    if (!mark(x) || !carom_submodel_number(&x->sub, x->owner, x->rank) || !carom_submodel_copy_nodes(&x->sub) ||
        !carom_submodel_copy_bodies(&x->sub) || !carom_submodel_copy_constants(&x->sub) || !copy_blocks(x) || !copy_loads(x) ||
        !find_ghosts(x) || !find_in_space(&x->sub))
        return carom_no_memory(error, "a part of the model");
    for (int b = 0; b < whole->body_count; b++) {
        part->bodies[b].block_begin = whole->bodies[b].block_begin;
        part->bodies[b].block_count = whole->bodies[b].block_count;
    }
    carom_status status = carom_model_survey_live(part, error);
    if (!status)
        status = carom_model_find_gather_lists(part, NULL, error);
    if (!status)
        status = carom_model_find_chunks(part, NULL, error);
    return status ? status : carom_model_find_tiles(part, NULL, error);
}

carom_status carom_model_extract(const carom_model *whole, const int *owner, int parts, int rank, carom_model **part,
                                 carom_error *error) {
    *part = NULL;
    carom_status status = check(whole, owner, parts, error);
    if (status)
        return status;
    extraction x = {.owner = owner, .parts = parts, .rank = rank};
    status = carom_submodel_start(&x.sub, whole) ? extract(&x, error) : carom_no_memory(error, "a part of the model");
    if (!status) {
        *part = x.sub.part;
        x.sub.part = NULL;
    }
    free(x.kept);
    carom_submodel_end(&x.sub);
    return status;
}
