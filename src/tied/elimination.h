// SPDX-License-Identifier: MIT
// Theory: docs/theory/tied.md
// Ties solved for some of their nodes: x_A = sum_C w_AC x_C for each component, where no master C is a slave A. Implicit
// methods eliminate the slaves: with x = T y, forces become T^T f and stiffness T^T K T.
#ifndef CAROM_TIED_ELIMINATION_H
#define CAROM_TIED_ELIMINATION_H

#include "base/arena.h"
#include "tied/rows.h"

typedef struct carom_elimination {
    int count;           // number of slaves
    int *node;           // their nodes, ascending
    bool (*follows)[3];  // per slave: its eliminated components
    int *begin;          // slave i has the masters leader[begin[i]] to leader[begin[i + 1] - 1]
    int *leader;         // masters, ascending per slave
    double (*weight)[3]; // w_AC per component; 0 in components that are not eliminated
    int *of_node;        // per node of the model: its number among the slaves, or -1
} carom_elimination;

// Solves rows for slaves. `held`: restrained components of nodes, which are never eliminated: if the first node of a pin is
// restrained, another of its nodes becomes the slave. Rows that are not active (rows.h) or depend on others are ignored.
// Memory is taken from the arena. CAROM_NO_MEMORY.
carom_status carom_elimination_create(const carom_tie_rows *rows, int node_count, const bool (*held)[3], carom_arena *arena,
                                      carom_elimination *elimination, carom_error *error);

// Sets x_A = sum_C w_AC x_C in eliminated components; also for velocities and displacements.
void carom_elimination_apply(const carom_elimination *elimination, double (*x)[3]);

// Transfers the forces on slaves to their masters: f_C += w_AC f_A, f_A = 0. The resultant force is unchanged, and so is the
// resultant torque if x satisfies the ties.
void carom_elimination_fold(const carom_elimination *elimination, double (*force)[3]);

#endif
