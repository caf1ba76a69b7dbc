// SPDX-License-Identifier: MIT
// The facets of bodies that can touch themselves, in a tree of boxes and normal cones: finds facets of one body that are near
// each other and face each other. Neighbours in a surface are always near; a cone contains the normals of all facets of a
// branch, so that large smooth regions of a surface are skipped at once.
#ifndef CAROM_CONTACT_QUADRATURE_FACET_TREE_H
#define CAROM_CONTACT_QUADRATURE_FACET_TREE_H

#include "contact/exclusions.h"
#include "contact/quadrature/normal_cones.h"

// Pairs of facets, slave and master.
typedef struct carom_facet_pairs {
    int (*items)[2];
    int64_t count, capacity;
} carom_facet_pairs;

// Appends a pair; false if memory is short.
bool carom_facet_pairs_add(carom_facet_pairs *pairs, int slave, int master);

// A branch: the facets order[begin] to order[end - 1]. Its first half is the next element of the array, `second` is the index
// of the other half; 0: a leaf.
typedef struct carom_facet_branch {
    int begin, end, second;
    double low[3], high[3]; // box
    carom_facet_cone cone;
} carom_facet_branch;

// Start from {0}. The facets are kept by reference.
typedef struct carom_facet_tree {
    const carom_facets *facets;
    int count, *order;
    int branch_count;
    carom_facet_branch *branches;
    int root_count, *roots;  // one per body
    carom_facet_cone *cones; // per place in the order
} carom_facet_tree;

// The tree of all bodies that are not excluded from contact with themselves, arranged by the positions X.
carom_status carom_facet_tree_create(const carom_facets *facets, const carom_exclusions *exclusions, const double (*X)[3],
                                     carom_facet_tree *tree, carom_error *error);
void carom_facet_tree_release(carom_facet_tree *tree);

// Adds to `pairs`, in both orders, all facets of one body without a common node that are within `reach` at the positions x and
// for which carom_facet_cannot_face (cosine, motion) is false; and some more. CAROM_NUMERICAL if a position is not finite.
carom_status carom_facet_tree_search(carom_facet_tree *tree, const double (*x)[3], double reach, double cosine, double motion,
                                     carom_facet_pairs *pairs, carom_error *error);

#endif
