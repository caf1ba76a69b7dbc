// SPDX-License-Identifier: MIT
// Checkpoints of a run, and the data of steps to which a failed run returns.
#include "sim/saves.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/platform.h"
#include "base/profile.h"
#include "model/state.h"
#include "output/frames/traces.h"
#include "sim/collect.h"
#include "sim/watch.h"

// Raised with every change of carom_run_record.
enum { RECORD_VERSION = 8 };

typedef carom_running run;

// The record of the present step with the traces behind it, to be freed; NULL if memory is short. The files must have been
// written up to the bookmark before it is saved.
static char *make_blob(const run *r, const carom_bookmark *bookmark, size_t *blob_size) {
    carom_run_record record;
    // Padding included: no byte of the file is undefined.
    memset(&record, 0, sizeof record);
    record.version = RECORD_VERSION;
    record.tally = r->tally;
    record.audit_every = r->audit_every;
    record.bookmark = *bookmark;
    record.bookmark.history_every = r->history_every;
    record.bookmark.fields_every = r->fields_every;
    size_t size = 0, more = 0;
    const void *traces = carom_output_traces(r->output, &size);
    const void *memory = carom_output_probe_memory(r->output, &more);
    *blob_size = sizeof record + size + more;
    char *blob = carom_allocate((int64_t)*blob_size, 1);
    if (!blob)
        return NULL;
    memcpy(blob, &record, sizeof record);
    if (size)
        memcpy(blob + sizeof record, traces, size);
    if (more)
        memcpy(blob + sizeof record + size, memory, more);
    return blob;
}

carom_status carom_save_blob(run *r, const char *blob, size_t size, carom_error *error) {
    carom_status status =
        blob || !carom_sim_first(r->sim) ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for the checkpoint");
    status = CAROM_SIM_AGREE(r->sim, status, error);
    if (!status)
        status = carom_checkpoint_write(r->sim, r->checkpoint, blob, size, error);
    if (!status)
        r->checkpoint_step = r->state->step;
    r->checkpoint_clock = carom_profile_seconds();
    return status;
}

// Flushes the files up to the present step; `blob` is what a checkpoint stores about them.
static carom_status close_step(run *r, char **blob, size_t *size, carom_error *error) {
    carom_bookmark bookmark;
    carom_status status = carom_output_contacts(r->output, carom_sim_outline(r->sim), error);
    carom_profile *profile = &r->sim->stepper.profile;
    carom_phase before = carom_profile_enter(profile, CAROM_PHASE_WAITING);
    if (!status)
        status = carom_output_wait(r->output, error);
    carom_profile_enter(profile, before);
    if (!status)
        status = carom_output_bookmark(r->output, &bookmark, error);
    if (!status)
        *blob = make_blob(r, &bookmark, size);
    return status;
}

// Saves a checked state with the positions in the output files. The bookmark flushes the files first, so everything before a
// position is on disk when a checkpoint refers to it.
carom_status carom_save_checkpoint(run *r, carom_error *error) {
    char *blob = NULL;
    size_t size = 0;
    carom_status status = carom_sim_accept(r->sim, error);
    if (!status && r->output)
        status = close_step(r, &blob, &size, error);
    status = CAROM_SIM_AGREE(r->sim, status, error);
    if (!status)
        status = carom_save_blob(r, blob, size, error);
    free(blob);
    return status;
}

// Replaces a blob by one with the positions that the files will have.
static carom_status note_place(const run *r, char **blob, size_t *size, carom_error *error) {
    carom_bookmark bookmark;
    carom_output_place(r->output, &bookmark);
    free(*blob);
    *blob = make_blob(r, &bookmark, size);
    return *blob ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for the checkpoint");
}

carom_status carom_save_framed(run *r, const carom_state *whole, carom_error *error) {
    carom_status status = note_place(r, &r->framed, &r->framed_size, error);
    if (!status && !r->framed_state)
        status = carom_state_create_like(whole, &r->framed_state, error);
    if (status)
        return status;
    carom_state_copy(r->framed_state, whole);
    r->framed_tally = r->tally;
    return CAROM_OK;
}

// Stores the positions in the files at the last step whose audit balanced: a run that ends by an unbalanced ledger returns
// there, and what was written since is removed on resuming.
carom_status carom_save_balanced(run *r, carom_error *error) {
    if (!r->writes || r->sim->balanced->step != r->state->step)
        return CAROM_OK;
    carom_status status = r->output ? carom_output_contacts(r->output, carom_sim_outline(r->sim), error) : CAROM_OK;
    if (!status && r->output)
        status = note_place(r, &r->balanced, &r->balanced_size, error);
    return CAROM_SIM_AGREE(r->sim, status, error);
}

carom_status carom_save_due(run *r, bool keeps, carom_error *error) {
    carom_status status = carom_sim_accept(r->sim, error);
    if (status || !carom_watch_may_save(r->sim, keeps))
        return status;
    status = carom_save_checkpoint(r, error);
    return status ? status : carom_save_balanced(r, error);
}

// The numbers of a record that are cadences, counts, steps or sizes. There is at most one frame in a step, and a second one
// where a failed run returned.
static carom_status check_record(const run *r, const carom_run_record *record, carom_error *error) {
    const carom_bookmark *mark = &record->bookmark;
    const carom_tally *tally = &record->tally;
    const struct {
        const char *name;
        int64_t value, least, most;
    } rows[] = {
        {"history.every", mark->history_every, 1, INT32_MAX},
        {"fields.every", mark->fields_every, 0, INT32_MAX},
        {"contacts.every", mark->contacts_every, 0, INT32_MAX},
        {"audit steps", record->audit_every, 0, INT32_MAX},
        {"frames", mark->frames, 0, 2 * r->state->step + 2},
        {"size of history.csv", mark->history_size, 0, INT64_MAX},
        {"size of probes.csv", mark->probes_size, 0, INT64_MAX},
        {"size of probes_samples.csv", mark->samples_size, 0, INT64_MAX},
        {"size of pairs.csv", mark->pairs_size, 0, INT64_MAX},
        {"size of contacts.csv", mark->contacts_size, 0, INT64_MAX},
        {"size of fields.pvd", mark->pvd_size, 0, INT64_MAX},
        {"memory of probes", mark->probe_bytes, 0, INT64_MAX},
        {"step of a row", mark->row_step, -1, INT64_MAX},
        {"step of a frame", mark->frame_step, -1, INT64_MAX},
        {"step of a sample", mark->sample_step, -1, INT64_MAX},
        {"step of a row", tally->row_step, -1, INT64_MAX},
        {"step of an audit", tally->audit_step, -1, INT64_MAX},
        {"audits", tally->audits, 0, INT64_MAX},
        {"intersections", tally->intersections, 0, INT64_MAX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].value < rows[i].least || rows[i].value > rows[i].most)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "%s holds a damaged record: '%s' is %" PRId64 ", expected %" PRId64 " to %" PRId64, r->checkpoint,
                              rows[i].name, rows[i].value, rows[i].least, rows[i].most);
    return CAROM_OK;
}

// The record is copied out of the bytes behind the state. Checkpoints of carom_sim_save have none: they belong to programs with
// their own loop.
static carom_status take_record(const run *r, const void *blob, size_t size, carom_run_record *record, carom_error *error) {
    if (size >= sizeof *record)
        memcpy(record, blob, sizeof *record);
    if (size < sizeof *record || record->version != RECORD_VERSION)
        return carom_fail(error, CAROM_BAD_INPUT, "cannot resume: %s was not written by a run of this version of carom",
                          r->checkpoint);
    return check_record(r, record, error);
}

// The record, and the bytes of the traces behind it; the blob is to be freed.
carom_status carom_save_read(run *r, carom_run_record *record, void **blob, size_t *size, carom_error *error) {
    // a missing checkpoint is an error of the user, not of the disk
    struct stat info;
    carom_status status = CAROM_OK;
    if (carom_sim_first(r->sim) && stat(r->checkpoint, &info) != 0 && (errno == ENOENT || errno == ENOTDIR))
        status =
            carom_fail(error, CAROM_BAD_INPUT, "there is nothing to resume: %s holds no checkpoint", r->def->output->directory);
    status = CAROM_SIM_AGREE(r->sim, status, error);
    if (!status)
        status = carom_checkpoint_read(r->sim, r->checkpoint, blob, size, error);
    if (status)
        return status;
    if (carom_sim_first(r->sim))
        status = take_record(r, *blob, *size, record, error);
    status = CAROM_SIM_AGREE(r->sim, status, error);
    if (status)
        return status;
    carom_sim_report(r->sim, record, sizeof *record);
    if (r->state->step > carom_sim_step_count(r->sim))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "cannot resume: the run in %s has reached time %g, which is later than time.end",
                          r->def->output->directory, r->state->time);
    r->tally = record->tally;
    r->checkpoint_step = r->state->step;
    return CAROM_OK;
}
