// SPDX-License-Identifier: MIT
// The problem of cones.h in the form in which it is solved. With x = (lambda, -r) for each contact,
//     u = w + W x,   W = A C B^T (+ softness),   A: rows G, D,   B: rows F, D,   w = (gap, slip),   C:
//     compliance (displacements per force),
// and u0 >= 0, x0 >= 0, u0 x0 = 0, |xt| <= mu x0, xt opposite to ut. W is stored as its factors at the
// nodes, or as a dense matrix.
#ifndef CAROM_CONTACT_CONES_SYSTEM_H
#define CAROM_CONTACT_CONES_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

// One contact.
typedef struct carom_cone_row {
    int item;    // index in the list of the caller
    int node_id; // number of its first node for the caller, for messages
    int size;    // rows: 1; with friction 2 or 3
    int count;
    int node[4];                // numbers within the system
    double constraint[3][4][3]; // A
    double response[3][4][3];   // C B^T
    double w[3];
    double x[3];
    double anchor[3];       // previous x, if `proximal` is not zero
    double block[3][3];     // diagonal block of W
    double slip_compliance; // largest eigenvalue of the tangential part of `block`, or block[0][0] if that is zero
    double friction, softness;
    bool immobile; // its nodes cannot move along the normal: no force opens it
    bool excluded; // not yet in the active set: x = 0
} carom_cone_row;

// Contacts that may be coupled.
typedef struct carom_cone_system {
    int count;
    carom_cone_row *rows;

    double (*p)[3];             // displacements of nodes, if W is not stored
    const int *begin, *by_node; // contacts of node k: by_node[begin[k]] ... by_node[begin[k + 1] - 1], ascending
    int offset;                 // index of the first contact in by_node

    double proximal; // u is increased by this times the compliance of the contact times x - anchor; 0: the original problem
    bool frozen;     // friction forces are fixed

    double *W;      // dense alternative: entry [3 i + a][3 j + b] for rows a, b of contacts i, j
    double (*u)[3]; // w + W x, with the dense W only
} carom_cone_system;

// The residual of a system, as lengths.
typedef struct carom_cone_residual {
    double normal, tangential; // largest error of a gap, and of a slip
    double depth;              // largest penetration of excluded contacts
    double rounding;           // bound of the residual caused by rounding
    double gap, slip;          // largest |w|: the scale of the problem
} carom_cone_residual;

// Fills block, slip_compliance and immobile of a contact; `softest` is the compliance of its normal row
// without restraints.
void carom_cone_row_prepare(const carom_cone_system *system, int i, double softest);

// The 3 x 3 part of W for contacts i, j.
void carom_cone_system_block(const carom_cone_system *system, int i, int j, double block[3][3]);

// Recomputes p or u from x.
void carom_cone_system_refresh(carom_cone_system *system);

// u of contact i.
void carom_cone_system_value(const carom_cone_system *system, int i, double u[3]);

// The tangential force of a contact that would stop its slip: x_t - u_t/c; the second component is 0 in two dimensions.
void carom_cone_row_trial(const carom_cone_row *row, const double u[3], double trial[2]);

// Adds dx to x of contact i and updates p or u.
void carom_cone_system_change(carom_cone_system *system, int i, const double dx[3]);

// Projects x onto the cones and updates p or u.
void carom_cone_system_project(carom_cone_system *system);

// One sweep of projected Gauss-Seidel. Returns the largest change of the gap or slip of a contact by its own update.
double carom_cone_system_sweep(carom_cone_system *system);

carom_cone_residual carom_cone_system_residual(const carom_cone_system *system);

#endif
