// SPDX-License-Identifier: MIT
// The functions of parallel.h for any number of processes, by MPI; values of nodes that several processes have (ghosts) are
// exchanged by PETSc's star forest (PetscSF). Only the main thread calls MPI.
//
// Messages of MPI are counted by int, so long arrays are sent in pieces. Sums of doubles are not used: their order, and with it
// their bits, would depend on the number of processes.
#include <math.h>
#include <petscsf.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "carom/version.h"
#include "math/fingerprint.h"
#include "parallel/insist.h"
#include "parallel/parallel.h"

// Bytes that a single message may have: far below 2^31, and long enough for the speed of the network.
enum { PIECE = 1 << 26 };

// Votes and exact sums are sent as bytes, so their structures must not contain padding.
_Static_assert(sizeof(carom_vote) == 8 * (CAROM_VOTE_VALUES + CAROM_VOTE_WORDS), "a vote has no padding");
_Static_assert(sizeof(carom_exact) == 8 * CAROM_EXACT_DIGITS + 16, "an exact sum has no padding");

static struct {
    int rank, size, neighbours; // neighbours: number of ranks on the machine of this one
    bool failed;                // the last carom_parallel_agree returned a failure
    MPI_Datatype vote_type, exact_type;
    MPI_Op vote_op, exact_op, most_op;
    int *counts, *places; // per rank: bytes of a message, and where they belong
    carom_profile *watch; // NULL: times are not measured
} world = {.size = 1, .neighbours = 1};

// Enters a phase of the profile; returns the previous one, to be entered again at its end.
static carom_phase enter(carom_phase phase) {
    return carom_profile_enter(world.watch, phase);
}

struct carom_halo {
    PetscSF forest;
    MPI_Datatype unit; // the doubles of one entry
    int owned, width;
};

// The larger value; NaN counts as the largest, although comparisons with it are false.
static double larger(double a, double b) {
    return isnan(a) || a > b ? a : b;
}

static void merge_votes(void *from, void *to, int *count, MPI_Datatype *type) {
    (void)type;
    carom_vote *a = from, *b = to;
    for (int i = 0; i < *count; i++) {
        for (int v = 0; v < CAROM_VOTE_VALUES; v++)
            b[i].most[v] = larger(a[i].most[v], b[i].most[v]);
        for (int w = 0; w < CAROM_VOTE_WORDS; w++)
            b[i].bits[w] |= a[i].bits[w];
    }
}

static void merge_values(void *from, void *to, int *count, MPI_Datatype *type) {
    (void)type;
    const double *a = from;
    double *b = to;
    for (int i = 0; i < *count; i++)
        b[i] = larger(a[i], b[i]);
}

static void merge_sums(void *from, void *to, int *count, MPI_Datatype *type) {
    (void)type;
    const carom_exact *a = from;
    carom_exact *b = to;
    for (int i = 0; i < *count; i++)
        carom_exact_merge(&b[i], &a[i]);
}

// Options of PETSc come from PETSC_OPTIONS alone: neither the arguments of carom nor a stray .petscrc reach it, and signals
// stay with carom.
static bool start_petsc(void) {
    return PetscOptionsSetValue(NULL, "-no_signal_handler", "true") == 0 &&
           PetscOptionsSetValue(NULL, "-skip_petscrc", "true") == 0 && PetscInitialize(NULL, NULL, NULL, NULL) == 0 &&
           PetscPushErrorHandler(PetscReturnErrorHandler, NULL) == 0;
}

bool carom_parallel_possible(void) {
    return true;
}

carom_status carom_parallel_start(carom_error *error) {
    int provided;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS || provided < MPI_THREAD_FUNNELED)
        return carom_fail(error, CAROM_BAD_INPUT, "MPI cannot be started with threads");
    if (!start_petsc())
        return carom_fail(error, CAROM_BAD_INPUT, "PETSc cannot be started");
    MPI_Comm machine;
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.size);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &world.neighbours);
    MPI_Comm_free(&machine);
    MPI_Type_contiguous(sizeof(carom_vote), MPI_BYTE, &world.vote_type);
    MPI_Type_contiguous(sizeof(carom_exact), MPI_BYTE, &world.exact_type);
    MPI_Type_commit(&world.vote_type);
    MPI_Type_commit(&world.exact_type);
    world.counts = carom_allocate(world.size, sizeof *world.counts);
    world.places = carom_allocate(world.size, sizeof *world.places);
    if (!world.counts || !world.places)
        return carom_no_memory(error, "the messages of processes");
    // All are commutative: the result does not depend on the order of ranks.
    MPI_Op_create(merge_votes, 1, &world.vote_op);
    MPI_Op_create(merge_values, 1, &world.most_op);
    MPI_Op_create(merge_sums, 1, &world.exact_op);
    return carom_parallel_compare_machines(carom_math_fingerprint() ^ (uint64_t)carom_version_number(), error);
}

void carom_parallel_stop(void) {
    MPI_Op_free(&world.vote_op);
    MPI_Op_free(&world.exact_op);
    MPI_Op_free(&world.most_op);
    MPI_Type_free(&world.vote_type);
    MPI_Type_free(&world.exact_type);
    free(world.counts);
    free(world.places);
    PetscFinalize();
    MPI_Finalize();
}

void carom_parallel_abort(int code) {
    MPI_Abort(MPI_COMM_WORLD, code);
    // MPI_Abort does not return.
    _Exit(code);
}

void carom_parallel_watch(carom_profile *profile) {
    world.watch = profile;
}

int carom_parallel_rank(void) {
    return world.rank;
}

int carom_parallel_size(void) {
    return world.size;
}

int carom_parallel_neighbours(void) {
    return world.neighbours;
}

// The status of the first rank with a failure, on all ranks. `place` is a number for the position of the call in the program.
// It differs between ranks only if one of them ran out of memory inside a collective operation and so reached another call of
// carom_parallel_agree than the others; then all ranks are ended.
static carom_status agree(carom_status status, uint64_t place, carom_error *error) {
    int code = status;
    uint64_t words[3] = {status ? (uint64_t)(world.size - world.rank) : 0, place, ~place};
    MPI_Allreduce(MPI_IN_PLACE, words, 3, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    int first = world.size - (int)words[0];
    world.failed = first < world.size;
    if (!world.failed)
        return CAROM_OK;
    // the ranks are at different calls, and the others cannot return from theirs
    if (status == CAROM_NO_MEMORY && words[1] != ~words[2] && first == world.rank)
        carom_parallel_abandon(status, error && error->message[0] ? error->message : "no memory");
    carom_error theirs = {0};
    if (error && status)
        theirs = *error;
    MPI_Bcast(&code, 1, MPI_INT, first, MPI_COMM_WORLD);
    MPI_Bcast(theirs.message, sizeof theirs.message, MPI_CHAR, first, MPI_COMM_WORLD);
    theirs.status = (carom_status)code;
    if (error)
        *error = theirs;
    return theirs.status;
}

carom_status carom_parallel_agree_at(const char *file, int line, carom_status status, carom_error *error) {
    carom_phase before = enter(CAROM_PHASE_AGREEMENT);
    status = agree(status, carom_hash((uint64_t)line, file, strlen(file)), error);
    enter(before);
    return status;
}

carom_status carom_parallel_agree(carom_status status, carom_error *error) {
    return CAROM_PARALLEL_AGREE(status, error);
}

bool carom_parallel_has_failed(void) {
    return world.failed;
}

bool carom_parallel_equal(uint64_t word) {
    uint64_t range[2] = {word, ~word};
    MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    // The largest and the least, which is the complement of the largest complement.
    return range[0] == ~range[1];
}

carom_status carom_parallel_compare_machines(uint64_t word, carom_error *error) {
    if (carom_parallel_equal(word))
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "machines compute differently: their processors, or their builds of carom, do not give the same bits");
}

void carom_parallel_vote(carom_vote *vote) {
    carom_phase before = enter(CAROM_PHASE_AGREEMENT);
    MPI_Allreduce(MPI_IN_PLACE, vote, 1, world.vote_type, world.vote_op, MPI_COMM_WORLD);
    enter(before);
}

void carom_parallel_most(double *values, int count) {
    carom_phase before = enter(CAROM_PHASE_AGREEMENT);
    MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, world.most_op, MPI_COMM_WORLD);
    enter(before);
}

void carom_parallel_exchange(const void *mine, size_t width, void *all) {
    carom_phase before = enter(CAROM_PHASE_EXCHANGE);
    MPI_Allgather(mine, (int)width, MPI_BYTE, all, (int)width, MPI_BYTE, MPI_COMM_WORLD);
    enter(before);
}

void carom_parallel_sum_words(uint64_t *words, int count) {
    carom_phase before = enter(CAROM_PHASE_AGREEMENT);
    MPI_Allreduce(MPI_IN_PLACE, words, count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    enter(before);
}

void carom_parallel_sum_exact(carom_exact *sums, int count) {
    carom_phase before = enter(CAROM_PHASE_AGREEMENT);
    MPI_Allreduce(MPI_IN_PLACE, sums, count, world.exact_type, world.exact_op, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        carom_exact_normalize(&sums[i]);
    enter(before);
}

void carom_parallel_broadcast(void *bytes, int64_t size) {
    carom_phase before = enter(CAROM_PHASE_EXCHANGE);
    for (int64_t begin = 0; begin < size; begin += PIECE) {
        int64_t piece = size - begin < PIECE ? size - begin : PIECE;
        MPI_Bcast((char *)bytes + begin, (int)piece, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
    enter(before);
}

carom_status carom_shares_create(int64_t count, carom_shares *shares, carom_error *error) {
    shares->begin = carom_allocate((size_t)world.size + 1, sizeof *shares->begin);
    carom_status status = shares->begin ? CAROM_OK : carom_no_memory(error, "the shares of processes");
    status = CAROM_PARALLEL_AGREE(status, error);
    if (status)
        return status;
    MPI_Allgather(&count, 1, MPI_INT64_T, shares->begin + 1, 1, MPI_INT64_T, MPI_COMM_WORLD);
    for (int r = 0; r < world.size; r++)
        shares->begin[r + 1] += shares->begin[r];
    return CAROM_OK;
}

void carom_shares_release(carom_shares *shares) {
    free(shares->begin);
    shares->begin = NULL;
}

static int64_t bytes_of(const carom_shares *shares, int rank, size_t width) {
    return (shares->begin[rank + 1] - shares->begin[rank]) * (int64_t)width;
}

static void send(const char *bytes, int64_t size, int to) {
    for (int64_t begin = 0; begin < size; begin += PIECE)
        MPI_Send(bytes + begin, (int)(size - begin < PIECE ? size - begin : PIECE), MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

static void receive(char *bytes, int64_t size, int from) {
    for (int64_t begin = 0; begin < size; begin += PIECE)
        MPI_Recv(bytes + begin, (int)(size - begin < PIECE ? size - begin : PIECE), MPI_BYTE, from, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

// The address of the entries of a rank in an array of all.
static char *place_of(const carom_shares *shares, int rank, size_t width, void *all) {
    return (char *)all + shares->begin[rank] * (int64_t)width;
}

void carom_parallel_gather(const carom_shares *shares, const void *mine, size_t width, void *all) {
    int64_t size = bytes_of(shares, world.rank, width);
    if (world.rank > 0) {
        send(mine, size, 0);
        return;
    }
    if (size > 0)
        memcpy(all, mine, (size_t)size);
    for (int r = 1; r < world.size; r++)
        receive(place_of(shares, r, width, all), bytes_of(shares, r, width), r);
}

// Each rank in turn broadcasts its entries.
static void broadcast_in_turn(const carom_shares *shares, size_t width, void *all) {
    for (int r = 0; r < world.size; r++) {
        char *bytes = place_of(shares, r, width, all);
        int64_t size = bytes_of(shares, r, width);
        for (int64_t begin = 0; begin < size; begin += PIECE)
            MPI_Bcast(bytes + begin, (int)(size - begin < PIECE ? size - begin : PIECE), MPI_BYTE, r, MPI_COMM_WORLD);
    }
}

static void gather_all(const carom_shares *shares, const void *mine, size_t width, void *all) {
    int64_t size = bytes_of(shares, world.rank, width);
    char *own = place_of(shares, world.rank, width, all);
    if (size > 0 && own != (const char *)mine)
        memmove(own, mine, (size_t)size);
    if (shares->begin[world.size] * (int64_t)width >= PIECE) {
        broadcast_in_turn(shares, width, all);
        return;
    }
    for (int r = 0; r < world.size; r++) {
        world.counts[r] = (int)bytes_of(shares, r, width);
        world.places[r] = (int)(shares->begin[r] * (int64_t)width);
    }
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, world.counts, world.places, MPI_BYTE, MPI_COMM_WORLD);
}

void carom_parallel_gather_all(const carom_shares *shares, const void *mine, size_t width, void *all) {
    carom_phase before = enter(CAROM_PHASE_EXCHANGE);
    gather_all(shares, mine, width, all);
    enter(before);
}

void carom_parallel_scatter(const carom_shares *shares, const void *all, size_t width, void *mine) {
    int64_t size = bytes_of(shares, world.rank, width);
    if (world.rank > 0) {
        receive(mine, size, 0);
        return;
    }
    if (size > 0)
        memcpy(mine, all, (size_t)size);
    for (int r = 1; r < world.size; r++)
        send((const char *)all + shares->begin[r] * (int64_t)width, bytes_of(shares, r, width), r);
}

void carom_parallel_give(int rank, const void *bytes, int64_t size) {
    send(bytes, size, rank);
}

void carom_parallel_take(void *bytes, int64_t size) {
    receive(bytes, size, 0);
}

// Leaves are the ghosts, roots the owned entries of other ranks; both are numbered in units of one entry.
static bool make_forest(carom_halo *halo, int ghosts, const int *owner, const int *place) {
    PetscInt *leaves;
    PetscSFNode *roots;
    if (PetscMalloc1((size_t)ghosts, &leaves) || PetscMalloc1((size_t)ghosts, &roots) ||
        PetscSFCreate(MPI_COMM_WORLD, &halo->forest))
        return false;
    for (int i = 0; i < ghosts; i++) {
        leaves[i] = halo->owned + i;
        roots[i] = (PetscSFNode){.rank = owner[i], .index = place[i]};
    }
    return PetscSFSetGraph(halo->forest, halo->owned, ghosts, leaves, PETSC_OWN_POINTER, roots, PETSC_OWN_POINTER) == 0 &&
           PetscSFSetUp(halo->forest) == 0;
}

carom_status carom_halo_create(int owned, int ghosts, const int *owner, const int *place, int width, carom_halo **made,
                               carom_error *error) {
    carom_halo *halo = carom_allocate(1, sizeof *halo);
    *made = halo;
    carom_status status = halo ? CAROM_OK : carom_no_memory(error, "the ghost exchange of processes");
    status = CAROM_PARALLEL_AGREE(status, error);
    if (status)
        return status;
    halo->owned = owned;
    halo->width = width;
    MPI_Type_contiguous(width, MPI_DOUBLE, &halo->unit);
    MPI_Type_commit(&halo->unit);
    if (!make_forest(halo, ghosts, owner, place))
        status = carom_fail(error, CAROM_NO_MEMORY, "PETSc could not create the ghost exchange");
    return CAROM_PARALLEL_AGREE(status, error);
}

void carom_halo_release(carom_halo *halo) {
    if (!halo)
        return;
    if (halo->forest)
        PetscSFDestroy(&halo->forest);
    if (halo->width)
        MPI_Type_free(&halo->unit);
    free(halo);
}

// Roots and leaves may lie in one array, because they are different entries.
void carom_halo_begin(carom_halo *halo, double *values) {
    carom_phase before = enter(CAROM_PHASE_EXCHANGE);
    PetscSFBcastBegin(halo->forest, halo->unit, values, values, MPI_REPLACE);
    enter(before);
}

void carom_halo_end(carom_halo *halo, double *values) {
    carom_phase before = enter(CAROM_PHASE_EXCHANGE);
    PetscSFBcastEnd(halo->forest, halo->unit, values, values, MPI_REPLACE);
    enter(before);
}

void carom_halo_most(carom_halo *halo, double *values) {
    carom_phase before = enter(CAROM_PHASE_EXCHANGE);
    PetscSFReduceBegin(halo->forest, halo->unit, values, values, MPI_MAX);
    PetscSFReduceEnd(halo->forest, halo->unit, values, values, MPI_MAX);
    enter(before);
}

int carom_parallel_self(void) {
    return MPI_Comm_c2f(MPI_COMM_SELF);
}
