// SPDX-License-Identifier: MIT
// The PNG format (ISO/IEC 15948), as much of it as a picture of carom needs.
#ifndef CAROM_OUTPUT_PICTURE_PNG_H
#define CAROM_OUTPUT_PICTURE_PNG_H

#include <stdint.h>

#include "carom/text.h"

// Three bytes for each pixel, or one: the number of a colour.
typedef enum carom_png_kind { CAROM_PNG_RGB = 2, CAROM_PNG_INDEXED = 3 } carom_png_kind;

// Writes width x height pixels of three bytes, rows from the top, whole or not at all.
carom_status carom_png_write(const char *path, int width, int height, const unsigned char *rgb, carom_error *error);

// The parts of a PNG, added to a text: signature and head, and a chunk, whose type has four letters.
void carom_png_put_head(carom_text *out, int width, int height, carom_png_kind kind);
void carom_png_put_chunk(carom_text *out, const char *type, const unsigned char *bytes, size_t size);
// A number as it stands in a PNG, big-endian.
void carom_png_put_number(unsigned char bytes[4], uint32_t number);

#endif
