// SPDX-License-Identifier: MIT
// Points of a study from a table.
#ifndef CAROM_SCENE_STUDY_POINTS_H
#define CAROM_SCENE_STUDY_POINTS_H

#include <stddef.h>

#include "carom/status.h"

// A table of texts: one key per column, one point per row.
typedef struct carom_points {
    int key_count, row_count;
    char **keys;
    char **values; // row after row
} carom_points;

// Reads a table (CSV) with a head of keys; cells with commas are in double quotes. `name` is that of the file, for messages.
// Release in any case.
carom_status carom_points_read(const char *text, size_t size, const char *name, carom_points *points, carom_error *error);
void carom_points_release(carom_points *points);

#endif
