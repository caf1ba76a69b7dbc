// SPDX-License-Identifier: MIT
// Generates a solid box, and boxes of hexahedra on any rectilinear grid. A side may be graded: with s = i/n, plane i of n is at
// the fraction b s + (1 - b) s^p of the side, or at its mirror image if cells are small at the other end (`to`), or so in each
// half (`both`).
#include "mesh/generate/box.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/param.h"
#include "math/functions.h"
#include "mesh/generate/sides.h"
#include "mesh/mesh.h"
#include "mesh/rows.h"

static const char *const refinements[] = {"from", "to", "both", NULL};

static const carom_param params[] = {
    CAROM_ROW_POINT(carom_box_params, from, NULL, "One corner."),
    CAROM_ROW_POINT(carom_box_params, to, NULL, "The opposite corner."),
    CAROM_ROW(carom_box_params, elements, CAROM_PARAM_INT3, "", .min = 1, .max = CAROM_MESH_CELLS_MAX,
              .doc = "Cells along x, y, z."),
    CAROM_ROW_SOLID_CELLS(carom_box_params),
    CAROM_ROW(carom_box_params, grading, CAROM_PARAM_VEC3, "", .initial = "[1, 1, 1]", .min = 1, .max = 100,
              .doc =
                  "Exponents p along x, y, z: plane i of n is at (i/n)^p of the side. 1: equal cells; 2: sizes grow linearly."),
    CAROM_ROW(carom_box_params, blend, CAROM_PARAM_VEC3, "", .initial = "[0, 0, 0]", CAROM_RANGE_UNIT,
              .doc = "Shares b of equal cells mixed in along x, y, z: plane i of n is at b (i/n) + (1 - b) (i/n)^p."),
    CAROM_ROW_CHOICE(carom_box_params, refine, "from", refinements,
                     "Where graded cells are small: at the faces of corner `from`, of corner `to`, or at both."),
};

static double cell_count(const void *params_) {
    const carom_box_params *p = params_;
    return (double)p->elements[0] * p->elements[1] * p->elements[2] * (p->cells == CAROM_SOLID_TET4 ? 6 : 1);
}

// The fraction of a graded side below the fraction s of its cells, counted from the end with the small ones.
static double grade(double s, double p, double b) {
    return b * s + (1 - b) * carom_pow(s, p);
}

// The fraction of side d below plane i.
static double part(const carom_box_params *box, int d, int i) {
    int n = box->elements[d];
    double p = box->grading[d], b = box->blend[d];
    // Equal cells need no power, and i/n is then rounded once.
    if (p == 1)
        return (double)i / n;
    if (box->refine == CAROM_REFINE_TO)
        return 1 - grade((double)(n - i) / n, p, b);
    if (box->refine == CAROM_REFINE_FROM)
        return grade((double)i / n, p, b);
    // Both halves are graded towards their ends. With an odd number of cells the one in the middle spans both.
    return 2 * i <= n ? 0.5 * grade(2.0 * i / n, p, b) : 1 - 0.5 * grade(2.0 * (n - i) / n, p, b);
}

// Nodes are numbered with x fastest, then y, then z. A node below the last plane of each axis is the first corner of one cell.
carom_status carom_mesh_lattice(const int n[3], double (*plane)(const void *owner, int axis, int k), const void *owner,
                                bool split, const char *const names[7], carom_mesh *mesh, carom_error *error) {
    int64_t row = n[0] + 1, sheet = row * (n[1] + 1), nodes = sheet * (n[2] + 1);
    carom_status status = carom_mesh_allocate(mesh, nodes, CAROM_CELL_HEX8, (int64_t)n[0] * n[1] * n[2], error);
    if (status)
        return status;
    uint8_t *bits = carom_allocate(nodes, sizeof *bits);
    double *planes = carom_allocate(row + n[1] + n[2] + 2, sizeof *planes),
           *x[3] = {planes, planes + row, planes + row + n[1] + 1};
    if (!bits || !planes) {
        free(bits);
        free(planes);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the sides of a mesh");
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= n[i]; k++)
            x[i][k] = plane(owner, i, k);

    int *cell = mesh->blocks[0].nodes;
    for (int64_t k = 0; k < nodes; k++) {
        int at[3] = {(int)(k % row), (int)(k / row % (n[1] + 1)), (int)(k / sheet)};
        for (int i = 0; i < 3; i++) {
            mesh->nodes[k][i] = x[i][at[i]];
            // Bits in pairs: low and high side of x, y, z, in the order of the names.
            bits[k] |= (uint8_t)((at[i] == 0) << 2 * i | (at[i] == n[i]) << (2 * i + 1));
        }
        if (at[0] == n[0] || at[1] == n[1] || at[2] == n[2])
            continue;
        for (int i = 0; i < 8; i++) {
            // Corners in the order of VTK: counter-clockwise around the bottom, then around the top.
            int64_t up = i / 4 * sheet, back = (i % 4 / 2) * row, right = (i % 4 == 1 || i % 4 == 2);
            *cell++ = (int)(k + up + back + right);
        }
    }
    status = carom_mesh_finish_solid(mesh, split, bits, names, error);
    free(bits);
    free(planes);
    return status;
}

// Interpolated from both ends, so that the last plane is at `to` exactly.
static double plane(const void *params_, int axis, int k) {
    const carom_box_params *p = params_;
    double s = part(p, axis, k);
    return p->from[axis] * (1 - s) + p->to[axis] * s;
}

static carom_status generate(const void *params_, carom_mesh *mesh, carom_error *error) {
    static const char *const names[] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax", NULL};
    const carom_box_params *p = params_;
    for (int i = 0; i < 3; i++)
        // Negated, so that NaN is refused too.
        if (!(p->to[i] > p->from[i]))
            return carom_fail(error, CAROM_BAD_INPUT, "box: `to` must have a larger %c than `from`", "xyz"[i]);
    return carom_mesh_lattice(p->elements, plane, p, p->cells == CAROM_SOLID_TET4, names, mesh, error);
}

const carom_generator carom_generator_box = {
    CAROM_GENERATOR_KIND("box", carom_box_params, params, "A solid box. Sets: xmin, xmax, ymin, ymax, zmin, zmax, surface.",
                         ""),
    .cell_count = cell_count,
    .generate = generate,
};
