// SPDX-License-Identifier: MIT
// The search for pairs of features (node and face, two edges) that are near each other: from pairs of faces with overlapping
// boxes to the features that these faces own. A term is the set of pairs within one body or between two (list.h).
#ifndef CAROM_CONTACT_BROAD_SEARCH_H
#define CAROM_CONTACT_BROAD_SEARCH_H

#include "contact/broad/tree.h"

// The two shares: pairs within bodies, and pairs between bodies.
enum { CAROM_BROAD_WITHIN, CAROM_BROAD_BETWEEN, CAROM_BROAD_SHARES };

// A pair that was found, with a lower bound of its distance.
typedef struct carom_near_pair {
    int feature[2]; // node and face, or edge and edge (the smaller number first)
    float gap;
    int bodies; // number of its term; 0 if the search was not limited to pairs of bodies
} carom_near_pair;

// A growing list of such pairs; start from {0}, free `items`.
typedef struct carom_near_pairs {
    int64_t count, capacity;
    carom_near_pair *items;
} carom_near_pairs;

// The pairs within bodies, or between them; start from {0}.
typedef struct carom_broad_share {
    int64_t searches; // number of searches
    double rounding;  // largest rounding error of the gaps
    carom_near_pairs node_parts[CAROM_TREE_PARTS], edge_parts[CAROM_TREE_PARTS];
} carom_broad_share;

void carom_share_release(carom_broad_share *share);

// Removes the pairs of some terms, by number (NULL: all).
void carom_share_drop(carom_broad_share *share, const bool *bodies);

// Adds all pairs without a common node that come within `reach` of each other while nodes move straight
// from x to x1 (the same array: at rest). If `asked` is not NULL, only its pairs of bodies, each within its own
// reach. Scope and exclusions as in carom_tree_query.
carom_status carom_share_search(carom_broad_share *share, carom_tree *tree, const carom_exclusions *exclusions,
                                carom_tree_scope scope, const carom_body_pairs *asked, const double (*x)[3],
                                const double (*x1)[3], double reach, carom_error *error);

// Sorts the node pairs or the edge pairs of all shares by their first feature, then by the second, into `out`, an array of
// at least this many pairs. `buckets` is scratch with one entry more than there are nodes or edges.
void carom_shares_sort(const carom_broad_share shares[CAROM_BROAD_SHARES], const carom_surface *surface, bool edges,
                       int *buckets, carom_near_pair *out);

#endif
