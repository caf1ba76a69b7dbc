// SPDX-License-Identifier: MIT
// A solid box, graded along its axes: with s = i/n node i of n is at b s + (1 - b) s^p of the side, mirrored for the other end, or
// both halves so.
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "mesh/generate/lattice.h"
#include "mesh/mesh.h"
#include "mesh/rows.h"

static const char *const refinements[] = {"from", "to", "both", NULL};

static const carom_param params[] = {
    CAROM_ROW_POINT(carom_box_params, from, NULL, "One corner."),
    CAROM_ROW_POINT(carom_box_params, to, NULL, "The opposite corner."),
    {.name = "elements",
     .type = CAROM_PARAM_INT3,
     .offset = offsetof(carom_box_params, elements),
     .unit = "",
     .min = 1,
     .max = CAROM_MESH_CELLS_MAX,
     .doc = "Cells along x, y, z."},
    CAROM_ROW_SOLID_CELLS(carom_box_params),
    {.name = "grading",
     .type = CAROM_PARAM_VEC3,
     .offset = offsetof(carom_box_params, grading),
     .unit = "",
     .initial = "[1, 1, 1]",
     .min = 1,
     .max = 100,
     .doc = "Exponents p along x, y, z: plane i of n is at (i/n)^p of the side. 1: equal cells; 2: sizes grow linearly."},
    {.name = "blend",
     .type = CAROM_PARAM_VEC3,
     .offset = offsetof(carom_box_params, blend),
     .unit = "",
     .initial = "[0, 0, 0]",
     CAROM_RANGE_UNIT,
     .doc = "Shares b of equal cells mixed in along x, y, z: plane i of n is at b (i/n) + (1 - b) (i/n)^p."},
    CAROM_ROW_CHOICE(carom_box_params, refine, "from", refinements,
                     "Where graded cells are small: at the faces of corner `from`, of corner `to`, or at both."),
};

static double cell_count(const void *params_) {
    const carom_box_params *p = params_;
    return (double)p->elements[0] * p->elements[1] * p->elements[2] * (p->cells == CAROM_SOLID_TET4 ? 6 : 1);
}

// Which part of a graded side is before s of equal cells, seen from the small ones.
static double grade(double s, double p, double b) {
    return b * s + (1 - b) * pow(s, p);
}

// Which part of side d is before plane i.
static double part(const carom_box_params *box, int d, int i) {
    int n = box->elements[d];
    double p = box->grading[d], b = box->blend[d];
    if (p == 1)
        return (double)i / n;
    if (box->refine == CAROM_REFINE_TO)
        return 1 - grade((double)(n - i) / n, p, b);
    if (box->refine == CAROM_REFINE_FROM)
        return grade((double)i / n, p, b);
    return 2 * i <= n ? 0.5 * grade(2.0 * i / n, p, b) : 1 - 0.5 * grade(2.0 * (n - i) / n, p, b);
}

static carom_status generate(const void *params_, carom_mesh *mesh, carom_error *error) {
    static const char *const names[] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax", NULL};
    const carom_box_params *p = params_;
    for (int i = 0; i < 3; i++)
        if (!(p->to[i] > p->from[i]))
            return carom_fail(error, CAROM_BAD_INPUT, "box: `to` must have a larger %c than `from`", "xyz"[i]);

    double *x[3];
    bool complete = true;
    for (int i = 0; i < 3; i++) {
        int n = p->elements[i];
        x[i] = carom_allocate((int64_t)n + 1, sizeof **x);
        complete = complete && x[i];
        for (int k = 0; x[i] && k <= n; k++) {
            double s = part(p, i, k);
            x[i][k] = p->from[i] * (1 - s) + p->to[i] * s;
        }
    }
    carom_status status = complete ? carom_mesh_lattice(p->elements, x, p->cells == CAROM_SOLID_TET4, names, mesh, error)
                                   : carom_fail(error, CAROM_NO_MEMORY, "no memory for a box");
    for (int i = 0; i < 3; i++)
        free(x[i]);
    return status;
}

const carom_generator carom_generator_box = {
    CAROM_GENERATOR_KIND("box", carom_box_params, params, "A solid box. Sets: xmin, xmax, ymin, ymax, zmin, zmax, surface.",
                         ""),
    .cell_count = cell_count,
    .generate = generate,
};
