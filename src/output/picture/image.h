// SPDX-License-Identifier: MIT
// A picture in memory: rows from the top, three parts of linear light for each pixel, 0 black to 1 white.
#ifndef CAROM_OUTPUT_PICTURE_IMAGE_H
#define CAROM_OUTPUT_PICTURE_IMAGE_H

#include <stdint.h>

#include "carom/status.h"

typedef struct carom_image {
    int width, height;
    float *light; // width x height x 3
} carom_image;

// Black. Release in any case.
carom_status carom_image_create(carom_image *image, int width, int height, carom_error *error);
void carom_image_release(carom_image *image);

// Fills a rectangle whose sides may lie between pixels.
void carom_image_fill(carom_image *image, double left, double top, double right, double bottom, const double colour[3]);
// Draws a line with round ends.
void carom_image_line(carom_image *image, const double from[2], const double to[2], double width, const double colour[3]);
// Draws a circle line.
void carom_image_ring(carom_image *image, const double centre[2], double radius, double width, const double colour[3]);

// One part as a byte of sRGB, and a byte as linear light.
unsigned char carom_srgb_encode(double light);
double carom_srgb_decode(int byte);

// The pixels as bytes of sRGB, three each; rows begin `stride` pixels after each other.
void carom_image_encode(const carom_image *image, unsigned char *rgb, int64_t stride);

#endif
