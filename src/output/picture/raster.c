// SPDX-License-Identifier: MIT
// Draws the triangles, lines and planes of a scene into an image, nearest surface first. The picture is drawn in bands of rows,
// so that only the samples of one band are in memory. Each sample keeps the nearest surface; planes are drawn where no body is,
// lines are drawn over the bodies, and a pixel is the mean of its samples.
#include "output/picture/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"
#include "output/picture/scan.h"

// Samples along each side of a pixel, and rows of pixels in a band.
enum { SAMPLES = 3, BAND_ROWS = 24 };

// Parts of the light on a body: ambient, sky, reflection of the ground, lamp, and specular reflection of the lamp.
static const double ambient = 0.10, from_sky = 0.66, from_ground = 0.16, from_lamp = 0.52, specular = 0.10;
// Colour of bodies without a value.
static const double plain[3] = {0.42, 0.43, 0.45};
// Colour of the background at the top and at the bottom of the picture.
static const double sky[2][3] = {{1, 1, 1}, {0.90, 0.91, 0.93}};
// Lines: width in pixels, opacity, and depth by which they may lie behind a surface.
static const double line_width = 0.9, line_shade = 0.5, line_slack = 2e-3;

typedef struct band {
    const carom_raster_def *def;
    int width, begin, rows; // in samples; `begin` is the first row
    float *depth;
    float (*colour)[3];
} band;

// The colour of a point of a shape.
static void shade(const carom_raster_def *def, const carom_shape *shape, const double weights[3], double colour[3]) {
    double normal[3] = {0}, value = 0, open = 0, lit = 0;
    for (int i = 0; i < 3; i++) {
        const carom_corner *corner = &shape->corners[i];
        carom_add_scaled(weights[i], corner->normal, normal);
        value += weights[i] * corner->value;
        open += weights[i] * corner->sky;
        lit += weights[i] * corner->key;
    }
    carom_normalize(normal);
    if (shape->plain)
        memcpy(colour, plain, sizeof plain);
    else
        carom_colours_at(def->colours, value, colour);
    if (def->unlit)
        return;
    double half[3];
    carom_copy(def->lamp, half);
    carom_add_scaled(1, def->camera->back, half);
    carom_normalize(half);
    double lamp = fmax(0, carom_dot(normal, def->lamp)), mirror = fmax(0, carom_dot(normal, half));
    mirror *= mirror, mirror *= mirror, mirror *= mirror, mirror *= mirror;
    double light =
        ambient + from_sky * open + from_ground * 0.5 * (1 - carom_dot(normal, def->vertical)) + from_lamp * lit * lamp;
    for (int i = 0; i < 3; i++)
        colour[i] = colour[i] * light + specular * lit * mirror * mirror;
}

static void draw_shape(band *b, const carom_shape *shape, const double pixels[3][3]) {
    double corners[3][2], depths[3];
    for (int i = 0; i < 3; i++) {
        corners[i][0] = SAMPLES * pixels[i][0];
        corners[i][1] = SAMPLES * pixels[i][1] - b->begin;
        depths[i] = pixels[i][2];
    }
    carom_scan scan;
    if (!carom_scan_begin(&scan, (const double(*)[2])corners, b->rows))
        return;
    for (int row = scan.row_begin; row < scan.row_end; row++) {
        int begin, end;
        if (!carom_scan_row(&scan, row, b->width, &begin, &end))
            continue;
        for (int column = begin; column < end; column++) {
            double w[3], colour[3];
            carom_scan_weights(&scan, column, row, w);
            float depth = (float)(w[0] * depths[0] + w[1] * depths[1] + w[2] * depths[2]);
            int64_t k = (int64_t)row * b->width + column;
            if (depth <= b->depth[k])
                continue;
            b->depth[k] = depth;
            shade(b->def, shape, w, colour);
            for (int i = 0; i < 3; i++)
                b->colour[k][i] = (float)colour[i];
        }
    }
}

// Blends a share of one colour over another.
static void mix(const double over[3], double share, double colour[3]) {
    for (int i = 0; i < 3; i++)
        colour[i] += share * (over[i] - colour[i]);
}

// Draws the background: the nearest plane, or the sky.
static void draw_background(band *b, int height) {
    const carom_camera *camera = b->def->camera;
    for (int row = 0; row < b->rows; row++)
        for (int column = 0; column < b->width; column++) {
            int64_t k = (int64_t)row * b->width + column;
            if (b->depth[k] > -INFINITY)
                continue;
            double t = (b->begin + row + 0.5) / height, colour[3];
            for (int i = 0; i < 3; i++)
                colour[i] = sky[0][i] + t * (sky[1][i] - sky[0][i]);
            double pixel[2] = {(column + 0.5) / SAMPLES, (b->begin + row + 0.5) / SAMPLES}, from[3], along[3],
                   nearest = HUGE_VAL;
            const carom_floor *floor = NULL;
            carom_camera_ray(camera, pixel, from, along);
            for (int f = 0; f < b->def->floor_count; f++) {
                if (carom_floor_is_cut(&b->def->floors[f], camera)) {
                    double ground[3], share = carom_floor_cut(&b->def->floors[f], from, 1 / camera->scale, ground);
                    mix(ground, share, colour);
                    continue;
                }
                double distance = carom_floor_meet(&b->def->floors[f], from, along);
                if (distance > 0 && distance < nearest) {
                    nearest = distance;
                    floor = &b->def->floors[f];
                }
            }
            if (floor) {
                double ground[3], position[3];
                carom_copy(from, position);
                carom_add_scaled(nearest, along, position);
                double share =
                    carom_floor_colour(floor, position, (camera->distance > 0 ? nearest : 1) / camera->scale, ground);
                mix(ground, share, colour);
            }
            for (int i = 0; i < 3; i++)
                b->colour[k][i] = (float)colour[i];
        }
}

// Darkens the samples near a line that no surface hides.
static void draw_stroke(band *b, const double from[3], const double to[3]) {
    double half = 0.5 * SAMPLES * line_width, a[2] = {SAMPLES * from[0], SAMPLES * from[1] - b->begin},
           along[2] = {SAMPLES * (to[0] - from[0]), SAMPLES * (to[1] - from[1])};
    double length2 = along[0] * along[0] + along[1] * along[1];
    double low[2], high[2];
    for (int i = 0; i < 2; i++) {
        low[i] = fmax(fmin(a[i], a[i] + along[i]) - half - 1, 0);
        high[i] = fmin(fmax(a[i], a[i] + along[i]) + half + 1, i ? b->rows : b->width);
    }
    for (int row = (int)low[1]; row < high[1]; row++)
        for (int column = (int)low[0]; column < high[0]; column++) {
            double d[2] = {column + 0.5 - a[0], row + 0.5 - a[1]};
            double t = length2 > 0 ? fmin(fmax((d[0] * along[0] + d[1] * along[1]) / length2, 0), 1) : 0;
            double x = d[0] - t * along[0], y = d[1] - t * along[1];
            int64_t k = (int64_t)row * b->width + column;
            if (x * x + y * y > half * half || from[2] + t * (to[2] - from[2]) + line_slack < b->depth[k])
                continue;
            for (int i = 0; i < 3; i++)
                b->colour[k][i] *= (float)(1 - line_shade);
        }
}

static void resolve(const band *b, carom_image *image) {
    for (int row = 0; row < b->rows; row++)
        for (int column = 0; column < b->width; column++) {
            float *pixel = &image->light[3 * ((int64_t)((b->begin + row) / SAMPLES) * image->width + column / SAMPLES)];
            for (int i = 0; i < 3; i++)
                pixel[i] += fminf(b->colour[(int64_t)row * b->width + column][i], 1) / (SAMPLES * SAMPLES);
        }
}

// True if the rows between the points overlap those of a band.
static bool meets(const band *b, const double (*pixels)[3], int count) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < count; i++) {
        low = fmin(low, pixels[i][1]);
        high = fmax(high, pixels[i][1]);
    }
    return SAMPLES * high >= b->begin - SAMPLES && SAMPLES * low <= b->begin + b->rows + SAMPLES;
}

static void draw_band(band *b, const double (*pixels)[3][3], const double (*ends)[2][3], carom_image *image) {
    int64_t samples = (int64_t)b->width * b->rows;
    for (int64_t k = 0; k < samples; k++)
        b->depth[k] = -INFINITY;
    for (int64_t s = 0; s < b->def->shapes->count; s++)
        if (meets(b, pixels[s], 3))
            draw_shape(b, &b->def->shapes->shapes[s], pixels[s]);
    draw_background(b, SAMPLES * image->height);
    for (int64_t s = 0; s < b->def->shapes->stroke_count; s++)
        if (meets(b, ends[s], 2))
            draw_stroke(b, ends[s][0], ends[s][1]);
    resolve(b, image);
}

carom_status carom_raster(const carom_raster_def *def, carom_image *image, carom_error *error) {
    const carom_shapes *shapes = def->shapes;
    band b = {.def = def, .width = SAMPLES * image->width};
    double(*pixels)[3][3] = carom_allocate(shapes->count, sizeof *pixels);
    double(*ends)[2][3] = carom_allocate(shapes->stroke_count, sizeof *ends);
    b.depth = carom_allocate((int64_t)b.width * SAMPLES * BAND_ROWS, sizeof *b.depth);
    b.colour = carom_allocate((int64_t)b.width * SAMPLES * BAND_ROWS, sizeof *b.colour);
    bool good = pixels && ends && b.depth && b.colour;
    if (good) {
        for (int64_t s = 0; s < shapes->count; s++)
            for (int i = 0; i < 3; i++)
                carom_camera_project(def->camera, shapes->shapes[s].corners[i].at, pixels[s][i]);
        for (int64_t s = 0; s < shapes->stroke_count; s++) {
            carom_camera_project(def->camera, shapes->strokes[s].from, ends[s][0]);
            carom_camera_project(def->camera, shapes->strokes[s].to, ends[s][1]);
        }
        memset(image->light, 0, 3 * sizeof *image->light * (size_t)image->width * (size_t)image->height);
        for (int row = 0; row < image->height; row += BAND_ROWS) {
            b.begin = SAMPLES * row;
            b.rows = SAMPLES * (image->height - row < BAND_ROWS ? image->height - row : BAND_ROWS);
            draw_band(&b, (const double(*)[3][3])pixels, (const double(*)[2][3])ends, image);
        }
    }
    free(pixels);
    free(ends);
    free(b.depth);
    free(b.colour);
    return good ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory to draw the picture");
}
