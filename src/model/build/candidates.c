// SPDX-License-Identifier: MIT
// Contacts with fixed normals: end points of bars and point masses along their common line, and nodes against planes. They are
// few and known from the start; contacts of surfaces are searched in every step.
#include "model/build/builders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/end_points.h"
#include "element/shortest_edge.h"
#include "math/vec3.h"
#include "model/build/separation.h"

// The extent of a body along a line: a chain of bars with two ends, or a single point; false for other bodies.
static bool extent_of(const carom_model *model, int b, carom_extent *extent) {
    const carom_body *body = &model->bodies[b];
    // beams bend out of their line, solids have no line
    const carom_element *element = model->blocks[body->block_begin].element;
    // an obstacle also touches bodies that are not on its line: all its contacts are those of surfaces
    if (carom_poses_has(&model->poses, b))
        return false;
    if (element->framed || carom_cell_dimension(element->cell) > 1)
        return false;
    *extent = (carom_extent){.body = b, .name = body->name};
    carom_copy(model->v0[body->node_begin], extent->velocity);
    int ends = 0;
    for (int k = body->node_begin; k < body->node_begin + body->node_count; k++) {
        // a node with one element is an end
        int elements = model->gather_begin[k + 1] - model->gather_begin[k];
        // Inner nodes of a chain have two elements; a node with more is a branch.
        if (elements != 1)
            continue;
        if (ends == 2)
            return false;
        extent->node[ends] = k;
        carom_copy(model->X[k], extent->position[ends++]);
    }
    // A point mass is its own extent, with both ends in one place.
    if (body->node_count == 1 && ends == 1) {
        extent->node[1] = extent->node[0];
        carom_copy(extent->position[0], extent->position[1]);
        return true;
    }
    return ends == 2;
}

static carom_status find_end_points(const carom_model *model, const double gravity[3], carom_contact_list *list,
                                    carom_error *error) {
    carom_extent *extents = carom_allocate(model->body_count, sizeof *extents);
    if (!extents)
        return carom_no_memory(error, "contact");
    int count = 0;
    for (int b = 0; b < model->body_count; b++)
        count += extent_of(model, b, &extents[count]);
    carom_status status = carom_contact_end_points(extents, count, gravity, &model->laws, list, error);
    free(extents);
    return status;
}

// True for an interior node of a body with a surface: the surface touches a plane first.
static bool is_inside(const carom_model *model, int b, int node) {
    const carom_surface *surface = &model->surface;
    return surface->face_count && surface->node_body[node] < 0 &&
           carom_contact_dimension(model->blocks[model->bodies[b].block_begin].element) == surface->corners;
}

// The bodies behind a plane: their number, and the deepest node of all of them.
typedef struct depths {
    int count;
    int body, node;
    double depth;
} depths;

static carom_status report_sunk(const carom_model *model, int p, const depths *sunk, carom_error *error) {
    const carom_body *body = &model->bodies[sunk->body];
    char advice[256], more[64] = "";
    carom_move_print_front(model, sunk->body, p, sunk->depth, advice, sizeof advice);
    if (sunk->count > 1)
        snprintf(more, sizeof more, "; %d more %s behind it", sunk->count - 1,
                 sunk->count > 2 ? "bodies start" : "body starts");
    return carom_fail(error, CAROM_BAD_INPUT, "body '%s' starts behind plane '%s', by %g (node %lld, the deepest): %s%s",
                      body->name, model->contact.planes[p].name, sunk->depth, (long long)carom_body_node_id(body, sunk->node),
                      advice, more);
}

// Adds the candidates of the nodes of a body against a plane, and finds the deepest node behind it.
static void add_plane(carom_model *model, int p, int b, const double n[3], depths *sunk) {
    const carom_body *body = &model->bodies[b];
    bool behind = false;
    for (int k = body->node_begin; k < body->node_begin + body->node_count; k++) {
        if (is_inside(model, b, k))
            continue;
        carom_contact *contact = &model->candidates.items[model->candidates.count++];
        *contact = (carom_contact){
            .kind = CAROM_CONTACT_NODE_PLANE,
            .count = 1,
            .node = {k},
            .weight = {1},
            // The plane n.x = offset; any of its points gives the same.
            .offset = carom_dot(n, model->contact.planes[p].point),
            .body = {b, -1 - p},
        };
        carom_copy(n, contact->normal);
        // Positive in front of the plane, on the side of its normal.
        double gap = carom_contact_gap(contact, (carom_const_vectors)model->X);
        // more than the rounding of coordinates
        if (gap < -1e-12 * (fabs(contact->offset) + carom_norm(model->X[k]))) {
            behind = true;
            if (-gap > sunk->depth) {
                sunk->depth = -gap;
                sunk->body = b;
                sunk->node = k;
            }
        }
    }
    sunk->count += behind;
}

static carom_status find_planes(carom_model *model, carom_error *error) {
    for (int p = 0; p < model->contact.plane_count; p++) {
        const carom_plane_def *plane = &model->contact.planes[p];
        double n[3];
        depths sunk = {0};
        carom_copy(plane->normal, n);
        // The gap is a length only for a unit normal.
        carom_normalize(n);
        for (int b = 0; b < model->body_count; b++) {
            int sides[2] = {b, -1 - p};
            // Pairs excluded from contact make no candidates.
            if (!carom_contact_law_of(&model->laws, sides).no_contact && !carom_poses_has(&model->poses, b))
                add_plane(model, p, b, n, &sunk);
        }
        if (sunk.count)
            return report_sunk(model, p, &sunk, error);
    }
    return CAROM_OK;
}

// The shortest distance of two nodes of one element.
static double shortest_edge(const carom_model *model) {
    double shortest = HUGE_VAL;
    for (int b = 0; b < model->block_count; b++) {
        if (carom_poses_has(&model->poses, model->blocks[b].body))
            continue;
        double edge = carom_block_shortest_edge(&model->blocks[b], (carom_const_vectors)model->X);
        shortest = edge < shortest ? edge : shortest;
    }
    return isfinite(shortest) ? shortest : 0;
}

void carom_candidates_link(carom_candidates *c, int node_count) {
    memset(c->begin, 0, ((size_t)node_count + 1) * sizeof *c->begin);
    for (int i = 0; i < c->count; i++)
        for (int k = 0; k < c->items[i].count; k++)
            c->begin[c->items[i].node[k] + 1]++;
    for (int k = 0; k < node_count; k++)
        c->begin[k + 1] += c->begin[k];
    for (int i = 0; i < c->count; i++)
        for (int k = 0; k < c->items[i].count; k++)
            c->of_node[c->begin[c->items[i].node[k]]++] = i;
    // each begin[k] has advanced to the end of its list, where the next list begins
    memmove(c->begin + 1, c->begin, (size_t)node_count * sizeof *c->begin);
    c->begin[0] = 0;
}

// Builds the lists of the candidates of each node.
static carom_status build_node_lists(carom_model *model, carom_error *error) {
    carom_candidates *c = &model->candidates;
    int members = 0;
    for (int i = 0; i < c->count; i++)
        members += c->items[i].count;
    c->begin = carom_arena_allocate(model->arena, model->node_count + 1, sizeof *c->begin);
    c->of_node = carom_arena_allocate(model->arena, members, sizeof *c->of_node);
    if (!c->begin || !c->of_node)
        return carom_no_memory(error, "contact");

    carom_candidates_link(c, model->node_count);
    return CAROM_OK;
}

static carom_status find_all(carom_model *model, const carom_model_def *def, carom_contact_list *list, carom_error *error) {
    carom_status status = find_end_points(model, def->gravity, list, error);
    if (status)
        return status;
    // candidates are counted in int, with eight numbers each
    int planes = def->contact.plane_count;
    int64_t most = list->count + (int64_t)model->node_count * planes;
    if (most > INT32_MAX / 8)
        return carom_fail(error, CAROM_BAD_INPUT, "%d planes are too many", planes);
    model->candidates.items = carom_arena_allocate(model->arena, most, sizeof *model->candidates.items);
    if (!model->contact.planes || !model->candidates.items)
        return carom_no_memory(error, "contact");
    if (list->count)
        memcpy(model->candidates.items, list->items, (size_t)list->count * sizeof *list->items);
    model->candidates.count = list->count;
    status = find_planes(model, error);
    return status ? status : build_node_lists(model, error);
}

carom_status carom_model_find_candidates(carom_model *model, const carom_model_def *def, carom_error *error) {
    const carom_contact_def *contact = &def->contact;
    // The definition is kept with a copy of its planes and without its pairs, which have become laws.
    model->contact = *contact;
    model->contact.pair_count = 0;
    model->contact.pairs = NULL;
    model->contact.planes =
        carom_arena_copy(model->arena, contact->planes, (size_t)contact->plane_count * sizeof *contact->planes);
    if (!model->contact.planes)
        return carom_no_memory(error, "the planes of contact");
    model->contact_length = shortest_edge(model);
    if (!contact->enabled)
        return CAROM_OK;
    carom_contact_list list = {0};
    carom_status status = find_all(model, def, &list, error);
    free(list.items);
    return status;
}
