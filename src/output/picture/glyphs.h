// SPDX-License-Identifier: MIT
// Text in a picture, drawn with lines of one width as on a technical drawing.
#ifndef CAROM_OUTPUT_PICTURE_GLYPHS_H
#define CAROM_OUTPUT_PICTURE_GLYPHS_H

#include "output/picture/image.h"

// Width of a text whose capital letters have the height `size`, in pixels. The text is UTF-8; characters that the
// font lacks become question marks.
double carom_glyphs_width(const char *text, double size);

// Draws a text from `x` on, with its baseline at `y`.
void carom_glyphs_draw(carom_image *image, double x, double y, double size, const char *text, const double colour[3]);

#endif
