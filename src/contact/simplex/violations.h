// SPDX-License-Identifier: MIT
// Which pairs of simplices a trial configuration violates, given the admissible one that it started from.
//
// A node that ends inside another body, or that passes through it, is paired with one face of it; two edges that end crossed, or pass through each other,
// are a pair where no node explains it. At a convex corner the admissible set is the union of two half spaces: therefore a node gets one face of a body at a
// time, and a second one only if it is still inside when the first one is obeyed. What touches and does not go in is not violated.
//
// In space surfaces keep a clearance of 1e-8 of their shortest side. So it is known at the start of each step along which axis two triangles are apart, and to which pair
// of simplices that belongs; any two that are nearer at the end than three quarters of the clearance lead to a pair, whatever their nodes and edges do. In the plane
// there is none: nodes tell all.
#ifndef CAROM_CONTACT_SIMPLEX_VIOLATIONS_H
#define CAROM_CONTACT_SIMPLEX_VIOLATIONS_H

#include "contact/broad/list.h"
#include "contact/response.h"
#include "contact/simplex/simplex.h"

// With which face of a body a node is paired.
typedef enum carom_violation_rule {
    CAROM_OVERLAP_CROSSED, // the closest one of those that it was in front of at x0; the first one that its straight way crosses if it has passed through the body
    CAROM_OVERLAP_CLOSEST, // the closest one of the body that it ends inside
} carom_violation_rule;

// A set of pairs that grows within a step. Start from {0}.
typedef struct carom_violation_set {
    int count;
    int64_t capacity;
    carom_simplex *items;
    int *slots; // a hash table: number of an item plus one, 0: empty
    int64_t slot_count;
} carom_violation_set;

void carom_violation_set_release(carom_violation_set *set);
void carom_violation_set_clear(carom_violation_set *set);

// The number of the pair of that kind between those nodes; -1 if it is not there.
int carom_violation_set_find(const carom_violation_set *set, const carom_simplex *pair);

// Adds a pair that is not there yet; false if memory is short.
bool carom_violation_set_add(carom_violation_set *set, const carom_simplex *pair);

// All pointers are kept by reference, and may be NULL where nothing is meant.
typedef struct carom_violations_def {
    int node_count;
    const carom_surface *surface;       // NULL or without faces: none
    const carom_exclusions *exclusions; // who passes whom, and who does not touch itself
    const carom_candidates *candidates; // planes, and ends on lines
    const bool *held;                   // per body: two such bodies do not matter
    int isolated_count;                 // nodes without faces that touch surfaces: point masses
    const int *isolated, *isolated_body;
    carom_violation_rule rule;
    double thickness; // distance that surfaces of different bodies keep
    bool soft;        // configurations that a step starts from may overlap
    const double (*X)[3];
} carom_violations_def;

// Start from {0}.
typedef struct carom_violations {
    carom_violations_def def;
    double length; // shortest side at X
    double reach;  // what comes as near as that on its way is listed
    carom_broad broad;
    bool listed;
    double (*place)[2][3]; // per node: start and end of the way that was listed
    int *busy;             // per node: the last look in which it was violated
    double (*push)[3];     // per node: the normal of the face that it was violated against then
    int *taken;            // per edge: the last look in which it was paired
    int look;
    int *group; // faces near a node
    int64_t group_capacity;
    struct carom_violation_finding *findings; // of nodes, in one look
    int64_t finding_capacity;
    struct carom_violation_finding *meetings; // of faces, in one look
    int64_t meeting_capacity;
    struct carom_crossing *crossings; // of edges, in one look
    int64_t crossing_capacity;
    carom_tree tree; // at one configuration
} carom_violations;

carom_status carom_violations_create(const carom_violations_def *def, carom_violations *overlaps, carom_error *error);
void carom_violations_release(carom_violations *overlaps);

// Adds the pairs that the straight way from x0 to x1 violates and that the set does not hold. *added says how many. *ambiguous counts the nodes among them with two
// faces that are equally good. The result depends on the two configurations and on the set alone.
carom_status carom_violations_add(carom_violations *overlaps, const double (*x0)[3], const double (*x1)[3],
                                  carom_violation_set *set, int *added, int *ambiguous, carom_error *error);

// Whether surfaces came near each other on the last way that was looked at, or point masses may have; if not, none of them overlap at its end that did not before.
bool carom_violations_any_near(const carom_violations *overlaps);

// What overlaps most in a configuration, by itself: no way and no set is known here.
typedef struct carom_violation_worst {
    double depth; // length: the shortest way that takes two faces apart, or a node away from a plane, a face or the other end
    double relative; // the same in units of the smaller face, the root of twice its area (of the length of a segment)
    int body[2];     // those of the largest depth, planes as -1 - p; -1, -1 if there is none
} carom_violation_worst;

// Looks at all faces that may touch, planes and ends, and point masses. A body that is inside another as a whole is not seen, since their faces are apart.
carom_status carom_violations_worst(carom_violations *overlaps, const double (*x)[3], carom_violation_worst *worst,
                                    carom_error *error);

#endif
