// SPDX-License-Identifier: MIT
// Collects findings while a scene is read.
#ifndef CAROM_SCENE_FINDING_H
#define CAROM_SCENE_FINDING_H

#include "carom/scene.h"
#include "scene/tree.h"

// The findings collected while a scene is read. Start from {.file = name}.
typedef struct carom_report {
    const char *file; // name of the scene in messages
    carom_findings findings;
    int64_t capacity, note_capacity;
    bool failed; // memory was short: some findings are missing
    int dropped; // findings beyond CAROM_REPORT_MAX
} carom_report;

// The most findings that are kept.
enum { CAROM_REPORT_MAX = 1000 };

// Adds a finding; `path` may be "".
void carom_report_add(carom_report *report, carom_place place, const char *path, const char *format, ...) CAROM_PRINTF(4, 5);

// The place of `key` in the file if the map has it, otherwise the place of the map.
carom_place carom_scene_place(const carom_tree *map, const char *key);

// Adds a finding about a key of the map at `path`: at its place, or at that of the map if it is not given.
void carom_report_key(carom_report *report, const carom_tree *map, const char *path, const char *key, const char *format, ...)
    CAROM_PRINTF(5, 6);
// Reports a key that has no meaning together with the others of its map, if it is given.
void carom_report_forbid(carom_report *report, const carom_tree *map, const char *path, const char *key, const char *why);

// Adds a note; those beyond CAROM_REPORT_MAX are dropped.
void carom_report_note(carom_report *report, carom_place place, const char *path, const char *message);

// Puts the findings in the order of the file; those of overrides come last.
void carom_report_sort(carom_report *report);

// Bytes of a quoted text in a message; longer texts are cut.
enum { CAROM_SHOWN_MAX = 96 };

// Quotes a text for a message: 'text', with control characters escaped and a long text cut.
const char *carom_show_text(const char *text, char shown[CAROM_SHOWN_MAX]);

#endif
