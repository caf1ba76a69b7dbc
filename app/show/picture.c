// SPDX-License-Identifier: MIT
// carom picture: one frame of a result as a PNG, drawn by carom itself.
#include "carom/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/commands.h"
#include "app/message.h"
#include "app/result.h"
#include "app/show/exhibit.h"

enum { WIDTH = 1600, HEIGHT = 1000 };

// A number, and nothing behind it but `after`; returns where it ends, or NULL.
static const char *read_number(const char *text, char after, double *number) {
    char *end;
    *number = strtod(text, &end);
    return end != text && *end == after && isfinite(*number) ? end : NULL;
}

// Two numbers with a sign between them.
static bool read_two(const char *text, char between, double two[2]) {
    const char *end = read_number(text, between, &two[0]);
    return end && read_number(end + 1, 0, &two[1]);
}

static bool read_moment(const char *text, carom_picture_def *def) {
    static const char *const words[] = {"peak", "start", "end"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, words[i]) == 0) {
            def->moment = (carom_picture_moment)i;
            return true;
        }
    def->moment = CAROM_PICTURE_TIME;
    if (read_number(text, 0, &def->time))
        return true;
    carom_say_error("--at expects peak, start, end or a time, found '%s'", text);
    return false;
}

static bool read_view(const char *text, carom_picture_def *def) {
    static const char *const words[] = {"iso", "x", "y", "z"};
    for (int i = 0; i < 4; i++)
        if (strcmp(text, words[i]) == 0) {
            def->view = (carom_picture_view)i;
            return true;
        }
    double angles[2];
    if (read_two(text, ',', angles) && fabs(angles[1]) <= 90) {
        def->view = CAROM_PICTURE_ANGLES;
        def->azimuth = angles[0];
        def->elevation = angles[1];
        return true;
    }
    carom_say_error("--view expects iso, x, y, z or AZIMUTH,ELEVATION in degrees, such as -60,20, found '%s'", text);
    return false;
}

static bool read_size(const char *text, carom_picture_def *def) {
    double size[2];
    bool good = read_two(text, 'x', size);
    for (int i = 0; i < 2 && good; i++)
        good = size[i] >= CAROM_PICTURE_LEAST && size[i] <= CAROM_PICTURE_MOST && size[i] == floor(size[i]);
    if (!good) {
        carom_say_error("--size expects WIDTHxHEIGHT of %d to %d pixels, such as 1600x1000, found '%s'", CAROM_PICTURE_LEAST,
                        CAROM_PICTURE_MOST, text);
        return false;
    }
    def->width = (int)size[0];
    def->height = (int)size[1];
    return true;
}

static bool read_range(const char *text, carom_picture_def *def) {
    if (read_two(text, ':', def->range) && def->range[0] < def->range[1])
        return true;
    carom_say_error("--range expects LOW:HIGH, such as 0:250, found '%s'", text);
    return false;
}

static bool read_options(const carom_arguments *arguments, carom_picture_def *def) {
    static const struct {
        const char *name;
        bool (*read)(const char *text, carom_picture_def *def);
    } options[] = {{"at", read_moment}, {"view", read_view}, {"size", read_size}, {"range", read_range}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *text = carom_arguments_value(arguments, options[i].name);
        if (text && !options[i].read(text, def))
            return false;
    }
    return true;
}

static bool find_path(const carom_arguments *arguments, char path[static CAROM_PATH_MAX]) {
    const char *directory = arguments->operands[0], *asked = carom_arguments_value(arguments, "output");
    int size =
        asked ? snprintf(path, CAROM_PATH_MAX, "%s", asked) : snprintf(path, CAROM_PATH_MAX, "%s/picture.png", directory);
    if (size <= 0 || size >= CAROM_PATH_MAX) {
        carom_say_error("the picture must have a name of 1 to %d bytes", CAROM_PATH_MAX - 1);
        return false;
    }
    // a name that promises another format would be found out only by whoever opens it
    const char *dot = strrchr(path, '.');
    if (!dot || strcmp(dot, ".png") != 0) {
        carom_say_error("the picture is written as PNG: expected a name that ends in .png, found '%s'", path);
        return false;
    }
    carom_error error = {0};
    if (carom_result_owns(path, &error)) {
        carom_say_error("%s", error.message);
        return false;
    }
    return true;
}

int carom_command_picture(const carom_arguments *arguments) {
    char path[CAROM_PATH_MAX];
    carom_picture_def def = {.directory = arguments->operands[0],
                             .field = carom_arguments_value(arguments, "field"),
                             .edges = carom_arguments_value(arguments, "edges") != NULL,
                             .range = {(double)NAN, (double)NAN},
                             .width = WIDTH,
                             .height = HEIGHT};
    if (!read_options(arguments, &def) || !find_path(arguments, path))
        return CAROM_EXIT_INPUT;
    carom_error error = {0};
    carom_exhibit exhibit = {0};
    carom_picture_facts facts = {0};
    carom_plane_def *planes = NULL;
    carom_units units = {0};
    carom_status status = carom_exhibit_read(def.directory, &exhibit, &error);
    if (!status) {
        def.title = exhibit.title;
        def.body_count = exhibit.run.body_count;
        def.bodies = exhibit.bodies;
        if (exhibit.scene) {
            planes = carom_scene_planes(exhibit.scene, strlen(exhibit.scene), &def.plane_count);
            units = carom_scene_text_units(exhibit.scene, strlen(exhibit.scene));
        }
        def.planes = planes;
        def.units = &units;
        status = carom_picture_write(path, &def, &facts, &error);
    }
    if (status)
        carom_say_error("%s", error.message);
    else
        printf("%s\n%s at time %.6g: largest %.6g in %s at [%.6g, %.6g, %.6g], smallest %.6g\n", path, facts.field, facts.time,
               facts.largest, facts.body, facts.place[0], facts.place[1], facts.place[2], facts.smallest);
    free(planes);
    carom_exhibit_release(&exhibit);
    return carom_exit_code(status);
}
