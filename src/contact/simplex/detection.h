// SPDX-License-Identifier: MIT
// One detection: the motion from an admissible configuration x0 to a trial configuration x1 is checked for violations.
// Shared by detection.c, node.c, select.c, edge.c, faces.c, worst.c and violations.c.
//
// Each check produces findings. A finding is supported if the body of its node lies, all around that node, on the outer
// side of a plane parallel to the face: the plane supports the body there, and this node penetrates first. Supported
// findings are paired first. A paired node is marked; findings near it count as explained and are deferred to the next
// detection.
#ifndef CAROM_CONTACT_SIMPLEX_DETECTION_H
#define CAROM_CONTACT_SIMPLEX_DETECTION_H

#include "contact/narrow/narrow.h"
#include "contact/simplex/closest.h"
#include "contact/simplex/violations.h"

// A violated pair, before it is decided whether it joins the set now.
typedef struct carom_violation_finding {
    carom_simplex pair;
    double depth;   // below the gap to be kept
    bool inside;    // the node ends inside; false: it has passed through
    bool supported; // see above
    bool ambiguous; // another face is equally good
} carom_violation_finding;

// Two edges in violation.
typedef struct carom_crossing {
    double time; // of impact; 2, after all impacts, if only x1 is violated
    double depth;
    int edge[2], sign;
    double thickness;
} carom_crossing;

enum {
    // Portions of a check. Each is processed by one thread; concatenated in order they give the list of one thread. More
    // portions than threads, because few of them contain nodes in contact, which cost the most.
    CAROM_VIOLATION_PARTS = 64,
    // Pairs up to which a check stays on one thread: they take about 50 microseconds (0.1 to 0.3 each), starting threads about
    // 10.
    CAROM_VIOLATION_SHARED = 256
};

// Results of a portion, and its scratch memory; start from {0}. Arrays are kept between checks.
typedef struct carom_violation_part {
    carom_violation_finding *findings;
    int64_t finding_count, finding_capacity;
    carom_crossing *crossings;
    int64_t crossing_count, crossing_capacity;
    int (*close)[2]; // faces nearer than the clearance
    int64_t close_count, close_capacity;
    int *nearby; // scratch: faces near a node
    int64_t nearby_capacity;
    carom_closest *ends; // scratch: the node relative to each of them at x1
    int64_t end_capacity;
    bool failed; // memory is short
} carom_violation_part;

void carom_violation_part_release(carom_violation_part *part);

// The number of portions for `count` pairs, and the first pair of portion p: it ends where the next one begins.
int carom_violation_part_count(int64_t count);
static inline int64_t carom_violation_part_begin(int64_t count, int parts, int p) {
    return count * p / parts;
}

typedef struct carom_detection {
    carom_violations *violations;
    const carom_surface *surface;
    carom_motion motion;
    double tolerance; // depths up to this are zero
    double touching;  // nodes and faces that start nearer than this touch at x0; larger than the tolerance
    double min_gap;   // gap that faces with two sides keep, so that the side of a node is known at the start of a step
    double clearance; // the same for all surfaces in space; 0 in the plane
    carom_violation_set *set;
    int finding_count;    // of nodes, of all portions
    int added, ambiguous; // pairs, and those of them with an equivalent choice
    bool failed;          // memory is short
} carom_detection;

// The pair of a candidate contact with a plane, or of two ends on a line.
carom_simplex carom_simplex_of_candidate(const carom_contact *contact);

// True if both bodies (planes: negative) are immovable.
bool carom_violations_are_immovable(const carom_violations_def *def, int a, int b);

// True if both sides of the faces of a body are outside: an open surface, or a closed shell, which may contain bodies and is
// touched by them, and by itself, from within. A penalty and the rule CLOSEST push out of the inside of any closed surface.
bool carom_violations_two_sided(const carom_violations_def *def, int body);

// Finds the faces whose boxes in a tree meet the box of the path of a point mass, enlarged by `margin`. They are stored in
// part->nearby in ascending order. Returns their number, or -1 if memory is short.
int carom_violations_gather_faces(const carom_violations *violations, const carom_tree *tree, const carom_motion *motion,
                                  int node, int body, double margin, carom_violation_part *part);

// Empties the portions of a check.
void carom_detection_start_parts(carom_detection *d, int parts);

// Joins the findings of the portions, in their order; returns their number. d->failed if memory is short.
int carom_detection_join_findings(carom_detection *d, int parts, carom_violation_finding **findings, int64_t *capacity);

// Adds a pair unless the set contains it; true if it is new.
bool carom_detection_add(carom_detection *d, const carom_simplex *pair);

// True if a pair violated by `depth` defers other findings near it: it is new, or its constraint is not satisfied yet.
bool carom_detection_blocks(const carom_detection *d, bool added, double depth);

// Accuracy of positions: a few units in the last place of the largest coordinate.
double carom_violations_rounding(const carom_surface *surface, const double (*x)[3]);

// The gap that two bodies keep at a face or an edge of the second. In space, and at faces with two sides, it is never zero,
// so that the side of each node remains known.
double carom_detection_thickness(const carom_detection *d, int a, int b);

// The gap that a pair must keep if it starts with the gap `start`: not more than that, so that no pair is separated.
double carom_detection_kept_gap(const carom_detection *d, double thickness, double start);

// Checks a node against the faces part->nearby of other bodies (or of its own), which are sorted by body; adds findings to
// the part.
void carom_detection_check_node(const carom_detection *d, carom_violation_part *part, int node, int body, int count);

// Adds findings of nodes to the set: the supported ones, or, after the edges, the others that are not explained.
void carom_detection_select(carom_detection *d, bool supported);

// Checks edges that have passed through each other, or that end nearer than they may.
void carom_detection_check_edges(carom_detection *d);

// Checks faces that intersect at x1, or are too near, without any violated node among theirs.
void carom_detection_check_faces(carom_detection *d);

// The depth of a point inside a closed body at time t; 0 if it is outside.
double carom_detection_depth_inside(const carom_detection *d, double t, const double point[3], int body);

// Time of impact of moving features, the nodes in the order of narrow.h; HUGE_VAL if they do not meet.
double carom_detection_hit_time(const carom_detection *d, carom_narrow_kind kind, const int nodes[4]);

// True if the plane of a face supports the body of a node at x1: the faces around the node lie on its outer side. Always
// true for a node without faces.
bool carom_detection_supports_node(const carom_detection *d, int node, int face);

// True if the plane parallel to two edges separates their faces at x1. `nodes` are those of the edges; sign as in
// carom_simplex.
bool carom_detection_separates_edges(const carom_detection *d, const int edge[2], const int nodes[4], int sign);

// The length of the shortest translation that separates two triangles; minus their distance along the best axis if they are
// disjoint, or any value below `enough`.
double carom_triangles_depth(const double a[3][3], const double b[3][3], double enough);

// True if two faces have a common node.
static inline bool carom_faces_share_a_node(const int f[3], const int g[3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (f[i] == g[j])
                return true;
    return false;
}

#endif
