// SPDX-License-Identifier: MIT
// The progress line of a run: share of steps done, rate, estimated time left, and residual.
#include "sim/progress.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/platform.h"
#include "math/functions.h"

// Ten updates a second appear continuous, at negligible cost.
static const double bar_seconds = 0.1;
// Without a terminal the lines go to a log, which should stay short.
static const double line_seconds = 10;
static const double rate_seconds = 30; // time constant of the smoothed rate

enum { BAR_MAX = 30, LINE_MAX_SIZE = 512 };

carom_meter carom_meter_start(carom_progress style, int64_t step, double seconds) {
    return (carom_meter){
        .style = style, .first_step = step, .begin = seconds, .shown = seconds, .rate_clock = seconds, .rate_step = step};
}

// 45 s, 3:07, 2:03:09
static void print_duration(double seconds, char text[static 32]) {
    if (!(seconds < 3.6e6)) {
        snprintf(text, 32, "-");
        return;
    }
    int64_t s = (int64_t)ceil(seconds);
    if (s < 60)
        snprintf(text, 32, "%" PRId64 " s", s);
    else if (s < 3600)
        snprintf(text, 32, "%" PRId64 ":%02" PRId64, s / 60, s % 60);
    else
        snprintf(text, 32, "%" PRId64 ":%02" PRId64 ":%02" PRId64, s / 3600, s / 60 % 60, s % 60);
}

// Three or four significant digits in a fixed width, with a prefix from 10 000 on.
static void print_rate(double rate, char text[static 32]) {
    if (rate >= 1e6)
        snprintf(text, 32, "%5.3g M steps/s", rate / 1e6);
    else if (rate >= 1e4)
        snprintf(text, 32, "%5.3g k steps/s", rate / 1e3);
    else
        snprintf(text, 32, "%7.4g steps/s", rate);
}

// Exponential average over rate_seconds, so that the time left is correct soon after contact has made steps more expensive.
static void measure_rate(carom_meter *meter, int64_t step, double seconds) {
    double passed = seconds - meter->rate_clock;
    if (!(passed > 0))
        return;
    double now = (double)(step - meter->rate_step) / passed;
    double weight = meter->rate > 0 ? 1 - carom_exp(-passed / rate_seconds) : 1;
    meter->rate += weight * (now - meter->rate);
    meter->rate_clock = seconds;
    meter->rate_step = step;
}

// Estimated with the average of two times per step: the mean since the start, which does not jump at each impact, and the
// recent one. Both are measured on this process.
static double time_left(const carom_meter *meter, const carom_meter_reading *reading, double seconds) {
    double steps = (double)(reading->step_count - reading->step), done = (double)(reading->step - meter->first_step);
    double passed = seconds - meter->begin;
    if (!(done > 0) || !(passed > 0))
        return steps / meter->rate;
    return 0.5 * steps * (passed / done + 1 / meter->rate);
}

// Read at every update, because the window may have been resized. Eighty columns if the width is unknown.
static int terminal_width(void) {
    int columns = carom_platform_columns();
    return columns > 0 ? columns : 80;
}

static void draw_bar(double share, int width, char bar[static BAR_MAX + 3]) {
    int full = (int)(share * width);
    bar[0] = '[';
    for (int i = 0; i < width; i++)
        bar[1 + i] = i < full ? '=' : i == full ? '>' : ' ';
    bar[1 + width] = ']';
    bar[2 + width] = 0;
}

void carom_meter_update(carom_meter *meter, const carom_meter_reading *reading, double seconds) {
    if (meter->style == CAROM_PROGRESS_NONE)
        return;
    bool terminal = meter->style == CAROM_PROGRESS_BAR;
    if (seconds - meter->shown < (terminal ? bar_seconds : line_seconds))
        return;
    meter->shown = seconds;
    measure_rate(meter, reading->step, seconds);

    double share = (double)reading->step / (double)(reading->step_count > 0 ? reading->step_count : 1);
    char rate[32], left[32], facts[256], substeps[32] = "";
    print_rate(meter->rate, rate);
    print_duration(time_left(meter, reading, seconds), left);
    // fixed widths, so that the text does not move between updates
    snprintf(facts, sizeof facts, "t %9.4g / %.4g  %s  %7s left  residual %8.1e %%", reading->time, reading->end, rate, left,
             100 * reading->residual);
    // divided steps explain a low rate
    if (reading->divides)
        snprintf(substeps, sizeof substeps, "  %7" PRId64 " substeps", reading->parts);
    if (!terminal) {
        fprintf(stderr, "carom: %5.1f %%  %s%s\n", 100 * share, facts, substeps);
        return;
    }

    // the bar takes the rest of the line
    char line[LINE_MAX_SIZE], bar[BAR_MAX + 3] = "";
    int width = terminal_width();
    int bar_width = width - (int)strlen(facts) - (int)strlen(substeps) - 13;
    if (bar_width > BAR_MAX)
        bar_width = BAR_MAX;
    if (bar_width >= 5)
        draw_bar(share, bar_width, bar);
    int size = snprintf(line, sizeof line, "%5.1f %% %s %s%s", 100 * share, bar, facts, substeps);
    // A line that wraps could not be erased by a carriage return.
    if (size >= width)
        size = width - 1;
    if (size >= (int)sizeof line)
        size = (int)sizeof line - 1;
    fprintf(stderr, "\r%.*s\033[K", size, line);
    fflush(stderr);
    meter->visible = true;
}

// Called before anything else is written to the terminal, so that messages do not begin in the middle of a bar.
void carom_meter_clear(carom_meter *meter) {
    if (!meter->visible)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    meter->visible = false;
}
