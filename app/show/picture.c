// SPDX-License-Identifier: MIT
// carom picture: draws one frame of a result as a PNG, or many frames as an animated PNG.
#include "carom/picture.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/message.h"
#include "app/result.h"
#include "app/show/result_bundle.h"

enum { WIDTH = 1600, HEIGHT = 1000 };
// Defaults of a moving picture. With them most runs stay below MEGABYTES.
enum { MOVING_WIDTH = 1200, MOVING_HEIGHT = 675, FRAMES = 60, MEGABYTES = 4 };
static const double usual_seconds = 5;

// Reads a number followed by the character `after`; returns where it ends, or NULL.
static const char *read_number(const char *text, char after, double *number) {
    char *end;
    *number = strtod(text, &end);
    return end != text && *end == after && isfinite(*number) ? end : NULL;
}

// Reads two numbers with a separator.
static bool read_two(const char *text, char between, double two[2]) {
    const char *end = read_number(text, between, &two[0]);
    return end && read_number(end + 1, 0, &two[1]);
}

static bool read_time(const char *text, carom_picture_def *def) {
    static const char *const words[] = {"peak", "start", "end"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, words[i]) == 0) {
            def->when = (carom_picture_time)i;
            return true;
        }
    def->when = CAROM_PICTURE_TIME;
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

static bool read_frames(const char *text, carom_animation_def *def) {
    double frames;
    bool good = read_number(text, 0, &frames) && frames >= 2 && frames <= CAROM_ANIMATION_FRAMES_MAX && frames == floor(frames);
    if (!good) {
        carom_say_error("--frames expects a number from 2 to %d, found '%s'", CAROM_ANIMATION_FRAMES_MAX, text);
        return false;
    }
    def->frames = (int)frames;
    return true;
}

static bool read_seconds(const char *text, carom_animation_def *def) {
    if (read_number(text, 0, &def->seconds) && def->seconds > 0 && def->seconds <= CAROM_ANIMATION_SECONDS_MAX)
        return true;
    carom_say_error("--seconds expects a number > 0, at most %d, found '%s'", CAROM_ANIMATION_SECONDS_MAX, text);
    return false;
}

// The options of both kinds of pictures.
static bool read_options(const carom_arguments *arguments, carom_picture_def *def) {
    static const struct {
        const char *name;
        bool (*read)(const char *text, carom_picture_def *def);
    } options[] = {{"at", read_time}, {"view", read_view}, {"size", read_size}, {"range", read_range}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *text = carom_arguments_value(arguments, options[i].name);
        if (text && !options[i].read(text, def))
            return false;
    }
    return true;
}

// The options of a moving picture. Refuses those without --animate, and with it those of a still one.
static bool read_moving_options(const carom_arguments *arguments, carom_animation_def *def) {
    bool moving = carom_arguments_value(arguments, "animate") != NULL;
    const char *still_ones[] = {"at", "output"}, *moving_ones[] = {"frames", "seconds", "max-size"};
    for (int i = 0; moving && i < 2; i++)
        if (carom_arguments_value(arguments, still_ones[i])) {
            carom_say_error("--%s is an option of still pictures: remove it, or remove --animate", still_ones[i]);
            return false;
        }
    for (int i = 0; !moving && i < 3; i++)
        if (carom_arguments_value(arguments, moving_ones[i])) {
            carom_say_error("--%s is an option of moving pictures: add --animate FILE.png", moving_ones[i]);
            return false;
        }
    const char *frames = carom_arguments_value(arguments, "frames"), *seconds = carom_arguments_value(arguments, "seconds");
    if ((frames && !read_frames(frames, def)) || (seconds && !read_seconds(seconds, def)))
        return false;
    if (carom_page_size_option(arguments, &def->bytes_max))
        return false;
    if (!carom_arguments_value(arguments, "max-size"))
        def->bytes_max = 1e6 * MEGABYTES;
    return true;
}

static bool find_path(const carom_arguments *arguments, char path[static CAROM_PATH_MAX]) {
    const char *directory = arguments->operands[0], *asked = carom_arguments_value(arguments, "animate");
    if (!asked)
        asked = carom_arguments_value(arguments, "output");
    int size =
        asked ? snprintf(path, CAROM_PATH_MAX, "%s", asked) : snprintf(path, CAROM_PATH_MAX, "%s/picture.png", directory);
    if (size <= 0 || size >= CAROM_PATH_MAX) {
        carom_say_error("the picture must have a name of 1 to %d bytes", CAROM_PATH_MAX - 1);
        return false;
    }
    // another ending would not agree with the format
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

// The progress line of a moving picture, on a terminal only.
typedef struct drawing {
    bool terminal, shown; // shown: a line is on the terminal
    double last;
} drawing;

static volatile sig_atomic_t asked_to_stop;

static void note_signal(int number) {
    (void)number;
    asked_to_stop = 1;
}

// The first signal interrupts the drawing, a second one ends the command at once. Ignored signals stay ignored.
static void catch_signals(void) {
    static const int endings[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = (int)SA_RESETHAND | SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (sigaction(endings[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(endings[i], &action, NULL);
}

static bool report_progress(void *context, int drawn, int frame_count) {
    static const double pause = 0.2; // seconds between two lines
    drawing *d = context;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    if (d->terminal && (seconds - d->last >= pause || drawn == frame_count)) {
        fprintf(stderr, "\r\033[K");
        if (drawn < frame_count)
            fprintf(stderr, "%d of %d frames drawn", drawn, frame_count);
        fflush(stderr);
        d->last = seconds;
        d->shown = drawn < frame_count;
    }
    return !asked_to_stop;
}

static void print_largest(const carom_picture_facts *facts) {
    printf("%s at time %.6g: largest %.6g in %s at [%.6g, %.6g, %.6g]", facts->field, facts->time, facts->largest, facts->body,
           facts->place[0], facts->place[1], facts->place[2]);
}

static carom_status write_still(const char *path, const carom_picture_def *def, carom_error *error) {
    carom_picture_facts facts = {0};
    carom_status status = carom_picture_write(path, def, &facts, error);
    if (status)
        return status;
    printf("%s\n", path);
    print_largest(&facts);
    printf(", smallest %.6g\n", facts.smallest);
    return status;
}

static carom_status write_moving(const char *path, carom_animation_def *def, carom_error *error) {
    carom_animation_facts facts;
    drawing line = {.terminal = isatty(STDERR_FILENO)};
    def->progress = report_progress;
    def->context = &line;
    catch_signals();
    carom_status status = carom_animation_write(path, def, &facts, error);
    if (line.shown)
        fprintf(stderr, "\r\033[K");
    if (status)
        return status;
    printf("%s\n", path);
    print_largest(&facts.largest);
    printf("\n%d frames of %d x %d pixels in %.3g s, %d colours, %.2f MB\n", facts.frame_count, def->picture.width,
           def->picture.height, facts.seconds, facts.colour_count, (double)facts.bytes / 1e6);
    return status;
}

int carom_command_picture(const carom_arguments *arguments) {
    char path[CAROM_PATH_MAX];
    bool moving = carom_arguments_value(arguments, "animate") != NULL;
    carom_animation_def def = {.frames = FRAMES,
                               .seconds = usual_seconds,
                               .picture = {.directory = arguments->operands[0],
                                           .field = carom_arguments_value(arguments, "field"),
                                           .edges = carom_arguments_value(arguments, "edges") != NULL,
                                           .range = {(double)NAN, (double)NAN},
                                           .width = moving ? MOVING_WIDTH : WIDTH,
                                           .height = moving ? MOVING_HEIGHT : HEIGHT}};
    carom_picture_def *picture = &def.picture;
    if (!read_options(arguments, picture) || !read_moving_options(arguments, &def) || !find_path(arguments, path))
        return CAROM_EXIT_INPUT;
    carom_error error = {0};
    carom_result_bundle bundle = {0};
    carom_units units = {0};
    carom_status status = carom_result_bundle_read(picture->directory, &bundle, &error);
    if (!status) {
        picture->title = bundle.title;
        picture->body_count = bundle.run.body_count;
        picture->bodies = bundle.bodies;
        picture->plane_count = bundle.run.plane_count;
        picture->planes = bundle.planes;
        if (bundle.scene)
            units = carom_scene_text_units(bundle.scene, strlen(bundle.scene));
        picture->units = &units;
        status = moving ? write_moving(path, &def, &error) : write_still(path, picture, &error);
    }
    if (status == CAROM_INTERRUPTED)
        carom_say_error("interrupted; %s is not written", path);
    else if (status)
        carom_say_error("%s", error.message);
    carom_result_bundle_release(&bundle);
    return carom_exit_code(status);
}
