// SPDX-License-Identifier: MIT
// Files: functions that read a whole file, write a file completely or not at all, and recognise files that carom wrote. A
// failure of the file system is CAROM_IO, with the path and the reason that the system gave.
#ifndef CAROM_FILE_H
#define CAROM_FILE_H

#include "carom/param.h"

#ifdef __cplusplus
extern "C" {
#endif

// Size of a buffer for a path inside a result directory.
enum { CAROM_PATH_MAX = CAROM_TEXT_MAX + 128 };

// All bytes of a plain file; free with carom_free(). Fails with CAROM_IO or CAROM_NO_MEMORY.
CAROM_API carom_status carom_read_bytes(const char *path, unsigned char **bytes, size_t *size, carom_error *error);

// Writes bytes to a file that appears under its name only when it is complete.
CAROM_API carom_status carom_file_replace(const char *path, const void *bytes, size_t size, carom_error *error);

// True if DIRECTORY/NAME exists and was not written by carom, or cannot be read. `name` is a name that carom gives to its
// files, such as "history.csv" or "fields/frame_000000.vtu". False for an empty file, which a run that was killed at its start
// leaves.
CAROM_API bool carom_file_is_foreign(const char *directory, const char *name);

#ifdef __cplusplus
}
#endif
#endif
