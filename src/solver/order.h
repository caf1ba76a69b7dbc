// SPDX-License-Identifier: MIT
// An order of elimination of the nodes of a mesh that keeps the factors of its sparse matrix small.
#ifndef CAROM_SOLVER_ORDER_H
#define CAROM_SOLVER_ORDER_H

#include <stdbool.h>
#include <stdint.h>

// Nested dissection by place. Node k is coupled with neighbour[first[k]] ... neighbour[first[k + 1] - 1]; x are positions.
// Writes the nodes in the order in which they should be eliminated; depends on the arguments only. False if memory is
// short.
bool carom_order_by_place(int count, const int64_t *first, const int *neighbour, const double (*x)[3], int *order);

#endif
