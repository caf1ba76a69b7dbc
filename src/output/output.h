// SPDX-License-Identifier: MIT
// All that a run writes while it goes on, behind one object.
#ifndef CAROM_OUTPUT_OUTPUT_H
#define CAROM_OUTPUT_OUTPUT_H

#include "carom/integrator.h"
#include "carom/output.h"
#include "contact/response.h"
#include "output/pairs.h"

typedef struct carom_output carom_output;

// Where the files stand. Plain numbers, to be put into a checkpoint as they are.
typedef struct carom_bookmark {
    int64_t history_size, probes_size, pairs_size, contacts_size, pvd_size; // bytes; 0 where the file is not written
    int64_t frames;                                                         // written so far
    int64_t row_step, frame_step;        // steps of the last row and the last frame, -1 if there is none
    int32_t history_every, fields_every; // the cadence in use, after `auto` was resolved
    carom_pair_sums pair_sums;           // at the last row
    double trace_time;                   // of the last frame
} carom_bookmark;

// How much is to come, to be held against the room on the disk.
typedef struct carom_output_plan {
    int64_t rows, frames;
    const carom_method_result *result; // a vector per node that the integrator offers, for the frames; NULL: none
} carom_output_plan;

// The cadence after resolving `auto` for a run of that many steps: about 1000 rows, about 100 frames.
int carom_output_history_every(const carom_output_def *def, int64_t steps);
int carom_output_fields_every(const carom_output_def *def, int64_t steps);

// Prepares the directory (created with its parents, writable, room enough) and opens the files. Without a bookmark the results of
// an earlier run are removed; with one the files are cut back to it, so that they go on as if there had been no interruption.
// The definition and the model must outlive the output. On failure nothing needs to be closed.
carom_status carom_output_open(const carom_output_def *def, const carom_model *model, const carom_output_plan *plan,
                               const carom_bookmark *resume, carom_output **output, carom_error *error);

// A row of history.csv and probes.csv; a frame.
carom_status carom_output_row(carom_output *output, const carom_state *state, const carom_ledger_row *row, carom_error *error);
carom_status carom_output_frame(carom_output *output, const carom_state *state, carom_error *error);
// Impulses, where contacts or frames are asked for: each is heard of, with the step it belongs to. Those of contacts.csv are written once the state is known to be good;
// what was heard of steps after that state is forgotten. They should be written when the output is full of them.
bool carom_output_listens(const carom_output *output);
void carom_output_hear(carom_output *output, const carom_model *model, const carom_hit *hit, int64_t step);
bool carom_output_is_full(const carom_output *output);
carom_status carom_output_contacts(carom_output *output, const carom_state *state, carom_error *error);
// The steps of the last row and the last frame, -1 if there is none.
int64_t carom_output_row_step(const carom_output *output);
int64_t carom_output_frame_step(const carom_output *output);

// Brings rows to the files that have waited for half a second; `seconds` is any clock that never runs back.
carom_status carom_output_tick(carom_output *output, double seconds, carom_error *error);
// Brings all rows to the disk and says where the files stand.
carom_status carom_output_bookmark(carom_output *output, carom_bookmark *bookmark, carom_error *error);

// Contact of the nodes since the last frame, the part of a bookmark whose size depends on the model: bytes to put into a checkpoint after it, and
// their number, 0 if there are no frames. Taken back after opening with a bookmark; bytes of another size (no frames were asked for before) leave the
// traces as of a frame at the state.
const void *carom_output_traces(const carom_output *output, size_t *size);
void carom_output_restore_traces(carom_output *output, const carom_bookmark *bookmark, const carom_state *state,
                                 const void *bytes, size_t size);

// Closes all files; the first failure is reported. NULL is allowed.
carom_status carom_output_close(carom_output *output, carom_error *error);

#endif
