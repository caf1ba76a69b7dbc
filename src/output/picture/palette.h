// SPDX-License-Identifier: MIT
// The palette of an animation: at most 255 colours for the pixels of all frames.
#ifndef CAROM_OUTPUT_PICTURE_PALETTE_H
#define CAROM_OUTPUT_PICTURE_PALETTE_H

#include <stdint.h>

#include "carom/status.h"

// Bytes number the colours.
enum { CAROM_PALETTE_MAX = 256 };

typedef struct carom_palette {
    int count;                                   // of colours; the first is for transparent pixels
    unsigned char colours[CAROM_PALETTE_MAX][3]; // sRGB
    int64_t (*counts)[4];                        // of each cell: the number of pixels, and the sums of their components
    unsigned char *index;                        // of each cell: the colour of its pixels
} carom_palette;

// Release in any case.
carom_status carom_palette_create(carom_palette *palette, carom_error *error);
void carom_palette_release(carom_palette *palette);

// Adds pixels of three bytes to the counts.
void carom_palette_count(carom_palette *palette, const unsigned char *rgb, int64_t count);
// Chooses at most `count` colours, 2 to CAROM_PALETTE_MAX, for the counted pixels; may be called again with another number.
carom_status carom_palette_choose(carom_palette *palette, int count, carom_error *error);
// The indices of the colours of pixels, which must have been counted.
void carom_palette_apply(const carom_palette *palette, const unsigned char *rgb, int64_t count, unsigned char *pixels);

#endif
