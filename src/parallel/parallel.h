// SPDX-License-Identifier: MIT
// Processes that work on one model. Each is a rank from 0 to size - 1. The command `carom` is one rank and contains alone.c;
// `carom-mpi` is any number of them and contains petsc.c, which is built on MPI and PETSc. Code that uses this header does
// not depend on which of the two is linked; no type of MPI appears in it.
//
// All functions are collective: every rank calls the same ones in the same order. So no call may be in a branch that
// depends on local data, and an error of one rank becomes an error of all by carom_parallel_agree before any of them returns.
//
// There is no sum of doubles: its bits would depend on the number of ranks. There are the largest value, bits, integers, and
// exact sums, all of which have no order.
//
// Theory: docs/theory/parallel.md
//
// carom/parallel.h, which this header includes, declares the functions that the command uses as well.
#ifndef CAROM_PARALLEL_PARALLEL_H
#define CAROM_PARALLEL_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/profile.h"
#include "carom/parallel.h"
#include "math/exact.h"

// Ends all ranks at once, from a place where they cannot be asked to agree.
_Noreturn void carom_parallel_abort(int code);

// From now on this profile measures the time in the functions below: as CAROM_PHASE_EXCHANGE where data are sent to all ranks
// or to ghosts, as CAROM_PHASE_AGREEMENT in votes, agreements and sums. Gathering to rank 0 and scattering from it are counted
// in the phase of the caller, such as the writing of a row or a frame. NULL ends the measurement. Not collective.
void carom_parallel_watch(carom_profile *profile);

// carom_parallel_agree, called from this line of this file. A rank that lacks memory may leave a loop that the others continue,
// and then reach a different call of this function than they do. File and line show this difference; the return address would
// not, because compilers duplicate calls.
carom_status carom_parallel_agree_at(const char *file, int line, carom_status status, carom_error *error);
#define CAROM_PARALLEL_AGREE(status, error) carom_parallel_agree_at(__FILE__, __LINE__, status, error)

// True if the last agreement reported a failure. Not collective.
bool carom_parallel_has_failed(void);

// True if the word is the same on all ranks.
bool carom_parallel_equal(uint64_t word);
// Fails on all ranks unless the word is the same on them: a hash of what their machines compute.
carom_status carom_parallel_compare_machines(uint64_t word, carom_error *error);

// The reduction that ranks do once per step: the maximum of each value, the bitwise OR of each word.
enum { CAROM_VOTE_VALUES = 4, CAROM_VOTE_WORDS = 20 };
typedef struct carom_vote {
    double most[CAROM_VOTE_VALUES];
    uint64_t bits[CAROM_VOTE_WORDS];
} carom_vote;
// Replaces the vote of each rank by that of all. A NaN in `most` wins over every number.
void carom_parallel_vote(carom_vote *vote);

// The largest of each value, on all ranks; a NaN wins over every number.
void carom_parallel_most(double *values, int count);
// `width` bytes of each rank in the order of ranks, on all of them.
void carom_parallel_exchange(const void *mine, size_t width, void *all);

// Sums over all ranks, on all of them: modulo 2^64, and exact.
void carom_parallel_sum_words(uint64_t *words, int count);
void carom_parallel_sum_exact(carom_exact *sums, int count);

// Which entries of an array of all ranks each rank has: rank r those of begin[r] to begin[r + 1] - 1 in the order of ranks.
// All ranks have the whole array.
typedef struct carom_shares {
    int64_t *begin; // size + 1 numbers
} carom_shares;
// From the number of entries of each rank.
carom_status carom_shares_create(int64_t count, carom_shares *shares, carom_error *error);
void carom_shares_release(carom_shares *shares);

// Entries of `width` bytes: those of each rank in `mine`, those of all in `all`, rank after rank. To rank 0 alone (`all` may be
// NULL on the others), to all ranks, and from rank 0 back. Any number of bytes: longer arrays than MPI can count go in pieces.
void carom_parallel_gather(const carom_shares *shares, const void *mine, size_t width, void *all);
void carom_parallel_gather_all(const carom_shares *shares, const void *mine, size_t width, void *all);
void carom_parallel_scatter(const carom_shares *shares, const void *all, size_t width, void *mine);

// Bytes from rank 0 to one other rank; between these two alone.
void carom_parallel_give(int rank, const void *bytes, int64_t size);
void carom_parallel_take(void *bytes, int64_t size);

// Ghosts: entries of a local array that another rank owns. `owned` entries stand first; ghost i stands at owned + i and is
// entry `place[i]` of rank `owner[i]`.
typedef struct carom_halo carom_halo;
carom_status carom_halo_create(int owned, int ghosts, const int *owner, const int *place, int width, carom_halo **halo,
                               carom_error *error);
void carom_halo_release(carom_halo *halo);
// Brings `width` doubles of each ghost from its owner. Between begin and end the owned entries may be read, the ghosts not.
void carom_halo_begin(carom_halo *halo, double *values);
void carom_halo_end(carom_halo *halo, double *values);

// The reverse: each owned entry becomes the maximum of its own value and those of its ghosts, number by number.
void carom_halo_most(carom_halo *halo, double *values);

// The communicator of this process alone, for libraries written in Fortran (MUMPS).
int carom_parallel_self(void);

#endif
