// SPDX-License-Identifier: MIT
// Decides whether a file in a result directory was written by carom. The name alone does not tell, so the
// beginning of the file is read.
#ifndef CAROM_OUTPUT_OWNERSHIP_H
#define CAROM_OUTPUT_OWNERSHIP_H

#include "output/file.h"

// The first line of the scene that a run leaves beside its results.
extern const char carom_scene_mark[];

// True if DIRECTORY/NAME exists and was not written by carom. `name` is a name that carom gives to its
// files, such as "history.csv" or "fields/frame_000000.vtu"; an empty file belongs to nobody.
bool carom_file_is_foreign(const char *directory, const char *name);

#endif
