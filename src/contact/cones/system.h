// SPDX-License-Identifier: MIT
// The problem of cones.h in the form in which it is solved. With x = (lambda, -r) for each contact,
//     u = w + W x,   W = A C B^T (+ softness),   A = rows G, D,   B = rows F, D,   w = (gap, slip),   C: displacements by forces,
// and u0 >= 0, x0 >= 0, u0 x0 = 0, |xt| <= mu x0, xt against ut. W is kept as its factors, by nodes, or as a dense matrix.
#ifndef CAROM_CONTACT_CONES_SYSTEM_H
#define CAROM_CONTACT_CONES_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

// One contact.
typedef struct carom_cone_row {
    int item;     // of the caller's list
    int known_as; // the caller's number of its first node
    int size;     // rows: 1, with friction 2 or 3
    int count;
    int node[4];          // numbers within the system
    double feel[3][4][3]; // A
    double move[3][4][3]; // C B^T
    double w[3];
    double x[3];
    double held[3];     // x that it is held at, where `hold` is not zero
    double block[3][3]; // of W, on the diagonal
    double grip;        // the largest eigenvalue of its tangential part, or block[0][0] if that is zero
    double friction, softness;
    bool stuck;  // nothing can open it
    bool barred; // left out for now: x = 0
} carom_cone_row;

// Contacts that may act on each other.
typedef struct carom_cone_system {
    int count;
    carom_cone_row *rows;

    double (*p)[3];             // displacements of nodes, where W is kept by nodes
    const int *begin, *by_node; // contacts of node k: by_node[begin[k]] ... by_node[begin[k + 1] - 1], ascending
    int offset;                 // the index of the first contact there

    double hold; // as a part of the softness of each contact: so much of x - held is added to u; 0: the problem itself
    bool frozen; // tangential forces stay as they are

    double *W;      // else: entry [3 i + a][3 j + b] for rows a, b of contacts i, j
    double (*u)[3]; // and w + W x
} carom_cone_system;

// How far from the solution, as lengths.
typedef struct carom_cone_lack {
    double normal, tangential; // largest
    double depth;              // the same of contacts that are left out
    double rounding;           // what rounding leaves of either
    double gap, slip;          // largest |w|: 0 if nothing acts
} carom_cone_lack;

// Fills block, grip and stuck of a contact; `softest` is the answer of the normal row if nothing were restrained.
void carom_cone_row_prepare(const carom_cone_system *system, int i, double softest);

// The 3 x 3 part of W for contacts i, j.
void carom_cone_system_block(const carom_cone_system *system, int i, int j, double block[3][3]);

// p or u anew from x.
void carom_cone_system_refresh(carom_cone_system *system);

// u of contact i.
void carom_cone_system_value(const carom_cone_system *system, int i, double u[3]);

// Adds to x of contact i; p or u follow.
void carom_cone_system_change(carom_cone_system *system, int i, const double dx[3]);

// x into the cones.
void carom_cone_system_project(carom_cone_system *system);

// One sweep of projected Gauss-Seidel; the largest change of a gap or slip that a contact made to itself.
double carom_cone_system_sweep(carom_cone_system *system);

carom_cone_lack carom_cone_system_lack(const carom_cone_system *system);

#endif
