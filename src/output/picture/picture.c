// SPDX-License-Identifier: MIT
// Writes one frame of a result as a PNG picture: chooses the frame, draws the scene and encodes the image.
#include "carom/picture.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/numerals.h"
#include "output/picture/legend.h"
#include "output/picture/png.h"
#include "output/picture/stage.h"

static carom_status choose_frame(carom_stage *stage, int *frame, carom_error *error) {
    const carom_picture_def *def = stage->def;
    int count = stage->reader.frame_count;
    *frame = def->when == CAROM_PICTURE_END ? count - 1 : 0;
    double best = def->when == CAROM_PICTURE_TIME ? HUGE_VAL : -HUGE_VAL;
    for (int f = 0; def->when == CAROM_PICTURE_TIME && f < count; f++)
        if (fabs(stage->reader.frames[f].time - def->time) < best) {
            best = fabs(stage->reader.frames[f].time - def->time);
            *frame = f;
        }
    carom_status status = CAROM_OK;
    for (int f = 0; def->when == CAROM_PICTURE_PEAK && f < count && !status; f++) {
        status = carom_stage_read(stage, f, error);
        int node = status ? -1 : carom_stage_largest(stage, true);
        if (node >= 0 && fabs(stage->values[node]) > best) {
            best = fabs(stage->values[node]);
            *frame = f;
        }
    }
    return status;
}

static carom_status draw(carom_stage *stage, const char *path, carom_picture_facts *facts, carom_error *error) {
    const carom_picture_def *def = stage->def;
    carom_image image = {0};
    unsigned char *rgb = carom_allocate(3 * (int64_t)def->width * def->height, 1);
    int frame;
    carom_status status = rgb ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for the bytes of a picture");
    if (!status)
        status = choose_frame(stage, &frame, error);
    if (!status)
        status = carom_stage_fit(stage, &frame, 1, error);
    if (!status)
        status = carom_image_create(&image, def->width, def->height, error);
    if (!status)
        status = carom_stage_draw(stage, frame, &image, facts, error);
    if (!status) {
        carom_image_encode(&image, rgb, def->width);
        status = carom_png_write(path, def->width, def->height, rgb, error);
    }
    carom_image_release(&image);
    free(rgb);
    return status;
}

// Numbers are printed with a decimal point whatever the locale says.
carom_status carom_picture_write(const char *path, const carom_picture_def *def, carom_picture_facts *facts,
                                 carom_error *error) {
    carom_stage *stage = carom_allocate(1, sizeof *stage);
    if (!stage)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for a picture");
    carom_numerals numerals = carom_numerals_enter();
    carom_status status = carom_stage_open(stage, def, carom_legend_unit(def->width, def->height), error);
    if (!status)
        status = draw(stage, path, facts, error);
    carom_numerals_leave(numerals);
    carom_stage_release(stage);
    free(stage);
    return status;
}
