// SPDX-License-Identifier: MIT
// The pairs of features that may touch: node against face, edge against edge; in the plane node against segment.
//
// A list is made with a margin and serves as long as no node has moved farther than that from where it was, so most steps
// search nothing. Pairs are ordered by kind and by the numbers of their features: the list is a function of the positions and
// the reach alone, not of threads or of earlier searches. Memory grows as the surface and the pairs, and is kept from list to
// list.
#ifndef CAROM_CONTACT_BROAD_LIST_H
#define CAROM_CONTACT_BROAD_LIST_H

#include "contact/broad_tree.h"

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

// Start from {0}. The surface and the exclusions (NULL: none) are kept by reference.
typedef struct carom_broad {
    const carom_surface *surface;
    const carom_exclusions *exclusions;
    carom_tree tree;
    carom_pair_list pairs;
    bool listed;      // the pairs are those of a margin; false before the first list and after a search by path
    double margin;    // how far a node may go from where it was
    double thickness; // at what distance features touch
    double (*x)[3];   // per vertex: where it was
    int64_t searches; // lists made
    carom_index_pairs node_parts[CAROM_TREE_PARTS], edge_parts[CAROM_TREE_PARTS];
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
    double motion;    // no node of the surface will go farther than this from x
    double margin;    // for a new list: how far nodes may go before the next one; at least `motion` is taken
    double thickness; // pairs at this distance touch
} carom_broad_need;

// Sees to it that the list holds every pair that can come within the thickness of each other while no node goes farther than
// need->motion from x. Keeps the list if the way from the listed positions plus the motion is within its margin, and makes a
// new one of all pairs within 2 margin + thickness at x if not; `renewed` says which. Only motion of nodes against each other
// counts: a common translation of the whole surface does not wear the list.
carom_status carom_broad_update(carom_broad *broad, const double (*x)[3], carom_broad_need need, bool *renewed,
                                carom_error *error);

// How far the farthest node of the surface has gone from where it was when the list was made, apart from a common translation.
// After a step a value above broad->margin means that the list was not complete. Infinite if a position is not finite or
// nothing is listed.
double carom_broad_travel(const carom_broad *broad, const double (*x)[3]);

#endif
