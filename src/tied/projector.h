// SPDX-License-Identifier: MIT
// Theory: docs/theory/tied.md
// Impulses of ties: with the rows G of the ties (rows.h), the masses M and the multipliers lambda of the rows, the velocities
// with G v = g that are nearest to given velocities in the metric of the masses,
//
//     v+ = v - M^-1 G^T lambda,   (G M^-1 G^T) lambda = G v - g.
//
// Restrained components have infinite mass. The matrix is constant: it is factorised once, as L D L^T, with a fixed order of
// operations that does not depend on a library.
#ifndef CAROM_TIED_PROJECTOR_H
#define CAROM_TIED_PROJECTOR_H

#include "base/arena.h"
#include "tied/rows.h"

// The factors L and D (on the diagonal) of one component by rows, within the envelope of the matrix.
typedef struct carom_tie_factor {
    int64_t *begin; // row i has columns i - (begin[i + 1] - begin[i]) + 1 to i
    double *value;
} carom_tie_factor;

// Start from {0}.
typedef struct carom_projector {
    const carom_tie_rows *rows;
    const double *mass;
    bool (*held)[3]; // per node: restrained components; owned
    int *order;      // per row: its place in the order of elimination
    carom_tie_factor factor[3];
    int factor_of[3];   // per component: its factor; equal matrices share one
    double *lambda;     // scratch, per row
    carom_arena *arena; // memory of these arrays
} carom_projector;

// Rows and masses are kept by reference; `held` is copied. CAROM_NO_MEMORY.
carom_status carom_projector_create(const carom_tie_rows *rows, int node_count, const double *mass, const bool (*held)[3],
                                    carom_projector *projector, carom_error *error);
void carom_projector_release(carom_projector *projector);

// Changes v such that G v = goal (NULL: zero); adds the impulses on nodes, including those on restrained components, to
// `impulse` if it is not NULL. These impulses conserve linear momentum, and angular
// momentum if the positions satisfy the ties.
void carom_projector_run(const carom_projector *projector, const double (*goal)[3], double (*v)[3], double (*impulse)[3]);

#endif
