// SPDX-License-Identifier: MIT
// Newton's method on the cones of contacts: which of them are open, stick or slip, and the linear equations that follow.
#ifndef CAROM_CONTACT_CONES_NEWTON_H
#define CAROM_CONTACT_CONES_NEWTON_H

#include "carom/status.h"
#include "contact/cones_system.h"
#include "solver/linear.h"

// Memory; start from {0}.
typedef struct carom_cones_newton {
    struct carom_cone_tangent *tangents;
    int64_t tangent_capacity;
    double *dense; // a small system, and its right-hand side
    int64_t dense_capacity;

    // a large one; what contacts couple in the same way is analysed once
    int (*pairs)[2]; // of contacts that share a node
    int64_t pair_count, pair_capacity;
    int (*unknown)[3];
    int unknown_count;
    int64_t unknown_capacity;
    double *right;
    int64_t right_capacity;
    carom_sparse *sparse;
    carom_linear_solver *solver;
} carom_cones_newton;

void carom_cones_newton_release(carom_cones_newton *newton);

// One step: x changes, p or u follow. CAROM_NUMERICAL if the equations cannot be solved: x is then as before. CAROM_NO_MEMORY.
carom_status carom_cones_newton_step(carom_cones_newton *newton, carom_cone_system *system, carom_error *error);

#endif
