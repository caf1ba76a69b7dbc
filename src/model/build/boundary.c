// SPDX-License-Identifier: MIT
// Contact surface of a model: boundary triangles of solids and shells, or boundary edges of plane bodies, and the lines and
// points (thin parts) that touch them.
#include "model/build/builders.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "element/line/rigid.h"
#include "math/vec3.h"
#include "mesh/topology.h"

// Faces of all bodies so far, or their lines and points, each with its body; start from {0} and a width.
typedef struct list {
    int width; // nodes of each
    int count;
    int64_t capacity, body_capacity;
    int *nodes, *body;
} list;

// Both arrays grow together; each pointer is stored as soon as it has changed, so that a failure of the other leaks nothing.
static bool add(list *l, int body, const int *nodes) {
    size_t size = (size_t)l->width * sizeof *nodes;
    int *items = carom_grow(l->nodes, l->count, &l->capacity, size);
    l->nodes = items ? items : l->nodes;
    int *bodies = carom_grow(l->body, l->count, &l->body_capacity, sizeof *bodies);
    l->body = bodies ? bodies : l->body;
    if (!items || !bodies)
        return false;
    memcpy(items + (ptrdiff_t)l->width * l->count, nodes, size);
    bodies[l->count++] = body;
    return true;
}

// A quadrilateral face becomes two triangles, divided at its smallest node.
static bool add_facet(list *f, int body, int begin, const int nodes[4]) {
    int n[4];
    for (int i = 0; i < 4; i++)
        n[i] = nodes[i] + begin;
    if (carom_facet_size(nodes) == 3)
        return add(f, body, n);
    // The same rule as in splitting hexahedra: a face has the same two triangles seen from either side.
    int s = 0;
    for (int i = 1; i < 4; i++)
        s = n[i] < n[s] ? i : s;
    return add(f, body, (const int[3]){n[s], n[(s + 1) % 4], n[(s + 2) % 4]}) &&
           add(f, body, (const int[3]){n[s], n[(s + 2) % 4], n[(s + 3) % 4]});
}

// Adds the boundary of a plane body: edges that belong to one cell only.
static carom_status add_rim(list *f, int body, int begin, const carom_boundary *boundary, carom_error *error) {
    int *edges = NULL, edge_count = 0;
    carom_status status = carom_boundary_edges(boundary, &edges, &edge_count, error);
    bool memory = true;
    for (int e = 0, end; e < edge_count && !status && memory; e = end) {
        end = carom_edge_run(edges, edge_count, e);
        carom_edge edge = carom_boundary_edge(boundary, edges[e]);
        // An edge of two cells is interior.
        if (end == e + 1)
            memory = add(f, body, (const int[2]){begin + edge.from, begin + edge.to});
    }
    free(edges);
    return memory ? status : carom_no_memory(error, "contact");
}

static carom_status add_body(list *f, const carom_model *model, const carom_mesh *mesh, int b, int dimension,
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
    return memory ? status : carom_no_memory(error, "contact");
}

// Adds the cells of a bar, a beam or a point mass, and the lines and points of an obstacle. A point is a line with one node.
static carom_status add_thin(list *t, const carom_model *model, int b, carom_error *error) {
    const carom_body *body = &model->bodies[b];
    bool memory = true;
    for (int i = body->block_begin; i < body->block_begin + body->block_count; i++) {
        const carom_block *block = &model->blocks[i];
        for (int e = 0; e < block->count && carom_cell_dimension(block->element->cell) < 2 && memory; e++) {
            const int *cell = block->nodes + (int64_t)e * block->node_count;
            memory = add(t, b, (const int[2]){cell[0], cell[block->node_count > 1]});
        }
    }
    return memory ? CAROM_OK : carom_no_memory(error, "contact");
}

// The highest dimension of the cells of a body: an obstacle may have several kinds of cells.
static int dimension_of(const carom_model *model, int b) {
    const carom_body *body = &model->bodies[b];
    int most = 0;
    for (int i = body->block_begin; i < body->block_begin + body->block_count; i++) {
        int dimension = carom_contact_dimension(model->blocks[i].element);
        most = dimension > most ? dimension : most;
    }
    return most;
}

// A triangle has no normal if its height is less than this fraction of its longest side.
static const double flat_height = 1e-10;

// Replaces faces of obstacles without an area, which have no normal, by a line: their longest side, on which they lie.
static bool flatten(list *f, list *t, const carom_model *model, int begin, int body) {
    int kept = begin;
    for (int i = begin; i < f->count; i++) {
        const int *n = f->nodes + (ptrdiff_t)3 * i;
        double side[3][3], normal[3], longest = 0;
        int from = 0;
        for (int s = 0; s < 3; s++) {
            carom_difference(model->X[n[(s + 1) % 3]], model->X[n[s]], side[s]);
            if (carom_norm(side[s]) > longest) {
                longest = carom_norm(side[s]);
                from = s;
            }
        }
        carom_cross(side[0], side[1], normal);
        if (carom_norm(normal) <= flat_height * longest * longest) {
            if (!add(t, body, (const int[2]){n[from], n[(from + 1) % 3]}))
                return false;
            continue;
        }
        for (int s = 0; s < 3; s++)
            f->nodes[3 * (ptrdiff_t)kept + s] = n[s];
        f->body[kept++] = f->body[i];
    }
    f->count = kept;
    return true;
}

// Adds faces, lines and points of an obstacle.
static carom_status add_obstacle(list *f, list *t, const carom_model *model, const carom_mesh *mesh, int b, int dimension,
                                 carom_error *error) {
    int begin = f->count;
    carom_status status = dimension_of(model, b) >= 2 ? add_body(f, model, mesh, b, dimension, error) : CAROM_OK;
    if (!status && dimension == 3 && !flatten(f, t, model, begin, b))
        status = carom_no_memory(error, "contact");
    return status ? status : add_thin(t, model, b, error);
}

// True if the interior of the body is filled by its cells. Blocks without cells have the averages of the others.
static bool is_filled(const carom_model *model, const carom_body *body) {
    bool filled = true;
    for (int i = body->block_begin; i < body->block_begin + body->block_count; i++) {
        const carom_element *element = model->blocks[i].element;
        bool fills = carom_cell_dimension(element->cell) == 3 || element->plane || carom_element_is_rigid(element);
        filled = filled && (fills || !carom_block_has_cells(&model->blocks[i]));
    }
    return filled;
}

carom_status carom_model_find_boundary(carom_model *model, const carom_model_def *def, carom_error *error) {
    if (!def->contact.enabled)
        return CAROM_OK;

    // plane bodies and bodies in space do not touch
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

    carom_status status = CAROM_OK;
    model->filled = carom_arena_allocate(model->arena, model->body_count, sizeof *model->filled);
    if (!model->filled)
        return carom_no_memory(error, "contact");
    for (int b = 0; b < model->body_count; b++)
        // A body inside a closed shell, such as a ball in a balloon, is not an overlap.
        model->filled[b] = is_filled(model, &model->bodies[b]);
    // Bodies of lower dimension, bars and point masses, have no faces; contacts among them are found in candidates.c.
    int dimension = solid >= 0 ? 3 : 2;
    list f = {.width = dimension}, t = {.width = 2};
    for (int b = 0; b < model->body_count && !status; b++)
        if (carom_poses_has(&model->poses, b))
            status = add_obstacle(&f, &t, model, def->bodies[b].mesh, b, dimension, error);
        else if (dimension_of(model, b) == dimension)
            status = add_body(&f, model, def->bodies[b].mesh, b, dimension, error);
    for (int b = 0; b < model->body_count && f.count && !status; b++)
        if (dimension_of(model, b) < 2 && !carom_poses_has(&model->poses, b))
            status = add_thin(&t, model, b, error);
    // Lines and points touch faces only.
    t.count = f.count ? t.count : 0;

    carom_surface_def surface = {
        .corners = dimension,
        .node_count = model->node_count,
        .body_count = model->body_count,
        .face_count = f.count,
        .nodes = f.nodes,
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
        // The shortest side is the length scale of contact. Obstacles may have slivers, which are excluded.
        model->surface_length =
            carom_surface_shortest_side(&model->surface, model->poses.of_body, (carom_const_vectors)model->X);
    return status;
}
