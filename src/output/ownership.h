// SPDX-License-Identifier: MIT
// Whose files are in a result directory? A name alone does not tell, so the beginning of a file is looked at.
#ifndef CAROM_OUTPUT_OWNERSHIP_H
#define CAROM_OUTPUT_OWNERSHIP_H

#include "output/file.h"

// The first line of the scene that a run leaves beside its results.
extern const char carom_scene_mark[];

// True if DIRECTORY/NAME exists and was not written by carom. `name` is one that carom gives to its files, such as "history.csv" or
// "fields/frame_000000.vtu"; an empty file is nobody's.
bool carom_file_is_foreign(const char *directory, const char *name);

#endif
