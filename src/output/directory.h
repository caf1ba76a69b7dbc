// SPDX-License-Identifier: MIT
// The result directory before a run: it exists, can be written, has room, and holds nothing of an earlier run.
#ifndef CAROM_OUTPUT_DIRECTORY_H
#define CAROM_OUTPUT_DIRECTORY_H

#include "output/file.h"

// Creates the directory if need be and makes sure that files can be written in it.
carom_status carom_directory_prepare(const char *directory, carom_error *error);

// Fails if a file that a run would replace has the name of a result but was not written by carom.
carom_status carom_directory_check_owner(const char *directory, carom_error *error);

// Fails if `bytes` do not fit on the file system; with `replacing` the results of an earlier run count as free.
carom_status carom_directory_check_room(const char *directory, double bytes, bool replacing, carom_error *error);

// Removes the results of an earlier run: history, probes, fields, summary, checkpoint. Other files are left alone. Ask
// carom_directory_check_owner first.
carom_status carom_directory_clear(const char *directory, carom_error *error);

#endif
