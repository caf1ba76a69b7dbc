// SPDX-License-Identifier: MIT
// A square sparse matrix over the unknowns of nodes, with a fixed pattern, assembled from small dense matrices.
//
// Every node has three axes; an axis is an unknown, or it is eliminated (restrained). A dense matrix couples the nodes of a
// clique, such as those of an element: 3 n rows and columns for n nodes, three axes of a node in a row. Its rows and columns of
// eliminated axes are left out. All sums are taken in the order of the calls and of the cliques: bits do not depend on
// threads, which have rows of their own.
#ifndef CAROM_SOLVER_SPARSE_H
#define CAROM_SOLVER_SPARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/status.h"

// Many cliques of equal size. Indices of nodes; a node may appear twice in a clique.
typedef struct carom_cliques {
    int count;
    int node_count;   // nodes of each
    const int *nodes; // count * node_count
} carom_cliques;

// Zeros behind the last value, so that products may read beyond the end.
enum { CAROM_SPARSE_PADDING = 8 };

// Rows one after another; row i has the entries row_begin[i] ... row_begin[i + 1] - 1, in the order of columns. The pattern is
// symmetric and holds the whole diagonal. Written by the functions below only; `value` may be changed freely.
typedef struct carom_sparse {
    int size;           // number of unknowns
    int64_t *row_begin; // size + 1
    int *column;        // ascending in each row
    double *value;
    uint64_t pattern; // changes with the pattern: an analysis is valid for all matrices of the same number
    struct carom_sparse_map *map;
} carom_sparse;

// Numbers unknowns: `is_free` has three flags per node. unknown[k][c] receives the index of axis c of node k, ascending with
// node and axis, or -1 where it is not free. Returns the number of unknowns.
int carom_sparse_number(int node_count, const bool (*is_free)[3], int (*unknown)[3]);

// A matrix of zeros with the pattern of `set_count` sets of cliques, known later by their index. `unknown` comes from
// carom_sparse_number. The nodes of the sets and `unknown` are not copied and must stay as long as the matrix. Release with
// carom_sparse_release.
carom_status carom_sparse_create(int node_count, const int (*unknown)[3], int set_count, const carom_cliques *sets,
                                 carom_sparse **sparse, carom_error *error);
void carom_sparse_release(carom_sparse *sparse);

// Allocates entries for further couplings, for example of contacts, until carom_sparse_reset. If the pattern lacks any of them,
// `*grown` is true, all values are zero, the pattern has a new number, and `value`, `column` may have moved; otherwise nothing
// changes. On failure nothing changes.
carom_status carom_sparse_extend(carom_sparse *sparse, int set_count, const carom_cliques *sets, bool *grown,
                                 carom_error *error);

// Restores the pattern with which the matrix was created. Values are undefined. If the next extension has the same cliques as
// the last one, it is cheap and yields the same pattern number.
void carom_sparse_reset(carom_sparse *sparse);

// Sets the positions of the nodes, for the order of elimination: without them the factors of large meshes cost several times as
// much. Not copied, and must not change as long as the matrix lives.
void carom_sparse_locate(carom_sparse *sparse, const double (*positions)[3]);

// Writes for each unknown its place in the order of elimination, from 0. `*given` is false if the nodes have not been located.
carom_status carom_sparse_order(const carom_sparse *sparse, int *place, bool *given, carom_error *error);

// Restricts the matrix to the rows of nodes begin to end - 1: the others stay zero, and are not changed by clearing and adding.
// To be called before anything is added.
void carom_sparse_keep(carom_sparse *sparse, int begin, int end);
// True if rows of a node of this clique are kept.
bool carom_sparse_keeps(const carom_sparse *sparse, int node_count, const int *nodes);

// All values zero.
void carom_sparse_clear(carom_sparse *sparse);

// Adds the dense matrices of cliques [begin, end) of a set; `matrices` begins with that of clique `begin`, row by row.
void carom_sparse_add(carom_sparse *sparse, int set, int begin, int end, const double *matrices);

// Adds factor times a dense matrix over any nodes that the pattern couples (a programmer's error if not); positions are
// searched for.
void carom_sparse_add_one(carom_sparse *sparse, int node_count, const int *nodes, double factor, const double *matrix);

// The same without a factor for one of several shares of the rows, which threads may add at the same time.
void carom_sparse_add_share(carom_sparse *sparse, int share, int shares, int node_count, const int *nodes,
                            const double *matrix);

// Adds factor * diagonal[k] to all unknowns of each node k.
void carom_sparse_add_diagonal(carom_sparse *sparse, double factor, const double *diagonal);

// The diagonal, by unknowns; of rows that are kept.
void carom_sparse_diagonal(const carom_sparse *sparse, double *diagonal);

// The node and the axis of an unknown.
int carom_sparse_node(const carom_sparse *sparse, int unknown, int *axis);

#endif
