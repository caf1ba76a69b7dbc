// SPDX-License-Identifier: MIT
// Finds the pairs of simplices that a trial configuration x1 violates, given the admissible configuration x0 at the start of
// the step. All nodes are assumed to move on straight lines from x0 to x1.
//
// A node that ends inside another body, or that has passed through it, is paired with one face of that body. Faces of open
// surfaces and of closed shells, which are hollow, have two sides; a node that crosses one from either side is paired with it.
// Two edges that end crossed, or that have passed through each other, become a pair if no violated node explains their
// crossing. At a convex corner the admissible set is the union of two half-spaces, not their intersection; a node is therefore
// paired with one face of a body at a time, and with a second one only if it is still inside when the first constraint is
// satisfied. Contact without penetration is not a violation.
//
// In space, surfaces keep a clearance of 1e-8 of their shortest side. At the start of each step it is then known along which
// axis two triangles are separated, and to which pair of simplices that axis belongs; any two triangles that end nearer
// than three quarters of the clearance yield a pair, whatever their nodes and edges do. In the plane nodes suffice, and no
// clearance is needed.
//
// simplex.{c,h}        the measure of a pair, its gradient and its slip
// violation_set.{c,h}  the set of pairs found so far
// closest.{c,h}        the face of a body that is closest to a point
// detection.{c,h}      one detection: nodes (node.c), edges (edge.c) and faces (faces.c), and which of their findings count
// worst.c              the largest overlap of a configuration, for the ledger
#ifndef CAROM_CONTACT_SIMPLEX_VIOLATIONS_H
#define CAROM_CONTACT_SIMPLEX_VIOLATIONS_H

#include "carom/arena.h"
#include "contact/broad/list.h"
#include "contact/response.h"
#include "contact/simplex/violation_set.h"

// Which face of a body a node is paired with.
typedef enum carom_violation_rule {
    // The closest of the faces that the node was in front of at x0; if it has passed through the body, the first face that
    // its straight path crosses.
    CAROM_VIOLATION_CROSSED,
    // The closest face of the body in which the node ends.
    CAROM_VIOLATION_CLOSEST,
} carom_violation_rule;

// Pointers are kept by reference and may be NULL if there is nothing of that kind.
typedef struct carom_violations_def {
    int node_count;
    const carom_surface *surface;       // NULL or without faces: none
    const carom_exclusions *exclusions; // pairs of bodies without contact, bodies without self-contact
    const carom_candidates *candidates; // contacts with planes, and of ends on lines
    const bool *immovable;              // per body: pairs of two such bodies are skipped
    const bool *filled;                 // per body: its interior is solid; NULL: that of every closed body is
    int isolated_count;                 // nodes without faces that touch surfaces: point masses
    const int *isolated, *isolated_body;
    carom_violation_rule rule;
    double thickness; // distance that surfaces of different bodies keep
    bool soft;        // penalty contact: x0 may overlap
    const double (*X)[3];
} carom_violations_def;

// Start from {0}.
typedef struct carom_violations {
    carom_violations_def def;
    carom_arena *memory; // of the arrays that do not grow
    double length;       // shortest side of the surface at X, the unit of all tolerances
    double margin;       // pairs that come nearer than this during the motion are listed
    carom_broad broad;
    bool listed;                                   // the list of near pairs is valid
    double (*listed_x)[2][3];                      // per node: start and end of the motion for which it was made
    int generation;                                // number of the present detection; marks of older ones do not count
    int *node_mark;                                // per node: the last detection in which it was violated
    double (*node_normal)[3];                      // per node: the direction in which its face pushed it then
    int *edge_mark;                                // per edge: the last detection in which it was paired
    struct carom_violation_part *parts;            // of one check, each done by one thread
    struct carom_violation_finding *node_findings; // of one detection
    int64_t node_finding_capacity;
    struct carom_violation_finding *face_findings; // of one detection
    int64_t face_finding_capacity;
    struct carom_crossing *crossings; // of edges, in one detection
    int64_t crossing_capacity;
    carom_tree tree; // of the faces at one configuration
    // The faces that the last check found nearer than the clearance, in the order of the tree, and their configuration, if
    // valid. All faces that overlap there are among them.
    bool close_valid;
    int (*close)[2];
    int64_t close_count, close_capacity;
    double (*close_x)[3]; // per vertex of the surface
} carom_violations;

carom_status carom_violations_create(const carom_violations_def *def, carom_violations *violations, carom_error *error);
void carom_violations_release(carom_violations *violations);

// Adds to the set the pairs that the motion from x0 to x1 violates and that it does not contain yet; *added is their
// number. *ambiguous counts the nodes among them with two equally good faces. The result depends on the two configurations
// and the set only, not on earlier calls.
carom_status carom_violations_add(carom_violations *violations, const double (*x0)[3], const double (*x1)[3],
                                  carom_violation_set *set, int *added, int *ambiguous, carom_error *error);

// True if surfaces came near each other during the last motion that was checked, or point masses may have. If not, nothing
// overlaps at its end that did not overlap before.
bool carom_violations_any_near(const carom_violations *violations);

// The largest overlap of a configuration, without regard to any motion or set.
typedef struct carom_violation_worst {
    double depth;    // length: the shortest translation that separates two faces, or a node from a plane, a face or an end
    double relative; // depth over the size of the smaller face: the root of twice its area, the length of a segment
    int body[2];     // of the largest depth, planes as -1 - p; -1, -1 if nothing overlaps
} carom_violation_worst;

// Examines all faces that may touch, planes and ends, and point masses. A body that lies completely inside another one is
// not detected, because their faces do not intersect.
carom_status carom_violations_worst(carom_violations *violations, const double (*x)[3], carom_violation_worst *worst,
                                    carom_error *error);

#endif
