// SPDX-License-Identifier: MIT
// One object for all files of a run: history, probes, pairs, contacts and fields. It resolves the cadence `auto`, refuses a run
// before anything is removed, decides when buffered rows are written, and stores the positions in the files in a bookmark.
#include "output/run/output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/profile.h"
#include "model/state.h"
#include "output/frames/fields.h"
#include "output/run/directory.h"
#include "output/run/resume.h"
#include "output/tables/contacts.h"
#include "output/tables/history.h"
#include "output/tables/pairs.h"
#include "output/tables/probes.h"
#include "output/tables/samples.h"

enum {
    AUTO_ROWS = 1000,  // of a history with cadence `auto`: enough for any figure
    AUTO_FRAMES = 100, // of an animation with cadence `auto`: four seconds at 25 frames per second
    HEARD_MAX = 10000  // impulses in memory before the state must be checked and they are written: a few megabytes
};

// Rows appear in the files with at most this delay.
static const double flush_seconds = 0.5;
// Rows at larger intervals than this are written one by one: the cost of the system calls is then negligible.
static const double slow_row_seconds = 0.05;
// A printed number with its comma, on average.
static const double bytes_per_number = 20;

struct carom_output {
    const carom_output_def *def;
    carom_history history;
    carom_probes probes;
    carom_samples samples;
    carom_pair_table pairs;
    carom_contacts contacts;
    carom_fields fields;
    carom_frame_forecast forecast; // of the frames
    int64_t row_step, frame_step, sample_step;
    int64_t frame_before; // the step of the frame before the last one, which is in its file
    bool lost;            // the last frame could not be written
    uint64_t probes_hash;
    double sample_interval; // of probes with a filter; 0: there are none
    double row_time;        // clock at the last row
    double flush_time;      // clock at the last flush
};

// Defaults for C programs; those of scene files are in the table of keys.
carom_output_def carom_default_output_def(void) {
    return (carom_output_def){
        .directory = "out",
        .history_every = CAROM_AUTO,
        .history_peaks = true,
        .fields_every = CAROM_AUTO,
        .fields_format = CAROM_FIELDS_VTU,
        .contacts_every = 1,
        .force_window = NAN,
    };
}

carom_probe_def carom_default_probe_def(void) {
    return (carom_probe_def){.where = carom_default_selection(), .position = true, .displacement = true, .velocity = true};
}

// Steps between two outputs: as requested, or for `auto` so that a run of `steps` steps gives about `count`
// of them.
static int cadence(int asked, int64_t steps, int64_t count) {
    if (asked != CAROM_AUTO)
        return asked;
    int64_t every = (steps + count - 1) / count;
    if (every < 1)
        every = 1;
    return every > INT32_MAX ? INT32_MAX : (int)every;
}

int carom_output_history_every(const carom_output_def *def, int64_t steps) {
    // the history cannot be switched off: its first and last row always exist, and 0 falls back to `auto`
    return cadence(def->history_every > 0 ? def->history_every : CAROM_AUTO, steps, AUTO_ROWS);
}

int carom_output_fields_every(const carom_output_def *def, int64_t steps) {
    return cadence(def->fields_every, steps, AUTO_FRAMES);
}

bool carom_output_has_frames(const carom_output_def *def) {
    return def->fields_every != 0 || def->fields_at_count > 0;
}

int carom_output_frame_every(const carom_output *output) {
    return output->forecast.every;
}

void carom_output_frame_note(const carom_output *output, char *text, size_t size) {
    carom_output_forecast_text(output->def, &output->forecast, text, size);
}

// Resolves `auto` settings. A resumed run continues with its original settings, also if its end was changed.
static carom_status plan_frames(const carom_output_def *def, const carom_grid *grid, const carom_output_plan *plan,
                                const carom_bookmark *resume, carom_frame_plan *frames, carom_error *error) {
    carom_output_def asked = *def;
    bool goes_on = resume && resume->frames > 0;
    if (goes_on && def->fields_every == CAROM_AUTO && resume->fields_every > 0)
        asked.fields_every = resume->fields_every;
    if (goes_on && def->fields_precision == CAROM_PRECISION_AUTO)
        asked.fields_precision = resume->single ? CAROM_PRECISION_SINGLE : CAROM_PRECISION_DOUBLE;
    if (goes_on && def->fields_compress == CAROM_SWITCH_AUTO)
        asked.fields_compress = resume->compress ? CAROM_SWITCH_ON : CAROM_SWITCH_OFF;
    if (goes_on && def->fields_surface == CAROM_SWITCH_AUTO)
        asked.fields_surface = resume->surface ? CAROM_SWITCH_ON : CAROM_SWITCH_OFF;
    carom_status status = carom_frame_plan_make(&asked, grid, plan->steps, frames, error);
    if (goes_on)
        frames->style.reduced = resume->reduced;
    return status;
}

// Estimates the bytes that the run will write, without the samples of probes with a filter.
static double estimate(const carom_output_def *def, const carom_model *model, const carom_output_plan *plan,
                       const carom_frame_plan *frames) {
    int columns = carom_history_columns(model, carom_history_choose(def, model, plan->damped));
    if (def->probe_count > 0)
        columns += carom_probes_columns(def->probes, def->probe_count);
    // the number of pairs and contacts is unknown: assume one of each per row
    columns += (def->history_pairs ? carom_pairs_columns() : 0) + (def->contacts ? carom_contacts_columns() : 0);
    double bytes = (double)plan->rows * columns * bytes_per_number;
    // a checkpoint of about twelve numbers per node, and the next one, which is written before the first is
    // removed
    bytes += 2 * 12.0 * sizeof(double) * carom_model_node_count(model);
    int64_t left = (frames->every > 0 ? (plan->steps - plan->step) / frames->every + 2 : 0) + def->fields_at_count;
    return bytes + frames->fixed_bytes + (double)left * frames->frame_bytes;
}

// Opens the files of the definition. Sizes in the bookmark are 0 for files that the interrupted
// run did not write; these start again.
static carom_status open_files(carom_output *output, const carom_model *model, const carom_output_plan *plan,
                               const carom_frame_plan *frames, carom_grid *grid, const carom_bookmark *resume,
                               carom_error *error) {
    const carom_output_def *def = output->def;
    // the history always exists; all other files are optional
    char path[CAROM_PATH_MAX];
    snprintf(path, sizeof path, "%s/history.csv", def->directory);
    carom_status status = carom_history_open(&output->history, path, model, carom_history_choose(def, model, plan->damped),
                                             resume ? resume->history_size : -1, error);
    if (resume)
        output->history.last = resume->cells;
    if (!status && def->probe_count > 0) {
        snprintf(path, sizeof path, "%s/probes.csv", def->directory);
        status = carom_probes_open(&output->probes, path, model, def->probes, def->probe_count,
                                   resume && resume->probes_size > 0 ? resume->probes_size : -1, error);
    }
    if (!status && output->sample_interval > 0)
        status =
            carom_samples_open(&output->samples, def->directory, model, def->probes, def->probe_count, output->sample_interval,
                               resume && resume->samples_size > 0 ? resume->samples_size : -1, error);
    if (!status && def->history_pairs) {
        snprintf(path, sizeof path, "%s/pairs.csv", def->directory);
        bool goes_on = resume && resume->pairs_size > 0;
        status = carom_pairs_open(&output->pairs, path, def->pairs_most, goes_on ? resume->pairs_size : -1,
                                  goes_on ? &resume->pair_sums : NULL, error);
    }
    if (!status && def->contacts) {
        snprintf(path, sizeof path, "%s/contacts.csv", def->directory);
        status = carom_contacts_open(&output->contacts, path, def->contacts_every > 0 ? def->contacts_every : 1,
                                     resume && resume->contacts_size > 0 ? resume->contacts_size : -1, error);
    }
    const carom_fields_def fields = {.directory = def->directory,
                                     .format = def->fields_format,
                                     .deflate = def->fields_compress != CAROM_SWITCH_OFF,
                                     .style = frames->style,
                                     .resume_frames = resume && resume->frames > 0 ? resume->frames : -1,
                                     .pvd_size = resume ? resume->pvd_size : -1};
    if (!status && carom_output_has_frames(def))
        status = carom_fields_open(&output->fields, &fields, grid, error);
    return status;
}

// All reasons to refuse the run, before anything is removed.
static carom_status check(const carom_output_def *def, const carom_model *model, const carom_output_plan *plan,
                          const carom_bookmark *resume, const carom_grid *grid, carom_frame_plan *frames, carom_error *error) {
    carom_status status = carom_output_has_frames(def) ? plan_frames(def, grid, plan, resume, frames, error) : CAROM_OK;
    // a new run may count on the space of the results that it replaces
    if (!status)
        status = carom_directory_check_space(def->directory, estimate(def, model, plan, frames), resume == NULL, error);
    if (!status && carom_output_has_frames(def) && !carom_output_supports((carom_field_format)def->fields_format))
        status = carom_fail(error, CAROM_BAD_INPUT,
                            "this build of carom cannot write .vtkhdf files (build it with the CMake option CAROM_HDF5=ON)");
    if (!status && resume)
        status = carom_resume_check(def, model, resume, &frames->style, error);
    return status;
}

// Opens the files of a run that was accepted.
static carom_status begin(const carom_output_def *def, const carom_model *model, const carom_output_plan *plan,
                          const carom_bookmark *resume, carom_grid *grid, const carom_frame_plan *frames, carom_output **result,
                          carom_error *error) {
    carom_output *output = carom_allocate(1, sizeof *output);
    if (!output)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the output");
    output->def = def;
    output->forecast = carom_frame_plan_report(frames);
    output->sample_interval = plan->sample_interval;
    // mark all files as closed, so that a failure halfway can close all of them
    output->history.csv.fd = output->probes.csv.fd = output->fields.pvd.fd = -1;
    output->pairs.csv.fd = output->contacts.csv.fd = output->samples.csv.fd = -1;
    output->row_step = resume ? resume->row_step : -1;
    output->sample_step = resume ? resume->sample_step : -1;
    output->frame_step = output->frame_before = resume ? resume->frame_step : -1;
    output->flush_time = output->row_time = carom_profile_seconds();
    carom_status status = carom_probes_hash(def->probes, def->probe_count, model, &output->probes_hash, error);
    if (!status)
        status = open_files(output, model, plan, frames, grid, resume, error);
    if (status) {
        carom_output_close(output, NULL);
        return status;
    }
    *result = output;
    return CAROM_OK;
}

carom_status carom_output_open(const carom_output_def *def, const carom_model *model, const carom_output_plan *plan,
                               const carom_bookmark *resume, carom_output **result, carom_error *error) {
    carom_grid grid = {0};
    carom_frame_plan frames = {0};
    // all checks come before anything is removed
    carom_status status = carom_style_check(def, model, plan->result, NULL, error);
    if (!status)
        status = carom_directory_check_owner(def->directory, error);
    if (!status)
        status = carom_directory_prepare(def->directory, error);
    if (!status && carom_output_has_frames(def))
        status = carom_grid_create(model, plan->result, &grid, error);
    if (!status)
        status = check(def, model, plan, resume, &grid, &frames, error);
    if (!status && !resume)
        status = carom_directory_clear(def->directory, error);
    if (!status)
        status = begin(def, model, plan, resume, &grid, &frames, result, error);
    carom_grid_release(&grid);
    return status;
}

// The same with each table, up to the first failure.
static carom_status with_tables(carom_output *output, carom_status act(carom_csv *csv, carom_error *error),
                                carom_error *error) {
    carom_csv *const tables[] = {&output->history.csv, &output->probes.csv, &output->pairs.csv, &output->contacts.csv,
                                 &output->samples.csv};
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !status; i++)
        status = act(tables[i], error);
    return status;
}

// Writes the pending rows of all tables; `seconds` becomes the time of the last flush.
static carom_status flush(carom_output *output, double seconds, carom_error *error) {
    output->flush_time = seconds;
    return with_tables(output, carom_csv_flush, error);
}

// A failed row does not change row_step: the run ends with the last step that is in the files.
carom_status carom_output_row(carom_output *output, const carom_state *state, const carom_ledger_row *row, carom_error *error) {
    carom_status status = carom_history_row(&output->history, state, row, error);
    if (!status && output->def->probe_count > 0)
        status = carom_probes_row(&output->probes, state, error);
    if (!status && output->def->history_pairs)
        status = carom_pairs_row(&output->pairs, state, error);
    if (status)
        return status;
    output->row_step = state->step;

    // flush if rows come slowly, if the last flush is long ago, or if much is buffered
    double seconds = carom_profile_seconds();
    bool due = seconds - output->row_time > slow_row_seconds || seconds - output->flush_time > flush_seconds ||
               carom_csv_crowded(&output->history.csv) || carom_csv_crowded(&output->probes.csv) ||
               carom_csv_crowded(&output->pairs.csv);
    output->row_time = seconds;
    return due ? flush(output, seconds, error) : CAROM_OK;
}

carom_status carom_output_sample(carom_output *output, const carom_state *state, carom_error *error) {
    if (state->step <= output->sample_step)
        return CAROM_OK;
    carom_status status = carom_samples_row(&output->samples, state, error);
    if (!status)
        output->sample_step = state->step;
    return status;
}

carom_status carom_output_frame(carom_output *output, const carom_state *state, carom_error *error) {
    if (!carom_output_has_frames(output->def))
        return CAROM_OK;
    carom_status status = carom_fields_frame(&output->fields, state, error);
    if (status)
        return status;
    output->frame_before = output->frame_step;
    output->frame_step = state->step;
    return CAROM_OK;
}

bool carom_output_is_concurrent(const carom_output *output) {
    return carom_fields_is_concurrent(&output->fields);
}

// Passes on the status of the thread that writes frames: a frame that failed is no longer counted.
static carom_status note_frame_status(carom_output *output, carom_status status) {
    if (status && !output->lost) {
        output->lost = true;
        output->frame_step = output->frame_before;
    }
    return status;
}

carom_status carom_output_check(carom_output *output, carom_error *error) {
    return note_frame_status(output, carom_fields_check(&output->fields, error));
}

carom_status carom_output_wait(carom_output *output, carom_error *error) {
    return note_frame_status(output, carom_fields_wait(&output->fields, error));
}

bool carom_output_has_lost(const carom_output *output) {
    return output->lost;
}

// Contacts need every impulse for contacts.csv; frames need them for the contact state of the nodes.
bool carom_output_needs_impulses(const carom_output *output) {
    return output && (output->def->contacts || carom_output_has_frames(output->def));
}

void carom_output_record(carom_output *output, const carom_model *model, const carom_hit *hit, int64_t step) {
    if (output->def->contacts)
        carom_contacts_record(&output->contacts, hit, step);
    if (carom_output_has_frames(output->def))
        carom_traces_record(&output->fields.grid.traces, model, hit, step);
}

bool carom_output_is_full(const carom_output *output) {
    return output->contacts.count >= HEARD_MAX;
}

carom_status carom_output_contacts(carom_output *output, const carom_state *state, carom_error *error) {
    if (!output->def->contacts)
        return CAROM_OK;
    carom_status status = carom_contacts_write(&output->contacts, state, error);
    return !status && carom_csv_crowded(&output->contacts.csv) ? carom_csv_flush(&output->contacts.csv, error) : status;
}

int64_t carom_output_row_step(const carom_output *output) {
    return output->row_step;
}

int64_t carom_output_frame_step(const carom_output *output) {
    return output->frame_step;
}

carom_status carom_output_tick(carom_output *output, double seconds, carom_error *error) {
    if (seconds - output->flush_time < flush_seconds)
        return CAROM_OK;
    return flush(output, seconds, error);
}

// The size that a table will have when its pending rows are written.
static int64_t place_in(const carom_csv *csv) {
    return csv->size + (int64_t)csv->pending.size;
}

void carom_output_place(const carom_output *output, carom_bookmark *bookmark) {
    // the caller adds the cadences
    *bookmark = (carom_bookmark){
        .history_size = place_in(&output->history.csv),
        .probes_size = place_in(&output->probes.csv),
        .pairs_size = place_in(&output->pairs.csv),
        .contacts_size = place_in(&output->contacts.csv),
        .pvd_size = output->fields.pvd_size,
        .frames = output->fields.frames,
        .row_step = output->row_step,
        .sample_step = output->sample_step,
        .frame_step = output->frame_step,
        .pair_sums = output->pairs.last,
        .trace_time = output->fields.grid.traces.time,
        .probes_hash = output->probes_hash,
        .probe_bytes = (int64_t)output->probes.count * (int64_t)sizeof *output->probes.memory,
        .samples_size = place_in(&output->samples.csv),
        .fields_format = output->def->fields_format,
        .contacts_every = output->def->contacts_every,
        .single = output->fields.style.single,
        .compress = output->fields.style.compress,
        .surface = output->fields.style.surface,
        .reduced = output->fields.style.reduced,
        .names_hash = carom_style_names_hash(output->def),
        .cells = output->history.last,
    };
}

// Tables are synchronised first: a checkpoint must never point beyond the data on the disk.
carom_status carom_output_sync(carom_output *output, carom_error *error) {
    return with_tables(output, carom_csv_sync, error);
}

carom_status carom_output_bookmark(carom_output *output, carom_bookmark *bookmark, carom_error *error) {
    carom_status status = carom_output_wait(output, error);
    if (!status)
        status = carom_output_sync(output, error);
    carom_output_place(output, bookmark);
    return status;
}

const void *carom_output_traces(const carom_output *output, size_t *size) {
    const carom_traces *traces = &output->fields.grid.traces;
    *size = (size_t)traces->count * sizeof *traces->items;
    return traces->items;
}

const void *carom_output_probe_memory(const carom_output *output, size_t *size) {
    *size = (size_t)output->probes.count * sizeof *output->probes.memory;
    return output->probes.memory;
}

void carom_output_restore_traces(carom_output *output, const carom_bookmark *bookmark, const carom_state *state,
                                 const void *bytes, size_t size) {
    carom_traces *traces = &output->fields.grid.traces;
    size_t own = 0;
    carom_output_probe_memory(output, &own);
    bool remembered = own > 0 && own == (size_t)bookmark->probe_bytes && own <= size;
    size -= (size_t)bookmark->probe_bytes <= size ? (size_t)bookmark->probe_bytes : 0;
    // data of other probes are discarded
    carom_probes_restore(&output->probes, remembered ? (const char *)bytes + size : NULL, state);
    // no frames in this run
    if (traces->count == 0)
        return;
    // the interrupted run wrote no frames: contact counts from the present state on
    if (size != (size_t)traces->count * sizeof *traces->items) {
        carom_traces_begin(traces, state);
        return;
    }
    memcpy(traces->items, bytes, size);
    traces->time = bookmark->trace_time;
}

carom_status carom_output_filter(carom_output *output, carom_filtered_peak **peaks, int *peak_count, carom_error *error) {
    *peaks = NULL;
    *peak_count = 0;
    return output ? carom_samples_filter(&output->samples, peaks, peak_count, error) : CAROM_OK;
}

static carom_status first_of(carom_status status, carom_status next) {
    return status ? status : next;
}

carom_status carom_output_close(carom_output *output, carom_error *error) {
    if (!output)
        return CAROM_OK;
    // close all files; report the first failure
    carom_error later;
    carom_status status = carom_history_close(&output->history, error);
    status = first_of(status, carom_probes_close(&output->probes, status ? &later : error));
    status = first_of(status, carom_samples_close(&output->samples, status ? &later : error));
    status = first_of(status, carom_csv_close(&output->pairs.csv, status ? &later : error));
    status = first_of(status, carom_contacts_close(&output->contacts, status ? &later : error));
    status = first_of(status, carom_fields_close(&output->fields, status ? &later : error));
    free(output);
    return status;
}
