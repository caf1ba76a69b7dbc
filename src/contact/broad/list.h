// SPDX-License-Identifier: MIT
// The pairs of features (nodes, edges and faces of surfaces) that may touch in a step: node against face, edge against edge; in
// the plane node against segment.
//
// Near pairs are searched with a margin, and the result is reused until near nodes have moved relative to each other by about
// twice the margin, so most steps need no search. Pairs within each body and between each two bodies are searched
// independently, when necessary. Of the pairs found, the list of a step holds those that can touch during it, according to
// their distance at the search and the paths of their nodes. Pairs are ordered by kind and by the numbers of their features.
// Every contact is in the list whatever the margin, and always in the same order. Memory grows with the surface and the pairs,
// and is kept.
//
// Notation: `reach` is the distance up to which pairs were searched; `margin` how far each node may move before the next
// search; `wear` the relative motion since the search (list_validity.h); a `term` is the set of pairs within one body or
// between two; a `share` holds the pairs of all terms within bodies, or of all between bodies; a `part` is the portion of one
// thread.
#ifndef CAROM_CONTACT_BROAD_LIST_H
#define CAROM_CONTACT_BROAD_LIST_H

#include "contact/broad/list_validity.h"
#include "contact/broad/pair_list.h"
#include "contact/broad/sweep.h"

// Pairs within one body, or between two: how long the result of a search is valid.
typedef struct carom_broad_term {
    double reach; // distance up to which they were searched; 0: not searched yet
    bool worn;    // a new search is needed
} carom_broad_term;

// Start from {0}. The surface and the exclusions (NULL: none) are kept by reference.
typedef struct carom_broad {
    const carom_surface *surface;
    const carom_exclusions *exclusions;
    carom_tree tree;
    carom_pair_list pairs; // the pairs that may touch in this step
    carom_broad_share shares[CAROM_BROAD_SHARES];
    carom_wear *within; // per body
    carom_wear between;
    bool between_listed; // pairs between bodies were searched with a margin, not along the paths of one step
    // 0: pairs found along the paths of one step; 1 + b: pairs within body b; then one term for each pair of bodies
    carom_broad_term *terms;
    bool *dropped;  // per term: its pairs are removed before a new search
    double *limits; // per term: pairs with a larger distance at the search cannot touch in this step
    uint64_t *keys; // keys of the terms to be searched, with their numbers and reaches
    int *numbers;
    double *reaches;
    int64_t term_capacity;
    carom_near_pair *found; // of both shares, in the order of the list
    int found_count;
    int found_node_pairs; // number of node pairs, which come first
    bool *meet;           // per pair found: it is in the list
    bool listed;          // the list agrees with `meet`
    carom_sweep sweep;
    double (*ends)[3];                        // per node: position at the end of a drift
    int *buckets;                             // one more than there are nodes, faces or edges
    carom_arena *arena, *of_terms, *of_pairs; // memory of arrays per node or body, per term, and per pair
} carom_broad;

carom_status carom_broad_create(const carom_surface *surface, const carom_exclusions *exclusions, carom_broad *broad,
                                carom_error *error);
void carom_broad_release(carom_broad *broad);

// Lists all pairs without a common node, of bodies that are not excluded, that come within `reach` of each
// other while all nodes move straight from x to x1 (NULL: stay at x). A few pairs with a slightly larger distance
// may be listed too; without motion their distance exceeds reach by at most 1e-12 reach + 1e-14 of the largest
// coordinate, or their closest point is ill-conditioned. Fails with CAROM_NUMERICAL if a position of the
// surface is not finite; the list is then empty.
carom_status carom_broad_search(carom_broad *broad, const double (*x)[3], const double (*x1)[3], double reach,
                                carom_error *error);

// What a step requires of the list.
typedef struct carom_broad_need {
    const double (*w)[3]; // nodes move straight with these velocities
    double step;          // duration
    double allowance;     // distance by which impacts may divert a node from its straight path
    double margin;        // of a new search: path of each near node before the next search; increased if the step needs more
    double thickness;     // distance at which pairs touch
} carom_broad_need;

// Makes the list hold every pair that can come within the thickness of each other while no node of the
// surface deviates from its straight path by more than the allowance. Results of earlier searches are kept
// as long as the relative motion of nodes allows it; `renewed`: there was a search. If a step moves bodies
// relative to each other by more than the margin, the pairs between them are searched along the paths of
// this step, and used for this step only. Fails with CAROM_NUMERICAL if a position or velocity
// of the surface is not finite; the list is then empty.
carom_status carom_broad_update(carom_broad *broad, const double (*x)[3], carom_broad_need need, bool *renewed,
                                carom_error *error);

#endif
