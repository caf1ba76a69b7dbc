// SPDX-License-Identifier: MIT
// Checks that a file is valid text before it is passed to the YAML parser.
#ifndef CAROM_SCENE_READ_ENCODING_H
#define CAROM_SCENE_READ_ENCODING_H

#include <stdbool.h>
#include <stddef.h>

typedef struct carom_encoding_fault {
    int line, column; // from 1; columns count characters
    char message[128];
} carom_encoding_fault;

// True if the bytes are UTF-8 without characters that YAML forbids; otherwise reports the first fault and
// its place.
bool carom_encoding_check(const char *text, size_t size, carom_encoding_fault *fault);

#endif
