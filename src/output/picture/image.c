// SPDX-License-Identifier: MIT
// Draws rectangles, lines and circles into a picture in memory. Light is added linearly and encoded once, at the end: edges
// between dark and bright keep their width.
#include "output/picture/image.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "math/functions.h"

carom_status carom_image_create(carom_image *image, int width, int height, carom_error *error) {
    *image = (carom_image){.width = width, .height = height};
    image->light = carom_allocate(3 * (int64_t)width * height, sizeof *image->light);
    return image->light ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for a picture of %d x %d", width, height);
}

void carom_image_release(carom_image *image) {
    free(image->light);
    image->light = NULL;
}

// Lays a colour over a pixel, covering a share of it, 0 to 1. Pixels outside are ignored.
static void blend(carom_image *image, int x, int y, const double colour[3], double share) {
    if (x < 0 || y < 0 || x >= image->width || y >= image->height || !(share > 0))
        return;
    float *pixel = &image->light[3 * ((int64_t)y * image->width + x)];
    for (int i = 0; i < 3; i++)
        pixel[i] += (float)(fmin(share, 1) * (colour[i] - pixel[i]));
}

// The part of the pixel from `k` to `k + 1` that lies between two bounds.
static double overlap(int k, double low, double high) {
    return fmax(0, fmin(k + 1, high) - fmax(k, low));
}

void carom_image_fill(carom_image *image, double left, double top, double right, double bottom, const double colour[3]) {
    for (int y = (int)floor(top); y < bottom; y++)
        for (int x = (int)floor(left); x < right; x++)
            blend(image, x, y, colour, overlap(x, left, right) * overlap(y, top, bottom));
}

void carom_image_line(carom_image *image, const double from[2], const double to[2], double width, const double colour[3]) {
    double half = 0.5 * width, along[2] = {to[0] - from[0], to[1] - from[1]};
    double length2 = along[0] * along[0] + along[1] * along[1];
    int x_end = (int)ceil(fmax(from[0], to[0]) + half + 1), y_end = (int)ceil(fmax(from[1], to[1]) + half + 1);
    for (int y = (int)floor(fmin(from[1], to[1]) - half - 1); y < y_end; y++)
        for (int x = (int)floor(fmin(from[0], to[0]) - half - 1); x < x_end; x++) {
            double d[2] = {x + 0.5 - from[0], y + 0.5 - from[1]};
            double t = length2 > 0 ? (d[0] * along[0] + d[1] * along[1]) / length2 : 0;
            t = fmin(fmax(t, 0), 1);
            double distance = carom_hypot(d[0] - t * along[0], d[1] - t * along[1]);
            blend(image, x, y, colour, half + 0.5 - distance);
        }
}

void carom_image_ring(carom_image *image, const double centre[2], double radius, double width, const double colour[3]) {
    double most = radius + width + 1;
    for (int y = (int)floor(centre[1] - most); y < centre[1] + most; y++)
        for (int x = (int)floor(centre[0] - most); x < centre[0] + most; x++) {
            double distance = fabs(carom_hypot(x + 0.5 - centre[0], y + 0.5 - centre[1]) - radius);
            blend(image, x, y, colour, 0.5 * width + 0.5 - distance);
        }
}

// The transfer function of sRGB (IEC 61966-2-1).
static double encode(double light) {
    return light <= 0.0031308 ? 12.92 * light : 1.055 * carom_pow(light, 1 / 2.4) - 0.055;
}

unsigned char carom_srgb_encode(double light) {
    return (unsigned char)lround(255 * encode(fmin(fmax(light, 0), 1)));
}

double carom_srgb_decode(int byte) {
    double part = byte / 255.0;
    return part <= 0.04045 ? part / 12.92 : carom_pow((part + 0.055) / 1.055, 2.4);
}

// Quantisation of light: steps this fine change no byte of sRGB by more than one.
enum { STEPS = 1 << 14 };

void carom_image_encode(const carom_image *image, unsigned char *rgb, int64_t stride) {
    unsigned char table[STEPS + 1];
    for (int i = 0; i <= STEPS; i++)
        table[i] = carom_srgb_encode((double)i / STEPS);
    for (int64_t y = 0; y < image->height; y++)
        for (int64_t i = 0; i < 3 * (int64_t)image->width; i++)
            rgb[3 * y * stride + i] = table[lround(STEPS * fmin(fmax((double)image->light[3 * y * image->width + i], 0), 1))];
}
