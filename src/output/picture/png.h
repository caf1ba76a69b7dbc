// SPDX-License-Identifier: MIT
// The PNG format (ISO/IEC 15948), as much of it as a picture of carom needs.
#ifndef CAROM_OUTPUT_PICTURE_PNG_H
#define CAROM_OUTPUT_PICTURE_PNG_H

#include "carom/status.h"

// Writes width x height pixels of three bytes, rows from the top, whole or not at all.
carom_status carom_png_write(const char *path, int width, int height, const unsigned char *rgb, carom_error *error);

#endif
