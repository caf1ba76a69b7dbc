// SPDX-License-Identifier: MIT
// A hash table over the boxes of a grid, as wide as twice the tolerance: a point can only be near points of its own box and of the seven
// others that share the nearest corner.
#include "mesh/mend/weld.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"

typedef struct table {
    int *slots; // the last point of a chain, -1: none
    int *next;  // the point before it in the chain
    uint64_t mask;
    double tolerance;
} table;

// The key of the box a point is in, or of its neighbour towards the nearest corner along the axes of `side`.
static uint64_t key(const table *t, const double x[3], int side) {
    double box[3];
    for (int i = 0; i < 3; i++) {
        if (t->tolerance == 0) {
            box[i] = x[i] + 0.0;
            continue;
        }
        double place = x[i] / (2 * t->tolerance), whole = floor(place);
        box[i] = whole;
        if (side & (1 << i))
            box[i] += place - whole < 0.5 ? -1 : 1;
        box[i] += 0.0;
    }
    return carom_hash(CAROM_HASH_START, box, sizeof box) & t->mask;
}

static bool near(const double a[3], const double b[3], double tolerance) {
    for (int i = 0; i < 3; i++)
        if (!(fabs(a[i] - b[i]) <= tolerance))
            return false;
    return true;
}

// The first point that was kept and is near, or -1.
static int find(const table *t, double (*points)[3], const double x[3]) {
    int found = -1;
    for (int side = 0; side < (t->tolerance == 0 ? 1 : 8); side++)
        for (int k = t->slots[key(t, x, side)]; k >= 0; k = t->next[k])
            if (near(points[k], x, t->tolerance) && (found < 0 || k < found))
                found = k;
    return found;
}

int64_t carom_weld(double (*points)[3], int64_t count, double tolerance, int *place) {
    uint64_t size = 16;
    while (size < (uint64_t)count)
        size *= 2;
    table t = {.slots = carom_allocate((int64_t)size, sizeof(int)),
               .next = carom_allocate(count, sizeof(int)),
               .mask = size - 1,
               .tolerance = tolerance};
    int64_t kept = -1;
    if (t.slots && t.next) {
        memset(t.slots, 0xff, size * sizeof *t.slots);
        kept = 0;
        for (int64_t k = 0; k < count; k++) {
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
