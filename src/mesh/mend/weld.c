// SPDX-License-Identifier: MIT
// Finds points at the same place by hashing the cells of a grid. carom_weld welds any points that are equal or within a
// tolerance along each axis; its cells are twice the tolerance wide, so that a point can only be near points of its own cell
// and of the seven others at the nearest corner. carom_mesh_coincide finds nodes of a mesh within a Euclidean distance that is
// a fraction of the size of the mesh; its cells are four tolerances wide.
#include "mesh/mend/weld.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "math/functions.h"
#include "math/vec3.h"
#include "mesh/mesh.h"

typedef struct table {
    int *slots; // the last point of a chain, -1: none
    int *next;  // the point before it in the chain
    uint64_t mask;
    double tolerance;
} table;

// The key of the cell of a point, or of its neighbour towards the nearest corner along the axes of `side`. Adding 0.0 turns -0
// into 0.
static uint64_t key(const table *t, const double x[3], int side) {
    double box[3];
    for (int i = 0; i < 3; i++) {
        if (t->tolerance == 0) {
            box[i] = x[i] + 0.0;
            continue;
        }
        // All points within the tolerance of a point in the lower half of its cell lie in this cell or in the lower one.
        double place = x[i] / (2 * t->tolerance), whole = floor(place);
        box[i] = whole;
        if (side & (1 << i))
            box[i] += place - whole < 0.5 ? -1 : 1;
        box[i] += 0.0;
    }
    return carom_hash(CAROM_HASH_START, box, sizeof box) & t->mask;
}

// Written so that a NaN is near nothing.
static bool near(const double a[3], const double b[3], double tolerance) {
    for (int i = 0; i < 3; i++)
        if (!(fabs(a[i] - b[i]) <= tolerance))
            return false;
    return true;
}

// The first kept point that is near, or -1. The smallest index wins, so that the result does not depend on the table.
static int find(const table *t, double (*points)[3], const double x[3]) {
    int found = -1;
    // Without tolerance equal points have equal keys, and one cell is enough.
    for (int side = 0; side < (t->tolerance == 0 ? 1 : 8); side++)
        for (int k = t->slots[key(t, x, side)]; k >= 0; k = t->next[k])
            if (near(points[k], x, t->tolerance) && (found < 0 || k < found))
                found = k;
    return found;
}

int64_t carom_weld(double (*points)[3], int64_t count, double tolerance, int *place) {
    // At least as many slots as points keeps the chains short.
    uint64_t size = 16;
    while (size < (uint64_t)count)
        size *= 2;
    table t = {.slots = carom_allocate((int64_t)size, sizeof(int)),
               .next = carom_allocate(count, sizeof(int)),
               .mask = size - 1,
               .tolerance = tolerance};
    int64_t kept = -1;
    if (t.slots && t.next) {
        // All bytes 0xff: every slot holds -1.
        memset(t.slots, 0xff, size * sizeof *t.slots);
        kept = 0;
        for (int64_t k = 0; k < count; k++) {
            // A copy, since kept points move down over those already welded.
            double x[3] = {points[k][0], points[k][1], points[k][2]};
            int found = find(&t, points, x);
            if (found < 0) {
                found = (int)kept++;
                memcpy(points[found], x, sizeof x);
                uint64_t slot = key(&t, x, 0);
                t.next[found] = t.slots[slot];
                t.slots[slot] = found;
            }
            place[k] = found;
        }
    }
    free(t.slots);
    free(t.next);
    return kept;
}

typedef struct grid {
    int *head; // first node of each bucket, -1: none
    int *link; // the next node of a bucket, at its end the node itself; or ~k for a node at the place of an earlier node k
    uint64_t mask;
} grid;

// The bucket of a cell. Only the first node of each place is entered.
static int *bucket(const grid *t, const int64_t cube[3]) {
    return &t->head[carom_hash(CAROM_HASH_START, cube, 3 * sizeof *cube) & t->mask];
}

// The first entered node at x, or -1.
static int find_first(const grid *t, const carom_mesh *mesh, const double x[3], const double low[3], double tolerance) {
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
            // In units of the tolerance, whose square may underflow.
            carom_difference(mesh->nodes[k], x, d);
            for (int i = 0; i < 3; i++)
                d[i] /= tolerance;
            if (carom_dot(d, d) <= 1 && (found < 0 || k < found))
                found = k;
        }
    }
    return found;
}

// The bounding box of the nodes that cells use (of all nodes if there are no cells), and the tolerance that follows from it.
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
    // The smallest tolerance keeps quotients finite where all nodes are at one place.
    return fmax(CAROM_COINCIDENCE * carom_hypot(carom_hypot(diagonal[0], diagonal[1]), diagonal[2]), 1e-300);
}

static bool is_far(const double x[3], const double low[3], const double high[3], double tolerance) {
    for (int i = 0; i < 3; i++)
        if (x[i] < low[i] - tolerance || x[i] > high[i] + tolerance)
            return true;
    return false;
}

carom_status carom_mesh_coincide(const carom_mesh *mesh, int **first, carom_error *error) {
    *first = NULL;
    bool *used = carom_mesh_used(mesh);
    if (!used)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the nodes of a mesh");
    if (carom_mesh_cell_count(mesh) == 0)
        memset(used, true, (size_t)mesh->node_count);
    double low[3], high[3], tolerance = bounds(mesh, used, low, high);
    free(used);
    if (!isfinite(tolerance))
        return carom_fail(error, CAROM_BAD_INPUT, "the distances of the nodes overflow double precision");
    // A power of two, so that a mask takes the place of a division, and about one node per bucket.
    uint64_t buckets = 16;
    while (buckets < (uint64_t)mesh->node_count)
        buckets *= 2;
    grid t = {carom_allocate((int64_t)buckets, sizeof *t.head), carom_allocate(mesh->node_count, sizeof *t.link), buckets - 1};
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
        // An unused node far outside is at no place of the mesh, and would overflow the integers that number the cells.
        if (is_far(mesh->nodes[k], low, high, tolerance))
            continue;
        int found = find_first(&t, mesh, mesh->nodes[k], low, tolerance);
        if (found >= 0) {
            t.link[k] = ~found;
            continue;
        }
        int64_t cube[3];
        for (int i = 0; i < 3; i++)
            cube[i] = (int64_t)floor((mesh->nodes[k][i] - low[i]) / (4 * tolerance));
        // A chain ends at a node that points to itself, since -1 would be taken for the twin of node 0.
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
