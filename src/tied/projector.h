// SPDX-License-Identifier: MIT
// Theory: docs/theory/tied.md
// Impulses of ties: of all velocities with G v = g the ones nearest to given velocities, in the metric of the masses,
//
//     v+ = v - M^-1 G^T lambda,   (G M^-1 G^T) lambda = G v - g.
//
// Restrained components have infinite masses. The matrix is constant: it is factorised once, in a fixed order, by our own
// Cholesky factorisation, whose bits depend on no library.
#ifndef CAROM_TIED_PROJECTOR_H
#define CAROM_TIED_PROJECTOR_H

#include "base/arena.h"
#include "tied/rows.h"

// The factor L of one component by rows, within the envelope of the matrix.
typedef struct carom_tie_factor {
    int64_t *begin; // row i has columns i - (begin[i + 1] - begin[i]) + 1 to i
    double *value;
} carom_tie_factor;

// Start from {0}.
typedef struct carom_projector {
    const carom_tie_rows *rows;
    const double *mass;
    bool (*held)[3]; // per node: restrained components; owned
    int *order;      // place of each row in the order of elimination
    carom_tie_factor factor[3];
    int factor_of[3];   // components whose matrices are equal share one
    double *lambda;     // scratch, per row
    carom_arena *arena; // has these arrays
} carom_projector;

// Rows and masses are kept by reference; `held` is copied. CAROM_NO_MEMORY.
carom_status carom_projector_create(const carom_tie_rows *rows, int node_count, const double *mass, const bool (*held)[3],
                                    carom_projector *projector, carom_error *error);
void carom_projector_release(carom_projector *projector);

// Changes v such that G v = goal (NULL: zero), row by row; adds the impulses on nodes, those on restrained components included,
// to `impulse` if it is not NULL. Linear momentum of free nodes is exact; angular momentum where the ties hold.
void carom_projector_run(const carom_projector *projector, const double (*goal)[3], double (*v)[3], double (*impulse)[3]);

#endif
