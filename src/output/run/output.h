// SPDX-License-Identifier: MIT
// Writes all files of a run while it proceeds (tables, frames), and stores the positions in them for a checkpoint.
#ifndef CAROM_OUTPUT_RUN_OUTPUT_H
#define CAROM_OUTPUT_RUN_OUTPUT_H

#include "carom/integrator.h"
#include "carom/output.h"
#include "contact/response.h"
#include "output/frames/style.h"
#include "output/tables/history.h"
#include "output/tables/pairs.h"

typedef struct carom_output carom_output;

// The position in every file. Plain numbers, stored in a checkpoint as they are.
typedef struct carom_bookmark {
    int64_t history_size, probes_size, pairs_size, contacts_size, pvd_size; // bytes; 0 if the file is not written
    int64_t frames;                                                         // written so far
    int64_t row_step, frame_step;        // steps of the last row and the last frame, -1 if there is none
    int32_t history_every, fields_every; // the cadence in use, after `auto` was resolved
    carom_pair_sums pair_sums;           // accumulated up to the last row
    double trace_time;                   // of the last frame
    uint64_t probes_hash;                // of the probes, see output/run/resume.h
    int64_t probe_bytes;                 // of the memory of probes, behind the traces
    int64_t samples_size, sample_step;   // bytes of probes_samples.csv, 0 if it is not written; step of its last row
    int32_t fields_format, contacts_every;
    int32_t single, compress, surface, reduced; // the style of the frames, after `auto` was resolved
    uint64_t names_hash;                        // of the list of their fields
    carom_cell_row cells;                       // of load cells, at the last row
} carom_bookmark;

// The amount of output to expect, for the check of free disk space.
typedef struct carom_output_plan {
    int64_t rows;                      // from now on
    int64_t step, steps;               // now, and at the end
    double sample_interval;            // time between samples of probes with a filter; 0: there are none
    bool damped;                       // the method damps (carom_method_arrays)
    const carom_method_result *result; // a vector per node that the integrator offers, for the frames; NULL: none
} carom_output_plan;

// Steps between rows and between frames of a run of `steps` steps: as requested, or for `auto` so that there are about 1000
// rows and 100 frames.
int carom_output_history_every(const carom_output_def *def, int64_t steps);
int carom_output_fields_every(const carom_output_def *def, int64_t steps);
// True if there are frames: at some cadence, or at given times.
bool carom_output_has_frames(const carom_output_def *def);

// Prepares the directory (creates it with its parents, checks that it is writable and has enough space) and
// opens the files. Without a bookmark the results of an earlier run are removed; with one the files are cut
// back to it and continue as if there had been no interruption. The definition and the model must outlive
// the output. On failure nothing needs to be closed.
carom_status carom_output_open(const carom_output_def *def, const carom_model *model, const carom_output_plan *plan,
                               const carom_bookmark *resume, carom_output **output, carom_error *error);

// Steps between frames as decided for this model: large ones have fewer.
int carom_output_frame_every(const carom_output *output);
// A sentence that describes the frames if carom has reduced them to limit the size of the result; else "".
void carom_output_frame_note(const carom_output *output, char *text, size_t size);

// Writes a row of history.csv, probes.csv and pairs.csv; writes a frame.
carom_status carom_output_row(carom_output *output, const carom_state *state, const carom_ledger_row *row, carom_error *error);
carom_status carom_output_frame(carom_output *output, const carom_state *state, carom_error *error);
// Writes a sample of the probes with a filter, once for a step.
carom_status carom_output_sample(carom_output *output, const carom_state *state, carom_error *error);
// Large frames are written by a separate thread while the run continues. Then carom_output_frame waits for the frame before,
// and a failure is returned later: by the next frame, by carom_output_check, which does not wait, or by carom_output_wait.
// After a failure one frame is lost: the run must return to the state of that frame, and no other follows.
bool carom_output_is_concurrent(const carom_output *output);
carom_status carom_output_check(carom_output *output, carom_error *error);
carom_status carom_output_wait(carom_output *output, carom_error *error);
bool carom_output_has_lost(const carom_output *output);
// Contact impulses. If carom_output_needs_impulses, every impulse is to be reported together with its step. The
// rows of contacts.csv are written by carom_output_contacts once the state after the step is accepted;
// impulses of later steps are discarded. carom_output_is_full requests such a call, to bound the memory.
bool carom_output_needs_impulses(const carom_output *output);
void carom_output_record(carom_output *output, const carom_model *model, const carom_hit *hit, int64_t step);
bool carom_output_is_full(const carom_output *output);
carom_status carom_output_contacts(carom_output *output, const carom_state *state, carom_error *error);
// The steps of the last row and the last frame, -1 if there is none.
int64_t carom_output_row_step(const carom_output *output);
int64_t carom_output_frame_step(const carom_output *output);

// Writes rows that have been pending for half a second; `seconds` is the time of any clock that never runs
// backwards.
carom_status carom_output_tick(carom_output *output, double seconds, carom_error *error);
// The position in every file once all rows are written.
void carom_output_place(const carom_output *output, carom_bookmark *bookmark);
// Writes all rows to the disk.
carom_status carom_output_sync(carom_output *output, carom_error *error);
// Writes all rows and frames to the disk and returns the position in every file.
carom_status carom_output_bookmark(carom_output *output, carom_bookmark *bookmark, carom_error *error);

// The contact of the nodes since the last frame: the part of a bookmark whose size depends on the model.
// Returns the bytes to be stored in a checkpoint and their number, which is 0 without frames. They are
// restored after opening with a bookmark; bytes of another size (the interrupted run wrote no frames) reset
// the traces to the present state.
const void *carom_output_traces(const carom_output *output, size_t *size);
// The same for what probes store of the last row; it follows the traces.
const void *carom_output_probe_memory(const carom_output *output, size_t *size);
void carom_output_restore_traces(carom_output *output, const carom_bookmark *bookmark, const carom_state *state,
                                 const void *bytes, size_t size);

// Writes probes_filtered.csv from all samples so far; `*peaks`, the largest values, are to be freed. `output` may be NULL: then
// there are none.
carom_status carom_output_filter(carom_output *output, carom_filtered_peak **peaks, int *peak_count, carom_error *error);
// Closes all files; the first failure is reported. NULL is allowed.
carom_status carom_output_close(carom_output *output, carom_error *error);

#endif
