// SPDX-License-Identifier: MIT
// Animated PNG (APNG, part of the PNG specification since its third edition) with indexed colours. Of each frame after the
// first only the rectangle is stored in which pixels change.
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

// Begins a file of `frame_count` frames, repeated without end. Colour 0 is transparent and must not be used by pixels.
carom_status carom_apng_begin(carom_apng *apng, int width, int height, int frame_count, int colour_count,
                              const unsigned char (*colours)[3], carom_error *error);
// Adds a frame, the index of a colour for each pixel, shown for this time.
carom_status carom_apng_add(carom_apng *apng, const unsigned char *pixels, int milliseconds, carom_error *error);
// Ends the file after its last frame.
carom_status carom_apng_end(carom_apng *apng, carom_error *error);
void carom_apng_release(carom_apng *apng);

#endif
