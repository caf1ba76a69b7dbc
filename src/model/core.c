// SPDX-License-Identifier: MIT
#include "model/core.h"

#include <math.h>

#include "math/vec3.h"

// A body with faces has nodes that planes do not meet; of bars and point masses they meet all.
static bool has_core(const carom_model *model, int b) {
    const carom_surface *surface = &model->surface;
    return surface->face_count && !surface->thin[b] &&
           carom_contact_dimension(model->blocks[model->bodies[b].block_begin].element) == surface->corners;
}

// The deepest node of a body behind a plane, among those inside or those of the surface. Returns its depth, -HUGE_VAL without
// any.
static double deepest(const carom_model *model, int b, int plane, bool inside, const double (*x)[3], int *node) {
    const carom_plane_def *p = &model->contact.planes[plane];
    const carom_body *body = &model->bodies[b];
    double n[3], most = -HUGE_VAL;
    carom_copy(p->normal, n);
    carom_normalize(n);
    double offset = carom_dot(n, p->point);
    for (int k = body->node_begin; k < body->node_begin + body->node_count; k++) {
        if ((model->surface.node_body[k] < 0) != inside)
            continue;
        double depth = offset - carom_dot(n, x[k]);
        if (depth > most) {
            most = depth;
            *node = k;
        }
    }
    return most;
}

carom_core_behind carom_model_core_behind(const carom_model *model, const double (*x)[3]) {
    carom_core_behind found = {0};
    for (int p = 0; p < model->contact.plane_count && model->contact.enabled; p++)
        for (int b = 0; b < model->body_count; b++) {
            int sides[2] = {b, -1 - p}, node = -1, other = -1;
            if (!has_core(model, b) || carom_contact_law_of(&model->laws, sides).apart)
                continue;
            double depth = deepest(model, b, p, true, x, &node);
            if (!(depth > found.depth))
                continue;
            found = (carom_core_behind){depth, node, b, p, deepest(model, b, p, false, x, &other)};
        }
    return found;
}
