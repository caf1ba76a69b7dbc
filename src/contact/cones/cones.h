// SPDX-License-Identifier: MIT
// Many contacts solved together as constraints on positions, with Coulomb's friction: the dual of the convex problem that an implicit contact step solves
// in every pass (docs/theory/cones.md).
//
// Forces F^T lambda - D^T r move the nodes by p. For all contacts
//     g = gap + G.p + softness lambda >= 0,   lambda >= 0,   lambda g = 0,
//     s = slip + D.p,   |r| <= mu lambda,   r = mu lambda s/|s| where s is not zero,
// so that friction never gives energy: r.s >= 0. Where contacts are redundant the forces are not unique, but p and g are.
//
// One thread, fixed order of all sums: bits depend on the arguments alone.
#ifndef CAROM_CONTACT_CONES_CONES_H
#define CAROM_CONTACT_CONES_CONES_H

#include <stdint.h>

#include "contact/contact.h"

// One contact. A node may appear once.
typedef struct carom_cone {
    int count; // of nodes
    int node[4];
    double G[4][3];    // constraint row; scaled so that G.p is a distance
    double F[4][3];    // force row: the nodal forces of lambda = 1; need not equal G, but must open the contact
    int tangents;      // rows of slip: 0, 1 or 2
    double D[2][4][3]; // of slip, and of the forces against it
    double gap;        // row value without contact forces
    double slip[2];    // slip without contact forces
    double friction;   // mu
    double softness;   // length per force; 0: hard
    double lambda;     // in: a guess, or 0; out: the solution
    double r[2];       // likewise
} carom_cone;

// What was done. Solves add to it; start from {0}.
typedef struct carom_cones_counts {
    int64_t sweeps;         // of Gauss-Seidel, over an island each
    int64_t factorisations; // of Newton's method, of an island each
    int64_t loose;          // islands whose contacts contradict each other a little: solved to 1e-9 of the largest gap
    int islands;            // of the last solve: groups of contacts that share nodes which can move
    int largest;            // of the last solve: contacts in the largest island
} carom_cones_counts;

// Memory of the solves. Does not allocate once it has grown, but for islands that the direct solver for sparse systems takes (more than 64 unknowns).
typedef struct carom_cones_space carom_cones_space;

// NULL if memory is short.
carom_cones_space *carom_cones_create(void);
void carom_cones_release(carom_cones_space *space);

// Solves contacts between nodes that answer a force f by the displacement compliance P f / m (P: free directions of the node). Sets p at the nodes of
// the contacts and nowhere else. What lacks less than `tolerance` (a length; 0 is allowed), less than 1e-12 of the largest gap, or less than what rounding
// leaves counts as solved; the solution is in general exact to rounding. Contacts that contradict each other by less than 1e-9 of the largest gap or slip are
// solved to that, and counted.
//
// CAROM_NUMERICAL if nothing can open a contact or all contacts together (a node squeezed between bodies that are held), or if the iteration does not
// converge, as may be if F and G differ much; lambda, r and p then mean nothing. CAROM_NO_MEMORY.
carom_status carom_cones_solve(carom_cones_space *space, carom_cone *items, int count, carom_mobility mobility,
                               double compliance, double tolerance, double (*p)[3], carom_cones_counts *counts,
                               carom_error *error);

// Displacements of all nodes by forces on them: linear, and zero along restrained directions.
typedef carom_status (*carom_cones_apply)(void *context, const double (*force)[3], double (*displacement)[3],
                                          carom_error *error);

// The same between nodes that a stiffness couples. Calls `apply` once for every row of every contact, and keeps a dense matrix of all rows: for some
// hundreds of contacts. Sets p at all `node_count` nodes.
carom_status carom_cones_solve_coupled(carom_cones_space *space, carom_cone *items, int count, int node_count,
                                       carom_cones_apply apply, void *context, double tolerance, double (*p)[3],
                                       carom_cones_counts *counts, carom_error *error);

#endif
