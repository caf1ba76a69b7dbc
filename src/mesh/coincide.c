// SPDX-License-Identifier: MIT
// Nodes are put into a grid of cubes, four tolerances wide, kept in a hash table. A node within the tolerance is in the same cube
// or, along each axis, in the one behind the nearer wall: eight cubes to look into.
#include "mesh/coincide.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "math/vec3.h"

typedef struct table {
    int *head, *next; // first node of each bucket, the next one behind each node; -1: none
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
        for (int k = *bucket(t, near); k >= 0; k = t->next[k]) {
            double d[3];
            carom_difference(mesh->nodes[k], x, d);
            if (carom_dot(d, d) <= tolerance * tolerance && (found < 0 || k < found))
                found = k;
        }
    }
    return found;
}

// The corner of the bounding box, and how near is the same place.
static double bounds(const carom_mesh *mesh, double low[3]) {
    double diagonal[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        double high = -HUGE_VAL;
        low[i] = HUGE_VAL;
        for (int k = 0; k < mesh->node_count; k++) {
            low[i] = fmin(low[i], mesh->nodes[k][i]);
            high = fmax(high, mesh->nodes[k][i]);
        }
        diagonal[i] = mesh->node_count ? high - low[i] : 0;
    }
    return fmax(CAROM_COINCIDENCE * carom_norm(diagonal), 1e-300);
}

carom_status carom_mesh_coincide(const carom_mesh *mesh, int **first, carom_error *error) {
    *first = NULL;
    double low[3], tolerance = bounds(mesh, low);
    if (!isfinite(tolerance))
        return carom_fail(error, CAROM_BAD_INPUT, "the nodes are too far apart");
    uint64_t buckets = 16;
    while (buckets < 2 * (uint64_t)mesh->node_count)
        buckets *= 2;
    table t = {carom_allocate((int64_t)buckets, sizeof *t.head), carom_allocate(mesh->node_count, sizeof *t.next), buckets - 1};
    *first = carom_allocate(mesh->node_count, sizeof **first);
    if (!t.head || !t.next || !*first) {
        free(t.head);
        free(t.next);
        free(*first);
        *first = NULL;
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the nodes of a mesh");
    }
    for (uint64_t b = 0; b < buckets; b++)
        t.head[b] = -1;

    // only the first node of each place is entered, so that places with many nodes cost no more
    for (int k = 0; k < mesh->node_count; k++) {
        int found = find(&t, mesh, mesh->nodes[k], low, tolerance);
        (*first)[k] = found >= 0 ? found : k;
        if (found >= 0)
            continue;
        int64_t cube[3];
        for (int i = 0; i < 3; i++)
            cube[i] = (int64_t)floor((mesh->nodes[k][i] - low[i]) / (4 * tolerance));
        int *head = bucket(&t, cube);
        t.next[k] = *head;
        *head = k;
    }
    free(t.head);
    free(t.next);
    return CAROM_OK;
}
