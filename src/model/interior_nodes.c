// SPDX-License-Identifier: MIT
// Finds the interior node of a solid that is deepest behind a contact plane: the node x with the largest -(n.x - offset), n the
// normal of the plane.
#include "model/interior_nodes.h"

#include <math.h>

#include "math/vec3.h"
#include "model/collective.h"
#include "model/rigid.h"

// A body with faces has interior nodes, which planes do not touch; planes touch all nodes of bars and point masses.
static bool has_core(const carom_model *model, int b) {
    const carom_surface *surface = &model->part.space->surface;
    return surface->face_count && !surface->thin[b] && !carom_poses_has(&model->poses, b) &&
           carom_contact_dimension(model->blocks[model->bodies[b].block_begin].element) == surface->corners;
}

// True if a node is on the surface of a body.
static bool is_outside(const carom_model *model, int node) {
    const int *in_space = model->part.in_space, k = in_space ? in_space[node] : node;
    return k >= 0 && model->part.space->surface.node_body[k] >= 0;
}

// The deepest node of a body behind a plane, among interior or surface nodes. Returns its depth, -HUGE_VAL if there is none.
static double deepest(const carom_model *model, int b, int plane, bool inside, const double (*x)[3], int *node) {
    const carom_plane_def *p = &model->contact.planes[plane];
    const carom_body *body = &model->bodies[b];
    double n[3], most = -HUGE_VAL;
    carom_copy(p->normal, n);
    carom_normalize(n);
    double offset = carom_dot(n, p->point);
    for (int k = body->node_begin; k < body->node_begin + body->node_count; k++) {
        if (is_outside(model, k) == inside)
            continue;
        double depth = offset - carom_dot(n, x[k]);
        if (depth > most) {
            most = depth;
            *node = k;
        }
    }
    return most;
}

bool carom_model_has_interior(const carom_model *model) {
    for (int b = 0; model->contact.plane_count && model->contact.enabled && b < model->body_count; b++)
        if (has_core(model, b))
            return true;
    return false;
}

static carom_interior_behind check_here(const carom_model *model, const double (*x)[3]) {
    carom_interior_behind found = {0};
    for (int p = 0; p < model->contact.plane_count && model->contact.enabled; p++)
        for (int b = 0; b < model->body_count; b++) {
            int sides[2] = {b, -1 - p}, node = -1, other = -1;
            if (!has_core(model, b) || carom_contact_law_of(&model->laws, sides).no_contact)
                continue;
            double depth = deepest(model, b, p, true, x, &node);
            if (!(depth > found.depth))
                continue;
            found = (carom_interior_behind){depth, node, b, p, deepest(model, b, p, false, x, &other)};
        }
    return found;
}

// The deepest node of all processes; of equal depths that of the first plane, then body, then number.
carom_interior_behind carom_model_interior_behind(const carom_model *model, const double (*x)[3]) {
    carom_interior_behind found = check_here(model, x);
    if (!carom_model_is_subdomain(model) || carom_model_most(model, found.depth) <= 0)
        return found;
    carom_interior_behind *all = model->part.agree_buffer;
    int first = -1, unused;
    found.node = found.depth > 0 ? carom_model_global_node(model, found.node) : 0;
    carom_parallel_exchange(&found, sizeof found, all);
    for (int r = 0; r < carom_parallel_size(); r++) {
        const carom_interior_behind *a = &all[r], *b = first >= 0 ? &all[first] : NULL;
        bool sooner = b && (a->plane != b->plane ? a->plane < b->plane
                            : a->body != b->body ? a->body < b->body
                                                 : a->node < b->node);
        if (!b || a->depth > b->depth || (a->depth == b->depth && sooner))
            first = r;
    }
    found = all[first];
    found.surface = carom_model_most(model, deepest(model, found.body, found.plane, false, x, &unused));
    return found;
}
