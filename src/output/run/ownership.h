// SPDX-License-Identifier: MIT
// Decides whether a file in a result directory was written by carom. The name alone does not decide, so the beginning of the
// file is read.
#ifndef CAROM_OUTPUT_RUN_OWNERSHIP_H
#define CAROM_OUTPUT_RUN_OWNERSHIP_H

#include "output/file.h"

// The first line of the scene that a run writes into the folder of its results.
extern const char carom_scene_mark[];

#endif
