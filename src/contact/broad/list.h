// SPDX-License-Identifier: MIT
// The pairs of features that may touch: node against face, edge against edge; in the plane node against segment.
//
// Near pairs are searched with a margin, and what is found serves as long as near nodes have not moved against each other farther than that,
// so most steps search nothing. Pairs within each body and between each two bodies are searched when they need it, apart from the
// others. Of what was found the list of a step holds the pairs that can touch in it: how far they were apart is known, and where
// their nodes go. Pairs are ordered by kind and by the numbers of their features. What touches is in the list whatever the margin, and in
// the same order. Memory grows as the surface and the pairs, and is kept from list to list.
#ifndef CAROM_CONTACT_BROAD_LIST_H
#define CAROM_CONTACT_BROAD_LIST_H

#include "contact/broad/sweep.h"
#include "contact/broad/wear.h"

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

// Pairs within one body, or between two: how long what was found serves.
typedef struct carom_broad_term {
    double reach; // the distance up to which they were found; 0: they were not
    bool worn;    // they are to be searched
} carom_broad_term;

// Start from {0}. The surface and the exclusions (NULL: none) are kept by reference.
typedef struct carom_broad {
    const carom_surface *surface;
    const carom_exclusions *exclusions;
    carom_tree tree;
    carom_pair_list pairs; // those that may touch in this step
    carom_broad_share shares[CAROM_BROAD_SHARES];
    carom_wear *within; // per body
    carom_wear between;
    bool between_listed; // the pairs between bodies are those of a margin; false before the first search and after one by path
    carom_broad_term
        *terms;     // 0: all pairs that were found by path, 1 + b: those within body b, then those of each pair of between
    bool *dropped;  // per term
    double *limits; // per term: pairs that were farther apart cannot touch in this step
    uint64_t *keys; // of the terms that are searched, and what belongs to them
    int *numbers;
    double *reaches;
    int64_t term_capacity;
    carom_near_pair *found; // of both shares, in the order of the list; as many fit as into the list
    int found_count;
    int found_node_pairs;   // the first so many are node pairs
    carom_near_pair *space; // to sort them
    bool *meet;             // per pair found: it is in the list
    carom_sweep sweep;
    double (*ends)[3]; // per node: where it is at the end of a drift
    int *buckets;      // one more than there are nodes, faces or edges
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
