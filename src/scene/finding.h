// SPDX-License-Identifier: MIT
// Collects findings while a scene is read.
#ifndef CAROM_SCENE_FINDING_H
#define CAROM_SCENE_FINDING_H

#include "carom/scene.h"
#include "scene/tree.h"

// The report of a reading in progress. Start from {.file = name}.
typedef struct carom_report {
    const char *file; // name of the scene in messages
    carom_findings findings;
    int64_t capacity, note_capacity;
    bool failed; // memory was short: some findings are missing
    int dropped; // findings beyond CAROM_REPORT_MAX
} carom_report;

// Findings that are kept; nobody reads more.
enum { CAROM_REPORT_MAX = 1000 };

// Adds a finding; `path` may be "".
void carom_report_add(carom_report *report, carom_place place, const char *path, const char *format, ...) CAROM_PRINTF(4, 5);

// Adds a note; those beyond CAROM_REPORT_MAX are dropped.
void carom_report_note(carom_report *report, carom_place place, const char *path, const char *message);

// Puts the findings in the order of the file; those of overrides come last.
void carom_report_sort(carom_report *report);

// Bytes of a quoted text in a message; longer texts are cut.
enum { CAROM_SHOWN_MAX = 96 };

// Quotes a text for a message: 'text', with control characters escaped and a long text cut.
const char *carom_show_text(const char *text, char shown[CAROM_SHOWN_MAX]);

#endif
