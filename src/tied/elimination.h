// SPDX-License-Identifier: MIT
// Theory: docs/theory/tied.md
// Ties solved for some of their nodes: x_A = sum_C w_AC x_C, component by component, where no C is an A. Implicit methods
// eliminate the followers: with x = T y, forces become T^T f and stiffness T^T K T.
#ifndef CAROM_TIED_ELIMINATION_H
#define CAROM_TIED_ELIMINATION_H

#include "base/arena.h"
#include "tied/rows.h"

typedef struct carom_elimination {
    int count;           // followers
    int *node;           // their nodes, ascending
    bool (*follows)[3];  // which components of them follow
    int *begin;          // follower i has the leaders begin[i] to begin[i + 1] - 1
    int *leader;         // ascending per follower
    double (*weight)[3]; // w_AC per component; 0 where it does not follow
    int *of_node;        // per node of the model: its number among the followers, or -1
} carom_elimination;

// Solves rows for followers. `held` tells which components of nodes are restrained; these never follow: where the
// leader of a pin is restrained, another of its nodes follows. Rows that are not active (rows.h) or depend on others are left
// out. Memory is taken from the arena. CAROM_NO_MEMORY.
carom_status carom_elimination_create(const carom_tie_rows *rows, int node_count, const bool (*held)[3], carom_arena *arena,
                                      carom_elimination *elimination, carom_error *error);

// x_A = sum_C w_AC x_C in the components that follow. Also for velocities and displacements.
void carom_elimination_apply(const carom_elimination *elimination, double (*x)[3]);

// Hands the forces on followers to their leaders: f_C += w_AC f_A, f_A = 0. Neither the resultant nor, where the ties hold, the
// moment changes.
void carom_elimination_fold(const carom_elimination *elimination, double (*force)[3]);

#endif
