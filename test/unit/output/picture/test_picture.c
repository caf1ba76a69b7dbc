// SPDX-License-Identifier: MIT
// Tests src/output/picture.
// Scan conversion, camera, colours, text, light, PNG files, palettes, energies, names of units.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../support.h"
#include "base/inflate.h"
#include "carom/file.h"
#include "math/vec3.h"
#include "output/picture/apng.h"
#include "output/picture/energies.h"
#include "output/picture/glyphs.h"
#include "output/picture/light.h"
#include "output/picture/palette.h"
#include "output/picture/png.h"
#include "output/picture/raster.h"
#include "output/picture/scan.h"
#include "output/picture/units.h"

enum { SIDE = 64 };

// Marks the samples of a triangle; returns how many there are.
static int mark(const double corners[3][2], int marks[SIDE][SIDE]) {
    carom_scan scan;
    int count = 0;
    if (!carom_scan_begin(&scan, corners, SIDE))
        return 0;
    for (int row = scan.row_begin; row < scan.row_end; row++) {
        int begin, end;
        if (!carom_scan_row(&scan, row, SIDE, &begin, &end))
            continue;
        for (int column = begin; column < end; column++, count++)
            marks[row][column]++;
    }
    return count;
}

// Two triangles that form a square together contain each sample of it once, those on the common diagonal included.
static void test_scan_counts(void **state) {
    (void)state;
    int marks[SIDE][SIDE] = {{0}};
    const double low[3][2] = {{8, 8}, {40, 8}, {8, 40}}, high[3][2] = {{40, 8}, {40, 40}, {8, 40}};
    int count = mark(low, marks) + mark(high, marks);
    assert_int_equal(count, 32 * 32);
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++)
            assert_int_equal(marks[row][column], row >= 8 && row < 40 && column >= 8 && column < 40);
}

// A fan around a point, with corners between samples, leaves no gap and covers nothing twice, whichever way it turns.
static void test_scan_fan(void **state) {
    (void)state;
    int marks[SIDE][SIDE] = {{0}}, count = 0;
    const double centre[2] = {31.37, 30.91};
    enum { FAN = 11 };
    for (int i = 0; i < FAN; i++) {
        double a = 2 * 3.14159265358979323846 * i / FAN, b = 2 * 3.14159265358979323846 * ((i + 1) % FAN) / FAN;
        const double corners[3][2] = {{centre[0], centre[1]},
                                      {centre[0] + 25.3 * cos(a), centre[1] + 25.3 * sin(a)},
                                      {centre[0] + 25.3 * cos(b), centre[1] + 25.3 * sin(b)}};
        const double turned[3][2] = {{corners[2][0], corners[2][1]}, {corners[1][0], corners[1][1]}, {centre[0], centre[1]}};
        count += mark(i % 2 ? turned : corners, marks);
    }
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++)
            assert_true(marks[row][column] <= 1);
    // the area of the polygon, up to half a sample along its rim
    double area = 0.5 * FAN * 25.3 * 25.3 * sin(2 * 3.14159265358979323846 / FAN);
    assert_true(fabs(count - area) < 0.5 * 2 * 3.1416 * 25.3);
    // far outside and without area there is nothing
    const double outside[3][2] = {{-1e9, -30}, {1e9, -20}, {0, -10}}, thin[3][2] = {{1, 1}, {5, 5}, {9, 9}};
    assert_int_equal(mark(outside, marks), 0);
    assert_int_equal(mark(thin, marks), 0);
}

// Weights at a sample reproduce a linear function.
static void test_scan_weights(void **state) {
    (void)state;
    const double corners[3][2] = {{3, 5}, {50, 11}, {17, 60}};
    carom_scan scan;
    assert_true(carom_scan_begin(&scan, corners, SIDE));
    double w[3], value = 0;
    carom_scan_weights(&scan, 20, 30, w);
    for (int i = 0; i < 3; i++)
        value += w[i] * (1 + 2 * corners[i][0] - 3 * corners[i][1]);
    assert_true(fabs(w[0] + w[1] + w[2] - 1) < 1e-14);
    assert_true(fabs(value - (1 + 2 * 20.5 - 3 * 30.5)) < 1e-12);
}

// A ray through the pixel of a position passes through the position, in both projections. A nearer position has a
// larger third coordinate.
static void test_camera(void **state) {
    (void)state;
    for (int parallel = 0; parallel < 2; parallel++) {
        carom_camera camera = carom_camera_aim((double[3]){0, 0, 2}, -1, 0.4, parallel);
        camera.scale = 300;
        camera.shift[0] = 400;
        camera.shift[1] = 250;
        const double position[3] = {0.3, -0.2, 0.5};
        double pixel[3], nearer[3], from[3], along[3], to[3], cross[3], front[3];
        carom_camera_project(&camera, position, pixel);
        carom_camera_ray(&camera, pixel, from, along);
        carom_difference(position, from, to);
        carom_cross(to, along, cross);
        assert_true(carom_norm(cross) < 1e-12);
        carom_copy(position, front);
        carom_add_scaled(0.1, camera.back, front);
        carom_camera_project(&camera, front, nearer);
        assert_true(nearer[2] > pixel[2]);
        // z is up
        assert_true(camera.up[2] > 0.9);
    }
    // azimuth 0 looks from the side of large x, with y to the right
    carom_camera camera = carom_camera_aim((double[3]){0, 0, 1}, 0, 0, true);
    assert_true(fabs(camera.back[0] - 1) < 1e-15 && fabs(camera.right[1] - 1) < 1e-15 && fabs(camera.up[2] - 1) < 1e-15);
}

static void test_colours(void **state) {
    (void)state;
    double rgb[3], other[3];
    carom_colours colours = carom_colours_fit(2, 10);
    assert_true(colours.low == 0 && colours.high == 10 && !colours.diverging);
    carom_colours_at(&colours, 1e9, rgb);
    carom_colours_at(&colours, 10, other);
    assert_memory_equal(rgb, other, sizeof rgb);
    assert_int_equal(carom_srgb_encode(rgb[0]), 251);
    carom_colours_at(&colours, (double)NAN, rgb);
    assert_int_equal(carom_srgb_encode(rgb[2]), 94);
    // both signs: about zero, which is grey
    colours = carom_colours_fit(-3, 8);
    assert_true(colours.diverging && colours.low == -8);
    carom_colours_at(&colours, 0, rgb);
    assert_true(rgb[0] == rgb[1] && rgb[1] == rgb[2]);
    // a constant, and nothing at all
    colours = carom_colours_fit(5, 5);
    assert_true(colours.low == 2.5 && colours.high == 7.5);
    colours = carom_colours_fit(0, 0);
    assert_true(colours.low < colours.high);
    double first, space = carom_ticks(-0.31, 0.42, 6, &first);
    assert_true(fabs(space - 0.1) < 1e-15 && fabs(first + 0.3) < 1e-15);
    for (int byte = 0; byte < 256; byte++)
        assert_int_equal(carom_srgb_encode(carom_srgb_decode(byte)), byte);
}

// Light of all pixels in a rectangle.
static double sum(const carom_image *image, int x0, int y0, int x1, int y1) {
    double total = 0;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            total += image->light[3 * (y * image->width + x)];
    return total;
}

static void test_glyphs(void **state) {
    (void)state;
    const double white[3] = {1, 1, 1};
    carom_image image;
    assert_int_equal(carom_image_create(&image, 400, 60, NULL), CAROM_OK);
    // an I is one stroke: the sum of its light is the area of a rectangle as wide as the pen and of two semicircular ends
    carom_glyphs_draw(&image, 20, 50, 35, "I", white);
    double pen = 0.95 * 35 / 7, area = 35 * pen + 3.14159 / 4 * pen * pen;
    assert_true(fabs(sum(&image, 0, 0, 400, 60) - area) < 0.03 * area);
    // every character draws something but the space; unknown ones become a question mark
    for (int c = 32; c < 127; c++) {
        char text[2] = {(char)c, 0};
        double before = sum(&image, 100, 0, 400, 60);
        carom_glyphs_draw(&image, 100 + 2.0 * (c - 32), 40, 20, text, white);
        assert_true((sum(&image, 100, 0, 400, 60) > before) == (c != ' '));
    }
    assert_true(carom_glyphs_width("\xe4\xb8\xad", 10) == carom_glyphs_width("?", 10));
    assert_true(carom_glyphs_width("\xc2\xb0", 10) != carom_glyphs_width("?", 10));
    assert_true(carom_glyphs_width("", 10) == 0 && carom_glyphs_width("mm", 10) > carom_glyphs_width("ll", 10));
    carom_image_release(&image);
}

// One triangle before the sky: pixels inside have the colour of its value, pixels outside that of the sky.
static void test_raster(void **state) {
    (void)state;
    carom_shapes shapes = {0};
    const int nodes[3] = {0, 1, 2};
    const carom_triangles triangles = {nodes, 1, 0, 3, .sheet = true};
    const double positions[9] = {-1, -1, 0, 1, -1, 0, -1, 1, 0}, values[3] = {10, 10, 10};
    assert_int_equal(carom_shapes_add_surface(&shapes, &triangles, positions, values, NULL), CAROM_OK);
    carom_camera camera = carom_camera_aim((double[3]){0, 1, 0}, -0.5 * 3.14159265358979323846, 0, true);
    camera.scale = 40;
    camera.shift[0] = camera.shift[1] = 50;
    carom_colours colours = carom_colours_fit(0, 10);
    const carom_raster_def def = {.camera = &camera, .shapes = &shapes, .colours = &colours, .unlit = true};
    carom_image image;
    assert_int_equal(carom_image_create(&image, 100, 100, NULL), CAROM_OK);
    assert_int_equal(carom_raster(&def, &image, NULL), CAROM_OK);
    // inside at (20, 80), outside beyond the diagonal at (80, 20)
    assert_int_equal(carom_srgb_encode(image.light[3 * (80 * 100 + 20)]), 251);
    assert_int_equal(carom_srgb_encode(image.light[3 * (80 * 100 + 20) + 2]), 122);
    assert_true(image.light[3 * (20 * 100 + 80) + 2] > 0.9f);
    // the share of a pixel on the diagonal is that of its samples
    double inside = carom_srgb_decode(122), on = image.light[3 * (49 * 100 + 49) + 2];
    assert_true(on > inside && on < 0.97);
    carom_image_release(&image);
    carom_shapes_release(&shapes);
}

// Below a plate the floor is dark, far from it not; a ball and a bar are closed and face outward.
static void test_light(void **state) {
    (void)state;
    carom_shapes shapes = {0};
    const int nodes[6] = {0, 1, 2, 0, 2, 3};
    const carom_triangles triangles = {nodes, 2, 0, 4, .sheet = true};
    const double positions[12] = {-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0}, values[4] = {0};
    const double up[3] = {0, 0, 1};
    assert_int_equal(carom_shapes_add_surface(&shapes, &triangles, positions, values, NULL), CAROM_OK);
    carom_floor floor = carom_floor_create((double[3]){7, 3, -0.1}, up, 0);
    assert_non_null(floor.light);
    assert_int_equal(carom_light(&shapes, &floor, 1, up, up, NULL), CAROM_OK);
    double below[3], beside[3];
    double left = carom_floor_colour(&floor, (double[3]){0.02, 0.03, -0.1}, 0.001, below);
    carom_floor_colour(&floor, (double[3]){0, 1.05, -0.1}, 0.001, beside);
    assert_true(left == 1 && below[0] < 0.25 * beside[0]);
    // the upper side of the plate sees the whole sky and the lamp
    assert_true(fabs(shapes.shapes[0].corners[0].key - 1) < 1e-12 && fabs(shapes.shapes[0].corners[0].sky - 1) < 0.02);
    // a ray from above meets it, one from below does not
    assert_true(fabs(carom_floor_meet(&floor, (double[3]){0, 0, 1}, (double[3]){0, 0, -1}) - 1.1) < 1e-14);
    assert_true(carom_floor_meet(&floor, (double[3]){0, 0, -1}, (double[3]){0, 0, 1}) < 0);
    free(floor.light);
    carom_shapes_release(&shapes);

    const double ends[2][3] = {{0.2, 0, 0}, {1, 0.5, 0.3}}, two[2] = {1, 2}, centre[3] = {0.1, 0.2, 0.3};
    assert_int_equal(carom_shapes_add_bar(&shapes, ends, 0.1, two, false, NULL), CAROM_OK);
    assert_int_equal(carom_shapes_add_ball(&shapes, centre, 0.5, 1, false, NULL), CAROM_OK);
    double volume = 0;
    for (int64_t s = 0; s < shapes.count; s++) {
        const carom_corner *c = shapes.shapes[s].corners;
        double a[3], b[3], face[3];
        carom_difference(c[1].at, c[0].at, a);
        carom_difference(c[2].at, c[0].at, b);
        carom_cross(a, b, face);
        volume += carom_dot(c[0].at, face) / 6;
        assert_true(carom_dot(face, c[0].normal) > 0);
    }
    // both together, up to the corners that circles lose
    double length = sqrt(0.64 + 0.25 + 0.09), exact = 3.14159265 * (0.01 * length + 4.0 / 3 * 0.125);
    assert_true(volume < exact && volume > 0.94 * exact);
    carom_shapes_release(&shapes);
}

// A PNG that is read back: rows are unpacked, and their filters undone.
static void test_png(void **state) {
    (void)state;
    enum { W = 37, H = 21 };
    unsigned char rgb[3 * W * H], rows[(3 * W + 1) * H], *bytes;
    for (int i = 0; i < 3 * W * H; i++)
        rgb[i] = (unsigned char)(i * 7 + i / W * 13 + (i % 5 == 0) * 90);
    assert_int_equal(carom_png_write("picture.png", W, H, rgb, NULL), CAROM_OK);
    size_t size, at = 8;
    assert_int_equal(carom_read_bytes("picture.png", &bytes, &size, NULL), CAROM_OK);
    assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
    bool found = false;
    while (at < size) {
        size_t length = (size_t)bytes[at] << 24 | (size_t)bytes[at + 1] << 16 | (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        if (memcmp(&bytes[at + 4], "IDAT", 4) == 0)
            found = carom_inflate(&bytes[at + 8], length, rows, sizeof rows) == CAROM_OK;
        at += 12 + length;
    }
    assert_true(found && at == size);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < 3 * W; x++) {
            unsigned char *row = &rows[y * (3 * W + 1) + 1], *above = row - (3 * W + 1);
            int a = x >= 3 ? row[x - 3] : 0, b = y ? above[x] : 0, c = x >= 3 && y ? above[x - 3] : 0, p = a + b - c;
            int nearest = abs(p - a) <= abs(p - b) && abs(p - a) <= abs(p - c) ? a : abs(p - b) <= abs(p - c) ? b : c;
            const int guesses[] = {0, a, b, (a + b) / 2, nearest};
            row[x] = (unsigned char)(row[x] + guesses[row[-1]]);
            assert_int_equal(row[x], rgb[y * 3 * W + x]);
        }
    free(bytes);
    remove("picture.png");
    carom_error error = {0};
    assert_int_equal(carom_png_write("no/such/folder/picture.png", W, H, rgb, &error), CAROM_IO);
}

// A background of one colour, which is most of any picture, needs few bytes.
static void test_png_is_packed(void **state) {
    (void)state;
    enum { W = 400, H = 300 };
    static unsigned char rgb[3 * W * H];
    memset(rgb, 240, sizeof rgb);
    assert_int_equal(carom_png_write("plain.png", W, H, rgb, NULL), CAROM_OK);
    unsigned char *bytes;
    size_t size;
    assert_int_equal(carom_read_bytes("plain.png", &bytes, &size, NULL), CAROM_OK);
    assert_in_range(size, 50, sizeof rgb / 100);
    free(bytes);
    remove("plain.png");
}

static uint32_t number_at(const unsigned char *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// The checksum (CRC) of a chunk, its type included, bit by bit as the PNG specification defines it.
static uint32_t crc_of(const unsigned char *bytes, size_t size) {
    uint32_t sum = 0xffffffff;
    for (size_t i = 0; i < 8 * size; i++) {
        uint32_t bit = (sum ^ (uint32_t)bytes[i / 8] >> i % 8) & 1;
        sum = sum >> 1 ^ (bit ? 0xedb88320 : 0);
    }
    return ~sum;
}

enum { WIDE = 41, HIGH = 23, FRAMES = 5, COLOURS = 7 };

// Frames as they are drawn: a square that moves over a pattern; the fourth is equal to the third.
static void draw_frame(int frame, unsigned char *pixels) {
    int at = frame == 3 ? 2 : frame;
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) {
            bool inside = x >= 5 + 3 * at && x < 12 + 3 * at && y >= 4 + at && y < 10 + at;
            pixels[y * WIDE + x] = (unsigned char)(inside ? 6 : 1 + (x * x + 3 * y) % 5);
        }
}

// Draws the data of a frame over the canvas, as a reader does; returns how many pixels were stored.
static int lay_over(const unsigned char control[26], const unsigned char *packed, size_t size, unsigned char *canvas) {
    int width = (int)number_at(control + 4), height = (int)number_at(control + 8), left = (int)number_at(control + 12),
        top = (int)number_at(control + 16);
    unsigned char rows[(WIDE + 1) * HIGH];
    assert_true(width >= 1 && height >= 1 && left + width <= WIDE && top + height <= HIGH);
    assert_int_equal(carom_inflate(packed, size, rows, (size_t)(width + 1) * (size_t)height), CAROM_OK);
    assert_int_equal(control[24], 0); // nothing is disposed of
    for (int y = 0; y < height; y++) {
        assert_int_equal(rows[y * (width + 1)], 0); // no filter
        for (int x = 0; x < width; x++) {
            unsigned char pixel = rows[y * (width + 1) + 1 + x];
            if (pixel || !control[25])
                canvas[(top + y) * WIDE + left + x] = pixel;
        }
    }
    return width * height;
}

// An animated PNG that is read back: the order of its chunks, their checksums, and the pixels of each frame.
static void test_apng(void **state) {
    (void)state;
    const unsigned char colours[COLOURS][3] = {{0}, {1, 2, 3}, {40, 50, 60}, {70, 80, 90}, {9, 8, 7}, {255, 0, 0}, {0, 255, 0}};
    unsigned char pixels[WIDE * HIGH], canvas[WIDE * HIGH] = {0};
    carom_apng apng = {0};
    assert_int_equal(carom_apng_begin(&apng, WIDE, HIGH, FRAMES, COLOURS, colours, NULL), CAROM_OK);
    for (int f = 0; f < FRAMES; f++) {
        draw_frame(f, pixels);
        assert_int_equal(carom_apng_add(&apng, pixels, 100 + f, NULL), CAROM_OK);
    }
    assert_int_equal(carom_apng_end(&apng, NULL), CAROM_OK);
    const unsigned char *bytes = (const unsigned char *)apng.bytes.data, *control = NULL;
    assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
    char order[256] = "";
    uint32_t sequence = 0;
    int frame = 0, stored = 0;
    for (size_t at = 8; at < apng.bytes.size;) {
        size_t length = number_at(bytes + at);
        const unsigned char *type = bytes + at + 4, *body = type + 4;
        assert_true(at + 12 + length <= apng.bytes.size);
        assert_int_equal(number_at(body + length), crc_of(type, length + 4));
        strncat(order, (const char *)type, 4);
        bool numbered = memcmp(type, "fdAT", 4) == 0;
        if (memcmp(type, "IHDR", 4) == 0)
            assert_true(number_at(body) == WIDE && number_at(body + 4) == HIGH && body[8] == 8 && body[9] == 3);
        if (memcmp(type, "PLTE", 4) == 0)
            assert_true(length == sizeof colours && memcmp(body, colours, sizeof colours) == 0);
        if (memcmp(type, "acTL", 4) == 0)
            assert_true(length == 8 && number_at(body) == FRAMES && number_at(body + 4) == 0);
        if (memcmp(type, "fcTL", 4) == 0) {
            control = body;
            assert_true(length == 26 && number_at(body) == sequence++);
            assert_int_equal(control[20] << 8 | control[21], 100 + frame);
            assert_int_equal(control[22] << 8 | control[23], 1000);
        }
        if (numbered)
            assert_int_equal(number_at(body), sequence++);
        if (numbered || memcmp(type, "IDAT", 4) == 0) {
            stored = lay_over(control, body + 4 * numbered, length - 4 * numbered, canvas);
            draw_frame(frame, pixels);
            assert_memory_equal(canvas, pixels, sizeof pixels);
            // a square has moved, or nothing
            assert_true(frame == 0 ? stored == WIDE * HIGH : frame == 3 ? stored == 1 : stored <= 20 * 8);
            frame++;
        }
        at += 12 + length;
    }
    assert_string_equal(order, "IHDRsRGBPLTEtRNSacTLfcTLIDATfcTLfdATfcTLfdATfcTLfdATfcTLfdATIEND");
    assert_int_equal(frame, FRAMES);
    carom_apng_release(&apng);
}

// A palette contains few colours almost exactly; for many colours the mean error decreases with the size of the palette.
static void test_palette(void **state) {
    (void)state;
    enum { N = 20000 };
    static unsigned char rgb[3 * N], pixels[N];
    carom_palette palette;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++)
            rgb[3 * i + k] = (unsigned char)(i % 100 * (k + 1) * 37);
    assert_int_equal(carom_palette_create(&palette, NULL), CAROM_OK);
    carom_palette_count(&palette, rgb, N);
    assert_int_equal(carom_palette_choose(&palette, 256, NULL), CAROM_OK);
    assert_true(palette.count > 90 && palette.count <= 101);
    carom_palette_apply(&palette, rgb, N, pixels);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++)
            assert_true(abs(palette.colours[pixels[i]][k] - rgb[3 * i + k]) <= 2);
    carom_palette_release(&palette);

    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++)
            rgb[3 * i + k] = (unsigned char)(k == 0 ? i % 256 : k == 1 ? i / 80 : i * 7 % 256);
    double before = HUGE_VAL;
    assert_int_equal(carom_palette_create(&palette, NULL), CAROM_OK);
    carom_palette_count(&palette, rgb, N);
    for (int count = 16; count <= 256; count *= 4) {
        double off = 0;
        assert_int_equal(carom_palette_choose(&palette, count, NULL), CAROM_OK);
        assert_int_equal(palette.count, count);
        carom_palette_apply(&palette, rgb, N, pixels);
        for (int i = 0; i < 3 * N; i++) {
            assert_int_not_equal(pixels[i / 3], 0);
            off += abs(palette.colours[pixels[i / 3]][i % 3] - rgb[i]) / (3.0 * N);
        }
        assert_true(off < 0.75 * before);
        before = off;
    }
    assert_true(before < 12);
    carom_palette_release(&palette);
}

// The ledger of a history: columns of zeros have no bar, the residual is the last, rows are found by their time.
static void test_energies(void **state) {
    (void)state;
    static const char history[] = "time,kinetic,internal,external,friction,restitution,projection,total,residual,contacts\n"
                                  "0,8,0,0,0,0,0,8,0,0\n0.5,5,2,-1,1,0,0,6,-1,3\n1,0,3,-2,6,0,0,1,-1,1\n";
    carom_energies e;
    assert_int_equal(carom_file_replace("history.csv", history, sizeof history - 1, NULL), CAROM_OK);
    assert_int_equal(carom_energies_read(&e, ".", NULL), CAROM_OK);
    static const char *const names[] = {"kinetic", "internal", "external", "friction", "residual"};
    assert_int_equal(e.count, 5);
    for (int b = 0; b < 5; b++)
        assert_string_equal(e.columns[b]->name, names[b]);
    assert_true(e.start == 8 && e.low == -2 && e.high == 9 && e.begin == 0 && e.end == 1);
    assert_int_equal(carom_energies_row(&e, 0.7), 1);
    assert_int_equal(carom_energies_row(&e, 99), 2);
    // at the start kinetic energy is 8 of 11 units of the width between the margins, in its blue
    carom_image image;
    assert_int_equal(carom_image_create(&image, 480, 1000, NULL), CAROM_OK);
    carom_energies_draw(&e, 0, 1, NULL, &image);
    int blue = 0;
    for (int x = 0; x < 480; x++)
        blue += carom_srgb_encode(image.light[3 * ((125 + 35) * 480 + x) + 2]) == 178;
    assert_true(abs(blue - (int)lround((480 - 30 - 36) * 8 / 11.0)) <= 2);
    carom_image_release(&image);
    carom_energies_release(&e);
    // no rows, and no file
    assert_int_equal(carom_file_replace("history.csv", history, strcspn(history, "\n") + 1, NULL), CAROM_OK);
    assert_int_equal(carom_energies_read(&e, ".", NULL), CAROM_BAD_INPUT);
    carom_energies_release(&e);
    remove("history.csv");
    assert_int_equal(carom_energies_read(&e, ".", NULL), CAROM_BAD_INPUT);
    carom_energies_release(&e);
}

// The name of the unit of a field in the units of a scene; empty if it has no name of its own.
static void test_units(void **state) {
    (void)state;
    const struct {
        carom_units units;
        const char *field, *text;
    } cases[] = {
        {{true, "mm", "t", "s"}, "von_mises", "MPa"},   {{true, "m", "kg", "s"}, "max_von_mises", "Pa"},
        {{true, "mm", "kg", "ms"}, "stress", "GPa"},    {{true, "mm", "kg", "ms"}, "contact_force", "kN"},
        {{true, "mm", "t", "s"}, "displacement", "mm"}, {{true, "mm", "t", "ms"}, "velocity", "mm/ms"},
        {{true, "mm", "t", "ms"}, "time", "ms"},        {{true, "in", "lb", "s"}, "von_mises", ""},
        {{true, "mm", "t", "s"}, "plastic_strain", ""}, {{false, "", "", ""}, "von_mises", ""},
        {{true, "mm", "t", "s"}, "mises", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[CAROM_UNIT_MAX];
        carom_picture_unit(&cases[i].units, cases[i].field, text);
        assert_string_equal(text, cases[i].text);
    }
    char text[CAROM_UNIT_MAX];
    carom_picture_unit(NULL, "von_mises", text);
    assert_string_equal(text, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scan_counts),   cmocka_unit_test(test_scan_fan), cmocka_unit_test(test_scan_weights),
        cmocka_unit_test(test_camera),        cmocka_unit_test(test_colours),  cmocka_unit_test(test_glyphs),
        cmocka_unit_test(test_raster),        cmocka_unit_test(test_light),    cmocka_unit_test(test_png),
        cmocka_unit_test(test_png_is_packed), cmocka_unit_test(test_apng),     cmocka_unit_test(test_palette),
        cmocka_unit_test(test_energies),      cmocka_unit_test(test_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
