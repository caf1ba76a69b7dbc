// SPDX-License-Identifier: MIT
// A result directory, read back from its summary.json.
#ifndef CAROM_APP_RESULT_H
#define CAROM_APP_RESULT_H

#include "carom/run.h"

typedef struct carom_result {
    char version[32], scene[CAROM_TEXT_MAX], title[CAROM_TEXT_MAX], integrator[CAROM_NAME_MAX], state_hash[32], model_hash[32];
    bool completed;
    double step_size;
    carom_summary summary;
    carom_pair_label *labels; // one per pair
    int verdict_count;
    carom_verdict *verdicts;
} carom_result;

// False if there is no summary that can be read; `error` says why.
bool carom_result_read(const char *directory, carom_result *result, carom_error *error);
void carom_result_release(carom_result *result);

// True if a path ends in the name of a file that belongs to a result. `error` then says that no other file may have this name.
bool carom_result_owns(const char *path, carom_error *error);

#endif
