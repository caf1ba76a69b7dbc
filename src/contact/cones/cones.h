// SPDX-License-Identifier: MIT
// Solves many contacts simultaneously as constraints on positions, with Coulomb friction (a cone complementarity
// problem): the dual of the problem that an implicit contact step solves in every iteration (docs/theory/cones.md).
//
// Notation: p displacements of the nodes, lambda the normal multiplier of a contact, r its friction force,
// g its gap, s its slip, mu the coefficient of friction. Nodal forces F^T lambda - D^T r move the nodes by
// p. For all contacts
//     g = gap + G.p + softness lambda >= 0,   lambda >= 0,   lambda g = 0,
//     s = slip + D.p,   |r| <= mu lambda,   r = mu lambda s/|s| if s is not zero,
// so that friction never adds energy: r.s >= 0. If contacts are redundant the forces are not unique, but p
// and g are.
//
// Every island (contacts connected by common movable nodes) is solved by one thread, with a fixed order of all sums: the bits
// of the result depend on the arguments only.
//
// cones.{c,h}     the interface; contacts are sorted into islands
// system.{c,h}    one island as a system u = w + W x, its residual, a Gauss-Seidel sweep
// island.{c,h}    the order in which the methods are tried
// newton.{c,h}    semismooth Newton step
// interior.{c,h}  interior point step
// linear.{c,h}    the linear equations of both
#ifndef CAROM_CONTACT_CONES_CONES_H
#define CAROM_CONTACT_CONES_CONES_H

#include "contact/cones/counts.h"
#include "contact/contact.h"

// One contact. Each node appears at most once.
typedef struct carom_cone {
    int count; // number of nodes
    int node[4];
    double G[4][3];    // constraint row, scaled such that G.p is a distance
    double F[4][3];    // force row: nodal forces of lambda = 1; may differ from G, but must open the contact
    int tangents;      // number of slip rows: 0, 1 or 2
    double D[2][4][3]; // slip rows, which also distribute the friction force
    double gap;        // gap without contact forces
    double slip[2];    // slip without contact forces
    double friction;   // mu
    double softness;   // length per force; 0: hard
    double lambda;     // in: a guess, or 0; out: the solution
    double r[2];       // the same
} carom_cone;

// Work memory of the solver, reused between solves; only the sparse direct solver, used for islands with more than 128
// unknowns, allocates memory in every solve.
typedef struct carom_cones_space carom_cones_space;

// NULL if memory is short.
carom_cones_space *carom_cones_create(void);
void carom_cones_release(carom_cones_space *space);

// Solves contacts between nodes that respond to a force f by the displacement compliance P f / m (P:
// projection onto the free directions of the node). Sets p at the nodes of the contacts only. A residual
// below `tolerance` (a length; may be 0), below 1e-12 of the largest gap, or below rounding is accepted; usually
// the solution is exact to rounding. Contacts that contradict each other by less than 1e-9 of the largest gap or
// slip are solved to that accuracy, and counted.
//
// CAROM_NUMERICAL if no displacement opens a contact or a group of contacts (a node between immovable
// bodies), or if the iteration does not converge, which may happen if F and G differ much; lambda, r and p
// are then undefined. CAROM_NO_MEMORY.
carom_status carom_cones_solve(carom_cones_space *space, carom_cone *items, int count, carom_mobility mobility,
                               double compliance, double tolerance, double (*p)[3], carom_cones_counts *counts,
                               carom_error *error);

// Displacements of all nodes under nodal forces: linear, and zero along restrained directions.
typedef struct carom_cones_answer {
    carom_status (*apply)(void *context, const double (*force)[3], double (*displacement)[3], carom_error *error);
    void *context;
} carom_cones_answer;

// The same for nodes coupled by a stiffness. Calls `apply` once for every row of every contact and stores a
// dense matrix of all rows: suitable for some hundreds of contacts. Sets p at all `node_count` nodes.
carom_status carom_cones_solve_coupled(carom_cones_space *space, carom_cone *items, int count, int node_count,
                                       carom_cones_answer answer, double tolerance, double (*p)[3], carom_cones_counts *counts,
                                       carom_error *error);

#endif
