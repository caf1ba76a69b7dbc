// SPDX-License-Identifier: MIT
// Orders the nodes of a mesh such that the elimination of their unknowns adds few entries to the matrix (order.h), by nested
// dissection: A. George, SIAM J. Numer. Anal. 10 (1973) 345-363. A set of nodes is divided into two halves across the longest
// side of its bounding box. The nodes of one half that are coupled with the other half are the separator, which comes last in
// the order. The rest of each half is then ordered recursively.
//
// The separator of a three-dimensional mesh of n nodes has about n^(2/3) nodes. The elimination then costs about n^2
// operations, which is optimal up to a constant factor.
#include "solver/order.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/sort.h"

// Sets of at most this many nodes are not divided further.
enum { LEAF_NODES = 6 };

typedef struct dissection {
    const int64_t *first;
    const int *neighbour;
    const double (*x)[3];
    int *side;             // per node: the number of the part it is in
    int parts;             // numbers given so far
    carom_located *sorted; // scratch
    int *scratch;
} dissection;

static int longest_side(const dissection *d, const int *nodes, int count) {
    int longest = 0;
    double length = -1;
    for (int i = 0; i < 3; i++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int k = 0; k < count; k++) {
            low = fmin(low, d->x[nodes[k]][i]);
            high = fmax(high, d->x[nodes[k]][i]);
        }
        if (high - low > length) {
            length = high - low;
            longest = i;
        }
    }
    return longest;
}

static bool touches(const dissection *d, int node, int part) {
    for (int64_t i = d->first[node]; i < d->first[node + 1]; i++)
        if (d->side[d->neighbour[i]] == part)
            return true;
    return false;
}

// Orders `nodes` in place.
static void dissect(dissection *d, int *nodes, int count) {
    if (count <= LEAF_NODES)
        return;
    // Cutting across the longest side keeps the halves compact and the separator, a cross-section of the box, small.
    int axis = longest_side(d, nodes, count), half = count / 2;
    for (int k = 0; k < count; k++)
        d->sorted[k] = (carom_located){d->x[nodes[k]][axis], nodes[k]};
    carom_sort_located(d->sorted, count);
    // nodes in one plane stay on one side, unless that leaves a side empty
    int cut = half;
    while (cut < count && d->sorted[cut].at == d->sorted[cut - 1].at)
        cut++;
    if (cut == count)
        cut = half;
    int low = ++d->parts, high = ++d->parts;
    // Each part gets a number that is never used again. A neighbour from outside of `nodes` therefore belongs to neither half
    // and does not make a node part of the separator.
    for (int k = 0; k < count; k++)
        d->side[d->sorted[k].item] = k < cut ? low : high;

    // the separator is the smaller of the two rims, that is of the nodes of a half that are coupled with the other half
    int rim[2] = {0, 0};
    for (int k = 0; k < count; k++)
        rim[k >= cut] += touches(d, d->sorted[k].item, k < cut ? high : low);
    bool of_high = rim[1] <= rim[0];
    int below = 0, above = 0, separating = 0, lows = of_high ? cut : cut - rim[0],
        highs = of_high ? count - cut - rim[1] : count - cut;
    for (int k = 0; k < count; k++) {
        int node = d->sorted[k].item;
        bool is_high = k >= cut;
        d->scratch[k] = is_high == of_high && touches(d, node, is_high ? low : high);
    }
    // The separator is eliminated last, after both halves, and is not divided further.
    for (int k = 0; k < count; k++) {
        int node = d->sorted[k].item;
        if (d->scratch[k])
            nodes[lows + highs + separating++] = node;
        else if (k < cut)
            nodes[below++] = node;
        else
            nodes[lows + above++] = node;
    }
    // Both halves hold fewer nodes than `nodes`, since the cut leaves neither side empty: the recursion ends.
    dissect(d, nodes, lows);
    dissect(d, nodes + lows, highs);
}

bool carom_order_by_place(int count, const int64_t *first, const int *neighbour, const double (*x)[3], int *order) {
    dissection d = {
        .first = first,
        .neighbour = neighbour,
        .x = x,
        .side = carom_allocate(count, sizeof *d.side),
        .sorted = carom_allocate(count, sizeof *d.sorted),
        .scratch = carom_allocate(count, sizeof *d.scratch),
    };
    bool ready = d.side && d.sorted && d.scratch;
    for (int k = 0; k < count; k++)
        order[k] = k;
    if (ready)
        dissect(&d, order, count);
    free(d.side);
    free(d.sorted);
    free(d.scratch);
    return ready;
}
