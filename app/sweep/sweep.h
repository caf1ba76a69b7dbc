// SPDX-License-Identifier: MIT
// A sweep: runs of one scene at the points of a study, each in its own folder.
#ifndef CAROM_APP_SWEEP_SWEEP_H
#define CAROM_APP_SWEEP_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "app/sweep/row.h"
#include "carom/file.h"
#include "carom/study.h"

// The status of a run, as in sweep.csv.
typedef enum carom_case_status {
    CAROM_CASE_WAITING,     // it has not been run
    CAROM_CASE_DONE,        // exit code 0
    CAROM_CASE_GATE,        // 1
    CAROM_CASE_REFUSED,     // 2
    CAROM_CASE_FAILED,      // 3
    CAROM_CASE_INTERRUPTED, // 130; it can be resumed from its checkpoint
    CAROM_CASE_KILLED,      // by a signal
    CAROM_CASE_STATUS_COUNT,
} carom_case_status;

// The run at one point of the study.
typedef struct carom_case {
    char folder[CAROM_STUDY_FOLDER_MAX]; // below DIR/runs
    carom_case_status status;
    char *message;     // why it has failed; NULL: none
    double seconds;    // wall time of its last process
    carom_row results; // of its summary and its probes; empty if there is none
} carom_case;

typedef struct carom_sweep {
    const char *scene; // path
    char title[CAROM_TEXT_MAX], directory[CAROM_TEXT_MAX];
    int set_count;
    const char **set; // overrides of all runs
    bool fields;      // write frames
    uint64_t digest;  // of the scene with these overrides
    carom_study study;
    carom_case *cases; // one per point
} carom_sweep;

// The name of a status: "done", "gate", ...
const char *carom_case_status_name(carom_case_status status);
// The status of that name; CAROM_CASE_WAITING if there is none.
carom_case_status carom_case_status_find(const char *name);
// True if running again would give the same: the run is complete, or its computation has failed.
bool carom_case_is_final(carom_case_status status);
// The exit code of a whole sweep: that of an interruption, else of a failed computation (or a run that was killed), else of a
// refused run, else of a gate.
int carom_sweep_exit_code(const carom_sweep *sweep);

// DIR/runs/FOLDER/NAME; NAME may be empty.
void carom_case_path(const carom_sweep *sweep, int point, const char *name, char path[static CAROM_PATH_MAX]);
// "KEY=VALUE" of a key at a point, to be freed; NULL if memory is short.
char *carom_case_setting(const carom_sweep *sweep, int point, int key);
// Replaces the message of a run; `size` bytes of it.
void carom_case_set_message(carom_case *run, const char *text, size_t size);

#endif
