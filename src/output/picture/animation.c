// SPDX-License-Identifier: MIT
// Draws many frames of a result as one animated PNG: on the left the bodies as in a single picture, on the right the energies
// of the ledger at the time of the frame. All frames are drawn first and kept in memory, compressed, since one palette serves
// all of them.
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/inflate.h"
#include "base/numerals.h"
#include "carom/file.h"
#include "carom/picture.h"
#include "output/frames/pack.h"
#include "output/picture/apng.h"
#include "output/picture/energies.h"
#include "output/picture/legend.h"
#include "output/picture/palette.h"
#include "output/picture/stage.h"

// Width of the ledger in units of the picture. Milliseconds: the shortest delay of a frame (browsers replace shorter ones), the
// longest that the format allows, and the delay of the last frame.
enum { LEDGER_WIDTH = 480, DELAY_MIN = 20, DELAY_MAX = 65535, LAST_DELAY = 1200 };

// Sizes of the palette, tried in this order until the file is small enough; one colour is the transparent one.
static const int colour_counts[] = {256, 128, 64, 32, 16};
enum { TRIES = sizeof colour_counts / sizeof *colour_counts };

// A drawn frame: its pixels of three bytes, compressed.
typedef struct drawn {
    unsigned char *packed;
    size_t size;
} drawn;

typedef struct animation {
    const carom_animation_def *def;
    carom_picture_def left; // the part with the bodies
    double unit;
    carom_stage stage;
    carom_energies energies;
    carom_palette palette;
    int frame_count, *frames; // of the result
    drawn *drawn;             // one for each frame
    int64_t pixel_count;
    unsigned char *rgb, *pixels; // scratch: a frame, before and after the choice of colours
    carom_apng apng;
} animation;

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for a moving picture");
}

// Evenly spread, with the first and the last.
static carom_status choose_frames(animation *a, carom_error *error) {
    int count = a->stage.reader.frame_count;
    if (a->def->frames < 2)
        return carom_fail(error, CAROM_BAD_INPUT, "a moving picture needs at least 2 frames, not %d", a->def->frames);
    if (count < 2)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s has a single frame, and an animation needs two: run with a smaller output.fields.every",
                          a->def->picture.directory);
    a->frame_count = count < a->def->frames ? count : a->def->frames;
    a->frames = carom_allocate(a->frame_count, sizeof *a->frames);
    a->drawn = carom_allocate(a->frame_count, sizeof *a->drawn);
    if (!a->frames || !a->drawn)
        return no_memory(error);
    for (int i = 0; i < a->frame_count; i++)
        a->frames[i] = (int)(((int64_t)i * (count - 1) + (a->frame_count - 1) / 2) / (a->frame_count - 1));
    return CAROM_OK;
}

static carom_status prepare(animation *a, carom_error *error) {
    const carom_picture_def *whole = &a->def->picture;
    a->unit = carom_legend_unit(whole->width, whole->height);
    a->left = *whole;
    a->left.width = whole->width - (int)(LEDGER_WIDTH * a->unit);
    a->pixel_count = (int64_t)whole->width * whole->height;
    carom_status status = carom_stage_open(&a->stage, &a->left, a->unit, error);
    if (!status)
        status = choose_frames(a, error);
    if (!status)
        status = carom_energies_read(&a->energies, whole->directory, error);
    if (!status)
        status = carom_palette_create(&a->palette, error);
    if (status)
        return status;
    a->rgb = carom_allocate(3 * a->pixel_count, 1);
    a->pixels = carom_allocate(a->pixel_count, 1);
    return a->rgb && a->pixels ? carom_stage_fit(&a->stage, a->frames, a->frame_count, error) : no_memory(error);
}

// Draws all frames, counts their colours and compresses them.
static carom_status draw(animation *a, carom_image *bodies, carom_image *panel, carom_picture_facts *largest,
                         carom_error *error) {
    carom_status status = CAROM_OK;
    int width = a->def->picture.width;
    for (int i = 0; i < a->frame_count && !status; i++) {
        carom_picture_facts facts;
        status = carom_stage_draw(&a->stage, a->frames[i], bodies, &facts, error);
        if (status)
            break;
        if (i == 0 || facts.largest > largest->largest)
            *largest = facts;
        carom_energies_draw(&a->energies, facts.time, a->unit, a->left.units, panel);
        carom_image_encode(bodies, a->rgb, width);
        carom_image_encode(panel, a->rgb + 3 * (int64_t)bodies->width, width);
        carom_palette_count(&a->palette, a->rgb, a->pixel_count);
        a->drawn[i].size = carom_pack_bytes(a->rgb, 3 * (size_t)a->pixel_count, &a->drawn[i].packed);
        if (!a->drawn[i].packed)
            status = no_memory(error);
        else if (a->def->progress && !a->def->progress(a->def->context, i + 1, a->frame_count))
            status = carom_fail(error, CAROM_INTERRUPTED, "interrupted");
    }
    return status;
}

// The delay of a frame is proportional to the time until the next one, as frames need not be evenly spaced in time.
static int milliseconds_of(const animation *a, int i) {
    if (i + 1 == a->frame_count)
        return LAST_DELAY;
    const carom_frame_reader_frame *frames = a->stage.reader.frames;
    double begin = frames[a->frames[0]].time, end = frames[a->frames[a->frame_count - 1]].time;
    double share =
        end > begin ? (frames[a->frames[i + 1]].time - frames[a->frames[i]].time) / (end - begin) : 1.0 / (a->frame_count - 1);
    return (int)lround(fmin(fmax(1000 * a->def->seconds * share, DELAY_MIN), DELAY_MAX));
}

// Encodes the file with that many colours; stops once it exceeds its limit, unless this is the last attempt.
static carom_status encode(animation *a, int colours, bool last, carom_error *error) {
    const carom_picture_def *whole = &a->def->picture;
    carom_status status = carom_palette_choose(&a->palette, colours, error);
    if (status)
        return status;
    carom_apng_release(&a->apng);
    status = carom_apng_begin(&a->apng, whole->width, whole->height, a->frame_count, a->palette.count,
                              (const unsigned char(*)[3])a->palette.colours, error);
    for (int i = 0; i < a->frame_count && !status; i++) {
        status = carom_inflate(a->drawn[i].packed, a->drawn[i].size, a->rgb, 3 * (size_t)a->pixel_count);
        if (status)
            return no_memory(error);
        carom_palette_apply(&a->palette, a->rgb, a->pixel_count, a->pixels);
        status = carom_apng_add(&a->apng, a->pixels, milliseconds_of(a, i), error);
        if (!last && (double)a->apng.bytes.size > a->def->bytes_max)
            return status;
    }
    return status ? status : carom_apng_end(&a->apng, error);
}

static carom_status write_file(animation *a, const char *path, carom_animation_facts *facts, carom_error *error) {
    carom_status status = CAROM_OK;
    bool fits = false;
    for (int t = 0; t < TRIES && !status && !fits; t++) {
        status = encode(a, colour_counts[t], t + 1 == TRIES, error);
        fits = (double)a->apng.bytes.size <= a->def->bytes_max;
    }
    if (status)
        return status;
    if (!fits)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "%s would have %.3g MB with %d colours, above the limit of %.3g MB: take fewer than %d frames, or fewer "
            "than %d x %d pixels",
            path, (double)a->apng.bytes.size / 1e6, colour_counts[TRIES - 1], a->def->bytes_max / 1e6, a->frame_count,
            a->def->picture.width, a->def->picture.height);
    facts->frame_count = a->frame_count;
    facts->colour_count = a->palette.count - 1;
    facts->bytes = (int64_t)a->apng.bytes.size;
    for (int i = 0; i + 1 < a->frame_count; i++)
        facts->seconds += 1e-3 * milliseconds_of(a, i);
    return carom_file_replace(path, a->apng.bytes.data, a->apng.bytes.size, error);
}

static void release(animation *a) {
    carom_stage_release(&a->stage);
    carom_energies_release(&a->energies);
    carom_palette_release(&a->palette);
    carom_apng_release(&a->apng);
    for (int i = 0; a->drawn && i < a->frame_count; i++)
        free(a->drawn[i].packed);
    free(a->drawn);
    free(a->frames);
    free(a->rgb);
    free(a->pixels);
    free(a);
}

carom_status carom_animation_write(const char *path, const carom_animation_def *def, carom_animation_facts *facts,
                                   carom_error *error) {
    animation *a = carom_allocate(1, sizeof *a);
    carom_image bodies = {0}, panel = {0};
    *facts = (carom_animation_facts){0};
    if (!a)
        return no_memory(error);
    carom_numerals numerals = carom_numerals_enter();
    a->def = def;
    carom_status status = prepare(a, error);
    if (!status)
        status = carom_image_create(&bodies, a->left.width, a->left.height, error);
    if (!status)
        status = carom_image_create(&panel, def->picture.width - a->left.width, a->left.height, error);
    if (!status)
        status = draw(a, &bodies, &panel, &facts->largest, error);
    if (!status)
        status = write_file(a, path, facts, error);
    carom_numerals_leave(numerals);
    carom_image_release(&bodies);
    carom_image_release(&panel);
    release(a);
    return status;
}
