// SPDX-License-Identifier: MIT
// A straight row of equal two-node cells from one point to another.
#include <math.h>
#include <stddef.h>

#include "math/vec3.h"
#include "mesh/mesh.h"

static const carom_param params[] = {
    {.name = "from",
     .type = CAROM_PARAM_VEC3,
     .offset = offsetof(carom_line_params, from),
     .unit = "length",
     .doc = "First end of the line; the set `start`."},
    {.name = "to",
     .type = CAROM_PARAM_VEC3,
     .offset = offsetof(carom_line_params, to),
     .unit = "length",
     .doc = "Other end of the line; the set `end`."},
    {.name = "elements",
     .type = CAROM_PARAM_INT,
     .offset = offsetof(carom_line_params, elements),
     .unit = "",
     .min = 1,
     .max = 100000000,
     .doc = "Number of cells."},
};

static carom_status generate(const void *params_, carom_mesh *mesh, carom_error *error) {
    const carom_line_params *p = params_;
    double span[3];
    carom_difference(p->to, p->from, span);
    if (!(carom_norm(span) > 0))
        return carom_fail(error, CAROM_BAD_INPUT, "line: `from` and `to` are the same point");

    int n = p->elements;
    carom_status status = carom_mesh_allocate(mesh, n + 1, CAROM_CELL_LINE2, n, 2, error);
    if (status)
        return status;

    // interpolated from both ends, so that the line read backwards has the same points
    for (int k = 0; k <= n; k++)
        for (int i = 0; i < 3; i++)
            mesh->nodes[k][i] = (p->from[i] * (n - k) + p->to[i] * k) / n;
    carom_copy(p->from, mesh->nodes[0]);
    carom_copy(p->to, mesh->nodes[n]);
    for (int k = 0; k < n; k++) {
        mesh->blocks[0].nodes[2 * k] = k;
        mesh->blocks[0].nodes[2 * k + 1] = k + 1;
    }

    status = carom_mesh_add_set(mesh, "start", (const int[]){0}, 1, error);
    return status ? status : carom_mesh_add_set(mesh, "end", &n, 1, error);
}

const carom_generator carom_generator_line = {
    .kind = {.name = "line",
             .summary = "A straight row of equal two-node cells. Sets: start, end.",
             .reference = "",
             .params = params,
             .param_count = sizeof params / sizeof *params,
             .params_size = sizeof(carom_line_params)},
    .generate = generate,
};
