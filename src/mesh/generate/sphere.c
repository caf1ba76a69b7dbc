// SPDX-License-Identifier: MIT
// Theory: docs/theory/mesh_recipes.md
// Spheres of triangles. A regular solid with triangular faces is subdivided: each face into four, with new nodes moved out to
// the sphere after every subdivision; k of them turn F faces into F 4^k. Or the surface of a cube with n x n squares on each
// face is mapped by q -> (tan(pi/4 q_1), tan(pi/4 q_2), tan(pi/4 q_3)): 12 n^2 triangles.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/functions.h"
#include "math/vec3.h"
#include "mesh/generate/cube.h"
#include "mesh/generate/sides.h"
#include "mesh/mesh.h"
#include "mesh/rows.h"

static const char *const patterns[] = {"auto", "octahedral", "icosahedral", "tetrahedral", "cube-mapped", NULL};
// Faces of each pattern before it is subdivided, in the order of `patterns`.
static const int first_count[] = {0, 8, 20, 4, 12};

static const carom_param params[] = {
    CAROM_ROW_POINT(carom_sphere_params, center, "[0, 0, 0]", "Centre of the sphere."),
    CAROM_ROW_LENGTH(carom_sphere_params, radius, "1", "Radius, on which all nodes lie."),
    CAROM_ROW_COUNT(
        carom_sphere_params, faces, 4, NULL,
        "Number of triangles: 8, 32, 128, 512, 2048, ... (octahedral), 20, 80, 320, ... (icosahedral), 4, 16, 64, ... "
        "(tetrahedral), or 12 n^2 (cube-mapped)."),
    CAROM_ROW_CHOICE(carom_sphere_params, pattern, "auto", patterns,
                     "The solid that is mapped to the sphere; `auto`: the one that has that number of faces."),
};

static double cell_count(const void *params_) {
    return ((const carom_sphere_params *)params_)->faces;
}

// The largest number of faces of a pattern that does not exceed `faces`, and the next one.
static void counts_about(int pattern, int faces, int64_t *below, int64_t *above) {
    int64_t count = first_count[pattern], n = 1;
    *below = 0;
    // Cube-mapped spheres have 12 n^2 faces, the others four times as many after each subdivision.
    while (count <= faces) {
        *below = count;
        n++;
        count = pattern == CAROM_SPHERE_CUBE ? 12 * n * n : 4 * count;
    }
    *above = count;
}

// The pattern to use, or CAROM_SPHERE_AUTO if there is none.
static int find_pattern(const carom_sphere_params *p) {
    int64_t below, above;
    for (int pattern = CAROM_SPHERE_OCTAHEDRAL; pattern <= CAROM_SPHERE_CUBE; pattern++) {
        counts_about(pattern, p->faces, &below, &above);
        // No number of faces belongs to two patterns: 2^(2k+3), 5 * 2^(2k+2), 2^(2k+2) and 3 (2 n)^2 are never equal.
        if (below == p->faces && (p->pattern == pattern || p->pattern == CAROM_SPHERE_AUTO))
            return pattern;
    }
    return CAROM_SPHERE_AUTO;
}

// The message names the nearest numbers of faces that are possible.
static carom_status refuse(const carom_sphere_params *p, carom_error *error) {
    int64_t below = 0, above = INT64_MAX;
    int of_below = 0, of_above = 0;
    for (int pattern = CAROM_SPHERE_OCTAHEDRAL; pattern <= CAROM_SPHERE_CUBE; pattern++) {
        int64_t low, high;
        if (p->pattern != CAROM_SPHERE_AUTO && p->pattern != pattern)
            continue;
        counts_about(pattern, p->faces, &low, &high);
        if (low > below)
            below = low, of_below = pattern;
        if (high < above)
            above = high, of_above = pattern;
    }
    char kind[64] = "a sphere";
    if (p->pattern != CAROM_SPHERE_AUTO)
        snprintf(kind, sizeof kind, "the %s sphere", patterns[p->pattern]);
    if (!below)
        return carom_fail(error, CAROM_BAD_INPUT, "sphere: %s cannot have %d faces; the smallest has %lld", kind, p->faces,
                          (long long)above);
    return carom_fail(error, CAROM_BAD_INPUT, "sphere: %s cannot have %d faces; the nearest are %lld (%s) and %lld (%s)", kind,
                      p->faces, (long long)below, patterns[of_below], (long long)above, patterns[of_above]);
}

// A regular solid: nodes by signs of coordinates (the icosahedron from three golden rectangles); its faces are all triples of
// nodes at the distance of its edges.
static carom_status make_solid(int pattern, carom_mesh *mesh, carom_error *error) {
    double g = 0.5 * (1 + sqrt(5)), x[12][3] = {{0}};
    int nodes = 0;
    for (int s = 0; s < 8; s++) {
        double sign[3] = {s & 1 ? -1 : 1, s & 2 ? -1 : 1, s & 4 ? -1 : 1};
        // Every other corner of a cube; three pairs of opposite points on the axes; and (1, g, 0) with all
        // signs, permuted cyclically.
        if (pattern == CAROM_SPHERE_TETRAHEDRAL && sign[0] * sign[1] * sign[2] > 0)
            carom_copy(sign, x[nodes++]);
        if (pattern == CAROM_SPHERE_OCTAHEDRAL && s < 6)
            x[nodes++][s / 2] = s % 2 ? -1 : 1;
        for (int axis = 0; pattern == CAROM_SPHERE_ICOSAHEDRAL && axis < 3 && s < 4; axis++) {
            x[nodes][axis] = sign[0];
            x[nodes++][(axis + 1) % 3] = g * sign[1];
        }
    }
    // Squared edges of the solids with these coordinates.
    double edge2 = pattern == CAROM_SPHERE_TETRAHEDRAL ? 8 : pattern == CAROM_SPHERE_OCTAHEDRAL ? 2 : 4;

    carom_status status = carom_mesh_allocate(mesh, nodes, CAROM_CELL_TRI3, first_count[pattern], error);
    if (status)
        return status;
    memcpy(mesh->nodes, x, (size_t)nodes * sizeof *x);
    int *cell = mesh->blocks[0].nodes;
    for (int a = 0; a < nodes; a++)
        for (int b = 0; b < nodes; b++)
            for (int c = 0; c < nodes; c++) {
                double ab[3], bc[3], ca[3], normal[3];
                carom_difference(x[b], x[a], ab);
                carom_difference(x[c], x[b], bc);
                carom_difference(x[a], x[c], ca);
                carom_cross(ab, bc, normal);
                // With so few nodes all triples can be tried. Three nodes at the distance of an edge are a
                // face in each of these solids.
                bool face = fabs(carom_dot(ab, ab) - edge2) < 1e-9 && fabs(carom_dot(bc, bc) - edge2) < 1e-9 &&
                            fabs(carom_dot(ca, ca) - edge2) < 1e-9;
                // Each face once: it begins with its smallest node and faces outward.
                if (!face || a > b || a > c || carom_dot(normal, x[a]) < 0)
                    continue;
                *cell++ = a, *cell++ = b, *cell++ = c;
            }
    for (int k = 0; k < nodes; k++)
        // Normalised at the end: the test for faces relies on the coordinates above.
        carom_normalize(mesh->nodes[k]);
    return CAROM_OK;
}

// Adds the middle of each side of each face as a new node on the unit sphere: side s of face f gets middle[3 f + s].
static void add_middles(const carom_boundary *coarse, const int *edges, int edge_count, carom_mesh *fine, int *middle) {
    const carom_mesh *mesh = coarse->mesh;
    int node = mesh->node_count;
    for (int i = 0, end; i < edge_count; i = end, node++) {
        end = carom_edge_run(edges, edge_count, i);
        carom_edge first = carom_boundary_edge(coarse, edges[i]);
        double *x = fine->nodes[node];
        for (int k = 0; k < 3; k++)
            // The direction of the middle needs no factor 1/2.
            x[k] = mesh->nodes[first.from][k] + mesh->nodes[first.to][k];
        carom_normalize(x);
        for (int e = i; e < end; e++) {
            carom_edge edge = carom_boundary_edge(coarse, edges[e]);
            middle[3 * edge.face + edge.side] = node;
        }
    }
}

// Subdivides each face of a closed surface into four. A closed surface of triangles has 3/2 as many edges as faces.
static carom_status split_faces(carom_mesh *mesh, carom_error *error) {
    int count = mesh->blocks[0].count, edge_count, *edges = NULL;
    carom_boundary faces;
    carom_mesh fine = {0};
    carom_status status = carom_boundary_create(&faces, mesh, NULL, NULL, error);
    if (!status)
        status = carom_boundary_edges(&faces, &edges, &edge_count, error);
    if (!status)
        status =
            carom_mesh_allocate(&fine, mesh->node_count + 3 * (int64_t)count / 2, CAROM_CELL_TRI3, 4 * (int64_t)count, error);
    int *middle = carom_allocate(3 * (int64_t)count, sizeof *middle);
    if (!status && !middle)
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for a sphere");
    if (!status) {
        memcpy(fine.nodes, mesh->nodes, (size_t)mesh->node_count * sizeof *fine.nodes);
        add_middles(&faces, edges, edge_count, &fine, middle);
        for (int f = 0; f < count; f++) {
            const int *v = &mesh->blocks[0].nodes[3 * f], *m = &middle[3 * f];
            // Three triangles at the corners and one in the middle.
            const int four[12] = {v[0], m[0], m[2], m[0], v[1], m[1], m[2], m[1], v[2], m[0], m[1], m[2]};
            memcpy(&fine.blocks[0].nodes[12 * f], four, sizeof four);
        }
        carom_mesh_release(mesh);
        *mesh = fine;
    } else {
        carom_mesh_release(&fine);
    }
    carom_boundary_release(&faces);
    free(edges);
    free(middle);
    return status;
}

static carom_status generate(const void *params_, carom_mesh *mesh, carom_error *error) {
    const carom_sphere_params *p = params_;
    int pattern = find_pattern(p);
    if (pattern == CAROM_SPHERE_AUTO)
        return refuse(p, error);

    // All patterns are made on the unit sphere first.
    carom_status status;
    if (pattern == CAROM_SPHERE_CUBE) {
        // The count is 12 n^2 exactly, so rounding recovers n.
        status = carom_cube_surface_mesh((int)lround(sqrt(p->faces / 12.0)), mesh, error);
        for (int k = 0; k < mesh->node_count; k++) {
            for (int i = 0; i < 3; i++)
                mesh->nodes[k][i] = carom_tan(M_PI_4 * mesh->nodes[k][i]);
            carom_normalize(mesh->nodes[k]);
        }
    } else {
        status = make_solid(pattern, mesh, error);
        while (!status && mesh->blocks[0].count < p->faces)
            status = split_faces(mesh, error);
    }
    for (int k = 0; k < mesh->node_count; k++)
        for (int i = 0; i < 3; i++)
            mesh->nodes[k][i] = p->center[i] + p->radius * mesh->nodes[k][i];

    static const char *const no_names[] = {NULL};
    if (!status)
        status = carom_mesh_finish_solid(mesh, false, NULL, no_names, error);
    return status ? status : carom_mesh_add_extremes(mesh, error);
}

const carom_generator carom_generator_sphere = {
    CAROM_GENERATOR_KIND(
        "sphere", carom_sphere_params, params,
        "The closed surface of a sphere, in triangles. Sets: surface, and the outermost nodes xmin, xmax, ymin, ymax, "
        "zmin, zmax.",
        "F. Cirak, M. West: Decomposition contact response (DCR) for explicit finite element dynamics. "
        "Int. J. Numer. Meth. Engng 64 (2005) 1078-1110; the spheres of 2048 and 3072 elements."),
    .cell_count = cell_count,
    .generate = generate,
};
