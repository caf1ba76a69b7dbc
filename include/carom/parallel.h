// SPDX-License-Identifier: MIT
// Processes that share one run. The command `carom` and the shared library are one process. `carom-mpi` is any number of them,
// each a rank from 0 to size - 1: rank 0 reads the scene, has the whole model and writes all files; results are the same to
// the bit on any number of processes.
//
// All functions are collective unless stated otherwise: every rank calls the same ones in the same order, from its main
// thread.
#ifndef CAROM_PARALLEL_H
#define CAROM_PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// True in a program that can be several processes. Not collective.
CAROM_API bool carom_parallel_possible(void);

// Before the first of the functions below, and after the last. Starting fails where processes of different machines do not
// compute the same bits: CAROM_BAD_INPUT, on all of them.
CAROM_API carom_status carom_parallel_start(carom_error *error);
CAROM_API void carom_parallel_stop(void);

// Not collective; rank 0 of 1 before the start.
CAROM_API int carom_parallel_rank(void);
CAROM_API int carom_parallel_size(void);
// Ranks on this machine, this one included: they share its processors.
CAROM_API int carom_parallel_neighbours(void);

// How nodes are distributed to processes. Results do not depend on it, only the time that a run takes.
typedef enum carom_partition {
    CAROM_PARTITION_BISECTION, // by weighted recursive bisection of their coordinates
    CAROM_PARTITION_SCOTCH,    // by the library Scotch, on the graph of nodes with common elements
} carom_partition;

// Returns on all ranks the status, with its message, of the lowest rank whose status is not CAROM_OK.
CAROM_API carom_status carom_parallel_agree(carom_status status, carom_error *error);
// Called before all ranks are aborted because one of them is out of memory and can neither continue nor reach agreement with
// the others: prints the message and returns the exit code. Not collective.
typedef int carom_last_words(carom_status status, const char *message);
CAROM_API void carom_parallel_set_last_words(carom_last_words *say);
// Calls it and ends all ranks. Not collective, and does not return.
CAROM_API void carom_parallel_abandon(carom_status status, const char *message);
// The bytes of rank 0, on all ranks.
CAROM_API void carom_parallel_broadcast(void *bytes, int64_t size);

#ifdef __cplusplus
}
#endif
#endif
