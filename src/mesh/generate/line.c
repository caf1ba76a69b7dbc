// SPDX-License-Identifier: MIT
// Generates a straight row of two-node cells. If it is graded, node i of n is at (i/n)^2 of the length L: the sizes 1, 3, 5 ...
// times L/n^2 grow linearly from the end with the smallest cell.
#include <math.h>
#include <stddef.h>

#include "base/param.h"
#include "math/vec3.h"
#include "mesh/mesh.h"
#include "mesh/rows.h"

static const char *const gradings[] = {"none", "start", "end", NULL};

static const carom_param params[] = {
    CAROM_ROW(carom_line_params, from, CAROM_PARAM_VEC3, "length", .doc = "First end of the line; the set `start`."),
    CAROM_ROW(carom_line_params, to, CAROM_PARAM_VEC3, "length", .doc = "Other end of the line; the set `end`."),
    CAROM_ROW(carom_line_params, elements, CAROM_PARAM_INT, "", .min = 1, .max = 100000000, .doc = "Number of cells."),
    CAROM_ROW(carom_line_params, grading, CAROM_PARAM_CHOICE, "", .initial = "none", .choices = gradings,
              .doc = "Equal cells, or cells that grow linearly in size from the smallest one at that end."),
};

static double cell_count(const void *params_) {
    return ((const carom_line_params *)params_)->elements;
}

// The position of node k of n as weights of both ends and their sum. The weights are integers, so that a line with its ends
// exchanged has exactly the same nodes.
static void weigh(int grading, int k, int n, double weights[3]) {
    double a = n - k, b = k, whole = n;
    switch (grading) {
    case CAROM_GRADING_NONE: break;
    // k^2 : n^2 - k^2, the latter as a product, which loses no digits.
    case CAROM_GRADING_START: a = (whole - b) * (whole + b), b = b * b, whole = whole * whole; break;
    case CAROM_GRADING_END: b = (whole - a) * (whole + a), a = a * a, whole = whole * whole; break;
    }
    weights[0] = a, weights[1] = b, weights[2] = whole;
}

static carom_status generate(const void *params_, carom_mesh *mesh, carom_error *error) {
    const carom_line_params *p = params_;
    double span[3];
    carom_difference(p->to, p->from, span);
    if (!(carom_norm(span) > 0))
        return carom_fail(error, CAROM_BAD_INPUT, "line: `from` and `to` are the same point");

    int n = p->elements;
    carom_status status = carom_mesh_allocate(mesh, n + 1, CAROM_CELL_LINE2, n, error);
    if (status)
        return status;

    // Interpolated from both ends, for the same reason.
    for (int k = 0; k <= n; k++) {
        double w[3];
        weigh(p->grading, k, n, w);
        for (int i = 0; i < 3; i++)
            mesh->nodes[k][i] = (p->from[i] * w[0] + p->to[i] * w[1]) / w[2];
    }
    // Ends are copied: a quotient need not give them back exactly.
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
    CAROM_GENERATOR_KIND("line", carom_line_params, params, "A straight row of two-node cells. Sets: start, end.", ""),
    .cell_count = cell_count,
    .generate = generate,
};
