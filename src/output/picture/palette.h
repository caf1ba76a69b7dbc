// SPDX-License-Identifier: MIT
// The few colours that stand for all of a moving picture.
#ifndef CAROM_OUTPUT_PICTURE_PALETTE_H
#define CAROM_OUTPUT_PICTURE_PALETTE_H

#include <stdint.h>

#include "carom/status.h"

// Bytes number the colours.
enum { CAROM_PALETTE_MAX = 256 };

typedef struct carom_palette {
    int count;                                   // of colours; no pixel has the first of them
    unsigned char colours[CAROM_PALETTE_MAX][3]; // sRGB
    int64_t (*seen)[4];                          // of each cell of colours: pixels, and the sums of their three parts
    unsigned char *index;                        // of each cell: the number of its colour
} carom_palette;

// Release in any case.
carom_status carom_palette_create(carom_palette *palette, carom_error *error);
void carom_palette_release(carom_palette *palette);

// Counts the colours of pixels of three bytes.
void carom_palette_see(carom_palette *palette, const unsigned char *rgb, int64_t count);
// Chooses at most `count` colours, 2 to CAROM_PALETTE_MAX, for those that were seen; may be called again with another number.
carom_status carom_palette_choose(carom_palette *palette, int count, carom_error *error);
// The numbers of the colours of pixels that were seen.
void carom_palette_apply(const carom_palette *palette, const unsigned char *rgb, int64_t count, unsigned char *pixels);

#endif
