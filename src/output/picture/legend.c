// SPDX-License-Identifier: MIT
// The legend of a picture: colour bar, largest and smallest value, title, time, and the axes.
#include "output/picture/legend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "output/picture/glyphs.h"
#include "output/picture/units.h"

static const double ink[3] = {0.012, 0.014, 0.02}, soft[3] = {0.13, 0.14, 0.16}, white[3] = {1, 1, 1};
// The usual colours of the axes x, y, z.
static const double axes[3][3] = {{0.60, 0.03, 0.03}, {0.02, 0.28, 0.05}, {0.02, 0.10, 0.55}};

enum { TICKS = 6, LINE_MAX_BYTES = 256 };

double carom_legend_unit(int width, int height) {
    return fmin(width / 1600.0, height / 1000.0);
}

void carom_legend_margins(double unit, double margins[4]) {
    margins[0] = 90 * unit;
    margins[1] = 130 * unit;
    margins[2] = 300 * unit;
    margins[3] = 115 * unit;
}

// Draws a text within a width: a longer text is truncated and ends with dots.
static void draw_within(carom_image *image, double x, double y, double size, const char *text, double max_width,
                        const double colour[3]) {
    char line[LINE_MAX_BYTES];
    snprintf(line, sizeof line, "%s", text);
    size_t length = strlen(line);
    while (length > 3 && carom_glyphs_width(line, size) > max_width) {
        // characters of several bytes are not split
        do
            length--;
        while (length > 3 && ((unsigned char)line[length - 3] & 0xc0) == 0x80);
        memcpy(&line[length - 3], "...", 4);
    }
    carom_glyphs_draw(image, x, y, size, line, colour);
}

// Draws a text that ends in a number. If it does not fit it is drawn smaller, since a truncated number would be wrong.
static void draw_number(carom_image *image, double x, double y, double size, const char *text, double max_width,
                        const double colour[3]) {
    carom_glyphs_draw(image, x, y, size * fmin(1, max_width / carom_glyphs_width(text, size)), text, colour);
}

// The largest value and its mark; it may exceed the range of colours, which may be fitted to nearly all nodes only.
static void draw_extremes(const carom_legend *l, carom_image *image, double unit, double x, double y, double max_width) {
    char line[LINE_MAX_BYTES];
    bool marked = l->largest[2] > 0;
    if (marked)
        carom_image_ring(image, (double[2]){x + 9 * unit, y - 8 * unit}, 9 * unit, 2.4 * unit, ink);
    snprintf(line, sizeof line, "largest %.4g", l->facts->largest);
    draw_number(image, x + (marked ? 31 * unit : 0), y, 16 * unit, line, max_width - (marked ? 31 * unit : 0), ink);
    if (l->named) {
        snprintf(line, sizeof line, "in %s", l->facts->body);
        draw_within(image, x, y += 32 * unit, 15 * unit, line, max_width, soft);
    }
    if (l->colours->diverging) {
        snprintf(line, sizeof line, "smallest %.4g", l->facts->smallest);
        draw_number(image, x, y += 32 * unit, 15 * unit, line, max_width, soft);
    }
    if (l->facts->largest > l->colours->high * (1 + 1e-9))
        draw_within(image, x, y + 30 * unit, 13 * unit, "(beyond the colours)", max_width, soft);
}

static void draw_bar(const carom_legend *l, carom_image *image, double unit) {
    double left = image->width - 235 * unit, right = left + 30 * unit, top = 0.24 * image->height,
           bottom = 0.74 * image->height;
    const carom_colours *c = l->colours;
    for (int y = (int)floor(top); y < bottom; y++) {
        double colour[3];
        carom_colours_at(c, c->low + (c->high - c->low) * (bottom - y - 0.5) / (bottom - top), colour);
        carom_image_fill(image, left, fmax(y, top), right, fmin(y + 1, bottom), colour);
    }
    double first, space = carom_ticks(c->low, c->high, TICKS, &first), size = 15 * unit;
    for (int i = 0; first + i * space <= c->high + 1e-9 * space; i++) {
        double value = first + i * space, y = bottom - (value - c->low) / (c->high - c->low) * (bottom - top);
        char number[32];
        // rounding errors of a tick at zero are not printed
        snprintf(number, sizeof number, "%.4g", fabs(value) < 1e-9 * space ? 0 : value);
        carom_image_line(image, (double[2]){right, y}, (double[2]){right + 7 * unit, y}, 1.5 * unit, soft);
        carom_glyphs_draw(image, right + 16 * unit, y + 0.5 * size, size, number, ink);
    }
    double max_width = image->width - left - 15 * unit;
    // the quantity with its unit, if both fit
    char line[LINE_MAX_BYTES], unit_text[CAROM_UNIT_MAX];
    carom_picture_unit(l->units, l->facts->field, unit_text);
    snprintf(line, sizeof line, "%s, %s", l->quantity, unit_text);
    bool fits = *unit_text && carom_glyphs_width(line, 16 * unit) <= max_width;
    draw_within(image, left, top - 30 * unit, 16 * unit, fits ? line : l->quantity, max_width, ink);
    draw_extremes(l, image, unit, left, bottom + 45 * unit, max_width);
}

// Three short arrows that show how the axes lie; one that points at the eye is a dot.
static void draw_axes(const carom_legend *l, carom_image *image, double unit) {
    static const char *const names[3] = {"x", "y", "z"};
    double origin[2] = {75 * unit, image->height - 75 * unit}, length = 42 * unit;
    for (int i = 0; i < 3; i++) {
        double x = l->camera->right[i], y = -l->camera->up[i];
        double tip[2] = {origin[0] + length * x, origin[1] + length * y};
        carom_image_line(image, origin, tip, 3.2 * unit, axes[i]);
        // the name is centred on the line of the arrow, beyond its tip
        double size = 13 * unit, width = carom_glyphs_width(names[i], size), gap = 15 * unit;
        if (x * x + y * y > 0.01)
            carom_glyphs_draw(image, origin[0] + (length + gap) * x - 0.5 * width, origin[1] + (length + gap) * y + 0.36 * size,
                              size, names[i], axes[i]);
    }
}

void carom_legend_draw(const carom_legend *l, carom_image *image) {
    double unit = l->unit;
    char line[LINE_MAX_BYTES];
    draw_within(image, 48 * unit, 70 * unit, 25 * unit, l->title, image->width - 96 * unit, ink);
    char unit_text[CAROM_UNIT_MAX];
    carom_picture_unit(l->units, "time", unit_text);
    snprintf(line, sizeof line, "time %.6g%s%s, frame %d of %d", l->facts->time, *unit_text ? " " : "", unit_text,
             l->facts->frame, l->facts->frame_count);
    carom_glyphs_draw(image, 48 * unit, 108 * unit, 15.5 * unit, line, soft);
    if (l->largest[2] > 0) {
        carom_image_ring(image, l->largest, 13 * unit, 5 * unit, white);
        carom_image_ring(image, l->largest, 13 * unit, 2.4 * unit, ink);
    }
    draw_bar(l, image, unit);
    draw_axes(l, image, unit);
    if (l->grid > 0) {
        carom_picture_unit(l->units, "length", unit_text);
        snprintf(line, sizeof line, "grid %.4g%s%s", l->grid, *unit_text ? " " : "", unit_text);
        double size = 13 * unit;
        carom_glyphs_draw(image, 160 * unit, image->height - 48 * unit, size, line, soft);
    }
}
