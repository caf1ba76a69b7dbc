// SPDX-License-Identifier: MIT
// Generates round plane meshes, and the solids extruded from them. A ring is a grid in polar coordinates. A disc is a square
// core of n x n cells with bulging sides, and layers around it: the 4 n nodes of the core's perimeter are joined to 4 n equally
// spaced nodes of the rim, so that the rim is a regular polygon.
#include "mesh/generate/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/functions.h"
#include "mesh/generate/sides.h"
#include "mesh/mesh.h"

static void release_plan(carom_plan *plan) {
    carom_mesh_release(&plan->mesh);
    free(plan->bits);
    plan->bits = NULL;
}

// An empty plan with capacity for nodes, their sides, and cells.
static carom_status reserve(carom_plan *plan, int64_t nodes, carom_cell_type type, int64_t cells, carom_error *error) {
    *plan = (carom_plan){0};
    carom_status status = carom_mesh_allocate(&plan->mesh, nodes, type, cells, error);
    if (status)
        return status;
    plan->bits = carom_allocate(nodes, sizeof *plan->bits);
    if (plan->bits)
        return CAROM_OK;
    release_plan(plan);
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for the sides of a mesh");
}

static void put(double x[3], const double center[3], double radius, double angle) {
    x[0] = center[0] + radius * carom_cos(angle);
    x[1] = center[1] + radius * carom_sin(angle);
    x[2] = center[2];
}

static void quad(int *cell, int a, int b, int c, int d) {
    cell[0] = a, cell[1] = b, cell[2] = c, cell[3] = d;
}

// Nodes layer by layer from the inner circle, each layer counter-clockwise.
carom_status carom_plan_ring(const double center[3], double inner, double outer, int around, int layers, carom_plan *plan,
                             carom_error *error) {
    carom_status status = reserve(plan, (int64_t)around * (layers + 1), CAROM_CELL_QUAD4, (int64_t)around * layers, error);
    if (status)
        return status;
    int *cell = plan->mesh.blocks[0].nodes;
    for (int l = 0; l <= layers; l++)
        for (int a = 0; a < around; a++) {
            int k = l * around + a, next = l * around + (a + 1) % around;
            // Radii are weighted from both circles, which are thereby treated equally.
            put(plan->mesh.nodes[k], center, (inner * (layers - l) + outer * l) / layers, 2 * M_PI * a / around);
            plan->bits[k] = (uint8_t)((l == 0 ? 1 : 0) | (l == layers ? 2 : 0));
            if (l == layers)
                continue;
            // From the inner circle outward, then around: counter-clockwise seen from +z.
            quad(cell, k, k + around, next + around, next);
            cell += 4;
        }
    return CAROM_OK;
}

// Node p of the perimeter of the core, counter-clockwise from the corner (0, 0).
static int perimeter(int p, int n) {
    // One of four sides of n steps each; p = 4 n is again the first corner.
    int side = p / n % 4, step = p % n;
    int i = side == 0 ? step : side == 1 ? n : side == 2 ? n - step : 0;
    int j = side == 0 ? 0 : side == 1 ? step : side == 2 ? n : n - step;
    return j * (n + 1) + i;
}

// A core node at u, v in [-1, 1]^2: midway between the square with corners at half the radius and the disc around that
// square.
static void put_core(double x[3], const double center[3], double radius, double u, double v) {
    double most = fmax(fabs(u), fabs(v));
    // u and v scaled to the boundary of the square, where tan(pi/4 u) spaces directions evenly; `round` scales the direction
    // to length `most`, so that squares around the centre become circles.
    double p = most > 0 ? carom_tan(M_PI_4 * u / most) : 0, q = most > 0 ? carom_tan(M_PI_4 * v / most) : 0;
    double round = most > 0 ? most / carom_hypot(p, q) : 0, corner = 0.5 * radius;
    x[0] = center[0] + corner * 0.5 * (u * M_SQRT1_2 + p * round);
    x[1] = center[1] + corner * 0.5 * (v * M_SQRT1_2 + q * round);
    x[2] = center[2];
}

carom_status carom_plan_disc(const double center[3], double radius, int n, int layers, carom_plan *plan, carom_error *error) {
    int64_t core = (int64_t)(n + 1) * (n + 1), around = 4 * (int64_t)n;
    carom_status status = reserve(plan, core + around * layers, CAROM_CELL_QUAD4, (int64_t)n * n + around * layers, error);
    if (status)
        return status;
    double(*x)[3] = plan->mesh.nodes;
    int *cell = plan->mesh.blocks[0].nodes;

    for (int j = 0; j <= n; j++)
        for (int i = 0; i <= n; i++)
            put_core(x[j * (n + 1) + i], center, radius, 2.0 * i / n - 1, 2.0 * j / n - 1);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++, cell += 4) {
            int k = j * (n + 1) + i;
            quad(cell, k, k + 1, k + n + 2, k + n + 1);
        }

    // From the perimeter of the core (layer 0) outward. The first corner of the core, (-1, -1), lies at the angle -3 pi/4.
    for (int l = 1; l <= layers; l++)
        for (int p = 0; p < around; p++) {
            int64_t k = core + (l - 1) * around + p, next = core + (l - 1) * around + (p + 1) % around;
            double rim[3];
            put(rim, center, radius, 2 * M_PI * p / (double)around - 3 * M_PI_4);
            const double *from = x[perimeter(p, n)];
            for (int i = 0; i < 3; i++)
                // Straight spokes from the perimeter of the core to the rim, divided evenly.
                x[k][i] = (from[i] * (layers - l) + rim[i] * l) / layers;
            plan->bits[k] = l == layers;
            // The first layer grows from the perimeter of the core, whose nodes are numbered otherwise.
            int inner = l == 1 ? perimeter(p, n) : (int)(k - around);
            int inner_next = l == 1 ? perimeter(p + 1, n) : (int)(next - around);
            quad(cell, inner, (int)k, (int)next, inner_next);
            cell += 4;
        }
    return CAROM_OK;
}

// The solid of hex8 cells over a plan: `slices` layers of equal height. Adds two sides after the `side_count` sides of the
// plan: bottom and top.
static carom_status extrude(const carom_plan *plan, int side_count, double height, int slices, carom_plan *solid,
                            carom_error *error) {
    int64_t nodes = plan->mesh.node_count, quads = plan->mesh.blocks[0].count;
    carom_status status = reserve(solid, nodes * (slices + 1), CAROM_CELL_HEX8, quads * slices, error);
    if (status)
        return status;
    for (int s = 0; s <= slices; s++)
        for (int64_t k = 0; k < nodes; k++) {
            double *x = solid->mesh.nodes[s * nodes + k];
            memcpy(x, plan->mesh.nodes[k], sizeof solid->mesh.nodes[0]);
            x[2] += height * s / slices;
            // The sides of the plan stay those of the solid; bottom and top get the next two bits.
            unsigned ends = (s == 0 ? 1u : 0u) | (s == slices ? 2u : 0u);
            solid->bits[s * nodes + k] = (uint8_t)(plan->bits[k] | ends << side_count);
        }
    for (int s = 0; s < slices; s++)
        for (int64_t q = 0; q < quads; q++)
            for (int i = 0; i < 8; i++)
                solid->mesh.blocks[0].nodes[8 * (s * quads + q) + i] =
                    // Corners 0 to 3 are on the lower slice, 4 to 7 above them, in the order of VTK.
                    plan->mesh.blocks[0].nodes[4 * q + i % 4] + (int)((s + i / 4) * nodes);
    return CAROM_OK;
}

carom_status carom_plan_finish(carom_plan *plan, bool split, const char *const *names, carom_mesh *mesh, carom_error *error) {
    carom_status status = carom_mesh_finish_plane(&plan->mesh, split, plan->bits, names, error);
    // The mesh is moved to the caller; the release below frees only the bits.
    *mesh = plan->mesh;
    plan->mesh = (carom_mesh){0};
    release_plan(plan);
    return status;
}

carom_status carom_plan_finish_solid(carom_plan *plan, int side_count, double height, int slices, bool split,
                                     const char *const *names, carom_mesh *mesh, carom_error *error) {
    carom_plan solid;
    carom_status status = extrude(plan, side_count, height, slices, &solid, error);
    release_plan(plan);
    if (!status)
        status = carom_mesh_finish_solid(&solid.mesh, split, solid.bits, names, error);
    // After a failure the solid is empty, and so is the mesh.
    *mesh = solid.mesh;
    solid.mesh = (carom_mesh){0};
    release_plan(&solid);
    return status;
}
