// SPDX-License-Identifier: MIT
// Tests src/output/picture.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../support.h"
#include "base/inflate.h"
#include "carom/file.h"
#include "math/vec3.h"
#include "output/picture/glyphs.h"
#include "output/picture/light.h"
#include "output/picture/png.h"
#include "output/picture/raster.h"
#include "output/picture/scan.h"
#include "output/picture/units.h"

enum { SIDE = 64 };

// Marks the samples of a triangle; returns how many there are.
static int mark(const double corners[3][2], int marks[SIDE][SIDE]) {
    carom_scan scan;
    int count = 0;
    if (!carom_scan_begin(&scan, corners, 0, SIDE))
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

// A triangle of half a square has the samples below its diagonal; the other half has the rest, and the diagonal once.
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
    assert_true(carom_scan_begin(&scan, corners, 0, SIDE));
    double w[3], value = 0;
    carom_scan_weights(&scan, 20, 30, w);
    for (int i = 0; i < 3; i++)
        value += w[i] * (1 + 2 * corners[i][0] - 3 * corners[i][1]);
    assert_true(fabs(w[0] + w[1] + w[2] - 1) < 1e-14);
    assert_true(fabs(value - (1 + 2 * 20.5 - 3 * 30.5)) < 1e-12);
}

// A ray through the pixel of a position passes through the position, in both projections; nearer is deeper.
static void test_camera(void **state) {
    (void)state;
    for (int parallel = 0; parallel < 2; parallel++) {
        carom_camera camera = carom_camera_look((double[3]){0, 0, 2}, -1, 0.4, parallel);
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
    carom_camera camera = carom_camera_look((double[3]){0, 0, 1}, 0, 0, true);
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
    // an I is one stroke: its light is its height and the round ends times the pen
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

// One triangle before the sky: its colour is that of its value where it is, and the sky stays elsewhere.
static void test_raster(void **state) {
    (void)state;
    carom_shapes shapes = {0};
    const int nodes[3] = {0, 1, 2};
    const carom_triangles triangles = {nodes, 1, 0, 3, .sheet = true};
    const double positions[9] = {-1, -1, 0, 1, -1, 0, -1, 1, 0}, values[3] = {10, 10, 10};
    assert_int_equal(carom_shapes_add_surface(&shapes, &triangles, positions, values, NULL), CAROM_OK);
    carom_camera camera = carom_camera_look((double[3]){0, 1, 0}, -0.5 * 3.14159265358979323846, 0, true);
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

// A plain ground, most of any picture, takes next to nothing.
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

// Where the product of the units of a scene has a name of its own it is told, else nothing.
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
        cmocka_unit_test(test_png_is_packed), cmocka_unit_test(test_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
