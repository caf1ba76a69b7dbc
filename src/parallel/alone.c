// SPDX-License-Identifier: MIT
// The functions of parallel.h for one process, where communication is trivial.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "parallel/parallel.h"

struct carom_halo {
    int owned;
};

bool carom_parallel_possible(void) {
    return false;
}

carom_status carom_parallel_start(carom_error *error) {
    (void)error;
    return CAROM_OK;
}

void carom_parallel_stop(void) {}

void carom_parallel_abort(int code) {
    _Exit(code);
}

void carom_parallel_watch(carom_profile *profile) {
    (void)profile;
}

int carom_parallel_rank(void) {
    return 0;
}

int carom_parallel_size(void) {
    return 1;
}

int carom_parallel_neighbours(void) {
    return 1;
}

carom_status carom_parallel_agree(carom_status status, carom_error *error) {
    (void)error;
    return status;
}

carom_status carom_parallel_agree_at(const char *file, int line, carom_status status, carom_error *error) {
    (void)file, (void)line, (void)error;
    return status;
}

bool carom_parallel_has_failed(void) {
    return false;
}

bool carom_parallel_equal(uint64_t word) {
    (void)word;
    return true;
}

carom_status carom_parallel_compare_machines(uint64_t word, carom_error *error) {
    (void)word, (void)error;
    return CAROM_OK;
}

void carom_parallel_vote(carom_vote *vote) {
    (void)vote;
}

void carom_parallel_most(double *values, int count) {
    (void)values;
    (void)count;
}

void carom_parallel_exchange(const void *mine, size_t width, void *all) {
    memcpy(all, mine, width);
}

void carom_parallel_sum_words(uint64_t *words, int count) {
    (void)words;
    (void)count;
}

void carom_parallel_sum_exact(carom_exact *sums, int count) {
    (void)sums;
    (void)count;
}

void carom_parallel_broadcast(void *bytes, int64_t size) {
    (void)bytes;
    (void)size;
}

carom_status carom_shares_create(int64_t count, carom_shares *shares, carom_error *error) {
    shares->begin = carom_allocate(2, sizeof *shares->begin);
    if (!shares->begin)
        return carom_no_memory(error, "the shares of processes");
    shares->begin[1] = count;
    return CAROM_OK;
}

void carom_shares_release(carom_shares *shares) {
    free(shares->begin);
    shares->begin = NULL;
}

static void copy(const carom_shares *shares, const void *from, size_t width, void *to) {
    if (shares->begin[1] > 0)
        memcpy(to, from, (size_t)shares->begin[1] * width);
}

void carom_parallel_gather(const carom_shares *shares, const void *mine, size_t width, void *all) {
    copy(shares, mine, width, all);
}

void carom_parallel_gather_all(const carom_shares *shares, const void *mine, size_t width, void *all) {
    copy(shares, mine, width, all);
}

void carom_parallel_scatter(const carom_shares *shares, const void *all, size_t width, void *mine) {
    copy(shares, all, width, mine);
}

void carom_parallel_give(int rank, const void *bytes, int64_t size) {
    (void)rank;
    (void)bytes;
    (void)size;
}

void carom_parallel_take(void *bytes, int64_t size) {
    (void)bytes;
    (void)size;
}

carom_status carom_halo_create(int owned, int ghosts, const int *owner, const int *place, int width, carom_halo **halo,
                               carom_error *error) {
    (void)owner;
    (void)place;
    (void)width;
    *halo = carom_allocate(1, sizeof **halo);
    if (!*halo)
        return carom_no_memory(error, "the ghost exchange of processes");
    (*halo)->owned = owned;
    return ghosts == 0 ? CAROM_OK : carom_fail(error, CAROM_BAD_INPUT, "one process owns all nodes, %d are missing", ghosts);
}

void carom_halo_release(carom_halo *halo) {
    free(halo);
}

void carom_halo_begin(carom_halo *halo, double *values) {
    (void)halo;
    (void)values;
}

void carom_halo_end(carom_halo *halo, double *values) {
    (void)halo;
    (void)values;
}

void carom_halo_most(carom_halo *halo, double *values) {
    (void)halo;
    (void)values;
}

int carom_parallel_self(void) {
    // MUMPS: the communicator of all, of which sequential MUMPS is the only member.
    return -987654;
}
