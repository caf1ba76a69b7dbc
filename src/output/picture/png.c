// SPDX-License-Identifier: MIT
// Writes a picture as a PNG file. A PNG is a signature and chunks: head (IHDR), pixels (IDAT: a zlib stream of filtered rows),
// end (IEND). Each row is filtered by the neighbour that predicts it best, which is what makes the stream small.
#include "output/picture/png.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "carom/file.h"
#include "output/frames/pack.h"

enum { PIXEL = 3 }; // bytes

typedef enum filter { NONE, SUB, UP, AVERAGE, PAETH, FILTERS } filter;

// The check sum of chunks: the polynomial of ISO 3309, bits reversed. Continues that of the bytes before.
static uint32_t crc(uint32_t sum, const unsigned char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
    }
    return sum;
}

void carom_png_put_number(unsigned char bytes[4], uint32_t number) {
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(number >> (24 - 8 * i));
}

void carom_png_put_chunk(carom_text *out, const char *type, const unsigned char *bytes, size_t size) {
    unsigned char number[4];
    carom_png_put_number(number, (uint32_t)size);
    carom_text_append(out, (const char *)number, 4);
    carom_text_append(out, type, 4);
    carom_text_append(out, (const char *)bytes, size);
    carom_png_put_number(number, ~crc(crc(~0u, (const unsigned char *)type, 4), bytes, size));
    carom_text_append(out, (const char *)number, 4);
}

void carom_png_put_head(carom_text *out, int width, int height, carom_png_kind kind) {
    static const unsigned char signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    // 8 bits for each number; no interlacing
    unsigned char head[13] = {[8] = 8, [9] = (unsigned char)kind};
    carom_png_put_number(head, (uint32_t)width);
    carom_png_put_number(head + 4, (uint32_t)height);
    carom_text_append(out, (const char *)signature, sizeof signature);
    carom_png_put_chunk(out, "IHDR", head, sizeof head);
    // the light is encoded as sRGB
    carom_png_put_chunk(out, "sRGB", (const unsigned char[]){0}, 1);
}

// The predictor of Paeth: that of left, above and above left which is nearest to left + above - above left.
static int paeth(int left, int above, int corner) {
    int guess = left + above - corner;
    int a = abs(guess - left), b = abs(guess - above), c = abs(guess - corner);
    return a <= b && a <= c ? left : b <= c ? above : corner;
}

// Filters one row into `out`; returns the sum of the magnitudes, the usual estimate of its packed size.
static int64_t apply(filter kind, const unsigned char *row, const unsigned char *above, int size, unsigned char *out) {
    int64_t sum = 0;
    for (int i = 0; i < size; i++) {
        int a = i >= PIXEL ? row[i - PIXEL] : 0, b = above ? above[i] : 0, c = i >= PIXEL && above ? above[i - PIXEL] : 0;
        int guess = kind == SUB ? a : kind == UP ? b : kind == AVERAGE ? (a + b) / 2 : kind == PAETH ? paeth(a, b, c) : 0;
        out[i] = (unsigned char)(row[i] - guess);
        sum += abs((signed char)out[i]);
    }
    return sum;
}

// Rows with their filters before them, as they are packed.
static void filter_rows(int width, int height, const unsigned char *rgb, unsigned char *scratch, unsigned char *rows) {
    int size = PIXEL * width;
    for (int y = 0; y < height; y++) {
        const unsigned char *row = &rgb[(int64_t)y * size], *above = y ? row - size : NULL;
        unsigned char *out = &rows[(int64_t)y * (size + 1)];
        int64_t least = INT64_MAX;
        for (filter kind = NONE; kind < FILTERS; kind++) {
            int64_t sum = apply(kind, row, above, size, scratch);
            if (sum >= least)
                continue;
            least = sum;
            *out = (unsigned char)kind;
            memcpy(out + 1, scratch, (size_t)size);
        }
    }
}

carom_status carom_png_write(const char *path, int width, int height, const unsigned char *rgb, carom_error *error) {
    int64_t size = (1 + (int64_t)PIXEL * width) * height;
    unsigned char *scratch = carom_allocate((int64_t)PIXEL * width, 1), *rows = carom_allocate(size, 1);
    unsigned char *packed = NULL;
    size_t packed_size = 0;
    carom_text out = {0};
    if (scratch && rows) {
        filter_rows(width, height, rgb, scratch, rows);
        packed_size = carom_pack_bytes(rows, (size_t)size, &packed);
    }
    if (packed) {
        carom_png_put_head(&out, width, height, CAROM_PNG_RGB);
        carom_png_put_chunk(&out, "IDAT", packed, packed_size);
        carom_png_put_chunk(&out, "IEND", packed, 0);
    }
    carom_status status = packed && !out.failed ? carom_file_replace(path, out.data, out.size, error)
                                                : carom_fail(error, CAROM_NO_MEMORY, "no memory to write the picture %s", path);
    free(scratch);
    free(rows);
    free(packed);
    carom_text_release(&out);
    return status;
}
