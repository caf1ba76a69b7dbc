// SPDX-License-Identifier: MIT
// Partition of a graph by the library Scotch (F. Pellegrini, J. Roman, HPCN Europe 1996). `carom-mpi` contains scotch.c;
// `carom`, and builds without the library, contain no_scotch.c.
#ifndef CAROM_PARALLEL_SCOTCH_H
#define CAROM_PARALLEL_SCOTCH_H

#include <stdint.h>

#include "carom/status.h"

// Neighbours of vertex v are neighbour[begin[v]] ... neighbour[begin[v + 1] - 1], and each of these has v among its own. Parts
// have equal weights up to a few percent and few edges between them: part[v] from 0 to parts - 1. Not collective: this process
// has the whole graph. The same graph gives the same parts. CAROM_BAD_INPUT where the library is missing.
carom_status carom_scotch_part(int count, const int64_t *begin, const int *neighbour, const int64_t *weight, int parts,
                               int *part, carom_error *error);

#endif
