// SPDX-License-Identifier: MIT
// Distribution of the rows of a matrix to processes: piece, node and unknown ranges, and collective gathering of vectors.
#include "solver/rows.h"

#include "base/allocate.h"
#include "base/interrupt.h"

bool carom_rows_are_shared(const carom_rows *rows) {
    return rows && rows->shared;
}

// Finds the node with the block number `block`, and its first unknown; a share of the rows ends there, and the next one begins.
// If there are fewer blocks, finds the number of nodes and that of unknowns.
static void find_border(int node_count, const int (*unknown)[3], int block, int *node, int *row) {
    int blocks = 0;
    *row = 0;
    for (*node = 0; *node < node_count; ++*node) {
        int count = (unknown[*node][0] >= 0) + (unknown[*node][1] >= 0) + (unknown[*node][2] >= 0);
        if (count && blocks++ == block)
            return;
        *row += count;
    }
}

carom_status carom_rows_create(int node_count, const int (*unknown)[3], bool shared, carom_rows *rows, carom_error *error) {
    *rows = (carom_rows){.shared = shared && carom_parallel_size() > 1, .node_end = node_count};
    int blocks = 0;
    for (int k = 0; k < node_count; k++) {
        int count = (unknown[k][0] >= 0) + (unknown[k][1] >= 0) + (unknown[k][2] >= 0);
        rows->end += count;
        blocks += count > 0;
    }
    rows->piece_end = (blocks + CAROM_ROWS_PIECE - 1) / CAROM_ROWS_PIECE;
    if (!rows->shared)
        return CAROM_OK;
    int64_t pieces = rows->piece_end, rank = carom_parallel_rank(), size = carom_parallel_size();
    rows->piece_begin = (int)(pieces * rank / size);
    rows->piece_end = (int)(pieces * (rank + 1) / size);
    // nodes without unknowns have an owner as well
    if (rank > 0)
        find_border(node_count, unknown, rows->piece_begin * CAROM_ROWS_PIECE, &rows->node_begin, &rows->begin);
    if (rank < size - 1)
        find_border(node_count, unknown, rows->piece_end * CAROM_ROWS_PIECE, &rows->node_end, &rows->end);
    carom_status status = carom_shares_create(rows->node_end - rows->node_begin, &rows->nodes, error);
    if (!status)
        status = carom_shares_create(rows->end - rows->begin, &rows->unknowns, error);
    if (!status)
        status = carom_shares_create(rows->piece_end - rows->piece_begin, &rows->pieces, error);
    return status;
}

void carom_rows_release(carom_rows *rows) {
    carom_shares_release(&rows->nodes);
    carom_shares_release(&rows->unknowns);
    carom_shares_release(&rows->pieces);
    *rows = (carom_rows){0};
}

void carom_rows_complete(const carom_rows *rows, double *vector) {
    if (carom_rows_are_shared(rows))
        carom_parallel_gather_all(&rows->unknowns, vector + rows->begin, sizeof *vector, vector);
}

void carom_rows_complete_nodes(const carom_rows *rows, double (*nodal)[3]) {
    if (carom_rows_are_shared(rows))
        carom_parallel_gather_all(&rows->nodes, nodal + rows->node_begin, sizeof *nodal, nodal);
}

void carom_rows_complete_pieces(const carom_rows *rows, double *sums, int width) {
    if (carom_rows_are_shared(rows))
        carom_parallel_gather_all(&rows->pieces, sums + (int64_t)rows->piece_begin * width, (size_t)width * sizeof *sums, sums);
}

static bool is_so_anywhere(const carom_rows *rows, bool so) {
    if (!carom_rows_are_shared(rows))
        return so;
    carom_vote vote = {.bits = {so}};
    carom_parallel_vote(&vote);
    return vote.bits[0];
}

bool carom_rows_all(const carom_rows *rows, bool so) {
    return !is_so_anywhere(rows, !so);
}

double carom_rows_most(const carom_rows *rows, double number) {
    if (!carom_rows_are_shared(rows))
        return number;
    carom_vote vote = {.most = {number}};
    carom_parallel_vote(&vote);
    return vote.most[0];
}

carom_status carom_rows_interrupt(const carom_rows *rows, carom_error *error) {
    if (!carom_rows_are_shared(rows))
        return carom_interrupt_check(error);
    return is_so_anywhere(rows, carom_interrupt_is_noted()) ? carom_fail(error, CAROM_INTERRUPTED, "interrupted") : CAROM_OK;
}

carom_status carom_rows_interrupt_iteration(const carom_rows *rows, int64_t rounds, carom_error *error) {
    return carom_rows_are_shared(rows) && rounds % CAROM_ROWS_ASK_EVERY ? CAROM_OK : carom_rows_interrupt(rows, error);
}
