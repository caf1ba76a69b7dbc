// SPDX-License-Identifier: MIT
// Assigns the nodes of a model to processes by recursive coordinate bisection (M. J. Berger, S. H. Bokhari, IEEE Transactions
// on Computers C-36, 1987). A set of nodes is divided across the longest side of its box into two sets with weights
// proportional to the numbers of their processes, until one process is left for each. Weights are integers: their sums do not
// depend on order, and all processes find the same owners. A body that is small compared with the weight per process is treated
// as a point with the weight of all its nodes: dividing it would cost more than it balances.
#include "model/parts/owners.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "model/model.h"

// A body is not divided if its weight is at most the weight per process divided by this.
enum { SMALL_SHARE = 8 };

// A node, or the nodes of a small body.
typedef struct unit {
    double centre[3];
    int64_t weight;
    int begin, end; // nodes
} unit;

// Adds the body of nodes [begin, end) as one unit, or each of its nodes as one.
static int add_units(const carom_model *model, const int64_t *weight, int begin, int end, int64_t most, unit *units) {
    unit whole = {.begin = begin, .end = end};
    for (int k = begin; k < end; k++) {
        whole.weight += weight[k];
        for (int i = 0; i < 3; i++)
            whole.centre[i] += model->X[k][i] / (end - begin);
    }
    if (whole.weight <= most) {
        units[0] = whole;
        return 1;
    }
    for (int k = begin; k < end; k++)
        units[k - begin] = (unit){{model->X[k][0], model->X[k][1], model->X[k][2]}, weight[k], k, k + 1};
    return end - begin;
}

static int longest_side(const unit *units, int count) {
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int u = 0; u < count; u++)
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], units[u].centre[i]);
            high[i] = fmax(high[i], units[u].centre[i]);
        }
    int axis = 0;
    for (int i = 1; i < 3; i++)
        if (high[i] - low[i] > high[axis] - low[axis])
            axis = i;
    return axis;
}

static int compare(const unit *a, const unit *b, int axis) {
    double p = a->centre[axis], q = b->centre[axis];
    // Units in one plane keep the order of their nodes.
    return p < q ? -1 : p > q ? 1 : (a->begin > b->begin) - (a->begin < b->begin);
}

static int compare_x(const void *a, const void *b) {
    return compare(a, b, 0);
}

static int compare_y(const void *a, const void *b) {
    return compare(a, b, 1);
}

static int compare_z(const void *a, const void *b) {
    return compare(a, b, 2);
}

// Distributes units to processes first ... first + parts - 1.
static void divide(unit *units, int count, int first, int parts, int *owner) {
    if (parts == 1 || count == 0) {
        for (int u = 0; u < count; u++)
            for (int k = units[u].begin; k < units[u].end; k++)
                owner[k] = first;
        return;
    }
    static int (*const orders[3])(const void *, const void *) = {compare_x, compare_y, compare_z};
    qsort(units, (size_t)count, sizeof *units, orders[longest_side(units, count)]);
    int64_t whole = 0, part = 0;
    for (int u = 0; u < count; u++)
        whole += units[u].weight;
    // A unit goes to the side to which more than half of its weight belongs.
    int left = parts / 2, middle = 0;
    int64_t share = whole / parts * left + whole % parts * left / parts;
    while (middle < count && part + units[middle].weight / 2 < share)
        part += units[middle++].weight;
    // No process is left without nodes as long as there are enough units.
    if (count >= parts && middle < left)
        middle = left;
    if (count >= parts && count - middle < parts - left)
        middle = count - (parts - left);
    divide(units, middle, first, left, owner);
    divide(units + middle, count - middle, first + left, parts - left, owner);
}

carom_status carom_partition_bisect(const carom_model *model, const int64_t *weight, int parts, int *owner,
                                    carom_error *error) {
    unit *units = carom_allocate((size_t)model->node_count, sizeof *units);
    if (!units)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory to share %d nodes among processes", model->node_count);
    int64_t whole = 0;
    for (int k = 0; k < model->node_count; k++)
        whole += weight[k];
    int count = 0;
    for (int b = 0; b < model->body_count; b++) {
        int begin = model->bodies[b].node_begin;
        count +=
            add_units(model, weight, begin, begin + model->bodies[b].node_count, whole / parts / SMALL_SHARE, units + count);
    }
    divide(units, count, 0, parts, owner);
    free(units);
    return CAROM_OK;
}
