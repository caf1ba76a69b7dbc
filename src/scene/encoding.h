// SPDX-License-Identifier: MIT
// Is this text at all? Checked before the YAML parser sees a byte.
#ifndef CAROM_SCENE_ENCODING_H
#define CAROM_SCENE_ENCODING_H

#include <stdbool.h>
#include <stddef.h>

typedef struct carom_encoding_fault {
    int line, column; // from 1; columns count characters
    char message[128];
} carom_encoding_fault;

// True if the bytes are UTF-8 without characters that YAML forbids; else says where and what the first fault is.
bool carom_encoding_check(const char *text, size_t size, carom_encoding_fault *fault);

#endif
