// SPDX-License-Identifier: MIT
// Generates a solid ball: a cubic core of n x n x n cells with bulging faces, and layers of cells between its surface and the
// sphere. A point q of the surface of the cube [-1, 1]^3 is mapped to the direction (tan(pi/4 q_1), tan(pi/4 q_2), tan(pi/4
// q_3)), which divides angles evenly.
#include <math.h>
#include <stdlib.h>

#include "math/functions.h"
#include "math/vec3.h"
#include "mesh/generate/cube.h"
#include "mesh/generate/sides.h"
#include "mesh/mesh.h"
#include "mesh/rows.h"

static const carom_param params[] = {
    CAROM_ROW_POINT(carom_ball_params, center, "[0, 0, 0]", "Centre of the ball."),
    CAROM_ROW_LENGTH(carom_ball_params, radius, "1", "Radius."),
    CAROM_ROW_COUNT(carom_ball_params, divisions, 1, NULL,
                    "Cells along an edge of the cubic core; a quarter of those around the ball."),
    CAROM_ROW_COUNT(carom_ball_params, layers, 1, NULL, "Cells between the core and the surface."),
    CAROM_ROW_SOLID_CELLS(carom_ball_params),
};

// n^3 hexahedra in the core and 6 n^2 in each layer. As doubles: the count is compared with the limit before it fits an int.
static double cell_count(const void *params_) {
    const carom_ball_params *p = params_;
    double n = p->divisions;
    return n * n * (n + 6.0 * p->layers) * (p->cells == CAROM_SOLID_TET4 ? 6 : 1);
}

// tan(pi/4 q) divides the quarter circle evenly, while the plain projection would crowd cells near the corners of the cube.
static void direction(const double q[3], double d[3]) {
    for (int i = 0; i < 3; i++)
        d[i] = carom_tan(M_PI_4 * q[i]);
    carom_normalize(d);
}

// A point of the core, midway between a cube with corners at half the radius and the ball around that cube: the compromise
// keeps cells well shaped both inside and next to the layers.
static void core_point(const double q[3], double radius, double x[3]) {
    // q is on the surface of a cube of half-size `most`. The corner (1, 1, 1)/sqrt(3) has length one, and so has d. The
    // centre has no direction, but most = 0 removes it there.
    double most = fmax(fabs(q[0]), fmax(fabs(q[1]), fabs(q[2]))), surface[3], d[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        surface[i] = most > 0 ? q[i] / most : 0;
    direction(surface, d);
    for (int i = 0; i < 3; i++)
        x[i] = 0.5 * radius * 0.5 * (q[i] / sqrt(3) + most * d[i]);
}

typedef struct ball {
    const carom_ball_params *params;
    carom_mesh *mesh;
    int64_t core, shell; // nodes of the core and of one layer
} ball;

// The node at lattice point `at`: of the core (layer 0, any point), or of a layer (points of the surface only).
static int node_of(const ball *b, const int at[3], int layer) {
    int n = b->params->divisions;
    if (layer == 0)
        return (int)(((int64_t)at[2] * (n + 1) + at[1]) * (n + 1) + at[0]);
    return (int)(b->core + (layer - 1) * b->shell + carom_cube_surface_node(n, at));
}

static void put(const ball *b, const int at[3], int layer) {
    const carom_ball_params *p = b->params;
    double q[3], inner[3], d[3];
    for (int i = 0; i < 3; i++)
        // From lattice points to [-1, 1]^3. Both ends are exact.
        q[i] = 2.0 * at[i] / p->divisions - 1;
    core_point(q, p->radius, inner);
    direction(q, d);
    // Layers are spaced evenly between the surface of the core (layer 0) and the sphere.
    double s = (double)layer / p->layers;
    double *x = b->mesh->nodes[node_of(b, at, layer)];
    for (int i = 0; i < 3; i++)
        x[i] = p->center[i] + (1 - s) * inner[i] + s * p->radius * d[i];
}

static void fill_core(const ball *b, int *cell) {
    // Corners in the order of VTK.
    static const int step[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    int n = b->params->divisions;
    for (int k = 0; k <= n; k++)
        for (int j = 0; j <= n; j++)
            for (int i = 0; i <= n; i++) {
                put(b, (const int[]){i, j, k}, 0);
                // The last plane of each axis has nodes, but no cells begin there.
                for (int c = 0; c < 8 && i < n && j < n && k < n; c++)
                    *cell++ = node_of(b, (const int[]){i + step[c][0], j + step[c][1], k + step[c][2]}, 0);
            }
}

// Each square of the surface of the core has one cell per layer above it, which shares nodes with the cells of neighbouring
// squares.
static void fill_layer(const ball *b, int layer, int *cell) {
    int n = b->params->divisions;
    for (int64_t q = 0; q < 6 * (int64_t)n * n; q++) {
        int corners[4][3];
        carom_cube_surface_square(n, q, corners);
        // Nodes shared by squares are written again with the same coordinates.
        for (int c = 0; c < 4; c++)
            put(b, corners[c], layer);
        for (int c = 0; c < 8; c++)
            // Inner corners first, then the outer ones: the layer below is the bottom of the hexahedron.
            *cell++ = node_of(b, corners[c % 4], layer - 1 + c / 4);
    }
}

// The core first, then layer by layer outward.
static carom_status generate(const void *params_, carom_mesh *mesh, carom_error *error) {
    const carom_ball_params *p = params_;
    int64_t n = p->divisions, inside = n * n * n, around = 6 * n * n;
    ball b = {p, mesh, (n + 1) * (n + 1) * (n + 1), carom_cube_surface_count(p->divisions)};
    carom_status status =
        carom_mesh_allocate(mesh, b.core + b.shell * p->layers, CAROM_CELL_HEX8, inside + around * p->layers, error);
    if (status)
        return status;
    fill_core(&b, mesh->blocks[0].nodes);
    for (int l = 1; l <= p->layers; l++)
        fill_layer(&b, l, mesh->blocks[0].nodes + 8 * (inside + around * (l - 1)));

    static const char *const no_names[] = {NULL};
    status = carom_mesh_finish_solid(mesh, p->cells == CAROM_SOLID_TET4, NULL, no_names, error);
    return status ? status : carom_mesh_add_extremes(mesh, error);
}

const carom_generator carom_generator_ball = {
    CAROM_GENERATOR_KIND(
        "ball", carom_ball_params, params,
        "A solid ball with a cubic core. Sets: surface, and the outermost nodes xmin, xmax, ymin, ymax, zmin, zmax.", ""),
    .cell_count = cell_count,
    .generate = generate,
};
