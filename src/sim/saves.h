// SPDX-License-Identifier: MIT
// What a run saves, and the data that are needed to resume it.
//
// A checkpoint contains the state, the positions in the output files and the running maxima. Whatever was written after it is
// removed on resuming, so the files of a resumed run are those of a run that was never interrupted.
#ifndef CAROM_SIM_SAVES_H
#define CAROM_SIM_SAVES_H

#include "carom/lock.h"
#include "carom/run.h"
#include "contact/pairs/audit.h"
#include "output/run/output.h"
#include "output/tables/samples.h"
#include "sim/progress.h"
#include "sim/rebalance.h"
#include "sim/running_maxima.h"
#include "sim/signals.h"
#include "sim/sim.h"
#include "sim/thread_count.h"

// What a checkpoint holds besides the state; followed by the traces of the output.
typedef struct carom_run_record {
    int64_t version;
    carom_bookmark bookmark;
    carom_tally tally;
    int64_t audit_every;
} carom_run_record;

// What a process may request after a step. All processes receive the requests and act together.
enum {
    CAROM_REQUEST_STOP = 1,   // a signal has arrived
    CAROM_REQUEST_WRITE = 2,  // impulses of contact fill the memory
    CAROM_REQUEST_SAVE = 4,   // a checkpoint is due by the clock
    CAROM_REQUEST_FAILED = 8, // the step, or a file
};

// One call of carom_run. All that must survive an interruption is copied into a carom_run_record; the rest is created
// again on resuming.
typedef struct carom_running {
    carom_sim *sim;
    const carom_run_def *def;
    const carom_state *state;
    bool writes;           // there are files to write
    carom_output *output;  // on the process that writes them, else NULL
    carom_samples samples; // without files: kept in memory, because the summary has the largest filtered values
    carom_lock *lock;      // of the directory; NULL if the caller holds it
    carom_tally tally;
    carom_meter meter;
    carom_thread_count thread_count;
    carom_rebalance balance;
    carom_signals signals;
    bool audits;       // there are surfaces to check
    carom_audit audit; // on the process that checks them
    uint64_t requests; // CAROM_REQUEST_*: requests of any process after the last step
    int history_every, fields_every, audit_every, sample_every;
    int64_t *frame_steps; // of frames at given times, ascending
    int frame_step_count;
    char checkpoint[CAROM_PATH_MAX];
    int64_t checkpoint_step; // of the checkpoint on disk, -1 if there is none
    double begin, checkpoint_clock, tick_clock;
    char *balanced; // blob of a checkpoint at the last step whose audit balanced
    size_t balanced_size;
    // the same at the last frame, if frames are written by another thread: one that is lost can be written again from there
    carom_state *framed_state;
    carom_tally framed_tally;
    char *framed;
    size_t framed_size;
    int stride, until_tick; // steps between readings of the clock, and to the next one
} carom_running;

// Saves a state that was checked, with the positions in the output files.
carom_status carom_save_checkpoint(carom_running *run, carom_error *error);
// Saves the present state with a blob that was stored earlier.
carom_status carom_save_blob(carom_running *run, const char *blob, size_t size, carom_error *error);
// Stores the whole state of a frame that another thread will write, and the positions in the files before it. Only the process
// that writes calls it.
carom_status carom_save_framed(carom_running *run, const carom_state *whole, carom_error *error);
// Stores the positions in the files at the last step whose audit balanced.
carom_status carom_save_balanced(carom_running *run, carom_error *error);
// A checkpoint that is due, at a step (`keeps`) or by the clock. None is written while the ledger does not balance: the last
// one stays. A run that ends because of its ledger returns to the last one of a step, or to a later audit that balanced: the
// same state whether it was resumed in between or not.
carom_status carom_save_due(carom_running *run, bool keeps, carom_error *error);
// Reads the checkpoint of the directory: the record, and, on the process that writes, the bytes of the traces behind it. The
// blob is to be freed.
carom_status carom_save_read(carom_running *run, carom_run_record *record, void **blob, size_t *size, carom_error *error);

#endif
