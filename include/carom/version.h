// SPDX-License-Identifier: MIT
// The version of carom. This header is the one place where it is written: the build reads it from here.
//
// Versions follow semver.org. While the major number is 0, a new minor number may change the interface; a new patch number
// never does.
#ifndef CAROM_VERSION_H
#define CAROM_VERSION_H

#include <stddef.h>

#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CAROM_VERSION_MAJOR 0
#define CAROM_VERSION_MINOR 1
#define CAROM_VERSION_PATCH 0

// One number that can be compared:  #if CAROM_VERSION_NUMBER >= CAROM_VERSION_ENCODE(0, 2, 0)
#define CAROM_VERSION_ENCODE(major, minor, patch) (1000000 * (major) + 1000 * (minor) + (patch))
#define CAROM_VERSION_NUMBER CAROM_VERSION_ENCODE(CAROM_VERSION_MAJOR, CAROM_VERSION_MINOR, CAROM_VERSION_PATCH)

// The same as text, "0.1.0". The two helpers are needed because # does not expand its argument.
#define CAROM_VERSION_TEXT_OF(major, minor, patch) #major "." #minor "." #patch
#define CAROM_VERSION_TEXT(major, minor, patch) CAROM_VERSION_TEXT_OF(major, minor, patch)
#define CAROM_VERSION_STRING CAROM_VERSION_TEXT(CAROM_VERSION_MAJOR, CAROM_VERSION_MINOR, CAROM_VERSION_PATCH)

// The version of the library that the program is running with, as text and as a number. It differs from the macros, which are
// the version the program was compiled against, if the shared library was replaced.
CAROM_API const char *carom_version(void);
CAROM_API int carom_version_number(void);

// The size in bytes of a struct of this interface.
typedef struct carom_layout {
    const char *name; // of the type
    size_t size;
} carom_layout;

// The sizes of all structs with public fields. A program in another language has its own description of them and must compare
// the sizes: a library that was built with other fields must not be used.
CAROM_API const carom_layout *carom_layouts(int *count);

#ifdef __cplusplus
}
#endif
#endif
