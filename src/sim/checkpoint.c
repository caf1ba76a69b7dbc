// SPDX-License-Identifier: MIT
// Writes and reads a checkpoint: all of the state in one file, exact to the bit.
//
// Little-endian binary: magic, version, model hash, integrator and step, then time, ledger, pair records,
// arrays, and a block of the caller's; last a hash over everything before it. The file appears complete or not at all: it is
// written under another name, forced to disk, and renamed.
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "base/platform.h"
#include "model/limits.h"
#include "model/model.h"
#include "sim/collect.h"
#include "sim/kept_states.h"
#include "sim/sim.h"
#include "sim/watch.h"

// Identifies the file, and lets ownership.c recognise a checkpoint before it is replaced.
static const char magic[8] = "carom-cp";

// Raised whenever the layout of the file or of the ledger changes. Old files are refused, not converted: a resumed run must
// have the bits of one that was never interrupted.
enum { VERSION = 8 };

// Offset of the plain numbers of the ledger, after the exact sums.
static const size_t plain_books = offsetof(carom_books, initial_total);

// The fixed part of the file. Everything in it can be checked before a byte of the state is touched.
typedef struct header {
    char magic[8];
    int64_t version;
    uint64_t model_hash;
    char integrator[CAROM_NAME_MAX];
    double step_size;
    double time;
    int64_t step;
    int64_t books_size, pair_count, array_count, blob_size;
} header;

// A file that is written or read, with a hash of all bytes: the same functions serve both directions.
typedef struct stream {
    FILE *file;
    bool reads;
    uint64_t hash;
    bool failed;
} stream;

// Errors are collected and reported once, at the end: after a short write on a full disk nothing else matters, and after a
// short read the bytes are undefined.
static void put(stream *s, const void *bytes, size_t size) {
    if (size && !s->failed)
        s->failed = fwrite(bytes, size, 1, s->file) != 1;
    if (!s->failed)
        s->hash = carom_hash(s->hash, bytes, size);
}

static void get(stream *s, void *bytes, size_t size) {
    if (size && !s->failed)
        s->failed = fread(bytes, size, 1, s->file) != 1;
    if (!s->failed)
        s->hash = carom_hash(s->hash, bytes, size);
}

static void pass(stream *s, void *bytes, size_t size) {
    if (s->reads)
        get(s, bytes, size);
    else
        put(s, bytes, size);
}

// An exact sum: its digits in use, of 32 bits once carries are propagated. Runs on any number of threads write the same bytes.
static void pass_sum(stream *s, carom_exact *sum) {
    carom_exact normal;
    int32_t head[3] = {0}, digits[CAROM_EXACT_DIGITS];
    if (!s->reads) {
        memcpy(&normal, sum, sizeof normal);
        carom_exact_normalize(&normal);
        head[0] = normal.first, head[1] = normal.end, head[2] = (int32_t)normal.special;
        for (int d = normal.first; d < normal.end; d++)
            digits[d - normal.first] = (int32_t)normal.digit[d];
    }
    pass(s, head, sizeof head);
    // the hash at the end of the file is not known yet
    s->failed = s->failed || head[0] < 0 || head[1] < head[0] || head[1] > CAROM_EXACT_DIGITS;
    if (s->failed)
        return;
    pass(s, digits, (size_t)(head[1] - head[0]) * sizeof *digits);
    if (!s->reads)
        return;
    memset(sum, 0, sizeof *sum);
    sum->first = head[0];
    sum->end = head[1];
    sum->special = (uint32_t)head[2];
    for (int d = sum->first; d < sum->end && !s->failed; d++)
        sum->digit[d] = digits[d - sum->first];
}

// All that follows the header but the block of the caller and the hash; `ledger` is that of the state. An array of another name
// or size than that of the state is a failure.
static void pass_state(stream *s, const carom_state *state, carom_books *ledger, int pair_count) {
    pass(s, (char *)ledger + plain_books, sizeof *ledger - plain_books);
    pass(s, state->pairs, (size_t)pair_count * sizeof *state->pairs);
    pass(s, state->pair_firsts, (size_t)pair_count * sizeof *state->pair_firsts);
    // all exact sums of the ledger and of the pair records
    for (int a = 0; a < CAROM_ACCOUNTS; a++) {
        pass_sum(s, &ledger->booked.of[a]);
        pass_sum(s, &ledger->pending.of[a]);
    }
    for (int p = 0; p < pair_count; p++)
        for (int i = 0; i < CAROM_PAIR_SUMS; i++)
            pass_sum(s, &state->pair_sums[p].of[i]);
    for (int a = 0; a < state->array_count && !s->failed; a++) {
        const carom_state_array *own = &state->arrays[a];
        carom_state_array found = *own;
        pass(s, found.name, sizeof found.name);
        pass(s, &found.count, sizeof found.count);
        s->failed = s->failed || memcmp(found.name, own->name, sizeof found.name) != 0 || found.count != own->count;
        pass(s, own->values, s->failed ? 0 : (size_t)own->count * sizeof(double));
    }
}

static void pass_hash(stream *s) {
    uint64_t computed = s->hash, stored = computed;
    pass(s, &stored, sizeof stored);
    s->failed = s->failed || stored != computed;
}

// Members not listed here and unused bytes of the name are zero, because `match` compares the name as a block of memory.
static header header_of(const carom_sim *sim, const carom_state *state, size_t blob_size) {
    header h = {
        .version = VERSION,
        .model_hash = sim->model->hash,
        .step_size = sim->stepper.step,
        .time = state->time,
        .step = state->step,
        .books_size = sizeof state->books,
        .pair_count = state->pair_count,
        .array_count = state->array_count,
        .blob_size = (int64_t)blob_size,
    };
    memcpy(h.magic, magic, sizeof magic);
    strncpy(h.integrator, sim->stepper.method->kind.name, sizeof h.integrator - 1);
    return h;
}

static carom_status write_state(const carom_sim *sim, const carom_state *state, const char *path, const void *blob,
                                size_t blob_size, carom_error *error) {
    char temporary[CAROM_TEXT_MAX + 64];
    int length = snprintf(temporary, sizeof temporary, "%s.part", path);
    if (length >= (int)sizeof temporary)
        return carom_fail(error, CAROM_BAD_INPUT, "the path %.64s... is too long", path);
    // a link of that name, in a folder of a stranger, may lead to any file
    unlink(temporary);
    stream s = {.file = fopen(temporary, "wb"), .hash = CAROM_HASH_START};
    if (!s.file)
        return carom_fail(error, CAROM_IO, "cannot write %s: %s", temporary, strerror(errno));

    header h = header_of(sim, state, blob_size);
    carom_books ledger = state->books;
    put(&s, &h, sizeof h);
    pass_state(&s, state, &ledger, state->pair_count);
    put(&s, blob, blob_size);
    pass_hash(&s);

    // on disk before the file is renamed
    bool failed = s.failed || fflush(s.file) != 0 || carom_platform_sync(fileno(s.file)) != 0;
    // fclose may overwrite errno; the first cause is the one to report.
    int reason = errno;
    failed = (fclose(s.file) != 0) || failed;
    if (!failed && carom_platform_rename(temporary, path) == 0)
        return CAROM_OK;
    if (!failed)
        reason = errno;
    // A full disk leaves no fragment behind, and the previous checkpoint under `path` is intact.
    remove(temporary);
    return carom_fail(error, CAROM_IO, "cannot write %s: %s", path, strerror(reason));
}

carom_status carom_checkpoint_write(const carom_sim *sim, const char *path, const void *blob, size_t blob_size,
                                    carom_error *error) {
    // the method stores in the state what depends on the forces of the last kick: they cannot be recomputed later
    const carom_integrator *method = sim->stepper.method;
    if (method->oscillation)
        method->oscillation(&sim->stepper, sim->state);
    const carom_state *whole = carom_sim_collect(sim);
    carom_status status = whole ? write_state(sim, whole, path, blob, blob_size, error) : CAROM_OK;
    return CAROM_SIM_AGREE(sim, status, error);
}

static carom_status damaged(const char *path, carom_error *error) {
    return carom_fail(error, CAROM_BAD_INPUT, "%s is not a complete checkpoint", path);
}

// Checks that a file of `file_size` bytes belongs to this simulation. The caller's block may have any size up to that of the
// file: what the output stores per node grows with the model.
static carom_status match(const carom_sim *sim, const header *h, int64_t file_size, const char *path, carom_error *error) {
    header own = header_of(sim, sim->state, 0);
    if (memcmp(h->magic, own.magic, sizeof own.magic) != 0)
        return carom_fail(error, CAROM_BAD_INPUT, "%s is not a checkpoint of carom", path);
    if (h->version != own.version)
        return carom_fail(error, CAROM_BAD_INPUT, "%s has checkpoint format %lld, this program reads %d", path,
                          (long long)h->version, VERSION);
    if (memcmp(h->integrator, own.integrator, sizeof own.integrator) != 0)
        return carom_fail(error, CAROM_BAD_INPUT, "%s was written by integrator '%.63s', this run uses '%s'", path,
                          h->integrator, own.integrator);
    if (h->model_hash != own.model_hash)
        return carom_fail(error, CAROM_BAD_INPUT, "%s belongs to another model: the scene was changed since", path);
    // Velocities between two steps are valid for one step size only.
    if (h->step_size != own.step_size)
        return carom_fail(error, CAROM_BAD_INPUT, "%s was written with time step %.17g, this run uses %.17g", path,
                          h->step_size, own.step_size);
    if (h->array_count != own.array_count)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s holds %lld arrays of the state, this run has %lld: it was written with other settings, such as "
                          "time.follow or output.history.peaks",
                          path, (long long)h->array_count, (long long)own.array_count);
    // Sizes read from a file are checked before memory is allocated.
    if (h->books_size != own.books_size || h->pair_count < 0 || h->pair_count > CAROM_PAIR_RECORDS_MAX || h->blob_size < 0 ||
        h->blob_size > file_size)
        return damaged(path, error);
    return CAROM_OK;
}

// Time and step are set last, after the hash has been verified.
static carom_status read_state(carom_state *state, stream *s, const header *h, const char *path, void *blob,
                               carom_error *error) {
    pass_state(s, state, &state->books, (int)h->pair_count);
    get(s, blob, (size_t)h->blob_size);
    pass_hash(s);
    // A file with bytes after its hash was not written by carom.
    if (s->failed || fgetc(s->file) != EOF)
        return damaged(path, error);
    state->time = h->time;
    state->step = h->step;
    state->pair_count = (int)h->pair_count;
    return CAROM_OK;
}

double carom_saved_step(const char *path) {
    stream s = {.file = fopen(path, "rb"), .reads = true, .hash = CAROM_HASH_START};
    if (!s.file)
        return 0;
    header h;
    get(&s, &h, sizeof h);
    fclose(s.file);
    return !s.failed && memcmp(h.magic, magic, sizeof magic) == 0 && h.version == VERSION ? h.step_size : 0;
}

// Reads a file into a whole state. The blob is to be freed; a failure leaves the state undefined.
static carom_status read_file(const carom_sim *sim, carom_state *whole, const char *path, void **blob, size_t *blob_size,
                              carom_error *error) {
    stream s = {.file = fopen(path, "rb"), .reads = true, .hash = CAROM_HASH_START};
    if (!s.file)
        return carom_fail(error, CAROM_IO, "cannot read %s: %s", path, strerror(errno));

    header h;
    struct stat info;
    get(&s, &h, sizeof h);
    bool whole_head = !s.failed && fstat(fileno(s.file), &info) == 0;
    carom_status status = whole_head ? match(sim, &h, (int64_t)info.st_size, path, error) : damaged(path, error);
    void *bytes = status ? NULL : carom_allocate(h.blob_size, 1);
    if (!status && !bytes)
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory to read %s", path);
    if (!status)
        status = read_state(whole, &s, &h, path, bytes, error);
    fclose(s.file);
    if (status) {
        free(bytes);
        return status;
    }
    *blob = bytes;
    *blob_size = (size_t)h.blob_size;
    return CAROM_OK;
}

carom_status carom_checkpoint_read(carom_sim *sim, const char *path, void **blob, size_t *blob_size, carom_error *error) {
    *blob = NULL;
    *blob_size = 0;
    // A damaged file must not leave half of itself in the state. The present state is copied first; a failure returns to it.
    carom_status status = carom_sim_synchronize(sim, error);
    if (status)
        return status;
    carom_sim_keep(sim, sim->last_good, CAROM_COPY_GOOD);
    carom_state_write(sim->state, CAROM_ARRAYS_ALL | CAROM_ARRAYS_FORCES);
    carom_state *whole = carom_sim_whole(sim);
    status = whole ? read_file(sim, whole, path, blob, blob_size, error) : CAROM_OK;
    status = CAROM_SIM_AGREE(sim, status, error);
    if (!status) {
        carom_sim_spread(sim, whole);
        sim->stepper.stale = false;
        status = carom_state_examine(sim->state, sim->stepper.step, path, error);
        status = CAROM_SIM_AGREE(sim, status, error);
    }
    if (!status)
        status = carom_sim_accept(sim, error);
    if (!status) {
        carom_watch_resume(sim);
        return CAROM_OK;
    }
    carom_sim_return(sim);
    free(*blob);
    *blob = NULL;
    *blob_size = 0;
    return status;
}

carom_status carom_sim_save(const carom_sim *sim, const char *path, carom_error *error) {
    return carom_checkpoint_write(sim, path, NULL, 0, error);
}

carom_status carom_sim_load(carom_sim *sim, const char *path, carom_error *error) {
    void *blob;
    size_t size;
    carom_status status = carom_checkpoint_read(sim, path, &blob, &size, error);
    free(blob);
    return status;
}
