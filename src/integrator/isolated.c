// SPDX-License-Identifier: MIT
// Splits a surface into its faces and the nodes without faces: point masses and nodes of bars.
#include "integrator/isolated.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "math/vec3.h"

carom_status carom_isolated_create(const carom_model *model, carom_isolated *isolated, carom_error *error) {
    const carom_surface *surface = &model->surface;
    *isolated = (carom_isolated){0};
    if (surface->face_count == surface->full_count)
        return CAROM_OK;
    isolated->node = carom_allocate(surface->vertex_count, sizeof *isolated->node);
    isolated->body = carom_allocate(surface->vertex_count, sizeof *isolated->body);
    if (!isolated->node || !isolated->body) {
        carom_isolated_release(isolated);
        return carom_no_memory(error, "contact");
    }
    for (int v = 0; v < surface->vertex_count; v++) {
        int node = surface->vertices[v], body = surface->node_body[node];
        if (!surface->thin[body])
            continue;
        isolated->node[isolated->count] = node;
        isolated->body[isolated->count++] = body;
    }
    carom_status status = carom_surface_copy(surface, NULL, false, &isolated->faces, error);
    if (status)
        carom_isolated_release(isolated);
    return status;
}

void carom_isolated_release(carom_isolated *isolated) {
    carom_surface_release(&isolated->faces);
    free(isolated->node);
    free(isolated->body);
    *isolated = (carom_isolated){0};
}

void carom_isolated_define(const carom_isolated *isolated, const carom_model *model, carom_violations_def *def) {
    def->node_count = model->node_count;
    def->surface = isolated->count ? &isolated->faces : &model->surface;
    def->exclusions = &model->exclusions;
    def->immovable = model->immovable;
    def->filled = model->filled;
    def->isolated_count = isolated->count;
    def->isolated = isolated->node;
    def->isolated_body = isolated->body;
    def->X = (carom_const_vectors)model->X;
}
