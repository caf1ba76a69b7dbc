// SPDX-License-Identifier: MIT
// The linear equations that an iteration on the cones of contacts leads to: K (W dx) + L dx = b, with 3 x 3 matrices K, L for every contact.
#ifndef CAROM_CONTACT_CONES_LINEAR_H
#define CAROM_CONTACT_CONES_LINEAR_H

#include "carom/status.h"
#include "contact/cones/system.h"
#include "solver/linear.h"

// The equations of one contact; written by who wants them solved, but for the last three.
typedef struct carom_cone_tangent {
    double K[3][3], L[3][3], b[3];
    double x[3], u[3]; // where they hold
    bool closed;       // otherwise they say that x becomes zero
    double dx[3];      // the next change
    double rest[3];    // what the equations lack
    int first;         // of its unknowns in a small system, or -1
} carom_cone_tangent;

// Memory and factors; start from {0}.
typedef struct carom_cones_linear {
    carom_cone_tangent *tangents;
    int64_t tangent_capacity;

    bool is_small;
    double *dense; // the matrix, its pivots, the right-hand side
    int dense_size;
    int64_t dense_capacity;

    int (*pairs)[2]; // of contacts that share a node
    int64_t pair_count, pair_capacity;
    int (*unknown)[3];
    int unknown_count;
    int64_t unknown_capacity;
    double *right;
    int64_t right_capacity;
    carom_sparse *sparse; // analysed anew only if contacts couple in another way
    carom_linear_solver *solver;
} carom_cones_linear;

void carom_cones_linear_release(carom_cones_linear *linear);

// Room for that many tangents; false if memory is short.
bool carom_cones_linear_make_room(carom_cones_linear *linear, int count);

// Factorises the matrix of all tangents of a system. CAROM_NUMERICAL if it is singular, CAROM_NO_MEMORY.
carom_status carom_cones_linear_factorise(carom_cones_linear *linear, const carom_cone_system *system, carom_error *error);

// Solves for the b of the tangents; x, that must be where they hold, goes all the way, and p or u follow. CAROM_NUMERICAL: x is as before.
carom_status carom_cones_linear_move(carom_cones_linear *linear, carom_cone_system *system, carom_error *error);

#endif
