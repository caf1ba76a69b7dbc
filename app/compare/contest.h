// SPDX-License-Identifier: MIT
// Runs of one scene with several methods, and the table that compares them.
#ifndef CAROM_APP_COMPARE_CONTEST_H
#define CAROM_APP_COMPARE_CONTEST_H

#include <stdio.h>

#include "app/compare/variant.h"
#include "app/result.h"
#include "carom/text.h"

// A body at the end of a run.
typedef struct carom_body_end {
    char name[CAROM_NAME_MAX];
    double velocity[3]; // of its mass centre
} carom_body_end;

typedef struct carom_contestant {
    const carom_variant *variant;
    char directory[CAROM_TEXT_MAX];
    bool ran;          // there is a result, possibly of an incomplete run
    char reason[1024]; // why there is no result, or why it is incomplete; else empty
    carom_result result;
    int end_count;
    carom_body_end *ends; // of all bodies; owned
} carom_contestant;

typedef struct carom_contest {
    const char *scene, *title;
    int count;
    carom_contestant *items;
} carom_contest;

// The figures side by side, at most 100 columns wide, then the methods that did not run, then those that disagree.
void carom_contest_print(const carom_contest *contest, FILE *stream);
// The same as JSON: {"columns": [...], "rows": [[...]...]}, a row for each method that ran.
void carom_contest_table(const carom_contest *contest, carom_text *text);
// compare.json: the table, and for each method its settings, its directory and its summary as it is.
carom_status carom_contest_write(const carom_contest *contest, const char *path, carom_error *error);

#endif
