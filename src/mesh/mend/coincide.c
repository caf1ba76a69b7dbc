// SPDX-License-Identifier: MIT
// Nodes are put into a grid of cubes, four tolerances wide, kept in a hash table. A node within the tolerance is in the same cube
// or, along each axis, in the one behind the nearer wall: eight cubes to look into.
#include "mesh/mend/coincide.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "math/vec3.h"
#include "mesh/mesh.h"

typedef struct table {
    int *head; // first node of each bucket, -1: none
    int *
        link; // the next one behind a node, or itself behind the last; of a node that was not entered the complement of the one it is at
    uint64_t mask;
} table;

static int *bucket(const table *t, const int64_t cube[3]) {
    return &t->head[carom_hash(CAROM_HASH_START, cube, 3 * sizeof *cube) & t->mask];
}

// The first node among those entered that is at x, or -1.
static int find(const table *t, const carom_mesh *mesh, const double x[3], const double low[3], double tolerance) {
    int64_t cube[3], side[3];
    for (int i = 0; i < 3; i++) {
        double q = (x[i] - low[i]) / (4 * tolerance);
        cube[i] = (int64_t)floor(q);
        side[i] = q - floor(q) < 0.5 ? -1 : 1;
    }
    int found = -1;
    for (int n = 0; n < 8; n++) {
        int64_t near[3];
        for (int i = 0; i < 3; i++)
            near[i] = cube[i] + (n >> i & 1 ? side[i] : 0);
        for (int k = *bucket(t, near), last = -1; k != last; last = k, k = t->link[k]) {
            double d[3];
            // in tolerances, since the square of a tiny one would be zero
            carom_difference(mesh->nodes[k], x, d);
            for (int i = 0; i < 3; i++)
                d[i] /= tolerance;
            if (carom_dot(d, d) <= 1 && (found < 0 || k < found))
                found = k;
        }
    }
    return found;
}

// The bounding box of the nodes that cells use (of all, if there are no cells), and how near is the same place.
static double bounds(const carom_mesh *mesh, const bool *used, double low[3], double high[3]) {
    double diagonal[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        high[i] = -HUGE_VAL;
        low[i] = HUGE_VAL;
        for (int k = 0; k < mesh->node_count; k++) {
            if (!used[k])
                continue;
            low[i] = fmin(low[i], mesh->nodes[k][i]);
            high[i] = fmax(high[i], mesh->nodes[k][i]);
        }
        diagonal[i] = mesh->node_count ? high[i] - low[i] : 0;
    }
    return fmax(CAROM_COINCIDENCE * hypot(hypot(diagonal[0], diagonal[1]), diagonal[2]), 1e-300);
}

static bool is_far(const double x[3], const double low[3], const double high[3], double tolerance) {
    for (int i = 0; i < 3; i++)
        if (x[i] < low[i] - tolerance || x[i] > high[i] + tolerance)
            return true;
    return false;
}

static bool *used_nodes(const carom_mesh *mesh) {
    bool *used = carom_allocate(mesh->node_count, sizeof *used);
    int64_t cells = carom_mesh_cell_count(mesh);
    for (int k = 0; used && k < mesh->node_count; k++)
        used[k] = cells == 0;
    for (int b = 0; used && b < mesh->block_count; b++) {
        int64_t slots = (int64_t)mesh->blocks[b].count * carom_cell_size(mesh->blocks[b].type);
        for (int64_t i = 0; i < slots; i++)
            used[mesh->blocks[b].nodes[i]] = true;
    }
    return used;
}

carom_status carom_mesh_coincide(const carom_mesh *mesh, int **first, carom_error *error) {
    *first = NULL;
    bool *used = used_nodes(mesh);
    if (!used)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the nodes of a mesh");
    double low[3], high[3], tolerance = bounds(mesh, used, low, high);
    free(used);
    if (!isfinite(tolerance))
        return carom_fail(error, CAROM_BAD_INPUT, "the nodes are too far apart");
    uint64_t buckets = 16;
    while (buckets < (uint64_t)mesh->node_count)
        buckets *= 2;
    table t = {carom_allocate((int64_t)buckets, sizeof *t.head), carom_allocate(mesh->node_count, sizeof *t.link), buckets - 1};
    if (!t.head || !t.link) {
        free(t.head);
        free(t.link);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the nodes of a mesh");
    }
    for (uint64_t b = 0; b < buckets; b++)
        t.head[b] = -1;

    // only the first node of each place is entered, so that places with many nodes cost no more
    for (int k = 0; k < mesh->node_count; k++) {
        t.link[k] = k;
        // an unused node outside is at no place of the mesh
        if (is_far(mesh->nodes[k], low, high, tolerance))
            continue;
        int found = find(&t, mesh, mesh->nodes[k], low, tolerance);
        if (found >= 0) {
            t.link[k] = ~found;
            continue;
        }
        int64_t cube[3];
        for (int i = 0; i < 3; i++)
            cube[i] = (int64_t)floor((mesh->nodes[k][i] - low[i]) / (4 * tolerance));
        int *head = bucket(&t, cube);
        t.link[k] = *head < 0 ? k : *head;
        *head = k;
    }
    free(t.head);
    for (int k = 0; k < mesh->node_count; k++)
        t.link[k] = t.link[k] < 0 ? ~t.link[k] : k;
    *first = t.link;
    return CAROM_OK;
}
