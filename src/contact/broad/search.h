// SPDX-License-Identifier: MIT
// The search for pairs of features that are near each other: from pairs of faces whose boxes overlap to what these faces own.
#ifndef CAROM_CONTACT_BROAD_SEARCH_H
#define CAROM_CONTACT_BROAD_SEARCH_H

#include "contact/broad/tree.h"

// Pairs within bodies, or between them.
enum { CAROM_BROAD_WITHIN, CAROM_BROAD_BETWEEN, CAROM_BROAD_SHARES };

// A pair that was found, and its distance then, at least.
typedef struct carom_near_pair {
    int feature[2]; // node and face, or edge and edge (the smaller number first)
    float gap;
    int bodies; // number of its pair of bodies; 0 if none were asked for
} carom_near_pair;

// A growing list of them; start from {0}, free `items`.
typedef struct carom_near_pairs {
    int64_t count, capacity;
    carom_near_pair *items;
} carom_near_pairs;

// What was found within bodies, or between them; start from {0}.
typedef struct carom_broad_share {
    int64_t searches; // how often
    double rounding;  // of the gaps, at most
    carom_near_pairs node_parts[CAROM_TREE_PARTS], edge_parts[CAROM_TREE_PARTS];
} carom_broad_share;

void carom_share_release(carom_broad_share *share);

// Forgets the pairs of some pairs of bodies, by number (NULL: of all).
void carom_share_drop(carom_broad_share *share, const bool *bodies);

// Adds all pairs without a common node that come within `reach` of each other while nodes go straight from x to x1 (the same array: while they
// stay). If pairs of bodies are asked for, these only, and each within its own reach. For the scope and the exclusions see
// carom_tree_query.
carom_status carom_share_search(carom_broad_share *share, carom_tree *tree, const carom_exclusions *exclusions,
                                carom_tree_scope scope, const carom_body_pairs *asked, const double (*x)[3],
                                const double (*x1)[3], double reach, carom_error *error);

// Sorts the pairs of all shares by their first feature, then by the second: all node pairs or all edge pairs, into `out`. There is room in `out` and
// `space` for all of them, in `buckets` for one more than there are nodes, faces and edges.
void carom_shares_sort(const carom_broad_share shares[CAROM_BROAD_SHARES], const carom_surface *surface, bool edges,
                       int *buckets, carom_near_pair *space, carom_near_pair *out);

#endif
