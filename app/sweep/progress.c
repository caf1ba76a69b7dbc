// SPDX-License-Identifier: MIT
// Progress of a sweep on stderr, and its result on stdout.
#include "app/sweep/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/message.h"
#include "carom/profile.h"

enum { SHOWN_MAX = 10 }; // failed runs that are reported; the table has all of them

// Seconds between two updates of table and page, and between two updates of the line on a terminal.
static const double results_pause = 10, line_pause = 0.2;

struct carom_progress_line {
    int points, before, ended, failed;
    bool quiet, terminal, shown;
    double began, last_line, last_results;
};

static double now(void) {
    return carom_profile_clocks().wall;
}

carom_progress_line *carom_progress_begin(int points, int waiting, bool quiet) {
    carom_progress_line *line = calloc(1, sizeof *line);
    if (!line)
        return NULL;
    *line = (carom_progress_line){
        .points = points,
        .before = points - waiting,
        .quiet = quiet,
        .terminal = isatty(STDERR_FILENO),
        .began = now(),
        .last_results = now(),
    };
    if (!quiet && line->before > 0 && waiting > 0)
        carom_say_note("%d of %d runs are complete already", line->before, points);
    return line;
}

// Clears the line that is rewritten, so that another one can be printed.
static void clear(carom_progress_line *line) {
    if (line->shown)
        fputs("\r\033[K", stderr);
    line->shown = false;
}

void carom_progress_ended(carom_progress_line *line, const carom_case *run) {
    if (!line)
        return;
    bool bad = run->status != CAROM_CASE_DONE && run->status != CAROM_CASE_INTERRUPTED;
    line->ended += run->status != CAROM_CASE_INTERRUPTED;
    line->failed += bad;
    if (bad && line->failed <= SHOWN_MAX) {
        clear(line);
        carom_say_error("runs/%s: %s", run->folder, run->message ? run->message : carom_case_status_name(run->status));
    } else if (!bad && !line->quiet && !line->terminal) {
        fprintf(stderr, "%d of %d: %s %s, %.3g s\n", line->before + line->ended, line->points, run->folder,
                carom_case_status_name(run->status), run->seconds);
    }
    if (bad && line->failed == SHOWN_MAX + 1)
        carom_say_error("further ones are in sweep.csv only");
}

void carom_progress_show(carom_progress_line *line, int running) {
    if (!line || line->quiet || !line->terminal || now() - line->last_line < line_pause)
        return;
    line->last_line = now();
    clear(line);
    fprintf(stderr, "%d of %d runs done, %d running", line->before + line->ended - line->failed, line->points, running);
    if (line->failed > 0)
        fprintf(stderr, ", %d failed", line->failed);
    int left = line->points - line->before - line->ended;
    if (line->ended > 0) {
        double seconds = (now() - line->began) / line->ended * left;
        fprintf(stderr, seconds < 100 ? ", about %.0f s left" : ", about %.0f min left",
                seconds < 100 ? seconds : seconds / 60);
    }
    fflush(stderr);
    line->shown = true;
}

bool carom_progress_wants_results(carom_progress_line *line) {
    if (!line || now() - line->last_results < results_pause)
        return false;
    line->last_results = now();
    return true;
}

void carom_progress_end(carom_progress_line *line) {
    if (line)
        clear(line);
    free(line);
}

void carom_progress_print_result(const carom_sweep *sweep) {
    int counts[CAROM_CASE_STATUS_COUNT] = {0};
    for (int i = 0; i < sweep->study.point_count; i++)
        counts[sweep->cases[i].status]++;
    printf("%d %s:", sweep->study.point_count, carom_plural(sweep->study.point_count, "run", "runs"));
    const char *separator = " ";
    for (int i = 0; i < CAROM_CASE_STATUS_COUNT; i++)
        if (counts[i] > 0) {
            printf("%s%d %s", separator, counts[i],
                   i == CAROM_CASE_GATE ? "with a failed gate" : carom_case_status_name((carom_case_status)i));
            separator = ", ";
        }
    printf("\ntable in %s/sweep.csv\npage in %s/sweep.html\n", sweep->directory, sweep->directory);
}
