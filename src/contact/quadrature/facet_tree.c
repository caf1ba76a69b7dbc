// SPDX-License-Identifier: MIT
// Finds the facets of one body that are near each other and face each other (facet_tree.h). Each body has a binary tree, which
// is built once by halving the facets along their longest extent. Boxes and cones are fitted at each search, from the leaves
// up. Two branches are skipped if the distance of their boxes exceeds the reach, or if the largest angle between their normals
// is below that at which facets face each other: then no facet of one branch faces a facet of the other.
#include "contact/quadrature/facet_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/sort.h"
#include "math/vec3.h"

enum {
    LEAF = 4,              // facets that are compared one by one
    PARALLEL_FACETS = 512, // below, starting threads costs more than it saves: a cone takes half a microsecond
};

bool carom_facet_pairs_add(carom_facet_pairs *pairs, int slave, int master) {
    return carom_append(&pairs->items, &pairs->count, &pairs->capacity, (int[]){slave, master}, sizeof *pairs->items);
}

// Sum of the corners along an axis, over their number.
static double middle(const carom_facets *facets, int f, const double (*X)[3], int axis) {
    double sum = 0;
    for (int a = 0; a < facets->corners[f]; a++)
        sum += X[facets->nodes[f][a]][axis];
    return sum / facets->corners[f];
}

// Arranges the facets from begin to before end, and makes their branches.
static void arrange(carom_facet_tree *tree, const double (*X)[3], int begin, int end, carom_located *sorted) {
    carom_facet_branch *branch = &tree->branches[tree->branch_count++];
    *branch = (carom_facet_branch){.begin = begin, .end = end};
    if (end - begin <= LEAF)
        return;
    int longest = 0;
    double length = -1;
    for (int i = 0; i < 3; i++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int k = begin; k < end; k++) {
            double at = middle(tree->facets, tree->order[k], X, i);
            low = fmin(low, at);
            high = fmax(high, at);
        }
        if (high - low > length) {
            length = high - low;
            longest = i;
        }
    }
    for (int k = begin; k < end; k++)
        sorted[k] = (carom_located){middle(tree->facets, tree->order[k], X, longest), tree->order[k]};
    carom_sort_located(sorted + begin, end - begin);
    for (int k = begin; k < end; k++)
        tree->order[k] = sorted[k].item;
    int half = begin + (end - begin) / 2;
    arrange(tree, X, begin, half, sorted);
    branch->second = tree->branch_count;
    arrange(tree, X, half, end, sorted);
}

carom_status carom_facet_tree_create(const carom_facets *facets, const carom_exclusions *exclusions, const double (*X)[3],
                                     carom_facet_tree *tree, carom_error *error) {
    *tree = (carom_facet_tree){.facets = facets};
    carom_located *sorted = carom_allocate(facets->count, sizeof *sorted);
    tree->order = carom_allocate(facets->count, sizeof *tree->order);
    tree->cones = carom_allocate(facets->count, sizeof *tree->cones);
    // halving down to at least one facet: fewer branches than twice the facets
    tree->branches = carom_allocate((int64_t)2 * facets->count, sizeof *tree->branches);
    tree->roots = carom_allocate(facets->surface.body_count, sizeof *tree->roots);
    bool ready = sorted && tree->order && tree->cones && tree->branches && tree->roots;
    // the facets of a body are consecutive
    for (int f = 0, end; ready && f < facets->count; f = end) {
        for (end = f; end < facets->count && facets->body[end] == facets->body[f]; end++)
            ;
        if (carom_exclusions_between(exclusions, facets->body[f], facets->body[f]))
            continue;
        int begin = tree->count;
        for (int k = f; k < end; k++)
            tree->order[tree->count++] = k;
        tree->roots[tree->root_count++] = tree->branch_count;
        arrange(tree, X, begin, tree->count, sorted);
    }
    free(sorted);
    return ready ? CAROM_OK : carom_no_memory(error, "contact");
}

void carom_facet_tree_release(carom_facet_tree *tree) {
    free(tree->order);
    free(tree->cones);
    free(tree->branches);
    free(tree->roots);
    *tree = (carom_facet_tree){0};
}

static void clear_box(double low[3], double high[3]) {
    for (int i = 0; i < 3; i++) {
        low[i] = HUGE_VAL;
        high[i] = -HUGE_VAL;
    }
}

static void extend_box(const double from[3], const double to[3], double low[3], double high[3]) {
    for (int i = 0; i < 3; i++) {
        low[i] = from[i] < low[i] ? from[i] : low[i];
        high[i] = to[i] > high[i] ? to[i] : high[i];
    }
}

static void fit_leaf(const carom_facet_tree *tree, const double (*x)[3], carom_facet_branch *leaf) {
    const carom_facets *facets = tree->facets;
    for (int k = leaf->begin; k < leaf->end; k++) {
        int f = tree->order[k];
        for (int a = 0; a < facets->corners[f]; a++)
            extend_box(x[facets->nodes[f][a]], x[facets->nodes[f][a]], leaf->low, leaf->high);
        leaf->cone = k == leaf->begin ? tree->cones[k] : carom_facet_cones_unite(&leaf->cone, &tree->cones[k]);
    }
}

// Fits all boxes and cones; children have larger indices than their branch. False if a position is not finite.
static bool fit(carom_facet_tree *tree, const double (*x)[3], double motion) {
    double spoilt = 0;
#pragma omp parallel for schedule(static) if (tree->count > PARALLEL_FACETS) reduction(+ : spoilt)
    for (int k = 0; k < tree->count; k++) {
        int f = tree->order[k];
        tree->cones[k] = carom_facet_cone_of(tree->facets, f, x, motion);
        // zero times what is not finite is NaN
        for (int a = 0; a < tree->facets->corners[f]; a++)
            for (int i = 0; i < 3; i++)
                spoilt += 0 * x[tree->facets->nodes[f][a]][i];
    }
    if (spoilt != 0)
        return false;
    for (int b = tree->branch_count - 1; b >= 0; b--) {
        carom_facet_branch *branch = &tree->branches[b];
        clear_box(branch->low, branch->high);
        if (!branch->second) {
            fit_leaf(tree, x, branch);
            continue;
        }
        const carom_facet_branch *first = branch + 1, *second = &tree->branches[branch->second];
        extend_box(first->low, first->high, branch->low, branch->high);
        extend_box(second->low, second->high, branch->low, branch->high);
        branch->cone = carom_facet_cones_unite(&first->cone, &second->cone);
    }
    return true;
}

// A search and its findings.
typedef struct query {
    const carom_facet_tree *tree;
    double reach, facing; // facing: the least angle between normals that face each other
    carom_facet_pairs *pairs;
    bool failed;
} query;

static bool share_a_node(const carom_facets *facets, int f, int g) {
    for (int i = 0; i < facets->corners[f]; i++)
        for (int j = 0; j < facets->corners[g]; j++)
            if (facets->nodes[f][i] == facets->nodes[g][j])
                return true;
    return false;
}

static bool are_far(const query *q, const carom_facet_branch *a, const carom_facet_branch *b) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double gap = fmax(fmax(a->low[i] - b->high[i], b->low[i] - a->high[i]), 0);
        sum += gap * gap;
    }
    return sqrt(sum) > q->reach * (1 + 1e-9);
}

static void compare_leaves(query *q, const carom_facet_branch *a, const carom_facet_branch *b) {
    const carom_facet_tree *tree = q->tree;
    for (int i = a->begin; i < a->end; i++)
        for (int j = a == b ? i + 1 : b->begin; j < b->end; j++) {
            int f = tree->order[i], g = tree->order[j];
            if (carom_facet_cones_angle(&tree->cones[i], &tree->cones[j]) < q->facing || share_a_node(tree->facets, f, g))
                continue;
            q->failed = q->failed || !carom_facet_pairs_add(q->pairs, f, g) || !carom_facet_pairs_add(q->pairs, g, f);
        }
}

// Compares two branches, or the facets of one with each other.
static void descend(query *q, const carom_facet_branch *a, const carom_facet_branch *b) {
    const carom_facet_branch *all = q->tree->branches;
    if (q->failed || are_far(q, a, b) || carom_facet_cones_angle(&a->cone, &b->cone) < q->facing)
        return;
    if (a == b && a->second) {
        descend(q, a + 1, a + 1);
        descend(q, &all[a->second], &all[a->second]);
        descend(q, a + 1, &all[a->second]);
    } else if (!a->second && !b->second) {
        compare_leaves(q, a, b);
    } else if (!b->second || (a->second && a->end - a->begin >= b->end - b->begin)) {
        descend(q, a + 1, b);
        descend(q, &all[a->second], b);
    } else {
        descend(q, a, b + 1);
        descend(q, a, &all[b->second]);
    }
}

carom_status carom_facet_tree_search(carom_facet_tree *tree, const double (*x)[3], double reach, double cosine, double motion,
                                     carom_facet_pairs *pairs, carom_error *error) {
    if (!fit(tree, x, motion))
        return carom_fail(error, CAROM_NUMERICAL, "a position is not finite");
    query q = {tree, reach, carom_facing_angle(cosine), pairs, false};
    for (int r = 0; r < tree->root_count; r++)
        descend(&q, &tree->branches[tree->roots[r]], &tree->branches[tree->roots[r]]);
    return q.failed ? carom_no_memory(error, "contact") : CAROM_OK;
}
