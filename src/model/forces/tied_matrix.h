// SPDX-License-Identifier: MIT
// Theory: docs/theory/tied.md
// Matrices of elements with slave nodes (whose displacements ties prescribe by those of master nodes): T^T K T over the
// remaining nodes, with K the matrix of the element and T the map from displacements of the remaining nodes to those of the
// element.
#ifndef CAROM_MODEL_FORCES_TIED_MATRIX_H
#define CAROM_MODEL_FORCES_TIED_MATRIX_H

#include "solver/sparse.h"
#include "tied/elimination.h"

struct carom_model;

// The elements with slave nodes. Start from {0}; empty if there are none.
typedef struct carom_tied_elements {
    const carom_elimination *elimination; // NULL: nothing is tied
    int *begin;                           // per block, and one more: range in `element`
    int *element;                         // their numbers in the block, ascending
    carom_cliques cliques;                // the nodes that their matrices couple; short cliques are padded with their last node
    int *nodes;
} carom_tied_elements;

carom_status carom_tied_elements_create(const struct carom_model *model, carom_tied_elements *tied, carom_error *error);
void carom_tied_elements_release(carom_tied_elements *tied);

// Lists the nodes that a matrix over some nodes couples once slave nodes are replaced: those nodes, and their masters; returns
// how many. `expanded` has carom_tied_buffer entries.
int carom_tied_expand(const carom_elimination *elimination, int n, const int *nodes, int *expanded);
int carom_tied_buffer(const carom_elimination *elimination, int n, const int *nodes);

// Adds the contribution of slave components, factor (T^T K T - K), for a dense matrix K over nodes. The entries of K between
// other components are left to the caller. The pattern must couple the expanded nodes. False if memory is short.
bool carom_tied_add(const carom_elimination *elimination, int n, const int *nodes, double factor, const double *K,
                    carom_sparse *matrix);

// Adds the masses of slave nodes (per node) to those of their masters.
bool carom_tied_add_diagonal(const carom_elimination *elimination, const double *diagonal, carom_sparse *matrix);

// True if the matrix keeps rows of elements [begin, end) of a block that are coupled by slave nodes only.
bool carom_tied_keeps(const carom_tied_elements *tied, const carom_sparse *matrix, int block, int begin, int end);

#endif
