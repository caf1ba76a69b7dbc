// SPDX-License-Identifier: MIT
#include "model/boundary.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "element/rigid.h"
#include "math/vec3.h"
#include "mesh/topology.h"

// Faces of all bodies so far; start from {0}.
typedef struct faces {
    int count;
    int64_t capacity, body_capacity;
    int (*nodes)[3];
    int *body;
} faces;

// Both arrays grow together; each is kept as soon as it has moved, so that a failure of the other leaks nothing.
static bool add_face(faces *f, int body, int a, int b, int c) {
    int(*nodes)[3] = carom_grow(f->nodes, f->count, &f->capacity, sizeof *nodes);
    if (nodes)
        f->nodes = nodes;
    int *bodies = carom_grow(f->body, f->count, &f->body_capacity, sizeof *bodies);
    if (bodies)
        f->body = bodies;
    if (!nodes || !bodies)
        return false;
    nodes[f->count][0] = a;
    nodes[f->count][1] = b;
    nodes[f->count][2] = c;
    bodies[f->count++] = body;
    return true;
}

// A face with four corners becomes two triangles, divided at its smallest node.
static bool add_facet(faces *f, int body, int begin, const int nodes[4]) {
    int n[4];
    for (int i = 0; i < 4; i++)
        n[i] = nodes[i] + begin;
    if (carom_facet_size(nodes) == 3)
        return add_face(f, body, n[0], n[1], n[2]);
    // The same rule as in splitting hexahedra: a face has the same two triangles from whichever side it is seen.
    int s = 0;
    for (int i = 1; i < 4; i++)
        s = n[i] < n[s] ? i : s;
    return add_face(f, body, n[s], n[(s + 1) % 4], n[(s + 2) % 4]) && add_face(f, body, n[s], n[(s + 2) % 4], n[(s + 3) % 4]);
}

// The rim of a plane body: sides that belong to one cell only.
static carom_status add_rim(faces *f, int body, int begin, const carom_boundary *boundary, carom_error *error) {
    int *edges = NULL, edge_count = 0;
    carom_status status = carom_boundary_edges(boundary, &edges, &edge_count, error);
    bool memory = true;
    for (int e = 0, end; e < edge_count && !status && memory; e = end) {
        end = carom_edge_run(edges, edge_count, e);
        carom_edge edge = carom_boundary_edge(boundary, edges[e]);
        // A side of two cells is inside.
        if (end == e + 1)
            memory = add_face(f, body, begin + edge.from, begin + edge.to, -1);
    }
    free(edges);
    return memory ? status : carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
}

static carom_status add_body(faces *f, const carom_model *model, const carom_mesh *mesh, int b, int dimension,
                             carom_error *error) {
    carom_boundary boundary = {0};
    int begin = model->bodies[b].node_begin;
    carom_status status = carom_boundary_create(&boundary, mesh, NULL, NULL, error);
    if (status)
        return status;
    bool memory = true;
    if (dimension == 2)
        status = add_rim(f, b, begin, &boundary, error);
    for (int i = 0; i < boundary.count && dimension == 3 && memory; i++)
        memory = add_facet(f, b, begin, carom_boundary_facet(&boundary, i).nodes);
    carom_boundary_release(&boundary);
    return memory ? status : carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
}

// Lines and points of all bodies without faces.
typedef struct thin {
    int count;
    int64_t capacity, body_capacity;
    int (*nodes)[2];
    int *body;
} thin;

// The cells of a bar, a beam or a point mass. A point is a line with one node.
static carom_status add_thin(thin *t, const carom_model *model, int b, carom_error *error) {
    const carom_body *body = &model->bodies[b];
    for (int i = body->block_begin; i < body->block_begin + body->block_count; i++) {
        const carom_block *block = &model->blocks[i];
        for (int e = 0; e < block->count; e++) {
            int(*nodes)[2] = carom_grow(t->nodes, t->count, &t->capacity, sizeof *nodes);
            t->nodes = nodes ? nodes : t->nodes;
            int *bodies = carom_grow(t->body, t->count, &t->body_capacity, sizeof *bodies);
            t->body = bodies ? bodies : t->body;
            if (!nodes || !bodies)
                return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
            const int *cell = block->nodes + (int64_t)e * block->node_count;
            nodes[t->count][0] = cell[0];
            nodes[t->count][1] = cell[block->node_count > 1];
            bodies[t->count++] = b;
        }
    }
    return CAROM_OK;
}

static int dimension_of(const carom_model *model, int b) {
    const carom_body *body = &model->bodies[b];
    return body->block_count ? carom_contact_dimension(model->blocks[body->block_begin].element) : 0;
}

carom_status carom_model_find_boundary(carom_model *model, const carom_model_def *def, carom_error *error) {
    if (!def->contact.enabled)
        return CAROM_OK;

    // plane bodies and those in space do not meet
    int plane = -1, solid = -1;
    for (int b = 0; b < model->body_count; b++) {
        int dimension = dimension_of(model, b);
        plane = dimension == 2 && plane < 0 ? b : plane;
        solid = dimension == 3 && solid < 0 ? b : solid;
    }
    // Segments and triangles have no common measure of a gap.
    if (plane >= 0 && solid >= 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "body '%s' lies in a plane and body '%s' in space: contact between them has no meaning",
                          model->bodies[plane].name, model->bodies[solid].name);

    faces f = {0};
    carom_status status = CAROM_OK;
    model->filled = carom_arena_allocate(model->arena, model->body_count, sizeof *model->filled);
    if (!model->filled)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
    for (int b = 0; b < model->body_count; b++) {
        const carom_element *element = model->blocks[model->bodies[b].block_begin].element;
        // A body inside a closed shell, such as a ball in a balloon, is no overlap.
        model->filled[b] = carom_cell_dimension(element->cell) == 3 || element->plane || carom_element_is_rigid(element);
    }
    // Bodies of lower dimension, bars and point masses, have no faces; among each other their contacts are candidates.
    int dimension = solid >= 0 ? 3 : 2;
    for (int b = 0; b < model->body_count && !status; b++)
        if (dimension_of(model, b) == dimension)
            status = add_body(&f, model, def->bodies[b].mesh, b, dimension, error);
    thin t = {0};
    for (int b = 0; b < model->body_count && f.count && !status; b++)
        if (dimension_of(model, b) < 2)
            status = add_thin(&t, model, b, error);

    // Segments are given as pairs, written in place: pair i never lies behind triple i.
    for (int i = 0; i < f.count && dimension == 2; i++) {
        int from = f.nodes[i][0], to = f.nodes[i][1];
        ((int *)f.nodes)[2 * i] = from;
        ((int *)f.nodes)[2 * i + 1] = to;
    }
    carom_surface_def surface = {
        .corners = dimension,
        .node_count = model->node_count,
        .body_count = model->body_count,
        .face_count = f.count,
        .nodes = (const int *)f.nodes,
        .body = f.body,
        .thin_count = t.count,
        .thin = (const int(*)[2])t.nodes,
        .thin_body = t.body,
    };
    if (!status && f.count)
        // The surface copies its faces, so the lists can be freed.
        status = carom_surface_build(&surface, &model->surface, error);
    free(f.nodes);
    free(f.body);
    free(t.nodes);
    free(t.body);
    if (!status && f.count)
        // The shortest side is the unit of lengths in contact.
        model->surface_length = carom_surface_shortest_side(&model->surface, (carom_const_vectors)model->X);
    return status;
}
