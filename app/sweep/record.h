// SPDX-License-Identifier: MIT
// The records of a sweep: DIR/sweep.json has the scene and the points, DIR/runs/FOLDER/run.json the status of a run.
#ifndef CAROM_APP_SWEEP_RECORD_H
#define CAROM_APP_SWEEP_RECORD_H

#include "app/sweep/sweep.h"

// The earlier sweep of a directory.
typedef struct carom_record {
    bool found; // there is one
    char version[32], scene[CAROM_TEXT_MAX], digest[32];
    int set_count;
    char **set;
    carom_study study;
} carom_record;

// Reads DIR/sweep.json. Fails if it is not a record, or if it is missing but other files of a sweep exist. Release in any case.
carom_status carom_record_read(const char *directory, carom_record *record, carom_error *error);
void carom_record_release(carom_record *record);
// Fails if the earlier sweep had another scene, other keys or another version of carom.
carom_status carom_record_check(const carom_record *record, const carom_sweep *sweep, carom_error *error);
// Writes DIR/sweep.json.
carom_status carom_record_write(const carom_sweep *sweep, carom_error *error);

// Reads the earlier status and results of a run; one that must be repeated is waiting. Fails if the folder belongs to another
// point.
carom_status carom_case_read(carom_sweep *sweep, int point, carom_error *error);
// Reads the results of a run that has ended.
void carom_case_read_results(carom_sweep *sweep, int point);
// Writes run.json of a run that has ended.
carom_status carom_case_write(const carom_sweep *sweep, int point, carom_error *error);

#endif
