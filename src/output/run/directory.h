// SPDX-License-Identifier: MIT
// The result directory before a run: it must exist, be writable, have enough free space, and hold no
// results of an earlier run.
#ifndef CAROM_OUTPUT_RUN_DIRECTORY_H
#define CAROM_OUTPUT_RUN_DIRECTORY_H

#include "output/file.h"

// Creates the directory and its parents if necessary, and checks by a write that files can be created in
// it.
carom_status carom_directory_prepare(const char *directory, carom_error *error);

// Fails if a file has the name of a result but was not written by carom: a run would overwrite it.
carom_status carom_directory_check_owner(const char *directory, carom_error *error);

// Fails if `bytes` exceed the free space of the file system; with `replacing`, the results of an earlier
// run count as free space.
carom_status carom_directory_check_space(const char *directory, double bytes, bool replacing, carom_error *error);

// Removes the results of an earlier run: tables, frames, summary, checkpoint. Other files stay. Call
// carom_directory_check_owner first.
carom_status carom_directory_clear(const char *directory, carom_error *error);

// Writes the scene, with all defaults, into the folder of its results. A file that carom did not write is left alone.
carom_status carom_directory_keep_scene(const char *directory, const char *text, carom_error *error);

#endif
