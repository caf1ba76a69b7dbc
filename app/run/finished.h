// SPDX-License-Identifier: MIT
// The state of an earlier run in a directory: a checkpoint to resume from, or a complete result.
#ifndef CAROM_APP_RUN_FINISHED_H
#define CAROM_APP_RUN_FINISHED_H

#include "carom/scene.h"

bool carom_has_checkpoint(const char *directory);

// In place of an exit code of the command.
enum {
    CAROM_RUN_NEEDED = -1,  // this attempt has to be run
    CAROM_RUN_ANOTHER = -2, // it has failed, and another one with a shorter step is due
};

// Checks the result in a directory before an attempt at a run of this scene is resumed there. Returns CAROM_RUN_NEEDED if there
// is a checkpoint to resume from, or no complete result; else, if the finished run was of this very scene, CAROM_RUN_ANOTHER or
// the exit code of that run; CAROM_EXIT_INPUT after a message with the difference.
int carom_finished_before(const char *directory, const carom_scene *scene, const carom_sim *sim, int attempt, bool quiet);

#endif
