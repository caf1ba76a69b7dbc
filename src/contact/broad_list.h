// SPDX-License-Identifier: MIT
// The pairs of features that may touch: node against face, edge against edge; in the plane node against segment.
//
// A list is made with a margin and serves as long as near nodes have not moved against each other farther than that, so most
// steps search nothing. Pairs within bodies and between bodies are listed apart: the first are the many and wear by deformation
// alone, the others wear by the motion of bodies. Pairs are ordered by kind and by the numbers of their features. What touches is in
// the list whatever the margin, and in the same order. Memory grows as the surface and the pairs, and is kept from list to list.
#ifndef CAROM_CONTACT_BROAD_LIST_H
#define CAROM_CONTACT_BROAD_LIST_H

#include "contact/broad_tree.h"
#include "contact/broad_wear.h"

// Start from {0}.
typedef struct carom_pair_list {
    int count;           // of all pairs
    int node_pair_count; // the first so many are a node against a face (against a segment), the others an edge against an edge
    int (*features)[2];  // node and face, or edge and edge (the smaller number first)
    int (*nodes)
        [4];    // node and corners of the face (-1 after the ends of a segment), or the ends of the one edge and of the other
    int *begin; // per node: it takes part in the pairs of_node[begin[k]] to of_node[begin[k + 1] - 1], ascending
    int *of_node;
    int64_t capacity; // in pairs
} carom_pair_list;

// Pairs within bodies, or between them.
typedef struct carom_broad_share {
    bool listed;      // the pairs are those of a margin; false before the first list and after a search by path
    double reach;     // the distance up to which they are listed
    int64_t searches; // how often
    carom_wear wear;
    carom_index_pairs node_parts[CAROM_TREE_PARTS], edge_parts[CAROM_TREE_PARTS];
} carom_broad_share;

enum { CAROM_BROAD_WITHIN, CAROM_BROAD_BETWEEN, CAROM_BROAD_SHARES };

// Start from {0}. The surface and the exclusions (NULL: none) are kept by reference.
typedef struct carom_broad {
    const carom_surface *surface;
    const carom_exclusions *exclusions;
    carom_tree tree;
    carom_pair_list pairs; // of both shares
    carom_broad_share shares[CAROM_BROAD_SHARES];
    double (*ends)[3];       // per node: where it is at the end of a drift
    carom_index_pairs space; // pairs that are being sorted
    int *buckets;            // one more than there are nodes, faces or edges
} carom_broad;

carom_status carom_broad_create(const carom_surface *surface, const carom_exclusions *exclusions, carom_broad *broad,
                                carom_error *error);
void carom_broad_release(carom_broad *broad);

// Lists all pairs without a common node, of bodies that are not excluded, that come within `reach` of each other while all
// nodes go straight from x to x1 (NULL: while they stay at x). Of a few pairs that stay a little farther apart this may not be
// certain; without motion these are within 1e-12 reach + 1e-14 of the largest coordinate, or have an ill-conditioned closest
// point. Fails with CAROM_NUMERICAL if a position of the surface is not finite; the list is then empty.
carom_status carom_broad_search(carom_broad *broad, const double (*x)[3], const double (*x1)[3], double reach,
                                carom_error *error);

// What a step needs to know.
typedef struct carom_broad_need {
    const double (*w)[3]; // nodes go straight with these velocities
    double step;          // for so long
    double allowance;     // but impacts may lead them so far away from that
    double margin; // for a new list: how far near nodes may go, each, before the next one; more is taken if the step needs it
    double thickness; // pairs at this distance touch
} carom_broad_need;

// Sees to it that the list holds every pair that can come within the thickness of each other while no node of the surface is farther
// than the allowance from its straight way. Keeps what is listed if the motion of nodes against each other allows it, and lists
// anew at x what it does not; `renewed` says whether. If a step leads bodies by more than the margin against each other, the pairs between
// them are those that meet on the way of this step, and serve it alone. Fails with CAROM_NUMERICAL if a position or a velocity of
// the surface is not finite; the list is then empty.
carom_status carom_broad_update(carom_broad *broad, const double (*x)[3], carom_broad_need need, bool *renewed,
                                carom_error *error);

#endif
