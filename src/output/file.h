// SPDX-License-Identifier: MIT
// Files that are written completely or not at all, and creation of directories. Every failure is CAROM_IO
// with the path and the reason given by the operating system.
#ifndef CAROM_OUTPUT_FILE_H
#define CAROM_OUTPUT_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "carom/file.h"

// "cannot write PATH: No space left on device", from errno.
carom_status carom_file_fail(const char *what, const char *path, carom_error *error);

// Writes all bytes at the current position of a descriptor.
carom_status carom_file_write(int fd, const char *path, const void *bytes, size_t size, carom_error *error);

// Writes all bytes at `offset`.
carom_status carom_file_write_at(int fd, const char *path, const void *bytes, size_t size, int64_t offset, carom_error *error);

// A file that appears under its name only when it is complete: begin, write to the stream, commit. Until
// then it is called PATH.tmp.
carom_status carom_file_begin(const char *path, FILE **stream, carom_error *error);
// Closes the stream and renames the file if all bytes were written; otherwise removes the temporary file
// and reports the reason.
carom_status carom_file_commit(const char *path, FILE *stream, carom_error *error);
// Closes the stream and removes the temporary file.
void carom_file_abandon(const char *path, FILE *stream);

// Creates a directory and its parents; no failure if it is there already.
carom_status carom_file_make_directory(const char *path, carom_error *error);

#endif
