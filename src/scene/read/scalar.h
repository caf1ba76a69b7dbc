// SPDX-License-Identifier: MIT
// The text of a scalar: the characters between its quotes, with escapes resolved.
#ifndef CAROM_SCENE_READ_SCALAR_H
#define CAROM_SCENE_READ_SCALAR_H

#include <stdbool.h>
#include <stddef.h>

typedef enum carom_scalar_style {
    CAROM_SCALAR_PLAIN,
    CAROM_SCALAR_SINGLE, // '...', where '' is a quote
    CAROM_SCALAR_DOUBLE, // "...", with the escapes of YAML 1.2 and JSON
} carom_scalar_style;

// Decodes the bytes between the quotes of a scalar on a single line. `text` holds size + 1 bytes and is zero-terminated.
// Returns NULL, or a message that says what is wrong.
const char *carom_scalar_decode(const char *bytes, size_t size, carom_scalar_style style, char *text);

#endif
