// SPDX-License-Identifier: MIT
// Moving pictures as PNG (APNG, chapter 11.3.4 of the PNG specification, third edition) with indexed colours. After the first
// frame only the rectangle is stored in which something changes.
#ifndef CAROM_OUTPUT_PICTURE_APNG_H
#define CAROM_OUTPUT_PICTURE_APNG_H

#include <stdint.h>

#include "carom/text.h"

// Start from {0}.
typedef struct carom_apng {
    int width, height;
    uint32_t sequence;    // number of the next chunk that has one
    unsigned char *shown; // the last frame; NULL: there is none yet
    unsigned char *rows;  // scratch: filtered rows
    carom_text bytes;     // of the file
} carom_apng;

// A file of `frame_count` frames that is repeated for ever. Colour 0 stands for what is there already: no pixel may have it.
carom_status carom_apng_begin(carom_apng *apng, int width, int height, int frame_count, int colour_count,
                              const unsigned char (*colours)[3], carom_error *error);
// Adds a frame, a byte for each pixel, that is shown for this time.
carom_status carom_apng_add(carom_apng *apng, const unsigned char *pixels, int milliseconds, carom_error *error);
// Ends the file after its last frame.
carom_status carom_apng_end(carom_apng *apng, carom_error *error);
void carom_apng_release(carom_apng *apng);

#endif
