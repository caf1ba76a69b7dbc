// SPDX-License-Identifier: MIT
// Extracts the contact space of a model: the nodes that contact can move, as a model of its own, which every process has. New
// node numbers ascend with the old ones, so all lists of faces, edges, nodes and contacts keep their order: contact in the
// space is the same as in the whole model, including equal distances.
#include <stdlib.h>

#include "base/allocate.h"
#include "model/parts/extract.h"
#include "model/parts/submodel.h"

// Copies node numbers and converts them to those of the space.
static void *renumber(const carom_submodel *sub, carom_arena *arena, const int *nodes, int64_t count, bool *enough) {
    int *copied = carom_arena_reserve(arena, count, sizeof *copied, enough);
    for (int64_t i = 0; *enough && i < count; i++)
        copied[i] = sub->local[nodes[i]];
    return copied;
}

// Copies the offsets of the lists of each node. Nodes outside of the space have empty lists, so the items keep their positions.
static int *copy_offsets(const carom_submodel *sub, carom_arena *arena, const int *begin, bool *enough) {
    int n = sub->part->node_count, *copied = carom_arena_reserve(arena, (int64_t)n + 1, sizeof *copied, enough);
    for (int k = 0; *enough && k < n; k++)
        copied[k] = begin[sub->global[k]];
    if (*enough)
        copied[n] = begin[sub->whole->node_count];
    return copied;
}

static bool copy_surface(carom_submodel *sub) {
    const carom_surface *from = &sub->whole->surface;
    carom_surface *to = &sub->part->surface;
    if (!from->arena)
        return true;
    carom_arena *arena = carom_arena_create();
    if (!arena)
        return false;
    bool enough = true;
    int n = sub->part->node_count, faces = from->face_count, edges = from->edge_count;
    // copies the counts; the arrays are replaced below
    *to = *from;
    to->arena = arena;
    to->node_count = n;
    to->faces = renumber(sub, arena, from->faces[0], 3 * (int64_t)faces, &enough);
    to->body = carom_submodel_copy(arena, from->body, faces, sizeof *to->body, &enough);
    to->source = carom_submodel_copy(arena, from->source, faces, sizeof *to->source, &enough);
    to->owned = carom_submodel_copy(arena, from->owned, faces, sizeof *to->owned, &enough);
    to->face_edges = carom_submodel_copy(arena, from->face_edges, faces, sizeof *to->face_edges, &enough);
    to->vertices = renumber(sub, arena, from->vertices, from->vertex_count, &enough);
    to->node_faces_begin = copy_offsets(sub, arena, from->node_faces_begin, &enough);
    to->node_faces =
        carom_submodel_copy(arena, from->node_faces, from->node_faces_begin[from->node_count], sizeof *to->node_faces, &enough);
    // a plane surface has no edges
    if (from->edges) {
        to->edges = renumber(sub, arena, from->edges[0], 2 * (int64_t)edges, &enough);
        to->edge_faces_begin =
            carom_submodel_copy(arena, from->edge_faces_begin, (int64_t)edges + 1, sizeof *to->edge_faces_begin, &enough);
        to->edge_faces =
            carom_submodel_copy(arena, from->edge_faces, from->edge_faces_begin[edges], sizeof *to->edge_faces, &enough);
    }
    to->open = carom_submodel_copy(arena, from->open, from->body_count, sizeof *to->open, &enough);
    to->thin = carom_submodel_copy(arena, from->thin, from->body_count, sizeof *to->thin, &enough);
    to->node_body = carom_arena_reserve(arena, n, sizeof *to->node_body, &enough);
    for (int k = 0; enough && k < n; k++)
        to->node_body[k] = from->node_body[sub->global[k]];
    return enough;
}

static bool copy_candidates(carom_submodel *sub) {
    const carom_candidates *from = &sub->whole->candidates;
    carom_candidates *to = &sub->part->candidates;
    carom_arena *arena = sub->part->arena;
    if (!from->begin)
        return true;
    bool enough = true;
    to->count = from->count;
    to->items = carom_submodel_copy(arena, from->items, from->count, sizeof *to->items, &enough);
    for (int i = 0; enough && i < from->count; i++)
        for (int a = 0; a < from->items[i].count; a++)
            to->items[i].node[a] = sub->local[from->items[i].node[a]];
    to->begin = copy_offsets(sub, arena, from->begin, &enough);
    to->of_node = carom_submodel_copy(arena, from->of_node, from->begin[sub->whole->node_count], sizeof *to->of_node, &enough);
    return enough;
}

static carom_status extract(carom_submodel *sub, carom_error *error) {
    carom_model *space = sub->part;
    carom_submodel_find_space(sub->whole, sub->local);
    bool enough = carom_submodel_number(sub, NULL, 0) && carom_submodel_copy_nodes(sub) && carom_submodel_copy_bodies(sub) &&
                  carom_submodel_copy_constants(sub) && copy_surface(sub) && copy_candidates(sub);
    space->blocks = carom_arena_reserve(space->arena, 0, sizeof *space->blocks, &enough);
    if (!enough)
        return carom_no_memory(error, "the nodes of contact");
    space->part.space = space;
    space->part.numbers = sub->global;
    // the space has no elements, so these are empty
    carom_status status = carom_model_find_gather_lists(space, NULL, error);
    return status ? status : carom_model_find_chunks(space, NULL, error);
}

carom_status carom_model_extract_space(const carom_model *whole, carom_model **space, carom_error *error) {
    *space = NULL;
    carom_submodel sub;
    carom_status status =
        carom_submodel_start(&sub, whole) ? extract(&sub, error) : carom_no_memory(error, "the nodes of contact");
    if (!status) {
        *space = sub.part;
        sub.part = NULL;
    }
    carom_submodel_end(&sub);
    return status;
}
