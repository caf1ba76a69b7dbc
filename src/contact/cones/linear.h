// SPDX-License-Identifier: MIT
// The linear equations of one iteration for contacts with friction: K (W dx) + L dx = b, with the changes dx of the contact
// forces and W dx of gaps and slips (system.h), and 3 x 3 matrices K and L for every contact.
#ifndef CAROM_CONTACT_CONES_LINEAR_H
#define CAROM_CONTACT_CONES_LINEAR_H

#include "carom/status.h"
#include "contact/cones/system.h"
#include "solver/linear.h"

// The equations of one contact. The caller sets all but the last three members.
typedef struct carom_cone_tangent {
    double K[3][3], L[3][3], b[3];
    double x[3], u[3];  // linearisation point
    bool closed;        // false: x becomes zero
    double dx[3];       // correction of one solve
    double residual[3]; // b - K (u - u0) - L (x - x0)
    int first;          // index of its first unknown in a dense system; -1: none
} carom_cone_tangent;

// The block of W for a contact and another with a common node, or itself.
typedef struct carom_cone_coupling {
    int other;
    double W[3][3];
} carom_cone_coupling;

// Memory and factors; start from {0}.
typedef struct carom_cones_linear {
    carom_cone_tangent *tangents;
    int64_t tangent_capacity;

    bool is_small;
    double *dense; // n x n matrix, n pivots, and the right-hand side with n entries
    int dense_size;
    int64_t dense_capacity;

    int (*pairs)[2]; // pairs of contacts with a common node
    int64_t pair_count, pair_capacity;
    int (*unknown)[3];
    int unknown_count;
    int64_t unknown_capacity;
    double *right;
    int64_t right_capacity;
    bool known;                     // couplings and the sparse pattern are valid for the present system
    carom_cone_coupling *couplings; // ordered by contact
    int64_t coupling_capacity;
    carom_sparse *sparse; // symbolic analysis is repeated only if the coupling of contacts changes
    carom_linear_solver *solver;
} carom_cones_linear;

void carom_cones_linear_release(carom_cones_linear *linear);

// Must be called before another system, or one with other rows, is solved.
void carom_cones_linear_begin(carom_cones_linear *linear);

// Reserves memory for `count` contacts; false if memory is short.
bool carom_cones_linear_reserve(carom_cones_linear *linear, int count);

// True if the equations of a system may become too many for a dense matrix.
bool carom_cones_linear_is_large(const carom_cone_system *system);

// Factorises the matrix of the equations: of closed contacts only if it is dense, of all contacts if it is sparse.
// CAROM_NUMERICAL if it is singular, CAROM_NO_MEMORY.
carom_status carom_cones_linear_factorise(carom_cones_linear *linear, const carom_cone_system *system, carom_error *error);

// Solves for the right-hand sides b, adds the full step to x, which must be at the linearisation point, and updates
// p or u. CAROM_NUMERICAL: x is unchanged.
carom_status carom_cones_linear_move(carom_cones_linear *linear, carom_cone_system *system, carom_error *error);

#endif
