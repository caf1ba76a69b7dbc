// SPDX-License-Identifier: MIT
// Writes an animated PNG with indexed colours (apng.h). Each frame is drawn onto the one before (dispose_op NONE). Pixels that
// do not change are stored with their colour (blend_op SOURCE) or as the transparent colour 0 (OVER); the smaller stream is
// kept. Differences of palette indices are not meaningful, so all rows have filter 0.
#include "output/picture/apng.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "output/frames/pack.h"
#include "output/picture/png.h"

// Values of blend_op.
enum { SOURCE = 0, OVER = 1 };

typedef struct region {
    int left, top, width, height;
} region;

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for a moving picture");
}

carom_status carom_apng_begin(carom_apng *a, int width, int height, int frame_count, int colour_count,
                              const unsigned char (*colours)[3], carom_error *error) {
    *a = (carom_apng){.width = width, .height = height};
    a->rows = carom_allocate((1 + (int64_t)width) * height, 1);
    if (!a->rows)
        return no_memory(error);
    unsigned char control[8] = {0}; // number of frames; number of repetitions, 0: endless
    carom_png_put_number(control, (uint32_t)frame_count);
    carom_png_put_head(&a->bytes, width, height, CAROM_PNG_INDEXED);
    carom_png_put_chunk(&a->bytes, "PLTE", colours[0], 3 * (size_t)colour_count);
    carom_png_put_chunk(&a->bytes, "tRNS", (const unsigned char[]){0}, 1);
    carom_png_put_chunk(&a->bytes, "acTL", control, sizeof control);
    return CAROM_OK;
}

// The smallest rectangle with all changes, of one pixel at least; the whole picture for the first frame.
static region find_changes(const carom_apng *a, const unsigned char *pixels) {
    if (!a->shown)
        return (region){0, 0, a->width, a->height};
    int left = a->width, right = 0, top = a->height, bottom = 0;
    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++) {
            int64_t k = (int64_t)y * a->width + x;
            if (pixels[k] == a->shown[k])
                continue;
            left = x < left ? x : left;
            right = x + 1 > right ? x + 1 : right;
            top = y < top ? y : top;
            bottom = y + 1;
        }
    return bottom ? (region){left, top, right - left, bottom - top} : (region){0, 0, 1, 1};
}

// Packs the rows of a region as one stream; returns its size, 0 if memory is short.
static size_t pack(const carom_apng *a, const region *r, const unsigned char *pixels, int blend, unsigned char **packed) {
    unsigned char *out = a->rows;
    for (int y = r->top; y < r->top + r->height; y++) {
        *out++ = 0;
        for (int x = r->left; x < r->left + r->width; x++) {
            int64_t k = (int64_t)y * a->width + x;
            *out++ = blend == OVER && pixels[k] == a->shown[k] ? 0 : pixels[k];
        }
    }
    return carom_pack_bytes(a->rows, (size_t)(out - a->rows), packed);
}

static void put_frame_control(carom_apng *a, const region *r, int milliseconds, int blend) {
    // the delay as a fraction of a second, dispose_op, blend_op
    unsigned char control[26] = {[20] = (unsigned char)(milliseconds >> 8),
                                 [21] = (unsigned char)milliseconds,
                                 [22] = 1000 >> 8,
                                 [23] = 1000 & 0xff,
                                 [25] = (unsigned char)blend};
    carom_png_put_number(control, a->sequence++);
    carom_png_put_number(control + 4, (uint32_t)r->width);
    carom_png_put_number(control + 8, (uint32_t)r->height);
    carom_png_put_number(control + 12, (uint32_t)r->left);
    carom_png_put_number(control + 16, (uint32_t)r->top);
    carom_png_put_chunk(&a->bytes, "fcTL", control, sizeof control);
}

// The first frame is also the picture in programs without APNG; data of later frames begin with a sequence number.
static bool put_data(carom_apng *a, const unsigned char *packed, size_t size) {
    if (!a->shown) {
        carom_png_put_chunk(&a->bytes, "IDAT", packed, size);
        return true;
    }
    unsigned char *numbered = malloc(size + 4);
    if (!numbered)
        return false;
    carom_png_put_number(numbered, a->sequence++);
    memcpy(numbered + 4, packed, size);
    carom_png_put_chunk(&a->bytes, "fdAT", numbered, size + 4);
    free(numbered);
    return true;
}

carom_status carom_apng_add(carom_apng *a, const unsigned char *pixels, int milliseconds, carom_error *error) {
    region r = find_changes(a, pixels);
    unsigned char *packed[2] = {NULL, NULL};
    size_t size[2] = {pack(a, &r, pixels, SOURCE, &packed[SOURCE]), 0};
    if (a->shown)
        size[OVER] = pack(a, &r, pixels, OVER, &packed[OVER]);
    int blend = packed[OVER] && size[OVER] < size[SOURCE] ? OVER : SOURCE;
    bool good = packed[blend] != NULL;
    if (good) {
        put_frame_control(a, &r, milliseconds, blend);
        good = put_data(a, packed[blend], size[blend]);
    }
    free(packed[0]);
    free(packed[1]);
    if (!a->shown)
        a->shown = carom_allocate((int64_t)a->width * a->height, 1);
    if (!good || !a->shown || a->bytes.failed)
        return no_memory(error);
    memcpy(a->shown, pixels, (size_t)a->width * (size_t)a->height);
    return CAROM_OK;
}

carom_status carom_apng_end(carom_apng *a, carom_error *error) {
    carom_png_put_chunk(&a->bytes, "IEND", a->rows, 0);
    return a->bytes.failed ? no_memory(error) : CAROM_OK;
}

void carom_apng_release(carom_apng *a) {
    free(a->shown);
    free(a->rows);
    carom_text_release(&a->bytes);
    *a = (carom_apng){0};
}
