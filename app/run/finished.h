// SPDX-License-Identifier: MIT
// The state of an earlier run in a directory: a checkpoint to resume from, or a complete result.
#ifndef CAROM_APP_RUN_FINISHED_H
#define CAROM_APP_RUN_FINISHED_H

#include "carom/scene.h"

bool carom_has_checkpoint(const char *directory);

// Checks the result in a directory before a run of this scene is resumed there. Returns -1 if there is a checkpoint to resume
// from, or no complete result; else the exit code of the command: that of the finished run if it was a run of this very scene,
// or CAROM_EXIT_INPUT after a message with the difference.
int carom_finished_before(const char *directory, const carom_scene *scene, const carom_sim *sim, bool quiet);

#endif
