// SPDX-License-Identifier: MIT
// Processes that have the same model and do the same computations divide the rows of its matrices among them: each assembles
// those of its own nodes, from all cliques (sparse.h) that touch them, in their order. So a row has the same bits on any number
// of processes. All processes have complete vectors: each computes its own entries, and these are gathered.
//
// Sums over all unknowns are taken in pieces, which are never divided between processes, and added in order.
//
// All functions that take `rows` are collective where these are shared (parallel/parallel.h), and do almost nothing where they
// are not; rows may then be NULL.
#ifndef CAROM_SOLVER_ROWS_H
#define CAROM_SOLVER_ROWS_H

#include "parallel/parallel.h"

// Blocks of a piece. The unknowns of a node are a block; nodes without unknowns have none. The product with the rows of a piece
// takes 20 us.
enum { CAROM_ROWS_PIECE = 128 };

// Iterations between two checks for a request to stop.
enum { CAROM_ROWS_ASK_EVERY = 32 };

typedef struct carom_rows {
    bool shared; // with other processes
    int node_begin, node_end;
    int begin, end;             // unknowns of these nodes
    int piece_begin, piece_end; // pieces of these nodes
    carom_shares nodes, unknowns, pieces;
} carom_rows;

// Numbers of unknowns are those of carom_sparse_number. Release in any case.
carom_status carom_rows_create(int node_count, const int (*unknown)[3], bool shared, carom_rows *rows, carom_error *error);
void carom_rows_release(carom_rows *rows);

// Completes a vector of unknowns, of three numbers per node, or of `width` numbers per piece, of which each process has its
// own.
void carom_rows_complete(const carom_rows *rows, double *vector);
void carom_rows_complete_nodes(const carom_rows *rows, double (*nodal)[3]);
void carom_rows_complete_pieces(const carom_rows *rows, double *sums, int width);

// True if it is so on all processes; the largest number (or NaN).
bool carom_rows_all(const carom_rows *rows, bool so);
double carom_rows_most(const carom_rows *rows, double number);

bool carom_rows_are_shared(const carom_rows *rows);
// The status of the first process that failed, on all of them.
#define CAROM_ROWS_AGREE(rows, status, error) (carom_rows_are_shared(rows) ? CAROM_PARALLEL_AGREE(status, error) : (status))

// CAROM_INTERRUPTED on all processes if a stop was requested on any of them.
carom_status carom_rows_interrupt(const carom_rows *rows, carom_error *error);
// The same inside an iteration with that many rounds so far: shared rows poll at intervals.
carom_status carom_rows_interrupt_iteration(const carom_rows *rows, int64_t rounds, carom_error *error);

#endif
